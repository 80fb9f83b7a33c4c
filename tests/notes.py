"""What each test costs and what it asks of the database, noted while the tests run, and what follows from it.

A run with `--note FOLDER` leaves a file there for each of its processes. The run on PostgreSQL needs only the
tests that ask everything which was asked on SQLite: `cover` chooses them. `--times` prints the dearest.
"""

import heapq
import json
import os
import re
import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.sql.compiler import SQLCompiler

# Of the last whole run.
NOTES = Path(__file__).resolve().parent.parent / ".pytest_cache" / "notes"
# Beside the notes: the tests that were collected and are left to PostgreSQL alone.
ELSEWHERE = "elsewhere"

_PAGES = re.compile(r" (?:LIMIT|OFFSET) \d+")
_PARAMETERS = re.compile(r"\(%s(?:, %s)*\)")
_REPEATS = re.compile(r"(\((?:[^()]|\([^()]*\))*\)|\"\w+\"\.\"\w+\" = %s)(?:(?:, | OR )\1)+")
# Names of tables within one statement, such as U0 and T3.
_ALIASES = re.compile(r'(?<=") [T-Z]\d+\b|\b[T-Z]\d+\b')
# Columns as they are: which of them are read is the same to any database, but with DISTINCT, in groups or in
# unions. So is how many rows there are, or whether there is one.
_COLUMN = r'(?:"\w+"|U)\."\w+"'
_WHOLE = re.compile(r"^SELECT DISTINCT| GROUP BY | UNION ")
_READ = rf'(?:{_COLUMN}(?: AS "\w+")?|COUNT\(\*\) AS "__count"|(?:%s|\d+) AS "\w+")'
_COLUMNS = re.compile(rf"(?:(?<=^SELECT )|(?<=, )){_READ}(?:, |(?= FROM ))")  # noqa: S608
# Columns compared with values or with a subquery: so is which rows they are.
_VALUE = rf"(?:%s|{_COLUMN}|\({_COLUMN}\)|\(…\))"
_COMPARED = rf"(?:{_COLUMN}(?: [<>]?=? {_VALUE}| IN \((?:%s|…)\)| IS (?:NOT )?NULL)?|EXISTS\(…\))"
_CONDITION = rf"\(*(?:NOT )?\(*{_COMPARED}\)*"
_CONDITIONS = re.compile(rf" WHERE {_CONDITION}(?: (?:AND|OR) {_CONDITION})*(?= ORDER BY| FOR |$)")
# How they are put in order may differ by each column, but not by keys.
_ORDER = re.compile(r" ORDER BY (.*?)(?= FOR UPDATE|$)")
_TERMS = re.compile(r", (?![^()]*\))")
_KEY = re.compile(r'(?:"\w+"|U)\."id" (?:ASC|DESC)|\d+ (?:ASC|DESC)')
# Rows joined by equal columns; not all of them can be locked.
_JOINS = re.compile(rf' (?:INNER|LEFT OUTER) JOIN "\w+" ON \({_COLUMN} = {_COLUMN}\)')
# A row comes with its key when it is brought back.
_WITH_KEY = re.compile(r'(?<=^INSERT INTO )("\w+" \()"id", ')
# Columns written one row at a time, or of many rows at once.
_ASSIGNMENTS = re.compile(r'^(UPDATE "\w+" SET )(".*?)(?= WHERE |$)')
_CASES = re.compile(r"CASE((?: WHEN \([^()]*\) THEN (?:%s|NULL|CAST\([^()]*\)))+) ELSE NULL END")
# What migrations ask, which run on every database anyway.
_DEFINES = re.compile(r'(?:CREATE|ALTER|DROP) |INSERT INTO "new__|.*\bsqlite_master\b', re.DOTALL)
# Some work, and what it takes a processor of an idle machine.
_WORK = 2_000_000
_WORK_SECONDS = 0.12
# What a database is told about the transaction, or about itself.
_ABOUT = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "PRAGMA")


