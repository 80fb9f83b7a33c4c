"""Where what is being done now came from: by which door, from which address.

Set around a request by whoever answers it (`origin`), read by whatever keeps a history (`models.Traced`). It
says nothing of who acts: that is the actor, which every write is given.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """`door` is "api", "admin", "page", "table" or "" (a command, a worker); `address` an IP address."""

    door: str = ""
    address: str | None = None


_NOWHERE = Origin()
_CURRENT: ContextVar[Origin] = ContextVar("origin", default=_NOWHERE)


def current_origin() -> Origin:
    """Where what is being done now came from; outside of any request an empty one."""
    return _CURRENT.get()


@contextmanager
def origin(door: str, address: str | None) -> Iterator[None]:
    """What is done inside came by this door, from this address."""
    token = _CURRENT.set(Origin(door, address))
    try:
        yield
    finally:
        _CURRENT.reset(token)
