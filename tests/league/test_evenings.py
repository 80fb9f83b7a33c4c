"""An event that runs itself: rounds follow one another, who does not come forfeits, and what needs a person
stops it.
"""

import datetime
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import BotMatch, TableMatch
from games.services.outages import beat_site, mend_outage
from league.draws.online import come_to_table, play_online
from league.draws.round_life import draft_round, publish_round, unpublish_round
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.events.evening_steps import EVENING
from league.events.evening_sweep import sweep_evenings
from league.events.evenings import begin_evening, drop_evening, pause_evening, set_evening
from league.events.presence import mark_everybody, set_presence
from league.matches.member_tables import begin_table, end_table_for
from league.models import (
    AbsentAt,
    Arrival,
    AuditEntry,
    Club,
    Entry,
    Evening,
    Event,
    EventState,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    OddTable,
    PlayedWhere,
    Player,
    Presence,
    PresenceState,
    Rest,
    Role,
    Round,
    RoundState,
)
from league.notices.words import said_by
from league.policy.naming import names_for
from scoring.services import dispute_sheet, stop_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.league.nights import NAMES, START, Night, at
from tests.league.table_players import browser, by, play_on, refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def test_whole_swiss_runs_itself_and_one_who_misses_two_rounds_is_left_out(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Six rounds of clock: a round, a break, the next one; Dan checks in, and never comes."""
    night = Night(club, "swiss", rounds_planned=3)
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    assert night.evening.come_by == START + datetime.timedelta(minutes=10)
    for number, begins in ((1, 0), (2, 15)):
        at(clock, begins)
        assert night.rounds() == number
        night.play(number, absent=("Dan",))
        at(clock, begins + 9)
        assert Match.objects.filter(state=MatchState.WALKOVER).count() == number - 1
        at(clock, begins + 10)
        given = Match.objects.get(round__number=number, state=MatchState.WALKOVER)
        assert given.winner_side is not None
        assert "Dan" not in given.side_name(given.winner_side)
        at(clock, begins + 10.5)
        assert night.evening.next_at is not None
    at(clock, 31)
    assert night.rounds() == 3
    assert Presence.objects.get(entry=night.entry("Dan"), round_number=3).state == PresenceState.AWAY
    assert {match.state for match in night.matches(3)} == {MatchState.SCHEDULED}
    assert len(night.matches(3)) == 1
    night.play(3)
    at(clock, 33)
    assert (night.evening.state, night.rounds()) == ("over", 3)
    by_itself = AuditEntry.objects.filter(actor_kind=EVENING.kind, actor_id=EVENING.id)
    actions = list(by_itself.order_by("pk").values_list("action", flat=True))
    assert actions.count("round.draft") == actions.count("round.publish") == 2
    assert actions.count("match.walkover") == actions.count("evening.absent") == 2
    assert actions.count("evening.left_out") == actions.count("evening.end") == 1
    reason = by_itself.filter(action="match.walkover").earliest("pk").reason
    assert "Dan" in reason
    assert not Evening.objects.filter(state="going").exists()


def test_who_was_not_checked_in_is_not_paired_and_comes_later(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "swiss", break_minutes=0)
    for name in ("Ann", "Bob"):
        entry = night.entry(name)
        set_presence(actor=OPERATOR, event=night.event, entry=entry, number=1, state=PresenceState.HERE)
    night.begin()
    assert [sorted(player.name for player in night.pair(match)) for match in night.matches(1)] == [
        ["Ann", "Bob"]
    ]
    for name in ("Cid", "Dan"):
        entry = night.entry(name)
        set_presence(actor=OPERATOR, event=night.event, entry=entry, number=2, state=PresenceState.HERE)
    night.play(1)
    at(clock, 1)
    assert (night.rounds(), len(night.matches(2))) == (2, 2)


def test_whole_knockout_runs_itself(club: Club, clock: time_machine.Traveller) -> None:
    """Of two semifinals one goes to who is there; the final is drawn, played, and that is the end."""
    night = Night(club, "single", third_place=False)
    night.begin()
    night.play(1, absent=("Dan",))
    at(clock, 5)
    assert night.evening.next_at is None
    at(clock, 10)
    at(clock, 15)
    (final,) = night.matches(2)
    assert "Ann" in {final.side_name(0), final.side_name(1)}
    night.play(2)
    at(clock, 16)
    assert night.evening.state == "over"
    assert Event.objects.get().state == EventState.RUNNING


def test_tie_of_several_sheets_is_played_to_its_end(club: Club, clock: time_machine.Traveller) -> None:
    """Who has come once is there for all sheets of the round: their tables open, and no break begins."""
    night = Night(club, "single", names=("Ann", "Bob"), best_of=3)
    night.begin()
    night.play(1)
    for minute in range(1, 4):
        at(clock, minute)
        for match in night.matches(1):
            if match.state == MatchState.SCHEDULED:
                assert night.evening.is_going
                play_on(TableMatch.objects.get(sheet=match.sheet), *night.pair(match))
    assert len(night.matches(1)) in (2, 3)
    at(clock, 5)
    assert (night.evening.state, night.rounds()) == ("over", 1)


def test_both_absent_lose_and_a_knockout_asks_its_director(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "single")
    night.begin()
    night.play(1, absent=("Ann", "Dan"))
    at(clock, 10)
    lost = Match.objects.get(state=MatchState.WALKOVER)
    assert lost.winner_side is None
    evening = night.evening
    assert (evening.state, night.rounds()) == ("stopped", 1)
    assert "director" in evening.why


def test_table_opens_and_clocks_run_once_both_have_come(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False, online_clock="lively")
    night.begin()
    match = night.matches(1)[0]
    one, other = night.pair(match)
    refused("not_here", lambda: play_online(actor=by(one), match=match))
    sheet = match.sheet
    assert sheet is not None
    refused("not_here", lambda: begin_table(actor=by(one), sheet=sheet))
    assert come_to_table(actor=by(one), match=match) is None
    assert come_to_table(actor=by(one), match=match) is None
    assert Arrival.objects.get().player == one
    assert not TableMatch.objects.exists()
    at(clock, 4)
    table = come_to_table(actor=by(other), match=match)
    assert table is not None
    assert table.turn_since == timezone.now()
    refused("not_allowed", lambda: come_to_table(actor=OPERATOR, match=night.matches(1)[1]))
    clock.move_to(START + datetime.timedelta(minutes=10))
    beat_site(timezone.now())
    # Before any sweep: the deadline is an instant.
    late = night.matches(1)[1]
    refused("too_late", lambda: come_to_table(actor=by(night.pair(late)[0]), match=late))


def test_outage_is_given_back_to_who_is_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    """Down from 8 minutes on for half an hour: two minutes are left after it, whoever mends it first."""
    night = Night(club, "swiss", check_in=False)
    night.begin()
    at(clock, 8)
    clock.move_to(START + datetime.timedelta(minutes=38))
    match = night.matches(1)[0]
    assert come_to_table(actor=by(night.pair(match)[0]), match=match) is None
    sweep_evenings(timezone.now())
    assert not mend_outage(timezone.now())
    assert night.evening.come_by == START + datetime.timedelta(minutes=40)
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    at(clock, 40)
    assert Match.objects.filter(state=MatchState.WALKOVER).count() == 2


def test_director_is_only_told_where_the_event_says_so(club: Club, clock: time_machine.Traveller) -> None:
    """Who is there plays then, by the clock; a table to which nobody came is for a director."""
    night = Night(club, "swiss", check_in=False, absent=AbsentAt.TELL, online_clock="lively")
    night.begin()
    one, other = night.matches(1)
    assert come_to_table(actor=by(night.pair(one)[0]), match=one) is None
    at(clock, 10)
    assert [table.sheet_id for table in TableMatch.objects.all()] == [one.sheet_id]
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    told = AuditEntry.objects.get(action="evening.absent").after
    assert told is not None
    assert len(told["absent"]) == 3
    assert night.evening.is_going
    play_on(TableMatch.objects.get(), *night.pair(one))
    at(clock, 11)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert other.label in night.evening.why


def test_dispute_stops_it_until_a_director_lets_it_go_on(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    match = night.matches(1)[0]
    assert match.sheet is not None
    dispute_sheet(actor=by(night.pair(match)[0]), sheet=match.sheet, sentence="I said gin.")
    at(clock, 1)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert match.label in night.evening.why
    at(clock, 30)
    assert night.rounds() == 1
    begin_evening(actor=OPERATOR, event=night.event)
    at(clock, 31)
    assert night.evening.state == "stopped"


def test_pairing_that_is_impossible_stops_it(club: Club, clock: time_machine.Traveller) -> None:
    """Two play three rounds: they would meet twice."""
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False)
    night.begin()
    night.play(1)
    for minute in (1, 6):
        at(clock, minute)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert night.evening.why


def test_director_pauses_draws_by_hand_and_lets_it_go_on(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    at(clock, 4)
    pause_evening(actor=OPERATOR, event=night.event)
    refused("wrong_state", lambda: pause_evening(actor=OPERATOR, event=night.event))
    at(clock, 24)
    assert not Match.objects.exclude(state=MatchState.SCHEDULED).exists()
    night.begin()
    assert night.evening.come_by == START + datetime.timedelta(minutes=30)
    refused("wrong_state", night.begin)
    night.play(1)
    at(clock, 25)
    assert night.evening.next_at == START + datetime.timedelta(minutes=30)
    # By hand during the break: the evening takes the round as it finds it, and draws none of its own.
    drafted = draft_round(actor=OPERATOR, event=night.event)
    at(clock, 31)
    assert not Evening.objects.filter(next_at__isnull=False).exists()
    assert night.rounds() == 2
    publish_round(actor=OPERATOR, round_=drafted)
    at(clock, 32)
    evening = night.evening
    assert evening.round == drafted
    assert evening.come_by == START + datetime.timedelta(minutes=42)
    drop_evening(actor=OPERATOR, event=night.event)
    at(clock, 60)
    assert (night.rounds(), Evening.objects.count()) == (2, 0)


def test_round_that_is_taken_back_begins_anew_when_it_is_published(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Nobody is absent from a draft, nor at once from what is published after his time was over."""
    night = Night(club, "swiss", check_in=False, break_minutes=0)
    night.begin()
    night.play(1)
    at(clock, 1)
    second = Round.objects.get(number=2)
    unpublish_round(actor=OPERATOR, round_=second)
    for minute in (5, 6, 30):
        at(clock, minute)
        assert night.evening.round is None
        assert night.evening.come_by is None
        assert night.evening.is_going
    publish_round(actor=OPERATOR, round_=second)
    at(clock, 31)
    assert night.evening.come_by == START + datetime.timedelta(minutes=41)
    assert {match.state for match in night.matches(2)} == {MatchState.SCHEDULED}


def test_result_taken_back_in_the_break_is_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    at(clock, 1)
    assert night.evening.next_at is not None
    match = night.matches(1)[0]
    Match.objects.filter(pk=match.pk).update(state=MatchState.PLAYING, winner_side=None)
    at(clock, 3)
    evening = night.evening
    assert evening.next_at is None
    assert evening.is_going
    at(clock, 7)
    assert night.rounds() == 1


def test_what_cannot_run_itself_is_refused(club: Club) -> None:
    def set_up(**settings: Any) -> Callable[[], object]:
        event = EventFactory.create(
            club=club, **{"format": "swiss", "played": PlayedWhere.ONLINE, **settings}
        )
        return lambda: set_evening(
            actor=OPERATOR, event=event, break_minutes=5, wait_minutes=10, absent=AbsentAt.FORFEIT
        )

    refused("wrong_format", set_up(format="ladder"))
    refused("wrong_format", set_up(format="tables"))
    refused("not_online", set_up(played=PlayedWhere.EITHER))
    refused("not_set", lambda: begin_evening(actor=OPERATOR, event=EventFactory.create(format="swiss")))
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, rounds_planned=None)
    refused("rounds_open", night.begin)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=2, check_in=True)
    night.event.refresh_from_db()
    refused("nobody_here", night.begin)
    Event.objects.filter(pk=night.event.pk).update(check_in=False)
    night.event.refresh_from_db()
    EntryFactory.create(event=night.event, name="Cid")
    refused("no_account", night.begin)


