"""Bot schedules: edited by directors, and run by the sweep when due.

Every due schedule runs in a transaction of its own under its row's lock, so that only one of two sweeps
plants. Times missed while nothing ran are made up for once.

A time is skipped, and the schedule's note says why, if the event has not begun or earlier sheets still wait
to be played. The last time of a schedule, and so the only one of "once", is not skipped: it stays due until
it can be planted.
"""

import datetime
import logging
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import MOST_ATTEMPTS, TO_PLAY, BotMatch, BotMatchState
from league.bots.bot_matches import house, plant_exhibitions, plant_in_event
from league.bots.house_bots import check_bot_of, house_bot_of
from league.core.lifecycle import Doing, check_doing
from league.core.recurrence import next_after, next_times
from league.errors import LeagueError
from league.models import BotSchedule, Club, EventState
from league.policy import Permission, require
from league.policy.eligibility import check_match_rules
from league.record.audit import add_row, change_row, directed, record_audit, remove_row
from league.record.days import check_day
from league.record.locking import Clash, left_when_crossed
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.words.messages import translated

_log = logging.getLogger(__name__)

_CHOICES: Final = frozenset({"event", "bot_a", "bot_b", "rules"})
_CLOSED: Final = (EventState.FINISHED, EventState.ARCHIVED)
_NOTE_LENGTH: Final = 300
_MOMENT: Final = datetime.timedelta(microseconds=1)


@transaction.atomic
def create_schedule(
    *, actor: Actor, club: Club, name: str, starts_at: datetime.datetime, **values: Any
) -> BotSchedule:
    """A new schedule: of an `event`, or of `bot_a` and `bot_b` by `rules`; `recurrence` "" is once.

    Refuses a first time in the past (`past`), an invalid recurrence or one without future dates
    (`no_further_date`), an event, rules or bots of another club (`other_club`), a person (`not_a_bot`), a
    finished event (`wrong_state`), and both or neither of an event and a pair (`invalid`).
    """
    require(actor, Permission.DIRECT, club)
    schedule = BotSchedule(club=club, name=" ".join(name.split()), starts_at=starts_at, **values)
    _check_first(starts_at)
    _check(schedule, _CHOICES)
    if schedule.is_active:
        schedule.next_at = _next_time(schedule)
    add_row(actor, "bot_schedule.create", schedule)
    return schedule


@transaction.atomic
def change_schedule(*, actor: Actor, schedule: BotSchedule, **values: Any) -> BotSchedule:
    """Change a schedule, or switch it on or off (`is_active`); refuses as `create_schedule`.

    An unchanged first time may be in the past. New times, or switching it on, make the next time from now
    due.
    """
    schedule = directed(actor, schedule)
    if "name" in values:
        values["name"] = " ".join(values["name"].split())
    changed = {name for name in values if values[name] != getattr(schedule, name)}
    if not changed:
        return schedule
    if "starts_at" in changed:
        _check_first(values["starts_at"])
    wanted = BotSchedule.objects.select_related("club", "event", "bot_a", "bot_b", "rules").get(
        pk=schedule.pk
    )
    for name in changed:
        setattr(wanted, name, values[name])
    if wanted.is_active:
        _check(wanted, _CHOICES if "is_active" in changed else changed)
    if wanted.is_active and changed & {"starts_at", "recurrence", "is_active"}:
        values["next_at"] = _next_time(wanted)
        values["note"] = ""
    change_row(actor, "bot_schedule.change", schedule, values)
    return schedule


@transaction.atomic
def remove_schedule(*, actor: Actor, schedule: BotSchedule) -> None:
    """Delete a schedule; what it has planted stays."""
    schedule = directed(actor, schedule)
    remove_row(actor, "bot_schedule.remove", schedule)


@transaction.atomic
def plant_now(*, actor: Actor, schedule: BotSchedule) -> list[BotMatch]:
    """Plant once, independently of the schedule's times; refuses `nothing_to_play` if nothing waits."""
    schedule = directed(actor, schedule)
    planted = _plant(schedule)
    if not planted:
        raise LeagueError("nothing_to_play", _nothing_waits(schedule))
    schedule.last_run_at = timezone.now()
    schedule.save(update_fields=["last_run_at"])
    record_audit(actor, "bot_schedule.plant", schedule, after={"sheets": len(planted)})
    return planted


def run_due_schedules(now: datetime.datetime) -> int:
    """Plant what is due by now; returns the number of new bot matches.

    A schedule that is refused is switched off with the reason, without stopping the others. One that meets a
    concurrent writer or an unexpected error is left for the next sweep.
    """
    planted = 0
    due = BotSchedule.objects.filter(is_active=True, next_at__lte=now).order_by("next_at", "pk")
    for pk in list(due.values_list("pk", flat=True)):
        try:
            planted += _run_or_stop(pk, now)
        except Exception:  # noqa: BLE001 – whatever is wrong with one, the others are planted
            _log.exception("Schedule %s of bots could not be run", pk)
    return planted


def coming_times(schedule: BotSchedule) -> list[datetime.datetime]:
    """The next five times it plants, in UTC; [] while it is off."""
    if not schedule.is_active or schedule.next_at is None:
        return []
    after = schedule.next_at - _MOMENT
    return next_times(schedule.recurrence, schedule.starts_at, schedule.club.zone, after, 5)


