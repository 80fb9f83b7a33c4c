"""The cheapest matching of everybody where score groups are satisfied from the top down.

Places stand in levels, 0 the highest. Whoever meets somebody of a lower level floats over each boundary
between the two. Of all matchings of everybody the best one is that which costs least before floats are
counted; of those the one with fewest floats over the highest boundary, then over the next, and so on; of
those the one that costs least after. What a pair costs before and after are digits, the weightiest first.

It is found by maximum-weight matching (Edmonds' blossoms, by rustworkx). A weight is a number in mixed
radix: a digit's radix is more than a matching can cost in it, so that no sum carries into the digit before.
Weights have 128 bits, too few for a digit for each of many boundaries with many places. But most boundaries
reach a bound that is known beforehand: an odd number of places above needs a float, and so does who finds
nobody to meet above. So:

1. Every boundary weighs the same, and the cheapest matching is looked at from the top. As long as its
   floats are at their bound, none can have fewer.
2. From the first boundary that is not, as many as fit are given a digit each. What the matching then has
   over these is the least, and again over all that follow up to one that is not at its bound.
3. What is known is held by weights that are small: a boundary weighs more than all known ones below it can
   gain. With `d` floats over a boundary where the bound is `m`, not more than `d - m` can be gained. This
   grows with every boundary that is not at its bound, and is cut off at 2⁴⁰.
4. Where nobody floats over a known boundary, all above it is done, and the rest is a matching of its own.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, combinations
from math import prod
from operator import index, mul
from typing import Final, NamedTuple

import rustworkx

# The matching works with multiples of the weights, which have 128 bits.
MOST_BITS: Final = 112
_MOST_FACTOR: Final = 2**40
# With more boundaries a float may be so long that its square is not told from that of a shorter one.
_MOST_NEAR: Final = 200

Edge = tuple[int, int, Sequence[int], Sequence[int]]
"""Two places that may meet, the higher first, and what it costs before floats are counted and after."""
Matching = Sequence[tuple[int, int]]


class TopDown:
    """The places 0 … n - 1 of these levels, best first, and with an odd number the place n, called bye.

    The bye is on no level: whoever has it floats over no boundary. `may_meet` says who may, also of pairs
    that are not among the edges, the higher place first; with the place n, who may have the bye.
    `most_before` and `most_after` are the most that a matching can cost in each digit. Where not all fits,
    the last digits of `after` are left out.
    """

    def __init__(
        self,
        levels: Sequence[int],
        edges: Sequence[Edge],
        *,
        may_meet: Callable[[int, int], bool],
        most_before: Sequence[int],
        most_after: Sequence[int],
    ) -> None:
        self.levels = levels
        self.n = len(levels)
        self.nodes = self.n + self.n % 2
        self.edges = edges
        self.may_meet = may_meet
        self.most_before = most_before
        self.most_after = most_after
        self.boundaries = levels[-1]
        self.sizes = [levels.count(level) for level in range(levels[-1] + 1)]
        self.most_floats = [min(above, self.n - above) for above in accumulate(self.sizes[:-1])]
        self._least: dict[int, int] = {}

    def near(self, reach: int) -> Matching | None:
        """Return the best matching if it is certain although no edge is longer than `reach`.

        It is if it costs nothing before, has as few floats over each boundary as any can have, and these are
        short: with a float longer than `reach` the sum of squares, by more than what all floats are together,
        would be `reach * (reach + 1)` at least. How long floats are is the first digit after.
        """
        if (
            self.boundaries > _MOST_NEAR
            or len({place for edge in self.edges for place in edge[:2]}) < self.nodes
        ):
            return None
        matching = self._cheapest(self._held(()))
        if not self._is_whole(matching):
            return None
        taken = set(matching)
        if any(any(before) for a, b, before, _after in self.edges if (a, b) in taken):
            return None
        floats = [self.levels[b] - self.levels[a] for a, b in matching if b < self.n]
        if sum(each * (each - 1) for each in floats) >= reach * (reach + 1):
            return None
        return matching if len(self._known(matching, 0)) == self.boundaries else None

    def best(self) -> Matching | None:
        """The best matching of everybody, the higher place first in each pair; None where there is none."""
        known: Sequence[_Known] = ()
        while True:
            matching = self._cheapest(self._held(known))
            if not self._is_whole(matching):
                return None
            known = self._known(matching, len(known))
            if len(known) == self.boundaries:
                return matching
            shut = max((at for at, each in enumerate(known) if not each.floats), default=None)
            if shut is not None:
                return self._in_two(matching, sum(self.sizes[: shut + 1]))
            weights, certain = self._told_apart(known)
            known = self._known(self._cheapest(weights, after=False), certain)

    def _in_two(self, matching: Matching, above: int) -> Matching | None:
        """What the matching has among so many places from the top, and the best among the others.

        Nobody floats from the ones to the others, so each is the best for itself.
        """
        whole = [(a, b) for a, b in matching if a < above]
        has_bye = any(b == self.n for _a, b in whole)
        level = self.levels[above]
        below = TopDown(
            [each - level for each in self.levels[above:]],
            [
                (a - above, b - above, before, after)
                for a, b, before, after in self.edges
                if a >= above and not (has_bye and b == self.n)
            ],
            may_meet=lambda a, b: self.may_meet(a + above, b + above),
            most_before=self.most_before,
            most_after=self.most_after,
        ).best()
        if below is None:
            return None
        return [*whole, *((a + above, b + above) for a, b in below)]

    def _is_whole(self, matching: Matching) -> bool:
        return 2 * len(matching) == self.nodes

    def _cheapest(self, weights: "_Weights", *, after: bool = True) -> Matching:
        """The cheapest matching of as many as can be, by these weights of the boundaries."""
        radices = [each + 1 for each in self.most_after] if after else []
        while radices and _bits(self.most_before, weights, radices) > MOST_BITS:
            radices.pop()
        scales, unit = _scales(radices), prod(radices)
        floats = [each * unit for each in accumulate(weights.each, initial=0)]
        over = [scale * unit * (weights.most + 1) for scale in _scales([1 + n for n in self.most_before])]
        top = over[0] * (1 + self.most_before[0])
        weighed = []
        for a, b, before, low in self.edges:
            cost = sum(map(mul, low, scales))
            if b < self.n:
                cost += floats[self.levels[b]] - floats[self.levels[a]]
            if any(before):
                cost += sum(map(mul, before, over))
            weighed.append((a, b, top - cost))
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(self.nodes))
        graph.add_edges_from(weighed)
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=index)
        return sorted((min(a, b), max(a, b)) for a, b in found)

    def _held(self, known: Sequence["_Known"], digits: int = 0) -> "_Weights":
        """Weights that keep to what is known, with a digit for so many boundaries after it, else 1."""
        each = [1] * self.boundaries
        first = len(known) + digits
        most = sum(self.most_floats[first:])
        for at in reversed(range(len(known), first)):
            each[at] = most + 1
            most += each[at] * self.most_floats[at]
        unit, factor = most + 1, 1
        for at in reversed(range(len(known))):
            each[at] = unit * factor
            most += each[at] * known[at].floats
            factor = min(factor * (1 + known[at].floats - known[at].bound), _MOST_FACTOR)
        return _Weights(each, max(most, sum(each)))

    def _told_apart(self, known: Sequence["_Known"]) -> tuple["_Weights", int]:
        """Weights with as many digits after what is known as fit, and to where their floats are certain."""
        digits = self.boundaries - len(known)
        while digits > 1 and _bits(self.most_before, self._held(known, digits)) > MOST_BITS:
            digits -= 1
        return self._held(known, digits), len(known) + digits

    def _boundaries(self, matching: Matching) -> list[tuple[int, int]]:
        """For each boundary, how many float over it, and how many play who are above it."""
        steps, sizes = [0] * (self.boundaries + 1), list(self.sizes)
        for a, b in matching:
            if b == self.n:
                sizes[self.levels[a]] -= 1
            else:
                steps[self.levels[a]] += 1
                steps[self.levels[b]] -= 1
        return list(zip(accumulate(steps[:-1]), accumulate(sizes), strict=False))

    def _known(self, matching: Matching, certain: int) -> list["_Known"]:
        """How many float over the boundaries from the top at best, as far as this matching tells.

        It is at the best over the first `certain` boundaries, and over all that follow up to the first where
        it is not at its bound.
        """
        known: list[_Known] = []
        for at, (floats, above) in enumerate(self._boundaries(matching)):
            bound = above % 2
            if floats > bound:
                if at not in self._least:
                    self._least[at] = self._unpaired(at, matching)
                bound = self._least[at]
            if at >= certain and floats > bound:
                break
            known.append(_Known(floats, bound))
        return known

    def _unpaired(self, boundary: int, matching: Matching) -> int:
        """How many float over a boundary at least, since they find nobody to meet on their side of it.

        The bye is on the level that it has in the matching: in all that cost as little before it is the same.
        """
        levels = [*self.levels, *(self.levels[a] for a, b in matching if b == self.n)]
        least = 0
        for is_above in (True, False):
            inside = [(level <= boundary) == is_above for level in levels]
            those = [place for place, is_inside in enumerate(inside) if is_inside]
            graph = rustworkx.PyGraph()
            graph.add_nodes_from(range(len(levels)))
            graph.add_edges_from_no_data(
                [
                    (a, b)
                    for a, b in combinations(those, 2)
                    if (b < self.n or levels[a] == levels[b]) and self.may_meet(a, b)
                ]
            )
            paired = rustworkx.max_weight_matching(graph, max_cardinality=True)
            least = max(least, sum(inside) - 2 * len(paired))
        return least


class _Known(NamedTuple):
    """How many float over a boundary at best, and a bound below which nothing is."""

    floats: int
    bound: int


class _Weights(NamedTuple):
    """What a float over each boundary weighs, and the most that those of the best matching or a pair do."""

    each: Sequence[int]
    most: int


def _bits(most_before: Sequence[int], weights: _Weights, radices: Sequence[int] = ()) -> int:
    return (prod(1 + each for each in most_before) * (weights.most + 1) * prod(radices)).bit_length()


def _scales(radices: Sequence[int]) -> list[int]:
    """What 1 is worth in each digit, the weightiest first."""
    return [prod(radices[at + 1 :]) for at in range(len(radices))]
