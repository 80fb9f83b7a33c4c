"""`novice` and `steady` at basic rummy.

The novice overlooks melds and lay-offs, takes cards for nothing and discards carelessly. The steady player
lays down and off what it can, takes from the pile only what makes a meld, and discards what counts most and
is of least use, to itself and to the next player.
"""

from collections.abc import Sequence
from typing import Final, cast

from games.bots.base import Chances, GameView
from games.bots.reading import going_with, melding
from games.gin.cards import CARD_VALUES, cards_of, mask_of
from games.gin.melds import deadwood_of, fitting
from games.gin.rummy_actions import DRAW, PASS, TAKE, RummyAction, RummyActionKind
from games.gin.rummy_view import RummyPhase, RummyView
from scoring.core.own_knobs import RummyKnobs

# How often the novice takes a useless card, and how often it sees what it could lay down.
TAKES_FOR_NOTHING: Final = 0.15
SEES_MELD: Final = 0.7
SEES_LAY_OFF: Final = 0.5
# In points: to the novice discards this much below the highest seem equally good.
CARELESS_BY: Final = 8
# What a card that may still come is worth, in points of a card that waits for it.
OUT_VALUE: Final = 2
# What is lost by a discard that goes with a card the next player took.
WANTED_VALUE: Final = 3


class RummyNovice:
    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def choose(self, view: RummyView, game: GameView) -> RummyAction:
        if view.phase is RummyPhase.DRAW:
            useful = TAKE in view.legal and _makes_meld(view)
            return _drawing(view, takes=useful or self._chances.happens(TAKES_FOR_NOTHING))
        melds, lay_offs, discards = _by_kind(view.legal)
        if melds and self._chances.happens(SEES_MELD):
            return self._chances.one_of(melds)
        if lay_offs and self._chances.happens(SEES_LAY_OFF):
            return self._chances.one_of(lay_offs)
        if not discards:
            return self._chances.one_of(melds or lay_offs)
        most = max([_value(one) for one in discards])
        return self._chances.one_of([one for one in discards if _value(one) >= most - CARELESS_BY])


class RummySteady:
    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def choose(self, view: RummyView, game: GameView) -> RummyAction:
        if view.phase is RummyPhase.DRAW:
            return _drawing(view, takes=TAKE in view.legal and self._wants_top(view))
        melds, lay_offs, discards = _by_kind(view.legal)
        ace = _ace(view)
        least = deadwood_of(view.mask, ace)
        # What does not break up better melds; the longest first.
        best = [one for one in melds if deadwood_of(view.mask ^ one.cards, ace) == least]
        if best:
            longest = max([one.cards.bit_count() for one in best])
            return self._chances.one_of([one for one in best if one.cards.bit_count() == longest])
        loose = [one for one in lay_offs if deadwood_of(view.mask ^ one.cards, ace) < least]
        if loose:
            return self._chances.one_of(loose)
        if not discards:
            return self._chances.one_of(melds or lay_offs)
        return self._shed(view, discards, ace)

    def _wants_top(self, view: RummyView) -> bool:
        """Whether the top of the pile lowers what is left by a meld, or who leaves it blocks the hand."""
        if PASS in view.legal or not view.mask:
            return True
        ace, card = _ace(view), view.pile[-1]
        return _makes_meld(view) and deadwood_of(view.mask | 1 << card, ace) < deadwood_of(view.mask, ace)

    def _shed(self, view: RummyView, discards: Sequence[RummyAction], ace: str) -> RummyAction:
        gone = mask_of(view.pile)
        for laid in view.melds:
            gone |= laid.meld.mask
        next_one = (view.seat + 1) % len(view.counts)
        wanted_by_next = view.known[next_one]
        costs = []
        for one in discards:
            card = one.cards.bit_length() - 1
            near = going_with(card)
            cost = 2 * deadwood_of(view.mask ^ one.cards, ace)
            if near & view.mask:
                # Cards that may still make a meld of it with one in the hand.
                cost += OUT_VALUE * (near & ~gone & ~view.mask).bit_count() // 2
            cost += WANTED_VALUE * (near & wanted_by_next).bit_count()
            if any(fitting(laid.meld.mask, ace) >> card & 1 for laid in view.melds):
                cost += WANTED_VALUE
            costs.append(cost)
        least = min(costs)
        return self._chances.one_of([one for one, cost in zip(discards, costs, strict=True) if cost == least])


def _drawing(view: RummyView, *, takes: bool) -> RummyAction:
    if takes and TAKE in view.legal:
        return TAKE
    return DRAW if DRAW in view.legal else PASS


def _by_kind(
    legal: Sequence[RummyAction],
) -> tuple[list[RummyAction], list[RummyAction], list[RummyAction]]:
    """Melds, lay-offs and discards."""
    melds = [one for one in legal if one.kind is RummyActionKind.MELD]
    lay_offs = [one for one in legal if one.kind is RummyActionKind.LAY_OFF]
    return melds, lay_offs, [one for one in legal if one.kind is RummyActionKind.DISCARD]


def _makes_meld(view: RummyView) -> bool:
    return bool(melding(view.mask, _ace(view)) >> view.pile[-1] & 1)


def _value(one: RummyAction) -> int:
    return sum([CARD_VALUES[card] for card in cards_of(one.cards)])


def _ace(view: RummyView) -> str:
    return cast("RummyKnobs", view.rules.own).ace
