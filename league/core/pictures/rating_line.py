"""A player's rating history as a line chart: coordinates in the units of an SVG of a given size.

Matches are evenly spaced, from a newcomer's 1500 to today; a band behind the line shows the uncertainty. The
scale fits the line; the band is clipped at the frame. Below it stand the results: a stroke upwards for a
match won, downwards for one lost, a dash for one drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Mark, Scale, numbered, round_step, written

# Margins for labels left of the frame, below it, and for the last figure right of it.
LEFT: Final = 38
RIGHT: Final = 44
TOP: Final = 8
BELOW: Final = 24
# The strip of results between the frame and its labels, its middle, and what is drawn from there.
STRIP: Final = 22
_HALF: Final = 12
_STROKES: Final = {"won": "v-7", "lost": "v7", "drawn": "m-1.5 0h3"}
_LEAST_STEP: Final = 10
_MOST_LINES: Final = 6
_MOST_DOTS: Final = 40


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """The data a template draws; `points` and `band` are SVG point lists, `results` the `d` of a path."""

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
    results: str

    @property
    def frame_width(self) -> int:
        """The width of the frame."""
        return self.right - self.left

    @property
    def frame_height(self) -> int:
        """The height of the frame."""
        return self.bottom - self.top


def rating_line(
    ratings: Sequence[int], spreads: Sequence[int], verdicts: Sequence[str] = (), *, width: int, height: int
) -> RatingCurve:
    """Return the chart of ratings and their uncertainties: before the first match, then after each.

    `verdicts` are those of the matches, `won`, `drawn` or `lost`; without them there is no strip of results.
    """
    step = round_step(max(ratings) - min(ratings), _MOST_LINES - 1, _LEAST_STEP)
    low = (min(ratings) - 1) // step * step
    high = -(-(max(ratings) + 1) // step) * step
    right, bottom = width - RIGHT, height - BELOW - STRIP * bool(verdicts)
    x = Scale(0, max(len(ratings) - 1, 1), LEFT, right).at
    y = Scale(low, high, bottom, TOP).at
    places = [(x(number), y(figure)) for number, figure in enumerate(ratings)]
    above = [(x(n), y(figure + off)) for n, (figure, off) in enumerate(zip(ratings, spreads, strict=True))]
    under = [(x(n), y(figure - off)) for n, (figure, off) in enumerate(zip(ratings, spreads, strict=True))]
    return RatingCurve(
        width,
        height,
        LEFT,
        right,
        TOP,
        bottom,
        written(places),
        written([*above, *reversed(under)]),
        [Mark(y(figure), figure) for figure in range(low, high + 1, step)],
        [Mark(x(number), number) for number in numbered(len(ratings) - 1)],
        places[1:] if len(places) <= _MOST_DOTS else (),
        places[-1],
        ratings[-1],
        "".join(
            f"M{x(number):g} {bottom + _HALF:g}{_STROKES[verdict]}"
            for number, verdict in enumerate(verdicts, start=1)
            if verdict in _STROKES
        ),
    )
