"""The cache in a server, without which everything works."""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# A server that did not answer is left alone for so many seconds: whoever signs in asks several times.
_REST: Final = 2.0


class LeftOutWhileAway(RedisCache):
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
    except (RedisError, OSError) as error:
        LeftOutWhileAway._away_until = time.monotonic() + _REST
        logger.warning("left out, as the cache does not answer: %s", error)
        return otherwise
