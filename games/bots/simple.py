"""`simple`: the plain player with published results, as a yardstick for others.

It takes the upcard if that completes a meld, discards at random among the cards that leave least deadwood,
and knocks at once. It never repeats a swap of a drawn card for a discard within a hand, in either direction,
because that would lead nowhere.
"""

from collections.abc import Sequence

from games.bots.base import (
    Chances,
    GameView,
    Strategy,
    best_ending,
    completes_meld,
    leaving_least,
)
from games.gin.actions import DRAW, PASS, TAKE, Action
from games.gin.view import Phase, View
from scoring.core.messages import mark


class Simple:
    def __init__(self, chances: Chances) -> None:
        self._chances = chances
        self._held_before = 0
        # Each swap as the mask of its one or two cards.
        self._shed_for: set[int] = set()

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            self._held_before = view.mask
            return self._draw(view)
        ending = best_ending(view, self._chances)
        return ending or self._shed(view)

    def _draw(self, view: View) -> Action:
        legal = view.legal
        if TAKE in legal and (
            view.phase is Phase.LAST_OFFER or completes_meld(view.mask, view.pile[-1], view.rules.ace)
        ):
            return TAKE
        return PASS if PASS in legal else DRAW

    def _shed(self, view: View) -> Action:
        # What would end the hand it has done, so all that is left are discards.
        options, least = view.legal, leaving_least(view, view.legal)
        if not self._held_before:
            # With the elder's eleven cards nothing was drawn.
            return self._chances.one_of(least)
        drawn = view.mask & ~self._held_before
        fresh = self._fresh(drawn, least) or leaving_least(view, self._fresh(drawn, options) or options)
        chosen = self._chances.one_of(fresh)
        self._shed_for.add(_swap(drawn, chosen))
        return chosen

    def _fresh(self, drawn: int, options: Sequence[Action]) -> list[Action]:
        """Those by which no swap is repeated."""
        return [one for one in options if _swap(drawn, one) not in self._shed_for]


def _swap(drawn: int, discard: Action) -> int:
    return drawn | 1 << (discard.card or 0)


SIMPLE = Strategy(
    "simple",
    mark("Takes what completes a meld, keeps the least deadwood and knocks at once."),
    lambda level, chances: Simple(chances),
)
