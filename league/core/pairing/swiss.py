"""A round of a Swiss: everybody plays somebody new of about the same score, and nobody sits out twice.

The whole round is one maximum-weight matching (Edmonds' blossoms, by rustworkx) over all pairs that are
allowed; with an odd number a place called "bye" takes part in it. A pair costs a number written in mixed
radix, one digit for each thing that matters, the weightiest first, so that the cheapest matching is the best
in the first respect, among those the best in the second, and so on (as in S. Ólafsson, "Weighted matching in
chess tournaments", 1990):

1. the bye goes to the lowest score among those who had none;
2. the **total float** is least. Scores are numbered from the top, 0 for the highest: equal scores have one
   number, and no number is left out. A pair floats by the difference of its two numbers; the total float is
   the sum over all pairs, the bye left out. Two of the same score float by 0;
3. no float is longer than it must be: the sum of squares is least, where a float of more than 15 counts as
   one of 15;
4. the bye goes to the last by seed among those of its score;
5. first dealers balance: how often each was named first and second differs by one at most where that can be;
6. in a group of equal scores the top half by seed meets the bottom half, the first of the one the first of
   the other; those who float down are the last of their group, and meet the first of the next;
7. the lot, drawn from the seed.

A weight has 128 bits: where not all of this fits, the last of it is left out, with 512 entries the lot.

Never a second meeting, never a forbidden pair, never a second bye: only where no pairing can keep to that, it
is refused, and the refusal offers the pairing that keeps to it best.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from operator import index
from typing import Final

import rustworkx

from league.core.pairing.errors import PairingError
from scoring.core.messages import Message, mark, mark_plural, together

Number = int | Decimal

# Weights of the matching have 128 bits, and it works with multiples of them.
_MOST_BITS: Final = 112
_LOT_BITS: Final = 16
_LOT_PRIME: Final = 2**31 - 1
_LONGEST_SQUARED: Final = 15


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is to be paired: a number of the caller's, the score so far, and the seed, 1 for the strongest.

    Those without a seed come after those with one, in an order drawn by lot that stays while the seed of the
    draw does.
    """

    id: int
    score: Number = 0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Met:
    """What was: `first`, who dealt first, met `second`; had the bye where there is no `second`."""

    first: int
    second: int | None = None


class Reason(StrEnum):
    """Why two meet, or why somebody has the bye."""

    SAME_SCORE = "same score"
    ODD_GROUP = "floated down: odd group"
    NO_PARTNER = "floated down: nobody of the same score left to meet"
    REMATCH = "rematch: no other pairing"
    FORBIDDEN = "should not meet: no other pairing"
    BYE = "bye: lowest score without one"
    BYE_HIGHER = "bye: lowest score without one that leaves the others a pairing"
    BYE_AGAIN = "bye again: no other pairing"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who meet; `first` deals first. `floated` is the one of the higher score, None where it is one."""

    first: int
    second: int
    reasons: tuple[Reason, ...]
    floated: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: pairs in order of tables, the highest score first, and who has the bye.

    `total_float` is defined at the top of this module.
    """

    pairs: tuple[Pair, ...]
    bye: int | None
    bye_reasons: tuple[Reason, ...]
    total_float: int

    @property
    def rematches(self) -> int:
        """How many pairs have met before."""
        return sum(Reason.REMATCH in pair.reasons for pair in self.pairs)

    @property
    def forbidden(self) -> int:
        """How many pairs should not meet."""
        return sum(Reason.FORBIDDEN in pair.reasons for pair in self.pairs)

    @property
    def repeats_bye(self) -> bool:
        """Whether the bye goes to somebody who had one."""
        return Reason.BYE_AGAIN in self.bye_reasons


class NoPairingError(PairingError):
    """Nothing keeps to all that is asked (`no_pairing`); `offer` is the pairing that comes nearest.

    It has the fewest forbidden pairs, among those the fewest byes given again, among those the fewest
    rematches.
    """

    def __init__(self, message: Message, offer: Pairing) -> None:
        super().__init__("no_pairing", message, field="entries")
        self.offer = offer


