"""The expected score of a match: the chance that the first side wins, a draw being half a win.

Three kinds of opinions are weighed by how well they have foretold the club's matches so far:

- 1/2: luck decides;
- Elo: the logistic curve on 400 points, K = 20 (*FIDE Rating Regulations*, 8), everybody begins level;
- the ratings of this club (`ratings`), read as if the strengths of its field had a standard deviation of so
  many units of the logistic curve (`FIELDS`). They begin with the wide prior of openskill, which is too bold
  for a game of luck: the rating of a few matches says much in a field that is uneven, and is luck in one that
  is level. So the prior is taken out of the normal distribution, and the field's put in: with the precision
  1/σ² − 1/σ₀² of what was played, at the mean it has without the prior, a strength is normal again, the
  nearer the middle the narrower the field. The chance is the logistic of the difference over √(1 + πv/8), v
  being its variance (D. MacKay, *The Evidence Framework Applied to Classification Networks*, Neural
  Computation 4, 1992).

What is told is their mean by weight. Each kind begins with a third. After a match every weight is multiplied
by the chance its opinion gave to what happened, for a draw by the root of both chances: so an expectation
rests on earlier matches alone. Who is right may change, as when all are known at last, so after every 50
matches weights go back a tenth of the way to the first, w^0.9 · w₀^0.1. Whatever n matches are played, the
logarithmic losses add up to at most ln 3 · (1 + n/500) more than those of 1/2, and of Elo (V. Vovk,
*Aggregating Strategies*, COLT 1990; N. Cesa-Bianchi and G. Lugosi, *Prediction, Learning, and Games*, 2006,
chapter 3; as √(p(1 − p)) is concave it holds for draws, and by Hölder's inequality for what goes back).

Sides of different sizes are weighed apart. A side is as strong as its players on average: a deal of teams
adds up the hands of all tables, so its mean and its variance grow alike, and the chance to come to the target
first stays (gambler's ruin: W. Feller, *An Introduction to Probability Theory and Its Applications* I, XIV).
Ratings add players up, which fits those learned in teams better; of teams both are asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import copysign, exp, log, pi, sqrt
from operator import mul, sub
from typing import Final, NamedTuple

from league.core.ratings import PROVISIONAL_BELOW, RatedMatch, Ratings, RatingsError, Step
from scoring.core.messages import mark
from scoring.core.skills import BETA, MIDDLE, NEWCOMER, PLACES, Skill

LEVEL: Final = 0.0
FIELDS: Final = (0.15, 0.3, 0.6, 1.2)
# Below so many matches of a size nothing is told: the weights are nearly those that were given first.
ENOUGH_MATCHES: Final = 30

_K: Final = 20
_ELO_STEP: Final = log(10) / 400
# The unit of the ratings' own logistic curve, between players whose strengths are known.
_UNIT: Final = BETA * sqrt(2)
_UNIT_SQUARED: Final = _UNIT * _UNIT
_PRIOR_PRECISION: Final = _UNIT_SQUARED / NEWCOMER.sigma**2
_PRECISIONS: Final = tuple(1 / deviation**2 for deviation in FIELDS)
_SPREAD: Final = pi / 8
_FARTHEST: Final = 15.0
_SPAN: Final = 50
_KEPT: Final = 0.9
_LEAST_WEIGHT: Final = 1e-9
_WEIGHT_PLACES: Final = 12


class Form(NamedTuple):
    """What is known of a player before a match: the rating's mean and deviation, and the Elo figure."""

    mu: float
    sigma: float
    elo: float


@dataclass(frozen=True, slots=True)
class Weighing:
    """How many matches of a size have been weighed, and the weights after them."""

    matches: int
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Expectations:
    """Elo figures by player, weighings by players on the larger side, what was expected of matches of two."""

    elos: dict[int, float]
    weighings: dict[int, Weighing]
    scores: list[float]


def expect(matches: Iterable[RatedMatch], ratings: Ratings) -> Expectations:
    """Return the expected score of the first side before each match, and what the next are told from.

    `ratings` are what `rate` has made of the same matches; others are refused (`not_rated`). An expectation
    depends on earlier matches alone. Of tables of more than two sides nothing is expected, and they move no
    Elo figure.
    """
    elos: dict[int, float] = {}
    weighed: dict[int, _Weights] = {}
    scores: list[float] = []
    steps = iter(ratings.steps)
    for match in matches:
        if match.places:
            for player in chain.from_iterable(match.sides):
                _before(player, match.id, steps)
                elos.setdefault(player, LEVEL)
            continue
        first, second = match.sides
        a = [Form(*_before(player, match.id, steps), elos.get(player, LEVEL)) for player in first]
        b = [Form(*_before(player, match.id, steps), elos.get(player, LEVEL)) for player in second]
        size = max(len(first), len(second))
        weights = weighed.get(size)
        if weights is None:
            weights = weighed[size] = _Weights(size)
        opinions = _opinions(a, b)
        scores.append(weights.learn(opinions, match.winner))
        gain = _K * ((0.5 if match.winner is None else 1.0 - match.winner) - opinions[1])
        for player, form in zip(first, a, strict=True):
            elos[player] = round(form.elo + gain, PLACES)
        for player, form in zip(second, b, strict=True):
            elos[player] = round(form.elo - gain, PLACES)
    if next(steps, None) is not None:
        raise _other_matches()
    return Expectations(elos, {size: weights.now for size, weights in weighed.items()}, scores)


