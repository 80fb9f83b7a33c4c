"""Lines across a table, and entries that its criteria leave level where one runs.

A line runs below so many entries: those above it go on, go up, or stay. Where it runs among entries that
nothing separates, somebody has to put them in order (RULES §15); names, the order in which entries were made
and the lot of the table never do.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import groupby
from typing import Final, Protocol, TypeVar

Level = tuple[int, ...]
"""Entries that nothing separates."""
T = TypeVar("T")

_LOT: Final = "lot"


class CutKind(StrEnum):
    """What is cut for: places in a group, next places, prizes, going up or down, going on from a table."""

    GROUP = "group"
    NEXT = "next"
    PRIZE = "prize"
    DIVISION = "division"
    TABLE = "table"


class Placed(Protocol):
    """A line of a table: its rank, and the criterion that puts it above the next, if not the first one."""

    @property
    def rank(self) -> int: ...

    @property
    def above_next_by(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Cut:
    """Entries that are level where lines run among them.

    `above` entries of the table stand before them; of themselves, each of `places` says how many come to
    stand above a line. `group` is 0 in a table without groups. Those of a table of many sat at `table` in
    `round`, else both are 0. The `key` is the same as long as the tie is: the same entries with the same
    figures for the same number of places.
    """

    kind: CutKind
    group: int
    above: int
    entries: Level
    places: tuple[int, ...]
    key: str
    round: int = 0
    table: int = 0


@dataclass(frozen=True, slots=True)
class CutTable:
    """A table in levels, best first, with what was decided; `cuts` are all that were met, `open` ones too."""

    levels: tuple[Level, ...]
    cuts: tuple[Cut, ...]
    open: tuple[Cut, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The entries, best first; those still level in the order in which they were given."""
        return tuple(entry for level in self.levels for entry in level)


Decided = Callable[[Cut], Sequence[Sequence[int]] | None]
"""Returns into which levels a decision splits the entries of a cut; None where there is no decision."""


def levels_by(entries: Sequence[T], figure: Callable[[T], object], entry: Callable[[T], int]) -> list[Level]:
    """Return neighbours with the same figure as levels; `entries` are in order."""
    return [tuple(entry(one) for one in level) for _, level in groupby(entries, key=figure)]


def ranks_without_lot(rows: Sequence[Placed], first: str) -> list[int]:
    """Return the rank of each line where the lot puts nobody above others.

    `rows` are a whole table in order, and `first` is its first criterion.
    """
    ranks: list[int] = []
    for place, row in enumerate(rows):
        above = rows[place - 1] if place else None
        is_level = above is not None and (above.rank == row.rank or (above.above_next_by or first) == _LOT)
        ranks.append(ranks[-1] if is_level else row.rank)
    return ranks


def cut_table(
    levels: Sequence[Level],
    lines: Collection[int],
    *,
    kind: CutKind,
    group: int = 0,
    round: int = 0,
    table: int = 0,
    figures: Mapping[int, object],
    decided: Decided,
) -> CutTable:
    """Split the levels in which a line runs by the decisions on them, and those parts again.

    `lines` are numbers of entries above. A decision that separates nobody leaves the cut open. The `figures`
    of who sat at a table of many tell its round and table too.
    """
    after: list[Level] = []
    met: list[Cut] = []
    unsettled: list[Cut] = []
    waiting = list(reversed([tuple(level) for level in levels]))
    above = 0
    while waiting:
        level = waiting.pop()
        places = tuple(sorted(line - above for line in set(lines) if above < line < above + len(level)))
        if places:
            key = _key(kind, group, level, places, figures)
            cut = Cut(kind, group, above, level, places, key, round, table)
            met.append(cut)
            parts = decided(cut)
            if parts is not None and len(parts) > 1:
                waiting.extend(reversed([tuple(part) for part in parts]))
                continue
            unsettled.append(cut)
        after.append(level)
        above += len(level)
    return CutTable(tuple(after), tuple(met), tuple(unsettled))


def _key(
    kind: CutKind, group: int, level: Level, places: Sequence[int], figures: Mapping[int, object]
) -> str:
    told = sorted((entry, str(figures[entry])) for entry in level)
    return sha256(repr((kind.value, group, told, list(places))).encode()).hexdigest()[:16]
