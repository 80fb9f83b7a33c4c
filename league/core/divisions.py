"""Promotion and relegation: from the tables of a league's divisions to those of its next season. Pure.

Divisions are given from the top, each as its entries in the order of its final table. Between two neighbours
the same number changes places: the last of the upper one go down, the first of the lower one go up, so sizes
stay. Where a division is too small for that the number is less: nobody goes both ways, and nobody moves by
more than one division.

In its new division whoever came down stands first, then who stayed in the order of the table, then who came
up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class SeasonMovement(StrEnum):
    """Where an entry goes after the season."""

    UP = "up"
    STAYS = "stays"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class DivisionMove:
    """An entry's way into the next season: from a division (0 is the top) and its place there (from 1)."""

    entry: int
    division: int
    place: int
    movement: SeasonMovement


def changes(sizes: Sequence[int], moving: int) -> tuple[int, ...]:
    """How many change places between each division and the next one below, for divisions of these sizes."""
    made: list[int] = []
    for upper, lower in pairwise(sizes):
        gone_up = made[-1] if made else 0
        made.append(max(min(moving, upper - gone_up, lower), 0))
    return tuple(made)


def next_divisions(tables: Sequence[Sequence[int]], moving: int) -> list[list[DivisionMove]]:
    """The divisions of the next season, from the top, each with its entries in order."""
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
