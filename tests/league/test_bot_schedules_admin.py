"""Schedules of bots and the sheets they plant, in the administration."""

import datetime
from typing import Any

import pytest
from django.test import Client

from games.models import BotMatch
from league.bots.bot_schedules import plant_now
from league.models import (
    BotSchedule,
    Club,
    Event,
    Exhibition,
)
from tests.factories import OPERATOR, PlayerFactory, RoundFactory
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.bot_cases import bot_match, event_schedule, pair_schedule

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

BY: dict[str, Any] = {"actor": OPERATOR}


def form(schedule: BotSchedule | None = None, **values: Any) -> dict[str, Any]:
    """The form as a browser sends it."""
    data: dict[str, Any] = {
        "name": "Evenings",
        "event": "",
        "bot_a": "",
        "bot_b": "",
        "rules": "",
        "sheets": "1",
        "starts_at_0": "2026-11-02",
        "starts_at_1": "19:00",
        "recurrence": "",
        "interval": "1",
        "until": "",
        "count": "",
        "is_active": "on",
    }
    return data | values


@pytest.fixture
def paris(club: Club, event: Event) -> Club:
    """The club is in Paris: noon in UTC is 13:00 there."""
    club.time_zone = "Europe/Paris"
    club.save()
    RoundFactory.create(event=event)
    return club


def test_form_makes_a_schedule_by_the_clubs_clock(owner: Client, paris: Club, event: Event) -> None:
    data = form(
        club=paris.pk,
        event=event.pk,
        recurrence="WEEKLY",
        interval="2",
        weekdays=["0", "3"],
        until="2026-11-20",
        sheets="3",
    )
    answer = owner.post("/admin/league/botschedule/add/", data)
    assert answer.status_code == 302
    schedule = BotSchedule.objects.get()
    assert schedule.starts_at == datetime.datetime(2026, 11, 2, 18, tzinfo=datetime.UTC)
    assert schedule.recurrence == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20261120T225959Z"
    shown = text(owner.get(page("botschedule", schedule)))
    assert "2026-11-02 19:00, 2026-11-05 19:00, 2026-11-16 19:00, 2026-11-19 19:00" in shown
    assert 'value="19:00:00"' in shown
    assert 'name="weekdays" value="3" id="id_weekdays_3" checked' in shown
    listed = text(owner.get("/admin/league/botschedule/"))
    assert "every 2 weeks on Monday, Thursday, until 2026-11-20" in listed


def test_form_sent_as_it_is_changes_nothing(owner: Client, paris: Club, event: Event) -> None:
    data = form(club=paris.pk, event=event.pk, recurrence="DAILY", count="3")
    owner.post("/admin/league/botschedule/add/", data)
    schedule = BotSchedule.objects.get()
    before = contents()
    assert owner.post(page("botschedule", schedule), data).status_code == 302
    assert contents() == before
    data["is_active"] = ""
    assert owner.post(page("botschedule", schedule), data).status_code == 302
    schedule.refresh_from_db()
    assert (schedule.is_active, schedule.recurrence) == (False, "FREQ=DAILY;COUNT=3")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"starts_at_0": "2026-11-01"}, "The first time is past."),
        ({"starts_at_0": "2300-11-01"}, "Days are between 1900 and 2199."),
        ({"starts_at_0": "soon"}, "Enter a valid date."),
        ({"starts_at_1": ""}, "This field is required."),
        ({"recurrence": "MINUTELY", "interval": "4"}, "Not more often than every 5 minutes."),
        ({"recurrence": "SECONDLY"}, "Select a valid choice."),
        ({"recurrence": "DAILY", "weekdays": ["1"]}, "Weekdays are chosen for weeks only."),
        ({"recurrence": "DAILY", "count": "2", "until": "2026-12-01"}, "choose one."),
        ({"recurrence": "DAILY", "until": "2026-11-01"}, "This schedule has no further date."),
        ({"count": "2"}, "It is set up once: choose how often it comes again."),
        ({"sheets": "0"}, "greater than or equal to 1"),
        ({"event": ""}, "Choose an event, or two different bots and the rules they play by."),
        ({"event": "999"}, "Select a valid choice."),
    ],
)
def test_form_refuses_with_a_sentence(
    owner: Client, paris: Club, event: Event, values: dict[str, Any], sentence: str
) -> None:
    answer = owner.post("/admin/league/botschedule/add/", form(club=paris.pk) | {"event": event.pk} | values)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert not BotSchedule.objects.exists()


def test_form_offers_bots_and_no_people(owner: Client, club: Club) -> None:
    bot, person = PlayerFactory.create(club=club, strategy="simple"), PlayerFactory.create(club=club)
    shown = text(owner.get("/admin/league/botschedule/add/"))
    assert f">{bot}<" in shown
    assert f">{person}<" not in shown


def test_page_says_why_it_was_switched_off(owner: Client, club: Club) -> None:
    schedule = pair_schedule(club)
    BotSchedule.objects.update(is_active=False, note="“Night” is finished.")
    assert "“Night” is finished." in text(owner.get(page("botschedule", schedule)))


def test_preview_of_planting_now_says_what(owner: Client, event: Event) -> None:
    match = bot_match(event)
    schedule = event_schedule(event)
    shown = text(owner.post(page("botschedule", schedule, "plant_now")))
    assert match.label in shown
    assert not BotMatch.objects.exists()


def test_exhibitions_are_listed_and_shown(owner: Client, club: Club) -> None:
    schedule = pair_schedule(club)
    plant_now(**BY, schedule=schedule)
    made = Exhibition.objects.get()
    listed = text(owner.get("/admin/league/exhibition/"))
    assert "Evenings 1" in listed
    assert "waiting to be played" in listed
    shown = text(owner.get(page("exhibition", made)))
    assert "Cancel the bot match" in shown
    assert owner.get(f"/admin/scoring/scoresheet/{made.sheet_id}/change/").status_code == 200
