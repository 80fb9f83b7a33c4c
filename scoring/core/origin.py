"""The origin of the current work: the entry point and the network address it came through.

Whatever answers a request sets it (`origin`); whatever keeps a history reads it (`models.Traced`). It says
nothing about the actor, which every write is given.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """`door` is "api", "admin", "page", "table", or "" for a command or worker; `address` an IP address."""

    door: str = ""
    address: str | None = None


_NOWHERE = Origin()
_CURRENT: ContextVar[Origin] = ContextVar("origin", default=_NOWHERE)


def current_origin() -> Origin:
    """The origin of the current work; empty outside a request."""
    return _CURRENT.get()


@contextmanager
def origin(door: str, address: str | None) -> Iterator[None]:
    """Sets the origin of the work done inside."""
    token = _CURRENT.set(Origin(door, address))
    try:
        yield
    finally:
        _CURRENT.reset(token)
