"""`hoarder`: keeps high pairs and other partial melds, and discards low isolated cards.

Others discard high cards first, so high pairs are completed more often than low ones. After three turns it
gives up on that and discards whatever counts most.
"""

from collections.abc import Sequence
from typing import Final

from games.bots.base import Strategy, turns_of
from games.bots.field.playing import FieldPlayer, value
from games.bots.reading import going_with
from games.gin.actions import Action
from games.gin.view import View
from scoring.core.messages import mark

HOPES_FOR_TURNS: Final = 3
KNOCKS_FOR_TURNS: Final = 4
# The reduction in cost of a discard that breaks nothing, for each point below a king.
LOW_CARD: Final = 0.5
_KING: Final = 10


class Hoarder(FieldPlayer):
    out_worth = 3.0
    danger_cost = 2.0

    def knocks(self, view: View, left: int) -> bool:
        return turns_of(view) < KNOCKS_FOR_TURNS

    def costs(self, view: View, options: Sequence[Action]) -> list[float]:
        costs = super().costs(view, options)
        if turns_of(view) >= HOPES_FOR_TURNS:
            return costs
        # Deadwood is not counted by points here: a high card may wait as well as a low one.
        return [
            cost + value(one) - LOW_CARD * (_KING - value(one)) if _stands_alone(view, one) else cost
            for one, cost in zip(options, costs, strict=True)
        ]


def _stands_alone(view: View, action: Action) -> bool:
    """Whether nothing else in the hand goes with the card."""
    return not going_with(action.card or 0) & view.mask


HOARDER = Strategy(
    "hoarder",
    mark("Keeps high pairs and sheds low cards that stand alone, in the hope of being fed."),
    lambda samples, chances: Hoarder(chances),
)
