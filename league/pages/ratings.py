"""The ratings of a club's players, and one player's history."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from league.core.ratings import PROVISIONAL_BELOW
from league.models import Player
from league.pages.pages import names_of, page, visible_club
from league.tables.rating_lists import rating_history, ratings_of


@require_safe
def ratings(request: HttpRequest, club: str) -> HttpResponse:
    """All rated players of a club, best first."""
    shown = visible_club(request, club)
    context = {"at": "ratings", "ratings": ratings_of(shown, names_of(request)), "enough": PROVISIONAL_BELOW}
    return page(request, "league/ratings.html", context, club=shown)


@require_safe
def rating(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """A player's rating history. A merged player redirects to the one kept."""
    shown = visible_club(request, club)
    found = get_object_or_404(Player.objects.select_related("merged_into"), club=shown, code=code)
    if found.merged_into is not None:
        return redirect("rating", shown.slug, found.merged_into.code)
    found.club = shown
    context = {
        "at": "ratings",
        "player": found,
        "history": rating_history(found),
        "enough": PROVISIONAL_BELOW,
    }
    return page(request, "league/rating.html", context, club=shown)