@dataclass(frozen=True, slots=True)
class Note:
    """One test that was run: seconds of its process and of programs that it ended, and what was asked.

    With a browser, which ends with the run, they are seconds on the wall. `reach` says whether the test
    belongs on PostgreSQL: "always", "covering" if it asks what no other does, or "no".
    """

    test: str
    seconds: float
    reach: str
    why: str
    statements: tuple[str, ...]


class Noting:
    """The plugin that notes: one for each process in which tests run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._notes: list[Note] = []
        self._asked: set[str] = set()
        self._locking = threading.local()
        connection_created.connect(self._listen)
        self._tell_locks()

    def _tell_locks(self) -> None:
        """SQLite has no `FOR UPDATE`, and the statement would not say that it locks on PostgreSQL."""
        execute = SQLCompiler.execute_sql

        def telling(compiler: Any, *arguments: Any, **options: Any) -> Any:
            query = compiler.query
            if not query.select_for_update:
                return execute(compiler, *arguments, **options)
            self._locking.words = f" FOR UPDATE {query.select_for_update_of} {query.select_for_no_key_update}"
            try:
                return execute(compiler, *arguments, **options)
            finally:
                self._locking.words = ""

        SQLCompiler.execute_sql = telling  # type: ignore[assignment, method-assign]

    def _listen(self, connection: BaseDatabaseWrapper, **_: Any) -> None:
        """Also to connections of other threads, such as those of the live server."""
        if self._hear not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._hear)

    def _hear(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self._asked.add(sql + getattr(self._locking, "words", ""))
        return execute(sql, params, many, context)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Before `-m` leaves them out. Every process collects the same, and so writes the same."""
        left = sorted(named(item) for item in items if item.get_closest_marker("elsewhere"))
        (self._folder / ELSEWHERE).write_text(json.dumps(left))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._asked = set()
        clock = time.monotonic if item.get_closest_marker("browser") else processor_seconds
        before = clock()
        result = yield
        seconds = clock() - before
        asked = (each for each in self._asked if not each.startswith(_ABOUT))
        statements = frozenset[str]().union(*map(kinds, asked))
        self._notes.append(
            Note(named(item), round(seconds, 3), reach(item), why(item), tuple(sorted(statements)))
        )
        return result

    def pytest_sessionfinish(self) -> None:
        if self._notes:
            file = self._folder / f"{os.getpid()}.json"
            file.write_text(json.dumps([asdict(note) for note in self._notes]))


def named(item: pytest.Item) -> str:
    """The test's name, without the group that pytest-xdist appends to it while it runs."""
    group = item.get_closest_marker("xdist_group")
    return item.nodeid if group is None else item.nodeid.removesuffix(f"@{group.args[0]}")


def reach(item: pytest.Item) -> str:
    """Whether a test belongs on PostgreSQL, as in `Note`."""
    if not item.get_closest_marker("db") or item.get_closest_marker("looks"):
        return "no"
    return "always" if item.get_closest_marker("postgresql") else "covering"


def why(item: pytest.Item) -> str:
    """Why a test may cost more than a second; blank if nobody has said so."""
    dear = item.get_closest_marker("dear")
    if dear is not None:
        return str(dear.args[0])
    marks = {"browser": "drives chromium", "bench": "measures"}
    return next((reason for mark, reason in marks.items() if item.get_closest_marker(mark)), "")


