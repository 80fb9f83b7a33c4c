"""The clock by which rows are stamped: SQLite's counts milliseconds, and two rows may be written in one."""

import time


def next_stamp() -> None:
    """Return as soon as what is written now is stamped later than what was written before."""
    before = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 == before:
        pass
