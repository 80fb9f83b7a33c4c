"""Several at once: threads that start together, each on a connection of its own, with a deadline."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from django.db import connections

DEADLINE_SECONDS = 60

Result = TypeVar("Result")


def at_once(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """What the calls return, in their order; whatever one raises is raised here.

    None begins before all are ready. Not being done in time is a failure: that is how a deadlock shows.
    """
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result:
        try:
            start.wait(DEADLINE_SECONDS)
            return call()
        finally:
            connections.close_all()

    pool = ThreadPoolExecutor(max_workers=len(calls))
    try:
        futures = [pool.submit(run, call) for call in calls]
        _, unfinished = wait(futures, timeout=DEADLINE_SECONDS)
        assert not unfinished, f"{len(unfinished)} of {len(calls)} are not done after {DEADLINE_SECONDS} s"
        return [future.result() for future in futures]
    finally:
        pool.shutdown(wait=False)
