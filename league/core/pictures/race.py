"""The race of an event: the places of its entries after each round, as lines that cross.

Entries level in all criteria share a rank and stand in the order of the table, so that no line hides another.
The label at the end of a line has the rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Mark, Point, Scale, numbered, written

# The first so many at the end are picked out, each by a pattern of its own.
PICKED: Final = 3

_ROW: Final = 18
_TOP: Final = 12
_BELOW: Final = 26
_LEFT: Final = 24
_MOST_DOTS: Final = 16


@dataclass(frozen=True, slots=True)
class Runner:
    """An entry, in order of the last table: its position after each round, None before it came."""

    label: str
    positions: Sequence[int | None]
    rank: int
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class RaceLine:
    """The line of a runner; `pattern` is 1 to `PICKED` of the first, 0 of others.

    The label begins at the end of the line. `dots` are the places after each round, of lines picked out.
    """

    label: str
    points: str
    dots: Sequence[Point]
    end: Point
    rank: int
    pattern: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class Race:
    """The data a template draws: lines, those picked out last so that they lie above the others."""

    width: int
    height: int
    left: float
    right: float
    lines: Sequence[RaceLine]
    rounds: Sequence[Mark]
    places: Sequence[Mark]


def race(runners: Sequence[Runner], rounds: Sequence[int], *, width: int, label: int) -> Race:
    """Return the drawing of at least one runner over at least one round (`rounds` are their numbers).

    `width` is that of the drawing, `label` what of it is kept for the names at the end.
    """
    places = len(runners)
    bottom = _TOP + _ROW * max(places - 1, 1)
    right = width - label
    x = Scale(0, max(len(rounds) - 1, 1), _LEFT + 10, right).at
    y = Scale(1, max(places, 2), _TOP, bottom).at
    shown = set(numbered(len(rounds)))
    lines = []
    for index, runner in reversed(list(enumerate(runners))):
        points = [(x(number), y(place)) for number, place in enumerate(runner.positions) if place is not None]
        pattern = index + 1 if index < PICKED else 0
        dotted = (pattern or runner.is_own) and len(rounds) <= _MOST_DOTS
        # A line of one round is a point: it is drawn as a short dash.
        drawn = points if len(points) > 1 else [(points[0][0] - 6, points[0][1]), *points]
        dots = points if dotted else ()
        last = points[-1]
        lines.append(RaceLine(runner.label, written(drawn), dots, last, runner.rank, pattern, runner.is_own))
    return Race(
        width,
        bottom + _BELOW,
        _LEFT,
        right,
        sorted(lines, key=lambda line: (line.is_own, bool(line.pattern))),
        [Mark(x(place), number) for place, number in enumerate(rounds) if place + 1 in shown],
        [Mark(y(place), place) for place in (1, *range(5, places + 1, 5))],
    )
