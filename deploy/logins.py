"""Limits on guessing passwords, per account and per client network, and apart for devices that are known."""

import ipaddress
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from allauth.account.utils import filter_users_by_email, filter_users_by_username
from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

MOST_FROM_ONE_ADDRESS = 100
# A subscriber has a whole IPv6 network with this prefix length, and any number of addresses in it.
_NETWORK_OF_ONE: Final = 64
# Of names and addresses; normalizing more would cost much.
_LONGEST: Final = 254


def client_address(request: HttpRequest) -> str | None:
    """The client's address; behind our proxy the last one in its header, the only one it vouches for.

    Earlier ones are the browser's own claims. An IPv4 address that a listener for both writes as IPv6 is told
    as what it is, or all of them would be one network; the interface of a link-local one is left out, as
    databases take none. None without an address, as on a socket file.
    """
    named = [request.META.get("REMOTE_ADDR", "")]
    if settings.BEHIND_PROXY:
        named.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    for each in named:
        try:
            address = ipaddress.ip_address(each.partition("%")[0])
            return str(getattr(address, "ipv4_mapped", None) or address)
        except ValueError:
            pass  # a name, an address with a port, or nothing
    return None


def network_of(request: HttpRequest) -> str | None:
    """The client's address, or for IPv6 the first one of its network; None without an address."""
    address = client_address(request)
    if address is None or ":" not in address:
        return address
    return str(ipaddress.ip_network((address, _NETWORK_OF_ONE), strict=False).network_address)


def who_asks(request: HttpRequest) -> tuple[str, str]:
    """Whom a limit counts, with the kind: an account ("user"), or else the client's network ("address")."""
    if request.user.is_authenticated:
        return "user", str(request.user.pk)
    return "address", network_of(request) or "none"


def account_named(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str | None:
    """The user name under which an attempt to sign in is counted, as called by django-axes.

    An account is let in by its user name, however it is capitalized, and by its mail address; all of them
    are counted together. What may mean several accounts is counted by itself, under what nobody is called:
    whoever signs in to one of them would else begin the count for the others anew. Without such an account,
    what was typed, in small letters; None if nothing was.
    """
    told = request.POST if credentials is None else credentials
    said = str(told.get("username") or told.get("email") or told.get("login") or "")
    typed = User.normalize_username(said.strip()[:_LONGEST])  # as the form reads it
    if not typed:
        return None
    named = list(filter_users_by_username(typed))
    exactly = [user for user in named if user.get_username() == typed] or named
    meant = {*exactly, *filter_users_by_email(typed, prefer_verified=True)}
    if len(meant) == 1:
        return str(meant.pop().get_username())
    return f"one of {typed.lower()}" if meant else typed.lower()


class LoginLimits(AxesDatabaseHandler):  # type: ignore[misc]
    """Allows some wrong passwords per account and network, and more per network over all accounts.

    A club may share an address, so the second limit is wider; it stops trying one password on many accounts.
    A browser from which somebody has signed in has a count of its own for that account, so that a flood from
    the same address does not lock him out there (OWASP, "Slow down online guessing attacks with device
    cookies").
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """The failures to compare with the limit per account; those of the network count proportionally."""
        recent = AccessAttempt.objects.filter(attempt_time__gte=get_cool_off_threshold(request))
        username = get_client_username(request, credentials)
        device = _device_of(request, username)
        if device is not None:
            return _sum_of(recent.filter(username=username, user_agent=device, ip_address=None))
        for_account: int = super().get_failures(request, credentials)
        network = network_of(request)
        if network is None:
            return for_account
        from_network = _sum_of(recent.filter(ip_address=network))
        return max(for_account, from_network * settings.AXES_FAILURE_LIMIT // MOST_FROM_ONE_ADDRESS)

    def user_login_failed(
        self, sender: Any, credentials: dict[str, str], request: HttpRequest | None = None, **told: Any
    ) -> None:
        """Counts a wrong password, of a known device for the device alone."""
        if request is not None:
            _as_device(request, get_client_username(request, credentials))
        super().user_login_failed(sender, credentials, request, **told)

    def user_logged_in(self, sender: Any, request: HttpRequest, user: User, **told: Any) -> None:
        """Forgets the wrong passwords before, and has the browser known from now on (`KnowDevices`)."""
        _as_device(request, user.get_username())
        super().user_logged_in(sender, request, user, **told)
        request.__dict__["known_to"] = user.get_username()

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """Forgets the wrong passwords of an account; not those that were perhaps tried on another."""
        username = get_client_username(request, credentials)
        if username != (credentials or {}).get("username"):
            return 0
        forgotten: int = super().reset_user_attempts(request, credentials)
        return forgotten


class KnowDevices:
    """Middleware that gives a browser a cookie by which it is known to whoever has just signed in there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        username = request.__dict__.get("known_to")
        if username is not None:
            response.set_signed_cookie(
                _cookie(username),
                secrets.token_urlsafe(16),
                salt=f"device:{username}",
                max_age=settings.DEVICE_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


def _cookie(username: str) -> str:
    """The cookie's name: people who share a browser have one each, which does not tell who they are."""
    return f"device-{salted_hmac('device', username).hexdigest()[:16]}"


def _device_of(request: HttpRequest, username: str | None) -> str | None:
    """The name of a browser from which this user has signed in; None for any other."""
    if not username:
        return None
    nonce = request.get_signed_cookie(
        _cookie(username), default=None, salt=f"device:{username}", max_age=settings.DEVICE_COOKIE_AGE
    )
    return nonce and f"device {nonce}"


def _as_device(request: HttpRequest, username: str | None) -> None:
    """Has axes count for the known device, in place of address and browser."""
    device = _device_of(request, username)
    if device is not None:
        request.axes_ip_address = None  # type: ignore[attr-defined]
        request.axes_user_agent = device  # type: ignore[attr-defined]


def _sum_of(attempts: QuerySet[Any]) -> int:
    return attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
