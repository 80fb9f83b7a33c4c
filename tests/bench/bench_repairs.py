"""How long the search for what explains a wrong total takes, measured by reading the same rows once.

The echo does not wait for it; it is asked for when typing rests.
"""

from functools import partial
from random import Random
from typing import Final

from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.typing.notation import read_rows
from scoring.typing.paper_figures import Paper
from scoring.typing.repairs import explain
from tests.bench.registry import Figure, bench, best_of

_SIDES: Final = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))


@bench()
def search_for_repairs() -> list[Figure]:
    figures = []
    for count, at_most in ((20, 300.0), (40, None), (80, None)):
        random = Random(1)
        rows = [(f"{random.choice('ab')}{random.randint(3, 40)}",) for _ in range(count)]
        # As many points to a game as such a sheet is long, so that all of it counts.
        rules = Rules.preset("standard", columns=3, target=count * 12)
        state = read_rows(rows, rules=rules, sides=_SIDES).state
        paper = Paper(net=state.net + 9)
        reading, searching = best_of(
            partial(read_rows, rows, rules=rules, sides=_SIDES),
            partial(explain, rows, paper, rules=rules, sides=_SIDES),
            rounds=4,
        )
        what = f"every single repair of {count} rows looked for"
        figures.append(Figure(f"{what}, by reading them", searching / reading, "×", at_most))
        figures.append(Figure(what, searching * 1000, "ms"))
    return figures
