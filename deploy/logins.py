"""Limits on guessing passwords, per account and per client address."""

import ipaddress

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest

MOST_FROM_ONE_ADDRESS = 100


def client_address(request: HttpRequest) -> str | None:
    """The client's address; behind our proxy the last one in its header, the only one it vouches for.

    Earlier ones are the browser's own claims. None without an address, as on a socket file.
    """
    named = [request.META.get("REMOTE_ADDR", "")]
    if settings.BEHIND_PROXY:
        named.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    for each in named:
        try:
            return str(ipaddress.ip_address(each))
        except ValueError:
            pass  # a name, an address with a port, or nothing
    return None


class LoginLimits(AxesDatabaseHandler):  # type: ignore[misc]
    """Allows some wrong passwords per account and address, and more per address over all accounts.

    A club may share an address, so the second limit is wider; it stops trying one password on many accounts.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """The failures to compare with the limit per account; those of the address count proportionally."""
        for_account: int = super().get_failures(request, credentials)
        address = client_address(request)
        if address is None:
            return for_account
        attempts = AccessAttempt.objects.filter(
            ip_address=address, attempt_time__gte=get_cool_off_threshold(request)
        )
        from_address = attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
        return max(for_account, from_address * settings.AXES_FAILURE_LIMIT // MOST_FROM_ONE_ADDRESS)
