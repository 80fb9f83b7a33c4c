"""Shares with their intervals, and ratings, beside worked examples and by what has to hold."""

import math
import random
from itertools import combinations, permutations

import pytest

from games.arena.figures import Encounter, share_of
from games.arena.pairs import PlayedPair
from games.arena.ratings import rate
from games.bots import HouseBot, Strategy
from scoring.core.skills import Skill
from tests.games.test_arena import decided

LOST, SPLIT, WON = 0.0, 0.5, 1.0


def test_interval_of_a_published_example() -> None:
    """A. Agresti, Categorical Data Analysis (2nd ed.), 10.1: 1,600 asked twice whether they approve.

    150 changed to no and 86 to yes; the difference of the two proportions is 0.04, between 0.02 and 0.06.
    As pairs of games: 1,364 shared, 150 won by the one, 86 by the other; the share is ½ more half of it.
    """
    share = share_of([SPLIT] * (794 + 570) + [WON] * 150 + [LOST] * 86)
    assert share.pairs == 1600
    assert 2 * share.mean - 1 == pytest.approx(0.04)
    assert round(2 * share.low - 1, 2) == 0.02
    assert round(2 * share.high - 1, 2) == 0.06
    # The standard error there is 0.0095.
    assert 2 * share.error == pytest.approx(0.0095, abs=0.0001)


def test_interval_worked_by_hand() -> None:
    """Ten pairs all won: 10/12 of the pairs ahead, its error √(11 − 100/12)/12."""
    share = share_of([WON] * 10)
    ahead, error = 10 / 12, math.sqrt(8 / 3) / 12
    assert share.mean == 1
    assert share.error == pytest.approx(error / 2)
    assert share.low == pytest.approx((1 + ahead - 1.959964 * error) / 2, abs=1e-6)
    assert share.high == 1


@pytest.mark.parametrize("scores", [[WON], [LOST], [SPLIT], [WON, LOST], [0.25, 0.75, WON], [SPLIT] * 500])
def test_interval_holds_what_was_seen(scores: list[float]) -> None:
    share = share_of(scores)
    assert 0 <= share.low < share.mean + 1e-12
    assert share.mean - 1e-12 < share.high <= 1
    assert share.low < share.high
    other = share_of([1 - score for score in scores])
    assert other.low == pytest.approx(1 - share.high)
    assert share.of_the_other().low == pytest.approx(other.low)
    assert share.of_the_other().mean == pytest.approx(other.mean)


@pytest.mark.parametrize("pairs", [10, 40, 200])
@pytest.mark.parametrize(("won", "lost"), [(0.25, 0.25), (0.5, 0.1), (0.8, 0.0), (0.4, 0.3)])
def test_interval_holds_the_truth_in_95_of_100(pairs: int, won: float, lost: float) -> None:
    """Of 2,000 samples, of which three standard errors are 1.5 %; small samples are too coarse to hit 95."""
    rng = random.Random(pairs)
    truth = won + (1 - won - lost) / 2
    held = 0
    for _ in range(2_000):
        share = share_of(rng.choices([WON, LOST, SPLIT], [won, lost, 1 - won - lost], k=pairs))
        held += share.low <= truth <= share.high
    assert 0.92 < held / 2_000 < 0.99


# Ratings.


def bots(*names: str) -> list[HouseBot]:
    return [decided(name) for name in names]


def meetings(
    players: list[HouseBot], strengths: dict[str, float], pairs: int, seed: int = 1
) -> list[Encounter]:
    """What players of those strengths (as natural logarithms of odds) may make of their games."""
    rng = random.Random(seed)
    found = []
    for one, other in combinations(players, 2):
        wins = 1 / (1 + math.exp(strengths[other.strategy.name] - strengths[one.strategy.name]))
        played = [
            PlayedPair((float(rng.random() < wins), float(rng.random() < wins)), 20, 0, (1, 1), (0, 0))
            for _ in range(pairs)
        ]
        found.append(Encounter(one, other, tuple(played)))
    return found


