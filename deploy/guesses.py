"""Limits on guessing secrets and old passwords, and on requesting mail."""

import math
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from rest_framework.exceptions import Throttled

from deploy.limits import Limit
from deploy.logins import network_of
from scoring.api.problems import PROBLEM_TYPE, refused_outcome

NOT_FOUND: Final = 404
TOO_MANY: Final = 429
_MINUTE: Final = 60
# URL names whose every 404 is a wrong secret, and those of forms that send mail.
_SECRET_DOORS: Final = frozenset({"table_open", "invitation", "password_link", "notices_stop"})
_MAIL_DOORS: Final = frozenset(
    {
        "password_reset",
        "account_request_login_code",
        "account_request_reauthentication_code",
        "account_email",
        "account_signup",
    }
)
# The password forms of the site and the admin, which ask for the old one.
_PASSWORD_DOORS: Final = frozenset({"password_change"})


class LimitGuesses:
    """Middleware that makes clients wait who keep guessing secrets or requesting mail.

    Only wrong secrets are refused. A right one always opens, since many people share an address, and 32
    random bytes cannot be guessed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        door = _guessed_at(request, response)
        limit = Limit.named("guess") if door else None
        wait = limit.count(f"{door}:{network_of(request)}") if limit is not None else 0
        return too_many(request, wait) if wait else response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Refuses mail and wrong old passwords beyond their limits; None within them."""
        match = request.resolver_match
        if request.method != "POST" or match is None:
            return None
        if match.url_name in _PASSWORD_DOORS:
            return _old_password_tried(request)
        if match.url_name not in _MAIL_DOORS:
            return None
        limit = Limit.named("mail")
        wait = limit.count(network_of(request) or "none") if limit is not None else 0
        return too_many(request, wait) if wait else None


def too_many(request: HttpRequest, wait: int) -> HttpResponse:
    """The answer beyond a limit: a page, or under the API a problem document, with Retry-After."""
    if request.path_info.startswith("/api/"):
        problem = refused_outcome(Throttled(wait))["problem"]
        response: HttpResponse = JsonResponse(problem, status=TOO_MANY, content_type=PROBLEM_TYPE)
    else:
        response = render(request, "429.html", {"minutes": math.ceil(wait / 60)}, status=TOO_MANY)
    response["Retry-After"] = str(wait)
    return response


def too_often(request: HttpRequest) -> HttpResponse:
    """The answer beyond a limit of the library for accounts; most of them are for a minute."""
    return too_many(request, _MINUTE)


def locked_out(request: HttpRequest, *told: Any) -> HttpResponse:
    """The answer after too many wrong passwords, as called by django-axes."""
    return too_many(request, round(settings.AXES_COOLOFF_TIME * 3600))


def _old_password_tried(request: HttpRequest) -> HttpResponse | None:
    """Counts a wrong old password like a failed login; the refusal after too many, else None.

    This stops guessing at a session that was left open.
    """
    if not request.user.is_authenticated:
        return None
    tried = request.POST.get("oldpassword", "")
    authenticate(request, username=request.user.get_username(), password=tried)
    return locked_out(request) if getattr(request, "axes_locked_out", False) else None


def _guessed_at(request: HttpRequest, response: HttpResponse) -> str:
    """The limited address at which this request failed with a wrong secret; "" if it did not.

    The doors answer 404 to a wrong secret; other views mark that answer (`league.pages.pages.guessed`).
    Nothing else is a guess: not a mistake in a form that a right one has opened, nor an outage.
    """
    if request.path_info.startswith("/api/"):
        return "token" if response.status_code == 401 and "Authorization" in request.headers else ""
    match = request.resolver_match
    if match is None:
        return ""
    is_wrong = match.url_name in _SECRET_DOORS and response.status_code == NOT_FOUND
    return str(match.url_name) if is_wrong or getattr(response, "is_guess", False) else ""
