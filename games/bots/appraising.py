"""What a choice cost in points, as `expert` sees it: every option is played out against the same samples.

The opponent's cards are guessed from what the player could see then, and from nothing else. Another option is
better only if in half of the samples it beats the choice by more than a standard error, and what the choice
cost is then measured in the other half: the luck that made an option look best does not count for it. Both
halves take either part, and the two figures are averaged. What follows an option is played by the better of
two plans, for gin or to knock as soon as one can: so that who plays on is not charged each time with never
knocking.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from games.bots.base import Chances, Estimate, completes_meld, least_after
from games.bots.expert import candidates
from games.bots.inference import IN_A_ROW
from games.bots.kernel_ends import DIFFERENCES, GIN_OFF, KINDS, UNDERCUT, knocked
from games.bots.rehearsal import Rehearsal, points_of_ends, rules_of
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.rummy_actions import RummyAction
from games.gin.view import Phase, View

# For each option; half of the chains choose, half measure.
SAMPLES: Final = 24 * IN_A_ROW
# The standard errors by which another option has to beat the choice to be better.
SURE: Final = 1.0
# So many of its own standard errors a cost has to be to be told as one.
CLEAR: Final = 2.0
# Samples in which a knock is laid out.
_LAID_OUT: Final = 48
# The mean worth in a chain: of each option, by each plan for what follows.
Chain = tuple[tuple[float, ...], ...]
_ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
# Where in the pile the card lies that is taken.
_FROM_PILE: Final = {ActionKind.TAKE: -1, ActionKind.TAKE_BELOW: -2}


class Replayed(NamedTuple):
    """What choices weighed at so many `points` `lost` when such hands were played on, on average.

    They were played from the cards as they lay, by players who have no part in the estimate, with the stock
    shuffled again; `error` is the standard error.
    """

    points: float
    lost: float
    error: float


# Of hands of two, as tests measure it; RULES §11 tells the same.
REPLAYED: Final = Replayed(3.0, 3.0, 0.2)


class ChoiceKind(StrEnum):
    """What a choice was about: a card to put down, one to take or to draw, or whether to end the hand.

    In rummy the last is whether to lay cards down or off.
    """

    DISCARD = "discard"
    TAKE = "take"
    KNOCK = "knock"


class Option(NamedTuple):
    """An option, the points of the hand that it is worth, and what speaks for it or against it.

    `deadwood` is what it leaves at best. `risk` is the chance, 0 to 1, that the next player can meld the card
    put down, or that the knock is undercut; `knocking` the number of unseen cards that would let the player
    knock next. None where that is no question.
    """

    action: Action | RummyAction
    points: float
    deadwood: int
    risk: float | None = None
    knocking: int | None = None


class Appraisal(NamedTuple):
    """A choice that was weighed. `options` are the best first; there are none if only one came into question.

    `cost` is what `better` is worth more, in points, with its standard `error`; chance may put it below 0.
    Where nothing is better, `better` is None and the cost 0. `game` is as `Strategy.plays` has it.
    """

    kind: ChoiceKind
    chosen: Action | RummyAction
    better: Action | RummyAction | None = None
    cost: float = 0.0
    error: float = 0.0
    options: tuple[Option, ...] = ()
    game: str | None = None

    @property
    def tells_risk(self) -> bool:
        """Whether any option has a risk: there is none in taking and drawing."""
        return any(option.risk is not None for option in self.options)

    @property
    def tells_knocking(self) -> bool:
        """Whether it is told of any option with how many cards the player could knock next."""
        return any(option.knocking is not None for option in self.options)

    @property
    def is_clear(self) -> bool:
        """Whether the cost is clearly above chance."""
        return self.better is not None and self.cost >= CLEAR * self.error


class Advice(NamedTuple):
    """What is best, and what was weighed for it, the best first; nothing if nothing else came into question.

    `error` is by how much the difference of two is off, one standard error: by how many of a hundred games
    where the estimates are chances, else by how many points.
    """

    action: Action | RummyAction
    estimates: tuple[Estimate, ...]
    error: float


class Appraiser:
    """Weighs one player's choices in one hand, in their order; equal seeds give equal figures."""

    def __init__(self, seed: int, *, samples: int = SAMPLES, compiled: bool | None = None) -> None:
        self._chances = Chances(seed)
        self._rehearsal = Rehearsal(samples, self._chances.one_of(range(1 << 30)), compiled=compiled)

    def appraise(self, view: View, chosen: Action) -> Appraisal | None:
        """What this choice cost by what the player could see; None where there was nothing to choose.

        A knock is weighed with its melds laid down in the best way. What is laid off is not weighed.
        """
        if len(view.legal) < 2 or view.phase is Phase.LAY_OFF:
            return None
        chosen, kind = chosen.plain, kind_of(view)
        options = candidates(view, self._chances)
        if options == [chosen]:
            return Appraisal(kind, chosen)
        compared = self._rehearsal.compare(view, points_of_ends(view.rules, view.upcard), options, chosen)
        if len(compared.options) < 2:
            return Appraisal(kind, chosen)
        chains, plans = compared.by_chain, _plans(compared.by_chain)
        better, cost, error = measured(chains, compared.options.index(chosen))
        means = [fmean([chain[number][plan] for chain in chains]) for number, plan in enumerate(plans)]
        told = [
            told_option(view, option, mean, compared.hands, partial(_undercut, view, option, compared.hands))
            for option, mean in zip(compared.options, means, strict=True)
        ]
        told.sort(key=lambda one: -one.points)
        best = None if better is None else compared.options[better]
        return Appraisal(kind, chosen, best, cost, error, tuple(told))


