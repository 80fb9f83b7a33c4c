"""A player's possible actions, as small values that print as text: `pass`, `discard 7H`, `gin KD`.

An action contains nothing hidden from the opponent: `draw` does not name the card.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT, CARD_TEXTS, parse_number
from scoring.core.errors import shown
from scoring.core.messages import mark


class ActionKind(StrEnum):
    """Kinds of actions; the last three end the hand.

    `TAKE` takes the top of the pile, `TAKE_BELOW` the card below it.
    """

    PASS = "pass"
    TAKE = "take"
    TAKE_BELOW = "take_below"
    DRAW = "draw"
    DISCARD = "discard"
    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"


class Action(NamedTuple):
    """An action; `card` is the card put down with it, None if there is none."""

    kind: ActionKind
    card: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Action":
        """The action from its text; refuses `unknown_action` and `unknown_card`."""
        kind, _, card = text.partition(" ")
        if kind not in _KINDS or bool(card) != (kind in _WITH_CARD):
            raise GameError(
                "unknown_action",
                mark("“%(text)s” is not an action of a hand.", text=shown(text)),
                field="action",
            )
        return cls(ActionKind(kind), parse_number(card, field="action") if card else None)

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind} {CARD_TEXTS[self.card]}"


class Move(NamedTuple):
    """An action as seen at the table: the seat, and the card that moved openly, if any.

    That is the card taken from the pile or put on it; the card of a knock or of gin shows at the end.
    """

    seat: int
    kind: ActionKind
    card: int | None

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind} {CARD_TEXTS[self.card]}"


_KINDS: Final = frozenset(ActionKind)
_WITH_CARD: Final = frozenset({ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.GIN})

PASS: Final = Action(ActionKind.PASS)
TAKE: Final = Action(ActionKind.TAKE)
TAKE_BELOW: Final = Action(ActionKind.TAKE_BELOW)
DRAW: Final = Action(ActionKind.DRAW)
BIG_GIN: Final = Action(ActionKind.BIG_GIN)
# By card.
DISCARDS: Final = tuple(Action(ActionKind.DISCARD, card) for card in range(CARD_COUNT))
KNOCKS: Final = tuple(Action(ActionKind.KNOCK, card) for card in range(CARD_COUNT))
GINS: Final = tuple(Action(ActionKind.GIN, card) for card in range(CARD_COUNT))

ALL_ACTIONS: Final = (PASS, TAKE, TAKE_BELOW, DRAW, BIG_GIN, *DISCARDS, *KNOCKS, *GINS)
