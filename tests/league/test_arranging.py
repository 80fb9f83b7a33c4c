"""Matches that the players arrange: what they propose and accept, who sees it, and what is refused."""

import datetime
import html
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar

from league.core.clock import instant
from league.draws.arranged_matches import ArrangingStage, arranged_matches
from league.draws.arranging import (
    accept_time,
    propose_times,
    take_back_times,
    tell_last_days,
)
from league.draws.overdue import is_overdue
from league.draws.postponing import postpone_match
from league.draws.round_life import unpublish_round
from league.draws.rounds import change_round, set_last_days
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.leaving import leave_club
from league.events.own_club import own_club
from league.models import (
    AuditEntry,
    Club,
    EntryMember,
    Event,
    Match,
    Notice,
    NoticeKind,
    Player,
    ProposedTime,
    Role,
    RoundState,
    ShownAs,
)
from league.notices.delivery import deliver
from league.people.calendar_addresses import renew_address
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    play,
)
from tests.league.admin_pages import page, text
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# Clocks in Paris are put back on 25 October 2026 at 3:00, and forward on 28 March 2027 at 2:00.
FIRST, LAST = datetime.date(2026, 10, 19), datetime.date(2026, 11, 1)
NOW: Final = datetime.datetime(2026, 10, 20, 10, 0, tzinfo=datetime.UTC)
WHERE: Final = "/clubs/harbour/events/winter/"


def at(day: int, hour: int = 19, minute: int = 30, month: int = 10) -> datetime.datetime:
    """A time in 2026 as the club's clock shows it."""
    return datetime.datetime.fromisoformat(f"2026-{month:02}-{day:02}T{hour:02}:{minute:02}")


@pytest.fixture(autouse=True)
def now() -> Any:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def match() -> Match:
    """Ann against Bob, to be arranged by 1 November; both have accounts, and neither an office."""
    club = ClubFactory.create(name="Harbour", slug="harbour", time_zone="Europe/Paris")
    event = EventFactory.create(club=club, name="Winter", slug="winter", venue="The library")
    for name in ("Ann", "Bob"):
        account(event, name)
    ann, bob = (event.entries.get(name=name) for name in ("Ann", "Bob"))
    round_ = RoundFactory.create(event=event, date=FIRST, last_day=LAST)
    made: Match = MatchFactory.create(event=event, round=round_, entry_a=ann, entry_b=bob, table=None)
    return made


def account(event: Event, name: str, entry: Any = None) -> User:
    entry = entry or EntryFactory.create(event=event, name=name)
    user: User = UserFactory.create(
        username=name.lower(), email=f"{name.lower()}@example.test", is_staff=False
    )
    Player.objects.filter(memberships_in_entries__entry=entry, user=None).update(user=user)
    return user


def by(name: str) -> Actor:
    return actor_of(User.objects.get(username=name))


def client(name: str) -> Client:
    return logged_in(User.objects.get(username=name))


def propose(match: Match, name: str, times: Sequence[datetime.datetime], **more: Any) -> list[ProposedTime]:
    seen = list(match.proposed_times.values_list("pk", flat=True))
    return propose_times(actor=by(name), match=match, times=times, **{"seen": seen, **more})


