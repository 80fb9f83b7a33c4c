"""A round of a Swiss: everybody plays somebody new of about the same score, and nobody sits out twice.

Scores are numbered from the top, 0 for the highest: equal scores have one number, and no number is left
out. Two who meet float by the difference of their numbers, the one of the higher score down and the other
up. Of all pairings that break no rule the best one is taken: best in the first respect, among those in the
second, and so on.

1. The bye goes to the lowest score among those who had no free win (FIDE Handbook C.04.3, 2.3).
2. Score groups are satisfied **from the top down**: as few as can be float down out of the highest score,
   among those pairings as few as can be out of the two highest, and so on (2.4.1).
3. No float is longer than it must be: the sum of squares is least, where a float of more than 15 counts as
   one of 15.
4. The bye goes to whoever has played most: fewest rounds went by without a game (2.4.4).
5. Nobody floats the same way as in the last round, or else as few as can be (2.4.9 and 2.4.10).
6. Nobody floats the same way as two rounds ago, or else as few as can be (2.4.11 and 2.4.12).
7. Those float who did so least often that way: the sum of how often they did is least.
8. The bye goes to the last by seed among those of its score.
9. First dealers balance: how often each was named first and second differs by one at most where that can
   be.
10. In a group of equal scores the top half by seed meets the bottom half, the first of the one the first of
    the other; those who float down are the last of their group, and meet the first of the next.
11. The lot (`league.core.lots`), drawn for each round.

A free win, the bye of this round too, is a float down (1.4.3). FIDE pairs one group with all its criteria
before it looks at the next; here the groups come first for the whole round, and memory (5 to 7) decides
among what is left.

The whole round is one maximum-weight matching over all pairs that are allowed; with an odd number a place
called "bye" takes part in it (as in S. Ólafsson, "Weighted matching in chess tournaments", 1990). How the
groups are satisfied from the top down with weights of 128 bits, `top_down` says; where the last respects do
not fit, they are left out, with 512 entries the lot.

Never a second meeting, never a pair kept apart, never a second bye: only where no pairing can keep to that,
it is refused, and the refusal offers the pairing that keeps to it best.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from operator import add
from typing import Final

from league.core.lots import lot
from league.core.pairing.errors import PairingError
from league.core.pairing.top_down import Edge, Matching, TopDown
from scoring.core.messages import Message, mark, mark_plural, together

Number = int | Decimal

_LOT_BITS: Final = 16
_LOT_PRIME: Final = 2**31 - 1
_LONGEST_SQUARED: Final = 15
_NOTHING: Final = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is to be paired: a number of the caller's, the score so far, and the seed, 1 for the strongest.

    Those without a seed come after those with one, in the order of a lot (`order_lot`) by their `key`, or
    else their number: whoever comes or goes changes nothing between two others.
    """

    id: int
    score: Number = 0
    seed: int | None = None
    key: str = ""

    @property
    def lot_key(self) -> str:
        """What its lots are drawn by."""
        return self.key or str(self.id)


@dataclass(frozen=True, slots=True)
class Met:
    """What was in an earlier round, where it is counted: `first`, who dealt first, met `second`.

    Where there is no `second`, `first` had a free win: the bye, or an opponent who did not play; or if not
    `is_free_win` a round asked off. `floated` is who floated down: of two of different scores the one with
    the higher, and whoever had more than a loss without playing (FIDE Handbook C.04.3, 1.4). Rounds count
    from 1; what has none is in no round's memory.
    """

    first: int
    second: int | None = None
    round: int = 0
    floated: int | None = None
    is_free_win: bool = True


