"""Blank score sheets as PDF, for the tables.

At the top are the names, the table and the sheet's code. Below, each deal has a row with a cell for the mark
(with teams it also shows the seats that meet) and the double columns in the club's order. At the foot there
is room for points, boxes, bonus, total, net and signatures. Two sheets of up to three games fit side by side
on A4 landscape, to be cut apart.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.sheets import Substitute
from scoring.paper.layout import SheetFrame
from scoring.paper.pdf import INK, SERIF, SOFT, Document
from scoring.typing.rows import seat_pairing

ROWS: Final = 20
MOST_COLUMNS_ON_A_HALF: Final = 3

_PAGE_WIDTH: Final = 297.0
_PAGE_HEIGHT: Final = 210.0
_MARGIN: Final = 9.0
_NUMBER_WIDTH: Final = 7.0
_MARK_WIDTH: Final = 13.0
_ROW: Final = 5.7
_QR: Final = 14.0
# A blank to write a name on.
_EMPTY_SEAT: Final = 16 * "_"


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """The content of one sheet: `players` by side; `address` is the target of its QR code, if any.

    Until a team's line-up is set, its side may have fewer players than `team_size`; the remaining seats are
    printed empty. `substitutes` are those of both sides that are known before printing.
    """

    frame: SheetFrame
    players: tuple[tuple[str, ...], tuple[str, ...]]
    heading: str
    occasion: str
    rules: str
    label: str
    table: int | None = None
    address: str = ""
    substitutes: tuple[Substitute, ...] = ()
    team_size: int = 1

    @property
    def texts(self) -> tuple[str, ...]:
        """All names on the sheet that people have chosen."""
        later = [one.player for one in self.substitutes]
        return (self.heading, self.occasion, *self.frame.names, *self.players[0], *self.players[1], *later)

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

    def meeting(self, deal: int) -> str:
        """The seats that meet in a deal, as in “1–2 2–1”; blank in single play."""
        if self.team_size == 1:
            return ""
        left = self.frame.left_side
        pairs = [f"{pair[left] + 1}–{pair[1 - left] + 1}" for pair in seat_pairing(deal, self.team_size)]
        return " ".join(pairs) if self.team_size == 2 else f"{pairs[0]} …"


def blank_sheets_pdf(sheets: Sequence[BlankSheet], *, title: str, made_at: datetime.datetime) -> bytes:
    """The sheets on A4 landscape, two abreast, or one where a sheet has more than three games."""
    texts = (text for sheet in sheets for text in sheet.texts)
    pdf = Document(title=title, made_at=made_at, texts=texts, orientation="landscape")
    widest = max((sheet.frame.columns for sheet in sheets), default=1)
    abreast = 2 if widest <= MOST_COLUMNS_ON_A_HALF else 1
    width = _PAGE_WIDTH / abreast
    for index, sheet in enumerate(sheets):
        if index % abreast == 0:
            pdf.add_page()
            if abreast == 2:
                pdf.set_dash_pattern(dash=1, gap=2)
                pdf.rule(width, 4, width, _PAGE_HEIGHT - 4)
                pdf.set_dash_pattern()
        _Sheet(pdf, sheet, (index % abreast) * width + _MARGIN, width - 2 * _MARGIN).draw()
    if not sheets:
        pdf.add_page()
        pdf.face(12, color=SOFT)
        pdf.put(
            _MARGIN, _MARGIN, _PAGE_WIDTH - 2 * _MARGIN, 8, _("There is no sheet to print in this round.")
        )
    return pdf.finished()


class _Sheet:
    """One sheet at its place on the page; `y` moves down while drawing."""

    def __init__(self, pdf: Document, sheet: BlankSheet, left: float, width: float) -> None:
        self.pdf = pdf
        self.sheet = sheet
        self.left = left
        self.right = left + width
        self.y = _MARGIN
        self.cell = (width - _NUMBER_WIDTH - _MARK_WIDTH) / sheet.frame.width
        self.first = left + _NUMBER_WIDTH + _MARK_WIDTH

    def draw(self) -> None:
        self._head()
        top = self.y
        self._headings()
        for number in range(1, ROWS + 1):
            self._meeting(number)
            self._row(str(number))
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        for words in (_("points"), _("boxes"), _("bonus"), _("total")):
            self._row(words, wide=True)
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        self._verticals(top, self.y)
        self._foot()

    def _head(self) -> None:
        pdf, sheet = self.pdf, self.sheet
        edge = self.right
        if sheet.address:
            edge -= _QR + 2
            pdf.qr(edge + 2, self.y, _QR, sheet.address)
        pdf.face(12, family=SERIF)
        # The label identifies the sheet, so it is never cut short.
        label = min(max(pdf.get_string_width(sheet.label) + 1, 24), (edge - self.left) * 0.6)
        words = edge - self.left - label - 2
        pdf.put(edge - label, self.y, label, 5, sheet.label, align="R", smallest=0.4)
        pdf.face(9, family=SERIF)
        pdf.put(self.left, self.y, words, 4.5, sheet.heading)
        pdf.face(7.5, color=SOFT)
        occasion = f"{sheet.occasion} · {sheet.rules}"
        pdf.put(self.left, self.y + 4.6, edge - self.left - 20, 4, occasion)
        if sheet.table is not None:
            pdf.put(edge - 18, self.y + 5, 18, 4, _("table %s") % sheet.table, align="R")
        self.y += 10.5
        self._names(edge)
        self.y += 11

    def _names(self, edge: float) -> None:
        pdf, sheet = self.pdf, self.sheet
        half = (edge - self.left - 8) / 2
        for place, side in enumerate(sheet.frame.sides):
            x = self.left + place * (half + 8)
            pdf.face(13, family=SERIF)
            pdf.put(x, self.y, half, 6, sheet.frame.names[side])
            seats = sheet.seats(side)
            if seats != sheet.frame.names[side]:
                pdf.face(7.5, color=SOFT)
                pdf.put(x, self.y + 5.8, half, 4, seats)
        pdf.face(9, color=SOFT)
        pdf.put(self.left + half, self.y + 1, 8, 5, _("v"), align="C")

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
        pdf.put(self.left + _NUMBER_WIDTH, self.y, _MARK_WIDTH, 4.5, _("mark"), align="C")
        for index, (_place, short, _full) in enumerate(frame.heads):
            pdf.put(self.first + index * self.cell + 0.5, self.y, self.cell - 1, 4.5, short, align="C")
        self.y += 4.5
        pdf.rule(self.left, self.y, self.right, self.y, strong=True)

    def _meeting(self, deal: int) -> None:
        """The meeting in small print in the corner of the mark's cell, which leaves room for the mark."""
        self.pdf.face(5, color=SOFT)
        self.pdf.put(
            self.left + _NUMBER_WIDTH + 0.6, self.y + 0.2, _MARK_WIDTH - 1.2, 2.2, self.sheet.meeting(deal)
        )

    def _row(self, words: str, *, wide: bool = False) -> None:
        pdf = self.pdf
        pdf.face(8 if wide else 7.5, bold=wide, color=INK if wide else SOFT)
        if wide:
            pdf.put(self.left + 1, self.y, _NUMBER_WIDTH + _MARK_WIDTH - 2, _ROW, words)
        else:
            pdf.put(self.left, self.y, _NUMBER_WIDTH - 1.5, _ROW, words, align="R")
        self.y += _ROW
        pdf.rule(self.left, self.y, self.right, self.y)

    def _verticals(self, top: float, bottom: float) -> None:
        pdf = self.pdf
        deals_end = bottom - 4 * _ROW
        pdf.rule(self.left, top, self.left, bottom, strong=True)
        pdf.rule(self.right, top, self.right, bottom, strong=True)
        pdf.rule(self.left + _NUMBER_WIDTH, top + 5.5, self.left + _NUMBER_WIDTH, deals_end)
        for index, place in enumerate(self.sheet.frame.places):
            x = self.first + index * self.cell
            pdf.rule(x, top if place.begins_group else top + 5.5, x, bottom, strong=place.begins_group)

    def _foot(self) -> None:
        """The net, its winner, and a signature for each side."""
        pdf, frame = self.pdf, self.sheet.frame
        self.y += 2
        width = self.right - self.left
        pdf.face(8, bold=True)
        pdf.put(self.left, self.y, 12, 7, _("net"))
        pdf.rule(self.left + 9, self.y + 6.5, self.left + width * 0.36, self.y + 6.5)
        pdf.put(self.left + width * 0.4, self.y, 16, 7, _("to"))
        pdf.rule(self.left + width * 0.4 + 7, self.y + 6.5, self.right, self.y + 6.5)
        self.y += 9.5
        half = (width - 8) / 2
        for place, side in enumerate(frame.sides):
            x = self.left + place * (half + 8)
            pdf.rule(x, self.y + 5.5, x + half, self.y + 5.5)
            pdf.face(7, color=SOFT)
            pdf.put(x, self.y + 5.8, half, 3.5, _("signed: %s") % frame.names[side])
