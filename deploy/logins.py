"""Guessing of passwords: whose address counts, and how many wrong ones it may try."""

import ipaddress

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest

MOST_FROM_ONE_ADDRESS = 100


def client_address(request: HttpRequest) -> str | None:
    """The address of who asks; behind our proxy the last one it names, as only that one is its own word.

    The first ones are whatever the browser claimed. None where there is no address, as on a socket file.
    """
    named = [request.META.get("REMOTE_ADDR", "")]
    if settings.BEHIND_PROXY:
        named.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    for each in named:
        try:
            return str(ipaddress.ip_address(each))
        except ValueError:
            pass  # a name, a port beside it, or nothing
    return None


class LoginLimits(AxesDatabaseHandler):  # type: ignore[misc]
    """Some wrong passwords for one account from one address, and more for all accounts from one address.

    A club may sit behind one address, so the second limit is the wider; it ends the trying of one password on
    many accounts.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """Failures as held against the limit for one account; those of the address count in proportion."""
        for_account: int = super().get_failures(request, credentials)
        address = client_address(request)
        if address is None:
            return for_account
        attempts = AccessAttempt.objects.filter(
            ip_address=address, attempt_time__gte=get_cool_off_threshold(request)
        )
        from_address = attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
        return max(for_account, from_address * settings.AXES_FAILURE_LIMIT // MOST_FROM_ONE_ADDRESS)