def expected_score(first: Sequence[Form], second: Sequence[Form], weighing: Weighing | None = None) -> float:
    """Return the expected score of the first side, between 0 and 1; the second's is the rest.

    Without a weighing opinions have their first weights. Refused: a side without players (`empty_side`), and
    a weighing of singles for teams or of teams for singles (`wrong_size`).
    """
    if not first or not second:
        raise RatingsError("empty_side", mark("A side has no players."), field="sides")
    weights = first_weights(max(len(first), len(second))) if weighing is None else weighing.weights
    opinions = _opinions(first, second)
    if len(weights) != len(opinions):
        raise RatingsError("wrong_size", mark("This weighing is of another size."), field="weighing")
    score: float = sum(map(mul, opinions, weights)) / sum(weights)
    return score


def first_weights(size: int) -> Sequence[float]:
    """The weights before the first match with so many players on the larger side."""
    readings = len(FIELDS) * (1 if size == 1 else 2)
    return (1 / 3, 1 / 3, *(1 / (3 * readings) for _ in range(readings)))


def is_telling(weighing: Weighing | None, matches: Iterable[int]) -> bool:
    """True if enough is known to tell: of matches of that size, and of each player's own."""
    return (
        weighing is not None
        and weighing.matches >= ENOUGH_MATCHES
        and all(own >= PROVISIONAL_BELOW for own in matches)
    )


def percent(score: float) -> int:
    """An expected score in whole per cent, never 0 or 100; the other side's is the rest of 100."""
    return min(max(round(100 * score), 1), 99)


class _Weights:
    """The weights of opinions on matches of one size, up to a factor; `whole` is their sum."""

    __slots__ = ("first", "matches", "weights", "whole")

    def __init__(self, size: int) -> None:
        self.matches = 0
        self.first = first_weights(size)
        self.weights = list(self.first)
        self.whole = sum(self.weights)

    def learn(self, opinions: Sequence[float], winner: int | None) -> float:
        """Return the expected score, then multiply the weights by the chances of what happened."""
        won = list(map(mul, self.weights, opinions))
        score: float = sum(won) / self.whole
        if winner == 0:
            self.weights = won
        elif winner == 1:
            self.weights = list(map(sub, self.weights, won))
        else:
            both = zip(self.weights, opinions, strict=True)
            self.weights = [weight * sqrt(chance * (1 - chance)) for weight, chance in both]
        self.whole = sum(self.weights)
        self.matches += 1
        if self.matches % _SPAN == 0:
            both = zip(self.in_parts(), self.first, strict=True)
            self.weights = [part**_KEPT * first ** (1 - _KEPT) for part, first in both]
            self.whole = sum(self.weights)
        return score

    def in_parts(self) -> list[float]:
        """The weights as parts of 1; no opinion is lost for good."""
        return [max(weight / self.whole, _LEAST_WEIGHT) for weight in self.weights]

    @property
    def now(self) -> Weighing:
        return Weighing(self.matches, tuple(round(weight, _WEIGHT_PLACES) for weight in self.in_parts()))


def _before(player: int, match: int, steps: Iterator[Step]) -> Skill:
    """The rating of a player before the match, from the next step."""
    step = next(steps, None)
    if step is None or step.player != player or step.match != match:
        raise _other_matches()
    return step.before


def _other_matches() -> RatingsError:
    return RatingsError("not_rated", mark("The ratings are of other matches."), field="ratings")


def _opinions(first: Sequence[Form], second: Sequence[Form]) -> list[float]:
    """The chances of the first side: 1/2, Elo, the ratings in each field; of teams on average, then added."""
    if len(first) == len(second) == 1:
        return _of_two(first[0], second[0])
    sizes = len(first), len(second)
    by_elo = sum(form.elo for form in first) / sizes[0] - sum(form.elo for form in second) / sizes[1]
    opinions = [0.5, _logistic(_ELO_STEP * by_elo)]
    a, b = ([_played(form) for form in side] for side in (first, second))
    for divisors in (sizes, (1, 1)):
        for field in _PRECISIONS:
            ahead = variance = 0.0
            for side, share in ((a, 1 / divisors[0]), (b, -1 / divisors[1])):
                for precision, pull in side:
                    ahead += share * pull / (precision + field)
                    variance += share**2 / (precision + field)
            opinions.append(_logistic(ahead / sqrt(1 + _SPREAD * variance)))
    return opinions


def _of_two(a: Form, b: Form) -> list[float]:
    """The same of two players, as most matches are: this is what a recalculation takes its time for."""
    opinions = [0.5, _logistic(_ELO_STEP * (a.elo - b.elo))]
    (precision_a, pull_a), (precision_b, pull_b) = _played(a), _played(b)
    for field in _PRECISIONS:
        of_a, of_b = 1 / (precision_a + field), 1 / (precision_b + field)
        ahead = pull_a * of_a - pull_b * of_b
        opinions.append(_logistic(ahead / sqrt(1 + _SPREAD * (of_a + of_b))))
    return opinions


def _played(form: Form) -> tuple[float, float]:
    """What a player's matches say without the prior, in units: precision, and mean times precision."""
    mu, sigma, _elo = form
    precision = _UNIT_SQUARED / (sigma * sigma)
    pull = (mu - MIDDLE) / _UNIT * precision
    return (precision - _PRIOR_PRECISION if precision > _PRIOR_PRECISION else 0.0), pull


def _logistic(ahead: float) -> float:
    if -_FARTHEST < ahead < _FARTHEST:
        return 1 / (1 + exp(-ahead))
    return 1 / (1 + exp(-copysign(_FARTHEST, ahead)))
