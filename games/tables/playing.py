"""Has a sheet played at a table of its own (`games.tables.table`), and listens to it with a deadline.

Whatever becomes of the table, this side goes on: a table that says nothing for too long is ended, and so is
what a bot may have started there, unless it has gone into a session of its own: that is not found again.

What a bot does is its own doing once it was asked for a choice that counts. What goes wrong before, while it
gets ready, is a fault of this machine, to be tried again.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.errors import GameError
from games.tables.play import BotError

# In bytes: more than twelve hands can be, however long, with every choice in them weighed.
LONGEST_LINE: Final = 32 << 20
# No deal has so many choices: at twelve tables, hands of a thousand.
MOST_CHOICES: Final = 12 * 2000
# Of what bots print, as much is kept for the log as ends it.
KEPT_ERRORS: Final = 4000
LONGEST_SENTENCE: Final = 120
UNKNOWN_MESSAGE: Final = "This worker is of another version than what it plays with: restart it."
START_SECONDS: Final = 60.0
END_SECONDS: Final = 5.0
# A bot has no business with these.
SECRETS: Final = frozenset({"DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY"})

# Ends that say nothing of the bot: somebody else sent them.
_FROM_OUTSIDE: Final = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})


class TableFault(Exception):
    """The table ended for no fault of a bot's; `sentence` says how, the message also the last it said."""

    def __init__(self, sentence: str, last_words: str = "") -> None:
        super().__init__(f"{sentence}\n{last_words}".rstrip())
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class TableDeal:
    """A deal as the table told it: its number, and as JSON the deal (INTERFACES §2) and of every hand its
    log and its estimates.
    """

    number: int
    deal: Mapping[str, Any]
    hands: tuple[tuple[dict[str, Any], list[Any]], ...]


def table_deals(asked: Mapping[str, Any], *, tick_seconds: float) -> Generator[TableDeal | None, None, None]:
    """The deals of a sheet as they are played, after `asked` (`table.request`).

    Between them it yields None: whenever a bot has chosen, and every `tick_seconds` while one is choosing.

    Raises `BotError` for a bot that failed over a choice, that took longer over it than `asked` says, or that
    ended or garbled the table; `GameError` for what cannot be played; `TableFault`, also for all that goes
    wrong while bots get ready. When the iterator is closed or given up, the table is ended.
    """
    with _Table(asked) as table:
        choices = 0
        while True:
            message = table.hear(tick_seconds)
            match message:
                case None:
                    yield None
                case {"preparing": [int(deal), str(bot)]}:
                    table.prepares(bot, seconds=asked["prepare_seconds"])
                    yield None
                case {"choosing": [int(deal), str(bot)]}:
                    choices += 1
                    if choices > MOST_CHOICES:
                        raise TableFault(f"Deal {deal} does not end.")
                    table.waits_for(bot, deal, seconds=asked["move_seconds"])
                    yield None
                case {"deal": {"number": int(number), "deal": dict(deal), "hands": list(hands)}}:
                    choices = 0
                    table.waits_for_nobody()
                    yield TableDeal(number, deal, tuple([(one["log"], one["estimates"]) for one in hands]))
                case {"failed": {"bot": str(bot), "deal": int(number), "reason": str(reason)}}:
                    raise BotError(bot, number, reason)
                case {"refused": {"code": str(code), "message": str(text), "field": field}}:
                    raise GameError(code, text, field=field)
                case {"fault": str(text)}:
                    raise TableFault(text[:LONGEST_SENTENCE], table.last_words())
                case {"end": True}:
                    return
                case _:
                    said = str(message)[:LONGEST_SENTENCE]
                    raise TableFault(f"{UNKNOWN_MESSAGE} It said: {said}", table.last_words())


