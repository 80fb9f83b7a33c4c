"""Time, for tests that must not depend on how busy the machine is."""

import time
from pathlib import Path

_SCHEDULED = Path("/proc/thread-self/schedstat")


def next_stamp() -> None:
    """Return as soon as what is written now is stamped later than what was written before.

    SQLite's clock counts milliseconds, and two rows may be written in one.
    """
    before = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == before:
        pass


def waited() -> float:
    """Seconds this thread has waited for anything but a processor; only differences mean something.

    Where the system does not tell, the time that it worked or waited for a processor is among them.
    """
    busy = 0
    if _SCHEDULED.exists():
        ran, runnable, _times = map(int, _SCHEDULED.read_text().split())
        busy = ran + runnable
    return time.monotonic() - busy / 1e9
