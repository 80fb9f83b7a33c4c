"""A night of many tables through HTTP: gunicorn as PRODUCTION.md runs it, PostgreSQL, many clients at once.

Clients record deal after deal on sheets they share, and some send a request again as after a lost reply. In
turns with that they ask a bare view of REST framework with the same authentication, which inserts one row.
Afterwards every sheet is read: each deal that was answered is there once, and nothing else is.
"""

import contextlib
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.bench.registry import Figure, bench, is_brief
from tests.deploy.machine import gunicorn
from tests.postgres import NotStarted, running_server

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CLIENTS: Final = 32
SHEETS: Final = 200
SECONDS: Final = 30.0
BRIEF_SHEETS: Final = 30
BRIEF_SECONDS: Final = 3.0
# Of the bare view's throughput recording has a quarter or more; it has had 2.4 to 3.4 times less.
AT_MOST: Final = 4
TURNS: Final = 3
START_SECONDS: Final = 180


@bench(long=True)
def a_night_through_http() -> list[Figure]:
    sheets, seconds = (BRIEF_SHEETS, BRIEF_SECONDS) if is_brief() else (SHEETS, SECONDS)
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(night_database())
        except NotStarted:
            return [Figure("not measured: there is no PostgreSQL here", 0, "s")]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gin-night-"))
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "tests.bench.night.settings",
        }
        night = ask_night(environment, "prepare", str(sheets), str(CLIENTS))
        port = stack.enter_context(gunicorn(environment, workers=4))
        tables = [
            _Table(port, token, night["sheets"], number) for number, token in enumerate(night["tokens"])
        ]
        recording = bare = 0.0
        for _ in range(TURNS):
            recording += _for(seconds / TURNS, [table.record for table in tables])
            bare += _for(seconds / TURNS / 2, [table.insert for table in tables])
        found = ask_night(environment, "check")
    recorded = sum(len(table.recorded) for table in tables)
    inserted = sum(table.inserted for table in tables)
    times = sorted(time for table in tables for time in table.times)
    refusals = [refusal for table in tables for refusal in table.refusals]
    differing = _differing(tables, found)
    for told in [*refusals, *differing][:5]:
        print(told)
    return [
        Figure(
            "requests a second of a bare view, by those that record a deal",
            (inserted / bare) / (recorded / recording),
            "×",
            AT_MOST,
        ),
        Figure("requests that were not answered as they should be", len(refusals), "apart", 0),
        Figure("deals lost, doubled or changed, by replay of every sheet", len(differing), "apart", 0),
        Figure(f"to record a deal, of {CLIENTS} at once: half of them within", percentile(times, 0.5), "ms"),
        Figure(f"to record a deal, of {CLIENTS} at once: 99 % of them within", percentile(times, 0.99), "ms"),
        Figure("between two deals recorded", recording / recorded * 1e3, "ms"),
        Figure("between two rows inserted by the bare view", bare / inserted * 1e3, "ms"),
    ]


@dataclass
class _Table:
    """One client, with a connection that it keeps, and what it was answered.

    `recorded` has sheet, number, key and points of every deal; `times` are in ms.
    """

    port: int
    token: str
    sheets: list[dict[str, Any]]
    number: int
    recorded: list[tuple[str, int, str, int]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    inserted: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)
        self.asked = 0

    def record(self, connection: http.client.HTTPConnection) -> None:
        """Records a deal on one of the sheets, and every twentieth time sends it again."""
        self.asked += 1
        sheet = self.chance.choice(self.sheets)
        key, points = f"{self.number}-{self.asked}", self.chance.randrange(10)
        deal = {"hands": [{"kind": "points", "winner": sheet["sides"][self.asked % 2], "points": points}]}
        body = json.dumps({"deals": [deal]})
        address = f"/api/v1/sheets/{sheet['code']}/deals/"
        start = time.perf_counter()
        status, answer = self._post(connection, address, body, {"Idempotency-Key": key})
        self.times.append((time.perf_counter() - start) * 1e3)
        if status != 201:
            self.refusals.append(f"{status} {answer[:200]!r}")
            return
        self.recorded.append((sheet["code"], json.loads(answer)["first"], key, points))
        if self.asked % 20 == 0:
            again = self._post(connection, address, body, {"Idempotency-Key": key})
            if again != (status, answer):
                self.refusals.append(f"sent again: {again[0]} {again[1][:200]!r}")

    def insert(self, connection: http.client.HTTPConnection) -> None:
        """Has the bare view insert a row."""
        self.inserted += 1
        status, answer = self._post(connection, "/api/v1/bare/", json.dumps({"id": str(self.inserted)}), {})
        if status != 201:
            self.refusals.append(f"{status} {answer[:200]!r}")

    def _post(
        self, connection: http.client.HTTPConnection, address: str, body: str, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        told = {"Authorization": f"Token {self.token}", "Content-Type": "application/json", **headers}
        connection.request("POST", address, body, told)
        response = connection.getresponse()
        return response.status, response.read()


def _for(seconds: float, calls: list[Callable[[http.client.HTTPConnection], None]]) -> float:
    """Has each call made again and again, in a thread of its own; answers how many seconds it took."""
    start = time.perf_counter()
    end = start + seconds

    def go_on(call: Callable[[http.client.HTTPConnection], None]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", call.__self__.port, timeout=60)  # type: ignore[attr-defined]
        with contextlib.closing(connection):
            while time.perf_counter() < end:
                call(connection)

    threads = [threading.Thread(target=go_on, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def _differing(tables: list[_Table], found: dict[str, Any]) -> list[str]:
    """What is stored and was not answered, what was answered and is not stored, what was added up wrongly."""
    answered = {deal for table in tables for deal in table.recorded}
    stored = {
        (code, number, key, points)
        for code, deals in found["stored"].items()
        for number, key, points in deals
    }
    count = sum(len(deals) for deals in found["stored"].values())
    doubled = ["a deal is stored twice"] * (count - len(stored))
    return [*doubled, *map(str, answered ^ stored), *found["wrong"]]


def percentile(times: list[float], share: float) -> float:
    """The time, of sorted ones, within which this share of them lies."""
    return times[min(int(len(times) * share), len(times) - 1)]


@contextlib.contextmanager
def night_database() -> Iterator[str]:
    """An empty database, on the server that `DATABASE_URL` names or on one of its own; gone afterwards."""
    given = os.environ.get("DATABASE_URL", "")
    with contextlib.ExitStack() as stack:
        if not given.startswith(("postgres:", "postgresql:", "pgsql:", "psql:")):
            given = stack.enter_context(running_server()).url
        server = f"postgresql:{given.partition(':')[2].rpartition('/')[0]}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE IF EXISTS league_night WITH (FORCE)")
            connection.execute("CREATE DATABASE league_night")
            yield f"{server}/league_night"
            connection.execute("DROP DATABASE league_night WITH (FORCE)")


def ask_night(environment: dict[str, str], *arguments: str) -> Any:
    """What `python -m tests.bench.night` answers."""
    command = [sys.executable, "-m", "tests.bench.night", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
