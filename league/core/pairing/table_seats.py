"""Order of seats, which is free once it is known who meets: the first seat deals first.

Each player has every seat about equally often, and the first above all.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from league.core.pairing.table_rounds import TableRound

# How much the first seat counts against another one.
_FIRST: Final = 4
# The first pass settles most; later ones react to its changes.
_PASSES: Final = 4


def table_seats(
    players: int, rounds: Sequence[TableRound], before: Iterable[TableRound] = ()
) -> tuple[TableRound, ...]:
    """Return the rounds with players in order of seats, numbered on from `before`, which counts too."""
    earlier = list(before)
    had: list[dict[int, int]] = [{} for _ in range(players)]
    for played in earlier:
        for seats in played.tables:
            _note(had, seats, 1)
    seated = [[list(table) for table in each.tables] for each in rounds]
    for turn in range(_PASSES):
        for tables in seated:
            for table in tables:
                if turn:
                    _note(had, table, -1)
                _improve(had, table)
                _note(had, table, 1)
    return tuple(
        TableRound(number, tuple(tuple(table) for table in tables), each.sit_out)
        for number, (tables, each) in enumerate(zip(seated, rounds, strict=True), start=len(earlier) + 1)
    )


def _note(had: list[dict[int, int]], table: Sequence[int], more: int) -> None:
    for seat, player in enumerate(table):
        # Others have left.
        if 0 <= player < len(had):
            had[player][seat] = had[player].get(seat, 0) + more


def _improve(had: Sequence[dict[int, int]], table: list[int]) -> None:
    """Swap two of a table as long as that makes seats more even."""

    def cost(player: int, seat: int) -> int:
        return had[player].get(seat, 0) * (1 if seat else _FIRST)

    better = True
    while better:
        better = False
        for one, other in combinations(range(len(table)), 2):
            x, y = table[one], table[other]
            if cost(y, one) + cost(x, other) < cost(x, one) + cost(y, other):
                table[one], table[other] = y, x
                better = True
