"""The race of an event."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.models import Entry
from league.pages.events import about, follows
from league.pages.pages import followed, names_of, page, reader_of, visible_event
from league.tables.races import has_race, races_of


@require_safe
@followed
def event_race(request: HttpRequest, club: str, event: str) -> HttpResponse:
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
