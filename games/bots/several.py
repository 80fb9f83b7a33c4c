"""What a choice cost in a hand of several: every option is played to the end of the hand by plain bots.

What the player has not seen is guessed by chance (`Playing.guessed`), and the others then draw as often as
they have drawn, and put down what serves them least: by chance alone they would hold far more points than
players do, and to end the hand would seem worth too much. Nothing is concluded from which cards they discard
or leave. All options meet the same guesses; those that do worse in the first ones are left behind. How many
guesses there are is bounded by the actions that are played. A hand is worth the points of the player's side
less what the others win on average, as the sheet enters them, with boxes where they are credited at once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import fmean
from typing import Any, Final, cast

from games.bots.appraising import (
    Advice,
    Appraisal,
    Chain,
    ChoiceKind,
    Option,
    error_of,
    kind_of,
    measured,
    told_option,
)
from games.bots.base import Chances, Estimate, GameView, completes_meld, least_after
from games.bots.expert import candidates
from games.bots.steady import STEADY
from games.gin.actions import ActionKind
from games.gin.cards import CARD_VALUES, cards_of, value_of
from games.gin.melds import deadwood_of, deadwood_without_each, fitting
from games.gin.playing import InPlay, PutBack
from games.gin.rummy_actions import RummyActionKind
from games.gin.rummy_view import RummyPhase, RummyView
from games.gin.view import Phase, View
from scoring.core.hands import UNDERCUTS
from scoring.core.kinds import kind_of as kind_of_game
from scoring.core.kinds.base import Frame
from scoring.core.own_knobs import RummyKnobs
from scoring.core.sheet_state import Deal, SheetSide

# What is done for all options of a choice together: actions of bots, and what a playout costs besides.
ACTIONS: Final = 36_000
# The most of it for a hint, for which somebody waits.
HINT_ACTIONS: Final = 18_000
_BESIDES: Final = 4
# The part of it in which all options are played out, and in so many guesses at least.
_FIRST: Final = 0.25
_FEWEST: Final = 12
# The most discards to play out, of those that leave least.
_MOST_DISCARDS: Final = 6


@dataclass(slots=True)
class _Played:
    """What an option came to in each guess, and in how many of them its knock was undercut."""

    action: Any
    worth: list[float] = field(default_factory=list)
    undercut: int = 0


class _Reading(ABC):
    """What is asked of a view by the game."""

    @abstractmethod
    def kind(self, view: Any) -> ChoiceKind:
        """What the player to move chooses."""

    @abstractmethod
    def puts_back(self, view: Any) -> PutBack:
        """Which card one of the others puts down who has drawn."""

    @abstractmethod
    def candidates(self, view: Any, chances: Chances) -> list[Any]:
        """The choices worth playing out."""

    @abstractmethod
    def option(self, view: Any, played: _Played, points: float, nexts: Sequence[int]) -> Option:
        """The option as it is told; `nexts` are the guesses of the next player's hand."""


class _Gin(_Reading):
    def puts_back(self, view: View) -> PutBack:
        """The card that leaves least, of equal ones the highest.

        But the drawn one where the rest could knock: whoever has not, has not drawn it.
        """

        def put_back(held: int, drawn: int, may_go: int) -> int:
            left = deadwood_without_each(held, view.rules.ace)
            card = min(cards_of(may_go), key=lambda one: (left[one], -CARD_VALUES[one]))
            return drawn if left[card] <= view.limit else card

        return put_back

    def kind(self, view: View) -> ChoiceKind:
        return kind_of(view)

    def candidates(self, view: View, chances: Chances) -> list[Any]:
        return _with_few_discards(candidates(view, chances), lambda one: one.card, view.after.__getitem__)

    def option(self, view: View, played: _Played, points: float, nexts: Sequence[int]) -> Option:
        return told_option(view, played.action, points, nexts, lambda: played.undercut / len(played.worth))


