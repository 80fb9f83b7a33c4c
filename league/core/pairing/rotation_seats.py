"""Which table each four get, who deals first, who is named first: what is free once it is known who meets.

Players move around: four get, of the tables left, the one they have sat at least. Each is in the pair that
deals first about as often as in the other.
"""

from collections.abc import Sequence
from itertools import chain, combinations

from league.core.pairing.movements import MovementRound, Pair, Table


def spread_rests(rounds: Sequence[MovementRound]) -> list[MovementRound]:
    """The rounds, next always the one whose idle have waited longest: nobody sits out again soon."""
    left = list(rounds)
    ordered: list[MovementRound] = []
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
    """The rounds with tables in their order and pairs in theirs, numbered on from `before`, which counts."""
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
    # One pass settles most; the next meet what it has changed, and soon find nothing.
    for _ in range(3):
        tables = [tuple(seats.turned(table) for table in each) for each in tables]
    return tuple(
        MovementRound(number, each, planned.sit_out)
        for number, (each, planned) in enumerate(zip(tables, rounds, strict=True), start=len(before) + 1)
    )


class _Seats:
    """What has been: tables sat at, pairs dealing first less those dealing second, and being named first."""

    def __init__(self, players: int, before: Sequence[MovementRound]) -> None:
        self.visits: list[dict[int, int]] = [{} for _ in range(players)]
        self.dealt = [0] * players
        self.named = [0] * players
        for each in before:
            for place, table in enumerate(each.tables):
                self._visit(place, table)
                self._note(table)

    def tables(self, planned: Sequence[Table]) -> tuple[Table, ...]:
        """The four of a round at the tables they have sat at least, pairs turned so that deals balance."""
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
        """A table noted before, pairs and who is named first in them the other way where that balances."""
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
