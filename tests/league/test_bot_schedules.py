"""Schedules of bots: made, changed and deleted, and what is refused."""

import datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from league.bots.bot_schedules import (
    change_schedule,
    coming_times,
    create_schedule,
    remove_schedule,
    run_due_schedules,
)
from league.events.events import remove_event
from league.models import (
    AuditEntry,
    BotSchedule,
    ClubRules,
    EventState,
    Exhibition,
)
from tests.factories import OPERATOR, EventFactory, PlayerFactory
from tests.league import bot_cases
from tests.league.bot_cases import NOON, event_schedule, pair_schedule

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

BY: dict[str, Any] = {"actor": OPERATOR}
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)


def refused(code: str, field: str | None, call: Any, **values: Any) -> None:
    assert bot_cases.refused(code, call, **values).field == field


def test_schedule_knows_when_it_plants_next() -> None:
    schedule = pair_schedule()
    assert schedule.next_at == NOON + HOUR
    assert coming_times(schedule) == [NOON + HOUR + number * DAY for number in range(5)]


def test_first_time_may_be_this_minute() -> None:
    with time_machine.travel(NOON + datetime.timedelta(seconds=40), tick=False):
        assert pair_schedule(starts_at=NOON).next_at == NOON


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"starts_at": NOON - HOUR}, "past", "starts_at"),
        ({"starts_at": NOON.replace(year=2300)}, "out_of_range", "starts_at"),
        ({"recurrence": "every day"}, "unknown_recurrence", "recurrence"),
        ({"recurrence": "FREQ=MINUTELY"}, "too_often", "interval"),
        ({"recurrence": "FREQ=DAILY;UNTIL=20261101T000000Z"}, "no_further_date", "recurrence"),
        ({"sheets": 0}, "invalid", "sheets"),
        ({"sheets": 101}, "invalid", "sheets"),
        ({"name": " "}, "invalid", "name"),
        ({"bot_b": None}, "invalid", None),
        ({"rules": None}, "invalid", None),
    ],
)
def test_nonsense_is_refused_and_nothing_stored(values: dict[str, Any], code: str, field: str | None) -> None:
    given = pair_schedule()
    wanted = {
        "club": given.club,
        "name": "Another",
        "starts_at": NOON + HOUR,
        "recurrence": "",
        "bot_a": given.bot_a,
        "bot_b": given.bot_b,
        "rules": given.rules,
    }
    refused(code, field, create_schedule, **wanted | values)
    if code != "past":
        refused(code, field, change_schedule, schedule=given, **values)


def test_what_is_another_clubs_or_no_bot_is_refused(own_rules: ClubRules) -> None:
    schedule = pair_schedule()
    stranger = PlayerFactory.create(strategy="simple")
    person = PlayerFactory.create(club=schedule.club)
    unknown = PlayerFactory.create(club=schedule.club, strategy="retired")
    change = {"call": change_schedule, "schedule": schedule}
    refused("other_club", "bot_a", **change, bot_a=stranger)
    refused("not_a_bot", "bot_b", **change, bot_b=person)
    refused("unknown_strategy", "strategy", **change, bot_b=unknown)
    refused("other_club", "rules", **change, rules=own_rules.rules)
    refused("invalid", None, **change, bot_b=schedule.bot_a)
    event = EventFactory.create()
    wanted = {"club": schedule.club, "name": "x", "starts_at": NOON + HOUR}
    refused("other_club", "event", create_schedule, **wanted, event=event)
    refused("invalid", None, create_schedule, **wanted)
    mixed = {"bot_a": schedule.bot_a, "event": EventFactory.create(club=schedule.club)}
    refused("invalid", None, create_schedule, **wanted, **mixed)


@pytest.mark.parametrize("state", [EventState.FINISHED, EventState.ARCHIVED])
def test_event_that_is_over_is_refused(state: EventState) -> None:
    event = EventFactory.create(state=state)
    wanted = {"club": event.club, "name": "x", "starts_at": NOON + HOUR, "event": event}
    refused("wrong_state", "event", create_schedule, **wanted)


def test_times_are_made_anew_when_they_change(clock: Any) -> None:
    schedule = pair_schedule(starts_at=NOON + HOUR, recurrence="")
    clock.move_to(NOON + 2 * HOUR)
    run_due_schedules(timezone.now())
    schedule.refresh_from_db()
    assert (schedule.next_at, schedule.is_active) == (None, True)
    schedule = change_schedule(**BY, schedule=schedule, recurrence="FREQ=DAILY")
    assert schedule.next_at == NOON + HOUR + DAY
    schedule = change_schedule(**BY, schedule=schedule, is_active=False)
    clock.move_to(NOON + 3 * DAY)
    assert run_due_schedules(timezone.now()) == 0
    assert coming_times(schedule) == []
    schedule = change_schedule(**BY, schedule=schedule, is_active=True)
    assert schedule.next_at == NOON + 3 * DAY + HOUR
    schedule = change_schedule(**BY, schedule=schedule, name="Other evenings")
    assert schedule.next_at == NOON + 3 * DAY + HOUR
    actions = AuditEntry.objects.filter(object_type="botschedule").values_list("action", flat=True)
    assert [*actions].count("bot_schedule.change") == 4
    assert "bot_schedule.create" in actions


def test_rules_that_are_off_the_list_stay_until_others_are_chosen() -> None:
    schedule = pair_schedule()
    ClubRules.objects.filter(club=schedule.club).delete()
    change_schedule(**BY, schedule=schedule, name="Mornings")
    change_schedule(**BY, schedule=schedule, is_active=False)
    refused("other_club", "rules", change_schedule, schedule=schedule, is_active=True)


def test_event_without_rounds_takes_its_schedules_along() -> None:
    event = EventFactory.create()
    event_schedule(event)
    remove_event(**BY, event=event)
    assert not BotSchedule.objects.exists()


def test_what_a_deleted_schedule_has_planted_stays() -> None:
    made, _data = bot_cases.exhibition()
    assert made.schedule is not None
    remove_schedule(**BY, schedule=made.schedule)
    assert Exhibition.objects.get().schedule is None