class _Rummy(_Reading):
    def puts_back(self, view: RummyView) -> PutBack:
        """The highest card; but the drawn one where the rest has a meld, which would lie on the table."""
        ace = _knobs(view).ace

        def put_back(held: int, drawn: int, may_go: int) -> int:
            card = max(cards_of(may_go), key=CARD_VALUES.__getitem__)
            rest = held & ~(1 << card)
            return drawn if deadwood_of(rest, ace) < value_of(rest) else card

        return put_back

    def kind(self, view: RummyView) -> ChoiceKind:
        if view.phase is RummyPhase.DRAW:
            return ChoiceKind.TAKE
        lays = any(action.kind is not RummyActionKind.DISCARD for action in view.legal)
        return ChoiceKind.KNOCK if lays else ChoiceKind.DISCARD

    def candidates(self, view: RummyView, chances: Chances) -> list[Any]:
        return _with_few_discards(
            view.legal,
            lambda one: one.cards.bit_length() - 1,
            lambda card: deadwood_of(view.mask & ~(1 << card), _knobs(view).ace),
        )

    def option(self, view: RummyView, played: _Played, points: float, nexts: Sequence[int]) -> Option:
        action, knobs = played.action, _knobs(view)
        if action.kind is RummyActionKind.TAKE:
            card = view.pile[-1]
            return Option(action, points, least_after(view.mask | 1 << card, card, knobs.ace))
        left = view.mask & ~action.cards
        if view.phase is RummyPhase.DRAW:
            return Option(action, points, deadwood_of(left, knobs.ace))
        if action.kind is not RummyActionKind.DISCARD:
            return Option(action, points, least_after(left, view.taken, knobs.ace))
        card = action.cards.bit_length() - 1
        fits = any(fitting(laid.meld.mask, knobs.ace) >> card & 1 for laid in view.melds)
        risk = fmean([fits or completes_meld(hand, card, knobs.ace) for hand in nexts])
        return Option(action, points, deadwood_of(left, knobs.ace), risk)


