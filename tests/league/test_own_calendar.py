"""A member's matches in the calendar of his telephone: by an address that only he knows and can renew."""

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from league.models import (
    SAT_OUT,
    AuditEntry,
    CalendarAddress,
    Event,
    EventState,
    Match,
    MatchState,
    Player,
    RoundState,
    ShownAs,
)
from league.people.calendar_addresses import renew_address
from league.people.erasing import erase_person
from league.record.triggers import silenced
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    play,
)

pytestmark = pytest.mark.django_db

TODAY = datetime.date(2026, 3, 27)
NIGHT = datetime.date(2026, 3, 28)


@pytest.fixture(autouse=True)
def today(time_machine: Any) -> None:
    time_machine.move_to(datetime.datetime(2026, 3, 27, 12, tzinfo=datetime.UTC), tick=False)


@pytest.fixture
def match() -> Match:
    """Ann, who has an account, plays Bob, who shows the public a nickname."""
    club = ClubFactory.create(name="Harbour", slug="harbour", place="The Boathouse")
    event = EventFactory.create(club=club, slug="league", name="League", state=EventState.RUNNING)
    sides = [EntryFactory.create(event=event, name=name) for name in ("Ann Archer", "Bob Baker")]
    drawn: Match = MatchFactory.create(
        event=event,
        round=RoundFactory.create(event=event, date=NIGHT),
        entry_a=sides[0],
        entry_b=sides[1],
        table=5,
    )
    user = User.objects.create_user("ann")
    Player.objects.filter(name="Ann Archer").update(user=user)
    Player.objects.filter(name="Bob Baker").update(shown_as=ShownAs.NICKNAME, nickname="Bobcat")
    return drawn


def ann() -> User:
    return User.objects.get(username="ann")


