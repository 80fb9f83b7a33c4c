"""Weighs a choice of `expert`: turns the view into arrays, updates the samples, plays every choice out."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from games.bots.base import Estimate, GameView
from games.bots.inference import Guesses, History, drawn_so_far
from games.bots.kernel import kernel, quickest
from games.bots.kernel_ends import DIFFERENCES, ENDS, RULES_SIZE
from games.bots.kernel_melds import Ints
from games.bots.kernel_play import (
    DISCARD,
    DRAW,
    LAST_KNOCK,
    LAST_OFFER,
    STOCK,
    UPCARD_DEALER,
    UPCARD_ELDER,
)
from games.bots.kernel_policy import (
    AT,
    HAND,
    KNOWN,
    PHASE,
    RUNNING,
    SEEN,
    STATE_SIZE,
    TAKEN,
    TOP,
    TURNS,
)
from games.bots.kernel_rollouts import (
    CARDS,
    DISCARDS,
    DRAWS,
    KNOCKS,
    PASSES,
    SAYS_BIG_GIN,
    SAYS_GIN,
    TAKES_TOP,
)
from games.bots.policies import KINDS_OF_PLAYERS, OWN, POLICIES, READY
from games.bots.winning import score_of_end, worth_of_score
from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_COUNT, CARD_TEXTS, mask_of
from games.gin.view import Phase, View
from scoring.core.errors import HandError
from scoring.core.hands import HandScore, Outcome
from scoring.core.rules import Rules

# The standard errors by which a choice has to beat the policy's own.
SURE: Final = 1.0
# The most discards to play out.
MOST_DISCARDS: Final = 5
# The worth of a certain win of the game.
WHOLE: Final = 1_000_000
# Changes to a sample when something new was observed, and when not.
SETTLING_AT_NEWS: Final = 250
SETTLING: Final = 40
STEPS: Final = 10

_PHASES: Final = {
    Phase.UPCARD_ELDER: UPCARD_ELDER,
    Phase.UPCARD_DEALER: UPCARD_DEALER,
    Phase.STOCK: STOCK,
    Phase.DRAW: DRAW,
    Phase.DISCARD: DISCARD,
    Phase.LAST_OFFER: LAST_OFFER,
    Phase.LAST_KNOCK: LAST_KNOCK,
}
_CHOICES: Final = {
    ActionKind.PASS: PASSES,
    ActionKind.TAKE: TAKES_TOP,
    ActionKind.DRAW: DRAWS,
    ActionKind.DISCARD: DISCARDS,
    ActionKind.KNOCK: KNOCKS,
    ActionKind.GIN: SAYS_GIN,
    ActionKind.BIG_GIN: SAYS_BIG_GIN,
}
OUTCOMES: Final = (Outcome.KNOCK, Outcome.GIN, Outcome.BIG_GIN, Outcome.UNDERCUT, Outcome.GIN_OFF)
# How a hand is played on after an option that is compared: for gin, or to knock as soon as one can.
PLANS: Final = (OWN, READY)
_MOST_CHOICES: Final = 16


class Comparison(NamedTuple):
    """What was compared; `hands` as `Guesses.hands`.

    `by_chain` has for each chain the mean worth of each option by each of the `PLANS` for what follows.
    """

    options: tuple[Action, ...]
    by_chain: tuple[tuple[tuple[float, ...], ...], ...]
    hands: tuple[int, ...]


class Unrehearsed:
    """A policy alone, a block, in the plain kernel: nothing is guessed and nothing played out."""

    def __init__(self, seed: int, policy: Sequence[int]) -> None:
        self._kernel = kernel(compiled=False)
        self._after: Ints = self._kernel.ints(CARD_COUNT)
        self._chances: Ints = [seed]
        self._policy = policy

    def choose(self, view: View, options: Sequence[Action]) -> Action:
        """The policy's choice among these; it takes the last discard where that lets it knock."""
        advice = self._kernel.advised(
            state_of(view, History(view)),
            rules_of(view.rules, view.limit),
            self._policy,
            0,
            self._after,
            self._chances,
        )
        return min(options, key=lambda one: (_choice(one) != advice, one.kind is ActionKind.PASS))


