"""The pairings of a round on A4: by table, and everybody's table by name."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.draws.pairings import RoundPairings, Seated
from league.models import Entry, Match, MatchState, Player, Round
from league.pages.printing.slips import round_day
from league.policy.naming import Names
from scoring.paper.pdf import SERIF, SOFT, Document

_LEFT: Final = 16.0
_RIGHT: Final = 194.0
_BOTTOM: Final = 283.0
_ROW: Final = 7.2
_SEAT: Final = 5.4
_ABREAST: Final = 2
_GAP: Final = 8.0


def pairings_pdf(round_: Round, found: RoundPairings, names: Names) -> bytes:
    """The pairings as a PDF. Load event, club and rules with the round."""
    event = round_.event
    texts = [_words(names, seat.who) for seat in found.seats] + [names.match(each) for each in found.matches]
    pdf = Document(
        title=str(round_),
        made_at=event.created_at,
        texts=[event.name, event.club.name, *texts],
    )
    return _Sheets(pdf, round_, found, names).draw()


@dataclass
class _Sheets:
    """The sheets while they are drawn; `y` moves down the page."""

    pdf: Document
    round: Round
    found: RoundPairings
    names: Names
    y: float = 0.0

    def draw(self) -> bytes:
        self._page()
        if not self.found.matches:
            self.pdf.face(11, color=SOFT)
            self.pdf.put(_LEFT, self.y, _RIGHT - _LEFT, 8, _("Not drawn yet."))
            return self.pdf.finished()
        for match in self.found.matches:
            self._make_room(_ROW)
            self._match(match)
        for match in self.found.sitting_out:
            self._make_room(_ROW)
            self.pdf.face(10, color=SOFT)
            self.pdf.put(_LEFT + 16, self.y, _RIGHT - _LEFT - 16, _ROW, self.names.match(match))
            self.y += _ROW
        self._who_sits_where()
        return self.pdf.finished()

    def _page(self) -> None:
        pdf, event = self.pdf, self.round.event
        pdf.add_page()
        pdf.face(10, family=SERIF, color=SOFT)
        pdf.put(_LEFT, 13, _RIGHT - _LEFT, 5, event.club.name)
        pdf.face(19, family=SERIF)
        pdf.put(_LEFT, 18.5, _RIGHT - _LEFT, 9, event.name)
        pdf.face(12)
        words = _("Round %s") % self.round.number
        pdf.put(_LEFT, 28, _RIGHT - _LEFT, 6, f"{words} · {round_day(self.round, 'l j F Y')}")
        self.y = 38.0

    def _match(self, match: Match) -> None:
        pdf = self.pdf
        side = (_RIGHT - _LEFT - 16 - 10 - 22) / 2
        pdf.face(13, family=SERIF)
        pdf.put(_LEFT, self.y, 12, _ROW, "" if match.table is None else str(match.table), align="R")
        pdf.face(11)
        pdf.put(_LEFT + 16, self.y, side, _ROW, self.names.marked_side(match, 0))
        pdf.put(_LEFT + 26 + side, self.y, side, _ROW, self.names.marked_side(match, 1))
        pdf.face(9, color=SOFT)
        pdf.put(_LEFT + 16 + side, self.y, 10, _ROW, _("v"), align="C")
        pdf.put(_RIGHT - 21, self.y, 21, _ROW, _note(match), align="R")
        self.y += _ROW
        pdf.rule(_LEFT, self.y, _RIGHT, self.y)

    def _who_sits_where(self) -> None:
        """Names in columns, filled from top to bottom; on a new sheet if they do not fit below."""
        pdf, seats = self.pdf, self.found.seats
        rows = -(-len(seats) // _ABREAST)
        if self.y + 16 + rows * _SEAT > _BOTTOM:
            self._page()
        else:
            self.y += 7
        pdf.face(12, family=SERIF)
        pdf.put(_LEFT, self.y, _RIGHT - _LEFT, 6, _("Who sits where"))
        self.y += 8
        width = (_RIGHT - _LEFT - _GAP * (_ABREAST - 1)) / _ABREAST
        while seats:
            rows = min(-(-len(seats) // _ABREAST), int((_BOTTOM - self.y) / _SEAT))
            for place, seat in enumerate(seats[: rows * _ABREAST]):
                column, row = divmod(place, rows)
                self._seat(seat, _LEFT + column * (width + _GAP), self.y + row * _SEAT, width)
            seats = seats[rows * _ABREAST :]
            if seats:
                self._page()

    def _seat(self, seat: Seated, x: float, y: float, width: float) -> None:
        pdf, match = self.pdf, seat.match
        pdf.face(9.5)
        pdf.put(x, y, width * 0.42, _SEAT, _words(self.names, seat.who))
        pdf.face(11, family=SERIF)
        pdf.put(x + width * 0.43, y, 8, _SEAT, "" if match.table is None else str(match.table), align="R")
        pdf.face(8, color=SOFT)
        words = _("v %s") % _words(self.names, seat.against) if seat.against else _sits_out(match)
        if seat.against and match.partner_a_id is not None:
            words = _("%(a)s v %(b)s") % {
                "a": _words(self.names, seat.plays_for),
                "b": _words(self.names, seat.against),
            }
        pdf.put(x + width * 0.43 + 10, y, width * 0.57 - 10, _SEAT, words)
        pdf.rule(x, y + _SEAT, x + width, y + _SEAT)

    def _make_room(self, height: float) -> None:
        if self.y + height > _BOTTOM:
            self._page()


def _note(match: Match) -> str:
    """The date if it differs from the round's, else the label."""
    return date_format(match.planned_on, "j M") if match.planned_on else match.label


def _words(names: Names, who: Iterable[Player | Entry]) -> str:
    """Names joined by plus signs, bots marked."""
    return " + ".join(names.marked(one) for one in who)


def _sits_out(match: Match) -> str:
    return _("sits out") if match.state == MatchState.ABSENT else _("bye")
