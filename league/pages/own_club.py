"""My club: the first page of who is signed in, for each club that he belongs to."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.events.own_club import own_club
from league.models import Club, Membership, Player
from league.pages.pages import (
    by_name,
    page,
    signed_in,
    today_in,
    visible_club,
    way_in,
)
from league.people.accounts import own_players
from league.people.claiming import may_claim
from league.people.joining import belongs_to
from league.policy import Permission, clubs_where
from league.tables.rating_lists import rating_curve, rating_of


@never_cache
@require_safe
@login_required
def me(request: HttpRequest) -> HttpResponse:
    """The clubs of who is signed in; redirects to a single one.

    Who belongs to none is shown those that he may read.
    """
    user = signed_in(request)
    clubs = _clubs_of(user)
    if len(clubs) == 1:
        return redirect("club_me", clubs[0].slug)
    others = [] if clubs else by_name(clubs_where(user, Permission.VIEW).order_by("name")[:100])
    return render(request, "league/me.html", {"at": "me", "clubs": clubs, "others": others})


@require_safe
@login_required
def club_me(request: HttpRequest, club: str) -> HttpResponse:
    """What is next for the reader in this club, what waits for him, his form, rating and events.

    Who has no player here is told how to get one; an officer, where his work is. Made anew each time: it
    shows more than counts of writes know of (`league.record.write_counts`), and nobody else asks for it.
    """
    shown = visible_club(request, club)
    players = list(own_players(signed_in(request).pk, shown))
    context: dict[str, Any] = {"at": "me", "today": today_in(shown), "others": players[1:]}
    context["belongs"] = bool(players) or belongs_to(signed_in(request), shown)
    if players:
        own = own_club(players[0], today=context["today"])
        context |= {
            "player": players[0],
            "own": own,
            "rating": rating_of(players[0]),
            "curve": rating_curve(players[0], own.verdicts),
        }
    else:
        context |= way_in(request, shown) | {"claims": may_claim(signed_in(request), shown)}
    response = page(request, "league/club_me.html", context, club=shown)
    # Nobody else's, in a public club too.
    patch_cache_control(response, private=True)
    return response


def _clubs_of(user: User) -> list[Club]:
    """The clubs in which the user holds an office or has a player, and whose pages he may read, by name."""
    offices = Membership.objects.filter(club=OuterRef("pk"), user=user)
    players = Player.objects.filter(club=OuterRef("pk"), user=user, merged_into=None)
    seen = clubs_where(user, Permission.VIEW)
    return by_name(seen.filter(Exists(offices) | Exists(players)).order_by("name")[:100])
