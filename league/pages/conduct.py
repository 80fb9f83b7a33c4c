"""How a match is played on this site, for a director: what is noted of its players, which accuses nobody."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_stubs_ext import StrOrPromise

from games.arena.choices import shipped_choices
from games.models import TableMatch
from games.services import SeatConduct
from games.services.hands import seats_of
from games.services.packs import is_withheld
from games.tables.agreement import AT_STAKE
from games.tables.pace import Pace
from league.matches.member_tables import conduct_of, seat_names
from league.models import Entry, Match
from league.pages.events import about
from league.pages.pages import names_of, page, reader_of, visible_event
from league.policy import Permission, can

# The fields of `Pace` that are seconds.
_SECONDS: Final[Mapping[str, StrOrPromise]] = MappingProxyType(
    {
        "quickest": _("quickest"),
        "lower": _("a quarter took less than"),
        "median": _("half took less than"),
        "upper": _("a quarter took more than"),
        "slowest": _("slowest"),
    }
)
# In the order of `Pace.bands`.
_BANDS: Final[Sequence[StrOrPromise]] = (
    _("under 1 s"),
    _("1 to 3 s"),
    _("3 to 10 s"),
    _("10 to 30 s"),
    _("30 s to 2 min"),
    _("2 min and more"),
)
# Words, and a figure for taking a card and one for putting one down, None where there were none.
Line = tuple[StrOrPromise, Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class NotedSide:
    """A side, what is noted of its member, and the lines of his pace: moves, and seconds.

    `player` is who he is where several play on a side, "" where the side says it.
    """

    entries: Sequence[Entry]
    player: str
    noted: SeatConduct
    moves: Sequence[Line]
    seconds: Sequence[Line]


@never_cache
@require_safe
def match_conduct(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """What is noted of a match that is played on this site; a 404 for who does not direct in the club."""
    shown = visible_event(request, club, event)
    if not can(reader_of(request), Permission.DIRECT, shown.club):
        raise Http404
    rows = Match.objects.filter(event=shown, code=code).with_sides("round", "sheet__table_match")
    match = rows.first()
    table: TableMatch | None = getattr(match and match.sheet, "table_match", None)
    if match is None or table is None:
        raise Http404
    match.event = shown
    sides = _sides(match, table)
    context = about(shown) | {
        "match": match,
        "table": table,
        "names": names_of(request),
        "sides": sides,
        "is_withheld": is_withheld(table),
        "is_weighed": any(side.noted.agreement is not None for side in sides),
        "unweighed": sum([side.noted.unweighed for side in sides]),
        "usual": shipped_choices(),
        "at_stake": AT_STAKE,
    }
    return page(request, "league/conduct.html", context, club=shown.club)


def _sides(match: Match, table: TableMatch) -> list[NotedSide]:
    names = seat_names(match)
    chairs, is_of_teams = seats_of(table), match.event.team_size > 1
    return [
        _noted(match.side(chairs[each.seat].side), names[each.seat] if is_of_teams else "", each)
        for each in conduct_of(match, table)
    ]


def _noted(entries: Sequence[Entry], player: str, noted: SeatConduct) -> NotedSide:
    if noted.drawing is None and noted.putting_down is None:
        return NotedSide(entries, player, noted, (), ())

    def line(words: StrOrPromise, figure: Callable[[Pace], float]) -> Line:
        paces = (noted.drawing, noted.putting_down)
        return words, [None if pace is None else figure(pace) for pace in paces]

    def in_band(at: int) -> Callable[[Pace], float]:
        return lambda pace: pace.bands[at]

    moves = [line(_("moves"), attrgetter("count"))]
    moves += [line(words, in_band(at)) for at, words in enumerate(_BANDS)]
    seconds = [line(words, attrgetter(name)) for name, words in _SECONDS.items()]
    return NotedSide(entries, player, noted, moves, seconds)
