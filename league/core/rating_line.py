"""A player's rating history as a line chart: coordinates in the units of an SVG of a given size.

Matches are evenly spaced, from a newcomer's 1500 to today; a band behind the line shows the uncertainty. The
scale fits the line; the band is clipped at the frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

# Margins for labels left of the frame, below it, and for the last figure right of it.
LEFT: Final = 38
RIGHT: Final = 44
TOP: Final = 8
BELOW: Final = 24
_STEPS: Final = (10, 20, 50, 100, 200, 500)
_MOST_LINES: Final = 6
_MOST_DOTS: Final = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """A label beside the frame; `at` is its vertical or horizontal position."""

    at: float
    figure: int


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """The data a template draws; `points` and `band` are SVG point lists."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    points: str
    band: str
    levels: Sequence[Mark]
    matches: Sequence[Mark]
    dots: Sequence[tuple[float, float]]
    last: tuple[float, float]
    last_figure: int

    @property
    def frame_width(self) -> int:
        """The width of the frame."""
        return self.right - self.left

    @property
    def frame_height(self) -> int:
        """The height of the frame."""
        return self.bottom - self.top


def rating_line(ratings: Sequence[int], spreads: Sequence[int], *, width: int, height: int) -> RatingCurve:
    """Return the chart of ratings and their uncertainties: before the first match, then after each."""
    step = next(
        (step for step in _STEPS if (max(ratings) - min(ratings)) / step <= _MOST_LINES - 1), _STEPS[-1]
    )
    low = (min(ratings) - 1) // step * step
    high = -(-(max(ratings) + 1) // step) * step
    frame = width - LEFT - RIGHT, height - TOP - BELOW
    last = max(len(ratings) - 1, 1)

    def x(number: int) -> float:
        return round(LEFT + frame[0] * number / last, 1)

    def y(figure: float) -> float:
        return round(TOP + frame[1] * (high - figure) / (high - low), 1)

    places = [(x(number), y(figure)) for number, figure in enumerate(ratings)]
    above = [(x(n), y(figure + off)) for n, (figure, off) in enumerate(zip(ratings, spreads, strict=True))]
    under = [(x(n), y(figure - off)) for n, (figure, off) in enumerate(zip(ratings, spreads, strict=True))]
    return RatingCurve(
        width,
        height,
        LEFT,
        width - RIGHT,
        TOP,
        height - BELOW,
        _written(places),
        _written([*above, *reversed(under)]),
        [Mark(y(figure), figure) for figure in range(low, high + 1, step)],
        [Mark(x(number), number) for number in _counted(len(ratings) - 1)],
        places[1:] if len(places) <= _MOST_DOTS else (),
        places[-1],
        ratings[-1],
    )


def _counted(matches: int) -> Sequence[int]:
    """Return the match numbers labelled below the frame: about five, always including the last."""
    step = next(step for step in chain((1, 2, 5), _STEPS, (1000, 10_000)) if matches / step <= 5)
    round_numbers = [number for number in range(step, matches, step) if matches - number >= step / 2]
    return [*round_numbers, matches]


def _written(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
