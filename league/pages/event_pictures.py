"""An event in one picture: its bracket, its crosstable, its race."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.models import Entry, traits_of
from league.pages.bracket_svg import svg_bracket
from league.pages.events import about, bracket_of, follows
from league.pages.pages import followed, names_of, page, page_asked, reader_of, visible_event
from league.policy import rounds_seen, sees_results
from league.tables.crosstables import crosstable_page
from league.tables.races import has_race, races_of


@require_safe
@followed
def bracket(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The bracket as a drawing, and its ties in lists; a 404 for an event without one."""
    shown = visible_event(request, club, event)
    if not traits_of(shown).has_bracket:
        raise Http404
    found = bracket_of(request, shown)
    context = about(shown, at="event_bracket") | {
        "follows": follows(shown),
        "bracket": found,
        "drawing": None if found is None else svg_bracket(found),
    }
    return page(request, "league/bracket.html", context, club=shown.club)


@require_safe
def crosstable(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """By opponents or by rounds, as `?by=` asks or as suits the event; paginated."""
    shown = visible_event(request, club, event)
    found = crosstable_page(
        shown,
        by=request.GET.get("by", ""),
        page=page_asked(request),
        seen=rounds_seen(reader_of(request)),
        withheld_too=sees_results(reader_of(request), shown),
    )
    context = about(shown, at="event_crosstable") | {
        "crosstable": found,
        "legend": found.legend(shown),
        "pages": range(1, found.pages + 1),
    }
    return page(request, "league/crosstable.html", context, club=shown.club)


@require_safe
@followed
def race(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The places round by round; a 404 where an event has no such race.

    Kept, as all tables are computed for it. Initial ratings, where they decide a tie, are written with the
    club's ratings, which are counted.
    """
    shown = visible_event(request, club, event)
    if not has_race(shown, shown.standings.count()):
        raise Http404
    entered = Entry.objects.filter(event=shown, members__player__user=reader_of(request).pk or 0)
    own = set(entered.values_list("pk", flat=True))
    context = about(shown, at="event") | {
        "follows": follows(shown),
        "races": races_of(shown, names_of(request), own),
        "has_own": bool(own),
    }
    return page(request, "league/race.html", context, club=shown.club)
