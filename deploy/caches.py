"""A cache in a server of Redis or Valkey, without which everything works."""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# A server that did not answer is left alone for so many seconds: whoever signs in asks several times.
_REST: Final = 2.0


class ServerCache(RedisCache):
    """Says `ConnectionError` if its server does not answer, or not as it should.

    So whoever asks a cache needs to know only of `OSError`, and to load nothing that only a server needs.
    """


def _telling(ask: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(ask)
    def told(*arguments: Any, **options: Any) -> Any:
        try:
            return ask(*arguments, **options)
        except RedisError as error:
            raise ConnectionError(str(error)) from error

    return told


for _name in (
    *("add", "get", "set", "touch", "delete", "incr", "has_key", "clear"),
    *("get_many", "set_many", "delete_many"),
):
    setattr(ServerCache, _name, _telling(getattr(RedisCache, _name)))


class LeftOutWhileAway(ServerCache):
    """Keeps and finds nothing while its server is away, in place of an error.

    The library for accounts limits second factors and mail by it, and must let people in without; `add`
    therefore says that it was added. `incr` alone tells the error, to `deploy.limits`.
    """

    _away_until = 0.0

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        return bool(_asked(lambda: super(LeftOutWhileAway, self).add(key, value, timeout, version), True))

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return _asked(lambda: super(LeftOutWhileAway, self).get(key, default, version), default)

    def get_many(self, keys: Any, version: Any = None) -> dict[Any, Any]:
        found: dict[Any, Any] = _asked(lambda: super(LeftOutWhileAway, self).get_many(keys, version), {})
        return found

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> None:
        _asked(lambda: super(LeftOutWhileAway, self).set(key, value, timeout, version), None)

    def delete(self, key: Any, version: Any = None) -> bool:
        return bool(_asked(lambda: super(LeftOutWhileAway, self).delete(key, version), False))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> int:
        if time.monotonic() < LeftOutWhileAway._away_until:
            raise ConnectionError("it was away a moment ago")
        return super().incr(key, delta, version)


def _asked(ask: Callable[[], Any], otherwise: Any) -> Any:
    if time.monotonic() < LeftOutWhileAway._away_until:
        return otherwise
    try:
        return ask()
    except OSError as error:
        LeftOutWhileAway._away_until = time.monotonic() + _REST
        logger.warning("left out, as the cache does not answer: %s", error)
        return otherwise
