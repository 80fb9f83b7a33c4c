"""`taker`: takes anything from the pile that helps a combination, although that gives it away."""

from typing import Final

from games.bots.base import Strategy, lowers_by_meld, turns_of
from games.bots.field.playing import FieldPlayer
from games.bots.reading import outs
from games.gin.cards import cards_of
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import View
from scoring.core.messages import mark

EARLY_TURNS: Final = 4


class Taker(FieldPlayer):
    out_worth = 0.5
    danger_cost = 2.0

    def takes(self, view: View) -> bool:
        return lowers_by_meld(view) or _helps(view)

    def knocks(self, view: View, left: int) -> bool:
        return turns_of(view) < EARLY_TURNS


def _helps(view: View) -> bool:
    """Whether taking the top of the pile increases the cards that meld, at no more deadwood."""
    card, ace = view.pile[-1], view.rules.ace
    now, most = outs(view, view.mask), deadwood_of(view.mask, ace)
    with_it = view.mask | 1 << card
    after = deadwood_without_each(with_it, ace)
    return any(
        after[other] <= most and outs(view, with_it & ~(1 << other)) > now for other in cards_of(view.mask)
    )


TAKER = Strategy(
    "taker",
    mark("Takes from the pile whatever helps a combination."),
    lambda samples, chances: Taker(chances),
)
