"""One fault at a time in a copy of the product, and whether its tests notice."""

import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.recording import environment

PASSED, FAILED, NOT_FOUND = 0, 1, 4
# What pytest needs before its first test, on a busy machine; and how much slower than recorded tests may be.
START_SECONDS = 90.0
SLOWER = 6.0
# Tests are given in portions of so many recorded seconds: most faults are noticed by the first.
_PORTIONS = (10.0, 60.0)


class Verdict(StrEnum):
    """What became of a fault."""

    NOTICED = "noticed"
    ENDLESS = "endless"  # the tests did not end in time: noticed, too
    UNNOTICED = "unnoticed"
    NO_TEST = "no test executes it"


NOTICED = {Verdict.NOTICED, Verdict.ENDLESS}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, how many tests were given, and how many more there were than the limit allows."""

    verdict: Verdict
    given: int
    left: int
    by: str = ""


def judge(fault: Fault, copy: Path, tests: Sequence[tuple[str, float]], *, seconds: float) -> Judged:
    """Make the fault in the copy, run its tests until one fails, and restore the source whatever happens.

    `tests` are ids with their recorded seconds, in the order in which to try them; those that go past
    `seconds` in all are left out, but for the first.
    """
    if not tests:
        return Judged(Verdict.NO_TEST, 0, 0)
    path = copy / fault.path
    source = path.read_bytes()
    times = path.stat()
    # Bytecode is valid for a size and a whole second: every version of the source gets a second of its own.
    stamp = int(times.st_mtime) + next(_STAMPS)
    try:
        path.write_bytes(fault.applied_to(source))
        os.utime(path, (stamp, stamp))
        return _tried(copy, _portions(tests, seconds), len(tests))
    finally:
        path.write_bytes(source)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


_STAMPS = itertools.count(1)


def _portions(tests: Sequence[tuple[str, float]], limit: float) -> list[list[tuple[str, float]]]:
    ends = [end for end in _PORTIONS if end < limit] + [limit]
    portions: list[list[tuple[str, float]]] = [[] for _ in ends]
    spent = 0.0
    for number, (test, took) in enumerate(tests):
        spent += took
        if spent > limit and number:
            break
        portions[next((at for at, end in enumerate(ends) if spent <= end), 0)].append((test, took))
    return [portion for portion in portions if portion]


def _tried(copy: Path, portions: list[list[tuple[str, float]]], number: int) -> Judged:
    given = 0
    for portion in portions:
        given += len(portion)
        names = [test for test, _ in portion]
        limit = START_SECONDS + SLOWER * sum(took for _, took in portion)
        status, output = run_tests(copy, names, limit)
        if status == NOT_FOUND:
            # The fault changed what tests are made from: their functions are still there.
            status, output = run_tests(copy, sorted({name.partition("[")[0] for name in names}), limit)
        if status is None:
            return Judged(Verdict.ENDLESS, given, number - given)
        if status != PASSED:
            return Judged(Verdict.NOTICED, given, number - given, _first_failure(output))
    return Judged(Verdict.UNNOTICED, given, number - given)


def run_tests(copy: Path, tests: Sequence[str], limit: float) -> tuple[int | None, str]:
    """The status of pytest, None where it had to be ended after `limit` seconds, and what it printed."""
    with tempfile.TemporaryDirectory(prefix="gin-mutant-") as folder:
        names = Path(folder, "tests.txt")
        names.write_text("\n".join(tests))
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-n", "0", f"@{names}"]
        process = subprocess.Popen(
            command,
            cwd=copy,
            env=environment(TMPDIR=folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            _end(process)
    return process.returncode, output


def _end(process: subprocess.Popen[str]) -> None:
    """End pytest and what it has started, whatever is left of it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.communicate()


def _first_failure(output: str) -> str:
    found = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return found[0].split(" - ")[0] if found else ""