def test_one_pair_by_the_published_formula() -> None:
    """R. Weng and C.-J. Lin (2011), algorithm 1, without τ: two games won by the same, all of it moved so
    that `simple` stands at 25."""
    one, other = bots("other", "simple")
    mu, variance = [25.0, 25.0], [(25 / 3) ** 2] * 2
    for _ in range(2):
        c = math.sqrt(sum(variance) + 2 * (25 / 6) ** 2)
        expected = 1 / (1 + math.exp((mu[1] - mu[0]) / c))
        mu = [mu[0] + variance[0] / c * (1 - expected), mu[1] - variance[1] / c * (1 - expected)]
        gammas = [math.sqrt(each) / c for each in variance]
        variance = [
            each * max(1 - gamma * each / c**2 * expected * (1 - expected), 0.0001)
            for each, gamma in zip(variance, gammas, strict=True)
        ]
    rated = rate([Encounter(one, other, (PlayedPair((1, 1), 20, 0, (1, 1), (0, 0)),))])
    assert rated["simple"].mu == 25
    assert rated["other"].mu == pytest.approx(25 + mu[0] - mu[1], abs=1e-5)
    assert rated["other"].sigma == pytest.approx(math.sqrt(variance[0]), abs=1e-5)


def test_ratings_follow_strengths() -> None:
    """100 points shown are 100/30 of μ, over c = β·√2 when all is known: odds of e^0.566."""
    players = bots("a", "b", "simple", "z")
    truth = {"a": 1.0, "b": 0.5, "simple": 0.0, "z": -1.5}
    rated = rate(meetings(players, truth, 250))
    c = 25 / 6 * math.sqrt(2)
    assert rated["simple"].mu == 25
    for name, strength in truth.items():
        # 1,500 games each: the error of a difference is about 0.1 · c.
        assert rated[name].mu == pytest.approx(25 + strength * c, abs=0.3 * c), name
        assert 0.3 < rated[name].sigma < 1.5


def test_who_won_as_much_of_everybody_is_rated_alike() -> None:
    """Whatever the order in which it came: the early and the late winner of as many games end close."""
    won, lost = PlayedPair((1, 1), 20, 0, (1, 1), (0, 0)), PlayedPair((0, 0), 20, 0, (1, 1), (0, 0))
    early, late, simple = bots("early", "late", "simple")
    split = PlayedPair((1, 0), 20, 0, (1, 1), (0, 0))
    half = 40
    rated = rate(
        [
            Encounter(early, late, (split,) * 2 * half),
            Encounter(early, simple, (won,) * half + (lost,) * half),
            Encounter(late, simple, (lost,) * half + (won,) * half),
        ]
    )
    assert abs(rated["early"].mu - rated["late"].mu) < rated["early"].sigma / 2


@pytest.mark.parametrize("known", [{}, {"c": Skill(40, 1)}])
def test_without_simple_newcomers_stand_around_the_middle(known: dict[str, Skill]) -> None:
    one, other = bots("a", "b")
    rated = rate([Encounter(one, other, (PlayedPair((1, 1), 20, 0, (1, 1), (0, 0)),) * 5)], known)
    assert rated["a"].mu + rated["b"].mu == pytest.approx(50, abs=1e-5)
    assert rated["a"].mu > 25


def test_without_simple_known_bots_keep_their_average() -> None:
    players = bots("a", "b", "c")
    known = {"a": Skill(30, 1), "b": Skill(34, 1), "elsewhere": Skill(90, 1)}
    rated = rate(meetings(players, {"a": 0, "b": 1, "c": 2}, 50), known)
    assert (rated["a"].mu + rated["b"].mu) / 2 == pytest.approx(32, abs=1e-5)
    assert rated["c"].mu > rated["b"].mu > rated["a"].mu


def test_a_draw_is_half_a_win() -> None:
    one, other = bots("a", "simple")
    drawn = rate([Encounter(one, other, (PlayedPair((0.5, 0.5), 1000, 0, (1, 1), (0, 0)),))])
    assert drawn["a"].mu == pytest.approx(25)


def test_names_of_strategies_need_not_be_of_the_house() -> None:
    strategy = Strategy("mine", "Mine.", decided("mine").strategy.sit_down)
    for one, other in permutations([HouseBot.of(strategy), decided("yours")]):
        rated = rate([Encounter(one, other, (PlayedPair((1, 0), 9, 0, (1, 1), (0, 0)),))])
        assert rated["mine"].mu == pytest.approx(rated["yours"].mu, abs=3)
