"""`reckoner`: counts what it has not seen, and reckons what a draw, a discard and a knock bring on average.

It guesses at no type of opponent and plays nothing out, so it is an opponent of another make than `expert`;
what `expert` takes for a likely discard is learned without it (`games.arena.learning`).
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from games.bots.base import Strategy, lowers_by_meld
from games.bots.field.playing import FieldPlayer, value
from games.bots.reading import danger, holding, melding
from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_VALUES, cards_of
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import View
from scoring.core.messages import mark

# The points by which deadwood falls on average with a card that makes a meld.
BY_MELD: Final = 25.0
# What a high card in the hand costs, for each of its points, beside the deadwood it is.
BY_VALUE: Final = 0.6
# What a card taken that makes no meld tells the opponent, in points.
TELLS: Final = 2.0
# The points that a knock must bring on average: less than playing on for gin brings early in a hand.
ENOUGH: Final = 10.0
# Hands of the opponent that a knock is reckoned with.
HANDS: Final = 24
# The discards after a draw that are reckoned with.
DISCARDS: Final = 2
# However likely the opponent is to hold a card, it may still come.
MOST_HELD: Final = 0.95
_HAND_SIZE: Final = 10


class Reckoner(FieldPlayer):
    danger_cost = 3.0

    def takes(self, view: View) -> bool:
        if lowers_by_meld(view):
            return True
        card, coming = view.pile[-1], _coming(view, holding(view))
        drawn = sum([chance * _least_with(view, one, None, coming) for one, chance in coming.items()])
        return _least_with(view, card, card, coming) + TELLS < drawn

    def knocks(self, view: View, left: int) -> bool:
        """Whether a knock brings enough on average, undercuts counted and nothing laid off."""
        lost = view.rules.undercut_bonus
        others = [deadwood_of(hand, view.rules.ace) for hand in self._hands_of_other(view)]
        return fmean([his - left - (0 if his > left else lost) for his in others]) > ENOUGH

    def costs(self, view: View, options: Sequence[Action]) -> list[float]:
        held = holding(view)
        coming = _coming(view, held)
        return [
            _deadwood_to_come(view, view.mask & ~(1 << (one.card or 0)), coming)
            - BY_VALUE * value(one)
            + self.danger_cost * danger(one.card or 0, held, view.rules.ace)
            for one in options
        ]

    def _hands_of_other(self, view: View) -> Iterator[int]:
        """His hand by chance, of cards not seen: drawn to as often as he drew, and what is worst put down."""
        draws = sum([move.seat != view.seat and move.kind is ActionKind.DRAW for move in view.moves])
        hidden = _HAND_SIZE - view.known.bit_count()
        for _ in range(HANDS):
            rest, hand = list(view.unseen), view.known
            for number in range(min(hidden + draws, len(rest))):
                card = self._chances.one_of(rest)
                rest.remove(card)
                hand |= 1 << card
                if number >= hidden:
                    after = deadwood_without_each(hand, view.rules.ace)
                    hand ^= 1 << min(after, key=lambda one: (after[one], -CARD_VALUES[one]))
            yield hand


def _coming(view: View, held: Sequence[float]) -> dict[int, float]:
    """For every card not seen the chance that it is the next of the stock."""
    free = {card: 1 - min(held[card], MOST_HELD) for card in view.unseen}
    total = sum(free.values())
    return {card: one / total for card, one in free.items()}


def _deadwood_to_come(view: View, mask: int, coming: Mapping[int, float]) -> float:
    """The deadwood of ten cards, less what the next card of the stock is worth to them on average."""
    ace = view.rules.ace
    making = cards_of(melding(mask, ace) & view.unseen.mask)
    return deadwood_of(mask, ace) - BY_MELD * sum([coming[card] for card in making])


def _least_with(view: View, card: int, kept: int | None, coming: Mapping[int, float]) -> float:
    """The least deadwood to come with this card, after a discard which is not the one that is kept."""
    mask = view.mask | 1 << card
    after = deadwood_without_each(mask, view.rules.ace)
    sheds = sorted([one for one in after if one != kept], key=lambda one: (after[one], -CARD_VALUES[one]))
    return min([_deadwood_to_come(view, mask ^ 1 << one, coming) for one in sheds[:DISCARDS]])


RECKONER = Strategy(
    "reckoner",
    mark("Reckons by the cards not seen what a draw, a discard and a knock bring on average."),
    lambda samples, chances: Reckoner(chances),
)