def test_drafted_round_is_published_as_the_evening_begins(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "single")
    night.begin()
    assert Round.objects.get(event=night.event).state == RoundState.PUBLISHED
    other = Night(club, "swiss", names=("Eve", "Fay"), check_in=False, slug="other")
    drafted = draft_round(actor=OPERATOR, event=other.event)
    other.begin()
    assert other.evening.round == drafted
    assert len(other.matches(1)) == 1


def test_pages_tell_players_when_and_let_them_come(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False, slug="friday")
    where = reverse("event", args=["harbour", "friday"])
    assert "Each round begins 5 minutes after" in browser(night.players["Ann"]).get(where).content.decode()
    night.begin()
    match = night.matches(1)[0]
    one, other = night.pair(match)
    page = browser(one).get(where).content.decode()
    assert "Players of round 1 have until 19:10 to come to their table." in page
    assert 'data-ends="2026-11-06T19:10:00+00:00"' in page
    own = reverse("match", args=["harbour", "friday", match.code])
    assert own in page
    assert "I am here" in browser(one).get(own).content.decode()
    play = reverse("match_play", args=["harbour", "friday", match.code])
    assert "I am here" in browser(one).get(play).content.decode()
    assert browser(one).post(play, {"what": "play"}).headers["Location"] == own
    assert "You are at the table" in browser(one).get(own).content.decode()
    answer = browser(other).post(play, {"what": "play"})
    table = TableMatch.objects.get()
    assert answer.headers["Location"] == f"/play/{table.code}/"
    pause_evening(actor=OPERATOR, event=night.event)
    assert "It goes on when a director says so" in browser(one).get(where).content.decode()


