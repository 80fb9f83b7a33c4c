"""Blank score sheets as PDF, for the tables.

At the top are the names, the table and the sheet's code. Below, each deal has a row with a cell for the mark
of each hand (with teams it says which seats meet) and the columns in the club's order. Where several sit at
one table it also has cells for who deals and who sits out, and the letter that stands for each column. At the
foot there is room for points, boxes, bonus, total, net and signatures. Two sheets of up to three games and up
to two players a side fit side by side on A4 landscape, to be cut apart; so do sheets of one game of up to six
sides. A match of n deals has n rows; if they do not fit, it goes on on another sheet.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.kinds import kind_of
from scoring.core.kinds.base import Frame
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, Substitute
from scoring.paper.fonts import SERIF
from scoring.paper.layout import SheetFrame
from scoring.paper.pdf import INK, SOFT, Document
from scoring.typing.cells import LETTERS
from scoring.typing.rows import seat_pairing

ROWS: Final = 20
# More rows than these would be too low to write in.
MOST_ROWS: Final = 25
# Narrow columns: three games of two sides, or one of six.
MOST_PLACES_ON_A_HALF: Final = 6
MOST_PLAYERS_ON_A_HALF: Final = 2

_PAGE_WIDTH: Final = 297.0
_PAGE_HEIGHT: Final = 210.0
_MARGIN: Final = 9.0
_NUMBER_WIDTH: Final = 7.0
_MARK_WIDTH: Final = 13.0
# The cell of who deals, or sits out.
_TURN_WIDTH: Final = 11.0
_HIGHEST_ROW: Final = 5.7
# The cell of one hand of a team's deal: the seats that meet, and room to write.
_HAND_WIDTH: Final = 23.0
# At least this share of the sheet is left for the columns.
_COLUMNS_SHARE: Final = 0.42
_SMALL: Final = 8.0
_SMALL_LINE: Final = 3.7
_FOOT: Final = 21.0
_QR: Final = 16.0
# A blank to write a name on.
_EMPTY_SEAT: Final = 16 * "_"


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """The content of one sheet: `players` by side; `address` is the target of its QR code, if any.

    `event_address` is the event's page, for another one at the foot.

    Until a team's line-up is set, its side may have fewer players than `team_size`; the remaining seats are
    printed empty. `substitutes` are those of all sides that are known before printing. `deals` is how many
    the sheet ends after, None if at the target; `has_penalties` where an undercut can be one. `turns` are the
    headings of cells beside the mark, such as who deals; `has_boxes` is false where there are no boxes and no
    bonus.
    """

    frame: SheetFrame
    players: tuple[tuple[str, ...], ...]
    heading: str
    occasion: str
    rules: str
    label: str
    table: int | None = None
    address: str = ""
    substitutes: tuple[Substitute, ...] = ()
    team_size: int = 1
    event_address: str = ""
    deals: int | None = None
    has_penalties: bool = False
    turns: tuple[str, ...] = ()
    has_boxes: bool = True

    @property
    def is_of_many(self) -> bool:
        """Whether there are more sides than two."""
        return len(self.players) > 2

    @property
    def parts(self) -> list[range]:
        """The numbers of the deals on each of the papers that make the sheet, mostly one."""
        count = self.deals or ROWS
        return [range(first, min(first + MOST_ROWS, count + 1)) for first in range(1, count + 1, MOST_ROWS)]

    @property
    def texts(self) -> tuple[str, ...]:
        """All names on the sheet that people have chosen."""
        later = [one.player for one in self.substitutes]
        return (self.heading, self.occasion, *self.frame.names, *chain.from_iterable(self.players), *later)

    def seats(self, side: int) -> str:
        """The players of a side and its known substitutes; in teams with seat numbers."""
        names = self.players[side]
        if self.team_size > 1:
            names += (_EMPTY_SEAT,) * (self.team_size - len(names))
            names = tuple([f"{number} {name}" for number, name in enumerate(names, start=1)])
        sitting = set(self.players[side])
        said = [", ".join(names)]
        for one in self.substitutes:
            if one.replaces in sitting:
                sitting.add(one.player)
                words = {"player": one.player, "replaces": one.replaces, "deal": one.from_deal}
                said.append(_("%(player)s for %(replaces)s from deal %(deal)d") % words)
        return "; ".join(said)

    def meetings(self, deal: int) -> tuple[str, ...]:
        """The seats that meet in each hand of a deal, as in “1–2”, “2–1”; none in single play."""
        if self.team_size == 1:
            return ()
        left = self.frame.left_side
        return tuple(f"{pair[left] + 1}–{pair[1 - left] + 1}" for pair in seat_pairing(deal, self.team_size))


def turns_on(rules: Rules, sides: Sequence[SheetSide]) -> tuple[str, ...]:
    """Return the headings of cells for who deals and who sits out, where the game says it deal by deal."""
    kind = kind_of(rules)
    table = kind.first_table(Frame(kind.rules_in_force(rules, sides), tuple(sides)))
    if table is None:
        return ()
    return (_("deals"), _("out")) if table.waiting else (_("deals"),)


def has_boxes(rules: Rules) -> bool:
    """Return whether boxes and a bonus for the game are counted."""
    return "box_bonus" not in kind_of(rules).idle_knobs


def blank_sheets_pdf(sheets: Sequence[BlankSheet], *, title: str, made_at: datetime.datetime) -> bytes:
    """The sheets on A4 landscape, two abreast, or one where a sheet has more games or players than fit."""
    texts = (text for sheet in sheets for text in sheet.texts)
    pdf = Document(title=title, made_at=made_at, texts=texts, orientation="landscape")
    widest = max((sheet.frame.width for sheet in sheets), default=1)
    largest = max((sheet.team_size for sheet in sheets), default=1)
    abreast = 2 if widest <= MOST_PLACES_ON_A_HALF and largest <= MOST_PLAYERS_ON_A_HALF else 1
    width = _PAGE_WIDTH / abreast
    papers = [(sheet, part) for sheet in sheets for part in range(len(sheet.parts))]
    for index, (sheet, part) in enumerate(papers):
        if index % abreast == 0:
            pdf.add_page()
            if abreast == 2:
                pdf.set_dash_pattern(dash=1, gap=2)
                pdf.rule(width, 4, width, _PAGE_HEIGHT - 4)
                pdf.set_dash_pattern()
        _Sheet(pdf, sheet, part, (index % abreast) * width + _MARGIN, width - 2 * _MARGIN).draw()
    if not sheets:
        pdf.add_page()
        pdf.face(12, color=SOFT)
        pdf.put(
            _MARGIN, _MARGIN, _PAGE_WIDTH - 2 * _MARGIN, 8, _("There is no sheet to print in this round.")
        )
    return pdf.finished()


class _Sheet:
    """One paper of a sheet at its place on the page; `y` moves down while drawing.

    `part` counts its papers from 0; the last one has the settlement.
    """

    def __init__(self, pdf: Document, sheet: BlankSheet, part: int, left: float, width: float) -> None:
        self.pdf = pdf
        self.sheet = sheet
        self.part = part
        self.deals = sheet.parts[part]
        self.is_last = part == len(sheet.parts) - 1
        penalties = [_("penalties")] if sheet.has_penalties else []
        boxes = [_("boxes"), _("bonus")] if sheet.has_boxes else []
        nets = [_("net")] if sheet.is_of_many else []
        self.foot = [_("points"), *penalties, *boxes, _("total"), *nets] if self.is_last else []
        self.left = left
        self.right = left + width
        self.y = _MARGIN
        self.row = _HIGHEST_ROW
        # One hand of single play has one narrow cell.
        self.hands = sheet.team_size
        self.hand = _MARK_WIDTH
        if self.hands > 1:
            self.hand = min(_HAND_WIDTH, (width * (1 - _COLUMNS_SHARE) - _NUMBER_WIDTH) / self.hands)
        self.turn = _NUMBER_WIDTH + self.hands * self.hand
        self.first = left + self.turn + len(sheet.turns) * _TURN_WIDTH
        self.cell = (self.right - self.first) / sheet.frame.width

    def draw(self) -> None:
        self._head()
        top = self.y
        self._headings()
        room = _PAGE_HEIGHT - _MARGIN - _FOOT - self.y
        self.row = min(_HIGHEST_ROW, room / (len(self.deals) + len(self.foot)))
        for number in self.deals:
            self._meeting(number)
            self._row(str(number))
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        for words in self.foot:
            self._row(words, wide=True)
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        self._verticals(top, self.y)
        if self.is_last:
            self._foot()

    def _head(self) -> None:
        pdf, sheet = self.pdf, self.sheet
        edge = self.right
        if sheet.address:
            edge -= _QR + 2
            pdf.qr(edge + 2, self.y, _QR, sheet.address, _("this match"))
        pdf.face(12, family=SERIF)
        # The label identifies the sheet, so it is never cut short.
        label = min(max(pdf.get_string_width(sheet.label) + 1, 24), (edge - self.left) * 0.6)
        words = edge - self.left - label - 2
        pdf.put(edge - label, self.y, label, 5, sheet.label, align="R", smallest=0.4)
        pdf.face(9, family=SERIF)
        pdf.put(self.left, self.y, words, 4.5, sheet.heading)
        pdf.face(7.5, color=SOFT)
        occasion = f"{sheet.occasion} · {sheet.rules}"
        if len(sheet.parts) > 1:
            number = _("paper %(number)d of %(count)d") % {"number": self.part + 1, "count": len(sheet.parts)}
            occasion = f"{occasion} · {number}"
        pdf.put(self.left, self.y + 4.6, edge - self.left - 20, 4, occasion)
        if sheet.table is not None:
            pdf.put(edge - 18, self.y + 5, 18, 4, _("table %s") % sheet.table, align="R")
        self.y += 10.5
        self._names(edge)

    def _names(self, edge: float) -> None:
        pdf, sheet = self.pdf, self.sheet
        between = 3 if sheet.is_of_many else 8
        sides = len(sheet.players)
        half = (edge - self.left - between * (sides - 1)) / sides
        deepest = _SMALL_LINE
        for place, side in enumerate(sheet.frame.sides):
            x = self.left + place * (half + between)
            pdf.face(13, family=SERIF)
            pdf.put(x, self.y, half, 6, sheet.frame.names[side])
            seats = sheet.seats(side)
            if seats != sheet.frame.names[side]:
                pdf.face(_SMALL, color=SOFT)
                deepest = max(deepest, pdf.paragraph(x, self.y + 6, half, _SMALL_LINE, seats))
        if not sheet.is_of_many:
            pdf.face(9, color=SOFT)
            pdf.put(self.left + half, self.y + 1, 8, 5, _("v"), align="C")
        self.y += 7.3 + deepest

    def _headings(self) -> None:
        pdf, frame = self.pdf, self.sheet.frame
        pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        x = self.first
        for group in frame.groups:
            width = group.span * self.cell
            name = group.name
            if group.column is not None:
                name = _("Game %s") % group.numeral if frame.columns > 1 else _("Game")
            pdf.face(9, family=SERIF)
            pdf.put(x + 1, self.y, width - 2, 5.5, name, align="C")
            x += width
        self.y += 5.5
        pdf.rule(self.left, self.y, self.right, self.y)
        pdf.face(7, color=SOFT)
        pdf.put(self.left, self.y, _NUMBER_WIDTH - 1.5, 4.5, "#", align="R")
        for hand in range(self.hands):
            x = self.left + _NUMBER_WIDTH + hand * self.hand
            pdf.put(x, self.y, self.hand, 4.5, _("mark"), align="C")
        for number, words in enumerate(self.sheet.turns):
            x = self.left + self.turn + number * _TURN_WIDTH
            pdf.put(x, self.y, _TURN_WIDTH, 4.5, words, align="C")
        for index, (place, short, _full) in enumerate(frame.heads):
            if self.sheet.is_of_many:
                short = f"{LETTERS[frame.sides.index(place.side)]} {short}"
            pdf.put(self.first + index * self.cell + 0.5, self.y, self.cell - 1, 4.5, short, align="C")
        self.y += 4.5
        pdf.rule(self.left, self.y, self.right, self.y, strong=True)

    def _meeting(self, deal: int) -> None:
        """The seats that meet, each pair at the left of its hand's cell, which leaves room for the mark."""
        self.pdf.face(_SMALL)
        for hand, seats in enumerate(self.sheet.meetings(deal)):
            x = self.left + _NUMBER_WIDTH + hand * self.hand
            self.pdf.put(x + 0.8, self.y, self.hand - 0.8, self.row, seats, smallest=1.0)

    def _row(self, words: str, *, wide: bool = False) -> None:
        pdf = self.pdf
        pdf.face(8 if wide else 7.5, bold=wide, color=INK if wide else SOFT)
        if wide:
            pdf.put(self.left + 1, self.y, self.first - self.left - 2, self.row, words)
        else:
            pdf.put(self.left, self.y, _NUMBER_WIDTH - 1.5, self.row, words, align="R")
        self.y += self.row
        pdf.rule(self.left, self.y, self.right, self.y)

    def _verticals(self, top: float, bottom: float) -> None:
        pdf = self.pdf
        deals_end = bottom - len(self.foot) * self.row
        pdf.rule(self.left, top, self.left, bottom, strong=True)
        pdf.rule(self.right, top, self.right, bottom, strong=True)
        for hand in range(self.hands):
            x = self.left + _NUMBER_WIDTH + hand * self.hand
            pdf.rule(x, top + 5.5, x, deals_end)
        for number in range(len(self.sheet.turns)):
            x = self.left + self.turn + number * _TURN_WIDTH
            pdf.rule(x, top + 5.5, x, deals_end)
        for index, place in enumerate(self.sheet.frame.places):
            x = self.first + index * self.cell
            pdf.rule(x, top if place.begins_group else top + 5.5, x, bottom, strong=place.begins_group)

    def _foot(self) -> None:
        """The net of two sides, its winner, and a signature for each side."""
        pdf, frame = self.pdf, self.sheet.frame
        self.y += 2
        edge = self.right
        if self.sheet.event_address:
            edge -= _QR + 4
            pdf.qr(self.right - _QR, self.y + 1, _QR, self.sheet.event_address, _("the event"))
        width = edge - self.left
        if not self.sheet.is_of_many:
            self._net(edge, width)
        self.y += 9.5
        between = 3 if self.sheet.is_of_many else 8
        sides = len(frame.names)
        half = (width - between * (sides - 1)) / sides
        for place, side in enumerate(frame.sides):
            x = self.left + place * (half + between)
            pdf.rule(x, self.y + 5.5, x + half, self.y + 5.5)
            pdf.face(7, color=SOFT)
            pdf.put(x, self.y + 5.8, half, 3.5, _("signed: %s") % frame.names[side])

    def _net(self, edge: float, width: float) -> None:
        pdf, frame = self.pdf, self.sheet.frame
        pdf.face(8, bold=True)
        pdf.put(self.left, self.y, 12, 7, _("net"))
        # A win is in several games: the count that the paper is checked by has a place of its own.
        boxes = _("boxes, each win once") if frame.columns > 1 else ""
        end = edge - (pdf.get_string_width(boxes) + 19 if boxes else 0)
        net, to = (0.2, 0.22) if boxes else (0.36, 0.4)
        pdf.rule(self.left + 9, self.y + 6.5, self.left + width * net, self.y + 6.5)
        pdf.put(self.left + width * to, self.y, 16, 7, _("to"))
        pdf.rule(self.left + width * to + 7, self.y + 6.5, end, self.y + 6.5)
        if boxes:
            pdf.put(end + 3, self.y, edge - 15 - end, 7, boxes)
            pdf.put(edge - 15, self.y, 15, 7, "/", align="C")
            pdf.rule(edge - 14, self.y + 6.5, edge, self.y + 6.5)
