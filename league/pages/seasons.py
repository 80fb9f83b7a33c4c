"""Pages about several events: a season, a season table, divisions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from league.events.front_page import season_events, tables_of
from league.events.pyramid_lists import divisions_of
from league.models import EventState, Pyramid, SeasonTable
from league.pages.pages import names_of, page, reader_of, today_in, visible_club
from league.policy import Permission, can, events_seen, rounds_seen
from league.tables.season_glance import season_glance
from league.tables.season_lists import shown_lines
from league.tables.season_tables import points_of, season_ranking


@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A season, its events and its tables."""
    shown = visible_club(request, club)
    found = get_object_or_404(shown.seasons, slug=season)
    reader = reader_of(request)
    lines = season_events(found, seen=events_seen(reader), rounds=rounds_seen(reader), today=today_in(shown))
    context = {
        "season": found,
        "lines": lines,
        "glance": season_glance([line.event for line in lines], names_of(request)),
        "tables": tables_of(shown, season=found),
    }
    return page(request, "league/season.html", context, club=shown)


@require_safe
def season_table(request: HttpRequest, club: str, table: str) -> HttpResponse:
    """A table over several events, by points for places."""
    shown = visible_club(request, club)
    found = get_object_or_404(SeasonTable.objects.select_related("season"), club=shown, slug=table)
    ranking = season_ranking(found)
    context = {
        "table": found,
        "ranking": ranking,
        "lines": shown_lines(ranking),
        "open_events": [event for event in ranking.open_events if event.state != EventState.DRAFT],
        "points": points_of(found),
    }
    return page(request, "league/season_table.html", context, club=shown)


@require_safe
def divisions(request: HttpRequest, club: str, pyramid: str) -> HttpResponse:
    """Divisions season by season, with promotion and relegation."""
    shown = visible_club(request, club)
    found = get_object_or_404(Pyramid, club=shown, slug=pyramid)
    drafts = can(reader_of(request), Permission.DIRECT, shown)
    context = {"pyramid": found, "seasons": divisions_of(found, with_drafts=drafts)}
    return page(request, "league/divisions.html", context, club=shown)
