"""Membership of a ladder, and absences.

Stays and the order of results are derived from entries and matches when the table is recalculated, under the
event's lock. Settling twice changes nothing.
"""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import (
    UNFINISHED,
    Challenge,
    Entry,
    Event,
    EventState,
    LadderAbsence,
    LadderStay,
    MatchState,
    traits_of,
)
from league.policy import Permission, require
from league.policy.naming import Names
from league.record.audit import add_row, change_row, locked, remove_row
from league.record.days import check_day
from scoring.core.actors import Actor


@transaction.atomic
def settle_ladder(event: Event) -> bool:
    """Bring a ladder in line with its entries and matches; True if anything was written.

    In a running event, entries join at the foot by seed, then by the name the public sees; a withdrawn one
    leaves, and comes back at the foot. Until the first challenge the order follows the seeds, also when they
    are changed. A challenge is decided when its match first counts.
    """
    if not _changes(event):
        return False
    event = locked(event)
    changes = _changes(event)
    LadderStay.objects.filter(pk__in=[stay.pk for stay in changes.misplaced]).delete()
    LadderStay.objects.bulk_create(changes.joining)
    LadderStay.objects.bulk_update(changes.leaving, ["left_at"])
    Challenge.objects.bulk_update(changes.decided, ["decided_at"])
    return bool(changes)


def unsettled(event: Event) -> list[str]:
    """Return a sentence for everything that `settle_ladder` would write."""
    changes = _changes(event)
    return [
        *(f"ladder of {event}: {stay.entry} has not joined" for stay in changes.joining),
        *(f"ladder of {event}: {stay.entry} has not left" for stay in changes.leaving),
        *(f"ladder of {event}: challenge {row.number} is not settled" for row in changes.decided),
    ]


@transaction.atomic
def add_absence(
    *, actor: Actor, entry: Entry, first_day: datetime.date, last_day: datetime.date | None
) -> LadderAbsence:
    """Record that an entry is away, which also stops the clock of its challenge.

    Refused: an event without a ladder (`no_ladder`), days that overlap another absence (`away_already`), an
    end before the start (`invalid`), a day out of range (`out_of_range`).
    """
    require(actor, Permission.DIRECT, entry.event.club)
    event = _lock_ladder(entry.event)
    check_day(first_day, "first_day")
    check_day(last_day, "last_day")
    entry = locked(entry)
    absence = LadderAbsence(entry=entry, first_day=first_day, last_day=last_day)
    _check_apart(absence)
    add_row(actor, "absence.add", absence, club=event.club)
    return absence


@transaction.atomic
def end_absence(*, actor: Actor, absence: LadderAbsence, last_day: datetime.date) -> LadderAbsence | None:
    """Set the last day of an absence; one that would end before its start is deleted, and None returned."""
    check_day(last_day, "last_day")
    event, absence = _lock_absence(actor, absence)
    if last_day < absence.first_day:
        remove_row(actor, "absence.remove", absence, club=event.club)
        return None
    _check_apart(
        LadderAbsence(pk=absence.pk, entry=absence.entry, first_day=absence.first_day, last_day=last_day)
    )
    change_row(actor, "absence.end", absence, {"last_day": last_day}, club=event.club)
    return absence


@transaction.atomic
def remove_absence(*, actor: Actor, absence: LadderAbsence) -> None:
    """Delete an absence, as if it had never been noted."""
    event, absence = _lock_absence(actor, absence)
    remove_row(actor, "absence.remove", absence, club=event.club)


def check_ladder(event: Event) -> None:
    """Refuse (`no_ladder`) an event without a ladder."""
    if not traits_of(event).has_challenges:
        raise LeagueError("no_ladder", _("“%(event)s” is not a ladder.") % {"event": event})


def _lock_absence(actor: Actor, absence: LadderAbsence) -> tuple[Event, LadderAbsence]:
    event = absence.entry.event
    require(actor, Permission.DIRECT, event.club)
    return _lock_ladder(event), locked(absence)


def _lock_ladder(event: Event) -> Event:
    event = locked(event)
    check_doing(event.name, event.state, Doing.WITHDRAW)
    check_ladder(event)
    return event


def _check_apart(absence: LadderAbsence) -> None:
    for other in LadderAbsence.objects.filter(entry=absence.entry).exclude(pk=absence.pk):
        if (other.last_day is None or absence.first_day <= other.last_day) and (
            absence.last_day is None or other.first_day <= absence.last_day
        ):
            raise LeagueError(
                "away_already",
                _("%(entry)s is away on some of these days already.") % {"entry": absence.entry},
                field="first_day",
            )


def _seed(seed: int | None) -> tuple[bool, int]:
    """Sort key for seeds; missing ones last."""
    return seed is None, seed or 0


@dataclass(slots=True)
class _Changes:
    """Pending writes."""

    joining: list[LadderStay] = field(default_factory=list)
    misplaced: list[LadderStay] = field(default_factory=list)
    leaving: list[LadderStay] = field(default_factory=list)
    decided: list[Challenge] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.joining or self.leaving or self.decided)


def _in_order(event: Event, entries: Iterable[Entry]) -> list[int]:
    """The ids of entries as they join: by seed, then by the name that the public sees.

    By another name the order would tell something of a name that is covered.
    """
    names = Names(event.club_id, covered=True)
    joining = list(entries)
    if len(joining) > 1:
        joining.sort(key=lambda entry: (*_seed(entry.seed), name_key(names.entry(entry)), entry.pk))
    return [entry.pk for entry in joining]


def _changes(event: Event) -> _Changes:
    if event.state not in (EventState.RUNNING, EventState.FINISHED):
        return _Changes()
    now = timezone.now()
    changes = _Changes()
    stays = LadderStay.objects.filter(event=event, left_at=None).select_related("entry")
    here = {stay.entry_id: stay for stay in stays.order_by("joined_at", "pk")}
    climbing = Entry.objects.filter(event=event, withdrawn_at=None, is_guest=False)
    wanted = {entry.pk: entry for entry in climbing}
    staying = [entry_id for entry_id in here if entry_id in wanted]
    coming = _in_order(event, [entry for pk, entry in wanted.items() if pk not in here])
    seeds = [wanted[entry_id].seed for entry_id in (*staying, *coming)]
    if seeds != sorted(seeds, key=_seed) and not Challenge.objects.filter(event=event).exists():
        changes.misplaced = [here.pop(entry_id) for entry_id in staying]
        coming = _in_order(event, wanted.values())
    changes.joining = [LadderStay(event=event, entry=wanted[one], joined_at=now) for one in coming]
    for entry_id, stay in here.items():
        if entry_id not in wanted:
            stay.left_at = max(stay.entry.withdrawn_at or now, stay.joined_at)
            changes.leaving.append(stay)
    rows = Challenge.objects.filter(event=event, called_off_at=None)
    seen = rows.filter(decided_at=None, match__held=False).exclude(match__state__in=UNFINISHED)
    # Of two results first seen together, the one written first comes first.
    for number, row in enumerate(seen.order_by("match__updated_at", "number")):
        row.decided_at = now + number * datetime.timedelta(microseconds=1)
        changes.decided.append(row)
    for row in rows.filter(match__state=MatchState.SCHEDULED).exclude(decided_at=None):
        row.decided_at = None
        changes.decided.append(row)
    return changes
