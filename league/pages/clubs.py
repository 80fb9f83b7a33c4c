"""The list of clubs, a club's front page, and its exhibitions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.bots.profiles import exhibitions_of, has_exhibitions
from league.core.collation import name_key
from league.events.front_page import FrontPage, archive, front_page, pyramids_of, seasons_of, tables_of
from league.pages.beginning import way_on
from league.pages.pages import (
    FOLLOWS_CLUB_EVERY,
    FOLLOWS_IDLE_EVERY,
    followed,
    page,
    page_asked,
    reader_of,
    today_in,
    visible_club,
    way_in,
)
from league.people.accounts import own_players
from league.people.beginning import may_begin
from league.people.joining import belongs_to, joins_at_once, takes_members
from league.policy import (
    Permission,
    can,
    clubs_where,
    events_seen,
    is_administrator,
    rounds_seen,
    sees_results,
)
from league.policy.withholding import without_results


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The clubs the reader may see; redirects to a single one."""
    clubs = sorted(
        clubs_where(reader_of(request), Permission.VIEW).order_by("name")[:500],
        key=lambda club: name_key(club.name),
    )
    if len(clubs) == 1:
        return redirect("club", clubs[0].slug)
    response = render(request, "league/home.html", {"clubs": clubs, "may_begin": not clubs and may_begin()})
    patch_cache_control(response, no_cache=True)
    return response


@require_safe
@followed
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: what is played now, where one can enter, what else there is, and its seasons."""
    shown = visible_club(request, club)
    reader = reader_of(request)
    seen, today = events_seen(reader), today_in(shown)
    front = front_page(shown, seen=seen, rounds=rounds_seen(reader), today=today)
    for on_now in front.on_now:
        if not sees_results(reader, on_now.event):
            without_results(on_now.matches, on_now.event)
    context = {
        "follows": _follows(front),
        "front": front,
        "today": today,
        "removes_demo": shown.is_demo and is_administrator(reader),
        **(way_in(request, shown) if front.open else {"directs": can(reader, Permission.DIRECT, shown)}),
        "seasons": seasons_of(shown, seen=seen),
        "tables": tables_of(shown),
        "pyramids": pyramids_of(shown),
        "plays": reader.is_authenticated and own_players(reader.pk, shown).exists(),
        "has_exhibitions": has_exhibitions(shown),
        "invites": takes_members(shown) and not belongs_to(reader, shown),
        "at_once": joins_at_once(reader, shown),
        "guide": way_on(shown, reader),
        "may_begin": shown.is_demo and may_begin(),
    }
    return page(request, "league/club.html", context, club=shown)


def _follows(front: FrontPage) -> int:
    """The seconds after which an open page looks for news: later between rounds, 0 where nothing goes on."""
    if front.on_now:
        return FOLLOWS_CLUB_EVERY
    return FOLLOWS_IDLE_EVERY if front.open or front.running else 0


@require_safe
def club_events(request: HttpRequest, club: str) -> HttpResponse:
    """All events of a club, the newest season first, paginated."""
    shown = visible_club(request, club)
    reader = reader_of(request)
    found, lines = archive(
        shown,
        page_asked(request),
        seen=events_seen(reader),
        rounds=rounds_seen(reader),
        today=today_in(shown),
    )
    return page(request, "league/club_events.html", {"found": found, "lines": lines}, club=shown)


@require_safe
def exhibitions(request: HttpRequest, club: str) -> HttpResponse:
    """The club's bot sheets outside events, newest first, paginated."""
    shown = visible_club(request, club)
    found, sheets = exhibitions_of(shown, page=request.GET.get("page", ""))
    return page(request, "league/exhibitions.html", {"found": found, "sheets": sheets}, club=shown)
