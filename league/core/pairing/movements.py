"""Movements: rounds of four-player tables with rotating partners, and how uneven they are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

Pair = tuple[int, int]
Table = tuple[Pair, Pair]


@dataclass(frozen=True, slots=True)
class MovementRound:
    """A round, with `number` from 1. Tables are ((a, c), (b, d)): a and c play b and d, a's pair deals first.

    The first table is table 1. `sit_out` are players who are present and have no table.
    """

    number: int
    tables: tuple[Table, ...]
    sit_out: tuple[int, ...] = ()


class Meetings:
    """How often each two of `players` were partners and opponents, and how often each had no table."""

    def __init__(self, players: int, rounds: Iterable[MovementRound] = ()) -> None:
        """Count these rounds. Numbers beyond `players` belong to players who have left and are ignored."""
        self.players = players
        self.partners = [[0] * players for _ in range(players)]
        self.opponents = [[0] * players for _ in range(players)]
        self.rests = [0] * players
        for each in rounds:
            self.add(each.tables)

    def add(self, tables: Iterable[Table]) -> None:
        """Count one more round; players at none of its tables rest."""
        resting = set(range(self.players))
        for (a, c), (b, d) in tables:
            for first, second in ((a, c), (b, d)):
                self._meet(self.partners, first, second)
            for first, second in ((a, b), (a, d), (c, b), (c, d)):
                self._meet(self.opponents, first, second)
            resting -= {a, b, c, d}
        for player in resting:
            self.rests[player] += 1

    def _meet(self, counts: list[list[int]], first: int, second: int) -> None:
        if 0 <= first < self.players and 0 <= second < self.players:
            counts[first][second] += 1
            counts[second][first] += 1


@dataclass(frozen=True, slots=True)
class Unevenness:
    """How evenly players meet.

    `partners[k]` is the number of pairs who are partners k times, `opponents[k]` of pairs who are opponents k
    times, `rests[k]` of players without a table in k rounds, whether they sit out or are absent.
    """

    partners: tuple[int, ...]
    opponents: tuple[int, ...]
    rests: tuple[int, ...]

    @classmethod
    def of(cls, meetings: Meetings) -> Self:
        """Return the unevenness of these meetings."""
        return cls(
            tally_of(each_pair(meetings.partners)),
            tally_of(each_pair(meetings.opponents)),
            tally_of(meetings.rests),
        )

    @property
    def partner_repeats(self) -> int:
        """The number of partnerships that would have to change for an even distribution.

        0: no partnership is repeated while another is unused.
        """
        share, extra = divmod(_total(self.partners), sum(self.partners))
        needed = share + (extra > 0)
        above = sum(pairs * (times - needed) for times, pairs in enumerate(self.partners) if times > needed)
        below = sum(pairs * (share - times) for times, pairs in enumerate(self.partners) if times < share)
        return max(above, below)

    @property
    def partner_spread(self) -> int:
        """The highest minus the lowest count of any partnership."""
        return spread(self.partners)

    @property
    def opponent_spread(self) -> int:
        """The highest minus the lowest count of any opposition."""
        return spread(self.opponents)

    @property
    def rest_spread(self) -> int:
        """The highest minus the lowest number of rounds without a table."""
        return spread(self.rests)

    @property
    def is_least(self) -> bool:
        """True if no movement could be more even: no counts differ by more than one."""
        return max(self.partner_spread, self.opponent_spread, self.rest_spread) <= 1

    @property
    def key(self) -> tuple[int, int, int]:
        """Sort key for movements of equal length, best first: partners count before opponents."""
        return squares(self.rests), squares(self.partners), squares(self.opponents)


@dataclass(frozen=True, slots=True)
class Movement:
    """Rounds for players 0 … n − 1, which are positions in the caller's own list.

    The sequence of its rounds; the unevenness covers earlier rounds too.
    """

    players: int
    rounds: tuple[MovementRound, ...]
    unevenness: Unevenness

    def __len__(self) -> int:
        return len(self.rounds)

    def __getitem__(self, index: int) -> MovementRound:
        return self.rounds[index]

    def __iter__(self) -> Iterator[MovementRound]:
        return iter(self.rounds)


def each_pair(counts: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the count of each two of a symmetric table of counts."""
    return (count for i, row in enumerate(counts) for count in row[:i])


def tally_of(counts: Iterable[int]) -> tuple[int, ...]:
    """Return how many of the counts are 0, 1, 2, …"""
    tally = Counter(counts)
    return tuple(tally[times] for times in range(max(tally) + 1))


def spread(tally: tuple[int, ...]) -> int:
    """Return the highest less the lowest count of a tally."""
    times = [times for times, count in enumerate(tally) if count]
    return times[-1] - times[0]


def _total(tally: tuple[int, ...]) -> int:
    return sum(times * count for times, count in enumerate(tally))


def squares(tally: tuple[int, ...]) -> int:
    """Return the sum of squares of the counts of a tally."""
    return sum(times * times * count for times, count in enumerate(tally))


def least_squares(counts: Iterable[int], more: int) -> int:
    """Return the least sum of squares after counting `more` times more, which fills the lowest counts."""
    tally = Counter(counts)
    level = min(tally, default=0)
    while more and tally:
        lifted = min(tally[level], more)
        tally[level] -= lifted
        tally[level + 1] += lifted
        more -= lifted
        level += 1
    return sum(number * times * times for times, number in tally.items())
