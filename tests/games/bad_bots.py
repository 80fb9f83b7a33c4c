"""Strategies that go wrong, each in its own way, once there are points on the sheet; some only take time."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import NoReturn

from games.bots import Bot, Chances, GameView, Strategy
from games.bots.simple import Simple
from games.gin.actions import BIG_GIN, Action
from games.gin.view import View


class Bad:
    """Plays as simple does, but goes wrong where `goes_wrong` says something else than None."""

    def __init__(self, chances: Chances, goes_wrong: Callable[[], Action | None]) -> None:
        self._simple = Simple(chances)
        self._goes_wrong = goes_wrong

    def choose(self, view: View, game: GameView) -> Action:
        chosen = self._simple.choose(view, game)
        if any(column.own or column.other for column in game.columns):
            return self._goes_wrong() or chosen
        return chosen


def bad(name: str, goes_wrong: Callable[[], Action | None]) -> Strategy:
    def sit_down(samples: int | None, chances: Chances) -> Bot:
        return Bad(chances, goes_wrong)

    return Strategy(name, "Goes wrong.", sit_down)


def raises() -> NoReturn:
    raise ValueError("no idea what to do here, and a long story to tell about it")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise TypeError


def raises_what_cannot_be_printed() -> NoReturn:
    raise Unprintable


def hangs() -> NoReturn:
    threading.Event().wait()
    raise AssertionError


def hangs_in_compiled_code() -> None:
    """Backtracks for years, and lets no other thread of Python do anything meanwhile."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def cheats() -> Action:
    return BIG_GIN


def exits() -> NoReturn:
    sys.exit(3)


def crashes() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hoards() -> None:
    bytearray(8 << 30)


def chatters() -> None:
    print("x" * 100_000)
    os.write(1, b'{"end": true}\n')
    assert sys.stdin.read() == ""


def leaves_a_program_behind() -> None:
    subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    hangs()


def is_slow() -> None:
    threading.Event().wait(0.05)


class Paced(Simple):
    """Plays as simple does, a choice every hundredth of a second."""

    def choose(self, view: View, game: GameView) -> Action:
        threading.Event().wait(0.01)
        return super().choose(view, game)


PACED = Strategy("paced", "Takes his time.", lambda samples, chances: Paced(chances))


@cache
def warms_up() -> None:
    threading.Event().wait(1.5)


class Cold(Simple):
    """Plays as simple does, once he has warmed up."""

    def choose(self, view: View, game: GameView) -> Action:
        warms_up()
        return super().choose(view, game)


class Unready(Simple):
    """Plays nothing at all, for a reason of its own or of the machine's."""

    def __init__(self, chances: Chances, reason: Exception) -> None:
        super().__init__(chances)
        self._reason = reason

    def choose(self, view: View, game: GameView) -> Action:
        raise self._reason


def pries() -> None:
    if "secret" in os.environ.values():
        raise ValueError("There is a secret.")


def writes_where_the_table_speaks(said: bytes) -> NoReturn:
    for descriptor in range(3, 20):
        with suppress(OSError):
            os.write(descriptor, said)
    hangs()


class Hasty(Simple):
    """Goes wrong at its first choice, with nobody having points."""

    def __init__(self, chances: Chances, goes_wrong: Callable[[], None]) -> None:
        super().__init__(chances)
        self._goes_wrong = goes_wrong

    def choose(self, view: View, game: GameView) -> Action:
        self._goes_wrong()
        return super().choose(view, game)


COLD = Strategy("cold", "Warms up first.", lambda samples, chances: Cold(chances), (10,), 1)
UNLOADABLE = Strategy(
    "unloadable",
    "Needs what is not there.",
    lambda samples, chances: Unready(chances, ImportError("a library of another version")),
    (10,),
    1,
)
HOPELESS = Strategy(
    "hopeless",
    "Never knows.",
    lambda samples, chances: Unready(chances, ValueError("no idea")),
    (10,),
    1,
)
CLUELESS = Strategy(
    "clueless", "Never knows, at once.", lambda samples, chances: Unready(chances, ValueError("no idea"))
)
STILLBORN = Strategy("stillborn", "Crashes.", lambda samples, chances: Hasty(chances, crashes), (10,), 1)
HANGING_AT_ONCE = Strategy("hanging_at_once", "Hangs.", lambda samples, chances: Hasty(chances, hangs))
CRASHING_AT_ONCE = Strategy("crashing_at_once", "Crashes.", lambda samples, chances: Hasty(chances, crashes))
GARBLING = bad("garbling", partial(writes_where_the_table_speaks, b"?\n"))
FORGING = bad(
    "forging",
    partial(
        writes_where_the_table_speaks,
        b'{"failed": {"bot": "Ann", "deal": 1, "reason": {"says": "%(a)s %(b)s", "with": {"a": 1}}}}\n',
    ),
)
ENDLESS = bad("endless", partial(writes_where_the_table_speaks, b"?" * 30_000))
PRYING = bad("prying", pries)
RAISING = bad("raising", raises)
UNPRINTABLE = bad("unprintable", raises_what_cannot_be_printed)
HANGING = bad("hanging", hangs)
STUBBORN = bad("stubborn", hangs_in_compiled_code)
CHEATING = bad("cheating", cheats)
EXITING = bad("exiting", exits)
CRASHING = bad("crashing", crashes)
HOARDING = bad("hoarding", hoards)
CHATTERING = bad("chattering", chatters)
LEAVING = bad("leaving", leaves_a_program_behind)
SLOW = bad("slow", is_slow)

ALL = (
    RAISING, UNPRINTABLE, HANGING, STUBBORN, CHEATING, EXITING, CRASHING, HOARDING, CHATTERING, LEAVING, SLOW,
    PACED, COLD, UNLOADABLE, HOPELESS, STILLBORN, GARBLING, FORGING, ENDLESS, PRYING,
    HANGING_AT_ONCE, CRASHING_AT_ONCE,
)  # fmt: skip
PATHS = [f"tests.games.bad_bots.{strategy.name.upper()}" for strategy in ALL]
