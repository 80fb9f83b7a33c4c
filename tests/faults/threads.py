"""Several at once: threads that start together, each on a connection of its own, with a deadline."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from django.db import connection, connections

DEADLINE_SECONDS = 180

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


def until_someone_waits(*, or_done: threading.Event) -> None:
    """Returns when another connection waits for a lock this one holds, or when `or_done` is set.

    At once on SQLite, where nobody else gets as far as that: there is one writer at a time.
    """
    if connection.vendor != "postgresql":
        return
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not or_done.wait(0.02):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks"
                " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
        assert time.monotonic() < deadline, "nobody waits"
