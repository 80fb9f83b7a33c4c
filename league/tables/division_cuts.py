"""Lines of promotion and relegation across the table of a division."""

from collections.abc import Sequence

from league.core.divisions import changes
from league.core.standings.cuts import CutKind, CutTable, cut_table
from league.models import Entry, Event, Standing
from league.tables.cut_decisions import Decisions
from league.tables.placings import final_levels


def playing_on(standings: Sequence[Standing]) -> list[Standing]:
    """Return the lines of those who may go up or down: neither withdrawn nor guests."""
    return [row for row in standings if row.entry.withdrawn_at is None and not row.entry.is_guest]


def moving_lines(sizes: Sequence[int], moving: int, number: int) -> set[int]:
    """Return the lines across the table of division `number` (from 0) among divisions of these sizes."""
    counts = changes(sizes, moving)
    up = counts[number - 1] if number else 0
    down = counts[number] if number < len(counts) else 0
    return {up, sizes[number] - down}


def division_cuts(
    event: Event, standings: Sequence[Standing], lines: set[int], decisions: Decisions
) -> CutTable:
    """Return the final table of a division, of these lines with their entries, split where it is cut."""
    levels = final_levels(event, standings)
    figures = {
        row.entry_id: repr(
            (
                row.played,
                row.group,
                [(name, None if value is None else str(value)) for name, value in row.metrics.items()],
            )
        )
        for row in standings
    }
    return cut_table(levels, lines, kind=CutKind.DIVISION, figures=figures, decided=decisions.parts)


def cuts_of_division(event: Event, standings: Sequence[Standing], decisions: Decisions) -> CutTable | None:
    """Return the cut table of an event among the divisions of its season; None if it is no division."""
    if event.pyramid is None:
        return None
    divisions = list(
        Event.objects.filter(pyramid=event.pyramid, season=event.season)
        .order_by("level")
        .values_list("pk", flat=True)
    )
    entered = Entry.objects.filter(event__in=divisions, withdrawn_at=None, is_guest=False)
    counts = dict.fromkeys(divisions, 0)
    for event_id in entered.values_list("event", flat=True):
        counts[event_id] += 1
    playing = playing_on(standings)
    counts[event.pk] = len(playing)
    lines = moving_lines(list(counts.values()), event.pyramid.moving, divisions.index(event.pk))
    return division_cuts(event, playing, lines, decisions)
