"""`defender`: discards the safest card by all it has seen, and knocks late if at all."""

from typing import Final

from games.bots.base import Strategy, turns_of
from games.bots.field.playing import FieldPlayer
from games.gin.view import View
from scoring.core.messages import mark

LATE_TURNS: Final = 8
SURE: Final = 1


class Defender(FieldPlayer):
    out_worth = 1.0
    danger_cost = 15.0

    def knocks(self, view: View, left: int) -> bool:
        return turns_of(view) >= LATE_TURNS and left <= SURE


DEFENDER = Strategy(
    "defender",
    mark("Sheds what is safest by all that was seen, and knocks late."),
    lambda samples, chances: Defender(chances),
)
