"""Access to the entry pages: for staff, to sheets of their own clubs.

Anonymous requests for pages are redirected to the admin's login. Those of scripts are answered 401, so that
`entry.js` can report it and keep the draft; it could not use a login page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.entry.nights import rounds_to_type
from league.models import Club, Match, Round
from league.policy import Permission, clubs_where
from league.policy.naming import Names, in_full
from scoring.models import Scoresheet

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def entry_view(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Wrap a view for signed-in staff; never cached."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if admin.site.has_permission(request):
            return view(request, *args, **kwargs)
        if is_script(request):
            message = _("You are signed out. Sign in again in another tab, then go on here.")
            return JsonResponse({"code": "signed_out", "message": message}, status=401)
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))

    return never_cache(guarded)


def is_script(request: HttpRequest) -> bool:
    """Return whether the request comes from `entry.js` or htmx and not from a browser navigating."""
    return "HX-Request" in request.headers or request.headers.get("Accept") == "application/json"


def signed_in(request: HttpRequest) -> User:
    """The user of a request that `entry_view` has let through."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("Nobody is signed in.")
    return user


@dataclass(frozen=True, slots=True)
class Place:
    """What is typed: a sheet of a club, of a match or by itself. `code` is its address here."""

    sheet: Scoresheet
    club: Club
    code: str
    label: str
    match: Match | None = None

    @property
    def people(self) -> Names:
        """The full names of the club's people."""
        return in_full(self.club)


def place_or_404(request: HttpRequest, code: str) -> Place:
    """A sheet that the user may type, by the code of its match or, without one, its own; else a 404."""
    match = matches_to_type(request).filter(code=code).first()
    if match is not None:
        if match.sheet is None:
            raise Http404
        return Place(match.sheet, match.event.club, match.code, match.label, match)
    sheet = get_object_or_404(club_sheets(request).select_related("rules", "exhibition__club"), code=code)
    return Place(sheet, sheet.exhibition.club, sheet.code, str(sheet))


def club_sheets(request: HttpRequest) -> QuerySet[Scoresheet]:
    """The sheets outside events that the user may type: those of people, not of bots."""
    clubs = clubs_where(signed_in(request), Permission.RECORD)
    return Scoresheet.objects.filter(exhibition__club__in=clubs.values("pk"), bot_match=None)


def matches_to_type(request: HttpRequest) -> QuerySet[Match]:
    """The matches whose sheets the user may type."""
    matches = Match.objects.with_sides("sheet__rules", "sheet__bot_match", "event__club", "round")
    return matches.filter(round__in=rounds_to_type(signed_in(request)))


def round_or_404(request: HttpRequest, code: str) -> Round:
    """A round whose sheets the user may type; a 404 for any other, and for drafts that are not his."""
    return get_object_or_404(rounds_to_type(signed_in(request)).select_related("event__club"), code=code)


def frame(request: HttpRequest, **more: Any) -> dict[str, Any]:
    """The context of the admin's base template, without its side bar."""
    return {**admin.site.each_context(request), "is_nav_sidebar_enabled": False, **more}
