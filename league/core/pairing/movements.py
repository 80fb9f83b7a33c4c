"""A movement: rounds of four-player tables at which partners rotate, and how uneven it is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

Pair = tuple[int, int]
Table = tuple[Pair, Pair]


@dataclass(frozen=True, slots=True)
class MovementRound:
    """A round: `number` from 1; tables ((a, c), (b, d)), a and c against b and d, a's pair first to deal.

    The first table is table 1. `sit_out` are those who are there and have no table.
    """

    number: int
    tables: tuple[Table, ...]
    sit_out: tuple[int, ...] = ()


class Meetings:
    """How often any two of `players` were partners and opponents, and how often each had no table."""

    def __init__(self, players: int, rounds: Iterable[MovementRound] = ()) -> None:
        """Counts these rounds; a player of another number has left, and is passed over."""
        self.players = players
        self.partners = [[0] * players for _ in range(players)]
        self.opponents = [[0] * players for _ in range(players)]
        self.rests = [0] * players
        for each in rounds:
            self.add(each.tables)

    def add(self, tables: Iterable[Table]) -> None:
        """Counts one more round; whoever is at none of its tables rests."""
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

    `partners[k]` is how many pairs of players are partners k times, `opponents[k]` how many are opponents
    k times, `rests[k]` how many players have no table in k rounds: they sit out, were not there, or had not
    come yet.
    """

    partners: tuple[int, ...]
    opponents: tuple[int, ...]
    rests: tuple[int, ...]

    @classmethod
    def of(cls, meetings: Meetings) -> Self:
        """That of meetings."""
        return cls(
            _tally(count for i, row in enumerate(meetings.partners) for count in row[:i]),
            _tally(count for i, row in enumerate(meetings.opponents) for count in row[:i]),
            _tally(meetings.rests),
        )

    @property
    def partner_repeats(self) -> int:
        """How often two play together once more than they must, while two others never do, or more rarely.

        0 says that partnerships are as even as can be: none comes twice while another is unused.
        """
        share, extra = divmod(_total(self.partners), sum(self.partners))
        needed = share + (extra > 0)
        above = sum(pairs * (times - needed) for times, pairs in enumerate(self.partners) if times > needed)
        below = sum(pairs * (share - times) for times, pairs in enumerate(self.partners) if times < share)
        return max(above, below)

    @property
    def partner_spread(self) -> int:
        """The most times any two are partners, less the fewest."""
        return _spread(self.partners)

    @property
    def opponent_spread(self) -> int:
        """The most times any two are opponents, less the fewest."""
        return _spread(self.opponents)

    @property
    def rest_spread(self) -> int:
        """The most rounds any player has no table in, less the fewest."""
        return _spread(self.rests)

    @property
    def is_least(self) -> bool:
        """Whether it could not be less, whatever the rounds: nothing is apart by more than one."""
        return max(self.partner_spread, self.opponent_spread, self.rest_spread) <= 1

    @property
    def key(self) -> tuple[int, int, int]:
        """What movements of as many rounds are compared by, the smallest first: partners before opponents."""
        return _squares(self.rests), _squares(self.partners), _squares(self.opponents)


@dataclass(frozen=True, slots=True)
class Movement:
    """Rounds for `players` players, who are named 0 … n − 1: places in the caller's own list.

    It is a row of its rounds; the unevenness is that of everything so far, what was before included.
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


def _tally(counts: Iterable[int]) -> tuple[int, ...]:
    tally = Counter(counts)
    return tuple(tally[times] for times in range(max(tally) + 1))


def _times(tally: tuple[int, ...]) -> list[int]:
    return [times for times, count in enumerate(tally) if count]


def _spread(tally: tuple[int, ...]) -> int:
    times = _times(tally)
    return times[-1] - times[0]


def _total(tally: tuple[int, ...]) -> int:
    return sum(times * count for times, count in enumerate(tally))


def _squares(tally: tuple[int, ...]) -> int:
    return sum(times * times * count for times, count in enumerate(tally))
