"""Why an action is not legal, said to the player from what he may know himself."""

from typing import Final

from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, Action, ActionKind
from games.gin.cards import CARD_TEXTS
from games.gin.view import Phase, View

# Two players could hand each other cards over the pile for ever. After so many turns running that began with
# the pile, the next begins with the stock; no sensible hand comes near it.
MOST_TAKES_RUNNING: Final = 20


def refusal(view: View, action: Action) -> GameError:
    """Of an action that `view` of the player in turn does not list."""
    code, reason = _why_not(view, action)
    return GameError(code, reason, field="action")


def _why_not(view: View, action: Action) -> tuple[str, str]:
    kind, card = action
    if view.phase is Phase.OVER:
        return "hand_over", "The hand is over."
    if action not in ALL_ACTIONS:
        return "unknown_action", "That is no action of a hand."
    if kind is ActionKind.TAKE and view.phase is Phase.DRAW:
        said = f"The pile has been taken from {MOST_TAKES_RUNNING} times running; draw from the stock."
        return "pile_closed", said
    if kind is ActionKind.TAKE and view.phase is Phase.LAST_OFFER:
        return "cannot_knock", "The last discard is taken only to knock with it."
    if kind not in _KINDS_OF[view.phase]:
        return "not_now", _ASKED[view.phase]
    if card is None:
        if view.rules.big_gin_bonus is None:
            return "not_played", "Big gin is not played under these rules."
        return "not_big_gin", "Big gin is eleven cards all melded."
    if not view.mask >> card & 1:
        return "not_in_hand", f"{CARD_TEXTS[card]} is not in the hand."
    left = view.after[card]
    if card == view.taken and (kind is ActionKind.DISCARD or left <= view.limit):
        return "taken_card", f"{CARD_TEXTS[card]} was taken from the pile in this turn and is kept."
    if kind is ActionKind.GIN:
        return "not_gin", f"{left} is left: that is not gin."
    if left > view.limit:
        return "illegal_knock", f"{left} is left; the limit of this hand is {view.limit}."
    return "say_gin", "With nothing left that is gin under these rules."


_ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
_KINDS_OF: Final[dict[Phase, frozenset[ActionKind]]] = {
    Phase.UPCARD_ELDER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.UPCARD_DEALER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.STOCK: frozenset({ActionKind.DRAW}),
    Phase.DRAW: frozenset({ActionKind.DRAW, ActionKind.TAKE}),
    Phase.DISCARD: _ENDINGS | {ActionKind.DISCARD},
    Phase.LAST_OFFER: frozenset({ActionKind.TAKE, ActionKind.PASS}),
    Phase.LAST_KNOCK: _ENDINGS,
    Phase.OVER: frozenset(),
}
_ASKED: Final[dict[Phase, str]] = {
    Phase.UPCARD_ELDER: "The upcard is offered: take it or pass.",
    Phase.UPCARD_DEALER: "The upcard is offered: take it or pass.",
    Phase.STOCK: "Both passed the upcard; draw from the stock.",
    Phase.DRAW: "Draw from the stock or take the top discard.",
    Phase.DISCARD: "A card has been drawn; discard, knock or say gin.",
    Phase.LAST_OFFER: "The stock is finished: take the last discard to knock with it, or pass.",
    Phase.LAST_KNOCK: "The last discard was taken to knock with it.",
}