def processor_seconds() -> float:
    """The processor time of this process so far, and of the programs it has waited for."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def slowness() -> float:
    """How many times longer than usual a processor takes now for the same work; at least 1."""
    before = time.process_time()
    sum(number * number for number in range(_WORK))
    return max(1.0, (time.process_time() - before) / _WORK_SECONDS)


def unexplained(notes: Iterable[Note], seconds: float) -> list[Note]:
    """The tests that took longer than so many seconds, and nobody says why; the longest first."""
    over = (note for note in notes if note.seconds > seconds and not note.why)
    return sorted(over, key=lambda note: -note.seconds)


@lru_cache(maxsize=20_000)
def kinds(statement: str) -> frozenset[str]:
    """Short names of the statement and its subqueries: the same whatever their values, rows, columns, joins,
    conditions, page. What is written to each column is of a kind by itself, unless it is a value.
    """
    if _DEFINES.match(statement):
        return frozenset()
    found = set()
    rest = _PARAMETERS.sub("(%s)", _PAGES.sub("", statement))
    while (start := rest.rfind("(SELECT ")) >= 0:
        end = _end_of(rest, start)
        found |= _parts(rest[start + 1 : end])
        rest = f"{rest[:start]}(…){rest[end + 1 :]}"
    if update := _ASSIGNMENTS.match(rest):
        told = _CASES.sub(lambda case: "CASES" if "THEN %s" in case[1] else "NULLS", rest)
        update = _ASSIGNMENTS.match(told)
        assert update is not None
        for assigned in re.split(r', (?="\w+" = )', update[2]):
            if not assigned.endswith((" = %s", " = NULL")):
                found.add(update[1] + assigned)
        rest = f"{update[1]}…{told[update.end() :]}"
    found |= _parts(rest)
    return frozenset(blake2b(plain.encode(), digest_size=8).hexdigest() for plain in found)


def _end_of(statement: str, start: int) -> int:
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(statement)):
        depth += (statement[place] == "(") - (statement[place] == ")")
        if depth == 0:
            return place
    return len(statement)


def _parts(statement: str) -> set[str]:
    """A statement without subqueries, whatever its columns and rows, and what it is put in order by."""
    plain = _REPEATS.sub(r"\1", _WITH_KEY.sub(r"\1", statement))
    plain = _ALIASES.sub(lambda alias: "" if alias[0].startswith(" ") else "U", plain)
    if _WHOLE.search(plain):
        return {_CONDITIONS.sub(" WHERE …", plain)}
    if " FOR UPDATE" not in plain:
        plain = _JOINS.sub("", plain)
    read, from_, rest = plain.partition(" FROM ")
    plain = _CONDITIONS.sub("", _COLUMNS.sub("", read + from_) + rest)
    order = _ORDER.search(plain)
    terms = [] if order is None else _TERMS.split(order[1])
    return {_ORDER.sub("", plain)} | {f"ORDER BY {term}" for term in terms if not _KEY.fullmatch(term)}


def read(folder: Path) -> list[Note]:
    """The notes of a run."""
    return [
        Note(**{**note, "statements": tuple(note["statements"])})
        for file in sorted(folder.glob("*.json"))
        for note in json.loads(file.read_text())
    ]


def left_elsewhere(folder: Path) -> set[str]:
    """The tests that a run left to PostgreSQL alone."""
    return set(json.loads((folder / ELSEWHERE).read_text()))


def cover(notes: Iterable[Note]) -> set[str]:
    """The tests that ask all that was asked by any which may run on PostgreSQL, at little cost.

    Greedy: those that always run, then again and again who asks the most new for a second; at the end the
    dearest go of which all is asked by others that were chosen later.
    """
    by_test = {note.test: note for note in notes if note.reach != "no"}
    chosen = {test for test, note in by_test.items() if note.reach == "always"}
    missing = {statement for note in by_test.values() for statement in note.statements}
    for test in chosen:
        missing.difference_update(by_test[test].statements)

    def gain(note: Note) -> float:
        # Each also costs what no test can do without, such as emptying the cache.
        return len(missing.intersection(note.statements)) / (note.seconds + 0.02)

    always = set(chosen)
    waiting = [(-gain(note), test) for test, note in by_test.items() if test not in chosen]
    heapq.heapify(waiting)
    while missing and waiting:
        promised, test = heapq.heappop(waiting)
        now = gain(by_test[test])
        if now <= 0:
            continue
        if now < -promised and waiting and now < -waiting[0][0]:
            heapq.heappush(waiting, (-now, test))
            continue
        chosen.add(test)
        missing.difference_update(by_test[test].statements)

    asked = Counter(statement for test in chosen for statement in by_test[test].statements)
    for test in sorted(chosen - always, key=lambda test: (-by_test[test].seconds, test)):
        if all(asked[statement] > 1 for statement in by_test[test].statements):
            asked.subtract(by_test[test].statements)
            chosen.remove(test)
    return chosen
