"""A game of a sheet as two climbing lines: what each side has after every deal, up to the target."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Mark, Point, Scale, apart, numbered, round_step, written

_LEFT: Final = 34
_RIGHT: Final = 46
_TOP: Final = 10
_BELOW: Final = 22
_LABEL: Final = 13
_MOST_LEVELS: Final = 4


@dataclass(frozen=True, slots=True)
class ClimbLine:
    """A side's line, with the sum at its end; `label_y` is where that is written."""

    side: int
    points: str
    end: Point
    label_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Climb:
    """The data a template draws; `target_y` is None where no sum ends the game."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    lines: Sequence[ClimbLine]
    levels: Sequence[Mark]
    deals: Sequence[Mark]
    target_y: float | None


def climb(
    sides: Sequence[Sequence[tuple[int, int]]], deals: int, *, target: int | None, width: int, height: int
) -> Climb:
    """Return the drawing of a game of so many `deals`, at least one.

    `sides` have for each side its entries: the number of the deal and the running sum after it. Between them
    a side stays where it is.
    """
    sums = [_sums(entries, deals) for entries in sides]
    every = [figure for of_side in sums for figure in of_side]
    top = max(*every, target or 1)
    low = min(every)
    right, bottom = width - _RIGHT, height - _BELOW
    x = Scale(0, deals, _LEFT, right).at
    y = Scale(low, top, bottom, _TOP).at
    ends = [y(of_side[-1]) for of_side in sums]
    labels = apart(ends, _LABEL, low=_TOP, high=bottom)
    step = round_step(top - low, _MOST_LEVELS, 10)
    first = -(-low // step) * step
    return Climb(
        width,
        height,
        _LEFT,
        right,
        bottom,
        [
            ClimbLine(
                side,
                written((x(deal), y(figure)) for deal, figure in enumerate(of_side)),
                (right, ends[side]),
                labels[side],
                of_side[-1],
            )
            for side, of_side in enumerate(sums)
        ],
        [Mark(y(figure), figure) for figure in range(first, top + 1, step)],
        [Mark(x(number), number) for number in numbered(deals)],
        None if target is None else y(target),
    )


def _sums(entries: Sequence[tuple[int, int]], deals: int) -> list[int]:
    """What the side has before the first deal and after each."""
    after = dict(entries)
    sums = [0]
    for deal in range(1, deals + 1):
        sums.append(after.get(deal, sums[-1]))
    return sums