def pair(
    entries: Iterable[Entrant],
    history: Iterable[Met],
    *,
    round_number: int,
    seed: int | str,
    forbidden: Iterable[tuple[int, int]] = (),
) -> Pairing:
    """The pairs of round `round_number` for those who play in it, by the rules at the top of this module.

    `entries` are who is here: late entries with the score they were given, nobody who has withdrawn.
    `history` holds all earlier rounds in order; it may name entries that are not here, as may `forbidden`,
    pairs that never meet. The same arguments give the same pairing, in whatever order entries stand.

    Refused with a `PairingError`: fewer than two entries (`too_few_entries`), an entry or a seed twice
    (`entry_twice`, `seed_twice`), a score that is no number (`out_of_range`), an entry paired with itself
    (`same_entry`), a round before the first (`out_of_range`). Where nobody can be paired without a rematch, a
    forbidden pair or a second bye: `NoPairingError` with an offer.
    """
    if round_number < 1:
        raise PairingError(
            "out_of_range",
            mark("There is no round %(round_number)s.", round_number=round_number),
            field="round_number",
        )
    draw = _Draw(_checked(entries), history, forbidden, round_number, seed)
    matching = draw.matched(_Allowed.NEAR)
    if not draw.is_best(matching):
        matching = draw.matched(_Allowed.ALL)
    if draw.is_whole(matching):
        return draw.pairing(matching)
    offer = draw.pairing(draw.matched(_Allowed.ANYTHING))
    raise NoPairingError(_what_is_missing(offer, round_number), offer)


class _Allowed(StrEnum):
    NEAR = "new pairs that float by one at most"
    ALL = "new pairs"
    ANYTHING = "also rematches, forbidden pairs and second byes"


Edge = tuple[int, int, Sequence[int]]