class Reason(StrEnum):
    """Why two meet, or why somebody has the bye."""

    SAME_SCORE = "same score"
    NOT_MET = "they have not met"
    ODD_GROUP = "floated down: odd group"
    NO_PARTNER = "floated down: nobody of the same score left to meet"
    OTHERS = "floated down: so that others have somebody to meet"
    OTHERS_WITH_BYE = "floated down: so that others have somebody to meet, with this bye"
    NEAREST = "floated down: the pairing nearest to the rules"
    NONE_BETWEEN = "floated down: nobody between the two scores to meet"
    UP_FIRST = "floated up: not before"
    UP_BEFORE = "floated up: before, but not in the last round"
    UP_AGAIN = "floated up: in the last round too"
    DOWN_AGAIN = "floated down: in the last round too"
    REMATCH = "rematch: no other pairing"
    NOT_APART = "should not meet: no other pairing"
    BYE = "bye: lowest score without a free win"
    BYE_HIGHER = "bye: lowest score without a free win that leaves the others a pairing"
    BYE_NEAREST = "bye: lowest score without a free win in the pairing nearest to the rules"
    BYE_AGAIN = "bye again: no other pairing"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who meet; `first` deals first. `floated` is the one of the higher score, None where it is one.

    `points` are the higher score and the lower, the same twice where it is one.
    """

    first: int
    second: int
    reasons: tuple[Reason, ...]
    floated: int | None = None
    points: tuple[Number, Number] = (0, 0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: pairs in order of tables, the highest score first, and who has the bye."""

    pairs: tuple[Pair, ...]
    bye: int | None
    bye_reasons: tuple[Reason, ...]

    @property
    def rematches(self) -> int:
        """How many pairs have met before."""
        return sum(Reason.REMATCH in pair.reasons for pair in self.pairs)

    @property
    def not_apart(self) -> int:
        """How many pairs should not meet."""
        return sum(Reason.NOT_APART in pair.reasons for pair in self.pairs)

    @property
    def repeats_bye(self) -> bool:
        """Whether the bye goes to somebody who had one."""
        return Reason.BYE_AGAIN in self.bye_reasons


