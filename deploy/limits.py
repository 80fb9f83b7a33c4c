"""Rate limits, counted in the cache, which processes share if it is a server."""

import logging
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.core.checks import Error

logger = logging.getLogger(__name__)

_SECONDS: Final = {"s": 1, "min": 60, "hour": 3600, "day": 86400}
_WRITTEN: Final = re.compile(r"([1-9][0-9]{0,8})/(s|min|hour|day)")


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of requests per number of seconds, in windows that start at the same time for everybody."""

    name: str
    most: int
    seconds: int

    @classmethod
    def named(cls, name: str) -> "Limit | None":
        """A limit from `settings.LIMITS`, as in "300/min"; None for no limit ("0").

        Refuses an unreadable one with `ValueError`.
        """
        written: str = settings.LIMITS[name]
        if written == "0":
            return None
        found = _WRITTEN.fullmatch(written)
        if found is None:
            raise ValueError(written)
        return cls(name, int(found[1]), _SECONDS[found[2]])

    def count(self, who: str) -> int:
        """Counts one request; returns the seconds to wait, 0 if it is within the limit.

        Without a cache there is no limit: recording must not depend on it.
        """
        now = time.time()
        key = f"limit:{self.name}:{who}:{int(now // self.seconds)}"
        try:
            # The key has the window's end, because the entry outlives the window a little.
            cache.add(key, 0, self.seconds + 5)
            counted = cache.incr(key)
        except (OSError, ValueError) as error:
            logger.warning("not limited, as the cache does not answer: %s", error)
            return 0
        return 0 if counted <= self.most else math.ceil(self.seconds - now % self.seconds) or 1


def check_limits(app_configs: Any, **told: Any) -> list[Error]:
    """System check: reports unreadable limits at start-up rather than at the first request."""
    errors = []
    for name in settings.LIMITS:
        try:
            Limit.named(name)
        except ValueError as error:
            errors.append(
                Error(
                    f"LIMIT_{name.upper()} is “{error}”.",
                    hint="Write how often in what time, as in 300/min: s, min, hour or day. 0 is no limit.",
                    id="deploy.E001",
                )
            )
    return errors
