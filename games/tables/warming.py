"""Gets a process ready to weigh choices when it starts, so that nobody waits longer for the first of them.

`python -m games.tables.warming` leaves the compiled kernel where the next process finds it.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from threading import Event, Thread
from typing import Final

from games.bots import HouseBot, house_bot
from games.tables.play import play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide

_SIDES: Final = (SheetSide("0", ("0",)), SheetSide("1", ("1",)))
_is_warm = Event()


def is_warm() -> bool:
    """Whether this process has its compiled kernel, and choices are weighed at once."""
    return _is_warm.is_set()


def warm_up() -> None:
    """Loads the compiled kernel, or compiles it, and plays a deal with it.

    Where numba is not installed or does not work it does nothing: the plain kernel needs no preparation.
    """
    if find_spec("numba") is None:
        return
    from games.bots.kernel import kernel, quickest

    if quickest() is kernel(compiled=False):
        return
    expert = HouseBot.of(house_bot("expert").strategy, samples=1)
    next(play_deals(Rules(), _SIDES, {"0": expert, "1": expert}, 0))
    _is_warm.set()


def warm_up_beside() -> Thread | None:
    """Warms up in a thread, while this process answers others; None where numba is not installed.

    Compiling would slow all answers down, so another process does it. Where what it compiles cannot be kept,
    this one stays as it is.
    """
    if find_spec("numba") is None:
        return None
    thread = Thread(target=_warm_up_beside, name="warming", daemon=True)
    thread.start()
    return thread


def _warm_up_beside() -> None:
    from games.bots.kernel import is_kept

    kept = is_kept()
    if kept is None:
        return
    if not kept:
        path = os.pathsep.join([path or os.getcwd() for path in sys.path])
        subprocess.run(
            [sys.executable, "-m", "games.tables.warming"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            check=False,
        )
    if is_kept():
        warm_up()


if __name__ == "__main__":
    warm_up()
