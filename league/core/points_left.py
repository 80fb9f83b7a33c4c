"""Whether entries can have the points that they need from the matches left among them: a maximum flow.

Each match has so many units to give to its two sides. Augmenting paths (L. R. Ford and D. R. Fulkerson,
"Maximal Flow Through a Network", Canadian Journal of Mathematics 8, 1956) lead from an entry to a match with
units left, over others that take theirs from another match instead.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

Pair = tuple[int, int]


@dataclass
class Steps:
    """The steps that are left for a table."""

    left: int


class TooManyStepsError(Exception):
    """There are no steps left."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """The matches left between two entries of a table, and those of each entry, by number."""

    pairs: Sequence[Pair]
    of: Mapping[int, Sequence[int]]

    @classmethod
    def among(cls, entries: Iterable[int], left: Iterable[Pair]) -> Self:
        """Number those of the matches left that are between two of the entries."""
        pairs: list[Pair] = []
        of: dict[int, list[int]] = {entry: [] for entry in entries}
        for first, second in left:
            if first in of and second in of:
                of[first].append(len(pairs))
                of[second].append(len(pairs))
                pairs.append((first, second))
        return cls(pairs, of)

    def other(self, number: int, entry: int) -> int:
        """Return the other one of a match."""
        first, second = self.pairs[number]
        return second if entry == first else first


@dataclass
class Flow:
    """The points of matches, as they are taken by entries; each match has so many `units`.

    What an entry has taken it keeps, but from another match where one needs that which it took from.
    """

    met: Meetings
    inside: Mapping[int, Sequence[int]]
    units: int
    steps: Steps
    free: dict[int, int] = field(default_factory=dict)
    taken: dict[tuple[int, int], int] = field(default_factory=dict)

    def take(self, entry: int, wanted: int) -> int:
        """Take at most so many units for the entry, as many as there are; returns how many.

        Refused (`TooManyStepsError`) once the steps of the table are used up.
        """
        got = 0
        while got < wanted:
            path = self._path(entry)
            if path is None:
                break
            holder, number = path[-1]
            moved = min(wanted - got, self.free.get(number, self.units))
            for (giver, _), (_, from_match) in zip(path[1:], path, strict=False):
                moved = min(moved, self.taken[from_match, giver])
            self.free[number] = self.free.get(number, self.units) - moved
            for place, (holder, source) in enumerate(path):
                self.taken[source, holder] = self.taken.get((source, holder), 0) + moved
                if place + 1 < len(path):
                    self.taken[source, path[place + 1][0]] -= moved
            got += moved
        return got

    def _path(self, entry: int) -> list[tuple[int, int]] | None:
        """Return who is to take from which match, from the entry to one with units left."""
        came: dict[int, tuple[int, int]] = {entry: (entry, -1)}
        waiting = deque([entry])
        while waiting:
            taker = waiting.popleft()
            matches = self.inside[taker]
            self.steps.left -= len(matches) + 1
            if self.steps.left < 0:
                raise TooManyStepsError
            for number in matches:
                if self.free.get(number, self.units):
                    path = [(taker, number)]
                    while taker != entry:
                        taker, number = came[taker]
                        path.append((taker, number))
                    return path[::-1]
            for number in matches:
                giver = self.met.other(number, taker)
                if giver not in came and self.taken.get((number, giver), 0):
                    came[giver] = (taker, number)
                    waiting.append(giver)
        return None
