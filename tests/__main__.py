"""`python -m tests`: all tests, with each database this machine has.

Tests without a database run once; the others run on SQLite as a file and again on PostgreSQL: the one that
`DATABASE_URL` names, or one that is started for the run. What they write is kept in memory where there is
room: they would wait for the disk thousands of times. How pages look and answer to keys in Chromium is seen
once (`looks`): what they say, and what becomes of what is typed, is tested on both. Benchmarks run after each
with nothing beside them, and write to the disk. `--long` leaves nothing to one database alone.
What is missing is named and left out; with `--complete` that is a failure. Everything else on the command
line goes to pytest (`--long`, `-k`, paths).
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.chromium import chromium_program
from tests.postgres import NotStarted, running_server

ROOT = Path(__file__).resolve().parent.parent
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


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__, add_help=False)
    parser.add_argument("--complete", action="store_true", help="fail if anything has to be left out")
    parser.add_argument("-m", dest="markers", default="", help="as in pytest")
    options, for_pytest = parser.parse_known_args(arguments)
    if "-h" in for_pytest or "--help" in for_pytest:
        parser.print_help()
        return 0
    # Ended from outside, the server is still stopped and the folders are still removed.
    signal.signal(signal.SIGTERM, _leave)

    left_out = []
    chosen = [f"({options.markers})"] if options.markers else []
    if chromium_program() is None:
        left_out.append("browser tests: there is no chromium on the path")
        chosen.append("not browser")

    workers = ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadgroup"]
    benchmarks = [] if _names_a_path(for_pytest) else ["tests/bench"]

    def test(name: str, which: str, folder: Path | None, url: str | None = None) -> Run:
        return _run_pytest(name, [which, *chosen], [*workers, *for_pytest], url, folder)

    def measure(name: str, which: str, url: str | None = None) -> Run:
        return _run_pytest(name, [which, *chosen], ["-n", "0", *benchmarks, *for_pytest], url)

    runs = []
    with _memory() as folder:
        runs.append(test("Without a database, and SQLite", "not bench", folder))
    runs.append(measure("SQLite, measured", "bench"))
    try:
        with _memory() as folder, _postgresql(folder) as url:
            which = "db and not bench" if "--long" in for_pytest else "db and not bench and not looks"
            runs.append(test("PostgreSQL", which, folder, url))
        with _postgresql() as url:
            runs.append(measure("PostgreSQL, measured", "db and bench", url))
    except NotStarted as reason:
        left_out.append(f"the run on PostgreSQL: {reason}")
    if options.complete:
        left_out += [f"skipped tests ({done.name})" for done in runs if " skipped" in done.closing_line]
    return _report(runs, left_out, complete=options.complete)


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
        with running_server(folder) as url:
            yield url


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
        status = process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    return Run(name, status, closing_line)


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