class _Draw:
    """One round being paired. Entries are places 0 … n − 1, best score and seed first; `n` is the bye."""

    def __init__(
        self,
        entries: Sequence[Entrant],
        history: Iterable[Met],
        forbidden: Iterable[tuple[int, int]],
        round_number: int,
        seed: int | str,
    ) -> None:
        self.entries = sorted(
            entries,
            key=lambda entry: (
                -entry.score,
                math.inf if entry.seed is None else entry.seed,
                sha256(f"{seed}:{entry.id}".encode()).digest(),
            ),
        )
        self.n = len(entries)
        scores = sorted({entry.score for entry in entries}, reverse=True)
        number = {score: level for level, score in enumerate(scores)}
        self.level = [number[entry.score] for entry in self.entries]
        self.size = Counter(self.level)
        self.start: dict[int, int] = {}
        for place, level in enumerate(self.level):
            self.start.setdefault(level, place)
        self.place = {entry.id: place for place, entry in enumerate(self.entries)}
        self.met: Counter[tuple[int, int]] = Counter()
        self.byes: Counter[int] = Counter()
        # How often each was named first, less how often second; and when, the latest last.
        self.balance = [0] * self.n
        self.named: dict[int, list[int]] = defaultdict(list)
        self._read(history)
        self.forbidden: set[tuple[int, int]] = set()
        for a, b in forbidden:
            if a == b:
                raise PairingError("same_entry", mark("An entry does not meet itself."), field="forbidden")
            if a in self.place and b in self.place:
                self.forbidden.add(self._ordered(a, b))
        self.lots = [
            int.from_bytes(sha256(f"{seed}:{round_number}:{entry.id}".encode()).digest()[:4])
            for entry in self.entries
        ]

    def matched(self, allowed: _Allowed) -> list[tuple[int, int]]:
        """The cheapest matching of as many as can be matched, the better place first in each pair."""
        nodes = self.n + self.n % 2
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(_weighed(self._edges(allowed), nodes // 2))
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=index)
        return sorted((min(a, b), max(a, b)) for a, b in found)

    def is_whole(self, matching: Sequence[tuple[int, int]]) -> bool:
        """Whether everybody is in it, the bye too where there is one."""
        return 2 * len(matching) == self.n + self.n % 2

    def is_best(self, matching: Sequence[tuple[int, int]]) -> bool:
        """Whether this matching of pairs that float by one at most is the best of all.

        Where those of some score and all above it are an odd number, somebody floats across. If the total
        float is no more than that, and the bye is at the lowest score that can have it, then the first three
        criteria are at their least, and whatever is as good floats by one at most too.
        """
        if not self.is_whole(matching):
            return False
        bye = self._bye_of(matching)
        if bye is not None and self.level[bye] != self._lowest_without_bye():
            return False
        total = sum(self.level[b] - self.level[a] for a, b in matching if b < self.n)
        return total == sum(count % 2 for count in self._downwards(bye))

    def pairing(self, matching: Sequence[tuple[int, int]]) -> Pairing:
        """The matching with names, who deals first, and why."""
        bye = self._bye_of(matching)
        pairs = [(a, b) for a, b in matching if b < self.n]
        crossing: Counter[int] = Counter()
        for a, b in pairs:
            crossing.update(range(self.level[a], self.level[b]))
        odd = [count % 2 for count in self._downwards(bye)]
        made = []
        for a, b in pairs:
            first, second = (a, b) if self._deals_first(a, b) else (b, a)
            level = self.level[a]
            floats = self.level[b] > level
            if not floats:
                reasons = [Reason.SAME_SCORE]
            elif crossing[level] == odd[level]:
                reasons = [Reason.ODD_GROUP]
            else:
                reasons = [Reason.NO_PARTNER]
            if self.met[a, b]:
                reasons.append(Reason.REMATCH)
            if (a, b) in self.forbidden:
                reasons.append(Reason.FORBIDDEN)
            made.append(
                Pair(
                    self.entries[first].id,
                    self.entries[second].id,
                    tuple(reasons),
                    self.entries[a].id if floats else None,
                )
            )
        return Pairing(
            tuple(made),
            None if bye is None else self.entries[bye].id,
            () if bye is None else (self._why_bye(bye),),
            sum(self.level[b] - self.level[a] for a, b in pairs),
        )

    def _read(self, history: Iterable[Met]) -> None:
        for number, met in enumerate(history, start=1):
            if met.first == met.second:
                raise PairingError("same_entry", mark("An entry does not meet itself."), field="history")
            first = self.place.get(met.first)
            if met.second is None:
                if first is not None:
                    self.byes[first] += 1
                continue
            second = self.place.get(met.second)
            if first is not None:
                self.balance[first] += 1
                self.named[first].append(number)
            if second is not None:
                self.balance[second] -= 1
                self.named[second].append(-number)
            if first is not None and second is not None:
                self.met[min(first, second), max(first, second)] += 1

    def _edges(self, allowed: _Allowed) -> list[Edge]:
        """Whom each can meet and what it costs: one number for each criterion, the weightiest first."""
        anything = allowed is _Allowed.ANYTHING
        reach = 1 if allowed is _Allowed.NEAR else self.n
        edges: list[Edge] = []
        level, lots, start, size = self.level, self.lots, self.start, self.size
        for a in range(self.n):
            upper = level[a]
            for b in range(a + 1, self.n):
                floats = level[b] - upper
                if floats > reach:
                    break
                known = (a, b) in self.met or (a, b) in self.forbidden
                if known and not anything:
                    continue
                if floats:
                    halves = 2 * (start[upper] + size[upper] - 1 - a + b - start[level[b]])
                else:
                    halves = abs(2 * (b - a) - size[upper])
                cost: tuple[int, ...] = (
                    0,
                    floats,
                    min(floats, _LONGEST_SQUARED) ** 2,
                    0,
                    self._unbalanced(a, b),
                    halves,
                    lots[a] * lots[b] % _LOT_PRIME >> 31 - _LOT_BITS,
                )
                if anything:
                    cost = (int((a, b) in self.forbidden), 0, self.met[a, b], *cost)
                edges.append((a, b, cost))
        if self.n % 2:
            edges += self._bye_edges(anything=anything)
        return edges

    def _bye_edges(self, *, anything: bool) -> list[Edge]:
        lowest = self.level[-1]
        edges: list[Edge] = []
        for a in range(self.n):
            if self.byes[a] and not anything:
                continue
            cost = (lowest - self.level[a], 0, 0, self.n - 1 - a, 0, 0, 0)
            edges.append((a, self.n, (0, self.byes[a], 0, *cost) if anything else cost))
        return edges

    def _unbalanced(self, a: int, b: int) -> int:
        """How far beyond one the first deals of these two would be out of balance, squared."""
        less, more = sorted((self.balance[a], self.balance[b]))
        return sum(max(0, abs(after) - 1) ** 2 for after in (less + 1, more - 1))

    def _deals_first(self, a: int, b: int) -> bool:
        """Whoever was named first less often; else who was not when last they differed; else the lot."""
        if self.balance[a] != self.balance[b]:
            return self.balance[a] < self.balance[b]
        for one, other in zip(reversed(self.named[a]), reversed(self.named[b]), strict=False):
            if (one > 0) != (other > 0):
                return one < 0
        return (self.lots[a] + self.lots[b]) % 2 == 0

    def _why_bye(self, bye: int) -> Reason:
        if self.byes[bye]:
            return Reason.BYE_AGAIN
        if self.level[bye] < self._lowest_without_bye():
            return Reason.BYE_HIGHER
        return Reason.BYE

    def _lowest_without_bye(self) -> int:
        return max(self.level[place] for place in range(self.n) if not self.byes[place])

    def _bye_of(self, matching: Sequence[tuple[int, int]]) -> int | None:
        return next((a for a, b in matching if b == self.n), None)

    def _downwards(self, bye: int | None) -> list[int]:
        """How many play who have a score or a higher one, from the highest score down."""
        counts, total = [], 0
        for level in sorted(self.size):
            total += self.size[level] - (bye is not None and self.level[bye] == level)
            counts.append(total)
        return counts

    def _ordered(self, a: int, b: int) -> tuple[int, int]:
        one, other = self.place[a], self.place[b]
        return min(one, other), max(one, other)


def _checked(entries: Iterable[Entrant]) -> list[Entrant]:
    given = list(entries)
    if len(given) < 2:
        raise PairingError(
            "too_few_entries",
            mark("A round needs at least 2 entries, not %(given)s.", given=len(given)),
            field="entries",
        )
    for what, code, values in (
        ("Entry", "entry_twice", [entry.id for entry in given]),
        ("Seed", "seed_twice", [entry.seed for entry in given if entry.seed is not None]),
    ):
        for value, times in Counter(values).items():
            if times > 1:
                raise PairingError(
                    code, mark("%(what)s %(value)s is given twice.", what=what, value=value), field="entries"
                )
    for entry in given:
        if not math.isfinite(entry.score):
            raise PairingError(
                "out_of_range",
                mark("The score of entry %(id)s is not a number.", id=entry.id),
                field="entries",
            )
    return given


def _weighed(edges: Sequence[Edge], pairs: int) -> list[tuple[int, int, int]]:
    """Edges with one weight each, more being better.

    A digit's radix is more than all pairs together can cost in it, so no sum carries into the digit before.
    Criteria whose digits do not fit are left out, the least first.
    """
    if not edges:
        return []
    radices = [pairs * max(digits) + 1 for digits in zip(*(cost for _a, _b, cost in edges), strict=True)]
    while math.prod(radices).bit_length() > _MOST_BITS:
        radices.pop()
    scales = [math.prod(radices[at + 1 :]) for at in range(len(radices))]
    most = math.prod(radices)
    return [
        (a, b, most - sum(digit * scale for digit, scale in zip(cost, scales, strict=False) if digit))
        for a, b, cost in edges
    ]


def _what_is_missing(offer: Pairing, round_number: int) -> Message:
    counted = (
        (
            offer.forbidden,
            mark_plural("%(count)s forbidden pair", "%(count)s forbidden pairs", offer.forbidden),
        ),
        (offer.repeats_bye, mark("1 second bye")),
        (offer.rematches, mark_plural("%(count)s rematch", "%(count)s rematches", offer.rematches)),
    )
    return mark(
        "Round %(number)s cannot be paired as asked: it takes at least %(needs)s.",
        number=round_number,
        needs=together([needed for count, needed in counted if count], ", "),
    )
