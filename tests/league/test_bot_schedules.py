"""Schedules of bots: made, changed, run when they are due, and switched off when they are refused."""

import datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games.models import BotMatch, BotMatchState
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    BotSchedule,
    Club,
    ClubRules,
    Event,
    EventState,
    Exhibition,
    MatchState,
    Player,
    SweepMark,
)
from league.services import bot_schedules
from league.services.bot_schedules import (
    change_schedule,
    coming_times,
    create_schedule,
    plant_now,
    remove_schedule,
    run_due_schedules,
)
from league.services.events import remove_event
from league.services.locking import Clash
from league.tasks import sweep
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, RoundFactory
from tests.kept import contents
from tests.league import bot_cases
from tests.league.admin_pages import page, text
from tests.league.bot_cases import bot_match, event_schedule, pair_schedule

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"actor": OPERATOR}
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
NOON = datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def clock() -> Any:
    """It is noon, Monday 2 November 2026, and stays it until a test moves the clock."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def refused(code: str, field: str | None, call: Any, **values: Any) -> LeagueError:
    before = contents()
    with pytest.raises(LeagueError) as refusal:
        call(**BY, **values)
    assert (refusal.value.code, refusal.value.field) == (code, field)
    assert refusal.value.message.endswith(".")
    assert contents() == before
    return refusal.value


# Made and changed.


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


# Run.


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
    assert planted == [2, 1, 0]
    schedule.refresh_from_db()
    assert schedule.is_active
    assert event.matches.filter(state=MatchState.SCHEDULED).count() == 3


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
    assert off[over.pk] == f"“{finished.name}” is finished; take the finish back first."
    assert "There is no strategy “retired”" in off[unknown.pk]
    assert "no recurrence" in off[broken.pk]
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
    refused("nothing_to_play", None, plant_now, schedule=empty)


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


# The administration.


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
        ({"recurrence": "DAILY", "until": "2026-11-01"}, "there is no further date."),
        ({"count": "2"}, "It is planted once: choose how often it comes again."),
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
