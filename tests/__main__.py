"""`python -m tests`: all tests, with each database this machine has.

Tests without a database run once; the others run on SQLite as a file. On PostgreSQL, the one that
`DATABASE_URL` names or one that is started for the run, run those that could end otherwise there: what locks,
races, migrates, is raw SQL or is marked `postgresql`, and of all others so many that every kind of statement
and subquery asked on SQLite is asked there too (`tests.notes`). What they write is kept in memory where there
is room: they would wait for the disk thousands of times. Benchmarks hold their ratios and their counts of
queries. `--long` leaves nothing to one database alone, tries more, runs what is marked `long`, and measures
with nothing beside it, writing to the disk. What is missing is named and left out; with `--complete` that is
a failure.

A test that clearly takes more than a second of a processor says why (`dear`), or the run fails.

`--quick [PATH …]` answers within a minute: everything that needs no database, and as far as the time goes the
tests with one that belong to what was changed since main, or to the paths. `--times` prints the dearest tests
of the last run and runs none. Everything else on the command line goes to pytest (`-k`, paths).
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.chromium import chromium_program
from tests.notes import NOTES, cover, left_elsewhere, read, slowness, unexplained
from tests.postgres import NotStarted, running_server
from tests.quick import LATE, changed

ROOT = Path(__file__).resolve().parent.parent
# Of the last run on SQLite.
DEAR_SECONDS = 1.0
# Clearly dear, on an idle machine: a test that is the first of its kind pays for what others find made.
CLEARLY_DEAR_SECONDS = 8.0
# Later than any test of `--long` ends: to print where a test stands while it goes on can end its process.
STUCK_SECONDS = 7200
# Of a minute, without what the last tests take that begin, and the start of the interpreter.
QUICK_SECONDS = 50
WITHOUT_AND_SQLITE = "Without a database, and SQLite"
NO_TESTS_COLLECTED = 5
MEMORY = Path("/dev/shm")  # noqa: S108 — a folder of its own is made in it
ROOM = 4 * 2**30
# Bytecode is kept: every worker, and every program that tests start, would compile all of it again.
NOT_FOR_TESTS = {"DATABASE_URL", "PYTHONDONTWRITEBYTECODE"}
CLOSING_LINE = re.compile(r"^=+ .*\bin [\d.]+s.* =+$")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run of pytest."""

    name: str
    status: int
    closing_line: str
    late: int = 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__, add_help=False)
    parser.add_argument("--complete", action="store_true", help="fail if anything has to be left out")
    parser.add_argument("-m", dest="markers", default="", help="as in pytest")
    parser.add_argument(
        "--quick", action="store_true", help="a minute: all without a database, and what changed"
    )
    parser.add_argument("--times", action="store_true", help="print the dearest tests of the last run")
    options, for_pytest = parser.parse_known_args(arguments)
    if "-h" in for_pytest or "--help" in for_pytest:
        parser.print_help()
        return 0
    # Ended from outside, the server is still stopped and the folders are still removed.
    signal.signal(signal.SIGTERM, _leave)
    if options.times:
        return _print_times()
    if options.quick:
        return _quick(for_pytest)

    left_out = []
    chosen = [f"({options.markers})"] if options.markers else []
    if chromium_program() is None:
        left_out.append("browser tests: there is no chromium on the path")
        chosen.append("not browser")
    shutil.rmtree(NOTES, ignore_errors=True)
    NOTES.mkdir(parents=True)
    benchmarks = [] if _names_a_path(for_pytest) else ["tests/bench"]
    is_long = "--long" in for_pytest
    if is_long:
        for_pytest += ["-o", f"faulthandler_timeout={STUCK_SECONDS}"]
    runs = []

    def test(name: str, markers: list[str], folder: Path | None, *more: str, url: str | None = None) -> None:
        apart = ["not bench" if is_long else "not long"]
        runs.append(
            _run_pytest(name, [*markers, *apart, *chosen], [*_workers(), *more, *for_pytest], url, folder)
        )

    def measure(name: str, markers: list[str], url: str | None = None) -> None:
        arguments = ["-n", "0", *benchmarks, *for_pytest]
        runs.append(_run_pytest(f"{name}, measured", [*markers, "bench", *chosen], arguments, url))

    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(_memory())
        try:
            url = stack.enter_context(_postgresql(folder))
        except NotStarted as reason:
            url = None
            left_out.append(f"the run on PostgreSQL: {reason}")
        everywhere = is_long or url is None
        test(WITHOUT_AND_SQLITE, [] if everywhere else ["not elsewhere"], folder, f"--note={NOTES}")
        unmarked = [] if is_long else _unmarked(folder)
        if url and is_long:
            test("PostgreSQL", ["db"], folder, url=url)
        elif url:
            listed = NOTES / "chosen"
            listed.write_text(json.dumps(sorted(cover(read(NOTES)) | left_elsewhere(NOTES))))
            test("PostgreSQL", ["db", "not looks"], folder, f"--chosen={listed}", url=url)
    if is_long:
        measure("SQLite", [])
    if is_long and url:
        with _postgresql() as url:
            measure("PostgreSQL", ["db"], url)
    if options.complete:
        left_out += [f"skipped tests ({done.name})" for done in runs if " skipped" in done.closing_line]
    for test_name in unmarked:
        print(f"Not marked as dear, and over {CLEARLY_DEAR_SECONDS:g} s of a processor: {test_name}")
    return _report(runs, left_out, complete=options.complete) or (1 if unmarked else 0)


