"""Has a sheet played by a table process (`games.tables.table`) and reads its output with a deadline.

Whatever happens to the table, this side continues: a table that is silent too long is ended, along with
anything a bot started there, except in a session of its own, which cannot be found.

A bot is responsible for everything from the moment it is asked for a choice that counts. Errors before that,
while it gets ready, are faults of this machine and retried.
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
from scoring.core.messages import Message, Sentence, mark, read_sentence

# In bytes: more than twelve hands can have, however long, with estimates for every choice.
LONGEST_LINE: Final = 32 << 20
# More choices than any deal has: hands of a thousand at twelve tables.
MOST_CHOICES: Final = 12 * 2000
# The last bytes printed by bots, kept for the log.
KEPT_ERRORS: Final = 4000
LONGEST_SENTENCE: Final = 120
LONGEST_REASON: Final = 2000
START_SECONDS: Final = 60.0
END_SECONDS: Final = 5.0
# Not for bots to read.
SECRETS: Final = frozenset({"DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "EMAIL_URL", "PUSH_KEY"})

# Signals from outside, for which the bot is not to blame.
_FROM_OUTSIDE: Final = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})


class TableFault(Exception):
    """The table ended through no fault of a bot; `sentence` says how, the message adds its last output."""

    def __init__(self, sentence: Sentence, error_output: str = "") -> None:
        super().__init__(f"{sentence}\n{error_output}".rstrip())
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class TableDeal:
    """A deal reported by the table: its number, and as JSON the deal (INTERFACES §2), logs and estimates."""

    number: int
    deal: Mapping[str, Any]
    hands: tuple[tuple[dict[str, Any], list[Any]], ...]


def table_deals(asked: Mapping[str, Any], *, tick_seconds: float) -> Generator[TableDeal | None, None, None]:
    """The deals of a sheet as they are played, for a `table.request`.

    Yields None in between: whenever a bot has chosen, and every `tick_seconds` during a choice.

    Raises `BotError` for a bot that fails over a choice, exceeds the time in `asked`, or ends or garbles the
    table; `GameError` for requests that cannot be played; `TableFault` for everything else, including all
    that goes wrong while bots get ready. Closing the iterator ends the table.
    """
    with _Table(asked) as table:
        choices = 0
        while True:
            message = table.receive(tick_seconds)
            match message:
                case None:
                    yield None
                case {"preparing": [int(deal), str(bot)]}:
                    table.expect_preparation(bot, seconds=asked["prepare_seconds"])
                    yield None
                case {"choosing": [int(deal), str(bot)]}:
                    choices += 1
                    if choices > MOST_CHOICES:
                        raise TableFault(mark("Deal %(deal)s does not end.", deal=deal))
                    table.expect_choice(bot, deal, seconds=asked["move_seconds"])
                    yield None
                case {"deal": {"number": int(number), "deal": dict(deal), "hands": list(hands)}}:
                    choices = 0
                    table.expect_nothing()
                    yield TableDeal(number, deal, tuple([(one["log"], one["estimates"]) for one in hands]))
                case {"failed": {"bot": str(bot), "deal": int(number), "reason": reason}}:
                    raise BotError(bot, number, table.read(reason))
                case {"refused": {"code": str(code), "message": said, "field": field}}:
                    raise GameError(code, table.read(said), field=field)
                case {"fault": str(text)}:
                    raise TableFault(text[:LONGEST_SENTENCE], table.error_output())
                case {"end": True}:
                    return
                case _:
                    unknown = mark(
                        "This worker is of another version than what it plays with: restart it. "
                        "It said: %(said)s",
                        said=str(message)[:LONGEST_SENTENCE],
                    )
                    raise TableFault(unknown, table.error_output())


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
        self._silent_seconds = 0.0

    def __enter__(self) -> "_Table":
        environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
        environment |= {
            # Finds the site's strategies as this process does; hashing is the same everywhere.
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
            (self._process.stdin, selectors.EVENT_WRITE, self._write_request),
            (self._process.stdout, selectors.EVENT_READ, self._read_output),
            (self._process.stderr, selectors.EVENT_READ, self._read_errors),
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

    def expect_choice(self, bot: str, deal: int, *, seconds: float) -> None:
        """Notes that it is this bot's turn, with this many seconds to think."""
        self._choosing, self._preparing, self._patience = (bot, deal), "", seconds

    def expect_preparation(self, bot: str, *, seconds: float) -> None:
        """Notes that this bot gets ready, with this many seconds; it is not responsible for faults yet."""
        self._preparing, self._patience = bot, seconds

    def expect_nothing(self) -> None:
        """Notes that no bot is choosing, so that no bot is responsible."""
        self._choosing, self._patience = None, START_SECONDS

    def receive(self, seconds: float) -> Any:
        """The table's next message, parsed; None if there is none within this time.

        The table prints nothing but JSON, so anything else comes from a bot.
        """
        if not self._lines:
            # Only once all earlier messages were read, when it is known whose turn it is.
            if len(self._line) > LONGEST_LINE:
                raise self._failure(mark("The table was made to say a line without an end."))
            begun = time.monotonic()
            for key, _events in self._selector.select(seconds):
                key.data(key.fd)
            # Time spent on this side does not count against a bot.
            self._silent_seconds = 0.0 if self._lines else self._silent_seconds + time.monotonic() - begun
            if self._silent_seconds > self._patience:
                raise self._failure(self._silence())
        if not self._lines:
            return None
        try:
            return json.loads(self._lines.popleft())
        except (ValueError, RecursionError):
            raise self._failure(_unreadable()) from None

    def read(self, said: Any) -> Sentence:
        """A sentence that the table said, as JSON."""
        try:
            sentence = read_sentence(said)
        except (ValueError, RecursionError):
            raise self._failure(_unreadable()) from None
        if len(str(sentence)) > LONGEST_REASON:
            raise self._failure(_unreadable())
        return sentence

    def error_output(self) -> str:
        """The end of the table's error output."""
        return self._errors.decode(errors="replace")

    def _write_request(self, descriptor: int) -> None:
        try:
            self._request = self._request[os.write(descriptor, self._request) :]
        except BrokenPipeError:
            self._request = self._request[:0]
        if not self._request:
            # It stays open, which tells the table that somebody listens.
            self._selector.unregister(descriptor)

    def _read_output(self, descriptor: int) -> None:
        said = os.read(descriptor, 1 << 16)
        if not said:
            raise self._reason_of_end()
        *lines, self._line = (self._line + said).split(b"\n")
        self._lines.extend(lines)

    def _read_errors(self, descriptor: int) -> None:
        said = os.read(descriptor, 1 << 16)
        self._errors = (self._errors + said)[-KEPT_ERRORS:]
        if not said:
            self._selector.unregister(descriptor)

    def _reason_of_end(self) -> Exception:
        """The reason why the table closed its output."""
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return self._failure(mark("It closed what the table is heard by."))
        if status == -signal.SIGALRM:
            return self._failure(self._silence())
        if status in _FROM_OUTSIDE:
            outside = mark("The table was ended from outside, by signal %(signal)s.", signal=-status)
            return TableFault(outside, self.error_output())
        if status < 0:
            return self._failure(mark("Its process ended by signal %(signal)s.", signal=-status))
        return self._failure(mark("Its process ended with status %(status)s.", status=status))

    def _silence(self) -> Message:
        return mark("It did not answer within %(seconds)s seconds.", seconds=f"{self._patience:g}")

    def _failure(self, reason: Message) -> Exception:
        """The error of the bot whose turn it is, or a fault if there is none."""
        if self._choosing is not None:
            return BotError(*self._choosing, reason)
        if self._preparing:
            fault = mark(
                "The table failed while %(bot)s got ready. %(reason)s", bot=self._preparing, reason=reason
            )
        else:
            fault = mark("The table failed while no bot was asked. %(reason)s", reason=reason)
        return TableFault(fault, self.error_output())


def _unreadable() -> Message:
    return mark("The table was made to say what nobody can read.")
