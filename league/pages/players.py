"""The club's players, and a player's page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from league.bots.profiles import bot_profile
from league.models import Club, Player
from league.pages.pages import csv_file, directed_club, makes_paper, names_of, page, reader_of, visible_club
from league.pages.sharing import shared_player
from league.people.records import (
    details_of,
    hands_met,
    matches_of,
    players_file,
    players_of,
    record_of,
    standings_of,
)
from league.policy import Permission, can
from league.tables.rating_lists import rating_curve, rating_of


@require_safe
def players(request: HttpRequest, club: str) -> HttpResponse:
    """All players of a club."""
    shown = visible_club(request, club)
    context = {
        "at": "players",
        "players": players_of(shown, names_of(request)),
        "directs": _directs(request, shown),
    }
    return page(request, "league/players.html", context, club=shown)


@makes_paper
@require_safe
def players_csv(request: HttpRequest, club: str) -> HttpResponse:
    """The players as CSV with the details directors know; a 404 for everybody else."""
    shown = directed_club(request, club)
    return csv_file(f"{shown.slug}-players", players_file(shown), club=shown)


@require_safe
def player(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """A player's record, places and matches. A merged player redirects to the one kept."""
    shown = visible_club(request, club)
    found = get_object_or_404(Player.objects.select_related("merged_into"), club=shown, code=code)
    if found.merged_into is not None:
        return redirect("player", shown.slug, found.merged_into.code)
    matches = matches_of(found, withheld_too=can(reader_of(request), Permission.RECORD, shown))
    found.club = shown
    record, rating = record_of(matches), rating_of(found)
    context = {
        "at": "players",
        "player": found,
        "shared": shared_player(request, found, record, rating),
        "details": details_of(found, directs=_directs(request, shown)),
        "record": record,
        "hands": hands_met(matches),
        "rating": rating,
        "curve": rating_curve(found, {each.match.pk: each.verdict for each in matches}),
        "standings": standings_of(found),
        "matches": matches,
        "bot": bot_profile(found) if found.is_bot else None,
    }
    return page(request, "league/player.html", context, club=shown)


def _directs(request: HttpRequest, club: Club) -> bool:
    return can(reader_of(request), Permission.DIRECT, club)
