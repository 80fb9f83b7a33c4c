"""What one player may know of a hand in play."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from games.gin.actions import Action, Move
from games.gin.cards import ALL_CARDS, Hand, mask_of
from games.gin.melds import Arrangement
from scoring.core.hands import HandResult
from scoring.core.rules import Rules
from scoring.core.table_hands import TableResult


class Phase(StrEnum):
    """What is expected of the player to move.

    `UPCARD_ELDER` is the offer of the upcard to whoever may take it before the dealer.
    """

    UPCARD_ELDER = "upcard_elder"
    UPCARD_DEALER = "upcard_dealer"
    STOCK = "stock"
    DRAW = "draw"
    DISCARD = "discard"
    LAST_OFFER = "last_offer"
    LAST_KNOCK = "last_knock"
    LAY_OFF = "lay_off"
    OVER = "over"


class View(NamedTuple):
    """What one player may know; nothing in it depends on a card they have not seen.

    Masks are as in `cards`. `known` are cards the others took openly and still hold; `pile` is from bottom to
    top; `stock` is the number of cards left, including those that are never drawn. `taken` is the card this
    player took from the pile this turn. For the player to move `legal` lists every action, and when
    discarding `after` maps each card to the deadwood left without it. `shown` are the others' hands once they
    lie open: at the end, and the knocker's already for who lays off; None before, and for a dead hand. `laid`
    is how the knocker has laid his cards down.

    Where there are several others, `known_by` has by seat what of `known` each holds. `elsewhere` are the
    cards that lie open, or were taken openly, in another hand from the same pack.
    """

    rules: Rules
    seat: int
    dealer: int
    phase: Phase
    turn: int
    mask: int
    upcard: int | None
    pile: tuple[int, ...]
    stock: int
    taken: int | None
    known: int
    moves: tuple[Move, ...]
    legal: tuple[Action, ...]
    after: Mapping[int, int]
    limit: int
    shown: int | None
    result: HandResult | TableResult | None
    known_by: tuple[int, ...] = ()
    elsewhere: int = 0
    laid: Arrangement | None = None

    @property
    def hand(self) -> Hand:
        """One's own cards."""
        return Hand(self.mask)

    @property
    def unseen(self) -> Hand:
        """The cards whose place is unknown: in the others' hands or in the stock."""
        seen = self.mask | self.known | (self.shown or 0) | mask_of(self.pile) | self.elsewhere
        return Hand(ALL_CARDS & ~seen)