def read(secret: str) -> list[Any]:
    """The days of the calendar with this secret, read by a program that is not signed in."""
    answer = Client().get(reverse("own_calendar", args=[secret]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answer.headers["Cache-Control"]
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def days(secret: str) -> list[tuple[str, datetime.date]]:
    return [(str(day["summary"]), day["dtstart"].dt) for day in read(secret)]


def test_a_match_is_there_with_day_table_and_place(match: Match) -> None:
    (day,) = read(renew_address(ann()))
    # A member reads the full names of his club.
    assert str(day["summary"]) == "League: Ann Archer v Bob Baker"
    assert (day["dtstart"].dt, day["dtend"].dt) == (NIGHT, datetime.date(2026, 3, 29))
    assert (str(day["location"]), str(day["description"])) == ("The Boathouse", "Table 5")
    assert str(day["url"]) == f"http://testserver/clubs/harbour/events/league/matches/{match.code}/"


def test_another_venue_is_a_change_of_the_day(match: Match) -> None:
    secret = renew_address(ann())
    (before,) = read(secret)
    # Dates of a calendar have whole seconds.
    later = before["last-modified"].dt + datetime.timedelta(seconds=2)
    connection.check_constraints()
    with silenced(connection.alias):
        Event.objects.filter(pk=match.event.pk).update(venue="The Lighthouse", updated_at=later)
        connection.check_constraints()
    (after,) = read(secret)
    assert (str(after["location"]), after["last-modified"].dt) == ("The Lighthouse", later)


def test_it_follows_what_is_drawn_and_planned(match: Match) -> None:
    secret = renew_address(ann())
    event, later = match.event, datetime.date(2026, 4, 4)
    second = RoundFactory.create(event=event, date=later)
    match_day = ("League: Ann Archer v Bob Baker", NIGHT)
    assert days(secret) == [match_day, ("League, round 2", later)]
    # Of a draft nobody hears.
    RoundFactory.create(event=event, date=later, state=RoundState.DRAFTED)
    assert len(days(secret)) == 2
    MatchFactory.create(event=event, round=second, entry_a=match.entry_b, entry_b=match.entry_a)
    assert days(secret) == [match_day, ("League: Bob Baker v Ann Archer", later)]
    Match.objects.filter(pk=match.pk).update(planned_on=datetime.date(2026, 4, 1))
    assert days(secret)[0] == ("League: Ann Archer v Bob Baker", datetime.date(2026, 4, 1))


def test_what_is_long_over_or_another_s_is_not_there(match: Match) -> None:
    secret = renew_address(ann())
    match.round.date = TODAY - datetime.timedelta(days=60)
    match.round.save()
    assert len(days(secret)) == 1
    match.round.date -= datetime.timedelta(days=1)
    match.round.save()
    assert days(secret) == []
    other = RoundFactory.create(event=EventFactory.create(club=match.event.club), date=NIGHT)
    MatchFactory.create(event=other.event, round=other)
    assert days(secret) == []


def test_who_has_withdrawn_or_whose_event_is_over_has_no_rounds(match: Match) -> None:
    secret = renew_address(ann())
    RoundFactory.create(event=match.event, date=NIGHT)
    assert len(days(secret)) == 2
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    assert [summary for summary, _day in days(secret)] == ["League: Ann Archer v Bob Baker"]


@pytest.mark.parametrize("state", SAT_OUT)
def test_a_round_that_he_sits_out_is_not_there(match: Match, state: MatchState) -> None:
    secret = renew_address(ann())
    later = RoundFactory.create(event=match.event, date=NIGHT + datetime.timedelta(days=7))
    assert len(days(secret)) == 2
    for entry, shown in ((match.entry_b, 2), (match.entry_a, 1)):
        MatchFactory.create(event=match.event, round=later, entry_a=entry, entry_b=None)
        Match.objects.filter(entry_b=None).update(state=state)
        assert len(days(secret)) == shown
    assert days(secret) == [("League: Ann Archer v Bob Baker", NIGHT)]


def test_nothing_of_a_result_is_in_it(match: Match) -> None:
    secret = renew_address(ann())
    before = Client().get(reverse("own_calendar", args=[secret])).content
    assert play(match, 91, 91, stopped=True).net == 548
    after = Client().get(reverse("own_calendar", args=[secret])).content
    assert [line for line in after.splitlines() if b"DTSTAMP" not in line and b"MODIFIED" not in line] == [
        line for line in before.splitlines() if b"DTSTAMP" not in line and b"MODIFIED" not in line
    ]


def test_the_address_is_shown_once_renewed_and_stopped(match: Match) -> None:
    browser = logged_in(ann())
    page = reverse("calendar_address")
    assert "has no address" in browser.get(page).content.decode()

    def made() -> str:
        (secret,) = {
            part.rpartition("/")[2].removesuffix(".ics")
            for part in browser.post(page).content.decode().replace("<", " ").replace(">", " ").split()
            if part.endswith(".ics")
        }
        return secret

    first = made()
    assert len(days(first)) == 1
    assert first not in browser.get(page).content.decode()
    assert not CalendarAddress.objects.filter(digest=first).exists()
    second = made()
    assert len(days(second)) == 1
    gone = Client().get(reverse("own_calendar", args=[first]))
    assert (gone.status_code, gone.content.decode()[:20]) == (404, "There is no calendar")
    browser.post(page, {"stop": ""})
    assert Client().get(reverse("own_calendar", args=[second])).status_code == 404
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "calendar.renew",
        "calendar.renew",
        "calendar.stop",
    ]


def test_a_closed_account_has_no_calendar(match: Match) -> None:
    secret = renew_address(ann())
    User.objects.update(is_active=False)
    assert Client().get(reverse("own_calendar", args=[secret])).status_code == 404


def test_an_erased_account_keeps_no_address_of_a_calendar(match: Match) -> None:
    secret = renew_address(ann())
    erase_person(actor=OPERATOR, player=Player.objects.get(user=ann()))
    assert Client().get(reverse("own_calendar", args=[secret])).status_code == 404
    assert not CalendarAddress.objects.exists()
