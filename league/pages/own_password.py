"""A password that somebody else has given opens nothing but the form for another one.

Whether it is one is noted in the session as its user signs in, so that requests cost no query: a session ends
with the password it was begun with.
"""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin

from league.people.accounts import has_given_password, password_is_given
from scoring.api.problems import PROBLEM_TYPE, problem_document

_NOTED: Final = "password_is_given"
# By name of their addresses, in the administration too: what chooses another password, signs out, says what
# is kept, or is for nobody in particular.
_OPEN: Final = frozenset(
    {
        "password_change",
        "password_link",
        "logout",
        "privacy",
        "notices_stop",
        "event_embed",
        "healthz",
        "readyz",
    }
)
_FORBIDDEN: Final = 403


class OwnPasswordFirst(MiddlewareMixin):
    """Middleware that lets who is signed in with a given password do nothing but choose another one."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Lead to the form for another password; under the API refuse (403) with a problem document."""
        match = request.resolver_match
        if match is not None and match.url_name in _OPEN:
            return None
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.session.get(_NOTED):
            return None
        if request.path_info.startswith("/api/"):
            refusal = password_is_given()
            problem = problem_document(_FORBIDDEN, refusal.code, refusal.message, {})
            return JsonResponse(problem, status=_FORBIDDEN, content_type=PROBLEM_TYPE)
        return redirect("password_change")


def is_noted(request: HttpRequest) -> bool:
    """Return whether the session was begun with a given password."""
    return bool(request.session.get(_NOTED))


def forget(request: HttpRequest) -> None:
    """Open everything: another password was chosen."""
    request.session.pop(_NOTED, None)


@receiver(user_logged_in, dispatch_uid="league.own_password")
def note(sender: Any, request: HttpRequest, user: User, **_told: Any) -> None:
    """Note in the session that its password was given by somebody else."""
    if has_given_password(user):
        request.session[_NOTED] = True
