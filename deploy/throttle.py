"""Rate limits of the API: by token for programs, by account for people, by address for others."""

from typing import TYPE_CHECKING

from rest_framework.throttling import BaseThrottle

from deploy.limits import Limit
from deploy.logins import who_asks
from league.models import ApiToken

if TYPE_CHECKING:  # circular: REST framework imports this module through its settings
    from rest_framework.request import Request
    from rest_framework.views import APIView


class ApiThrottle(BaseThrottle):
    """Counts every request that reaches its view."""

    _wait = 0

    def allow_request(self, request: "Request", view: "APIView") -> bool:
        """Whether the request is within its limit."""
        limit, who = _asker(request)
        self._wait = limit.count(who) if limit is not None else 0
        return not self._wait

    def wait(self) -> float:
        """Seconds until the next request is allowed."""
        return self._wait


def _asker(request: "Request") -> tuple[Limit | None, str]:
    if isinstance(request.auth, ApiToken):
        return Limit.named("token"), request.auth.code
    kind, who = who_asks(request._request)
    return Limit.named(kind), who
