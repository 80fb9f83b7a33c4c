"""What is seen of a page where its address is shared: a title, a sentence and a picture.

Programs that nobody has let in read them, and show them to whoever gets the address. So they say what guests
may read, whoever shares it, and pages of private clubs have none. The tags are those of the Open Graph
protocol (ogp.me); the picture has the size that those who show it ask for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

import resvg_py
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.core.colours import readable_on_light
from league.models import Club, Event, EventKind, Match, MatchState, Player
from league.pages.pages import (
    followed,
    kept_fresh,
    makes_paper,
    names_of,
    names_of_guests,
    visible_club,
    visible_event,
)
from league.people.logos import logo_of
from league.people.records import PlayerTotals, matches_of, record_of
from league.policy import rounds_seen
from league.policy.withholding import without_results
from league.tables.rating_lists import RatingNow, rating_of
from league.tables.tables import EventTable, event_table
from scoring.core.plain_text import for_xml
from scoring.paper.fonts import font_files
from scoring.templatetags.figures import grouped, signed

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

MOST_PLACES: Final = 3
# In pixels of the picture, as in its template.
WIDTH, MARGIN = 1200, 72
_LINES_FROM, _LINES_TO = 265, 610
_FIGURE: Final = 260
# What the logo takes of the width beside the title.
_LOGO: Final = 150
# As in `palette.css`.
_BAIZE: Final = "#1f6b4b"


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of a picture: words and their figure, where it stands, and the sizes with which both fit."""

    words: str
    figure: str
    y: int
    size: int
    figure_size: int


@dataclass(frozen=True, slots=True)
class Shared:
    """What is told of a page: its title, what it belongs to, and some lines of words with a figure each."""

    title: str
    within: str
    lines: Sequence[tuple[str, str]]
    picture: str

    @property
    def sentence(self) -> str:
        """All but the title, in one line."""
        return " · ".join(
            [self.within, *(f"{words}: {figure}" if figure else words for words, figure in self.lines)]
        )


def shared_event(request: HttpRequest, event: Event, table: EventTable) -> Shared | None:
    """What is told of an event: who leads, else when and where it begins, and how many play.

    None of a private club's.
    """
    if not event.club.is_public:
        return None
    names = names_of_guests(request, event.club)
    if table.has_begun:
        first = [row.standing for row in table.sections[0].rows] if table.sections else []
        lines = [
            (f"{standing.rank}. {names.marked(standing.entry)}", grouped(standing.points))
            for standing in first[:MOST_PLACES]
        ]
    else:
        entered = sum(len(some) for _group, some in table.start_list)
        begins = event.starts_at and date_format(localtime(event.starts_at, event.club.zone), "l j F, H:i")
        lines = [(told, "") for told in (begins, event.where, entered and _entries(event, entered)) if told]
    picture = reverse("event_picture", args=[event.club.slug, event.slug])
    season = [event.season.name] if event.season else []
    return Shared(event.name, ", ".join([*season, event.club.name]), lines, picture)


def shared_match(request: HttpRequest, match: Match) -> Shared | None:
    """What is told of a match, with its event and as guests may read it: who has won by how much.

    None of a private club's.
    """
    event = match.event
    if not event.club.is_public:
        return None
    names = names_of_guests(request, event.club)
    sides = [" + ".join(names.marked(one) for one in match.side(side)) for side in match.sides]
    if match.withheld or not match.has_result:
        lines = [(name, "") for name in sides]
    elif match.is_table:
        lines = [(f"{place}. {sides[side]}", signed(net)) for place, side, net in match.by_place]
    elif match.state in (MatchState.FINISHED, MatchState.STOPPED):
        lines = [
            (name, str(columns))
            for name, columns in zip(sides, (match.columns_a, match.columns_b), strict=True)
        ]
        lines.append((_("Net"), signed(abs(match.net))))
    else:
        lines = [(name, _("won") if match.winner_side == side else "") for side, name in enumerate(sides)]
    picture = reverse("match_picture", args=[event.club.slug, event.slug, match.code])
    return Shared(names.match(match), ", ".join([event.name, event.club.name]), lines, picture)


