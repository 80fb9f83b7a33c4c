"""The list of clubs, a club's front page, and its exhibitions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.bots.profiles import exhibitions_of, has_exhibitions
from league.core.collation import name_key
from league.events.front_page import front_page_events, pyramids_of, seasons_of, tables_of
from league.pages.pages import page, reader_of, visible_club
from league.policy import Permission, clubs_where, events_seen


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The clubs the reader may see; redirects to a single one."""
    clubs = sorted(
        clubs_where(reader_of(request), Permission.VIEW).order_by("name")[:500],
        key=lambda club: name_key(club.name),
    )
    if len(clubs) == 1:
        return redirect("club", clubs[0].slug)
    response = render(request, "league/home.html", {"clubs": clubs})
    patch_cache_control(response, no_cache=True)
    return response


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: its newest events and its seasons."""
    shown = visible_club(request, club)
    seen = events_seen(reader_of(request))
    context = {
        "events": front_page_events(shown, seen=seen),
        "seasons": seasons_of(shown, seen=seen),
        "tables": tables_of(shown),
        "pyramids": pyramids_of(shown),
        "has_exhibitions": has_exhibitions(shown),
    }
    return page(request, "league/club.html", context, club=shown)


@require_safe
def exhibitions(request: HttpRequest, club: str) -> HttpResponse:
    """The club's bot sheets outside events, newest first, paginated."""
    shown = visible_club(request, club)
    found, sheets = exhibitions_of(shown, page=request.GET.get("page", ""))
    return page(request, "league/exhibitions.html", {"found": found, "sheets": sheets}, club=shown)
