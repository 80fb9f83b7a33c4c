"""`python -m tests`: all tests, with each database this machine has.

Tests without a database run once; the others run on SQLite as a file and again on PostgreSQL: the one that
`DATABASE_URL` names, or one that is started for the run. Benchmarks run after each, with nothing beside them.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.postgres import NotStarted, running_server

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS_COLLECTED = 5
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
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        left_out.append("browser tests: there is no chromium on the path")
        chosen.append("not browser")

    many = min(os.cpu_count() or 1, 4)

    def run(name: str, which: str, database_url: str | None = None, *, workers: int = many) -> Run:
        return _run_pytest(name, " and ".join([which, *chosen]), database_url, for_pytest, workers)

    runs = [
        run("Without a database", "not db and not bench"),
        run("SQLite", "db and not bench"),
        run("SQLite, measured", "bench", workers=0),
    ]
    try:
        with _postgresql() as url:
            runs.append(run("PostgreSQL", "db and not bench", url))
            runs.append(run("PostgreSQL, measured", "db and bench", url, workers=0))
    except NotStarted as reason:
        left_out.append(f"the run on PostgreSQL: {reason}")
    if options.complete:
        left_out += [f"skipped tests ({done.name})" for done in runs if " skipped" in done.closing_line]
    return _report(runs, left_out, complete=options.complete)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


@contextlib.contextmanager
def _postgresql() -> Iterator[str]:
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith(("postgres:", "postgresql:", "pgsql:", "psql:")):
        yield url
    else:
        with running_server() as url:
            yield url


def _run_pytest(
    name: str, markers: str, database_url: str | None, for_pytest: list[str], workers: int
) -> Run:
    """Run pytest in a process of its own, show what it prints as it prints it, and keep its closing line."""
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    if database_url:
        environment["DATABASE_URL"] = database_url
    command = [sys.executable, "-m", "pytest", "-m", markers, "-n", str(workers), "--dist", "loadgroup"]
    if sys.stdout.isatty():
        command.append("--color=yes")
    print(f"\n{name}", flush=True)
    process = subprocess.Popen([*command, *for_pytest], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
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
