"""`counter`: counts cards and turns, and knocks while the opponent should still have more left than it has.

What the opponent should have left falls with every turn and with every card taken from the pile. Discards
follow the cards that are still to come: it waits for nothing that is gone.
"""

from typing import Final

from games.bots.base import Strategy, turns_of
from games.bots.field.playing import FieldPlayer
from games.gin.view import View
from scoring.core.messages import mark

# The deadwood of a fair player: at the deal, less with every turn and every card taken, and at least.
AT_FIRST: Final = 48
EVERY_TURN: Final = 5
EVERY_TAKE: Final = 4
AT_LEAST: Final = 5
# An undercut costs more than a knock brings, so the opponent should have twice as much left.
TIMES: Final = 2


class Counter(FieldPlayer):
    out_worth = 2.0
    danger_cost = 6.0

    def knocks(self, view: View, left: int) -> bool:
        should_have = AT_FIRST - EVERY_TURN * turns_of(view) - EVERY_TAKE * view.known.bit_count()
        return TIMES * left <= max(AT_LEAST, should_have)


COUNTER = Strategy(
    "counter",
    mark("Counts cards and turns, and knocks while the other should have twice as much left."),
    lambda samples, chances: Counter(chances),
)
