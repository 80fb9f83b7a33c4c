"""Duplicate scores: what an entry made of its cards, compared with all others who held the same.

Each play of a pack is compared with the mean of all other plays of that pack, its own left out, as bridge
compares across all tables (cross-IMPs), but in points: gin has no scale of IMPs. What one side has above the
mean the other has below it, so the scores of a pack add up to 0. Exact fractions, rounded once, at the end.
"""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from league.core.standings.results import Number


class PackPlay(NamedTuple):
    """One play of a pack of a round: who dealt, who had the other cards, and the dealer's signed points."""

    round: int
    pack: int
    dealer: int
    other: int
    net: int


class ComparedPlay(NamedTuple):
    """A play and the dealer's points above the mean of those others who held its cards.

    The other side has the opposite. None if nobody else held them.
    """

    play: PackPlay
    score: Fraction | None


def compare(plays: Iterable[PackPlay]) -> list[ComparedPlay]:
    """Compare every play with all others of the same pack; in the order in which they were given."""
    plays = tuple(plays)
    nets: dict[tuple[int, int], list[int]] = defaultdict(list)
    for play in plays:
        nets[play.round, play.pack].append(play.net)
    return [ComparedPlay(play, _above_others(play.net, nets[play.round, play.pack])) for play in plays]


def duplicate_scores(plays: Iterable[PackPlay]) -> dict[int, Number]:
    """Return the duplicate score of every entry that played: the sum over its plays, to the hundredth.

    A play that nobody can be compared with counts 0.
    """
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for play, score in compare(plays):
        sums[play.dealer] += score or 0
        sums[play.other] -= score or 0
    return {entry: hundredths(total) for entry, total in sums.items()}


def _above_others(net: int, nets: list[int]) -> Fraction | None:
    others = len(nets) - 1
    return Fraction(net) - Fraction(sum(nets) - net, others) if others else None


def hundredths(score: Fraction) -> Decimal:
    """Round to the hundredth, halves away from 0."""
    whole = score * 100
    sign = -1 if whole < 0 else 1
    return Decimal(sign * ((abs(whole) * 2 + 1) // 2)) / 100
