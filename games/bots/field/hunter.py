"""`hunter`: never knocks and plays every hand for gin."""

from games.bots.base import Strategy, least_with
from games.bots.field.playing import FieldPlayer
from games.gin.view import View
from scoring.core.messages import mark


class Hunter(FieldPlayer):
    out_worth = 1.0
    danger_cost = 2.0

    def knocks(self, view: View, left: int) -> bool:
        return False

    def takes_last(self, view: View) -> bool:
        return least_with(view) == 0


HUNTER = Strategy(
    "hunter",
    mark("Never knocks: plays every hand for gin."),
    lambda samples, chances: Hunter(chances),
)
