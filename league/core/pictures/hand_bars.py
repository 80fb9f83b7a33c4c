"""How hands ended, as bars: those lost to the left of a middle, those won to its right, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Scale

_ROW: Final = 30
_BAR: Final = 16
_TOP: Final = 22
# Half of what the names in the middle take, and what a figure at the end of a bar takes.
_MIDDLE: Final = 52
_FIGURE: Final = 42


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from `x` on, and the figure at its outer end."""

    x: float
    width: float
    figure: int
    figure_x: float


@dataclass(frozen=True, slots=True)
class BarRow:
    """What was lost and won in one way: the top of its bars, and the baseline of its words."""

    y: float
    foot: float
    lost: Bar
    won: Bar


@dataclass(frozen=True, slots=True)
class HandBars:
    """The data a template draws; `middle` is where the names stand, `bar` the height of a bar."""

    width: int
    height: int
    middle: float
    bar: int
    rows: Sequence[BarRow]


def hand_bars(scales: Sequence[Sequence[tuple[int, int]]], *, width: int) -> HandBars:
    """Return the drawing of rows of figures (lost, won), none below 0; those of one group share a scale."""
    middle = width / 2
    room = middle - _MIDDLE - _FIGURE
    rows: list[BarRow] = []
    for group in scales:
        long = Scale(0, max((figure for row in group for figure in row), default=0) or 1, 0, room).at
        for lost, won in group:
            y = _TOP + _ROW * len(rows)
            left, right = middle - _MIDDLE, middle + _MIDDLE
            rows.append(
                BarRow(
                    y,
                    y + _BAR / 2 + 4,
                    Bar(round(left - long(lost), 1), long(lost), lost, round(left - long(lost) - 5, 1)),
                    Bar(right, long(won), won, round(right + long(won) + 5, 1)),
                )
            )
    return HandBars(width, _TOP + _ROW * len(rows), middle, _BAR, rows)
