"""Assigns tables, first deal and order of names, which are free once the meetings are fixed.

Players move around: of the tables left, each four gets the one they have used least. Each player is in the
pair that deals first about half the time.
"""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Protocol, TypeVar

from league.core.pairing.movements import MovementRound, Pair, Table


class WithRests(Protocol):
    """A round in which somebody may rest."""

    @property
    def sit_out(self) -> tuple[int, ...]: ...


R = TypeVar("R", bound=WithRests)


def spread_rests(rounds: Sequence[R]) -> list[R]:
    """Reorder rounds so that the next is always the one whose resting players have waited longest."""
    left = list(rounds)
    ordered: list[R] = []
    last: dict[int, int] = {}
    while left:
        index = len(ordered)
        chosen = max(left, key=lambda each: min((index - last.get(p, -1) for p in each.sit_out), default=0))
        left.remove(chosen)
        last |= dict.fromkeys(chosen.sit_out, index)
        ordered.append(chosen)
    return ordered


def seated(
    rounds: Sequence[MovementRound], before: Sequence[MovementRound] = ()
) -> tuple[MovementRound, ...]:
    """Assign tables and first deals, numbering on from `before`, which counts towards the balance."""
    players = 1 + max(
        (
            player
            for each in chain(before, rounds)
            for pairs in each.tables
            for pair in pairs
            for player in pair
        ),
        default=0,
    )
    seats = _Seats(players, before)
    tables = [seats.tables(each.tables) for each in rounds]
    # One pass settles most; later ones only react to its changes and soon find nothing.
    for _ in range(3):
        tables = [tuple(seats.turned(table) for table in each) for each in tables]
    return tuple(
        MovementRound(number, each, planned.sit_out)
        for number, (each, planned) in enumerate(zip(tables, rounds, strict=True), start=len(before) + 1)
    )


class _Seats:
    """Counts so far: tables used, pairs dealing first minus dealing second, and players named first."""

    def __init__(self, players: int, before: Sequence[MovementRound]) -> None:
        self.visits: list[dict[int, int]] = [{} for _ in range(players)]
        self.dealt = [0] * players
        self.named = [0] * players
        for each in before:
            for place, table in enumerate(each.tables):
                self._visit(place, table)
                self._note(table)

    def tables(self, planned: Sequence[Table]) -> tuple[Table, ...]:
        """Assign each four of a round to the table they have used least, and turn pairs to balance deals."""
        at = range(len(planned))
        cost = [
            [sum(self.visits[player].get(place, 0) ** 2 for pair in table for player in pair) for place in at]
            for table in planned
        ]
        chosen = list(at)
        for one, other in combinations(at, 2):
            mine, yours = chosen[one], chosen[other]
            if cost[one][yours] + cost[other][mine] < cost[one][mine] + cost[other][yours]:
                chosen[one], chosen[other] = yours, mine
        places: dict[int, Table] = {}
        for index, place in enumerate(chosen):
            places[place] = self._balanced(planned[index])
            self._visit(place, places[place])
        return tuple(places[place] for place in at)

    def turned(self, table: Table) -> Table:
        """Turn a table that is already counted wherever that balances deals and names."""
        self._note(table, -1)
        return self._balanced(table)

    def _balanced(self, table: Table) -> Table:
        first, second = table
        if self._dealt(first) > self._dealt(second):
            first, second = second, first
        table = self._ordered(first), self._ordered(second)
        self._note(table)
        return table

    def _ordered(self, pair: Pair) -> Pair:
        one, other = pair
        return (other, one) if self.named[one] > self.named[other] else pair

    def _dealt(self, pair: Pair) -> int:
        return self.dealt[pair[0]] + self.dealt[pair[1]]

    def _visit(self, place: int, table: Table) -> None:
        for pair in table:
            for player in pair:
                self.visits[player][place] = self.visits[player].get(place, 0) + 1

    def _note(self, table: Table, more: int = 1) -> None:
        for pair, sign in zip(table, (more, -more), strict=True):
            for player in pair:
                self.dealt[player] += sign
            self.named[pair[0]] += more
            self.named[pair[1]] -= more
