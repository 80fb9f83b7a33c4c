"""`steady`: knocks early or plays for gin, and gives little away.

In the first three turns it knocks as soon as it can; later the opponent has few points left to lose, and it
plays for gin. Where three play at once, or two games share a stock that is soon gone, it knocks as soon as it
can at any time. It takes from the pile only what melds and lowers its deadwood. Among discards that leave the
same deadwood it takes the highest, and keeps what the opponent may want.
"""

from typing import Final

from games.bots.base import (
    Chances,
    GameView,
    Strategy,
    best_ending,
    discards,
    leaving_least,
    lowers_by_meld,
    turns_of,
)
from games.bots.reading import going_with, seen
from games.bots.rummy import RummySteady
from games.gin.actions import DRAW, PASS, TAKE, Action, ActionKind
from games.gin.cards import CARD_VALUES, cards_of
from games.gin.view import Phase, View
from scoring.core.messages import mark

EARLY_TURNS: Final = 3


class Steady:
    def __init__(self, chances: Chances, *, plays_for_gin: bool = True) -> None:
        self._chances = chances
        self._plays_for_gin = plays_for_gin

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            return self._draw(view)
        ending = best_ending(view, self._chances)
        if ending and (ending.kind is not ActionKind.KNOCK or self._knocks(view)):
            return ending
        return self._shed(view)

    def _knocks(self, view: View) -> bool:
        if view.phase is Phase.LAST_KNOCK or not self._plays_for_gin:
            return True
        return turns_of(view) < EARLY_TURNS

    def _draw(self, view: View) -> Action:
        if TAKE in view.legal and (view.phase is Phase.LAST_OFFER or lowers_by_meld(view)):
            return TAKE
        return PASS if PASS in view.legal else DRAW

    def _shed(self, view: View) -> Action:
        options = leaving_least(view, discards(view))
        highest = max([CARD_VALUES[one.card or 0] for one in options])
        options = [one for one in options if CARD_VALUES[one.card or 0] == highest]
        wanted = [_how_wanted(view, one.card or 0) for one in options]
        least = min(wanted)
        return self._chances.one_of([one for one, how in zip(options, wanted, strict=True) if how == least])


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
        "Knocks in its first three turns, later plays for gin; takes only what helps and gives little away."
    ),
    lambda level, chances: Steady(chances),
    others={
        "jersey": lambda level, chances: Steady(chances, plays_for_gin=False),
        "partners_one_pack": lambda level, chances: Steady(chances, plays_for_gin=False),
        "basic_rummy": lambda level, chances: RummySteady(chances),
    },
)
