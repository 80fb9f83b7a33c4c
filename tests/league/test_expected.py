"""Expected scores: worked by the formulas, and what has to hold whatever is played."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.expected import (
    ENOUGH_MATCHES,
    FIELDS,
    LEVEL,
    Expectations,
    Form,
    Weighing,
    expect,
    expected_score,
    first_weights,
    is_telling,
    percent,
)
from league.core.ratings import PROVISIONAL_BELOW, RatedMatch, RatingsError, rate
from scoring.core.skills import NEWCOMER
from tests.league.test_ratings import seasons
from tests.refusals import refuses

ANN, BOB, CID, DOT = 1, 2, 3, 4
NEW = Form(*NEWCOMER, LEVEL)
UNIT = 25 / 6 * math.sqrt(2)


def told(matches: Sequence[RatedMatch]) -> Expectations:
    return expect(matches, rate(matches))


def loss(chance: float, winner: int | None) -> float:
    """The logarithmic loss; of a draw half of each side's."""
    score = 0.5 if winner is None else 1 - winner
    return -score * math.log(chance) - (1 - score) * math.log(1 - chance)


def elos_of(matches: Sequence[RatedMatch]) -> list[float]:
    """Elo's chances by the book: 400 points, K = 20, sides on average."""
    elo: dict[int, float] = {}
    chances = []
    for match in matches:
        a, b = (sum(elo.get(player, 0) for player in side) / len(side) for side in match.sides)
        chances.append(1 / (1 + 10 ** ((b - a) / 400)))
        score = 0.5 if match.winner is None else 1 - match.winner
        for side, sign in zip(match.sides, (1, -1), strict=True):
            for player in side:
                elo[player] = elo.get(player, 0) + sign * 20 * (score - chances[-1])
    return chances


def read_in(form: Form, field: float) -> tuple[float, float]:
    """A rating with the prior of a field: the product of two normal distributions over a third, in units."""
    mean, var = (form.mu - 25) / UNIT, (form.sigma / UNIT) ** 2
    wide = (25 / 3 / UNIT) ** 2
    played = 1 / var - 1 / wide
    of_played = (mean / var) / played if played > 1e-9 else 0.0
    new = 1 / (played + 1 / field**2)
    return new * played * of_played, new


def test_an_expectation_by_hand() -> None:
    """Ann is 120 Elo and 2 of mu ahead: the opinions one by one, then by weight."""
    ann, bob = Form(26.5, 2.0, 70.0), Form(24.5, 3.0, -50.0)
    opinions = [0.5, 1 / (1 + 10 ** (-120 / 400))]
    for field in FIELDS:
        (mean_a, var_a), (mean_b, var_b) = read_in(ann, field), read_in(bob, field)
        ahead = (mean_a - mean_b) / math.sqrt(1 + math.pi / 8 * (var_a + var_b))
        opinions.append(1 / (1 + math.exp(-ahead)))
    assert opinions[1] == pytest.approx(0.66614, abs=1e-5)
    assert 0.5 < opinions[2] < opinions[3] < opinions[4] < opinions[5]
    thirds = opinions[0] / 3 + opinions[1] / 3 + sum(opinions[2:]) / 12
    assert expected_score([ann], [bob]) == pytest.approx(thirds)
    weights = (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)
    by_weight = sum(map(lambda weight, chance: weight * chance, weights, opinions))
    assert expected_score([ann], [bob], Weighing(50, weights)) == pytest.approx(by_weight)


