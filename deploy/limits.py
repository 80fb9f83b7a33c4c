"""How often one may: counted in the cache, which many processes share where it is a server."""

import ipaddress
import logging
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.core.checks import Error
from django.http import HttpRequest
from redis.exceptions import RedisError

from deploy.logins import client_address

logger = logging.getLogger(__name__)

_SECONDS: Final = {"s": 1, "min": 60, "hour": 3600, "day": 86400}
_WRITTEN: Final = re.compile(r"([1-9][0-9]{0,8})/(s|min|hour|day)")
# A subscriber is given so many bits of a network, and asks from as many addresses as he likes.
_NETWORK_OF_ONE: Final = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """So many times in so many seconds, counted in windows that begin for all at the same time."""

    name: str
    most: int
    seconds: int

    @classmethod
    def named(cls, name: str) -> "Limit | None":
        """The limit of `settings.LIMITS`, as in "300/min"; None where there is to be none ("0").

        A ValueError says what cannot be read.
        """
        written: str = settings.LIMITS[name]
        if written == "0":
            return None
        found = _WRITTEN.fullmatch(written)
        if found is None:
            raise ValueError(written)
        return cls(name, int(found[1]), _SECONDS[found[2]])

    def count(self, who: str) -> int:
        """Counts one more; answers the seconds until it is allowed again, 0 where it is.

        A cache that is away limits nothing: what is recorded must not wait for it.
        """
        now = time.time()
        key = f"limit:{self.name}:{who}:{int(now // self.seconds)}"
        try:
            # The window's own end is in the key: the entry lives a little longer than what it counts.
            cache.add(key, 0, self.seconds + 5)
            counted = cache.incr(key)
        except (RedisError, OSError, ValueError) as error:
            logger.warning("not limited, as the cache does not answer: %s", error)
            return 0
        return 0 if counted <= self.most else math.ceil(self.seconds - now % self.seconds) or 1


def network_of(request: HttpRequest) -> str:
    """Who asks, as far as an address says it: of the sixth version a whole network is one subscriber."""
    address = client_address(request) or "none"
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address, _NETWORK_OF_ONE), strict=False).network_address)


def check_limits(app_configs: Any, **told: Any) -> list[Error]:
    """A system check: limits that cannot be read are told when the site starts, not by whoever asks first."""
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
