"""`rash`: knocks at the first chance, whatever an undercut would cost.

To get there, it discards high cards and takes any card from the pile with which it can knock at once.
"""

from games.bots.base import Strategy, least_with, lowers_by_meld
from games.bots.field.playing import FieldPlayer
from games.gin.view import View
from scoring.core.messages import mark


class Rash(FieldPlayer):
    out_worth = 0.25
    danger_cost = 0.0

    def takes(self, view: View) -> bool:
        return least_with(view) <= view.limit or lowers_by_meld(view)


RASH = Strategy(
    "rash",
    mark("Sheds high, takes whatever allows a knock, and knocks at once, come what may."),
    lambda samples, chances: Rash(chances),
)
