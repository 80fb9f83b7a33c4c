"""How long a player thought: from the seconds of his moves to figures that a director can read."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Final

# Where a band of seconds ends and the next begins.
BAND_ENDS: Final = (1, 3, 10, 30, 120)


@dataclass(frozen=True, slots=True)
class Pace:
    """The seconds of `count` moves: the quickest and the slowest, the median, and the quartiles around it.

    `bands` are how many took less than each of `BAND_ENDS` and not less than the one before, and at last how
    many took longer than all.
    """

    count: int
    quickest: float
    lower: float
    median: float
    upper: float
    slowest: float
    bands: tuple[int, ...]


def pace_of(seconds: Sequence[float]) -> Pace | None:
    """The pace of moves that took these seconds; None without any.

    Quartiles lie between the moves next to them, in proportion: those of 1, 2, 3, 4, 5 are 2, 3 and 4.
    """
    if not seconds:
        return None
    ordered = sorted(seconds)
    lower, median, upper = quantiles(ordered, n=4, method="inclusive") if len(ordered) > 1 else ordered * 3
    bands = [0] * (len(BAND_ENDS) + 1)
    for one in ordered:
        bands[bisect_right(BAND_ENDS, one)] += 1
    return Pace(len(ordered), ordered[0], lower, median, upper, ordered[-1], tuple(bands))
