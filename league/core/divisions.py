"""Promotion and relegation between the divisions of a league, from final tables to the next season.

Divisions are listed from the top, each as its entries in order of the final table. Between neighbouring
divisions equally many are relegated from the bottom of the upper and promoted from the top of the lower one,
so sizes stay. The number is reduced where a division is too small: nobody is both promoted and relegated, nor
moves by more than one division.

A new division lists the relegated entries first, then those that stayed in order of the table, then the
promoted ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class SeasonMovement(StrEnum):
    """Promotion or relegation of an entry after the season."""

    UP = "up"
    STAYS = "stays"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class DivisionMove:
    """An entry's move into the next season, with its old division (0 is the top) and place there (from 1)."""

    entry: int
    division: int
    place: int
    movement: SeasonMovement


def changes(sizes: Sequence[int], moving: int) -> tuple[int, ...]:
    """Return how many entries move between each division and the next, for divisions of these sizes."""
    made: list[int] = []
    for upper, lower in pairwise(sizes):
        gone_up = made[-1] if made else 0
        made.append(max(min(moving, upper - gone_up, lower), 0))
    return tuple(made)


def next_divisions(tables: Sequence[Sequence[int]], moving: int) -> list[list[DivisionMove]]:
    """Return the divisions of the next season, from the top, each with its entries in order."""
    counts = changes([len(table) for table in tables], moving)
    after: list[list[DivisionMove]] = []
    for level, table in enumerate(tables):
        up = counts[level - 1] if level else 0
        down = counts[level] if level < len(counts) else 0
        came_down: list[DivisionMove] = []
        if level:
            above = tables[level - 1]
            first = len(above) - up
            came_down = _moves(above, level - 1, SeasonMovement.DOWN)[first:]
        stayed = _moves(table, level, SeasonMovement.STAYS)[up : len(table) - down]
        came_up: list[DivisionMove] = []
        if down:
            came_up = _moves(tables[level + 1], level + 1, SeasonMovement.UP)[:down]
        after.append([*came_down, *stayed, *came_up])
    return after


def _moves(table: Sequence[int], division: int, movement: SeasonMovement) -> list[DivisionMove]:
    return [DivisionMove(entry, division, place, movement) for place, entry in enumerate(table, start=1)]
