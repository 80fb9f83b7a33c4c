"""All that a table of many can bring those who sit at it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from league.core.standings.results import average


@lru_cache(maxsize=64)
def ways_of(places: Sequence[int]) -> frozenset[tuple[int, ...]]:
    """Return what as many as there are places can have, in hundredths of a point, if these are worth so much.

    Every order of places, in which neighbours may be level: they share what their places are worth, to the
    hundredth, as in `core.standings.table_results`. So also some places of a table, for those who have them.
    """
    found: set[tuple[int, ...]] = set()
    for cuts in range(2 ** max(len(places) - 1, 0)):
        levels: list[list[int]] = [[]]
        for place, worth in enumerate(places):
            if place and cuts >> (place - 1) & 1:
                levels.append([])
            levels[-1].append(worth)
        points = [int(average(level, places=0)) for level in levels for _ in level]
        found |= set(permutations(points))
    return frozenset(found)
