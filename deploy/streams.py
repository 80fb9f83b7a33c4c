"""Streams that tell open pages of tables to look again: `uvicorn deploy.streams:application`.

`GET …/PASS` answers server-sent events (HTML Standard, 9.2): `look` when the stream begins, and whenever the
table has changed since; never what has changed. All tables that are watched are looked at together, one query
every `LOOK_SECONDS` in the one thread there is, so a watcher costs a connection and no thread, and it is the
same on every database. While the database is away nobody is told anything. An unknown or expired pass is 404,
more than `MOST_STREAMS` at once 503; then browsers give up, and the page asks by itself.
"""

import asyncio
import logging
import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import django
from asgiref.typing import (
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Scope,
)
from django.db import Error, connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.services.watching import Stamp, passed, stamps  # noqa: E402 - wants the apps

LOOK_SECONDS: Final = 0.1
# Proxies cut off what is silent for a minute.
STILL_HERE_SECONDS: Final = 15
MOST_STREAMS: Final = 5000

_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    # A page of the site may be on another host; the pass is all that is asked for.
    (b"access-control-allow-origin", b"*"),
    (b"x-accel-buffering", b"no"),
]
_LOOK: Final = b"event: look\ndata:\n\n"
_STILL_HERE: Final = b":\n\n"

logger = logging.getLogger(__name__)


class Watch:
    """Who watches which table; looks at them for as long as anybody does."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._known: dict[str, Stamp | None] = {}
        self._thread = ThreadPoolExecutor(1)
        self._looking: asyncio.Task[None] | None = None
        self._is_away = False
        self.streams = 0

    def join(self, code: str) -> asyncio.Event:
        """An event that is set once the table has been looked at, and whenever it has changed since."""
        event = asyncio.Event()
        if code in self._known:
            event.set()
        self._watchers[code].add(event)
        self.streams += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return event

    def leave(self, code: str, event: asyncio.Event) -> None:
        self.streams -= 1
        self._watchers[code].discard(event)
        if not self._watchers[code]:
            del self._watchers[code]
            self._known.pop(code, None)

    async def _look(self) -> None:
        while self._watchers:
            found = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._read, tuple(self._watchers)
            )
            for code, stamp in found.items():
                if code not in self._known or self._known[code] != stamp:
                    self._known[code] = stamp
                    for event in self._watchers.get(code, ()):
                        event.set()
            await asyncio.sleep(LOOK_SECONDS)

    def _read(self, codes: tuple[str, ...]) -> dict[str, Stamp | None]:
        try:
            found = stamps(codes)
        except Error:
            connection.close()
            if not self._is_away:
                logger.exception("The database does not answer; streams wait for it.")
            self._is_away = True
            return {}
        self._is_away = False
        return {code: found.get(code) for code in codes}


_watch = Watch()


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """An application of ASGI, for HTTP alone."""
    if scope["type"] == "http":
        code = passed(scope["path"].rpartition("/")[2])
        if code is None or scope["method"] != "GET":
            await _refuse(send, 404)
        elif _watch.streams >= MOST_STREAMS:
            await _refuse(send, 503)
        else:
            await _stream(code, receive, send)


async def _refuse(send: ASGISendCallable, status: int) -> None:
    await send(_start(status, []))
    await send(_body(b"", is_last=True))


async def _stream(code: str, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Tells until the client goes or the server ends."""
    event = _watch.join(code)
    gone = asyncio.create_task(_gone(receive))
    try:
        await send(_start(200, _HEADERS))
        while not gone.done():
            changed = asyncio.create_task(event.wait())
            await asyncio.wait(
                {changed, gone}, timeout=STILL_HERE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            changed.cancel()
            told = _LOOK if event.is_set() else _STILL_HERE
            event.clear()
            if not gone.done():
                await send(_body(told))
    finally:
        _watch.leave(code, event)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone


async def _gone(receive: ASGIReceiveCallable) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _start(status: int, headers: list[tuple[bytes, bytes]]) -> HTTPResponseStartEvent:
    return {"type": "http.response.start", "status": status, "headers": headers, "trailers": False}


def _body(body: bytes, *, is_last: bool = False) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": not is_last}
