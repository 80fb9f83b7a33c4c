"""A card as text: rank, then suit, as in `AS 2D TC KH`. Input may also be `10C`, lower case or ♣♦♥♠."""

from typing import Final

from scoring.core.errors import HandError, shown
from scoring.core.messages import mark

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

_SUIT_SIGNS: Final = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_CARDS: Final = {rank + suit for rank in RANKS for suit in SUITS}
_VALUES: Final = {rank: min(number, 10) for number, rank in enumerate(RANKS, start=1)}


def parse_card(text: str) -> str:
    """The card in canonical form ("10d" becomes "TD"); anything else is refused with `unknown_card`."""
    if text in _CARDS:
        return text
    # A suit sign may carry a variation selector: emoji (FE0F) or text (FE0E, as on our pages).
    card = text.strip().upper().rstrip("\ufe0e\ufe0f")
    if card[-1:] in _SUIT_SIGNS:
        card = card[:-1] + _SUIT_SIGNS[card[-1]]
    if card.startswith("10"):
        card = "T" + card[2:]
    if card not in _CARDS:
        raise HandError(
            "unknown_card",
            mark("“%(text)s” is not a card: write rank then suit, as in AS, TD or 10♦.", text=shown(text)),
            field="upcard",
        )
    return card


def deadwood_value(card: str) -> int:
    """Deadwood points of a card in canonical form: ace 1, pip value, court cards 10 (RULES §2)."""
    return _VALUES[card[0]]
