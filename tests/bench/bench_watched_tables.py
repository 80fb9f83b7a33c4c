"""An evening of 200 tables with both pages open: gunicorn, the server of streams, PostgreSQL, two cores.

At every table somebody moves now and then as his page would send it. Both pages hold a stream; told to look,
they ask for their part with the tag of what they have. That what is played is right, `tests/faults` shows.
"""

import asyncio
import contextlib
import http.client
import json
import os
import random
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tests.bench.bench_night import ask_night, night_database, percentile
from tests.bench.registry import Figure, bench, is_brief
from tests.deploy.machine import gunicorn
from tests.faults.streams import TOLD, running_streams
from tests.faults.table_night import pressed
from tests.postgres import NotStarted

TABLES: Final = 200
BRIEF_TABLES: Final = 10
SECONDS: Final = 60.0
BRIEF_SECONDS: Final = 5.0
# Somebody who plays quickly.
BETWEEN_MOVES: Final = 8.0
# A page of a table asks for its part with a tag, and acts with what its form has.
_SECRET: Final = "s" * 32
_SECRET_KEY: Final = "an evening of many tables, measured"


@bench(long=True)
def an_evening_of_watched_tables() -> list[Figure]:
    count, seconds = (BRIEF_TABLES, BRIEF_SECONDS) if is_brief() else (TABLES, SECONDS)
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(night_database())
        except NotStarted:
            return [Figure("not measured: there is no PostgreSQL here", 0, "s")]
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gin-evening-")))
        told = {"DATABASE_URL": url, "SECRET_KEY": _SECRET_KEY}
        address, process = stack.enter_context(running_streams(folder, **told))
        environment = {**os.environ, **told, "DATA_DIR": str(folder), "STREAMS_URL": address}
        environment["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
        tables = ask_night(environment, "tables", str(count))
        port = stack.enter_context(gunicorn(environment, workers=4))
        streams = stack.enter_context(_streams())
        end = time.monotonic() + seconds
        clients = [_Table(port, streams, end, number, **table) for number, table in enumerate(tables)]
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(_Table.go_on, clients))
        threads = int(re.findall(r"Threads:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[0])
    refusals = [refusal for one in clients for refusal in one.refusals]
    for refusal in refusals[:5]:
        print(refusal)
    moves, news, shown = (
        sorted(time for one in clients for time in getattr(one, name)) for name in ("moves", "news", "shown")
    )
    what = f"of {len(moves)} moves at {count} tables in {seconds:g} s, {2 * count} watchers"
    return [
        Figure("requests that were not answered as they should be", len(refusals), "apart", 0),
        Figure(f"a move is answered, {what}: half of them within", percentile(moves, 0.5), "ms"),
        Figure("a move is answered: 99 % of them within", percentile(moves, 0.99), "ms"),
        Figure("from the answer until the other is told: half of them within", percentile(news, 0.5), "ms"),
        Figure("from the answer until the other is told: 99 % of them within", percentile(news, 0.99), "ms"),
        Figure("from the press until the other sees it: half of them within", percentile(shown, 0.5), "ms"),
        Figure("from the press until the other sees it: 99 % of them within", percentile(shown, 0.99), "ms"),
        Figure("threads of the server of streams", threads, "apart", 10),
    ]


class _Streams:
    """All streams in one loop of a thread; `told` notes when the latest word came."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._held: set[asyncio.Task[None]] = set()

    def open(self, address: str) -> "_Told":
        told = _Told()
        asyncio.run_coroutine_threadsafe(self._hold(address, told), self._loop).result(60)
        return told

    async def close(self) -> None:
        held = list(self._held)
        for task in held:
            task.cancel()
        await asyncio.gather(*held, return_exceptions=True)

    async def _hold(self, address: str, told: "_Told") -> None:
        parts = urlsplit(address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        await reader.readuntil(TOLD)
        task = asyncio.create_task(self._read(reader, writer, told))
        self._held.add(task)
        task.add_done_callback(self._held.discard)

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, told: "_Told") -> None:
        try:
            while True:
                await reader.readuntil(TOLD)
                told.at = time.perf_counter()
                told.news.set()
        finally:
            writer.close()


@dataclass
class _Told:
    at: float = 0.0
    news: threading.Event = field(default_factory=threading.Event)


@contextlib.contextmanager
def _streams() -> Iterator[_Streams]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    streams = _Streams(loop)
    try:
        yield streams
    finally:
        asyncio.run_coroutine_threadsafe(streams.close(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@dataclass
class _Table:
    """The two pages of a table; times are in ms."""

    port: int
    streams: _Streams
    end: float
    number: int
    code: str
    sessions: list[str]
    moves: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def go_on(self) -> None:
        chance = random.Random(self.number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            self.connection = connection
            time.sleep(chance.uniform(0, BETWEEN_MOVES / 2))
            self.known: list[dict[str, str]] = [{}, {}]
            pages = [self._asked(seat, "GET", "", {})[1] for seat in (0, 1)]
            found = [re.search('data-stream="([^"]*)"', page) for page in pages]
            told = [self.streams.open(one[1]) for one in found if one]
            while time.monotonic() < self.end:
                connection.close()  # gunicorn keeps it for two seconds
                time.sleep(chance.uniform(0.5, 1.5) * BETWEEN_MOVES)  # as somebody who plays does
                seat = next(seat for seat in (0, 1) if 'data-turn="own"' in pages[seat])
                other = 1 - seat
                told[other].news.clear()
                begun = time.perf_counter()
                status, pages[seat] = self._asked(seat, "POST", "act/", pressed(pages[seat]))
                answered = time.perf_counter()
                if status != http.HTTPStatus.OK or not told[other].news.wait(10):
                    self.refusals.append(f"{status}, told: {told[other].news.is_set()}")
                    return
                status, pages[other] = self._asked(other, "GET", "live/", {})
                seen = time.perf_counter()
                # Its own page is told, too, and has it already.
                unchanged, _page = self._asked(seat, "GET", "live/", {})
                if (status, unchanged) != (http.HTTPStatus.OK, http.HTTPStatus.NOT_MODIFIED):
                    self.refusals.append(f"{status}, {unchanged}")
                self.moves.append((answered - begun) * 1e3)
                self.news.append(max(told[other].at - answered, 0) * 1e3)
                self.shown.append((seen - begun) * 1e3)

    def _asked(self, seat: int, method: str, path: str, fields: dict[str, str]) -> tuple[int, Any]:
        headers = {
            "Cookie": f"sessionid={self.sessions[seat]}; csrftoken={_SECRET}",
            "X-CSRFToken": _SECRET,
            "Content-Type": "application/x-www-form-urlencoded",
            **({"HX-Request": "true"} if path else {}),
            **(self.known[seat] if path == "live/" else {}),
        }
        self.connection.request(method, f"/play/{self.code}/{path}", urlencode(fields) or None, headers)
        response = self.connection.getresponse()
        body = response.read().decode()
        told = re.search('hx-headers="([^"]*)"', body)
        if told:
            self.known[seat] = json.loads(unescape(told[1]))
        return response.status, body