class _Table:
    """The process, and how long it may be silent."""

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self._choosing: tuple[str, int] | None = None
        self._preparing = ""
        self._patience = START_SECONDS
        self._request = memoryview(json.dumps(asked).encode() + b"\n")
        self._line = b""
        self._lines: deque[bytes] = deque()
        self._errors = b""
        self._silent = 0.0

    def __enter__(self) -> "_Table":
        environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
        environment |= {
            # A site's own strategies are found as here; what sets and dicts do is the same everywhere.
            "PYTHONPATH": os.pathsep.join([path or os.getcwd() for path in sys.path]),
            "PYTHONHASHSEED": "0",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "games.tables.table"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._selector = selectors.DefaultSelector()
        for stream, what, attend in (
            (self._process.stdin, selectors.EVENT_WRITE, self._ask),
            (self._process.stdout, selectors.EVENT_READ, self._listen),
            (self._process.stderr, selectors.EVENT_READ, self._overhear),
        ):
            assert stream is not None  # noqa: S101 (asked for above)
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, what, attend)
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                stream and stream.close()
        self._process.wait()

    def waits_for(self, bot: str, deal: int, *, seconds: float) -> None:
        """It is this bot's turn, and for so long it may think."""
        self._choosing, self._preparing, self._patience = (bot, deal), "", seconds

    def prepares(self, bot: str, *, seconds: float) -> None:
        """This bot gets ready, and so long it may take; nothing that happens is its doing yet."""
        self._preparing, self._patience = bot, seconds

    def waits_for_nobody(self) -> None:
        """Between deals what happens is no bot's doing."""
        self._choosing, self._patience = None, START_SECONDS

    def hear(self, seconds: float) -> Any:
        """The next that the table says, as it was JSON; None where it says nothing for so long.

        The table says nothing but JSON: what is none, a bot has put there.
        """
        if not self._lines:
            # Not before all that was said ahead of it has been heard: by then it is known whose turn it is.
            if len(self._line) > LONGEST_LINE:
                raise self._failure("The table was made to say a line without an end.")
            begun = time.monotonic()
            for key, _events in self._selector.select(seconds):
                key.data(key.fd)
            # What this side does in between is not held against a bot.
            self._silent = 0.0 if self._lines else self._silent + time.monotonic() - begun
            if self._silent > self._patience:
                raise self._failure(f"It did not answer within {self._patience:g} seconds.")
        if not self._lines:
            return None
        try:
            return json.loads(self._lines.popleft())
        except (ValueError, RecursionError):
            raise self._failure("The table was made to say what nobody can read.") from None

    def last_words(self) -> str:
        """The end of what was printed there."""
        return self._errors.decode(errors="replace")

    def _ask(self, descriptor: int) -> None:
        try:
            self._request = self._request[os.write(descriptor, self._request) :]
        except BrokenPipeError:
            self._request = self._request[:0]
        if not self._request:
            # It stays open: that is how the table knows that somebody listens.
            self._selector.unregister(descriptor)

    def _listen(self, descriptor: int) -> None:
        said = os.read(descriptor, 1 << 16)
        if not said:
            raise self._end()
        *lines, self._line = (self._line + said).split(b"\n")
        self._lines.extend(lines)

    def _overhear(self, descriptor: int) -> None:
        said = os.read(descriptor, 1 << 16)
        self._errors = (self._errors + said)[-KEPT_ERRORS:]
        if not said:
            self._selector.unregister(descriptor)

    def _end(self) -> Exception:
        """Why the table has closed its output without a word."""
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return self._failure("It closed what the table is heard by.")
        if status == -signal.SIGALRM:
            return self._failure(f"It did not answer within {self._patience:g} seconds.")
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        if status in _FROM_OUTSIDE:
            return TableFault(f"The table was ended from outside, {how}.", self.last_words())
        return self._failure(f"Its process ended {how}.")

    def _failure(self, reason: str) -> Exception:
        """Of the bot whose turn it is, or of nobody's."""
        if self._choosing is not None:
            return BotError(*self._choosing, reason)
        where = f"while {self._preparing} got ready" if self._preparing else "while no bot was asked"
        return TableFault(f"The table failed {where}. {reason}", self.last_words())
