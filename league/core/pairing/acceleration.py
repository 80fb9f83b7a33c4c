"""Virtual points that let a large Swiss sort itself out in fewer rounds.

The Baku acceleration of the FIDE Handbook (C.04.5.1): the first half of the entries by seed, rounded up to an
even number, is paired in the first half of the rounds, rounded up, as if it had more points: those of a win
in the first half of these rounds, rounded up, those of a draw in the others.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final

from league.core.pairing.swiss import Number

ROUNDS_UNKNOWN: Final = 4
"""Rounds of a Swiss that is open, of which the first two are accelerated."""


def first_half(order: Sequence[int], began: Collection[int]) -> frozenset[int]:
    """Return those of all, given by seed, down to the last in the first half of those who `began`.

    Whoever comes later moves nobody from one half to the other, and belongs where the seed stands.
    """
    beginners = [place for place, entry in enumerate(order) if entry in began]
    half = beginners[: 2 * -(-len(beginners) // 4)]
    return frozenset(order[: half[-1] + 1] if half else ())


def accelerated_rounds(rounds: int | None) -> int:
    """Return how many of so many rounds are accelerated; None where their number is open."""
    return -(-(rounds or ROUNDS_UNKNOWN) // 2)


def virtual_points(round_number: int, accelerated: int, *, win: Number, draw: Number) -> Number:
    """Return the points added to the first half when this round is paired; so many are `accelerated`."""
    if round_number > accelerated:
        return 0
    return win if round_number <= -(-accelerated // 2) else draw


def virtual_runs(accelerated: int, *, win: Number, draw: Number) -> list[tuple[Number, int, int]]:
    """Return the virtual points where so many rounds are accelerated, each with its first and last round."""
    numbers = range(1, accelerated + 1)
    grouped = groupby(numbers, key=lambda number: virtual_points(number, accelerated, win=win, draw=draw))
    runs = [(points, list(run)) for points, run in grouped]
    return [(points, run[0], run[-1]) for points, run in runs if points]