def _run_or_stop(pk: int, now: datetime.datetime) -> int:
    try:
        with left_when_crossed():
            return _run(pk, now)
    except Clash:
        return 0
    except (LeagueError, ScoringError) as refusal:
        _log.warning("Schedule %s of bots is switched off: %s", pk, refusal)
        _switch_off(pk, now, translated(refusal.message))
        return 0


@transaction.atomic
def _run(pk: int, now: datetime.datetime) -> int:
    schedule = _due(pk, now)
    if schedule is None:
        return 0
    following = next_after(schedule.recurrence, schedule.starts_at, schedule.club.zone, now)
    why_not = _reason_to_wait(schedule)
    if why_not and following is None:
        _note(schedule, _("%(why)s It sets matches up as soon as it can.") % {"why": why_not})
        return 0
    planted = [] if why_not else _plant(schedule)
    if not why_not and not planted:
        why_not = _nothing_waits(schedule)
    _note(schedule, why_not)
    schedule.last_run_at, schedule.next_at = now if planted else schedule.last_run_at, following
    schedule.save(update_fields=["last_run_at", "next_at"])
    return len(planted)


@transaction.atomic
def _switch_off(pk: int, now: datetime.datetime, why: str) -> None:
    schedule = _due(pk, now)
    if schedule is None:
        return
    values: Mapping[str, Any] = {"is_active": False, "note": why[:_NOTE_LENGTH]}
    change_row(house(), "bot_schedule.stop", schedule, values, reason=why)


def _due(pk: int, now: datetime.datetime) -> BotSchedule | None:
    """The locked schedule; None if another sweep was faster, or it was changed meanwhile."""
    rows = BotSchedule.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("club").filter(pk=pk, is_active=True, next_at__lte=now).first()


def _reason_to_wait(schedule: BotSchedule) -> str:
    """The reason why it cannot plant now; "" if it can.

    Once it has planted in an event, all pending bot matches of the event count, whoever planted them; those
    given up after repeated failures do not.
    """
    if schedule.event is not None and schedule.event.state in (EventState.DRAFT, EventState.OPEN):
        return _("“%(event)s” has not begun.") % {"event": schedule.event}
    left_alone = Q(state=BotMatchState.DUE, attempts__gte=MOST_ATTEMPTS)
    waiting = BotMatch.objects.filter(~left_alone, state__in=TO_PLAY)
    if schedule.event is None:
        waiting = waiting.filter(sheet__exhibition__schedule=schedule)
    elif schedule.last_run_at is None:
        return ""
    else:
        waiting = waiting.filter(sheet__match__event=schedule.event)
    count = waiting.count()
    if not count:
        return ""
    return (
        ngettext(
            "%d sheet from before still waits to be played.",
            "%d sheets from before still wait to be played.",
            count,
        )
        % count
    )


def _nothing_waits(schedule: BotSchedule) -> str:
    return _("No match between bots waits to be played in %(event)s.") % {"event": schedule.event}


def _note(schedule: BotSchedule, note: str) -> None:
    """Store the note if it changed: the schedule may run every minute."""
    if schedule.note != note[:_NOTE_LENGTH]:
        schedule.note = note[:_NOTE_LENGTH]
        schedule.save(update_fields=["note"])


def _plant(schedule: BotSchedule) -> list[BotMatch]:
    if schedule.event is not None:
        return plant_in_event(schedule.event, schedule.sheets)
    return plant_exhibitions(schedule)


def _check_first(starts_at: datetime.datetime) -> None:
    check_day(starts_at.date(), "starts_at")
    if starts_at < _this_minute():
        raise LeagueError("past", _("The first time is past."), field="starts_at")


def _check(schedule: BotSchedule, names: Collection[str]) -> None:
    """Refuse invalid choices in these fields."""
    club, event = schedule.club, schedule.event
    if event is not None and "event" in names:
        if event.club_id != club.pk:
            raise LeagueError(
                "other_club",
                _("%(event)s is not an event of %(club)s.") % {"event": event, "club": club},
                field="event",
            )
        if event.state in _CLOSED:
            _closed(event.name, event.state)
    for field, bot in (("bot_a", schedule.bot_a), ("bot_b", schedule.bot_b)):
        if bot is not None and field in names:
            check_bot_of(club, bot, field)
            house_bot_of(bot)
    if schedule.rules is not None and "rules" in names:
        check_match_rules(club, schedule.rules, 1)


def _closed(name: str, state: str) -> None:
    try:
        check_doing(name, state, Doing.PLAY)
    except LeagueError as refusal:
        refusal.field = "event"
        raise


def _next_time(schedule: BotSchedule) -> datetime.datetime:
    """The first time from this minute on at which it has not run yet."""
    after = _this_minute() - _MOMENT
    if schedule.last_run_at is not None:
        after = max(after, schedule.last_run_at)
    found = next_after(schedule.recurrence, schedule.starts_at, schedule.club.zone, after)
    if found is None:
        raise LeagueError("no_further_date", _("This schedule has no further date."), field="recurrence")
    return found


def _this_minute() -> datetime.datetime:
    return timezone.now().replace(second=0, microsecond=0)
