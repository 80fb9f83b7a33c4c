"""`python -m tests.mutants`: makes small faults in the product and tells what share of them the tests notice.

The tests are run once, on SQLite and without benchmarks, to record which of them executes which line. Then a
fixed random sample of faults is made, one at a time, in copies of the product: the checkout itself is never
touched. What was judged is kept in the folder of the run, so that the same command goes on where it was
ended; those that no test noticed are listed at the end.
"""

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

from tests.mutants.faults import Fault, drawn, faults_in, rooms
from tests.mutants.judging import NOTICED, Judged, Verdict, judge
from tests.mutants.recording import Recording, copy_checkout, record

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("deploy", "games", "league", "scoring")


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    folder = options.folder.resolve()
    whole = folder / "whole"
    if not (folder / "lines.sqlite").exists():
        shutil.rmtree(folder, ignore_errors=True)
        copy_checkout(options.checkout, whole)
        record(whole, folder, [app for app in APPS if (whole / app).is_dir()], options.tests)
    recording = Recording.read(whole, folder)
    sample = sampled(whole, options.number, options.seed, options.only)
    copies = [folder / f"copy-{number}" for number in range(options.jobs)]
    for copy in copies:
        # One that is left of a run that was killed may have a fault in it.
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(whole, copy)
    results = folder / "results.jsonl"
    judged = read_results(results)
    with results.open("a") as file:
        _judge_rest([fault for fault in sample if (fault.path, fault.key) not in judged],
                    recording, copies, options.seconds, file)  # fmt: skip
    judged = read_results(results)
    ours = [judged[fault.path, fault.key] for fault in sample]
    print(report(ours))
    if options.against:
        print(comparison(list(read_results(options.against / "results.jsonl").values()), ours))
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="PATH", help="folders or modules to draw from (all)")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="whose product and tests (this clone)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "var" / "mutants",
        help="where copies and results are kept (var/mutants); each checkout wants one of its own",
    )  # fmt: skip
    parser.add_argument("--number", type=int, default=200, help="how many faults (200)")
    parser.add_argument("--seed", default="1", help="another seed draws another sample")
    parser.add_argument("--seconds", type=float, default=120.0, help="of tests for each fault (120)")
    parser.add_argument("--jobs", type=int, default=1, help="faults judged at the same time (1)")
    parser.add_argument("--against", type=Path, help="folder of another run: compare with it")
    parser.add_argument(
        "--tests", nargs=argparse.REMAINDER,
        default=["-n", str(os.cpu_count() or 1), "--dist", "loadgroup"],
        help="last: what pytest is given for the recording, instead of all tests",
    )  # fmt: skip
    return parser.parse_args(arguments)


def sampled(copy: Path, number: int, seed: str, only: list[str]) -> list[Fault]:
    """The sample of a copy's product, or of the places named; migrations are what they are."""
    paths = [
        path.relative_to(copy)
        for app in APPS
        for path in sorted((copy / app).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    chosen = [path for path in paths if not only or any(path.is_relative_to(place) for place in only)]
    faults = (fault for path in chosen for fault in faults_in(str(path), (copy / path).read_bytes()))
    return drawn(rooms(faults), number, seed)


def _judge_rest(
    faults: list[Fault], recording: Recording, copies: list[Path], seconds: float, file: TextIO
) -> None:
    free: SimpleQueue[Path] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    @contextmanager
    def a_copy() -> Any:
        copy = free.get()
        try:
            yield copy
        finally:
            free.put(copy)

    def judged(fault: Fault, tests: list[tuple[str, float]]) -> Judged:
        with a_copy() as copy:
            return judge(fault, copy, tests, seconds=seconds)

    with ThreadPoolExecutor(len(copies)) as pool:
        waiting = {}
        for fault in faults:
            tests = [(test, recording.seconds[test]) for test in recording.tests_of(fault)]
            waiting[pool.submit(judged, fault, tests)] = fault
        try:
            for done, future in enumerate(as_completed(waiting), start=1):
                fault, result = waiting[future], future.result()
                file.write(json.dumps(asdict(fault) | asdict(result)) + "\n")
                file.flush()
                print(f"{done}/{len(faults)} {fault.path}:{fault.line} {result.verdict}", flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def read_results(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """What was judged, by path and key; a line that was cut off when the run was ended is judged again."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[row["path"], row["key"]] = row
    return found


def report(rows: list[dict[str, Any]]) -> str:
    """The share noticed, and every fault that was not."""
    noticed = [row for row in rows if Verdict(row["verdict"]) in NOTICED]
    lines = []
    for row in sorted(rows, key=lambda row: (row["path"], row["line"])):
        if Verdict(row["verdict"]) not in NOTICED:
            tried = f"{row['given']} tests" + (f", {row['left']} left out" if row["left"] else "")
            lines.append(f"{row['path']}:{row['line']} {row['function']} ({row['verdict']}; {tried})")
            lines.append(f"    {_one_line(row['before'])}  →  {_one_line(row['after'])}")
    counts = Counter(str(row["verdict"]) for row in rows)
    lines.append(", ".join(f"{verdict}: {count}" for verdict, count in sorted(counts.items())))
    lines.append(f"Noticed: {len(noticed)} of {len(rows)} ({_share(rows)})")
    return "\n".join(lines)


def comparison(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> str:
    """Both shares, of all faults and of those that both runs have judged."""
    common = {row["key"] for row in before} & {row["key"] for row in after}
    both = [[row for row in rows if row["key"] in common] for rows in (before, after)]
    lines = [f"Before: {_share(before)}, now: {_share(after)}"]
    lines.append(f"Of the {len(common)} faults that are the same: {_share(both[0])}, now {_share(both[1])}")
    was = {row["key"]: Verdict(row["verdict"]) in NOTICED for row in both[0]}
    for row in both[1]:
        if was[row["key"]] and Verdict(row["verdict"]) not in NOTICED:
            lines.append(f"No longer noticed: {row['path']}:{row['line']} {row['before']} → {row['after']}")
    return "\n".join(lines)


def _share(rows: list[dict[str, Any]]) -> str:
    noticed = sum(Verdict(row["verdict"]) in NOTICED for row in rows)
    return f"{100 * noticed / len(rows):.1f} %" if rows else "none"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}…"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
