"""How one plays at the tables of this site: what one's choices cost. Everybody sees only his own."""

from itertools import groupby
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.bots.appraising import ChoiceKind
from games.services.reports import MOST_MATCHES, MatchCosts, costs_of
from league.core.pictures.cost_line import WINDOW, Costs, cost_line, together
from league.pages.doors import own_page
from league.pages.pages import signed_in

_TITLES: Final = {
    ChoiceKind.DISCARD: _("Discards"),
    ChoiceKind.TAKE: _("Takes"),
    ChoiceKind.KNOCK: _("Knocks"),
}
_WIDTH: Final = 340
_HEIGHT: Final = 190


@own_page
def own_play(request: HttpRequest) -> HttpResponse:
    """What the reader's choices cost, match by match as lines, and by month in a table."""
    matches = costs_of(signed_in(request).pk)
    context = {
        "at": "me",
        "curves": _curves(matches),
        "kinds": list(_TITLES.values()),
        "months": _months(matches),
        "matches": matches,
        "window": WINDOW,
        "most": MOST_MATCHES,
    }
    return render(request, "league/own_play.html", context)


def _curves(matches: list[MatchCosts]) -> list[tuple[Any, Costs, Any]]:
    """For each kind of choice its title, what it cost altogether, and its line, None if it is too short."""
    curves = []
    for kind, title in _TITLES.items():
        costs = [_of(match, kind) for match in matches]
        curves.append((title, together(costs), cost_line(costs, width=_WIDTH, height=_HEIGHT)))
    return curves


def _months(matches: list[MatchCosts]) -> list[tuple[Any, int, list[Costs]]]:
    """The first day of each month, the latest month first, its matches, and by kind what choices cost."""
    by_month = groupby(matches, key=lambda one: timezone.localdate(one.match.created_at).replace(day=1))
    months = []
    for day, each in by_month:
        played = list(each)
        costs = [together([_of(match, kind) for match in played]) for kind in _TITLES]
        months.append((day, len(played), costs))
    return months[::-1]


def _of(match: MatchCosts, kind: ChoiceKind) -> Costs:
    return Costs(match.counts[kind], match.costs[kind])
