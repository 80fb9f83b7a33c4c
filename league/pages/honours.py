"""A club's records and champions, and what has been between two of its players."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.models import Club, Player
from league.pages.pages import followed, names_of, page, page_asked, visible_club
from league.people.records import hands_met, meetings_of, players_of, record_of
from league.tables.champions import champions_of
from league.tables.club_records import FEWEST_PERFECT, club_records

# Of so many meetings each is told; all of them are in the sums.
_LAST_MEETINGS = 20


@require_safe
@followed
def honours(request: HttpRequest, club: str) -> HttpResponse:
    """The club's records.

    Kept, as the whole history of the club is looked through. What is held back is in it for nobody.
    """
    shown = visible_club(request, club)
    context = {"records": club_records(shown), "fewest_perfect": FEWEST_PERFECT}
    return page(request, "league/honours.html", context, club=shown)


@require_safe
def champions(request: HttpRequest, club: str) -> HttpResponse:
    """The club's champions by year, paginated."""
    shown = visible_club(request, club)
    found, lines = champions_of(shown, page_asked(request))
    return page(request, "league/champions.html", {"found": found, "champions": lines}, club=shown)


@require_safe
def head_to_head(request: HttpRequest, club: str) -> HttpResponse:
    """What has been between the players `?one=` and `?other=` (codes); without both of them, whom to choose.

    A merged player stands for the one kept; a 404 for a code that the club does not have.
    """
    shown = visible_club(request, club)
    one, other = (_player(shown, request.GET.get(name, "")) for name in ("one", "other"))
    context: dict[str, Any] = {
        "players": players_of(shown, names_of(request)),
        "one": one,
        "other": other,
    }
    if one is not None and other is not None and one != other:
        meetings = meetings_of(one, other)
        record = record_of(meetings)
        context |= {"meetings": meetings[:_LAST_MEETINGS], "record": record, "hands": hands_met(meetings)}
        context["more"] = max(record.played - _LAST_MEETINGS, 0)
    return page(request, "league/head_to_head.html", context, club=shown)


def _player(club: Club, code: str) -> Player | None:
    if not code:
        return None
    found = Player.objects.filter(club=club, code=code).select_related("merged_into").first()
    if found is None:
        raise Http404
    return found.merged_into or found
