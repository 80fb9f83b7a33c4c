"""Schedules of bots are run when they are due, pass over what cannot be planted, and are switched off."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState
from league.bots import bot_matches, bot_schedules
from league.bots.bot_schedules import change_schedule, plant_now, run_due_schedules
from league.models import (
    AuditEntry,
    BotSchedule,
    Event,
    EventState,
    Exhibition,
    MatchState,
    Player,
    SweepMark,
)
from league.record.locking import Clash
from league.tasks import sweep
from tests.factories import OPERATOR, ClubFactory, EventFactory
from tests.league import bot_cases
from tests.league.bot_cases import NOON, bot_match, event_schedule, pair_schedule, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

BY: dict[str, Any] = {"actor": OPERATOR}
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)


def test_due_pair_gets_its_sheets_and_the_next_time(clock: Any) -> None:
    schedule = pair_schedule(sheets=2)
    assert run_due_schedules(timezone.now()) == 0
    clock.move_to(NOON + HOUR)
    assert run_due_schedules(timezone.now()) == 2
    assert run_due_schedules(timezone.now()) == 0
    schedule.refresh_from_db()
    assert (schedule.last_run_at, schedule.next_at) == (NOON + HOUR, NOON + HOUR + DAY)
    shown = Exhibition.objects.order_by("sheet_id").select_related("sheet")
    assert [each.sheet.label for each in shown] == ["Evenings 1", "Evenings 2"]
    assert schedule.bot_a is not None
    firsts = [each.sheet.sides.get(position=0).name for each in shown]
    assert firsts[0] == schedule.bot_a.name != firsts[1]
    assert {each.club for each in shown} == {schedule.club}
    assert BotMatch.objects.filter(state=BotMatchState.DUE).count() == 2


def test_what_was_missed_is_made_up_for_once(clock: Any) -> None:
    schedule = pair_schedule()
    clock.move_to(NOON + 9 * DAY)
    assert run_due_schedules(timezone.now()) == 1
    schedule.refresh_from_db()
    assert schedule.next_at == NOON + 9 * DAY + HOUR


def test_time_of_day_stays_when_clocks_change(clock: Any) -> None:
    club = ClubFactory.create(time_zone="America/New_York")
    clock.move_to(datetime.datetime(2026, 10, 31, 12, tzinfo=datetime.UTC))
    first = datetime.datetime(2026, 10, 31, 23, tzinfo=datetime.UTC)  # 19:00 in New York
    schedule = pair_schedule(club, starts_at=first)
    clock.move_to(first)
    run_due_schedules(timezone.now())
    schedule.refresh_from_db()
    assert schedule.next_at == datetime.datetime(2026, 11, 2, 0, tzinfo=datetime.UTC)  # 19:00 there


def test_event_gets_so_many_a_time_until_nothing_waits(clock: Any) -> None:
    event = EventFactory.create()
    for _ in range(3):
        bot_match(event)
    schedule = event_schedule(event, sheets=2)
    planted = []
    for number in range(3):
        clock.move_to(NOON + HOUR + number * DAY)
        planted.append(run_due_schedules(timezone.now()))
        BotMatch.objects.update(state=BotMatchState.FINISHED)
    assert planted == [2, 1, 0]
    schedule.refresh_from_db()
    assert schedule.is_active
    assert schedule.note == f"No match between bots waits to be played in {event}."
    assert event.matches.filter(state=MatchState.SCHEDULED).count() == 3


def times_of(schedule: BotSchedule, clock: Any, number: int) -> tuple[int, str]:
    """How many sheets its n-th day plants, and what its note says then."""
    clock.move_to(NOON + HOUR + number * DAY)
    count = run_due_schedules(timezone.now())
    schedule.refresh_from_db()
    return count, schedule.note


def test_pair_plants_nothing_while_its_sheets_wait(clock: Any) -> None:
    schedule, other = pair_schedule(sheets=2), pair_schedule(starts_at=NOON + 3 * DAY)
    plant_now(**BY, schedule=other)
    assert times_of(schedule, clock, 0) == (2, "")
    assert times_of(schedule, clock, 1) == (0, "2 sheets from before still wait to be played.")
    BotMatch.objects.filter(pk=BotMatch.objects.latest("pk").pk).update(state=BotMatchState.FINISHED)
    assert times_of(schedule, clock, 2) == (0, "1 sheet from before still waits to be played.")
    assert schedule.next_at == NOON + HOUR + 3 * DAY
    BotMatch.objects.update(state=BotMatchState.CANCELLED)
    assert times_of(schedule, clock, 3) == (3, "")


def test_sheet_that_was_put_aside_does_not_stop_its_schedule(clock: Any) -> None:
    schedule = pair_schedule()
    assert times_of(schedule, clock, 0) == (1, "")
    BotMatch.objects.update(attempts=MOST_ATTEMPTS)
    assert times_of(schedule, clock, 1) == (1, "")


def test_event_is_planted_no_further_while_its_sheets_wait(clock: Any) -> None:
    event = EventFactory.create()
    for _ in range(3):
        bot_match(event)
    schedule = event_schedule(event, sheets=1)
    bot_cases.planted()
    assert times_of(schedule, clock, 0) == (1, "")
    assert times_of(schedule, clock, 1) == (0, "1 sheet from before still waits to be played.")
    BotMatch.objects.update(state=BotMatchState.FINISHED)
    assert times_of(schedule, clock, 2) == (1, "")


def test_event_that_has_not_begun_is_passed_over(clock: Any) -> None:
    event = EventFactory.create(name="Night")
    bot_match(event)
    schedule = event_schedule(event)
    Event.objects.update(state=EventState.OPEN)
    assert times_of(schedule, clock, 0) == (0, "“Night” has not begun.")
    assert (schedule.last_run_at, schedule.next_at) == (None, NOON + HOUR + DAY)
    # One that was planted by hand before it ever ran does not stop it.
    Event.objects.update(state=EventState.RUNNING)
    event.refresh_from_db()
    bot_cases.planted(event)
    assert times_of(schedule, clock, 1) == (1, "")
    assert schedule.last_run_at == NOON + HOUR + DAY


@pytest.mark.parametrize("recurrence", ["", "FREQ=DAILY;COUNT=1"])
def test_last_time_waits_until_its_event_has_begun(clock: Any, recurrence: str) -> None:
    event = EventFactory.create(name="Night")
    bot_match(event)
    schedule = event_schedule(event, recurrence=recurrence)
    Event.objects.update(state=EventState.OPEN)
    said = (0, "“Night” has not begun. It sets matches up as soon as it can.")
    assert times_of(schedule, clock, 0) == said
    assert times_of(schedule, clock, 5) == said
    assert (schedule.is_active, schedule.next_at, schedule.last_run_at) == (True, NOON + HOUR, None)
    Event.objects.update(state=EventState.RUNNING)
    assert times_of(schedule, clock, 6) == (1, "")
    assert (schedule.next_at, schedule.last_run_at) == (None, NOON + HOUR + 6 * DAY)


def test_last_time_waits_for_sheets_from_before(clock: Any) -> None:
    schedule = pair_schedule(recurrence="FREQ=DAILY;COUNT=2")
    assert times_of(schedule, clock, 0) == (1, "")
    count, note = times_of(schedule, clock, 1)
    assert (count, note) == (
        0,
        "1 sheet from before still waits to be played. It sets matches up as soon as it can.",
    )
    BotMatch.objects.update(state=BotMatchState.FINISHED)
    assert times_of(schedule, clock, 1) == (1, "")
    assert schedule.next_at is None


def test_once_in_an_event_where_nothing_waits_says_so_and_is_over(clock: Any) -> None:
    event = EventFactory.create(name="Night")
    schedule = event_schedule(event, recurrence="")
    assert times_of(schedule, clock, 0) == (0, "No match between bots waits to be played in Night.")
    assert schedule.next_at is None


def test_refused_schedule_is_switched_off_and_stops_no_other(clock: Any) -> None:
    finished = EventFactory.create()
    over = event_schedule(finished)
    Event.objects.filter(pk=finished.pk).update(state=EventState.FINISHED)
    unknown = pair_schedule()
    Player.objects.filter(pk=unknown.bot_a_id or 0).update(strategy="retired")
    broken = pair_schedule()
    BotSchedule.objects.filter(pk=broken.pk).update(recurrence="nonsense")
    good = pair_schedule()
    clock.move_to(NOON + HOUR)
    assert run_due_schedules(timezone.now()) == 1
    off = dict(BotSchedule.objects.filter(is_active=False).values_list("pk", "note"))
    assert off.keys() == {over.pk, unknown.pk, broken.pk}
    assert off[over.pk] == f"“{finished.name}” is finished; reopen it first."
    assert "There is no strategy “retired”" in off[unknown.pk]
    assert "not a recurrence" in off[broken.pk]
    assert Exhibition.objects.get().schedule == good
    assert AuditEntry.objects.filter(action="bot_schedule.stop", actor_name="House bots").count() == 3
    assert run_due_schedules(timezone.now()) == 0


def test_schedule_that_meets_somebody_at_work_is_left_for_the_next_sweep(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = EventFactory.create()
    bot_match(event)
    schedule = event_schedule(event)
    clock.move_to(NOON + HOUR)
    with monkeypatch.context() as patched:
        patched.setattr(bot_schedules, "plant_in_event", crossing)
        assert run_due_schedules(timezone.now()) == 0
    schedule.refresh_from_db()
    assert (schedule.is_active, schedule.next_at) == (True, NOON + HOUR)
    assert run_due_schedules(timezone.now()) == 1


def crossing(*args: Any) -> Any:
    raise Clash


def break_one(monkeypatch: pytest.MonkeyPatch, broken: BotSchedule) -> None:
    """Planting what this one plants is a fault."""
    plant = bot_matches.plant_exhibitions

    def planting(schedule: BotSchedule) -> Any:
        if schedule == broken:
            raise ZeroDivisionError("a fault of ours")
        return plant(schedule)

    monkeypatch.setattr(bot_schedules, "plant_exhibitions", planting)


def test_fault_in_one_schedule_is_logged_and_stops_neither_others_nor_the_sweep(
    clock: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    called: list[int] = []
    monkeypatch.setattr("league.tasks.play_bot_match.delay", called.append)
    broken, good = pair_schedule(), pair_schedule()
    waiting = bot_cases.of(bot_cases.planted())
    break_one(monkeypatch, broken)
    clock.move_to(NOON + HOUR)
    sweep()
    assert waiting.pk in called
    assert SweepMark.objects.get().swept_at == NOON + HOUR
    assert Exhibition.objects.get().schedule == good
    (record,) = [record for record in caplog.records if record.exc_info]
    assert f"Schedule {broken.pk} of bots could not be run" in record.getMessage()
    assert "a fault of ours" in caplog.text
    broken.refresh_from_db()
    assert (broken.is_active, broken.next_at) == (True, NOON + HOUR)


def test_switched_on_again_it_forgets_why_it_was_off(clock: Any) -> None:
    schedule = pair_schedule()
    BotSchedule.objects.update(is_active=False, note="Refused.")
    schedule = change_schedule(**BY, schedule=schedule, is_active=True)
    assert (schedule.note, schedule.is_active) == ("", True)


def test_planting_now_leaves_the_times_alone() -> None:
    schedule = pair_schedule()
    assert len(plant_now(**BY, schedule=schedule)) == 1
    schedule.refresh_from_db()
    assert (schedule.next_at, schedule.last_run_at) == (NOON + HOUR, NOON)
    empty = event_schedule(EventFactory.create())
    refused("nothing_to_play", plant_now, schedule=empty)


def test_sweep_plants_and_hands_out(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr("league.tasks.play_bot_match.delay", called.append)
    pair_schedule()
    lost = bot_cases.of(bot_cases.planted())
    clock.move_to(NOON + HOUR)
    sweep()
    assert lost.pk in called
    assert BotMatch.objects.count() == 2
    clock.move_to(NOON + HOUR + datetime.timedelta(minutes=2))
    sweep()
    assert set(BotMatch.objects.values_list("pk", flat=True)) <= set(called)
    assert SweepMark.objects.exists()
