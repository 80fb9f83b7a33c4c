"""How many points a line that was left out must have had, found without trying every number.

As the points grow nothing but sums changes, until some sum reaches the target (or drops below it, where a
later running total now adds less). From one such break to the next every figure moves in a straight
line, so two sheets tell all: at which points a figure is what the paper says, and where the next break is.
"""

from collections.abc import Callable, Iterator
from typing import Final

from scoring.paper import Paper
from scoring.sheets import ColumnState, SheetState

_FAR: Final = 10_000

SheetWith = Callable[[int], SheetState | None]


def left_out_points(
    sheet_with: SheetWith, paper: Paper, most: int, *, has_totals: bool
) -> Iterator[tuple[int, int]]:
    """The points, 1 to `most`, with which the net and the totals that the paper has may come out.

    They come as (least, most): the same twice where a figure of the paper fixes them, else all between would
    do. `sheet_with` is the sheet with so many points in the missing line, None where it cannot be: from some
    number on (it ends too early), or, with running totals behind, also up to some number.
    """
    points = 1
    state = sheet_with(points)
    while state is None and has_totals and points < most:
        points += 1
        state = sheet_with(points)
    while state is not None and points <= most:
        following = sheet_with(points + 1)
        steps = 1
        if following is not None and _is_alike(state, following):
            steps = min(_steps_to_break(state, following), most + 1 - points)
        distances = _distances(state, following if steps > 1 else None, paper)
        if distances is not None and 0 <= distances[0] < steps:
            yield points + distances[0], points + min(distances[1], steps - 1)
        points += steps
        state = following if steps == 1 else sheet_with(points)


def _is_alike(state: SheetState, other: SheetState) -> bool:
    """Whether the same deals are entered and closed in the same columns by the same sides."""
    return all(map(_is_column_alike, state.columns, other.columns))


def _is_column_alike(column: ColumnState, other: ColumnState) -> bool:
    if column.closed_by_deal != other.closed_by_deal:
        return False
    if column.closed_by_deal is not None and column.winner != other.winner:
        return False
    return all(
        [entry.deal for entry in ours.entries] == [entry.deal for entry in theirs.entries]
        for ours, theirs in zip(column.sides, other.sides, strict=True)
    )


def _steps_to_break(state: SheetState, following: SheetState) -> int:
    """After how many more points a sum crosses the target, at least 1; many where none does."""
    target = state.rules.target
    nearest = _FAR
    for column, later in zip(state.columns, following.columns, strict=True):
        for ours, theirs in zip(column.sides, later.sides, strict=True):
            for entry, moved in zip(ours.entries, theirs.entries, strict=True):
                slope = moved.running - entry.running
                gap = target - entry.running
                if slope > 0 and gap > 0:
                    nearest = min(nearest, -(-gap // slope))
                elif slope < 0 and gap <= 0:
                    nearest = min(nearest, gap // slope + 1)
        if column.closed_by_deal is not None:
            nearest = min(nearest, _steps_to_tie(column, later))
    return nearest


def _steps_to_tie(column: ColumnState, later: ColumnState) -> int:
    """Where one deal entered both sides and closed the column: when the lead may change hands."""
    last = [side.entries[-1] if side.entries else None for side in column.sides]
    moved = [side.entries[-1] if side.entries else None for side in later.sides]
    if last[0] is None or last[1] is None or last[0].deal != last[1].deal:
        return _FAR
    lead = abs(last[0].running - last[1].running)
    if moved[0] is None or moved[1] is None or abs(moved[0].running - moved[1].running) >= lead > 0:
        return _FAR
    return max(lead, 1)


def _distances(state: SheetState, following: SheetState | None, paper: Paper) -> tuple[int, int] | None:
    """How many points more, at least and at most, make every figure what the paper says.

    Without a sheet to compare with, only whether they agree as they are.
    """
    least, most = 0, 0 if following is None else _FAR
    pairs = _stated_figures(state, paper)
    moved = pairs if following is None else _stated_figures(following, paper)
    for (figure, stated), (later, _) in zip(pairs, moved, strict=True):
        if later == figure:
            if figure != stated:
                return None
            continue
        distance, rest = divmod(stated - figure, later - figure)
        if rest or not least <= distance <= most:
            return None
        least = most = distance
    return least, most


def _stated_figures(state: SheetState, paper: Paper) -> list[tuple[int, int]]:
    """The net and the totals that the paper has, as (the sheet's, the paper's)."""
    pairs = [] if paper.net is None else [(state.net, paper.net)]
    for column, totals in zip(state.columns, paper.totals, strict=False):
        for side, total in zip(column.sides, totals, strict=True):
            if total is not None:
                pairs.append((side.total, total))
    return pairs
