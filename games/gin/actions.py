"""A player's possible actions, as small values that print as text: `pass`, `discard 7H`, `gin KD`.

A knock may name the melds that are laid down: `knock KD: 4C 5C 6C / 7D 7H 7S`; with none named the referee
lays the cards down.

An action contains nothing hidden from the opponent: `draw` does not name the card.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT, CARD_TEXTS, Hand, parse_number
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
    """An action; `card` is the card put down with it, None if there is none.

    `melds` are those that a knocker chose to lay down, as masks; None leaves them to the referee.
    """

    kind: ActionKind
    card: int | None = None
    melds: tuple[int, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "Action":
        """The action from its text; refuses `unknown_action`, `unknown_card` and `card_twice`."""
        plain, names_melds, melds = text.partition(":")
        kind, _, card = plain.partition(" ")
        can_be = bool(card) == (kind in _WITH_CARD) and (not names_melds or kind == ActionKind.KNOCK)
        if kind not in _KINDS or not can_be:
            raise GameError(
                "unknown_action",
                mark("“%(text)s” is not an action of a hand.", text=shown(text)),
                field="action",
            )
        return cls(
            ActionKind(kind),
            parse_number(card, field="action") if card else None,
            _melds(melds) if names_melds else None,
        )

    def __str__(self) -> str:
        text = self.kind if self.card is None else f"{self.kind} {CARD_TEXTS[self.card]}"
        if self.melds is None:
            return text
        return f"{text}: {' / '.join([str(Hand(meld)) for meld in self.melds])}".rstrip()


class Move(NamedTuple):
    """An action as seen at the table: the seat, and the card that moved openly, if any.

    That is the card taken from the pile or put on it; the card of a knock or of gin shows at the end.
    """

    seat: int
    kind: ActionKind
    card: int | None

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind} {CARD_TEXTS[self.card]}"


def _melds(text: str) -> tuple[int, ...]:
    """The melds from their text, as masks; nothing is melded if it is empty."""
    if not text.strip():
        return ()
    return tuple([Hand.parse(meld, field="action").mask for meld in text.split("/")])


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
