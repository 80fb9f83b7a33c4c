"""Common play of the field: its bots differ in what they take, when they knock, and what they discard."""

from collections.abc import Sequence
from typing import Final

from games.bots.base import Chances, GameView, best_ending, discards, left_by, lowers_by_meld
from games.bots.reading import danger, holding, outs
from games.gin.actions import DRAW, PASS, TAKE, Action, ActionKind
from games.gin.cards import CARD_VALUES
from games.gin.view import Phase, View


class FieldPlayer:
    """Discards the cheapest card: deadwood, less the value of cards that would meld, plus danger.

    `out_worth` is in points for every card that would make a meld with the rest of the hand, `danger_cost` in
    points for every meld the opponent is likely to make with the discard.
    """

    out_worth: float = 0.5
    danger_cost: float = 5.0

    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def takes(self, view: View) -> bool:
        """Whether it takes the top of the pile."""
        return lowers_by_meld(view)

    def knocks(self, view: View, left: int) -> bool:
        """Whether it knocks with this deadwood."""
        return True

    def costs(self, view: View, options: Sequence[Action]) -> list[float]:
        """The cost of each discard in points."""
        chances = holding(view) if self.danger_cost else []
        costs = []
        for one in options:
            card = one.card or 0
            cost = view.after[card] - self.out_worth * outs(view, view.mask & ~(1 << card))
            if chances:
                cost += self.danger_cost * danger(card, chances, view.rules.ace)
            costs.append(cost)
        return costs

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            wants = TAKE in view.legal and (
                self.takes_last(view) if view.phase is Phase.LAST_OFFER else self.takes(view)
            )
            if wants:
                return TAKE
            return PASS if PASS in view.legal else DRAW
        ending = best_ending(view, self._chances)
        if ending and (
            ending.kind is not ActionKind.KNOCK
            or view.phase is Phase.LAST_KNOCK
            or self.knocks(view, left_by(view, ending))
        ):
            return ending
        options = discards(view)
        costs = self.costs(view, options)
        least = min(costs)
        return self._chances.one_of(
            [one for one, cost in zip(options, costs, strict=True) if cost <= least + _EQUAL]
        )

    def takes_last(self, view: View) -> bool:
        """Whether it takes the last discard to knock with it (RULES §3, `fiftieth_card`)."""
        return True


# Equal costs may have been added up in different orders.
_EQUAL: Final = 1e-9


def value(action: Action) -> int:
    """The points of the discarded card."""
    return CARD_VALUES[action.card or 0]
