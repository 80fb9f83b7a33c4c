"""Entries and sides named after their players, which follow when a player is renamed.

A single player's entry is; a team's if its name is made of its members' names, as "Ann + Bob", or as
"Ann + Bob 2" beside others of these names.
"""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import Q, QuerySet

from league.models import Entry, EventKind, Match, Player
from scoring.models import Seat, Side
from scoring.services.records import recalled

_LONGEST = 80


def entries_called_after(players: Collection[Player], name: str) -> dict[Entry, str]:
    """The new names of a player's entries if the player is renamed so; call it before the renaming.

    `players` are the player's rows: the present one, and those merged into it.
    """
    called = {}
    entries = Entry.objects.filter(members__player__in=players).select_related("event").distinct()
    for entry in entries.prefetch_related("members__player").order_by("pk"):
        members = [member.player for member in sorted(entry.members.all(), key=lambda one: one.position)]
        written = [member.name for member in members]
        now = [name if member in players else member.name for member in members]
        is_single = entry.event.kind == EventKind.INDIVIDUAL
        new = now[0] if is_single else called_anew(entry.name, written, now)
        if new is not None and new != entry.name:
            called[entry] = new[:_LONGEST]
    return called


def called_anew(name: str, written: Sequence[str], now: Sequence[str]) -> str | None:
    """A team's name made of its members' names as `written`, with those of `now`; None for any other name.

    A number at its end, which tells it from another team, stays.
    """
    if (new := recalled(name, written, now)) is not None:
        return new
    start, _space, number = name.rpartition(" ")
    new = recalled(start, written, now) if number.isdecimal() else None
    return None if new is None else f"{new} {number}"


def rename_entries(called: Mapping[Entry, str]) -> None:
    """Rename entries. Their events are locked."""
    for entry, name in called.items():
        entry.name = name
        entry.save(update_fields=["name"])


def rename_on_sheets(
    persons: Collection[str], name: str, entries: Mapping[Entry, str]
) -> dict[str, list[Side]]:
    """Rename these persons on every seat, and the sides named after them or their entries.

    For erasing; all other renaming leaves sheets as written. Call it before the `entries` are renamed;
    returns the renamed sides by their new names.
    """
    sides: dict[int, Side] = {}
    for side in Side.objects.filter(seats__person__in=persons).distinct().prefetch_related("seats"):
        first = [seat for seat in side.seats.all() if seat.replaces is None]
        now = [name if seat.person in persons else seat.name for seat in first]
        new = recalled(side.name, [seat.name for seat in first], now)
        if new is not None and new != side.name:
            side.name = new
            sides[side.pk] = side
    for entry, called in entries.items():
        for match in Match.objects.of_entry(entry).with_sides():
            position = match.side_of(entry)
            written = match.side_name(position)
            new = " + ".join(called if one == entry else one.name for one in match.side(position))
            for side in _of_match(match, position).filter(name=written).exclude(pk__in=sides):
                side.name = new
                sides[side.pk] = side
    Side.objects.bulk_update(sides.values(), ["name"], batch_size=500)
    Seat.objects.filter(person__in=persons).update(name=name)
    by_name: dict[str, list[Side]] = {}
    for side in sides.values():
        by_name.setdefault(side.name, []).append(side)
    return by_name


def _of_match(match: Match, position: int) -> QuerySet[Side]:
    return Side.objects.filter(
        Q(sheet__match=match) | Q(sheet__former__match=match), position=position
    ).distinct()