def test_three_matches_by_hand() -> None:
    """Ann beats Bob, then they draw, then Bob wins: the first is even, and opinions gain by what happens."""
    matches = [RatedMatch(number, ((ANN,), (BOB,)), winner) for number, winner in enumerate((0, None, 1))]
    steps = rate(matches).steps
    weights = [1 / 3, 1 / 3, *[1 / 12] * 4]
    for number, (chance, elo) in enumerate(zip(told(matches).scores, elos_of(matches), strict=True)):
        a, b = (Form(*step.before, 0) for step in steps[2 * number : 2 * number + 2])
        opinions = [0.5, elo]
        for field in FIELDS:
            (mean_a, var_a), (mean_b, var_b) = read_in(a, field), read_in(b, field)
            ahead = (mean_a - mean_b) / math.sqrt(1 + math.pi / 8 * (var_a + var_b))
            opinions.append(1 / (1 + math.exp(-ahead)))
        assert chance == pytest.approx(
            sum(weight * opinion for weight, opinion in zip(weights, opinions, strict=True)) / sum(weights)
        )
        weights = [
            weight * math.exp(-loss(opinion, matches[number].winner))
            for weight, opinion in zip(weights, opinions, strict=True)
        ]
    assert told(matches).scores[0] == 0.5
    # 20 · ½ for the win; expected 0.5288 and 0.5271 after it.
    ann = 10 - 20 * 0.02875 - 20 * 0.52711
    assert told(matches).elos == pytest.approx({ANN: ann, BOB: -ann}, abs=1e-3)
    after = told(matches).weighings[1]
    assert after.matches == 3
    assert after.weights == pytest.approx([weight / sum(weights) for weight in weights])


def test_who_is_new_and_a_club_without_matches_hear_of_a_half() -> None:
    assert expected_score([NEW], [NEW]) == 0.5
    assert expected_score([NEW, NEW], [NEW, NEW]) == 0.5
    assert told([]) == Expectations({}, {}, [])


def test_luck_is_found_out_and_so_is_skill() -> None:
    """Where all are level expectations go to a half, whatever ratings say, and away from it elsewhere."""
    far = {}
    for field in (0.0, 1.5):
        source = random.Random(1)
        strength = [source.gauss(0, field) for _ in range(12)]
        matches = []
        for number in range(600):
            a, b = source.sample(range(12), 2)
            wins = source.random() < 1 / (1 + math.exp(strength[b] - strength[a]))
            matches.append(RatedMatch(number, ((a,), (b,)), 0 if wins else 1))
        scores = told(matches).scores[300:]
        far[field] = sum(abs(score - 0.5) for score in scores) / len(scores)
    assert far[0.0] < 0.01
    assert far[1.5] > 0.2


def test_teams_are_as_strong_as_their_players_on_average() -> None:
    """By Elo: a pair of which one is 100 ahead is 50 ahead."""
    ahead = [Form(*NEWCOMER, 100), NEW]
    only_elo = Weighing(40, (0, 1, *[0] * 8))
    assert expected_score(ahead, [NEW, NEW], only_elo) == pytest.approx(1 / (1 + 10 ** (-50 / 400)))


@given(seasons())
def test_never_worse_than_a_half_or_elo_by_more_than_a_third_costs(matches: list[RatedMatch]) -> None:
    """The losses of a history, for each size of side: at most ln 3 above the better of the two."""
    scores, elo = told(matches).scores, elos_of(matches)
    for size in (1, 2, 3):
        own = [index for index, match in enumerate(matches) if len(match.sides[0]) == size]
        ours = sum(loss(scores[index], matches[index].winner) for index in own)
        by_elo = sum(loss(elo[index], matches[index].winner) for index in own)
        assert ours <= min(len(own) * math.log(2), by_elo) + math.log(3) + 1e-5


@given(seasons(), st.data())
def test_what_happens_later_changes_no_expectation(matches: list[RatedMatch], data: st.DataObject) -> None:
    begun = data.draw(st.integers(0, len(matches)))
    turned = [replace(match, winner=data.draw(st.sampled_from([0, 1, None]))) for match in matches[begun:]]
    scores = told(matches).scores
    # The expectation of the first of them is from before it, too.
    assert told([*matches[:begun], *turned]).scores[: begun + 1] == scores[: begun + 1]
    assert told(matches[:begun]).scores == scores[:begun]


@given(seasons())
def test_the_next_is_told_as_the_walk_would_tell_it(matches: list[RatedMatch]) -> None:
    """What is stored says of the next match what is expected of it once it is played."""
    if not matches:
        return
    *earlier, last = matches
    so_far, ratings = told(earlier), rate(earlier)
    first, second = (
        [Form(*ratings.players.get(player, NEWCOMER), so_far.elos.get(player, LEVEL)) for player in side]
        for side in last.sides
    )
    weighing = so_far.weighings.get(len(first))
    assert expected_score(first, second, weighing) == pytest.approx(told(matches).scores[-1], abs=1e-9)