def shared_player(
    request: HttpRequest, player: Player, record: PlayerTotals, rating: RatingNow | None
) -> Shared | None:
    """What is told of a player, with his club: matches, wins and rating. None of a private club's."""
    if not player.club.is_public:
        return None
    names = names_of_guests(request, player.club)
    lines = [(_("Matches"), grouped(record.played)), (_("Won"), grouped(record.won))]
    if rating is not None:
        lines.append((_("Rating"), str(rating.rating)))
    picture = reverse("player_picture", args=[player.club.slug, player.code])
    return Shared(names.marked(player), player.club.name, lines, picture)


@require_safe
@makes_paper
@followed
def event_picture(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The picture of an event as PNG."""
    request.user = AnonymousUser()
    shown = visible_event(request, club, event)
    return _picture(shared_event(request, shown, event_table(shown, names_of(request))), shown.club)


@require_safe
@makes_paper
@followed
def match_picture(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """The picture of a match as PNG."""
    request.user = AnonymousUser()
    shown = visible_event(request, club, event)
    seen = Match.objects.filter(event=shown, round__in=rounds_seen(request.user)).with_sides("round")
    found = get_object_or_404(seen, code=code)
    found.event = shown
    without_results([found], shown)
    return _picture(shared_match(request, found), shown.club)


@require_safe
@makes_paper
def player_picture(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """The picture of a player as PNG."""
    request.user = AnonymousUser()
    shown = visible_club(request, club)
    found = get_object_or_404(Player, club=shown, code=code, merged_into=None)
    found.club = shown
    return _picture(shared_player(request, found, record_of(matches_of(found)), rating_of(found)), shown)


def _entries(event: Event, count: int) -> str:
    if event.kind == EventKind.TEAM:
        said = ngettext("%(count)s team", "%(count)s teams", count)
    else:
        said = ngettext("%(count)s player", "%(count)s players", count)
    return said % {"count": grouped(count)}


def _picture(shared: Shared | None, club: Club) -> HttpResponse:
    if shared is None:
        raise Http404
    inside = WIDTH - 2 * MARGIN
    apart = min(92, (_LINES_TO - _LINES_FROM) // max(len(shared.lines), 1))
    largest = min(46, apart - 14)
    lines = [
        PictureLine(
            words,
            figure,
            _LINES_FROM + apart * number,
            _fitting(words, inside - (_FIGURE if figure else 0), largest),
            largest,
        )
        for number, (words, figure) in enumerate(shared.lines, start=1)
    ]
    logo = logo_of(club)
    beside = inside - (_LOGO if logo else 0)
    context = {
        "shared": shared,
        "lines": lines,
        "logo": logo,
        "colour": readable_on_light(club.colour) if club.colour else _BAIZE,
        "title_size": _fitting(shared.title, beside, 92),
        "within_size": _fitting(shared.within, beside, 40),
    }
    drawing = for_xml(render_to_string("league/picture.svg", context))
    files = [str(file) for file in font_files(drawing)]
    png = resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True, font_files=files)
    return kept_fresh(HttpResponse(bytes(png), content_type="image/png"), club)


def _fitting(text: str, width: int, usual: int) -> int:
    """The size of letters with which the text is no wider, at most the usual one."""
    ruler = _ruler()
    # The font of the east of Asia is not asked: its signs are squares.
    wide = sum(1 if east_asian_width(sign) in "WF" else ruler.getlength(sign) for sign in text)
    return usual if wide * usual <= width else int(width / wide)


@cache
def _ruler() -> "FreeTypeFont":
    """Tells how wide text is in parts of its size, in the bold font, which is the widest."""
    from PIL import ImageFont  # with what it brings, a tenth of a second of every start

    return ImageFont.truetype(font_files("")[1], 1)
