"""What a benchmark is, and how time is taken so that a busy machine does not decide the figure.

A module `bench_*.py` of this folder defines functions that return figures:

    @bench(database=True)
    def recording_a_deal() -> list[Figure]: ...

They are run by `python -m tests.bench`, which prints every figure, and by `test_bench.py`, which asserts
those that do not depend on the machine: ratios within the run, and counts of queries. The tests measure
`briefly` first: in a quarter of the rounds, of less, and nothing that is only shown (`is_brief`). What is too
much there is measured whole before it counts.
"""

import contextlib
import gc
import importlib
import math
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from django.db import connection

from tests import bench as folder

_COUNTS: Final = ("queries", "repeats", "apart")
_HOLD_ANYWHERE: Final = ("×", *_COUNTS)
_IN_FULL: Final = ("nats", "in 1")
_BRIEF_SECONDS: Final = 1 / 3


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a benchmark.

    `unit` is "×", "queries", "repeats", "apart", "s", "ms", "µs", "nats" (a logarithmic loss) or "in 1" (a
    share). `at_most` is what is promised of it. It is asserted of ratios and counts, and only shown beside
    others.
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
        fine = ".0f" if self.unit in _COUNTS else ".4f" if self.unit in _IN_FULL else ".4g"
        number = f"{self.value:,{fine}}"
        return f"{number:>10} {self.unit:<8}{self.what}{limit}"


Measure = Callable[[], list[Figure]]

_brief: ContextVar[bool] = ContextVar("brief", default=False)
_beside_others: ContextVar[bool] = ContextVar("beside_others", default=False)


@contextlib.contextmanager
def briefly() -> Iterator[None]:
    """What is measured inside takes a quarter of the rounds and leaves out what only shows a time."""
    token = _brief.set(True)
    try:
        yield
    finally:
        _brief.reset(token)


@contextlib.contextmanager
def beside_others() -> Iterator[None]:
    """What is measured inside is measured while other tests run on this machine."""
    token = _beside_others.set(True)
    try:
        yield
    finally:
        _beside_others.reset(token)


def is_brief() -> bool:
    """Whether only figures that hold on any machine are wanted: a benchmark may leave out all others."""
    return _brief.get()


@dataclass(frozen=True, slots=True)
class Bench:
    """A registered benchmark; with `database` it may write to an empty one, which is emptied after it.

    One that is `long` starts a whole site and many clients: it is measured with `--long` alone. Where what it
    promises is `by_vendor`, or it asks what no test does, it is measured on every database in the check, too.
    """

    name: str
    measure: Measure
    database: bool
    long: bool
    by_vendor: bool


_BENCHES: Final[dict[str, Bench]] = {}


def bench(
    *, database: bool = False, long: bool = False, by_vendor: bool = False
) -> Callable[[Measure], Measure]:
    """Registers a function of no arguments that returns figures."""

    def register(measure: Measure) -> Measure:
        _BENCHES[measure.__name__] = Bench(measure.__name__, measure, database, long, by_vendor)
        return measure

    return register


def all_benches() -> list[Bench]:
    """Every benchmark of the modules `bench_*.py`, by name."""
    for module in pkgutil.iter_modules(folder.__path__):
        if module.name.startswith("bench_"):
            importlib.import_module(f"{folder.__name__}.{module.name}")
    return [_BENCHES[name] for name in sorted(_BENCHES)]


def environment() -> dict[str, str]:
    """For programs that import what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def best_of(*calls: Callable[[], object], rounds: int = 30, times: int = 1) -> list[float]:
    """The shortest time of each call in seconds, out of `rounds` of `times` calls each.

    The calls take turns, so that whatever else the machine does meets all of them; what is left of the noise
    only ever makes a call slower, hence the shortest. Briefly it is a quarter of the rounds, or more of them
    where those are over within a third of a second. Beside other tests it is the time of this thread's
    processor alone, where no server works for it.
    """
    by_thread = _beside_others.get() and connection.vendor == "sqlite"
    clock = time.thread_time if by_thread else time.perf_counter
    least = max(rounds // 4, 1) if is_brief() else rounds
    begun = time.perf_counter()
    shortest = [math.inf] * len(calls)
    was_enabled = gc.isenabled()
    gc.disable()
    # What is there already is left alone, or looking through it after each round would take longer than most.
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            if number >= least and time.perf_counter() - begun > _BRIEF_SECONDS:
                break
            for index, call in enumerate(calls):
                start = clock()
                for _ in range(times):
                    call()
                shortest[index] = min(shortest[index], (clock() - start) / times)
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return shortest
