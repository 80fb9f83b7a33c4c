"""The packs of a round on A4, by which a director lays real cards out: four to a page, to be cut apart."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from games.gin.cards import CARD_TEXTS
from games.tables.duplicate import held_in
from games.tables.pack_lists import DealtPack, parts_of
from league.models import RoundPacks
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import INK, SOFT, Document

_LEFT: Final = 12.0
_WIDTH: Final = 186.0
_TOP: Final = 8.0
_HEIGHT: Final = 70.0
_ON_A_PAGE: Final = 4
_LINE: Final = 6.5
_TITLE: Final = 34.0


def pack_list_pdf(kept: RoundPacks) -> bytes:
    """All packs of the round: both hands sorted, the upcard, and the stock from the top."""
    round_ = kept.round
    pdf = Document(
        title=_("%(round)s: packs") % {"round": round_},
        made_at=round_.event.created_at,
        texts=[round_.event.name],
        is_secret=True,
    )
    packs = kept.dealt
    for index, pack in enumerate(packs):
        place = index % _ON_A_PAGE
        y = _TOP + place * _HEIGHT
        if place == 0:
            pdf.add_page()
        else:
            pdf.set_dash_pattern(dash=1, gap=2)
            pdf.rule(4, y - 2, 206, y - 2)
            pdf.set_dash_pattern()
        pdf.face(13, family=SERIF)
        pdf.put(_LEFT, y, _WIDTH / 2, 8, _("Pack %(number)s") % {"number": index + 1})
        pdf.face(8.5, color=SOFT)
        pdf.put(_LEFT + _WIDTH / 2, y, _WIDTH / 2, 8, str(round_), align="R")
        first = held_in(index + 1, 0, len(packs)).dealer == 0
        pdf.put(_LEFT, y + 7, _WIDTH, 5, _dealer_words(first=first, once=round_.event.pack_times == 1))
        _put_parts(pdf, y + 13, parts_of(pack))
        pdf.face(8, color=SOFT)
        pdf.put(_LEFT, y + 58, _WIDTH, 5, _("S spades, H hearts, D diamonds, C clubs"))
    return pdf.finished()


def _dealer_words(*, first: bool, once: bool) -> str:
    """Who deals a pack, the side named first or the other: once, or the first time."""
    if once:
        return _("dealt by the side named first") if first else _("dealt by the other side")
    return _("dealt first by the side named first") if first else _("dealt first by the other side")


def _put_parts(pdf: Document, y: float, parts: DealtPack) -> None:
    lines = (
        (_("Non-dealer"), _words(sorted(parts.non_dealer))),
        (_("Dealer"), _words(sorted(parts.dealer))),
        (_("Upcard"), _words([parts.upcard])),
    )
    for title, words in lines:
        pdf.face(8.5, color=SOFT)
        pdf.put(_LEFT, y, _TITLE - 2, _LINE, title)
        pdf.face(11, color=INK)
        pdf.paragraph(_LEFT + _TITLE, y, _WIDTH - _TITLE, _LINE, words)
        y += _LINE
    pdf.face(8.5, color=SOFT)
    pdf.put(_LEFT, y, _TITLE - 2, _LINE, _("Stock, from the top"))
    pdf.face(11, color=INK)
    pdf.paragraph(_LEFT + _TITLE, y, _WIDTH - _TITLE, _LINE, _words(parts.stock))


def _words(cards: Iterable[int]) -> str:
    """The cards with letters for their suits, which the faces of print have no signs of."""
    texts = [CARD_TEXTS[number] for number in cards]
    return "   ".join([f"10{text[1]}" if text[0] == "T" else text for text in texts])
