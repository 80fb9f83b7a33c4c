"""Access to a table: by a side's link, kept in a cookie, or as a user seated in the match.

Both get the same pages, under an address that names sheet and side; the cookie is limited to that path. So a
phone may hold links of several tables, and nothing begun on one page is sent to another. Any other sheet or
side, and an expired link, is a 404: a page that says whom to ask, or JSON for the page's script.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.core.secrets import digest_of
from league.models import Appearance, Match, RoundState, TableLink
from league.policy import actor_at, actor_of, live_links
from scoring.core.actors import Actor
from scoring.core.kinds import MOST_SIDES
from scoring.models import Scoresheet

COOKIE: Final = "table"

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A place at a table: the match with its sheet, the side, and the actor who writes there."""

    match: Match
    sheet: Scoresheet
    side: int
    actor: Actor

    def address(self, name: str) -> str:
        """The address of one of the place's pages."""
        return address_at(self.sheet, self.side, name)


def address_at(sheet: Scoresheet, side: int, name: str = "page") -> str:
    """The address of one of the pages of a side's place at a table."""
    return reverse(f"phone:{name}", args=[sheet.code, side])


def table_view(
    view: Callable[Concatenate[HttpRequest, TablePlace, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Wrap a view with the place named by `sheet` and `side` in its address; never cached."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        sheet, side = str(kwargs.pop("sheet")), int(str(kwargs.pop("side")))
        place = None
        if side < MOST_SIDES:
            place = _linked(request, sheet, side) or seated(request, Q(sheet__code=sheet), side)
        if place is None:
            return link_over(request)
        return view(request, place, *args, **kwargs)

    return never_cache(guarded)


def link_over(request: HttpRequest) -> HttpResponse:
    """The 404 for a link that opens nothing, and for users who do not sit here."""
    if is_script(request):
        message = _("This link no longer opens anything. Ask the director for a new one.")
        return JsonResponse({"code": "link_over", "message": message}, status=404)
    return render(request, "league/phone/over.html", status=404)


def is_script(request: HttpRequest) -> bool:
    """Return whether the request comes from `table.js` and not from a browser navigating."""
    return request.headers.get("Accept") == "application/json"


def seated(request: HttpRequest, which: Q, side: int | None = None) -> TablePlace | None:
    """The user's place in the match selected by `which`: on this side, or the first of his."""
    user = request.user
    if not isinstance(user, User):
        return None
    match = _matches().filter(which, round__state__in=_SHOWN, sheet__isnull=False).first()
    if match is None or match.sheet is None:
        return None
    seats = Appearance.objects.filter(match=match, player__user=user, player__user__is_active=True)
    if side is not None:
        seats = seats.filter(side=side)
    own = seats.order_by("side").values_list("side", flat=True).first()
    return None if own is None else TablePlace(match, match.sheet, own, actor_of(user))


def _linked(request: HttpRequest, sheet: str, side: int) -> TablePlace | None:
    """The place of the link in the cookie, if it is for this sheet and side."""
    secret = request.COOKIES.get(COOKIE, "")
    if not secret or not secret.isascii():
        return None
    link = live_links().filter(digest=digest_of(secret), sheet__code=sheet, side=side).first()
    match = None if link is None else _matches().filter(sheet=link.sheet_id).first()
    if link is None or match is None or match.sheet is None:
        return None
    return TablePlace(match, match.sheet, link.side, actor_at(link, _side_name(match.sheet, link)))


def _side_name(sheet: Scoresheet, link: TableLink) -> str:
    """The name that history prints for a link: its side's."""
    return sheet.sides.values_list("name", flat=True).get(position=link.side)


_SHOWN: Final = (RoundState.PUBLISHED, RoundState.COMPLETE)


def _matches() -> QuerySet[Match]:
    return Match.objects.with_sides("sheet__rules", "event__club", "round")
