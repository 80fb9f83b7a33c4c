"""Papers that are kept for a while: what prints the same is made once, by whoever asks first.

The key is a digest of all that stands on the paper, names included. So what one reader may not see never
comes from the paper of another, and any change makes another paper.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

logger = logging.getLogger(__name__)

CACHE: Final = "papers"
_KEPT_SECONDS: Final = 3600
# As long as a paper may take; after that another asker makes it too.
_PATIENCE_SECONDS: Final = 15.0
_PAUSE_SECONDS: Final = 0.02

Found = TypeVar("Found")


def kept_paper(digest: str, make: Callable[[], bytes]) -> bytes:
    """The paper with this digest, made if it is not kept; who asks while it is being made waits for it.

    Without a cache everybody makes it.
    """
    cache: Any = caches[CACHE]
    key, making = f"paper:{digest}", f"making:{digest}"
    try:
        found: bytes | None = found_or_turn(cache, making, lambda: cache.get(key))
    except OSError as error:
        logger.warning("papers are not kept, as the cache does not answer: %s", error)
        return make()
    if found is not None:
        return found
    try:
        made = make()
        _noted(lambda: cache.set(key, made, _KEPT_SECONDS))
        return made
    finally:
        _noted(lambda: cache.delete(making))


def found_or_turn(cache: BaseCache, making: str, find: Callable[[], Found | None]) -> Found | None:
    """What is found, or None when it is the caller's turn to make it; then he deletes the key `making`.

    One has his turn at a time; whoever asks meanwhile waits for him to end, and looks again.
    """
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        found = find()
        if found is not None:
            return found
        if cache.add(making, 1, _PATIENCE_SECONDS) or time.monotonic() > until:
            return None
        # The maker may be another process, and a cache has nothing to wait on: Redis's own lock asks again
        # like this.
        while making in cache and time.monotonic() <= until:
            time.sleep(_PAUSE_SECONDS)


def _noted(call: Callable[[], object]) -> None:
    try:
        call()
    except OSError as error:
        logger.warning("a paper is not kept, as the cache does not answer: %s", error)
