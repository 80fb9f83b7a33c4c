"""Cards for the tables of a round, several on A4, to be cut apart: each side's link as a QR code."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Event
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import SOFT, Document

_ACROSS: Final = 2
_DOWN: Final = 4
_WIDTH: Final = 105.0
_HEIGHT: Final = 74.25
_EDGE: Final = 7.0
_QR: Final = 37.0


@dataclass(frozen=True, slots=True)
class TableCard:
    """The card of one side: `address` opens its sheet until `expires_at`, club time.

    `against` says against whom it plays, or with whom.
    """

    table: str
    side: str
    against: str
    address: str
    expires_at: datetime.datetime


def table_cards_pdf(event: Event, title: str, cards: Sequence[TableCard]) -> bytes:
    """The cards in the given order, each with its address as a QR code and in letters."""
    pdf = Document(
        title=title,
        made_at=event.created_at,
        texts=[title, event.club.name, *(text for card in cards for text in (card.side, card.against))],
        is_secret=True,
    )
    for index, card in enumerate(cards):
        place = index % (_ACROSS * _DOWN)
        if place == 0:
            pdf.add_page()
            _cutting_lines(pdf)
        _draw(pdf, title, card, (place % _ACROSS) * _WIDTH, (place // _ACROSS) * _HEIGHT)
    return pdf.finished()


def _cutting_lines(pdf: Document) -> None:
    pdf.set_dash_pattern(dash=1, gap=2)
    pdf.rule(_WIDTH, 4, _WIDTH, 293)
    for row in range(1, _DOWN):
        pdf.rule(4, row * _HEIGHT, 206, row * _HEIGHT)
    pdf.set_dash_pattern()


def _draw(pdf: Document, title: str, card: TableCard, left: float, top: float) -> None:
    x, y, width = left + _EDGE, top + _EDGE, _WIDTH - 2 * _EDGE
    beside = width - _QR - 3
    pdf.face(8, color=SOFT)
    pdf.put(x, y, width, 4, title)
    pdf.face(15, family=SERIF)
    pdf.put(x, y + 5, width, 8, card.side)
    pdf.face(9, color=SOFT)
    pdf.put(x, y + 13, width, 5, card.against)
    pdf.face(11)
    pdf.put(x, y + 20, beside, 6, card.table)
    pdf.qr(x + width - _QR, y + 19.5, _QR, card.address)
    pdf.face(8)
    pdf.put(x, y + 30, beside, 4, _("Scan it to enter your sheet."))
    pdf.put(x, y + 34, beside, 4, _("It is for this side alone:"))
    pdf.put(x, y + 38, beside, 4, _("whoever has it may sign."))
    pdf.face(7.5, color=SOFT)
    until = date_format(card.expires_at, "j F Y, H:i")
    pdf.put(x, y + 46, beside, 4, _("Opens until %(until)s") % {"until": until})
    # For phones that cannot scan: the secret on its own line, never cut short.
    site, secret, _end = card.address.rsplit("/", 2)
    pdf.face(8)
    pdf.put(x, y + 58.5, width, 3.5, f"{site}/", smallest=0.3)
    pdf.put(x, y + 62, width, 3.5, f"{secret}/")
