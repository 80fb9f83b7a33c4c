"""A movement on A4, to be cut: a card per table, one for those sitting out, and one per player."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from league.core.pairing.movements import Movement, Pair
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import SOFT, Document

_PAGE_HEIGHT: Final = 297.0
_WIDTH: Final = 105.0
_MARGIN: Final = 9.0
_HEAD: Final = 21.0
_ROW: Final = 5.6
_ROUND: Final = 12.0
# Rounds that fit on a quarter and on a half of a page.
_FEW: Final = 20
_MANY: Final = 46


@dataclass(frozen=True, slots=True)
class Card:
    """A card: title, column heads with their share of the width, and a row per round."""

    title: str
    heads: tuple[tuple[str, float], ...]
    rows: tuple[tuple[str, ...], ...]


def movement_pdf(movement: Movement, *, title: str, made_at: datetime.datetime) -> bytes:
    """The cards of a movement, whose players are numbered from 1."""
    called = [str(player + 1) for player in range(movement.players)]
    pdf = Document(title=title, made_at=made_at, texts=[title, *called])
    cards = [*_table_cards(movement, called), *_idle_card(movement, called), *_player_cards(movement, called)]
    most = _FEW if len(movement) <= _FEW else _MANY
    height = _PAGE_HEIGHT / 2 if most == _FEW else _PAGE_HEIGHT
    on_a_page = 4 if most == _FEW else 2
    for index, card in enumerate(part for whole in cards for part in _parts(whole, most)):
        place = index % on_a_page
        if place == 0:
            pdf.add_page()
            _cutting_lines(pdf, height)
        _draw(pdf, card, title, place % 2 * _WIDTH, place // 2 * height)
    return pdf.finished()


def _table_cards(movement: Movement, called: Sequence[str]) -> Iterator[Card]:
    heads = ((_("First pair"), 0.5), (_("Second pair"), 0.5))
    for place in range(max(len(each.tables) for each in movement)):
        rows = (
            (str(each.number), *(_pair(pair, called) for pair in each.tables[place]))
            for each in movement
            if place < len(each.tables)
        )
        yield Card(_("Table %d") % (place + 1), heads, tuple(rows))


def _idle_card(movement: Movement, called: Sequence[str]) -> Iterator[Card]:
    idle = [each for each in movement if each.sit_out]
    if idle:
        rows = ((str(each.number), ", ".join(called[player] for player in each.sit_out)) for each in idle)
        yield Card(_("Sitting out"), ((_("Who"), 1.0),), tuple(rows))


def _player_cards(movement: Movement, called: Sequence[str]) -> Iterator[Card]:
    heads = ((_("Table"), 0.16), (_("With"), 0.34), (_("Against"), 0.5))
    rows: list[list[tuple[str, ...]]] = [[] for _player in range(movement.players)]
    for each in movement:
        number = str(each.number)
        for place, (first, second) in enumerate(each.tables, start=1):
            for pair, others in ((first, second), (second, first)):
                for player, partner in (pair, pair[::-1]):
                    rows[player].append((number, str(place), called[partner], _pair(others, called)))
        for player in each.sit_out:
            rows[player].append((number, "–", _("sits out"), ""))
    for player, of_player in enumerate(rows):
        yield Card(_("Player %s") % called[player], heads, tuple(of_player))


def _parts(card: Card, most: int) -> Iterator[Card]:
    """The card, split if it has more rows than fit."""
    for first in range(0, len(card.rows), most):
        yield Card(card.title, card.heads, card.rows[first : first + most])


def _pair(pair: Pair, called: Sequence[str]) -> str:
    return " + ".join(called[player] for player in pair)


def _cutting_lines(pdf: Document, height: float) -> None:
    pdf.set_dash_pattern(dash=1, gap=2)
    pdf.rule(_WIDTH, 4, _WIDTH, _PAGE_HEIGHT - 4)
    if height < _PAGE_HEIGHT:
        pdf.rule(4, height, 2 * _WIDTH - 4, height)
    pdf.set_dash_pattern()


def _draw(pdf: Document, card: Card, title: str, left: float, top: float) -> None:
    left, right, y = left + _MARGIN, left + _WIDTH - _MARGIN, top + _MARGIN
    width = right - left
    pdf.face(17, family=SERIF)
    pdf.put(left, y, width, 7, card.title)
    pdf.face(7.5, color=SOFT)
    pdf.put(left, y + 7.2, width, 4, title)
    y += _HEAD - 5
    shares = [(_("Round"), _ROUND), *((head, share * (width - _ROUND)) for head, share in card.heads)]
    x = left
    for head, wide in shares:
        pdf.face(7.5, color=SOFT)
        pdf.put(x, y, wide - 2, 5, head)
        x += wide
    y += 5
    pdf.rule(left, y, right, y, strong=True)
    for row in card.rows:
        x = left
        for place, ((_head, wide), words) in enumerate(zip(shares, row, strict=True)):
            if place:
                pdf.face(10, family=SERIF)
            else:
                pdf.face(9, color=SOFT)
            pdf.put(x, y, wide - 2, _ROW, words, smallest=0.55)
            x += wide
        y += _ROW
        pdf.rule(left, y, right, y)
