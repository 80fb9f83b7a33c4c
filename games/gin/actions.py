"""A player's possible actions, as small values that print as text: `pass`, `discard 7H`, `gin KD`.

A knock may name the melds that are laid down: `knock KD: 4C 5C 6C / 7D 7H 7S`; with none named the referee
lays the cards down. Where melds were named the defender answers: `lay_off 9D 9H 9S: 3C 0 / 7C 1` names his
own melds, and the cards that he lays off, each with the number, from 0, of the knocker's meld that it goes
on; `lay_off` alone melds and lays off what leaves least.

An action contains nothing hidden from the opponent: `draw` does not name the card.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT, CARD_TEXTS, Hand, parse_number
from games.gin.layoffs import LayOff
from scoring.core.errors import shown
from scoring.core.messages import mark

# No action's text is longer: ten cards, each with what stands between two.
LONGEST_TEXT: Final = 120


class ActionKind(StrEnum):
    """Kinds of actions. Knock, gin and big gin end the play, and what is laid off the hand.

    `TAKE` takes the top of the pile, `TAKE_BELOW` the card below it. `TIME_OUT` is nobody's to choose: the
    clock ends the hand of who is to move (`Playing.lose_by_time`).
    """

    PASS = "pass"
    TAKE = "take"
    TAKE_BELOW = "take_below"
    DRAW = "draw"
    DISCARD = "discard"
    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    LAY_OFF = "lay_off"
    TIME_OUT = "time_out"


class Action(NamedTuple):
    """An action; `card` is the card put down with it, None if there is none.

    `melds` are those that a knocker or a defender chose for his own cards, as masks, and `lay_offs` what the
    defender lays off; None leaves them to the referee.
    """

    kind: ActionKind
    card: int | None = None
    melds: tuple[int, ...] | None = None
    lay_offs: tuple[LayOff, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "Action":
        """The action from its text; refuses `unknown_action`, `unknown_card` and `card_twice`."""
        plain, names, named = text.partition(":")
        kind, _, rest = plain.partition(" ")
        if len(text) > LONGEST_TEXT:
            raise _unknown(text)
        if kind == ActionKind.LAY_OFF and names:
            return cls(ActionKind.LAY_OFF, None, _melds(rest), _lay_offs(named, text))
        can_be = bool(rest) == (kind in _WITH_CARD) and (not names or kind == ActionKind.KNOCK)
        if kind not in _KINDS or not can_be:
            raise _unknown(text)
        return cls(
            ActionKind(kind),
            parse_number(rest, field="action") if rest else None,
            _melds(named) if names else None,
        )

    def __str__(self) -> str:
        text = self.kind if self.card is None else f"{self.kind} {CARD_TEXTS[self.card]}"
        if self.melds is None:
            return text
        melds = " / ".join([str(Hand(meld)) for meld in self.melds])
        if self.lay_offs is None:
            return f"{text}: {melds}".rstrip()
        return f"{f'{text} {melds}'.rstrip()}: {' / '.join([str(one) for one in self.lay_offs])}".rstrip()

    @property
    def plain(self) -> "Action":
        """The action with nothing chosen beyond it."""
        return Action(self.kind, self.card)


class Move(NamedTuple):
    """An action as seen at the table: the seat, and the card that moved openly, if any.

    That is the card taken from the pile or put on it; the card of a knock or of gin shows with it.
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


def _lay_offs(text: str, action: str) -> tuple[LayOff, ...]:
    """What is laid off from its text, a part of this action's; nothing if it is empty."""
    if not text.strip():
        return ()
    found = []
    for part in text.split("/"):
        match part.split():
            case [card, meld] if meld.isascii() and meld.isdigit():
                found.append(LayOff(parse_number(card, field="action"), int(meld)))
            case _:
                raise _unknown(action)
    return tuple(found)


def _unknown(text: str) -> GameError:
    message = mark("“%(text)s” is not an action of a hand.", text=shown(text))
    return GameError("unknown_action", message, field="action")


_KINDS: Final = frozenset(ActionKind)
_WITH_CARD: Final = frozenset({ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.GIN})

PASS: Final = Action(ActionKind.PASS)
TAKE: Final = Action(ActionKind.TAKE)
TAKE_BELOW: Final = Action(ActionKind.TAKE_BELOW)
DRAW: Final = Action(ActionKind.DRAW)
BIG_GIN: Final = Action(ActionKind.BIG_GIN)
# What leaves least.
LAY_OFF: Final = Action(ActionKind.LAY_OFF)
TIME_OUT: Final = Action(ActionKind.TIME_OUT)
# By card.
DISCARDS: Final = tuple(Action(ActionKind.DISCARD, card) for card in range(CARD_COUNT))
KNOCKS: Final = tuple(Action(ActionKind.KNOCK, card) for card in range(CARD_COUNT))
GINS: Final = tuple(Action(ActionKind.GIN, card) for card in range(CARD_COUNT))

# All that a player can do.
ALL_ACTIONS: Final = (PASS, TAKE, TAKE_BELOW, DRAW, BIG_GIN, LAY_OFF, *DISCARDS, *KNOCKS, *GINS)
