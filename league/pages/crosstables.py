"""The crosstable of an event."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.pages.events import about
from league.pages.pages import page, page_asked, reader_of, visible_event
from league.policy import rounds_seen, sees_results
from league.tables.crosstables import crosstable_page


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