def code(call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(LeagueError) as refused:
        call(*args, **kwargs)
    return refused.value.code


def test_one_proposes_the_other_accepts_and_both_may_change_it(match: Match) -> None:
    # Before and after clocks are put back, half past seven in the evening is another instant.
    first, second = propose(match, "ann", [at(24), at(26)], place="  Ann's  kitchen ")
    assert (first.at.hour, second.at.hour) == (17, 18)
    agreed = accept_time(actor=by("bob"), match=match, proposed=second.pk)
    assert agreed.planned_at == datetime.datetime(2026, 10, 26, 18, 30, tzinfo=datetime.UTC)
    assert (agreed.planned_on, agreed.planned_place) == (datetime.date(2026, 10, 26), "Ann's kitchen")
    assert not ProposedTime.objects.exists()
    # What is agreed stands until another time is.
    (other,) = propose(match, "bob", [at(30, 0, 15)])
    match.refresh_from_db()
    assert match.planned_at == second.at
    accept_time(actor=by("ann"), match=match, proposed=other.pk)
    match.refresh_from_db()
    # A quarter past midnight in Paris is the day before in UTC.
    assert (match.planned_on, match.planned_place) == (datetime.date(2026, 10, 30), "")
    acts = AuditEntry.objects.filter(action__in=["match.propose", "match.agree"]).order_by("pk")
    assert [act.action.partition(".")[2] for act in acts] == ["propose", "agree", "propose", "agree"]


def test_what_is_refused_changes_nothing(match: Match) -> None:
    account(match.event, "Cid")
    assert code(propose, match, "cid", [at(24)]) == "not_allowed"
    assert code(propose_times, actor=OPERATOR, match=match, times=[at(24)]) == "not_allowed"
    assert code(propose, match, "ann", []) == "no_times"
    assert code(propose, match, "ann", [at(day) for day in (24, 25, 26, 27)]) == "too_many_times"
    assert code(propose, match, "ann", [at(20, 11, 59)]) == "past"
    assert code(propose, match, "ann", [at(24), at(2, month=11)]) == "out_of_window"
    assert code(propose, match, "ann", [at(24)], place="x" * 121) == "too_long"
    assert code(propose, match, "ann", [at(24)], place="a\u202eb") == "invalid"
    assert code(take_back_times, actor=by("ann"), match=match) == "not_proposed"
    assert not ProposedTime.objects.exists()
    (one,) = propose(match, "ann", [at(24)])
    assert code(accept_time, actor=by("ann"), match=match, proposed=one.pk) == "own_proposal"
    assert code(take_back_times, actor=by("bob"), match=match) == "not_proposed"
    # He has not seen what she has just proposed.
    assert code(propose_times, actor=by("bob"), match=match, times=[at(25)]) == "proposed_meanwhile"
    take_back_times(actor=by("ann"), match=match)
    assert code(accept_time, actor=by("bob"), match=match, proposed=one.pk) == "not_proposed"
    # The director brings the last day forward while a time waits.
    (late,) = propose(match, "ann", [at(31)])
    change_round(actor=OPERATOR, round_=match.round, last_day=datetime.date(2026, 10, 30))
    match.refresh_from_db()
    assert code(accept_time, actor=by("bob"), match=match, proposed=late.pk) == "out_of_window"
    assert match.planned_at is None


def test_a_director_gives_all_rounds_their_days_at_once(match: Match) -> None:
    event = match.event
    over = RoundFactory.create(event=event, date=FIRST, state=RoundState.COMPLETE)
    RoundFactory.create(event=event, date=None)
    week = RoundFactory.create(event=event, date=LAST)
    assert code(set_last_days, actor=OPERATOR, event=event, days=1) == "out_of_range"
    assert set_last_days(actor=OPERATOR, event=event, days=7) == 2
    days = dict(event.rounds.values_list("pk", "last_day"))
    assert (days[match.round_id], days[over.pk]) == (datetime.date(2026, 10, 25), None)
    assert days[week.pk] == datetime.date(2026, 11, 7)
    assert code(change_round, actor=OPERATOR, round_=week, last_day=FIRST) == "invalid"
    event.rounds.update(date=None, last_day=None)
    assert code(set_last_days, actor=OPERATOR, event=event, days=7) == "no_dates"


def test_only_what_players_arrange_is_arranged(match: Match) -> None:
    night = MatchFactory.create(event=match.event, entry_a=match.entry_a, entry_b=match.entry_b)
    assert code(propose, night, "ann", [at(24)]) == "not_arranged"
    bot = EntryFactory.create(event=match.event, name="Robot")
    Player.objects.filter(memberships_in_entries__entry=bot).update(strategy="simple")
    match.event.entries.filter(pk=bot.pk).note_bots()
    against = MatchFactory.create(event=match.event, entry_a=match.entry_a, entry_b=bot)
    change_round(actor=OPERATOR, round_=against.round, date=FIRST, last_day=LAST)
    assert code(propose, Match.objects.get(pk=against.pk), "ann", [at(24)]) == "not_arranged"
    propose(match, "ann", [at(24)])
    play(match, 5)
    assert code(propose, match, "bob", [at(25)]) == "has_begun"


def test_no_clock_shows_a_time_that_is_left_out_and_of_two_the_first_is_meant(match: Match) -> None:
    paris = match.event.club.zone
    with refuses(LeagueError, "no_such_time"):
        instant(datetime.datetime.fromisoformat("2027-03-28T02:30"), paris)
    assert instant(datetime.datetime.fromisoformat("2027-03-28T03:00"), paris).hour == 1
    # Half past two comes twice on 25 October: in summer time it is half past midnight in UTC.
    assert instant(at(25, 2), paris) == datetime.datetime(2026, 10, 25, 0, 30, tzinfo=datetime.UTC)


def test_director_sets_any_time_and_what_was_proposed_is_over(match: Match) -> None:
    propose(match, "ann", [at(24)])
    asked: dict[str, Any] = {"actor": OPERATOR, "match": match, "reason": "both ask for it"}
    late = datetime.date(2026, 11, 5)
    time = datetime.time(20, 0)
    assert code(postpone_match, **asked, planned_on=late, deadline=None) == "out_of_range"
    assert code(postpone_match, **asked, planned_on=None, deadline=None, time=time) == "day_missing"
    set_ = postpone_match(**asked, planned_on=late, deadline=late, time=time, place="The pub")
    assert set_.planned_at == datetime.datetime(2026, 11, 5, 19, 0, tzinfo=datetime.UTC)
    assert (set_.planned_place, set_.proposed_times.count()) == ("The pub", 0)
    # With its own deadline the players have so long, too.
    (one,) = propose(match, "bob", [at(4, month=11)])
    assert accept_time(actor=by("ann"), match=match, proposed=one.pk).planned_on == one.at.date()


def test_director_does_not_put_aside_what_he_has_not_seen(match: Match) -> None:
    director = logged_in(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    address = page("match", match, "postpone")
    shown = text(director.get(address))
    seen = re.search(r'name="seen" value="([^"]+)"', shown)
    assert seen is not None
    (time,) = propose(match, "ann", [at(24)])
    accept_time(actor=by("bob"), match=match, proposed=time.pk)
    data = {"deadline": "2026-10-30", "reason": "Late", "seen": html.unescape(seen[1]), "_confirm": "1"}
    refused = director.post(address, data)
    assert refused.status_code == 422
    assert "Another time was agreed or set meanwhile." in text(refused)
    match.refresh_from_db()
    assert (match.planned_at, match.deadline) == (time.at, None)


def test_who_plays_in_a_team_arranges_for_it_and_a_draft_forgets(match: Match) -> None:
    second = PlayerFactory.create(club=match.event.club, user=UserFactory.create(username="ada"))
    EntryMember.objects.create(event=match.event, entry=match.entry_a, player=second, position=1)
    (one,) = propose(match, "ada", [at(24)])
    assert code(accept_time, actor=by("ann"), match=match, proposed=one.pk) == "own_proposal"
    accept_time(actor=by("bob"), match=match, proposed=one.pk)
    propose(match, "bob", [at(25)])
    unpublish_round(actor=OPERATOR, round_=match.round)
    match.refresh_from_db()
    assert (match.planned_at, match.planned_on, match.proposed_times.count()) == (None, None, 0)


def test_the_director_sees_who_is_late(match: Match, now: Any) -> None:
    event = match.event

    def line(today: datetime.date) -> tuple[ArrangingStage, int | None]:
        (found,) = arranged_matches(event, today=today)
        return found.stage, found.days_left

    assert line(FIRST) == (ArrangingStage.OPEN, 13)
    (one,) = propose(match, "ann", [at(24)])
    assert line(LAST) == (ArrangingStage.PROPOSED, 0)
    accept_time(actor=by("bob"), match=match, proposed=one.pk)
    assert line(LAST) == (ArrangingStage.AGREED, 0)
    after = LAST + datetime.timedelta(days=2)
    assert line(after) == (ArrangingStage.LATE, -2)
    match = Match.objects.get(pk=match.pk)
    assert (is_overdue(match, today=LAST), is_overdue(match, today=after)) == (False, True)
    keeper = logged_in(UserFactory.create(club=event.club, role=Role.SCOREKEEPER))
    page = keeper.get(f"{WHERE}arranging/")
    assert "Saturday 24 October 2026, 19:30" in page.content.decode()
    assert match.label not in keeper.get(f"{WHERE}arranging/?show=late").content.decode()
    now.move_to(datetime.datetime(2026, 11, 3, 12, 0, tzinfo=datetime.UTC))
    keeper.force_login(User.objects.get(memberships__club=event.club))
    assert "2 days late" in keeper.get(f"{WHERE}arranging/?show=late").content.decode()
    assert client("ann").get(f"{WHERE}arranging/").status_code == 404


def test_pages_lead_from_my_club_to_what_is_agreed(match: Match) -> None:
    here = f"{WHERE}matches/{match.code}/"
    ann, bob, guest = client("ann"), client("bob"), Client()
    assert "Propose a time to Bob" in ann.get("/clubs/harbour/me/").content.decode()
    assert guest.get(f"{here}arrange/").headers["Location"] == f"/login/?next={here}arrange/"
    times = {"time_1": "2026-10-24T19:30", "time_2": "2026-10-25T02:30", "time_3": ""}
    sent = ann.post(f"{here}arrange/", {"what": "propose", **times, "place": "Ann's kitchen"})
    assert (sent.status_code, sent.headers["Location"]) == (302, f"{here}arrange/")
    assert "Answer the proposal of Ann" in bob.get("/clubs/harbour/me/").content.decode()
    assert "Propose a time" not in ann.get("/clubs/harbour/me/").content.decode()
    # A proposal is for those who play, and for officers.
    assert "kitchen" in bob.get(here).content.decode()
    assert "kitchen" not in guest.get(here).content.decode()
    row = match.proposed_times.first()
    assert row is not None
    assert bob.post(f"{here}arrange/", {"what": str(row.pk)}).status_code == 302
    again = bob.post(f"{here}arrange/", {"what": str(row.pk)})
    assert again.status_code == 422
    assert "no longer proposed" in again.content.decode()
    for reader in (ann, bob, guest):
        shown = reader.get(here).content.decode()
        assert "To be played on Saturday 24 October 2026, 19:30." in shown
        assert "kitchen" in shown
    wrong = ann.post(f"{here}arrange/", {"what": "propose", "time_1": "2026-12-24T19:30"})
    assert wrong.status_code == 422
    assert "The last day to play is Sunday 1 November 2026" in wrong.content.decode()
    assert Client().get(f"/clubs/harbour/events/winter/matches/{match.code}x/arrange/").status_code == 302


def test_calendars_follow_what_is_agreed_by_names_that_each_may_read(match: Match) -> None:
    Player.objects.filter(name="Bob").update(shown_as=ShownAs.INITIALS)
    secret = renew_address(User.objects.get(username="ann"))

    def own() -> Any:
        file = Client().get(f"/calendars/{secret}.ics").content
        return next(iter(Calendar.from_ical(file).walk("VEVENT")))

    # What is not agreed is on its last day.
    assert own()["DTSTART"].dt == LAST
    assert str(own()["SUMMARY"]) == "Winter: Ann v Bob (last day)"
    (one,) = propose(match, "ann", [at(24)], place="Ann's kitchen")
    accept_time(actor=by("bob"), match=match, proposed=one.pk)
    assert (own()["DTSTART"].dt, str(own()["LOCATION"])) == (one.at, "Ann's kitchen")
    file = Client().get(f"{WHERE}rounds.ics").content
    items: list[Any] = list(Calendar.from_ical(file).walk("VEVENT"))
    days, item = items
    assert (days["DTSTART"].dt, days["DTEND"].dt) == (FIRST, LAST + datetime.timedelta(days=1))
    assert (item["DTSTART"].dt, "Bob" in str(item["SUMMARY"])) == (one.at, False)


def test_my_club_asks_only_for_what_is_soon(match: Match) -> None:
    ann = Player.objects.get(name="Ann")
    soon = own_club(ann, today=FIRST - datetime.timedelta(days=7))
    assert [each.match.pk for each in soon.to_arrange] == [match.pk]
    assert not own_club(ann, today=FIRST - datetime.timedelta(days=8)).to_arrange
    propose(match, "bob", [at(24)])
    asked = own_club(ann, today=FIRST - datetime.timedelta(days=8)).to_arrange
    assert [len(each.proposed) for each in asked] == [1]


def test_those_who_did_not_do_it_are_told_once(match: Match, settings: Any, now: Any) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.example.test"

    def told() -> dict[str, str]:
        mail.outbox.clear()
        deliver()
        return {letter.to[0].partition("@")[0]: str(letter.body) for letter in mail.outbox}

    (one,) = propose(match, "ann", [at(24)], place="Ann's kitchen")
    said = told()
    assert list(said) == ["bob"]
    assert "Ann proposes to play Ann v Bob:" in said["bob"]
    assert "Saturday 24 October 2026, 19:30" in said["bob"]
    assert f"/matches/{match.code}/arrange/" in said["bob"]
    # What is taken back is not told, nor is what was agreed meanwhile.
    propose(match, "bob", [at(25)])
    take_back_times(actor=by("bob"), match=match)
    assert told() == {}
    (one,) = propose(match, "bob", [at(24)])
    accept_time(actor=by("ann"), match=match, proposed=one.pk)
    said = told()
    assert list(said) == ["bob"]
    assert "Ann v Bob: Saturday 24 October 2026, 19:30." in said["bob"]
    # It is over and not played; the last day is told two days before it.
    for day, expected in ((29, 0), (30, 1), (31, 0)):
        now.move_to(datetime.datetime(2026, 10, day, 12, 0, tzinfo=datetime.UTC))
        assert tell_last_days(datetime.datetime.now(datetime.UTC)) == expected
    said = told()
    assert sorted(said) == ["ann", "bob"]
    assert "is to be played by Sunday 1 November 2026, and no time is agreed." in said["ann"]
    assert Notice.objects.filter(kind=NoticeKind.NEAR).count() == 2


def test_a_last_day_that_moves_to_a_later_day_is_told_again(match: Match, settings: Any, now: Any) -> None:
    """1 November is told on 30 October; moved to the 8th it is told on the 6th, and moved back it is not."""
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.example.test"

    def told(day: datetime.date) -> int:
        now.move_to(datetime.datetime.combine(day, datetime.time(12), datetime.UTC))
        return tell_last_days(datetime.datetime.now(datetime.UTC))

    def moved(day: datetime.date) -> None:
        locked = Match.objects.get(pk=match.pk)
        postpone_match(actor=OPERATOR, match=locked, planned_on=None, deadline=day, reason="ill")

    days = [datetime.date(2026, 10, 30) + datetime.timedelta(days=number) for number in range(12)]
    assert told(days[0]) == 1
    moved(LAST + datetime.timedelta(days=7))
    assert [told(day) for day in days[1:9]] == [0, 0, 0, 0, 0, 0, 1, 0]
    moved(LAST + datetime.timedelta(days=6))
    assert told(days[8]) == 0
    deliver()
    assert "is to be played by Saturday 7 November 2026" in str(mail.outbox[-1].body)
    # What was told is forgotten after a while, and not told again for that.
    Notice.objects.all().delete()
    assert told(days[8]) == 0


def test_last_days_that_are_told_cost_one_query_a_minute(match: Match, settings: Any, now: Any) -> None:
    """However many there are, and whether or not anybody wanted to know of them."""
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.example.test"
    Club.objects.update(told_by_mail=[])
    a, b = match.entry_a, match.entry_b
    for _number in range(4):
        round_ = RoundFactory.create(event=match.event, date=FIRST, last_day=LAST)
        MatchFactory.create(event=match.event, round=round_, entry_a=a, entry_b=b)
    now.move_to(datetime.datetime(2026, 10, 30, 12, 0, tzinfo=datetime.UTC))
    assert tell_last_days(datetime.datetime.now(datetime.UTC)) == 5
    with CaptureQueriesContext(connection) as queries:
        assert tell_last_days(datetime.datetime.now(datetime.UTC)) == 0
    assert len(queries) == 1, [query["sql"] for query in queries]


def test_nobody_is_told_his_own_proposal_nor_to_arrange_with_one_who_has_left(
    match: Match, settings: Any, now: Any
) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.example.test"
    propose(match, "ann", [at(24)])
    propose(match, "bob", [at(25)])
    # Bob was to be told of Ann's, which his own has replaced since.
    assert list(Notice.objects.values_list("user__username", flat=True)) == ["ann"]
    withdraw_entry(actor=OPERATOR, entry=match.event.entries.get(name="Bob"), reason="ill")
    now.move_to(datetime.datetime(2026, 10, 30, 12, 0, tzinfo=datetime.UTC))
    assert tell_last_days(datetime.datetime.now(datetime.UTC)) == 0
    mail.outbox.clear()
    deliver()
    assert mail.outbox == []


def test_a_time_that_names_a_zone_of_its_own_is_no_time_of_the_clubs_clock(match: Match) -> None:
    ann = client("ann")
    for time in ("2026-10-24T19:30+05:00", "0001-01-01T00:00+14:00", "9999-12-31T23:59-10:00"):
        sent = {"what": "propose", "time_1": time}
        assert ann.post(f"{WHERE}matches/{match.code}/arrange/", sent).status_code == 422
    assert not ProposedTime.objects.exists()


def test_numbers_that_nobody_can_mean_are_no_fault(match: Match) -> None:
    ann, endless = client("ann"), "9" * 5000
    arrange = f"{WHERE}matches/{match.code}/arrange/"
    sent = {"what": "propose", "time_1": "2026-10-24T19:30", "seen": [endless, "²", "x"]}
    assert ann.post(arrange, sent).status_code == 302
    assert match.proposed_times.count() == 1
    assert client("bob").post(arrange, {"what": endless}).status_code == 200
    assert ann.post("/clubs/harbour/me/away/", {"back": endless}).status_code == 404


def test_who_leaves_the_club_takes_back_what_he_proposed_and_not_what_was(match: Match) -> None:
    propose_times(actor=by("bob"), match=match, times=[at(25)])
    third = EntryFactory.create(event=match.event)
    second = RoundFactory.create(event=match.event, date=FIRST, last_day=LAST)
    other = MatchFactory.create(
        event=match.event, round=second, entry_a=match.entry_a, entry_b=third, table=None
    )
    propose_times(actor=by("ann"), match=other, times=[at(26)])
    left = leave_club(user=User.objects.get(username="ann"), club=match.event.club)
    assert [(one.matches, one.arranged) for one in left.stays] == [(2, 0)]
    assert list(ProposedTime.objects.values_list("match", "side")) == [(match.pk, 1)]
    match.entry_a.refresh_from_db()
    assert match.entry_a.withdrawn_at is None
