"""The clock of a round: who starts it, what it counts to, and who sees it."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.draws.round_clock import change_clock, start_clock, stop_clock
from league.draws.round_life import complete_round, reopen_round, unpublish_round
from league.draws.rounds import change_round
from league.draws.time_called import call_time
from league.errors import LeagueError
from league.matches.table_links import make_links
from league.models import AuditEntry, Club, Event, EventState, Match, Role, Round, RoundState
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    drawn_match,
    play,
)
from tests.league.admin_pages import page, text
from tests.league.ladder_cases import challenge, ladder
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

EIGHT = datetime.datetime(2026, 12, 3, 19, 0, 0, 500_000, tzinfo=datetime.UTC)
WHOLE = EIGHT.replace(microsecond=0)
IN_PARIS = "20:45"


def minutes(count: float) -> datetime.timedelta:
    return datetime.timedelta(minutes=count)


@pytest.fixture
def match(club: Club) -> Match:
    club.time_zone = "Europe/Paris"
    club.save()
    event = EventFactory.create(club=club, slug="league", round_minutes=45)
    return drawn_match(event, "Ann", "Bob", table=7)


def refused(act: Callable[..., object], round_: Round, **values: Any) -> str:
    with pytest.raises(LeagueError) as refusal:
        act(actor=OPERATOR, round_=round_, **values)
    assert str(refusal.value.message)
    return refusal.value.code


def end(round_: Round) -> datetime.datetime | None:
    return Round.objects.values_list("ends_at", flat=True).get(pk=round_.pk)


def test_it_runs_is_changed_and_stopped_on_the_record(match: Match) -> None:
    round_ = match.round
    with time_machine.travel(EIGHT, tick=False) as clock:
        assert refused(start_clock, round_, minutes=0) == "out_of_range"
        assert refused(start_clock, round_, minutes=1441) == "out_of_range"
        assert refused(change_clock, round_, minutes=5) == "no_clock"
        assert refused(stop_clock, round_) == "no_clock"
        started = start_clock(actor=OPERATOR, round_=round_, minutes=45)
        assert end(round_) == WHOLE + minutes(45)
        assert refused(start_clock, round_, minutes=45) == "clock_runs"

        # More, and less; never less than a minute from now, nor more than a day.
        assert started.ends_at is not None
        seen = started.ends_at.isoformat()
        change_clock(actor=OPERATOR, round_=round_, minutes=5, seen=seen)
        assert end(round_) == WHOLE + minutes(50)
        assert refused(change_clock, round_, minutes=5, seen=seen) == "clock_changed"
        clock.move_to(EIGHT + minutes(10))
        change_clock(actor=OPERATOR, round_=round_, minutes=-39)
        assert end(round_) == WHOLE + minutes(11)
        for wrong in (-1, 0, 1440, 10**30):
            assert refused(change_clock, round_, minutes=wrong) == "out_of_range"

        # What has run out goes on from now.
        clock.move_to(EIGHT + minutes(30))
        assert refused(change_clock, round_, minutes=-5) == "out_of_range"
        change_clock(actor=OPERATOR, round_=round_, minutes=5)
        assert end(round_) == WHOLE + minutes(35)
        stop_clock(actor=OPERATOR, round_=round_)
        assert end(round_) is None
    noted = AuditEntry.objects.filter(action__contains="clock").order_by("pk")
    assert [entry.action for entry in noted] == [
        "round.start_clock",
        *["round.change_clock"] * 3,
        "round.stop_clock",
    ]
    told = [(entry.before or {})["ends_at"] for entry in noted]
    assert told == [None, *[(entry.after or {})["ends_at"] for entry in noted][:-1]]


def test_only_a_round_that_is_played_tonight_has_a_clock(match: Match, club: Club) -> None:
    round_ = match.round

    def with_round(**values: Any) -> str:
        before = Round.objects.filter(pk=round_.pk).values(*values).get()
        Round.objects.filter(pk=round_.pk).update(**values)
        code = refused(start_clock, round_, minutes=45)
        Round.objects.filter(pk=round_.pk).update(**before)
        return code

    day = datetime.date(2026, 12, 3)
    assert with_round(state=RoundState.DRAFTED) == "round_drafted"
    assert with_round(state=RoundState.COMPLETE) == "wrong_state"
    assert with_round(date=day, last_day=day + datetime.timedelta(days=7)) == "no_night"
    for state in set(EventState) - {EventState.RUNNING}:
        Event.objects.filter(pk=match.event_id).update(state=state)
        assert refused(start_clock, round_, minutes=45) == "wrong_state"
    Event.objects.filter(pk=match.event_id).update(state=EventState.RUNNING)
    called = challenge(ladder(3, club=club), "C", "A").match
    assert called is not None
    assert refused(start_clock, called.round, minutes=45) == "no_rounds"
    keeper = actor_of(UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))
    for act, values in ((start_clock, {"minutes": 5}), (change_clock, {"minutes": 5}), (stop_clock, {})):
        with refuses(LeagueError, "not_allowed"):
            act(actor=keeper, round_=round_, **values)
    play(match, 40, stopped=True)
    assert refused(start_clock, round_, minutes=45) == "nobody_plays"


def test_it_ends_when_time_is_called_and_when_the_round_does(match: Match) -> None:
    round_ = match.round

    def start() -> None:
        start_clock(actor=OPERATOR, round_=round_, minutes=45)

    start()
    unpublish_round(actor=OPERATOR, round_=round_)
    assert end(round_) is None
    Round.objects.filter(pk=round_.pk).update(state=RoundState.PUBLISHED)
    start()
    complete_round(actor=OPERATOR, round_=round_, reason="so it is")
    assert end(round_) is None
    reopen_round(actor=OPERATOR, round_=round_)
    start()
    day = datetime.date(2026, 12, 3)
    change_round(actor=OPERATOR, round_=round_, date=day, last_day=day + datetime.timedelta(days=7))
    assert end(round_) is None
    change_round(actor=OPERATOR, round_=round_, last_day=None)
    start()
    play(MatchFactory.create(event=match.event, round=round_), 40)
    call_time(actor=OPERATOR, round_=round_)
    called = Round.objects.get(pk=round_.pk)
    assert (called.ends_at, end(round_)) == (None, None)
    assert called.called_at is not None
    # Whoever is still to play is given time anew.
    started = start_clock(actor=OPERATOR, round_=round_, minutes=45)
    assert started.called_at is None
    note = AuditEntry.objects.filter(action="round.start_clock").latest("pk")
    assert (note.before or {})["called_at"] is not None


@pytest.fixture
def at_board(match: Match) -> Client:
    return logged_in(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))


def board(client: Client, round_: Round) -> str:
    return text(client.get(reverse("round_board", args=["harbour", "league", round_.number])))


def test_director_starts_it_from_the_board_and_is_told_when_time_is_up(
    match: Match, at_board: Client
) -> None:
    round_ = match.round
    play(match, 40)
    with time_machine.travel(EIGHT, tick=False) as clock:
        act = page("round", round_, "start_clock")
        assert act in board(at_board, round_)
        assert 'name="minutes" value="45"' in text(at_board.get(act))
        answer = text(at_board.post(act, {"minutes": "45"}, follow=True))
        assert f"The clock runs until {IN_PARIS}." in answer
        assert f"until {IN_PARIS}" in board(at_board, round_)
        assert act not in board(at_board, round_)
        assert "The clock of" in text(at_board.post(act, {"minutes": "45"}))

        # Two taps on one button give the minutes once.
        act = page("round", round_, "change_clock")
        assert f"The clock runs until {IN_PARIS}." in text(at_board.get(act))
        seen = (WHOLE + minutes(45)).isoformat()
        data = {"way": "more", "minutes": "5", "seen": seen}
        assert "until 20:50." in text(at_board.post(act, data, follow=True))
        assert at_board.post(act, data).status_code == 422
        assert end(round_) == WHOLE + minutes(50)
        data = {"way": "less", "minutes": "5", "seen": (WHOLE + minutes(50)).isoformat()}
        assert f"until {IN_PARIS}." in text(at_board.post(act, data, follow=True))

        assert "Time is up: finish the hand you are playing. <" not in board(at_board, round_)
        clock.move_to(EIGHT + minutes(46))
        told = board(at_board, round_)
        assert 'class="card look-here">Time is up: finish the hand you are playing.' in told
        assert told.index(page("round", round_, "call_time")) < told.index(
            page("round", round_, "stop_clock")
        )
        assert Round.objects.get(pk=round_.pk).called_at is None
        assert match.sheet is not None
        answer = text(at_board.post(page("round", round_, "stop_clock"), follow=True))
        assert "The clock is stopped." in answer


def test_hall_and_members_see_until_when_and_ask_for_nothing_new_meanwhile(match: Match) -> None:
    """What is followed says when the time is up, not how much is left, and so stays the same."""
    round_ = match.round
    client, member = Client(), Client()
    pages = [
        reverse("event_screen", args=["harbour", "league"]),
        reverse("round", args=["harbour", "league", 1]),
    ]
    later = MatchFactory.create(event=match.event, round=RoundFactory.create(event=match.event, number=2))
    with time_machine.travel(EIGHT, tick=False) as clock:
        before = [member.get(each).headers["ETag"] for each in pages]
        start_clock(actor=OPERATOR, round_=round_, minutes=45)
        shown = [member.get(each) for each in pages]
        assert all(f"until {IN_PARIS}" in text(each) for each in shown)
        assert f'data-ends="2026-12-03T{IN_PARIS}:00+01:00"' in text(shown[0])
        secret = make_links(actor=OPERATOR, match=match)[0][1]
        place = client.get(reverse("phone:table_open", args=[secret])).headers["Location"]
        assert f"until {IN_PARIS}" in text(client.get(place))
        tags = [each.headers["ETag"] for each in shown]
        assert set(tags).isdisjoint(before)
        clock.move_to(EIGHT + minutes(44))
        for address, tag in zip(pages, tags, strict=True):
            assert member.get(address, headers={"If-None-Match": tag}).status_code == 304

        # The round whose clock runs is the hall's, though an earlier one has a match left.
        stop_clock(actor=OPERATOR, round_=round_)
        start_clock(actor=OPERATOR, round_=later.round, minutes=45)
        assert "Round 2: your table" in text(member.get(pages[0]))
        # A clock that was left alone says nothing the next day.
        clock.move_to(EIGHT + minutes(44 + 45 + 12 * 60))
        assert "data-ends" not in text(member.get(pages[0]))


def test_programs_read_when_the_time_is_up(match: Match) -> None:
    address = f"/api/v1/rounds/{match.round.code}/"
    assert Client().get(address).json()["ends_at"] is None
    with time_machine.travel(EIGHT, tick=False):
        start_clock(actor=OPERATOR, round_=match.round, minutes=45)
        assert Client().get(address).json()["ends_at"] == "2026-12-03T19:45:00Z"
