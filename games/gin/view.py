"""What one player may know of a hand that is being played."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from games.gin.actions import Action, Move
from games.gin.cards import ALL_CARDS, Hand, mask_of
from scoring.core.hands import HandResult
from scoring.core.rules import Rules


class Phase(StrEnum):
    """What the player in turn is asked for."""

    UPCARD_ELDER = "upcard_elder"
    UPCARD_DEALER = "upcard_dealer"
    STOCK = "stock"
    DRAW = "draw"
    DISCARD = "discard"
    LAST_OFFER = "last_offer"
    LAST_KNOCK = "last_knock"
    OVER = "over"


class View(NamedTuple):
    """What one player may know; nothing in it depends on a card that he has not seen.

    Masks as in `cards`. `known` are cards the opponent took openly and still holds; `pile` lies from the
    bottom to the top; `stock` counts the cards left in it, the two that are not drawn included. `taken` is
    the card he took from the pile in this turn. In his turn `legal` lists every action, and where he discards
    `after` tells what each card would leave: card to deadwood. `shown` is the opponent's hand laid down at
    the end, None before, and for a dead hand.
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
    result: HandResult | None

    @property
    def hand(self) -> Hand:
        """His own cards."""
        return Hand(self.mask)

    @property
    def unseen(self) -> Hand:
        """Where the cards are that he cannot place: in the opponent's hand or in the stock."""
        return Hand(ALL_CARDS & ~(self.mask | self.known | (self.shown or 0) | mask_of(self.pile)))