def _unmarked(folder: Path | None) -> list[str]:
    """The tests that are clearly dear and not marked so.

    Those that seem to be are run once more with nothing beside them, and told only if they are it again, by
    the speed that the processor has meanwhile.
    """
    seeming = [note.test for note in unexplained(read(NOTES), CLEARLY_DEAR_SECONDS)]
    if not seeming:
        return []
    again = NOTES / "again"
    again.mkdir()
    before = slowness()
    _run_pytest("Dear, or only busy?", [], ["-n", "0", f"--note={again}", *seeming], None, folder)
    limit = CLEARLY_DEAR_SECONDS * max(before, slowness())
    return [note.test for note in unexplained(read(again), limit)]


def _workers(waiting: int = 1) -> list[str]:
    """A worker for each processor, and `waiting` more: for browsers, and programs that start."""
    return ["-n", str(min(os.cpu_count() or 1, 4) + waiting), "--dist", "loadgroup"]


def _print_times() -> int:
    """Print the tests of the last run that took more than a second, the dearest first."""
    notes = sorted(read(NOTES), key=lambda note: -note.seconds)
    dear = [note for note in notes if note.seconds > DEAR_SECONDS]
    for note in dear:
        print(f"{note.seconds:7.1f} s  {note.test[:160]}{f'  ({note.why})' if note.why else ''}")
    whole = sum(note.seconds for note in notes)
    print(
        f"{len(dear)} of {len(notes)} tests take {sum(note.seconds for note in dear):.0f} of {whole:.0f} s."
    )
    return 0


def _quick(arguments: list[str]) -> int:
    """Run what answers within a minute, and say in one line what was left out."""
    end = time.time() - time.process_time() + QUICK_SECONDS
    paths = [argument for argument in arguments if _names_a_path([argument])]
    others = [argument for argument in arguments if argument not in paths]
    paths = paths or changed(ROOT)
    options = [f"--end={end}", *(f"--near={path}" for path in paths), *others]
    fast = ["not browser", "not bench", "not dear", "not elsewhere"]
    options += [f"--ignore=tests/{folder}" for folder in ("browser", "bench")]
    with _memory() as folder:
        run = _run_pytest("Quick", fast, [*_workers(waiting=0), *options], None, folder)
    rooms = ", ".join(sorted({str(Path(path).parent if path.endswith(".py") else path) for path in paths}))
    print(
        "Left out: chromium, benchmarks, what is marked as dear"
        + (f", tests with a database but for {rooms}" if rooms else ", all tests with a database")
        + (f", and {run.late} for want of time." if run.late else ".")
    )
    return abs(run.status)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _names_a_path(arguments: list[str]) -> bool:
    return any((ROOT / argument.split("::")[0]).exists() for argument in arguments)


@contextlib.contextmanager
def _memory() -> Iterator[Path | None]:
    """A folder in memory that is gone afterwards; None where there is none, or no room in it."""
    if not os.access(MEMORY, os.W_OK | os.X_OK) or shutil.disk_usage(MEMORY).free < ROOM:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="gin-", dir=MEMORY))
    folder.chmod(0o711)  # PostgreSQL may have to run as somebody else
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _postgresql(folder: Path | None = None) -> Iterator[str]:
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith(("postgres:", "postgresql:", "pgsql:", "psql:")):
        yield url
    else:
        with running_server(folder) as server:
            yield server.url


def _run_pytest(
    name: str, markers: list[str], arguments: list[str], database_url: str | None, folder: Path | None = None
) -> Run:
    """Run pytest in a process of its own, show what it prints as it prints it, and keep its closing line.

    `folder` is where temporary files are to be, if not where the system has them.
    """
    environment = {key: value for key, value in os.environ.items() if key not in NOT_FOR_TESTS}
    if database_url:
        environment["DATABASE_URL"] = database_url
    if folder:
        environment["TMPDIR"] = str(folder)
    command = [sys.executable, "-m", "pytest", "-m", " and ".join(markers)]
    if sys.stdout.isatty():
        command.append("--color=yes")
    print(f"\n{name}", flush=True)
    process = subprocess.Popen([*command, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    closing_line = "pytest ended without a closing line"
    late = 0
    line = b""
    try:
        while chunk := os.read(process.stdout.fileno(), 65536):
            sys.stdout.buffer.write(chunk)
            sys.stdout.flush()
            *complete_lines, line = (line + chunk).split(b"\n")
            for done in complete_lines:
                text = COLOUR.sub("", done.decode(errors="replace")).strip()
                if CLOSING_LINE.match(text):
                    closing_line = text
                elif told := LATE.match(text):
                    late = int(told[1])
        status = process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    return Run(name, status, closing_line, late)


def _report(runs: list[Run], left_out: list[str], *, complete: bool) -> int:
    """Print what was left out and each run's closing line; the worst status counts.

    A run in which nothing was asked for is no failure, as long as another run had something to do.
    """
    print()
    for what in left_out:
        print(f"Left out: {what}")
    for run in runs:
        print(f"{run.name}:\n{run.closing_line}")
    statuses = [run.status for run in runs if run.status != NO_TESTS_COLLECTED] or [NO_TESTS_COLLECTED]
    worst = max(abs(status) for status in statuses)
    return worst or (1 if complete and left_out else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
