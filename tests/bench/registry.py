"""What a benchmark is, and how time is taken so that a busy machine does not decide the figure.

A module `bench_*.py` of this folder defines functions that return figures:

    @bench(database=True)
    def recording_a_deal() -> list[Figure]: ...

They are run by `python -m tests.bench`, which prints every figure, and by `test_bench.py`, which asserts
those that do not depend on the machine: ratios within the run, and counts of queries.
"""

import gc
import importlib
import math
import pkgutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests import bench as folder

_COUNTS: Final = ("queries", "repeats", "apart")
_HOLD_ANYWHERE: Final = ("×", *_COUNTS)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a benchmark; `unit` is "×", "queries", "repeats", "apart", "s", "ms" or "µs".

    `at_most` is what is promised of it. It is asserted of ratios and counts, and only shown beside times.
    """

    what: str
    value: float
    unit: str
    at_most: float | None = None

    @property
    def is_too_much(self) -> bool:
        """Whether it breaks a promise that holds on any machine."""
        return self.at_most is not None and self.unit in _HOLD_ANYWHERE and self.value > self.at_most

    def __str__(self) -> str:
        limit = "" if self.at_most is None else f"   (at most {self.at_most:g})"
        number = f"{self.value:,.0f}" if self.unit in _COUNTS else f"{self.value:,.3g}"
        return f"{number:>10} {self.unit:<8}{self.what}{limit}"


Measure = Callable[[], list[Figure]]


@dataclass(frozen=True, slots=True)
class Bench:
    """A registered benchmark; with `database` it may write to an empty one, which is emptied after it."""

    name: str
    measure: Measure
    database: bool


_BENCHES: Final[dict[str, Bench]] = {}


def bench(*, database: bool = False) -> Callable[[Measure], Measure]:
    """Registers a function of no arguments that returns figures."""

    def register(measure: Measure) -> Measure:
        _BENCHES[measure.__name__] = Bench(measure.__name__, measure, database)
        return measure

    return register


def all_benches() -> list[Bench]:
    """Every benchmark of the modules `bench_*.py`, by name."""
    for module in pkgutil.iter_modules(folder.__path__):
        if module.name.startswith("bench_"):
            importlib.import_module(f"{folder.__name__}.{module.name}")
    return [_BENCHES[name] for name in sorted(_BENCHES)]


def best_of(*calls: Callable[[], object], rounds: int = 30, times: int = 1) -> list[float]:
    """The shortest time of each call in seconds, out of `rounds` of `times` calls each.

    The calls take turns, so that whatever else the machine does meets all of them; what is left of the noise
    only ever makes a call slower, hence the shortest.
    """
    shortest = [math.inf] * len(calls)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for index, call in enumerate(calls):
                start = time.perf_counter()
                for _ in range(times):
                    call()
                shortest[index] = min(shortest[index], (time.perf_counter() - start) / times)
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return shortest
