"""What is left to play in an event, and what it can bring those whose it is.

Points are counted in hundredths.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from math import gcd
from typing import Final

from league.core.lifecycle import MatchState
from league.core.points_left import MeetingLeft, Pair
from league.core.standings import Number, ScoringScheme

_SCALE: Final = 100


@dataclass(frozen=True, slots=True)
class LeftMatch:
    """A match of this round that does not count yet; any result is possible."""

    round: int
    side_a: tuple[int, ...]
    side_b: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table of many in this round that does not count yet; any places are possible, shared ones too."""

    round: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftRest:
    """A round that an entry is to sit out, by a bye or its own wish, and that does not count yet."""

    round: int
    entry: int
    state: MatchState


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round to be paired: each of these entries may meet any other, or who comes, rest, or stay away.

    `at_tables`: of many.
    """

    round: int
    entries: tuple[int, ...]
    at_tables: bool = False


@dataclass(frozen=True, slots=True)
class LateEntries:
    """That others may still come: with these points for each round missed, of so many `rounds` in all."""

    points: Number
    rounds: int


Left = LeftMatch | LeftTable | LeftRest | OpenRound


def entries_of(item: Left) -> tuple[int, ...]:
    """Return whose something left is."""
    if isinstance(item, LeftMatch):
        return item.side_a + item.side_b
    return (item.entry,) if isinstance(item, LeftRest) else item.entries


@dataclass(frozen=True, slots=True)
class Worth:
    """What a match or a rest can bring, in hundredths of a point.

    `least` and `most` are those of a side. What it wins above the least is a multiple of `unit`; `fullest` is
    the most of both sides together, in units. `open` is the least and most of a round to be paired.
    `by_place` is what places at a table of many bring, the last one any further place. With `left_out` what
    is left may also be left out.
    """

    outcomes: tuple[Pair, ...]
    rests: Mapping[MatchState, Pair]
    least: int
    most: int
    unit: int
    fullest: int
    open: Pair
    by_place: tuple[int, ...]
    left_out: bool

    @classmethod
    def of(cls, scheme: ScoringScheme, columns: int, *, left_out: bool = False) -> "Worth":
        """With `left_out` matches may also be left out."""
        win, draw, loss = scaled(scheme.win), scaled(scheme.draw), scaled(scheme.loss)
        column = scaled(scheme.column)
        outcomes = {
            (of_a + column * a, of_b + column * b)
            for of_a, of_b in ((win, loss), (draw, draw), (loss, win))
            for a in range(columns + 1 if column else 1)
            for b in range(columns + 1 - a if column else 1)
        }
        for award in (scheme.forfeit, scheme.walkover):
            won, lost = scaled(award.won), scaled(award.lost)
            outcomes |= {(won, lost), (lost, won), (lost, lost)}
            outcomes |= {(0, 0)} if left_out else set()
        rests = {MatchState.BYE: scaled(scheme.bye.won), MatchState.ABSENT: scaled(scheme.absent.won)}
        sides = {side for side, _ in outcomes}
        least, unit = min(sides), gcd(*(side - min(sides) for side in sides)) or 1
        together = [(a + b - 2 * least) // unit for a, b in outcomes]
        return cls(
            tuple(sorted(outcomes)),
            {
                state: (min(0, worth), max(0, worth)) if left_out else (worth, worth)
                for state, worth in rests.items()
            },
            least,
            max(sides),
            unit,
            max(together),
            (min(0, *sides, *rests.values()), max(0, *sides, *rests.values())),
            tuple(map(scaled, scheme.by_place)),
            left_out,
        )

    def at_table(self, size: int) -> tuple[int, ...]:
        """Return what the places at a table of so many bring."""
        return (*self.by_place, *repeat(self.by_place[-1], size))[:size]

    def span(self, item: Left) -> Pair:
        """Return the least and the most that something left can bring one of those whose it is."""
        if isinstance(item, LeftRest):
            return self.rests[item.state]
        if isinstance(item, LeftMatch):
            return self.least, self.most
        if isinstance(item, OpenRound):
            if not item.at_tables:
                return self.open
            worths = (0, *self.by_place, *(worth for span in self.rests.values() for worth in span))
            return min(worths), max(worths)
        worth = self.at_table(len(item.entries))
        return (min(0, worth[-1]), max(0, worth[0])) if self.left_out else (worth[-1], worth[0])

    def meeting(self, item: Left) -> MeetingLeft | None:
        """Return what entries that meet can share; None if they do not, or as partners."""
        if isinstance(item, LeftMatch) and (len(item.side_a), len(item.side_b)) == (1, 1):
            return MeetingLeft(entries_of(item), self.fullest, self.most - self.least)
        if isinstance(item, LeftTable):
            size, (least, most) = len(item.entries), self.span(item)
            # Shares are rounded, each by half a hundredth at most.
            together = sum(self.at_table(size)) + size
            if self.left_out:
                together = max(0, together)
            return MeetingLeft(item.entries, together - size * least, most - least)
        return None


def scaled(points: Number) -> int:
    """Return points in hundredths."""
    return int(points * _SCALE)