class NoPairingError(PairingError):
    """Nothing keeps to all that is asked (`no_pairing`); `offer` is the pairing that comes nearest.

    It has the fewest pairs kept apart, among those the fewest byes given again, among those the fewest
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
    apart: Iterable[tuple[int, int]] = (),
) -> Pairing:
    """The pairs of round `round_number` for those who play in it, by the rules at the top of this module.

    `entries` are who is here: late entries with the score they were given, nobody who has withdrawn.
    `history` holds all earlier rounds in order; it may name entries that are not here, as may `apart`,
    pairs that never meet. The same arguments give the same pairing, in whatever order entries stand.

    Refused with a `PairingError`: fewer than two entries (`too_few_entries`), an entry or a seed twice
    (`entry_twice`, `seed_twice`), a score that is no number (`out_of_range`), an entry paired with itself
    (`same_entry`), a round before the first (`out_of_range`). Where nobody can be paired without a rematch, a
    pair kept apart or a second bye: `NoPairingError` with an offer.
    """
    if round_number < 1:
        raise PairingError(
            "out_of_range",
            mark("There is no round %(round_number)s.", round_number=round_number),
            field="round_number",
        )
    draw = _Draw(_checked(entries), history, apart, round_number, seed)
    for allowed in (_Allowed.NEAR, _Allowed.CLOSE, _Allowed.ALL):
        matching = draw.best(allowed)
        if matching is not None:
            return draw.pairing(matching)
    offered = draw.best(_Allowed.ANYTHING)
    if offered is None:
        raise AssertionError("everybody may meet everybody")
    offer = draw.pairing(offered, is_offer=True)
    raise NoPairingError(_what_it_takes(offer, round_number), offer)


def order_lot(seed: int | str, key: str) -> int:
    """Return the lot by which those without a seed stand, the higher first."""
    return lot(f"{seed} order", key)


class _Allowed(StrEnum):
    NEAR = "new pairs that float by one at most"
    CLOSE = "new pairs that float by two at most"
    ALL = "new pairs"
    ANYTHING = "also rematches, pairs kept apart and second byes"


# The longest floats looked at first: shorter ones are many fewer pairs.
_REACH: Final = {_Allowed.NEAR: 1, _Allowed.CLOSE: 2}


class _Draw:
    """One round being paired. Entries are places 0 … n − 1, best score and seed first; `n` is the bye."""

    def __init__(
        self,
        entries: Sequence[Entrant],
        history: Iterable[Met],
        apart: Iterable[tuple[int, int]],
        round_number: int,
        seed: int | str,
    ) -> None:
        self.entries = sorted(
            entries,
            key=lambda entry: (
                -entry.score,
                math.inf if entry.seed is None else entry.seed,
                -order_lot(seed, entry.lot_key),
            ),
        )
        self.n = len(entries)
        self.round = round_number
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
        self.played = [0] * self.n
        # How often each was named first, less how often second; and when, the latest last.
        self.balance = [0] * self.n
        self.named: dict[int, list[int]] = defaultdict(list)
        # In which rounds each floated up and down.
        self.ups: dict[int, list[int]] = defaultdict(list)
        self.downs: dict[int, list[int]] = defaultdict(list)
        self._read(history)
        self.apart: set[tuple[int, int]] = set()
        for a, b in apart:
            if a == b:
                raise PairingError("same_entry", mark("An entry does not meet itself."), field="apart")
            if a in self.place and b in self.place:
                self.apart.add(self._ordered(a, b))
        self.lots = [lot(f"{seed} round {round_number}", entry.lot_key) for entry in self.entries]

    def best(self, allowed: _Allowed) -> Matching | None:
        """The best matching of everybody; None where there is none, or near pairs may not be enough."""
        found = self._pairs(allowed)
        reach = _REACH.get(allowed)
        return found.best() if reach is None else found.near(reach)

    def pairing(self, matching: Matching, *, is_offer: bool = False) -> Pairing:
        """The matching with names, who deals first, and why."""
        bye = self._bye_of(matching)
        pairs = [(a, b) for a, b in matching if b < self.n]
        floating: dict[int, list[int]] = defaultdict(list)
        for a, b in pairs:
            if self.level[b] > self.level[a]:
                floating[self.level[a]].append(a)
        made = []
        for a, b in pairs:
            first, second = (a, b) if self._deals_first(a, b) else (b, a)
            floats = self.level[b] > self.level[a]
            reasons = [self._why_down(a, floating[self.level[a]], is_offer) if floats else Reason.SAME_SCORE]
            if floats:
                if self._nobody_between(a, b):
                    reasons.append(Reason.NONE_BETWEEN)
                reasons += self._why_these(a, b)
            if self.met[a, b]:
                reasons.append(Reason.REMATCH)
            elif not floats:
                reasons.append(Reason.NOT_MET)
            if (a, b) in self.apart:
                reasons.append(Reason.NOT_APART)
            made.append(
                Pair(
                    self.entries[first].id,
                    self.entries[second].id,
                    tuple(reasons),
                    self.entries[a].id if floats else None,
                    (self.entries[a].score, self.entries[b].score),
                )
            )
        return Pairing(
            tuple(made),
            None if bye is None else self.entries[bye].id,
            () if bye is None else (self._why_bye(bye, is_offer),),
        )

    def _why_down(self, place: int, floating: Sequence[int], is_offer: bool) -> Reason:
        """Why one of those who float down from a score does."""
        others = [other for other in floating if other != place]
        if not others:
            return Reason.ODD_GROUP
        if not any(self._may_meet(min(place, other), max(place, other)) for other in others):
            return Reason.NO_PARTNER
        if is_offer:
            return Reason.NEAREST
        # With another bye fewer might have to.
        return Reason.OTHERS_WITH_BYE if self.n % 2 else Reason.OTHERS

    def _nobody_between(self, a: int, b: int) -> bool:
        """Whether there is somebody between the scores of two, and nobody there may meet the higher one."""
        between = [c for c in range(a, b) if self.level[a] < self.level[c] < self.level[b]]
        return bool(between) and not any(self._may_meet(a, c) for c in between)

    def _read(self, history: Iterable[Met]) -> None:
        for number, met in enumerate(history, start=1):
            if met.first == met.second:
                raise PairingError("same_entry", mark("An entry does not meet itself."), field="history")
            first = self.place.get(met.first)
            second = None if met.second is None else self.place.get(met.second)
            for place, entry in ((first, met.first), (second, met.second)):
                if met.floated is not None and place is not None:
                    (self.downs if entry == met.floated else self.ups)[place].append(met.round)
            if met.second is None:
                if first is not None and met.is_free_win:
                    self.byes[first] += 1
                continue
            if first is not None:
                self.played[first] += 1
                self.balance[first] += 1
                self.named[first].append(number)
            if second is not None:
                self.played[second] += 1
                self.balance[second] -= 1
                self.named[second].append(-number)
            if first is not None and second is not None:
                self.met[min(first, second), max(first, second)] += 1

    def _pairs(self, allowed: _Allowed) -> TopDown:
        """Whom each can meet, with a digit for each respect but the floats."""
        anything = allowed is _Allowed.ANYTHING
        reach = _REACH.get(allowed, self.n)
        near = reach == 1
        level, lots, start, size = self.level, self.lots, self.start, self.size
        down, up = self._memories(self.downs), self._memories(self.ups)
        edges: list[Edge] = []
        for a in range(self.n):
            upper = level[a]
            for b in range(a + 1, self.n):
                floats = level[b] - upper
                if floats > reach:
                    break
                known = (a, b) in self.met or (a, b) in self.apart
                if known and not anything:
                    continue
                if floats:
                    halves = 2 * (start[upper] + size[upper] - 1 - a + b - start[level[b]])
                    last, two_ago, often = map(add, down[a], up[b])
                else:
                    halves = abs(2 * (b - a) - size[upper])
                    last = two_ago = often = 0
                edges.append(
                    (
                        a,
                        b,
                        (int((a, b) in self.apart), 0, self.met[a, b], 0) if known else _NOTHING,
                        (
                            0 if near else min(floats, _LONGEST_SQUARED) ** 2,
                            0,
                            last,
                            two_ago,
                            often,
                            0,
                            self._unbalanced(self.balance[a], self.balance[b]),
                            halves,
                            lots[a] * lots[b] % _LOT_PRIME >> 31 - _LOT_BITS,
                        ),
                    )
                )
        lowest = level[-1] if anything else self._lowest_without_bye()
        most_played = max(self.played)
        if self.n % 2:
            edges += [
                (
                    a,
                    self.n,
                    (0, self.byes[a], 0, lowest - level[a]),
                    (0, most_played - self.played[a], *down[a], self.n - 1 - a, 0, 0, 0),
                )
                for a in range(self.n)
                if anything or not self.byes[a]
            ]
        half = self.n // 2 + 1
        return TopDown(
            level,
            edges,
            may_meet=lambda a, b: anything or self._may_meet(a, b),
            most_before=(
                half if anything else 0,
                max(self.byes.values(), default=0) if anything else 0,
                half * max(self.met.values(), default=0) if anything else 0,
                level[-1],
            ),
            most_after=(
                0 if near else half * min(level[-1], _LONGEST_SQUARED) ** 2,
                most_played - min(self.played) if self.n % 2 else 0,
                *(sum(max(a[at], b[at]) for a, b in zip(down, up, strict=True)) for at in range(3)),
                self.n,
                sum(each**2 for each in self.balance),
                2 * sum(each**2 for each in size.values()),
                half << _LOT_BITS,
            ),
        )

    def _may_meet(self, a: int, b: int) -> bool:
        if b == self.n:
            return not self.byes[a]
        return (a, b) not in self.met and (a, b) not in self.apart

    def _memories(self, floats: Mapping[int, Sequence[int]]) -> list[tuple[int, int, int]]:
        """For each, what a float this way repeats: that of the last round, of two rounds ago, of all."""
        return [
            (int(self.round - 1 in rounds), int(self.round - 2 in rounds), len(rounds))
            for rounds in (floats.get(place, ()) for place in range(self.n))
        ]

    @staticmethod
    @cache
    def _unbalanced(one: int, other: int) -> int:
        """How far beyond one the first deals of two with these balances would be, squared."""
        less, more = sorted((one, other))
        return sum(max(0, abs(after) - 1) ** 2 for after in (less + 1, more - 1))

    def _deals_first(self, a: int, b: int) -> bool:
        """Whoever was named first less often; else who was not when last they differed; else the lot."""
        if self.balance[a] != self.balance[b]:
            return self.balance[a] < self.balance[b]
        for one, other in zip(reversed(self.named[a]), reversed(self.named[b]), strict=False):
            if (one > 0) != (other > 0):
                return one < 0
        return (self.lots[a] + self.lots[b]) % 2 == 0

    def _why_these(self, upper: int, lower: int) -> Iterator[Reason]:
        """What is remembered of floats where one goes down and one up."""
        if self.round - 1 in self.downs[upper]:
            yield Reason.DOWN_AGAIN
        if self.round - 1 in self.ups[lower]:
            yield Reason.UP_AGAIN
        else:
            yield Reason.UP_BEFORE if self.ups[lower] else Reason.UP_FIRST

    def _why_bye(self, bye: int, is_offer: bool) -> Reason:
        if self.byes[bye]:
            return Reason.BYE_AGAIN
        if self.level[bye] < self._lowest_without_bye():
            return Reason.BYE_NEAREST if is_offer else Reason.BYE_HIGHER
        return Reason.BYE

    def _lowest_without_bye(self) -> int:
        return max((self.level[place] for place in range(self.n) if not self.byes[place]), default=0)

    def _bye_of(self, matching: Matching) -> int | None:
        return next((a for a, b in matching if b == self.n), None)

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


def _what_it_takes(offer: Pairing, round_number: int) -> Message:
    counted = (
        (
            offer.not_apart,
            mark_plural(
                "%(count)s pair that should not meet", "%(count)s pairs that should not meet", offer.not_apart
            ),
        ),
        (offer.repeats_bye, mark("a second bye")),
        (offer.rematches, mark_plural("%(count)s rematch", "%(count)s rematches", offer.rematches)),
    )
    return mark(
        "Round %(number)s cannot be paired by the rules. The nearest pairing takes %(takes)s.",
        number=round_number,
        takes=together([taken for count, taken in counted if count], ", "),
    )