class Several:
    """Weighs choices of one player in one hand of this game; equal seeds and views give equal figures.

    `actions` bounds what is played out for a choice.
    """

    def __init__(self, game: str, seed: int, *, actions: int = ACTIONS) -> None:
        self._game = game
        self._actions = actions
        self._chances = Chances(seed)
        self._reading: _Reading = _Rummy() if game == "basic_rummy" else _Gin()

    def appraise(self, state: InPlay, seat: int, chosen: Any) -> Appraisal | None:
        """What this choice cost by what the seat could see; None where there was nothing to choose.

        A knock is weighed with its melds laid down in the best way, what is laid off after one is not.
        """
        view = state.view(seat)
        if len(view.legal) < 2 or view.phase is Phase.LAY_OFF:
            return None
        chosen, kind = getattr(chosen, "plain", chosen), self._reading.kind(view)
        options = self._options(view, chosen)
        if len(options) < 2:
            return Appraisal(kind, chosen, game=self._game)
        played, nexts = self._play_out(state, options, chosen, self._actions)
        whole = [one for one in played if len(one.worth) == len(nexts)]
        chains = _chains(whole)
        at = [one.action for one in whole].index(chosen)
        better, cost, error = measured(chains, at)
        told = [self._reading.option(view, one, _compared(one, whole[at]), nexts) for one in played]
        told.sort(key=lambda one: -one.points)
        best = None if better is None else whole[better].action
        return Appraisal(kind, chosen, best, cost, error, tuple(told), self._game)

    def advise(self, state: InPlay, game: GameView) -> Advice:
        """What the plain bot would do, or what beats it by more than a standard error, in points of the hand.

        The error is that of its difference to the next best.
        """
        view = state.view(state.turn)
        usual = self._bot(self._chances).choose(view, game)
        options = self._options(view, usual)
        if len(options) < 2:
            return Advice(usual, (), 0.0)
        played, nexts = self._play_out(state, options, usual, min(self._actions, HINT_ACTIONS))
        whole = [one for one in played if len(one.worth) == len(nexts)]
        at = [one.action for one in whole].index(usual)
        better, _cost, _error = measured(_chains(whole), at)
        first = whole[at if better is None else better]
        rest = sorted([one for one in played if one is not first], key=lambda one: -_compared(one, first))
        ahead = [one - other for one, other in zip(first.worth, rest[0].worth, strict=False)]
        estimates = [
            Estimate(one.action, _compared(one, first), len(one.worth), is_chance=False)
            for one in (first, *rest)
        ]
        return Advice(first.action, tuple(estimates), error_of(ahead))

    def _options(self, view: Any, always: Any) -> list[Any]:
        options = self._reading.candidates(view, self._chances)
        return options if always in options else [*options, always]

    def _bot(self, chances: Chances) -> Any:
        return STEADY.others[self._game](None, chances)

    def _play_out(
        self, state: InPlay, options: Sequence[Any], always: Any, actions: int
    ) -> tuple[list[_Played], list[int]]:
        """The options with what each came to, `always` in all guesses, and the next player's hand in each."""
        played, spent = [_Played(option) for option in options], 0
        nexts: list[int] = []
        scorer, seeds = Scorer(state), count(self._chances.one_of(range(1 << 30)))
        while len(nexts) < _FEWEST or spent < actions * _FIRST:
            spent += self._roll(state, scorer, played, next(seeds), nexts)
        others = sorted([one for one in played if one.action != always], key=lambda one: -fmean(one.worth))
        better = others[: max(1, (len(played) + 1) // 2 - 1)]
        going = [one for one in played if one.action == always or one in better]
        while spent < actions:
            spent += self._roll(state, scorer, going, next(seeds), nexts)
        return played, nexts

    def _roll(
        self, state: InPlay, scorer: "Scorer", going: Sequence[_Played], seed: int, nexts: list[int]
    ) -> int:
        """Plays these options out in one guess, and notes the next player's hand; returns what was spent."""
        seat = state.turn
        put_back = self._reading.puts_back(state.view(seat))
        guess = state.guessed(seed, _draws_of_others(state), put_back)
        nexts.append(guess.hands[state.follows(seat)])
        spent = 0
        for one in going:
            hand = guess.copied()
            hand.act(one.action)
            one.undercut += one.action.kind is ActionKind.KNOCK and scorer.is_undercut(hand.view(seat))
            # Not the numbers by which the cards were guessed.
            bot = self._bot(Chances(~seed))
            while not hand.is_over:
                hand.act(bot.choose(hand.view(hand.turn), scorer.game))
            one.worth.append(scorer.worth(hand, seat))
            spent += len(hand.actions) + _BESIDES
        return spent


class Scorer:
    """Scores hands like this one, each seat by its side."""

    def __init__(self, state: InPlay) -> None:
        self._kind = kind_of_game(state.rules)
        self._sides = state.sides
        sides = [
            tuple([state.players[seat] for seat, own in enumerate(self._sides) if own == side])
            for side in range(max(self._sides) + 1)
        ]
        named = tuple([SheetSide(players[0], players) for players in sides])
        self._frame = Frame(self._kind.rules_in_force(state.rules, named), named)
        rules = self._frame.rules
        self._box = rules.box_bonus if rules.box_credit == "at_once" else 0
        self.game = GameView(rules.target, ())

    def worth(self, hand: InPlay, seat: int) -> float:
        """The points of the seat's side, less those of the others on average."""
        scores = [self._kind.score_hand(self._frame.rules, result) for result in hand.results]
        points = [0] * len(self._frame.sides)
        for win in self._kind.wins(self._frame, None, Deal(hand.results), scores):
            points[win.side] += win.points + win.boxes * self._box
            for side, off in win.penalties:
                points[side] -= off
        own = points.pop(self._sides[seat])
        return own - sum(points) / len(points)

    def is_undercut(self, view: View) -> bool:
        """Whether the knock of this seat is undercut."""
        return self._kind.score_hand(self._frame.rules, view.result).outcome in UNDERCUTS


def _draws_of_others(state: InPlay) -> list[int]:
    """The seats of the others, in turn, each as often as it has drawn from the stock."""
    turns = range(max(state.draws))
    return [
        seat
        for turn in turns
        for seat, count in enumerate(state.draws)
        if seat != state.turn and turn < count
    ]


def _chains(played: Sequence[_Played]) -> list[Chain]:
    """By guess what each option came to."""
    return [
        tuple([(worth,) for worth in guess]) for guess in zip(*[one.worth for one in played], strict=True)
    ]


def _compared(one: _Played, measure: _Played) -> float:
    """The mean worth; of an option that was left behind by its distance to one that was not."""
    shared = len(one.worth)
    return fmean(one.worth) - fmean(measure.worth[:shared]) + fmean(measure.worth)


def _with_few_discards(
    options: Sequence[Any], card_of: Callable[[Any], int], left_without: Callable[[int], int]
) -> list[Any]:
    """The options with only those discards that leave least, of equal ones the highest cards."""
    discards = [one for one in options if one.kind == ActionKind.DISCARD]
    discards.sort(key=lambda one: (left_without(card_of(one)), -CARD_VALUES[card_of(one)]))
    return [one for one in options if one.kind != ActionKind.DISCARD] + discards[:_MOST_DISCARDS]


def _knobs(view: RummyView) -> RummyKnobs:
    return cast("RummyKnobs", view.rules.own)
