"""Rounds of tables at which everybody plays everybody, and how evenly they meet."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

from league.core.pairing.errors import PairingError
from league.core.pairing.movements import each_pair, spread, squares, tally_of
from scoring.core.messages import mark

Table = tuple[int, ...]
"""Players in order of seats; the first deals first."""


def kept_apart(pairs: Iterable[tuple[int, int]], players: Collection[int]) -> tuple[tuple[int, int], ...]:
    """Return those of the pairs that are to be kept apart who are both here, each once, lower number first.

    Refused: a player kept apart from themselves (`same_entry`).
    """
    found = set()
    for one, other in pairs:
        if one == other:
            raise PairingError("same_entry", mark("An entry does not meet itself."), field="apart")
        if one in players and other in players:
            found.add((min(one, other), max(one, other)))
    return tuple(sorted(found))


def not_apart(
    tables: Iterable[Collection[int]], apart: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Return those of the pairs kept `apart` who sit at one table."""
    at = {player: number for number, table in enumerate(tables) for player in table}
    return tuple((one, other) for one, other in apart if one in at and at[one] == at.get(other))


@dataclass(frozen=True, slots=True)
class TableRound:
    """A round, with `number` from 1; `sit_out` are players who are there and have no table."""

    number: int
    tables: tuple[Table, ...]
    sit_out: tuple[int, ...] = ()


class TableMeetings:
    """How often each two of `players` met, each had no table, and sat at a table of each size.

    Numbers beyond `players` belong to players who have left and are ignored.
    """

    def __init__(self, players: int, rounds: Iterable[TableRound] = ()) -> None:
        self.players = players
        self.met = [[0] * players for _ in range(players)]
        self.rests = [0] * players
        self.sizes: list[dict[int, int]] = [{} for _ in range(players)]
        for each in rounds:
            self.add(each.tables)

    def add(self, tables: Iterable[Table]) -> None:
        """Count one more round; players at none of its tables rest."""
        resting = set(range(self.players))
        for table in tables:
            known = [player for player in table if 0 <= player < self.players]
            for one, other in combinations(known, 2):
                self.met[one][other] += 1
                self.met[other][one] += 1
            for player in known:
                self.sizes[player][len(table)] = self.sizes[player].get(len(table), 0) + 1
            resting -= set(known)
        for player in resting:
            self.rests[player] += 1


@dataclass(frozen=True, slots=True)
class TableUnevenness:
    """How evenly players meet.

    `meetings[k]` is the number of pairs who meet k times, `rests[k]` of players without a table in k rounds,
    whether they sit out or are absent. `sizes` has for each size of table, from the smallest, how many
    players are k times at such a one; `seats` for each seat, from the first, how many have it k times.
    """

    meetings: tuple[int, ...]
    rests: tuple[int, ...]
    sizes: tuple[tuple[int, ...], ...] = ()
    seats: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, players: int, rounds: Sequence[TableRound]) -> Self:
        """Return the unevenness of these rounds."""
        counted = TableMeetings(players, rounds)
        sizes = sorted({len(table) for each in rounds for table in each.tables})
        seats = [[0] * players for _ in range(max(sizes, default=0))]
        for each in rounds:
            for table in each.tables:
                for seat, player in enumerate(table):
                    if 0 <= player < players:
                        seats[seat][player] += 1
        return cls(
            tally_of(each_pair(counted.met)),
            tally_of(counted.rests),
            tuple(tally_of(of.get(size, 0) for of in counted.sizes) for size in sizes),
            tuple(tally_of(seat) for seat in seats),
        )

    @property
    def least_met(self) -> int:
        """How often the two who meet least do."""
        return next(times for times, pairs in enumerate(self.meetings) if pairs)

    @property
    def most_met(self) -> int:
        """How often the two who meet most do."""
        return len(self.meetings) - 1

    @property
    def is_least(self) -> bool:
        """True if nothing could be more even: no counts of meetings, or rests, differ by more than one."""
        return max(self.most_met - self.least_met, spread(self.rests)) <= 1

    @property
    def is_exact(self) -> bool:
        """True if all meet equally often and rest equally often."""
        return self.most_met == self.least_met and spread(self.rests) == 0

    @property
    def key(self) -> tuple[int, int, int, int]:
        """Sort key for rounds of equal length, best first: rests, meetings, sizes of tables, seats."""
        return (
            squares(self.rests),
            squares(self.meetings),
            sum(map(squares, self.sizes)),
            sum(map(squares, self.seats)),
        )


@dataclass(frozen=True, slots=True)
class TableSchedule:
    """Rounds for players 0 … n − 1, positions in the caller's list; unevenness covers earlier rounds."""

    players: int
    rounds: tuple[TableRound, ...]
    unevenness: TableUnevenness