@pytest.mark.usefixtures("mails")
def test_directors_are_told_why_it_stops_and_that_it_is_over(
    club: Club, clock: time_machine.Traveller
) -> None:
    director = UserFactory.create(club=club, role=Role.DIRECTOR, email="d@a.test")
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, rounds_planned=2)
    night.begin()
    night.play(1)
    name = night.event.name

    def titles() -> list[str | None]:
        notices = Notice.objects.filter(kind=NoticeKind.EVENING, user=director).order_by("pk")
        said = [said_by(notice, director, names_for(director, club)) for notice in notices]
        return [None if each is None else each.title for each in said]

    for minute in (1, 6):
        at(clock, minute)
    assert titles() == [f"{name} has stopped and waits for you"]
    page = f"/clubs/harbour/events/{night.event.slug}/"
    assert night.evening.why
    assert night.evening.why in logged_in(director).get(page).content.decode()
    assert night.evening.why not in browser(night.players["Ann"]).get(page).content.decode()
    Event.objects.update(rounds_planned=1)
    night.begin()
    at(clock, 7)
    # That it had stopped is no longer true.
    assert titles() == [None, f"The evening is over: {name}"]
    assert not Notice.objects.filter(kind=NoticeKind.EVENING).exclude(user=director).exists()


@pytest.mark.usefixtures("mails")
def test_player_is_told_by_when_to_come_and_where(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, slug="friday")
    night.begin()
    reader = night.players["Ann"].user
    assert reader is not None
    notice = Notice.objects.get(kind=NoticeKind.ROUND, user=reader)
    said = said_by(notice, reader, names_for(reader, club))
    assert said is not None
    assert said.lines[-1] == "Come to your table by Friday 6 November 2026, 19:10."
    assert said.path == reverse("match", args=["harbour", "friday", night.matches(1)[0].code])