def kind_of(view: View) -> ChoiceKind:
    """What the player to move chooses."""
    if not view.after:
        return ChoiceKind.TAKE
    ends = any(action.kind in _ENDINGS for action in view.legal)
    return ChoiceKind.KNOCK if ends else ChoiceKind.DISCARD


def measured(chains: Sequence[Chain], chosen: int) -> tuple[int | None, float, float]:
    """The better option, None if there is none, with the cost of the choice and its standard error."""
    odd, even = chains[::2], chains[1::2]
    costs, errors = [], []
    for choosing, measuring in ((odd, even), (even, odd)):
        plans = _plans(choosing)
        best = _best(choosing, plans, chosen)
        ahead = _ahead(measuring, plans, best, chosen)
        costs.append(fmean(ahead))
        errors.append(error_of(ahead))
    better = _best(chains, _plans(chains), chosen)
    if better == chosen:
        return None, 0.0, 0.0
    return better, fmean(costs), hypot(*errors) / 2


def _plans(chains: Sequence[Chain]) -> list[int]:
    """For each option the plan for what follows that brings most."""
    return [_best_plan([chain[number] for chain in chains]) for number in range(len(chains[0]))]


def _best_plan(by_chain: Sequence[tuple[float, ...]]) -> int:
    means = [fmean(column) for column in zip(*by_chain, strict=True)]
    return means.index(max(means))


def _ahead(chains: Sequence[Chain], plans: Sequence[int], one: int, other: int) -> list[float]:
    """By how much an option is worth more than another, by chain."""
    return [chain[one][plans[one]] - chain[other][plans[other]] for chain in chains]


def _best(chains: Sequence[Chain], plans: Sequence[int], chosen: int) -> int:
    """The option that surely beats the choice, and by most; else the choice itself."""
    best, most = chosen, 0.0
    for number in range(len(plans)):
        ahead = _ahead(chains, plans, number, chosen)
        surely = fmean(ahead) - SURE * error_of(ahead)
        if surely > most:
            best, most = number, surely
    return best


def error_of(figures: Sequence[float]) -> float:
    """The standard error of the mean of chains, which are independent."""
    return stdev(figures) / sqrt(len(figures))


def told_option(
    view: View, option: Action, points: float, hands: Sequence[int], undercut: Callable[[], float]
) -> Option:
    """The option as it is told.

    `hands` are guesses of the next player's hand; `undercut` is asked of a knock alone, how often it is.
    """
    card, ace = option.card, view.rules.ace
    if option.kind in _FROM_PILE:
        taken = view.pile[_FROM_PILE[option.kind]]
        return Option(option, points, least_after(view.mask | 1 << taken, taken, ace))
    if option.kind in (ActionKind.DRAW, ActionKind.PASS):
        return Option(option, points, deadwood_of(view.mask, ace))
    if card is None:
        return Option(option, points, 0)
    left, held = view.after[card], view.mask & ~(1 << card)
    if option.kind is ActionKind.DISCARD:
        risk = fmean([completes_meld(hand, card, ace) for hand in hands])
        return Option(option, points, left, risk, _knocking(view, held))
    if option.kind is ActionKind.GIN:
        return Option(option, points, 0)
    return Option(option, points, left, undercut())


def _undercut(view: View, knock: Action, hands: Sequence[int]) -> float:
    """How often this knock is undercut."""
    assert knock.card is not None  # noqa: S101 (a knock puts a card down)
    left, held, rules = (
        view.after[knock.card],
        view.mask & ~(1 << knock.card),
        rules_of(view.rules, view.limit),
    )
    laid = hands[:: max(1, len(hands) // _LAID_OUT)]
    ends = [knocked(0, held, left, hand, rules) for hand in laid]
    return fmean([end // DIFFERENCES % KINDS in (UNDERCUT, GIN_OFF) for end in ends])


def _knocking(view: View, held: int) -> int:
    """The number of unseen cards with which these ten would be enough to knock."""
    ace = view.rules.ace
    drawn = [
        min(deadwood_without_each(held | 1 << card, ace).values()) for card in cards_of(view.unseen.mask)
    ]
    return sum([left <= view.limit for left in drawn])
