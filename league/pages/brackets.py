"""The bracket of an event."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.models import traits_of
from league.pages.bracket_svg import svg_bracket
from league.pages.events import about, bracket_of, follows
from league.pages.pages import followed, page, visible_event


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