@pytest.mark.usefixtures("mails")
def test_who_plays_a_bot_in_place_of_a_bye_is_told_by_when_to_come(
    club: Club, clock: time_machine.Traveller
) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, slug="friday", sits_in=bot)
    night.begin()
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    player = night.players[alone.entry_a.name]
    assert player.user is not None
    notice = Notice.objects.get(kind=NoticeKind.ROUND, user=player.user)
    said = said_by(notice, player.user, names_for(player.user, club))
    assert said is not None
    assert f"{player.name} has a bye, and may play a bot." in said.lines[0]
    assert said.lines[-1] == "Come to your table by Friday 6 November 2026, 19:10."
    match = reverse("match", args=["harbour", "friday", alone.code])
    assert said.path == match
    client = Client()
    client.force_login(player.user)
    page = reverse("event", args=["harbour", "friday"])
    assert f'href="{match}">\n    To your match' in client.get(page).content.decode()
    at(clock, 10)
    assert "To your match" not in client.get(page).content.decode()


def test_who_was_left_out_says_that_he_is_back(club: Club, clock: time_machine.Traveller) -> None:
    """Of five rounds Dan misses two, is left out of the third, and plays the fourth."""
    night = Night(
        club, "swiss", names=(*NAMES, "Eve", "Fay"), rounds_planned=5, break_minutes=0, slug="friday"
    )
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    dan, enter = browser(night.players["Dan"]), reverse("event_enter", args=["harbour", "friday"])
    for number in (1, 2):
        night.play(number, absent=("Dan",))
        assert dan.post(enter, {"what": "back"}).status_code == 422
        at(clock, 10 * number)
    assert (night.rounds(), len(night.matches(3))) == (3, 2)
    assert "Are you back?" in dan.get(reverse("event", args=["harbour", "friday"])).content.decode()
    assert "I am back" in dan.get(enter).content.decode()
    assert dan.post(enter, {"what": "back"}).status_code == 302
    assert "You are back, and paired in the next round." in dan.get(enter).content.decode()
    night.play(3)
    at(clock, 21)
    assert (night.rounds(), len(night.matches(4))) == (4, 3)


