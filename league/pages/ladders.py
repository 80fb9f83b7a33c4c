"""The ladder of an event."""

import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from league.models import traits_of
from league.pages.events import about, today_in
from league.pages.pages import names_of, page, page_asked, visible_event
from league.tables.ladder_pages import ladder_page


@require_safe
def ladder(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """Places, open challenges and history; with `?on=` as of the end of that day."""
    shown = visible_event(request, club, event)
    if not traits_of(shown).has_ladder:
        raise Http404
    found = ladder_page(
        shown,
        names_of(request),
        page=page_asked(request),
        day=_day_asked(request),
    )
    context = about(shown, at="event_ladder") | {
        "ladder": found,
        "pages": range(1, found.pages + 1),
        "today": today_in(shown.club),
    }
    return page(request, "league/ladder.html", context, club=shown.club)


def _day_asked(request: HttpRequest) -> datetime.date | None:
    """The date in `?on=`, None without one; a 404 if it is not a date."""
    asked = request.GET.get("on", "")
    if not asked:
        return None
    try:
        day = parse_date(asked)
    except ValueError:
        day = None
    if day is None:
        raise Http404
    return day
