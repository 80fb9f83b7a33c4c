"""`steady`: knocks early or plays for gin, and gives little away.

In the first three turns it knocks as soon as it can; later the opponent has few points left to lose, and it
plays for gin. It takes from the pile only what melds and lowers its deadwood. Among discards that leave the
same deadwood it takes the highest, and keeps what the opponent may want.
"""

from typing import Final

from games.bots.base import (
    Chances,
    GameView,
    Strategy,
    best_ending,
    completes_meld,
    discards,
    leaving_least,
)
from games.bots.reading import going_with, seen
from games.gin.actions import DRAW, PASS, TAKE, Action, ActionKind
from games.gin.cards import CARD_VALUES, cards_of
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import Phase, View
from scoring.core.messages import mark

EARLY_TURNS: Final = 3


class Steady:
    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            return self._draw(view)
        ending = best_ending(view, self._chances)
        if ending and (ending.kind is not ActionKind.KNOCK or self._knocks(view)):
            return ending
        return self._shed(view)

    def _knocks(self, view: View) -> bool:
        if view.phase is Phase.LAST_KNOCK:
            return True
        shed = sum([move.seat == view.seat and move.kind is ActionKind.DISCARD for move in view.moves])
        return shed < EARLY_TURNS

    def _draw(self, view: View) -> Action:
        if TAKE in view.legal and (view.phase is Phase.LAST_OFFER or _is_worth_taking(view)):
            return TAKE
        return PASS if PASS in view.legal else DRAW

    def _shed(self, view: View) -> Action:
        options = leaving_least(view, discards(view))
        highest = max([CARD_VALUES[one.card or 0] for one in options])
        options = [one for one in options if CARD_VALUES[one.card or 0] == highest]
        wanted = [_how_wanted(view, one.card or 0) for one in options]
        least = min(wanted)
        return self._chances.one_of([one for one, how in zip(options, wanted, strict=True) if how == least])


def _is_worth_taking(view: View) -> bool:
    card, ace = view.pile[-1], view.rules.ace
    if not completes_meld(view.mask, card, ace):
        return False
    after = deadwood_without_each(view.mask | 1 << card, ace)
    after.pop(card)
    return min(after.values()) < deadwood_of(view.mask, ace)


def _how_wanted(view: View, card: int) -> int:
    """The number of related cards that the opponent surely holds (each counts 4) or may hold."""
    placed = seen(view)
    wanted = 0
    for other in cards_of(going_with(card)):
        if view.known >> other & 1:
            wanted += 4
        elif not placed >> other & 1:
            wanted += 1
    return wanted


STEADY = Strategy(
    "steady",
    mark(
        "Knocks in his first three turns, later plays for gin; takes only what helps and gives little away."
    ),
    lambda level, chances: Steady(chances),
)
