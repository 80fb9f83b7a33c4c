"""The points that an omitted line must have had, found without trying every number.

As its points grow, only sums change, until one of them crosses the target (upwards, or downwards if a later
running total then adds less, or if something is taken off a side) or, where a number of deals ends the sheet,
the other's. Between two such breaks every figure of the sheet is linear in the points, so two sheets tell
both the points at which a figure agrees with the paper and the next break. If a row after the line is
refused, this holds up to that row.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from scoring.core.sheets import ColumnState, SheetState
from scoring.typing.paper_figures import Paper

_FAR: Final = 10_000


class Trial(NamedTuple):
    """The sheet with some number of points in the line, up to the first row that this makes impossible."""

    state: SheetState
    is_whole: bool


def left_out_points(
    trial: Callable[[int], Trial], paper: Paper, least: int, most: int, *, may_recover: bool
) -> Iterator[tuple[int, int]]:
    """The points, `least` to `most`, for which net and totals may agree with the paper's.

    `trial` scores the sheet with that many points in the line. Yields (least, most): equal if a figure of the
    paper fixes the points, otherwise any value between will do. Where more points only end the sheet earlier
    (not `may_recover`), the search stops at the first refusal.
    """
    points = least
    now = trial(points)
    while points <= most:
        following = trial(points + 1)
        steps = 1
        if not (now.is_whole or may_recover):
            return
        if _is_alike(now, following):
            steps = min(_steps_to_break(now.state, following.state), most + 1 - points)
        if now.is_whole:
            distances = _distances(now.state, following.state if steps > 1 else None, paper)
            if distances is not None and distances[0] < steps:
                yield points + distances[0], points + min(distances[1], steps - 1)
        elif steps > 1:
            steps = _steps_to_another(trial, points, steps, now)
        points += steps
        now = following if steps == 1 else trial(points)


def _steps_to_another(trial: Callable[[int], Trial], points: int, steps: int, now: Trial) -> int:
    """The number of steps until the refused row is accepted; all of them if it never is."""
    if _is_alike(now, trial(points + steps - 1)):
        return steps
    refused, other = 1, steps - 1
    while other - refused > 1:
        middle = (refused + other) // 2
        if _is_alike(now, trial(points + middle)):
            refused = middle
        else:
            other = middle
    return other


def _is_alike(now: Trial, other: Trial) -> bool:
    """Whether the same deals are entered, and close, in the same columns for the same sides."""
    return (
        now.is_whole == other.is_whole
        and len(now.state.deals) == len(other.state.deals)
        and all(map(_is_column_alike, now.state.columns, other.state.columns))
    )


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
    """The points until a sum crosses the target, or the other at the end, at least 1; many if none does."""
    target = state.rules.target
    nearest = _FAR
    if state.rules.deals is not None:
        (column,), (later,) = state.columns, following.columns
        return _FAR if column.closed_by_deal is None else _steps_to_level(column, later)
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


def _steps_to_level(column: ColumnState, later: ColumnState) -> int:
    """The points until the lead in a column that a number of deals has closed is gone, or another's."""
    nearest = _FAR
    for one, other in combinations(range(len(column.sides)), 2):
        lead, after = (
            abs(state.sides[one].running - state.sides[other].running) for state in (column, later)
        )
        if after < lead:
            nearest = min(nearest, max(-(-lead // (lead - after)), 1))
        elif after > lead == 0:
            return 1
    return nearest


def _steps_to_tie(column: ColumnState, later: ColumnState) -> int:
    """The points until the lead may change in a column closed by a deal that entered several sides."""
    nearest = _FAR
    for one, other in combinations(range(len(column.sides)), 2):
        ours, theirs = column.sides[one], column.sides[other]
        if not (ours.entries and theirs.entries) or ours.entries[-1].deal != theirs.entries[-1].deal:
            continue
        lead = abs(ours.running - theirs.running)
        if lead == 0 or abs(later.sides[one].running - later.sides[other].running) < lead:
            nearest = min(nearest, max(lead, 1))
    return nearest


def _distances(state: SheetState, following: SheetState | None, paper: Paper) -> tuple[int, int] | None:
    """The least and most additional points for which every figure agrees with the paper.

    Without a second sheet, only tells whether they agree as they are.
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
    """The net and totals that the paper has, as (the sheet's, the paper's)."""
    pairs = [] if paper.net is None else [(state.net, paper.net)]
    pairs += [(state.nets[side], net) for side, net in enumerate(paper.nets) if net is not None]
    for column, totals in zip(state.columns, paper.totals, strict=False):
        for side, total in zip(column.sides, totals, strict=True):
            if total is not None:
                pairs.append((side.total, total))
    return pairs
