"""Whether entries can have the points that they need from what is left among them: a maximum flow.

Each match, or table of many, has so many units to give to those who meet. Augmenting paths (L. R. Ford and
D. R. Fulkerson, "Maximal Flow Through a Network", Canadian Journal of Mathematics 8, 1956) lead from an entry
to a match with units left, over others that take theirs from another match instead.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

Pair = tuple[int, int]


@dataclass
class Steps:
    """The steps that are left for a table."""

    left: int


class TooManyStepsError(Exception):
    """There are no steps left."""


@dataclass(frozen=True, slots=True)
class MeetingLeft:
    """A match or table left: who meets, the units for all of them together, and the most points for one.

    Both are counted from what everybody has of it in any case.
    """

    entries: tuple[int, ...]
    units: int
    most: int

    def besides(self, entry: int) -> int:
        """Return how many others than the entry meet."""
        return len(self.entries) - (entry in self.entries)


@dataclass(frozen=True, slots=True)
class MeetingsLeft:
    """The matches and tables left at which entries of a table meet, and those of each entry, by number."""

    each: Sequence[MeetingLeft]
    of: Mapping[int, Sequence[int]]

    @classmethod
    def among(cls, entries: Iterable[int], left: Iterable[MeetingLeft]) -> Self:
        """Number those of the meetings left that are between two of the entries, or more."""
        each: list[MeetingLeft] = []
        of: dict[int, list[int]] = {entry: [] for entry in entries}
        for meeting in left:
            ranked = tuple(entry for entry in meeting.entries if entry in of)
            if len(ranked) < 2:
                continue
            for entry in ranked:
                of[entry].append(len(each))
            each.append(replace(meeting, entries=ranked))
        return cls(each, of)


@dataclass
class Flow:
    """The points of matches, as they are taken by entries.

    What an entry has taken it keeps, but from another match where one needs that which it took from.
    """

    met: MeetingsLeft
    inside: Mapping[int, Sequence[int]]
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
            moved = min(wanted - got, self._free(number))
            for (giver, _), (_, from_match) in zip(path[1:], path, strict=False):
                moved = min(moved, self.taken[from_match, giver])
            self.free[number] = self._free(number) - moved
            for place, (holder, source) in enumerate(path):
                self.taken[source, holder] = self.taken.get((source, holder), 0) + moved
                if place + 1 < len(path):
                    self.taken[source, path[place + 1][0]] -= moved
            got += moved
        return got

    def _path(self, entry: int) -> list[tuple[int, int]] | None:
        """Return who is to take from which match, from the entry to one with units left."""
        each, free, taken = self.met.each, self.free, self.taken
        came: dict[int, tuple[int, int]] = {entry: (entry, -1)}
        waiting = deque([entry])
        while waiting:
            taker = waiting.popleft()
            matches = self.inside[taker]
            self.steps.left -= len(matches) + 1
            if self.steps.left < 0:
                raise TooManyStepsError
            for number in matches:
                if free.get(number, each[number].units):
                    path = [(taker, number)]
                    while taker != entry:
                        taker, number = came[taker]
                        path.append((taker, number))
                    return path[::-1]
            for number in matches:
                for giver in each[number].entries:
                    if giver not in came and taken.get((number, giver), 0):
                        came[giver] = (taker, number)
                        waiting.append(giver)
        return None

    def _free(self, number: int) -> int:
        return self.free.get(number, self.met.each[number].units)
