"""What all pictures share: frames, scales, the figures beside them, and the points of lines as in SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A label beside a frame; `at` is its vertical or horizontal position."""

    at: float
    figure: int


@dataclass(frozen=True, slots=True)
class Scale:
    """Figures from `low` to `high`, on a line from `start` to `end`, which may run either way."""

    low: float
    high: float
    start: float
    end: float

    def at(self, figure: float) -> float:
        """The position of a figure, to a tenth of a unit; outside the line for one outside the scale."""
        share = (figure - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * share, 1)


def round_step(extent: float, most: int, least: int = 1) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 … from `least` on of which at most `most` go into the extent."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least and extent / (digit * power) <= most:
                return digit * power
        power *= 10


def numbered(last: int) -> Sequence[int]:
    """Which of 1 … `last` are labelled: about five in round steps, always including the last."""
    step = round_step(last, 5)
    return [*(number for number in range(step, last, step) if last - number >= step / 2), last]


def written(points: Iterable[Point]) -> str:
    """The points of an SVG's polyline or polygon."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def apart(wanted: Sequence[float], gap: float, *, low: float, high: float) -> list[float]:
    """Positions of labels near those wanted, in their order, at least `gap` from each other.

    Within `low` and `high`, as far as there is room. Labels that touch are moved as one, to the middle of
    where they are wanted.
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    # Each group: its labels, and the place wanted for the first of them, summed over the group.
    groups: list[tuple[list[int], float]] = []
    for index in order:
        group, total = [index], wanted[index]
        while groups and _first(groups[-1], gap, low, high) + gap * len(groups[-1][0]) > _first(
            (group, total), gap, low, high
        ):
            before, sum_before = groups.pop()
            total = sum_before + total - gap * len(before) * len(group)
            group = before + group
        groups.append((group, total))
    found = [0.0] * len(wanted)
    for group, total in groups:
        first = _first((group, total), gap, low, high)
        for place, index in enumerate(group):
            found[index] = round(first + gap * place, 1)
    return found


def _first(group: tuple[list[int], float], gap: float, low: float, high: float) -> float:
    """Where the first label of a group stands."""
    labels, total = group
    return max(min(total / len(labels), high - gap * (len(labels) - 1)), low)