class Rehearsal:
    """The working state of one player in one hand."""

    def __init__(self, samples: int, seed: int, *, compiled: bool | None = None) -> None:
        self._kernel = quickest() if compiled is None else kernel(compiled=compiled)
        self._samples = samples
        self._seed = seed
        self._turns = -1
        ints = self._kernel.ints
        self._guesses = Guesses(self._kernel, samples)
        self._begin: Ints = ints(STATE_SIZE)
        self._state: Ints = ints(STATE_SIZE)
        self._deck: Ints = ints(CARD_COUNT)
        self._after: Ints = ints(CARD_COUNT)
        self._rules: Ints = ints(RULES_SIZE)
        self._worth: Ints = ints(ENDS)
        self._choices: Ints = ints(_MOST_CHOICES)
        self._lefts: Ints = ints(_MOST_CHOICES)
        # By choice and chain.
        self._sums: Ints = ints(_MOST_CHOICES * self._guesses.count)
        self._policies: Ints = self._kernel.ints_of(POLICIES)
        # Two generators, so that play does not affect the samples.
        self._chances: Ints = ints(1)
        self._chances_of_play: Ints = ints(1)
        self._chances[0] = seed
        self._valued: tuple[Rules, GameView, int | None] | None = None

    def weigh(self, view: View, game: GameView, options: Sequence[Action]) -> tuple[Estimate, ...]:
        """The choices with their chances to win, the best first."""
        self._look_at(view)
        self._value(view, game)
        options = self._policy_choice_first(self._without_poor_discards(view, options))
        self._note(view, options)
        played = self._play_out(view, len(options))
        weighed = [
            Estimate(option, sum(self._sums_of(number)) / played[number] / WHOLE, played[number])
            for number, option in enumerate(options)
        ]
        by_chain = [self._sums_of(number) for number in range(len(options))]
        best = surely_best(by_chain, played, self._counts(played[0]))
        rest = sorted(weighed[:best] + weighed[best + 1 :], key=lambda one: -one.value)
        return (weighed[best], *rest)

    def compare(
        self, view: View, worth: Sequence[int], options: Sequence[Action], always: Action
    ) -> Comparison:
        """The options with what each is worth on average in every chain of samples.

        Poor discards are left out, but `always` is not. None is given up early, and all meet the same cards
        and chances, so that any two may be compared. `worth` is by number of an end, as in `worth_of_ends`.
        """
        self._look_at(view)
        self._valued = None
        _fill(self._worth, worth)
        weighed = self._without_poor_discards(view, options)
        if always not in weighed:
            weighed.append(always)
        by_plan = []
        for plan in PLANS:
            self._note(view, weighed)
            self._roll(view, range(len(weighed)), 0, self._samples, len(weighed), plan)
            by_plan.append([self._sums_of(number) for number in range(len(weighed))])
        by_chain = [
            tuple(
                [tuple([sums[number][chain] / count for sums in by_plan]) for number in range(len(weighed))]
            )
            for chain, count in enumerate(self._counts(self._samples))
        ]
        return Comparison(tuple(weighed), tuple(by_chain), tuple(self._guesses.hands(view)))

    def _look_at(self, view: View) -> None:
        """Updates the samples, and the hand from which choices are played out."""
        history = History(view)
        self.follow(view, history)
        _fill(self._begin, state_of(view, history))

    def _note(self, view: View, options: Sequence[Action]) -> None:
        """The options as the kernel plays them, with nothing played yet."""
        for number, option in enumerate(options):
            self._choices[number] = _choice(option)
            self._lefts[number] = 0 if option.card is None else view.after[option.card]
        _fill(self._sums, [0] * (len(options) * self._guesses.count))

    def follow(self, view: View, history: History) -> Guesses:
        """The samples, updated to what has been observed by now."""
        _fill(self._rules, rules_of(view.rules, view.limit))
        news = len(history.rows) != self._turns
        self._turns = len(history.rows)
        self._guesses.follow(
            view,
            history,
            settling=SETTLING_AT_NEWS if news else SETTLING,
            steps=STEPS,
            kinds=KINDS_OF_PLAYERS,
            rules=self._rules,
            policies=self._policies,
            after=self._after,
            chances=self._chances,
        )
        return self._guesses

    def _without_poor_discards(self, view: View, options: Sequence[Action]) -> list[Action]:
        """The options with only the discards that the policy likes best."""
        if view.phase is not Phase.DISCARD:
            return list(options)
        self._kernel.score_discards(self._policies, OWN, self._begin, self._rules, self._after)
        discards = [one for one in options if one.kind is ActionKind.DISCARD]
        discards.sort(key=lambda one: int(self._after[one.card or 0]))
        return [one for one in options if one.kind is not ActionKind.DISCARD] + discards[:MOST_DISCARDS]

    def _policy_choice_first(self, options: Sequence[Action]) -> list[Action]:
        """The options with the policy's own choice first, against which the others are measured."""
        advice = int(
            self._kernel.advised(self._begin, self._rules, self._policies, OWN, self._after, self._chances)
        )
        return sorted(options, key=lambda one: _choice(one) != advice)

    def _play_out(self, view: View, how_many: int) -> list[int]:
        """Plays all choices with a quarter of the samples, the better half with the rest; returns counts."""
        played = [0] * how_many
        going = list(range(how_many))
        done = 0
        for upto in (max(1, self._samples // 4), self._samples):
            if upto > done:
                self._roll(view, going, done, upto - done, how_many)
                for number in going:
                    played[number] = upto
                done = upto
            others = sorted(going[1:], key=lambda number: -sum(self._sums_of(number)))
            going = [0, *others[: max(1, how_many // 2)]]
        return played

    def _sums_of(self, number: int) -> list[int]:
        """The outcomes of a choice, by chain."""
        chains = self._guesses.count
        return [int(self._sums[place]) for place in range(number * chains, (number + 1) * chains)]

    def _counts(self, samples: int) -> list[int]:
        """How many of so many samples are of each chain, which come in turn."""
        chains = self._guesses.count
        return [len(range(chain, samples, chains)) for chain in range(chains)]

    def _roll(
        self, view: View, going: Sequence[int], done: int, samples: int, how_many: int, plan: int = OWN
    ) -> None:
        self._kernel.roll_out(
            self._guesses.chains,
            self._guesses.count,
            self._guesses.in_a_row,
            done,
            samples,
            self._guesses.places,
            self._guesses.total,
            view.unseen.mask,
            self._seed,
            self._begin,
            self._choices,
            self._lefts,
            sum([1 << number for number in going]),
            how_many,
            self._worth,
            self._sums,
            self._state,
            self._deck,
            self._rules,
            self._policies,
            plan,
            self._after,
            self._chances_of_play,
        )

    def _value(self, view: View, game: GameView) -> None:
        if self._valued != (view.rules, game, view.upcard):
            self._valued = view.rules, game, view.upcard
            _fill(self._worth, worth_of_ends(view.rules, game, view.upcard))


def surely_best(by_chain: Sequence[Sequence[int]], played: Sequence[int], counts: Sequence[int]) -> int:
    """The option that beats the first one significantly, and by most; else the first.

    `by_chain` has the sum of outcomes of each option in each chain, of so many samples as `counts` has;
    options that were `played` out less often than the first are out. Samples of one chain are much alike, so
    the error is that between the chains.
    """
    best, most = 0, 0.0
    firsts, chains = by_chain[0], len(counts)
    if chains < 2:
        return best
    for number in range(1, len(played)):
        if played[number] < played[0]:
            continue
        aheads = [one - first for one, first in zip(by_chain[number], firsts, strict=True)]
        ahead = sum(aheads) / played[0]
        squares = sum([(one - ahead * count) ** 2 for one, count in zip(aheads, counts, strict=True)])
        error = (squares * chains / (chains - 1)) ** 0.5 / played[0]
        surely = ahead - SURE * error
        if surely > most:
            best, most = number, surely
    return best


def _choice(action: Action) -> int:
    return _CHOICES[action.kind] * CARDS + (action.card or 0)


@lru_cache(maxsize=256)
def worth_of_ends(rules: Rules, game: GameView, upcard: int | None) -> tuple[int, ...]:
    """By number of an end, with the player as seat 0: the chance to win the game, out of `WHOLE`."""
    text = None if upcard is None else CARD_TEXTS[upcard]
    worth = [
        0 if score is None else _worth(rules, game, sign * score.points, score.boxes, sign * score.penalty)
        for sign, score in _scores(rules, text)
    ]
    return (*worth, _worth(rules, game, 0, 0, 0))


@lru_cache(maxsize=256)
def points_of_ends(rules: Rules, upcard: int | None) -> tuple[int, ...]:
    """By number of an end, with the player as seat 0: the points of the hand, below 0 the opponent's.

    A box counts where it is credited at once.
    """
    text = None if upcard is None else CARD_TEXTS[upcard]
    box = rules.box_bonus if rules.box_credit == "at_once" else 0
    points = [
        0 if score is None else sign * (score.points + score.penalty + score.boxes * box)
        for sign, score in _scores(rules, text)
    ]
    return (*points, 0)


def _scores(rules: Rules, upcard: str | None) -> Iterator[tuple[int, HandScore | None]]:
    """Every end in the order of their numbers: the sign of who won, and its score if a hand ends so."""
    for sign, outcome, difference in product((1, -1), OUTCOMES, range(DIFFERENCES)):
        try:
            yield sign, score_of_end(rules, outcome, difference, upcard)
        except HandError:
            yield sign, None


@lru_cache(maxsize=4096)
def _worth(rules: Rules, game: GameView, points: int, boxes: int, penalty: int) -> int:
    return round(worth_of_score(rules, game, points, boxes, penalty) * WHOLE)


def rules_of(rules: Rules, limit: int) -> list[int]:
    """The rules in the order of `kernel_ends.LIMIT` …, of a hand with this limit."""
    return [
        limit,
        (1 << 13) if rules.ace == "low_or_high" else 0,
        int(rules.big_gin_bonus is not None),
        int(rules.undercut_on_tie),
        int(rules.stock_end == "fiftieth_card"),
        int(rules.discard_taken_card != "always"),
        int(rules.discard_taken_card == "never"),
    ]


def state_of(view: View, history: History) -> list[int]:
    """The hand in the order of `kernel_policy.HAND` …, the player at seat 0; opposing cards are blank."""
    other = 1 - view.seat
    state = [0] * STATE_SIZE
    state[HAND] = view.mask
    state[HAND + 1] = state[KNOWN + 1] = view.known
    state[KNOWN] = history.known[view.seat]
    state[TURNS], state[TURNS + 1] = history.turns[view.seat], history.turns[other]
    state[PHASE] = _PHASES[view.phase]
    state[TOP] = view.pile[-1] if view.pile else 0
    state[SEEN] = mask_of(view.pile)
    state[RUNNING] = history.running
    state[TAKEN] = -1 if view.taken is None else view.taken
    state[AT] = drawn_so_far(view)
    return state


def _fill(numbers: Ints, given: Sequence[int]) -> None:
    for place, number in enumerate(given):
        numbers[place] = number