forms = st.builds(
    Form, st.floats(-100, 150), st.floats(0.5, 25 / 3), st.floats(-2000, 2000, allow_subnormal=False)
)
weighings = st.lists(st.floats(1e-9, 1), min_size=6, max_size=6).map(lambda each: Weighing(40, tuple(each)))


@given(forms, forms, weighings)
def test_both_sides_add_up_to_one_and_neither_is_sure(a: Form, b: Form, weighing: Weighing) -> None:
    of_a, of_b = expected_score([a], [b], weighing), expected_score([b], [a], weighing)
    assert of_a + of_b == pytest.approx(1, abs=1e-9)
    assert 0 < of_a < 1
    assert percent(of_a) + percent(of_b) in (99, 100, 101)
    assert 1 <= percent(of_a) <= 99


@given(st.lists(forms, min_size=2, max_size=3), st.lists(forms, min_size=2, max_size=3))
def test_teams_add_up_to_one_too(a: list[Form], b: list[Form]) -> None:
    assert expected_score(a, b) + expected_score(b, a) == pytest.approx(1, abs=1e-9)


@given(forms, forms, weighings, st.floats(0, 20), st.floats(0, 300))
def test_a_better_rating_is_never_expected_to_do_worse(
    a: Form, b: Form, weighing: Weighing, more: float, more_elo: float
) -> None:
    better = a._replace(mu=a.mu + more, elo=a.elo + more_elo)
    assert expected_score([better], [b], weighing) >= expected_score([a], [b], weighing) - 1e-12


@given(seasons())
def test_sides_turned_over_give_the_rest(matches: list[RatedMatch]) -> None:
    turned = [
        RatedMatch(each.id, (each.sides[1], each.sides[0]), None if each.winner is None else 1 - each.winner)
        for each in matches
    ]
    assert told(turned).scores == pytest.approx([1 - score for score in told(matches).scores], abs=1e-4)


def test_what_was_long_ago_is_forgotten() -> None:
    """No weight is lost: members who were level for long, and no longer are, are believed soon."""
    matches = [RatedMatch(number, ((ANN,), (BOB,)), number % 2) for number in range(2000)]
    level = told(matches)
    assert sum(level.weighings[1].weights) == pytest.approx(1)
    assert min(level.weighings[1].weights) >= 1e-9
    assert sum(loss(score, 0) for score in level.scores) <= 2000 * math.log(2) + math.log(3) * (
        1 + 2000 / 500
    )
    then = [*matches, *(RatedMatch(2000 + number, ((ANN,), (BOB,)), 0) for number in range(60))]
    assert told(then).scores[2000] == pytest.approx(0.5, abs=0.02)
    assert told(then).scores[-1] > 0.8


@pytest.mark.parametrize(
    ("matches", "own", "tells"),
    [
        (ENOUGH_MATCHES, (PROVISIONAL_BELOW, PROVISIONAL_BELOW), True),
        (ENOUGH_MATCHES - 1, (PROVISIONAL_BELOW, PROVISIONAL_BELOW), False),
        (ENOUGH_MATCHES, (PROVISIONAL_BELOW, PROVISIONAL_BELOW - 1), False),
    ],
)
def test_nothing_is_told_of_what_is_little_known(matches: int, own: tuple[int, ...], tells: bool) -> None:
    assert is_telling(Weighing(matches, tuple(first_weights(1))), own) is tells
    assert not is_telling(None, own)


def test_what_cannot_be_told_is_refused() -> None:
    matches = [RatedMatch(1, ((ANN,), (BOB,)), 0), RatedMatch(2, ((CID,), (DOT,)), 0)]
    for others in (matches[:1], matches[::-1], [*matches, RatedMatch(3, ((ANN,), (CID,)), 0)]):
        with refuses(RatingsError, "not_rated", field="ratings"):
            expect(others, rate(matches))
    with refuses(RatingsError, "empty_side"):
        expected_score([], [NEW])
    with refuses(RatingsError, "wrong_size"):
        expected_score([NEW, NEW], [NEW, NEW], Weighing(40, tuple(first_weights(1))))


@pytest.mark.parametrize(("score", "shown"), [(0.5, 50), (0.5749, 57), (0.9999, 99), (0.0001, 1)])
def test_per_cent_are_whole_and_leave_something_to_luck(score: float, shown: int) -> None:
    assert percent(score) == shown
