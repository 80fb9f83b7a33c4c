"""How so many people are split into tables.

As many as can be have a table; then as many tables as can be have the usual size; then the others are as near
to it as can be, a table two off it counting as much as four that are one off; then tables are few. So most
events of multiplayer games do it: the rules of a Settlers championship (meeplesgames.com) have tables of four
"if possible", and those of three that make the number right.
"""

from collections.abc import Iterable
from typing import Final

from league.core.pairing.errors import PairingError
from league.core.standings.table_results import FEWEST_SIDES, MOST_SIDES
from scoring.core.messages import mark

MOST_PLAYERS: Final = 512


def table_sizes(n: int, fewest: int, most: int, usual: int) -> tuple[int, ...]:
    """Return the sizes of the tables of n people, largest first; whoever is not counted has none.

    Refused: sizes that are not in order or beyond three to six (`out_of_range`), fewer people than a table
    needs (`too_few_players`), more than `MOST_PLAYERS` (`too_many_players`).
    """
    check_sizes(fewest, most, usual)
    if n < fewest:
        raise PairingError(
            "too_few_players",
            mark("A table has at least %(fewest)s players, and there are %(n)s.", fewest=fewest, n=n),
            field="n",
        )
    if n > MOST_PLAYERS:
        raise PairingError(
            "too_many_players",
            mark("A round has at most %(most)s players, not %(n)s.", most=MOST_PLAYERS, n=n),
            field="n",
        )
    # For each number of people the best tables that seat exactly these, with what speaks against them.
    found: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {0: ((0, 0, 0), ())}
    for people in range(fewest, n + 1):
        ways = [
            ((of_usual - (size == usual), far + (size - usual) ** 2, tables + 1), (*sizes, size))
            for size in range(fewest, most + 1)
            if people - size in found
            for (of_usual, far, tables), sizes in (found[people - size],)
        ]
        if ways:
            found[people] = min(ways, key=lambda way: (way[0], sorted(way[1], reverse=True)))
    return tuple(sorted(found[max(found)][1], reverse=True))


def check_sizes(fewest: int, most: int, usual: int) -> None:
    """Refuse (`out_of_range`) sizes of tables that are not in order, or beyond three to six."""
    if not FEWEST_SIDES <= fewest <= usual <= most <= MOST_SIDES:
        raise PairingError(
            "out_of_range",
            mark(
                "Tables have %(least)s to %(greatest)s players, the usual one no fewer than the smallest and "
                "no more than the largest.",
                least=FEWEST_SIDES,
                greatest=MOST_SIDES,
            ),
            field="sizes",
        )


def split(players: Iterable[int], sizes: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Return the players in tables of these sizes, in order; those who are left over have none."""
    left = iter(players)
    return tuple(tuple(next(left) for _ in range(size)) for size in sizes)
