"""What one's choices cost from match to match, as a line: coordinates in the units of an SVG of a given size.

Matches are evenly spaced, in the order played. A dot is the mean of a match, the line that of the latest
matches up to it, every choice counting alike: a match alone says little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Mark, Point, Scale, numbered, round_step, written

# The line is the mean of so many matches.
WINDOW: Final = 5
_LEFT: Final = 38
_RIGHT: Final = 44
_TOP: Final = 10
_BELOW: Final = 24
_MOST_LEVELS: Final = 4
# Levels are at tenths of a point.
_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Costs:
    """How many choices there were, and the points they cost together."""

    choices: int
    points: float

    @property
    def mean(self) -> float:
        """The cost of a choice, never below 0; 0 where there was none."""
        return max(self.points / self.choices, 0.0) if self.choices else 0.0


@dataclass(frozen=True, slots=True)
class CostLevel:
    """A horizontal line, with the points it stands for."""

    at: float
    points: float


@dataclass(frozen=True, slots=True)
class CostLine:
    """The data a template draws; `points` is an SVG point list, `last_figure` the end of the line."""

    width: int
    height: int
    left: int
    right: int
    points: str
    levels: Sequence[CostLevel]
    matches: Sequence[Mark]
    dots: Sequence[Point]
    last: Point
    last_figure: float


def together(costs: Sequence[Costs]) -> Costs:
    """The costs added up."""
    return Costs(sum([one.choices for one in costs]), sum([one.points for one in costs]))


def running_means(matches: Sequence[Costs]) -> list[float]:
    """For each match the mean cost of a choice in it and those before it, `WINDOW` of them in all."""
    return [together(matches[max(0, end - WINDOW) : end]).mean for end in range(1, len(matches) + 1)]


def cost_line(matches: Sequence[Costs], *, width: int, height: int) -> CostLine | None:
    """Return the line of these matches, in the order played; None without two in which there was a choice.

    Matches without a choice of this kind have no dot, and the line goes on through them.
    """
    if sum([one.choices > 0 for one in matches]) < 2:
        return None
    running = running_means(matches)
    top = max(*running, *[one.mean for one in matches])
    step = round_step(top * _TENTHS, _MOST_LEVELS) / _TENTHS
    high = step * (int(top / step) + 1)
    right, bottom = width - _RIGHT, height - _BELOW
    x = Scale(1, len(matches), _LEFT, right).at
    y = Scale(0, high, bottom, _TOP).at
    line = [(x(number), y(mean)) for number, mean in enumerate(running, start=1)]
    return CostLine(
        width,
        height,
        _LEFT,
        right,
        written(line),
        [CostLevel(y(step * level), step * level) for level in range(round(high / step) + 1)],
        [Mark(x(number), number) for number in numbered(len(matches))],
        [(x(number), y(one.mean)) for number, one in enumerate(matches, start=1) if one.choices],
        line[-1],
        running[-1],
    )
