"""A player's rating from match to match as a line: points for an SVG of a given size, all in its units.

The line runs over the matches at even distances, from the newcomer's 1500 to today; behind it a band says how
far off it may have been. The scale shows the line; the band is cut off where it leaves the frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

# What is free for figures left of the frame and below it, and for the last figure right of it.
LEFT: Final = 38
RIGHT: Final = 44
TOP: Final = 8
BELOW: Final = 24
_STEPS: Final = (10, 20, 50, 100, 200, 500)
_MOST_LINES: Final = 6
_MOST_DOTS: Final = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure beside the frame and where it stands: `at` is its height, or its place from the left."""

    at: float
    figure: int


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """What a template needs to draw it; `points` and `band` are lists as SVG writes them."""

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
        """From the left edge of the frame to the right one."""
        return self.right - self.left

    @property
    def frame_height(self) -> int:
        """From the upper edge of the frame to the lower one."""
        return self.bottom - self.top


def rating_line(ratings: Sequence[int], spreads: Sequence[int], *, width: int, height: int) -> RatingCurve:
    """The drawing of ratings and how far off each may be: before the first match, then after each."""
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
    """The matches that have their number below the frame: about five, the last always."""
    step = next(step for step in chain((1, 2, 5), _STEPS, (1000, 10_000)) if matches / step <= 5)
    round_numbers = [number for number in range(step, matches, step) if matches - number >= step / 2]
    return [*round_numbers, matches]


def _written(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
