"""The best pairings of a round found by looking at every one: slow, plain, and written without `swiss`.

Good for ten entries at most, where there are 945 pairings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from league.core.pairing.swiss import Entrant, Met, Pairing


@dataclass(frozen=True, slots=True)
class Cost:
    """What a pairing costs in the first respects, in the order in which they matter."""

    not_apart: int
    byes_again: int
    rematches: int
    bye_above_lowest: int
    floats_from_the_top: tuple[int, ...]
    float_squares: int
    unplayed_by_bye: int
    same_as_last_round: int
    same_as_two_rounds_ago: int
    floated_so_often: int

    def __lt__(self, other: "Cost") -> bool:
        return self.numbers < other.numbers

    @property
    def numbers(self) -> tuple[int | tuple[int, ...], ...]:
        return (
            self.not_apart,
            self.byes_again,
            self.rematches,
            self.bye_above_lowest,
            self.floats_from_the_top,
            self.float_squares,
            self.unplayed_by_bye,
            self.same_as_last_round,
            self.same_as_two_rounds_ago,
            self.floated_so_often,
        )

    @property
    def breaks_a_rule(self) -> bool:
        return bool(self.not_apart or self.byes_again or self.rematches)


Pairs = Sequence[tuple[int, int]]


def all_pairings(ids: Sequence[int]) -> Iterator[tuple[Pairs, int | None]]:
    """Every way to pair these, with every bye where they are an odd number."""
    if len(ids) % 2 == 0:
        yield from ((pairs, None) for pairs in _perfect(ids))
        return
    for bye in ids:
        yield from ((pairs, bye) for pairs in _perfect([each for each in ids if each != bye]))


def least_cost(
    entries: Sequence[Entrant],
    history: Sequence[Met],
    apart: Iterable[tuple[int, int]] = (),
    *,
    round_number: int,
) -> Cost:
    """What the best of all pairings costs."""
    return min(cost for cost, _bye in costs_of_all(entries, history, apart, round_number=round_number))


def costs_of_all(
    entries: Sequence[Entrant],
    history: Sequence[Met],
    apart: Iterable[tuple[int, int]] = (),
    *,
    round_number: int,
) -> Iterator[tuple[Cost, int | None]]:
    """What every pairing costs, with who has its bye."""
    weigh = _Scale(entries, history, apart, round_number)
    for pairs, bye in all_pairings([each.id for each in entries]):
        yield weigh.cost(pairs, bye), bye


def cost_of(
    pairing: Pairing,
    entries: Sequence[Entrant],
    history: Sequence[Met],
    apart: Iterable[tuple[int, int]] = (),
    *,
    round_number: int,
) -> Cost:
    """What this pairing costs."""
    pairs = [(pair.first, pair.second) for pair in pairing.pairs]
    return _Scale(entries, history, apart, round_number).cost(pairs, pairing.bye)


class _Scale:
    def __init__(
        self,
        entries: Sequence[Entrant],
        history: Sequence[Met],
        apart: Iterable[tuple[int, int]],
        round_number: int,
    ) -> None:
        order = sorted({entry.score for entry in entries})
        self.ranks = range(len(order))
        self.rank = {entry.id: order.index(entry.score) for entry in entries}
        self.met = Counter(frozenset((met.first, met.second)) for met in history if met.second is not None)
        self.byes = Counter(met.first for met in history if met.second is None and met.is_free_win)
        self.games = Counter(
            entry for met in history if met.second is not None for entry in (met.first, met.second)
        )
        self.apart = {frozenset(pair) for pair in apart}
        self.round_number = round_number
        self.floats = [
            (entry, "down" if entry == met.floated else "up", met.round)
            for met in history
            if met.floated is not None
            for entry in (met.first, met.second)
            if entry is not None
        ]

    def cost(self, pairs: Pairs, bye: int | None) -> Cost:
        ranks = [sorted((self.rank[a], self.rank[b])) for a, b in pairs]
        now = [(bye, "down")] if bye is not None else []
        for a, b in pairs:
            if self.rank[a] != self.rank[b]:
                upper, lower = (a, b) if self.rank[a] > self.rank[b] else (b, a)
                now += [(upper, "down"), (lower, "up")]
        return Cost(
            sum(frozenset(pair) in self.apart for pair in pairs),
            0 if bye is None else self.byes[bye],
            sum(self.met[frozenset(pair)] for pair in pairs),
            0 if bye is None else self.rank[bye],
            tuple(sum(low < rank <= high for low, high in ranks) for rank in reversed(self.ranks)),
            sum((high - low) ** 2 for low, high in ranks),
            0 if bye is None else self.round_number - 1 - self.games[bye],
            self._repeated(now, self.round_number - 1),
            self._repeated(now, self.round_number - 2),
            sum(self.floats.count((entry, way, number)) for entry, way in now for number in self._rounds),
        )

    @property
    def _rounds(self) -> set[int]:
        return {number for _entry, _way, number in self.floats}

    def _repeated(self, now: Sequence[tuple[int, str]], number: int) -> int:
        return sum((entry, way, number) in self.floats for entry, way in now)


def _perfect(ids: Sequence[int]) -> Iterator[Pairs]:
    if not ids:
        yield ()
        return
    first, *others = ids
    for other in others:
        for rest in _perfect([each for each in others if each != other]):
            yield ((first, other), *rest)
