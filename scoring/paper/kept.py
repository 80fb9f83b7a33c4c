"""Papers that are kept for a while: what prints the same is made once, by whoever asks first.

The key is a digest of all that stands on the paper, names included. So what one reader may not see never
comes from the paper of another, and any change makes another paper.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.core.cache import caches
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

CACHE: Final = "papers"
_KEPT_SECONDS: Final = 3600
# As long as a paper may take; after that another asker makes it too.
_PATIENCE_SECONDS: Final = 15.0
_PAUSE_SECONDS: Final = 0.02
_AWAY: Final = (RedisError, OSError)


def kept_paper(digest: str, make: Callable[[], bytes]) -> bytes:
    """The paper with this digest, made if it is not kept; who asks while it is being made waits for it.

    Without a cache everybody makes it.
    """
    cache: Any = caches[CACHE]
    key, making = f"paper:{digest}", f"making:{digest}"
    try:
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            found: bytes | None = cache.get(key)
            if found is not None:
                return found
            if cache.add(making, 1, _PATIENCE_SECONDS) or time.monotonic() > until:
                break
            # The maker may be another process, and a cache has nothing to wait on: Redis's own lock asks
            # again like this.
            time.sleep(_PAUSE_SECONDS)
    except _AWAY as error:
        logger.warning("papers are not kept, as the cache does not answer: %s", error)
        return make()
    try:
        made = make()
        _noted(lambda: cache.set(key, made, _KEPT_SECONDS))
        return made
    finally:
        _noted(lambda: cache.delete(making))


def _noted(call: Callable[[], object]) -> None:
    try:
        call()
    except _AWAY as error:
        logger.warning("a paper is not kept, as the cache does not answer: %s", error)
