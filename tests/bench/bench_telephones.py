"""An evening in a hall: `manage.py up` on SQLite, 16 telephones that record, 100 readers who follow pages.

The telephones send deals as the page at the table does, with a pause between them; the readers look at pages
of the club, the event, its round and its matches as `follow.js` does, with the ETag of what they show, all
from one address. One in ten of them is signed in, another opens his page anew each time. Afterwards every
sheet is read: each deal that was answered is there once, and nothing else is.
"""

import contextlib
import http.client
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from tests.bench.bench_night import ROOT, START_SECONDS, ask_night, percentile
from tests.bench.registry import Figure, bench, is_brief

TELEPHONES: Final = 16
READERS: Final = 100
# Of so many readers one is signed in, another follows nothing.
ONE_IN: Final = 10
SECONDS: Final = 60.0
BRIEF_SECONDS: Final = 5.0
# A hand takes longer; a reader's page looks every 12 s.
BETWEEN_DEALS: Final = 5.0
BETWEEN_LOOKS: Final = 12.0


@bench(long=True)
def an_evening_with_telephones_and_readers() -> list[Figure]:
    seconds = BRIEF_SECONDS if is_brief() else SECONDS
    with tempfile.TemporaryDirectory(prefix="gin-evening-") as folder:
        environment = {**os.environ, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        environment.pop("DATABASE_URL", None)
        evening = ask_night(environment, "telephones", str(TELEPHONES), str(READERS // ONE_IN))
        with _up(environment) as port:
            end = time.monotonic() + seconds
            telephones = [_Telephone(port, end, number, one) for number, one in enumerate(evening["sheets"])]
            pages = evening["pages"]
            sessions = dict(zip(range(0, READERS, ONE_IN), evening["sessions"], strict=True))
            readers = [
                _Reader(port, end, number, pages[number % len(pages)], sessions.get(number, ""))
                for number in range(READERS)
            ]
            clients = [*telephones, *readers]
            with ThreadPoolExecutor(len(clients)) as pool:
                # What a client did not expect is raised here.
                list(pool.map(_Client.go_on, clients))
        found = ask_night(environment, "check")
    refusals = [refusal for one in clients for refusal in one.refusals]
    differing = _differing(telephones, found)
    for line in [*refusals, *differing][:5]:
        print(line)
    recording = sorted(time for one in telephones for time in one.times)
    reading = sorted(time for one in readers for time in one.times)
    followers = [one for one in readers if one.follows]
    unchanged = sum(one.unchanged for one in followers) / sum(len(one.times) for one in followers)
    return [
        Figure("requests that were not answered as they should be", len(refusals), "apart", 0),
        Figure("deals lost, doubled or changed, by replay of every sheet", len(differing), "apart", 0),
        Figure(
            f"to record a deal, of {len(recording)}: half of them within", percentile(recording, 0.5), "ms"
        ),
        Figure(
            f"to record a deal, of {len(recording)}: 99 % of them within", percentile(recording, 0.99), "ms"
        ),
        Figure(f"to look at a page, of {len(reading)}: half of them within", percentile(reading, 0.5), "ms"),
        Figure(f"to look at a page, of {len(reading)}: 99 % of them within", percentile(reading, 0.99), "ms"),
        Figure("of all looks of those who follow, answered by 304", unchanged * 100, "%"),
    ]


@dataclass
class _Client(ABC):
    """A client in a thread of its own that acts at least once, and until `end`; `times` are in ms."""

    port: int
    end: float
    number: int
    times: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def go_on(self) -> None:
        chance = random.Random(self.number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        pause = chance.uniform(0, min(self.between, max(self.end - time.monotonic(), 0)))
        with contextlib.closing(connection):
            try:
                self.begin(connection)
                while True:
                    time.sleep(pause)  # as somebody who plays or reads does
                    self.act(connection)
                    pause = self.between * chance.uniform(0.85, 1.15)
                    if time.monotonic() + pause >= self.end:
                        return
            except (OSError, http.client.HTTPException) as fault:
                self.refusals.append(repr(fault))

    @property
    @abstractmethod
    def between(self) -> float:
        """Seconds between two acts, about."""

    @abstractmethod
    def begin(self, connection: http.client.HTTPConnection) -> None:
        """What comes before the first act, and is not timed."""

    @abstractmethod
    def act(self, connection: http.client.HTTPConnection) -> None:
        """One request, timed."""

    def timed(
        self, connection: http.client.HTTPConnection, *request: Any
    ) -> tuple[http.client.HTTPResponse, bytes]:
        start = time.perf_counter()
        connection.request(*request)
        response = connection.getresponse()
        body = response.read()
        self.times.append((time.perf_counter() - start) * 1e3)
        return response, body


@dataclass
class _Telephone(_Client):
    """Records deal after deal at its table; `recorded` has the key and the points of each."""

    sheet: dict[str, str] = field(default_factory=dict)
    recorded: dict[str, int] = field(default_factory=dict)

    def __init__(self, port: int, end: float, number: int, sheet: dict[str, str]) -> None:
        super().__init__(port, end, number)
        self.sheet, self.recorded = sheet, {}

    @property
    def between(self) -> float:
        return BETWEEN_DEALS

    def begin(self, connection: http.client.HTTPConnection) -> None:
        connection.request("GET", self.sheet["link"])
        opened = connection.getresponse()
        opened.read()
        self.place = opened.headers["Location"]
        table = str(opened.headers["Set-Cookie"]).partition(";")[0]
        told = {"Cookie": table, "Accept": "application/json"}
        connection.request("GET", f"{self.place}state/", headers=told)
        state = connection.getresponse()
        state.read()
        token = str(state.headers["Set-Cookie"]).partition(";")[0]
        self.headers = {
            "Cookie": f"{table}; {token}",
            "X-CSRFToken": token.partition("=")[2],
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def act(self, connection: http.client.HTTPConnection) -> None:
        number = len(self.recorded) + 1
        key, points = f"{self.sheet['code']}-{number}", number % 9 + 1
        fields = {"number": number, "key": key, "won-0": number % 2, "how-0": "knock", "by-0": "points"}
        body = urlencode({**fields, "points-0": points})
        response, answer = self.timed(connection, "POST", f"{self.place}deals/", body, self.headers)
        if response.status == http.HTTPStatus.OK:
            self.recorded[key] = points
        else:
            self.refusals.append(f"{response.status} {answer[:200]!r}")


class _Reader(_Client):
    """Follows one page with the ETag of what he has, or opens it anew each time; with a session signed in."""

    def __init__(self, port: int, end: float, number: int, page: str, session: str) -> None:
        super().__init__(port, end, number)
        self.page, self.tag, self.unchanged = page, "", 0
        self.follows = number % ONE_IN != ONE_IN - 1
        self.headers = {"Cookie": f"sessionid={session}"} if session else {}

    @property
    def between(self) -> float:
        return BETWEEN_LOOKS

    def begin(self, connection: http.client.HTTPConnection) -> None:
        """The first look is one of many."""

    def act(self, connection: http.client.HTTPConnection) -> None:
        headers = dict(self.headers)
        if self.follows:
            headers |= {"HX-Request": "true", **({"If-None-Match": self.tag} if self.tag else {})}
        response, answer = self.timed(connection, "GET", self.page, None, headers)
        if response.status == http.HTTPStatus.OK:
            self.tag = response.headers["ETag"] or ""
        elif response.status == http.HTTPStatus.NOT_MODIFIED:
            self.unchanged += 1
        else:
            self.refusals.append(f"{response.status} {answer[:200]!r}")


def _differing(telephones: list[_Telephone], found: dict[str, Any]) -> list[str]:
    """What is stored and was not answered, what was answered and is not stored, what was added up wrongly."""
    differing = []
    for one in telephones:
        stored = [points for _number, _key, points in found["stored"].get(one.sheet["code"], [])]
        if stored != list(one.recorded.values()):
            differing.append(f"{one.sheet['code']}: {stored} and not {list(one.recorded.values())}")
    return [*differing, *found["wrong"]]


@contextlib.contextmanager
def _up(environment: dict[str, str]) -> Iterator[int]:
    """The site as one club runs it; answers its port once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, "manage.py", "up", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as site:
        try:
            deadline = time.monotonic() + START_SECONDS
            assert site.stdout is not None
            for line in site.stdout:
                if f":{port}/" in line:
                    break
                assert time.monotonic() < deadline
            yield port
        finally:
            site.terminate()
            try:
                site.communicate(timeout=60)
            finally:
                site.kill()
