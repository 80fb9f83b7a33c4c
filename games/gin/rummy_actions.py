"""The actions of basic rummy, small values that print as text: `meld 4C 5C 6C`, `discard KD`, `lay_off 7C 1`.

The last is the seven of clubs on the second meld of the table. As in gin, `draw` does not name the card.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT, Hand
from scoring.core.errors import shown
from scoring.core.messages import mark

# More than lie on any table: 17 sets of three.
MOST_MELDS: Final = 17


class RummyActionKind(StrEnum):
    """Kinds of actions. To pass is to leave the last discard when the stock has run out.

    `TIME_OUT` is the clock's, as in gin.
    """

    DRAW = "draw"
    TAKE = "take"
    PASS = "pass"
    MELD = "meld"
    LAY_OFF = "lay_off"
    DISCARD = "discard"
    TIME_OUT = "time_out"


class RummyAction(NamedTuple):
    """An action: the cards that are put down with it, as a mask, and the meld that they are laid off on."""

    kind: RummyActionKind
    cards: int = 0
    meld: int | None = None

    @classmethod
    def parse(cls, text: str) -> "RummyAction":
        """The action from its text; refuses `unknown_action`, `unknown_card` and `card_twice`."""
        word, *rest = text.split() or [""]
        kind = _KINDS.get(word)
        meld = None
        if kind is RummyActionKind.LAY_OFF and len(rest) == 2 and rest[1].isascii() and rest[1].isdigit():
            meld = int(rest.pop())
        if kind is None or not _fits(kind, len(rest), meld):
            message = mark("“%(text)s” is not an action of rummy.", text=shown(text))
            raise GameError("unknown_action", message, field="action")
        return cls(kind, Hand.parse(" ".join(rest), field="action").mask, meld)

    def __str__(self) -> str:
        meld = "" if self.meld is None else f" {self.meld}"
        return f"{self.kind} {Hand(self.cards)}{meld}" if self.cards else str(self.kind)


class RummyMove(NamedTuple):
    """An action as seen at the table: the seat, and the cards that moved openly."""

    seat: int
    kind: RummyActionKind
    cards: int
    meld: int | None = None


def _fits(kind: RummyActionKind, cards: int, meld: int | None) -> bool:
    """Whether an action of this kind names so many cards, and a meld."""
    match kind:
        case RummyActionKind.MELD:
            return cards > 0
        case RummyActionKind.DISCARD:
            return cards == 1
        case RummyActionKind.LAY_OFF:
            return cards == 1 and meld is not None and meld < MOST_MELDS
        case _:
            return not cards


_KINDS: Final = {str(kind): kind for kind in RummyActionKind}
DRAW: Final = RummyAction(RummyActionKind.DRAW)
TAKE: Final = RummyAction(RummyActionKind.TAKE)
PASS: Final = RummyAction(RummyActionKind.PASS)
TIME_OUT: Final = RummyAction(RummyActionKind.TIME_OUT)


def meld_down(cards: int) -> RummyAction:
    """Laying down these cards as a meld."""
    return RummyAction(RummyActionKind.MELD, cards)


def lay_off(card: int, meld: int) -> RummyAction:
    """Laying off this card on the meld of this number."""
    return RummyAction(RummyActionKind.LAY_OFF, 1 << card, meld)


# By card.
DISCARDS: Final = tuple(RummyAction(RummyActionKind.DISCARD, 1 << card) for card in range(CARD_COUNT))
