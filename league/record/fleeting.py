"""Notes that are kept in the cache for a while, and on which nothing depends.

Without a cache nothing is noted, and nothing found: what is typed is saved all the same.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.core.cache import cache

_log = logging.getLogger(__name__)


def note(key: str, value: object, seconds: float) -> None:
    """Keep a note under this key for a while."""
    _tried(lambda: cache.set(key, value, seconds))


def claim(key: str, value: object, seconds: float) -> bool:
    """Keep a note under this key for a while; returns False, and changes nothing, if there is one."""
    return _tried(lambda: cache.add(key, value, seconds)) is not False


def noted(keys: Iterable[str]) -> dict[str, Any]:
    """The notes that are kept under these keys, by key."""
    found: dict[str, Any] | None = _tried(lambda: cache.get_many(keys))
    return found or {}


def forget(key: str) -> None:
    """Drop the note under this key."""
    _tried(lambda: cache.delete(key))


def _tried(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except OSError as error:
        _log.warning("nothing is noted, as the cache does not answer: %s", error)
        return None
