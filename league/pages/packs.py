"""The packs of a duplicate event, and what each table made of them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.pages.events import about
from league.pages.pages import page, reader_of, visible_event
from league.policy import rounds_seen, sees_results
from league.tables.duplicates import pack_results, rounds_over


@require_safe
def event_packs(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The results per pack of a round that is over, `?round=` or the last; a 404 unless it is duplicate."""
    shown = visible_event(request, club, event)
    if not shown.is_duplicate:
        raise Http404
    seen = rounds_seen(reader_of(request))
    withheld_too = sees_results(reader_of(request), shown)
    rounds = rounds_over(shown, seen, withheld_too=withheld_too)
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isdecimal() and len(asked) < 4 else None
    if asked and number not in rounds:
        raise Http404
    number = number if number is not None else rounds[-1] if rounds else None
    results = [] if number is None else pack_results(shown, seen, number, withheld_too=withheld_too)
    context = about(shown, at="event_packs") | {"rounds": rounds, "number": number, "packs": results}
    return page(request, "league/event_packs.html", context, club=shown.club)