def test_an_evening_waits_for_who_plays_a_bot_in_place_of_a_bye_until_the_time_to_come_is_over(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Whoever of three has the bye has the time of all others to come to the bot; then it is a bye."""
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(
        club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, sits_in=bot, odd_table=OddTable.PLAYED
    )
    night.begin()
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    assert alone.sheet is not None
    at(clock, 9)
    assert (night.evening.next_at, night.rounds()) == (None, 1)
    at(clock, 10)
    assert Match.objects.get(pk=alone.pk).sheet is None
    told = AuditEntry.objects.get(action="match.bye")
    assert str(alone.entry_a) in told.reason
    at(clock, 11)
    assert night.evening.next_at is not None


def test_an_evening_does_not_wait_for_a_bot_that_is_played_besides_the_bye(
    club: Club, clock: time_machine.Traveller
) -> None:
    """The bye counts, nobody is missed, and he may play the bot as long as the round is open."""
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(
        club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, sits_in=bot, odd_table=OddTable.BYE
    )
    night.begin()
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    at(clock, 1)
    assert night.evening.next_at is not None
    at(clock, 10)
    assert night.rounds() == 2
    alone.refresh_from_db()
    assert alone.rest == Rest.BESIDES
    assert not AuditEntry.objects.filter(action__in=["match.bye", "evening.absent"]).exists()


def test_an_evening_goes_on_where_a_bye_was_begun_by_hand(club: Club, clock: time_machine.Traveller) -> None:
    """What stands on its sheet is for whoever typed it to end; the evening waits for that."""
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(
        club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, sits_in=bot, odd_table=OddTable.PLAYED
    )
    night.begin()
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    play(alone, 7)
    at(clock, 10)
    alone.refresh_from_db()
    assert alone.sheet is not None
    assert (night.evening.is_going, night.rounds()) == (True, 1)
    stop_sheet(actor=OPERATOR, sheet=alone.sheet)
    at(clock, 11)
    assert night.evening.next_at is not None


def test_who_takes_his_seat_from_the_bot_has_come(club: Club, clock: time_machine.Traveller) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False, sits_in=bot)
    night.begin()
    (match,) = night.matches(1)
    absent, there = night.pair(match)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason="He is late.")
    take_own_seat(actor=by(absent), match=match)
    table = night.come(there.name, 1)
    assert table is not None
    assert set(table.seats.values_list("account", flat=True)) == {absent.user_id, there.user_id}


def test_a_side_for_which_a_bot_sits_in_is_not_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False, sits_in=bot)
    night.begin()
    (match,) = night.matches(1)
    absent, there = night.pair(match)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason="He is late.")
    assert night.come(there.name, 1) is not None
    at(clock, 10)
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED


def test_a_break_is_longer_by_as_much_as_the_site_was_down(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    at(clock, 2)
    assert night.evening.next_at == START + datetime.timedelta(minutes=7)
    clock.move_to(START + datetime.timedelta(minutes=30))
    sweep_evenings(timezone.now())
    assert night.evening.next_at == START + datetime.timedelta(minutes=35)
    assert night.rounds() == 1
    at(clock, 35)
    assert night.rounds() == 2


def test_bots_that_are_drawn_against_each_other_are_not_waited_for(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Nobody has planned their match: the evening does."""
    night = Night(club, "swiss", ("Ann", "Bob"), check_in=False, rounds_planned=1)
    # The upper half meets the lower one: seed 1 plays 3, and 2 plays 4.
    Entry.objects.filter(event=night.event, name="Bob").update(seed=3)
    for seed, name in ((2, "Zork"), (4, "Zonk")):
        bot = PlayerFactory.create(club=club, name=name, strategy="simple")
        EntryFactory.create(event=night.event, seed=seed, name=name, players=[bot])
    night.begin()
    assert not BotMatch.objects.exists()
    at(clock, 1)
    planned = BotMatch.objects.get()
    assert {seat.name for seat in planned.sheet.seats.all()} == {"Zork", "Zonk"}
    at(clock, 2)
    assert BotMatch.objects.count() == 1


def test_play_that_was_ended_without_a_result_stops_it(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), check_in=False, rounds_planned=1)
    night.begin()
    assert night.come("Ann", 1) is None
    table = night.come("Bob", 1)
    assert table is not None
    end_table_for(actor=OPERATOR, match=table, reason="The lights went out.")
    at(clock, 2)
    evening = night.evening
    assert evening.state == "stopped"
    assert evening.why == f"Play has ended without a result at {night.matches(1)[0].label}."


def test_program_comes_to_its_table_and_is_told_to_wait_for_the_other(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "round_robin")
    night.begin()
    at(clock, 0)
    match = night.matches(1)[0]
    one, other = night.pair(match)
    address = f"/api/v1/matches/{match.code}/play/"

    def come(player: Player) -> Any:
        return browser(player).post(address, {}, content_type="application/json").json()

    assert come(one) == {"table": None}
    assert come(one) == {"table": None}
    opened = come(other)
    assert opened == {"table": TableMatch.objects.get().code}
    assert come(one) == opened
