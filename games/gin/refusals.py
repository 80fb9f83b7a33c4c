"""Why an action is not legal, explained to the player from what the player may know."""

from typing import Final

from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, Action, ActionKind
from games.gin.cards import CARD_TEXTS
from games.gin.view import Phase, View
from scoring.core.messages import Message, mark

# Players could pass cards back and forth over the pile for ever. After this many turns in a row that
# start with the pile, the next starts with the stock; no sensible hand comes near it.
MOST_TAKES_RUNNING: Final = 20


def refusal(view: View, action: Action) -> GameError:
    """The refusal of an action that `view`, of the player to move, does not list."""
    code, reason = _why_not(view, action)
    return GameError(code, reason, field="action")


def _why_not(view: View, action: Action) -> tuple[str, Message]:
    kind, card = action.kind, action.card
    if view.phase is Phase.OVER:
        return "hand_over", mark("The hand is over.")
    if action not in ALL_ACTIONS:
        return "unknown_action", mark("That is not an action of a hand.")
    if kind is ActionKind.TAKE and view.phase is Phase.DRAW:
        return "pile_closed", mark(
            "The pile has been taken from %(most)s times running; draw from the stock.",
            most=MOST_TAKES_RUNNING,
        )
    if kind is ActionKind.TAKE and view.phase is Phase.LAST_OFFER:
        return "cannot_knock", mark("The last discard is taken only to knock with it.")
    if kind not in _KINDS_OF[view.phase]:
        return "not_now", _ASKED[view.phase]
    if kind is ActionKind.TAKE_BELOW:
        return "not_there", mark("The card below the top of the pile may not be taken.")
    if card is None:
        if view.rules.big_gin_bonus is None:
            return "not_played", mark("Big gin is not played under these rules.")
        return "not_big_gin", mark("Big gin is eleven cards all melded.")
    if not view.mask >> card & 1:
        return "not_in_hand", mark("%(card)s is not in the hand.", card=CARD_TEXTS[card])
    left = view.after[card]
    if card == view.taken and (kind is ActionKind.DISCARD or left <= view.limit):
        return "taken_card", mark(
            "%(card)s was taken from the pile in this turn and is kept.", card=CARD_TEXTS[card]
        )
    if kind is ActionKind.GIN:
        return "not_gin", mark("%(left)s is left: that is not gin.", left=left)
    if left > view.limit:
        return "illegal_knock", above_limit(left, view.limit)
    return "say_gin", mark("With nothing left that is gin under these rules.")


def above_limit(left: int, limit: int) -> Message:
    """What is said of a knock that leaves too much."""
    return mark("%(left)s is left; the limit of this hand is %(limit)s.", left=left, limit=limit)


_ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
_KINDS_OF: Final[dict[Phase, frozenset[ActionKind]]] = {
    Phase.UPCARD_ELDER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.UPCARD_DEALER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.STOCK: frozenset({ActionKind.DRAW}),
    Phase.DRAW: frozenset({ActionKind.DRAW, ActionKind.TAKE, ActionKind.TAKE_BELOW}),
    Phase.DISCARD: _ENDINGS | {ActionKind.DISCARD},
    Phase.LAST_OFFER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.LAST_KNOCK: _ENDINGS,
    Phase.LAY_OFF: frozenset({ActionKind.LAY_OFF}),
    Phase.OVER: frozenset(),
}
_ASKED: Final[dict[Phase, Message]] = {
    Phase.UPCARD_ELDER: mark("The upcard is offered: take it or pass."),
    Phase.UPCARD_DEALER: mark("The upcard is offered: take it or pass."),
    Phase.STOCK: mark("Both passed the upcard; draw from the stock."),
    Phase.DRAW: mark("Draw from the stock or take the top discard."),
    Phase.DISCARD: mark("A card has been drawn; discard, knock or say gin."),
    Phase.LAST_OFFER: mark("The stock is finished: take the last discard to knock with it, or pass."),
    Phase.LAST_KNOCK: mark("The last discard was taken to knock with it."),
    Phase.LAY_OFF: mark("The knocker’s cards are down; lay off on those melds."),
}
