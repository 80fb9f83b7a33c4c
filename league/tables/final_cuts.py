"""Lines across the final table of an event: for prizes, and for promotion and relegation."""

from collections.abc import Sequence

from league.core.divisions import changes
from league.core.standings.cuts import Cut, CutKind, CutTable, Level, cut_table
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


def asks_who_moves(event: Event) -> bool:
    """Return whether going up and down is asked even where the lot has settled the places of an event.

    So it is until the season after it is drafted. One query if the lot has settled them.
    """
    if not event.lot_settled_places:
        return True
    later = Event.objects.filter(pyramid=event.pyramid, pk__gt=event.pk).exclude(season=event.season)
    return not later.exists()


def final_cuts(
    event: Event, standings: Sequence[Standing], lines: set[int], decisions: Decisions
) -> tuple[CutTable, CutTable]:
    """Return the final table split where it is cut: for prizes, then by these lines of a division too.

    `standings` are the whole table with its entries, of which those who are `playing_on` are cut. Who is put
    in order for a prize is so for going up or down, unless the lot of the table did it.
    """
    playing = {row.entry_id for row in playing_on(standings)}

    def levels(*, asks: bool) -> list[Level]:
        found = final_levels(event, standings, asks=asks)
        kept = (tuple(entry for entry in level if entry in playing) for level in found)
        return [level for level in kept if level]

    figures = {
        row.entry_id: repr(
            (
                row.played,
                row.group,
                # Sorted: a table that was stored may come back with its figures in another order.
                sorted(
                    (name, None if value is None else str(value))
                    for name, value in row.metrics.items()
                    if name != "lot"
                ),
            )
        )
        for row in standings
    }
    prizes = cut_table(
        levels(asks=False),
        range(1, event.prizes + 1),
        kind=CutKind.PRIZE,
        figures=figures,
        decided=decisions.parts,
    )
    asks = bool(lines) and event.lot_settled_places and asks_who_moves(event)
    return prizes, cut_table(
        levels(asks=True) if asks else prizes.levels,
        lines,
        kind=CutKind.DIVISION,
        figures=figures,
        decided=decisions.parts,
    )


def cuts_of_event(
    event: Event, standings: Sequence[Standing], decisions: Decisions
) -> tuple[list[Cut], list[Cut]]:
    """Return all cuts of the final table of an event, and the open ones; each tie once, for a prize first."""
    lines: set[int] = set()
    if event.pyramid is not None:
        divisions = list(
            Event.objects.filter(pyramid=event.pyramid, season=event.season)
            .order_by("level")
            .values_list("pk", flat=True)
        )
        entered = Entry.objects.filter(event__in=divisions, withdrawn_at=None, is_guest=False)
        counts = dict.fromkeys(divisions, 0)
        for event_id in entered.values_list("event", flat=True):
            counts[event_id] += 1
        counts[event.pk] = len(playing_on(standings))
        lines = moving_lines(list(counts.values()), event.pyramid.moving, divisions.index(event.pk))
    prizes, division = final_cuts(event, standings, lines, decisions)
    asked = {cut.entries for cut in prizes.open}
    return (
        [*prizes.cuts, *(cut for cut in division.cuts if cut.entries not in asked)],
        [*prizes.open, *(cut for cut in division.open if cut.entries not in asked)],
    )
