"""An event's table for embedding in other sites."""

from typing import Final

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import Event
from league.pages.pages import kept_fresh, names_of, visible_event
from league.pages.sharing import shared_event
from league.tables.outcomes import event_outcome
from league.tables.tables import EventTable, event_table

# Forced colour schemes; any other value follows the reader's device.
LOOKS: Final = ("light", "dark")
# Height in pixels of a frame for a whole table: around it, of each section, of each row.
_AROUND: Final = 130
_OF_SECTION: Final = 70
_OF_ROW: Final = 42


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
def event_embed(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The table as the public may see it, whoever asks; a 404 for a private club."""
    request.user = AnonymousUser()
    shown = visible_event(request, club, event)
    if not shown.club.is_public:
        raise Http404
    table = event_table(shown, names_of(request))
    look = request.GET.get("look", "")
    context = {
        "club": shown.club,
        "event": shown,
        "names": names_of(request),
        "table": table,
        "shared": shared_event(request, shown, table),
        "outcome": event_outcome(shown, table),
        "shows_boxes": "boxes" in shown.criteria,
        "look": look if look in LOOKS else "",
    }
    with timezone.override(shown.club.zone):
        response = render(request, "league/event_embed.html", context)
    return kept_fresh(response, shown.club)


def frame_of(request: HttpRequest, event: Event, table: EventTable) -> str:
    """The HTML snippet with which another site embeds the table, names escaped."""
    rows = len(table.rows) + len(table.unranked) + len(table.guests) + len(table.annulled)
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" loading="lazy"></iframe>',
        request.build_absolute_uri(reverse("event_embed", args=[event.club.slug, event.slug])),
        _("Standings of %(event)s") % {"event": event.name},
        _AROUND + _OF_SECTION * len(table.sections) + _OF_ROW * rows,
    )
