"""What one player may know of a hand of basic rummy in play."""

from enum import StrEnum
from typing import NamedTuple

from games.gin.cards import ALL_CARDS, Hand, mask_of
from games.gin.melds import Meld
from games.gin.rummy_actions import RummyAction, RummyMove
from scoring.core.rules import Rules
from scoring.core.table_hands import Blocked, Out


class RummyPhase(StrEnum):
    """What is expected of the player to move: to draw a card, or to lay down and discard."""

    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


class MeldOnTable(NamedTuple):
    """A meld on the table, with what was laid off on it, and the seat of who laid it down."""

    meld: Meld
    seat: int


class RummyView(NamedTuple):
    """What one player may know; nothing in it depends on a card they have not seen.

    Masks are as in `cards`. `counts` has by seat how many cards each holds, `known` which of them were taken
    openly. `pile` is from bottom to top. `stock` is the number of cards left there; `open_stock` has those of
    a pile that was turned over as it was, the next card first: everybody has seen them; `renewed` is how
    often the pile has become the stock. `taken` is the card this player took from the pile this turn. For
    the player to move `legal` lists every action. `shown` has the hands by seat at the end, None before.
    """

    rules: Rules
    seat: int
    dealer: int
    phase: RummyPhase
    turn: int
    mask: int
    counts: tuple[int, ...]
    known: tuple[int, ...]
    melds: tuple[MeldOnTable, ...]
    pile: tuple[int, ...]
    stock: int
    open_stock: tuple[int, ...]
    renewed: int
    taken: int | None
    moves: tuple[RummyMove, ...]
    legal: tuple[RummyAction, ...]
    shown: tuple[int, ...] | None
    result: Out | Blocked | None

    @property
    def hand(self) -> Hand:
        """One's own cards."""
        return Hand(self.mask)

    @property
    def unseen(self) -> Hand:
        """The cards whose place is unknown: in the others' hands or in the stock."""
        seen = self.mask | mask_of(self.pile) | mask_of(self.open_stock)
        for mask in (*self.known, *(self.shown or ()), *(laid.meld.mask for laid in self.melds)):
            seen |= mask
        return Hand(ALL_CARDS & ~seen)
