"""Ratings: worked by the published formulas, and what has to hold whatever is played."""

import itertools
import math
import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.ratings import RatedMatch, Ratings, RatingsError, is_provisional, rate
from scoring.core.skills import NEWCOMER, PLACES, Skill, shown, shown_spread
from tests.refusals import refuses

ANN, BOB, CID, DOT = 1, 2, 3, 4
BETA, TAU = 25 / 6, 25 / 300


def worked(
    sides: Sequence[Sequence[Skill]], score: float
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Weng and Lin 2011, algorithm 1, for two teams; `score` of the first is 1, ½ or 0.

    Before the match every variance grows by τ², as in openskill. γ is the team's σ over c.
    """
    wide = [[(skill.mu, skill.sigma**2 + TAU**2) for skill in side] for side in sides]
    (mu_a, var_a), (mu_b, var_b) = ((sum(mu for mu, _ in side), sum(var for _, var in side)) for side in wide)
    c = math.sqrt(var_a + var_b + 2 * BETA**2)
    expected = 1 / (1 + math.exp((mu_b - mu_a) / c))
    eta = expected * (1 - expected)

    def after(side: list[tuple[float, float]], var: float, surprise: float) -> list[tuple[float, float]]:
        omega = var / c * surprise
        delta = math.sqrt(var) / c * var / c**2 * eta
        return [(mu + own / var * omega, math.sqrt(own * (1 - own / var * delta))) for mu, own in side]

    return after(wide[0], var_a, score - expected), after(wide[1], var_b, expected - score)


@pytest.mark.parametrize(
    ("first", "second", "winner", "score"),
    [
        pytest.param([NEWCOMER], [NEWCOMER], 0, 1, id="two newcomers, the first wins"),
        pytest.param([NEWCOMER], [NEWCOMER], 1, 0, id="two newcomers, the second wins"),
        pytest.param([NEWCOMER], [NEWCOMER], None, 0.5, id="two newcomers draw"),
        pytest.param([Skill(20, 2)], [Skill(30, 3)], 0, 1, id="the weaker wins"),
        pytest.param([Skill(20, 2)], [Skill(30, 3)], 1, 0, id="the stronger wins"),
        pytest.param([Skill(20, 2)], [Skill(30, 3)], None, 0.5, id="the weaker draws"),
        pytest.param([Skill(28, 1.5), NEWCOMER], [Skill(25, 2), Skill(24, 4)], 0, 1, id="pairs"),
        pytest.param([Skill(28, 1.5), NEWCOMER], [Skill(25, 2), Skill(24, 4)], None, 0.5, id="pairs draw"),
    ],
)
def test_a_match_gives_what_the_paper_says(
    first: list[Skill], second: list[Skill], winner: int | None, score: float
) -> None:
    known = {ANN + index: skill for index, skill in enumerate([*first, *second])}
    ids = list(known)
    match = RatedMatch(1, (tuple(ids[: len(first)]), tuple(ids[len(first) :])), winner)
    ratings = rate([match], known=known)
    wanted = [skill for side in worked([first, second], score) for skill in side]
    for player, (mu, sigma) in zip(ids, wanted, strict=True):
        assert ratings.players[player] == pytest.approx((mu, sigma), abs=1e-6)


def information(size: int) -> float:
    """What one order of level players tells of the strength of the first, as Fisher information, beside what
    matches of two against all others do: from all orders, by differences of the logarithm of their chances.
    """

    def chance(order: Sequence[int], ahead: float) -> float:
        left = [math.exp(ahead if player == 0 else 0.0) for player in order]
        return math.prod(worth / sum(left[place:]) for place, worth in enumerate(left))

    step, told = 1e-4, 0.0
    for order in itertools.permutations(range(size)):
        slope = (math.log(chance(order, step)) - math.log(chance(order, -step))) / (2 * step)
        told += chance(order, 0.0) * slope**2
    return told / ((size - 1) / 4)


@pytest.mark.parametrize("places", [(1, 2, 3), (2, 1, 2), (3, 1, 4, 2), (1, 1, 3, 3), (1, 2, 3, 4, 5, 6)])
def test_a_table_gives_what_its_order_tells(places: tuple[int, ...]) -> None:
    """Algorithm 1 for more than two: surpluses and variances against each other add up, by so much less."""
    skills = [Skill(25 + 2 * seat, 3 + seat) for seat in range(len(places))]
    share = information(len(places))
    found = rate(
        [RatedMatch(1, tuple((seat,) for seat in range(len(places))), None, places)],
        known=dict(enumerate(skills)),
    )
    for seat, (mu, sigma) in enumerate(skills):
        var, omega, delta = sigma**2 + TAU**2, 0.0, 0.0
        for other, (mu_b, sigma_b) in enumerate(skills):
            if other != seat:
                c = math.sqrt(var + sigma_b**2 + TAU**2 + 2 * BETA**2)
                expected = 1 / (1 + math.exp((mu_b - mu) / c))
                score = (places[seat] < places[other]) + 0.5 * (places[seat] == places[other])
                omega += var / c * (score - expected)
                delta += math.sqrt(var) / c * var / c**2 * expected * (1 - expected)
        now = found.players[seat]
        assert now.mu == pytest.approx(mu + share * omega, abs=1e-5)
        assert now.sigma == pytest.approx(math.sqrt(var * (1 - share * delta)), abs=1e-5)


def test_who_beats_a_stronger_player_gains_more_than_who_beats_a_weaker_one() -> None:
    known = {ANN: Skill(25, 2), BOB: Skill(30, 2), CID: Skill(20, 2)}
    over_bob = rate([RatedMatch(1, ((ANN,), (BOB,)), 0)], known=known).players[ANN].mu - 25
    over_cid = rate([RatedMatch(1, ((ANN,), (CID,)), 0)], known=known).players[ANN].mu - 25
    assert over_bob > over_cid > 0


def test_in_a_pair_most_goes_to_the_one_least_is_known_of() -> None:
    known = {ANN: Skill(25, 1.5), BOB: Skill(25, 6), CID: Skill(25, 3), DOT: Skill(25, 3)}
    after = rate([RatedMatch(1, ((ANN, BOB), (CID, DOT)), 0)], known=known).players
    gains = {player: after[player].mu - 25 for player in known}
    assert gains[BOB] / gains[ANN] == pytest.approx((6**2 + TAU**2) / (1.5**2 + TAU**2), rel=1e-4)
    assert gains[CID] == gains[DOT] < 0


def test_partners_that_rotate_are_told_apart() -> None:
    """Each of three rounds another partner; whoever sits with Ann wins."""
    tables = [((ANN, BOB), (CID, DOT)), ((ANN, CID), (BOB, DOT)), ((ANN, DOT), (BOB, CID))]
    ratings = rate(RatedMatch(number, sides, 0) for number, sides in enumerate(tables * 4))
    others = [ratings.players[player].mu for player in (BOB, CID, DOT)]
    assert ratings.players[ANN].mu > 28 > max(others)
    assert max(others) - min(others) < 2


def test_ratings_find_who_is_strong() -> None:
    """Forty players of known strength, 60 matches each: the order found is nearly the true one."""
    source = random.Random(7)
    strength = {player: 25 + 4 * (player - 19.5) / 11.5 for player in range(40)}
    matches = []
    for number in range(1200):
        a, b = source.sample(range(40), 2)
        wins = source.random() < 1 / (1 + math.exp((strength[b] - strength[a]) / (BETA * math.sqrt(2))))
        matches.append(RatedMatch(number, ((a,), (b,)), 0 if wins else 1))
    found = rate(matches).players
    order = sorted(found, key=lambda player: found[player].mu)
    displaced = [abs(place - player) for place, player in enumerate(order)]
    assert sum(displaced) / 40 < 5  # of 13.3 were the order a random one


@pytest.mark.parametrize(
    ("mu", "figure"), [(25, 1500), (26, 1530), (0, 750), (28.3333333, 1600), (25.016, 1500), (25.017, 1501)]
)
def test_shown_is_on_the_scale_clubs_know(mu: float, figure: int) -> None:
    assert shown(mu) == figure


@pytest.mark.parametrize("played", [30, 1000])
@pytest.mark.parametrize(("ahead", "share"), [(100, 0.6), (200, 0.7)])
def test_a_lead_means_what_the_docstring_says(ahead: int, share: float, played: int) -> None:
    """With the width that so many matches lead to; wins by the model's own expectation."""
    matches = [RatedMatch(number, ((number % 2,), (1 - number % 2,)), 0) for number in range(played)]
    sigma = rate(matches).players[0].sigma
    c = math.sqrt(2 * sigma**2 + 2 * BETA**2)
    assert 1 / (1 + math.exp(-ahead / 30 / c)) == pytest.approx(share, abs=0.05)


def test_shown_spread_of_a_newcomer() -> None:
    assert shown_spread(NEWCOMER.sigma) == 250


def test_nine_matches_are_provisional_and_ten_are_not() -> None:
    assert [is_provisional(count) for count in (0, 9, 10)] == [True, True, False]


@pytest.mark.parametrize(
    ("code", "matches"),
    [
        ("empty_side", [RatedMatch(1, ((ANN,), ()), 0)]),
        ("player_twice", [RatedMatch(1, ((ANN,), (ANN,)), 0)]),
        ("player_twice", [RatedMatch(1, ((ANN, ANN), (BOB, CID)), None)]),
        ("out_of_range", [RatedMatch(1, ((ANN,), (BOB,)), 2)]),
        ("match_twice", [RatedMatch(1, ((ANN,), (BOB,)), 0), RatedMatch(1, ((CID,), (DOT,)), 0)]),
    ],
)
def test_what_is_no_match_is_refused(code: str, matches: list[RatedMatch]) -> None:
    with refuses(RatingsError, code, field="matches"):
        rate(matches)


@st.composite
def seasons(draw: st.DrawFn) -> list[RatedMatch]:
    """Up to thirty matches among eight players, alone, in pairs and in threes mixed."""
    matches = []
    for number in range(draw(st.integers(0, 30))):
        size = draw(st.integers(1, 3))
        players = draw(st.permutations(range(8)))[: 2 * size]
        winner = draw(st.sampled_from([0, 1, None]))
        matches.append(RatedMatch(number, (tuple(players[:size]), tuple(players[size:])), winner))
    return matches


@given(seasons())
def test_every_step_begins_where_the_one_before_ended(matches: list[RatedMatch]) -> None:
    ratings = rate(matches)
    for player, skill in ratings.players.items():
        own = [step for step in ratings.steps if step.player == player]
        assert [step.number for step in own] == list(range(1, ratings.matches[player] + 1))
        assert own[0].before == NEWCOMER
        assert all(one.after == other.before for one, other in pairwise(own))
        assert own[-1].after == skill
    assert [step.match for step in ratings.steps] == [
        match.id for match in matches for side in match.sides for _player in side
    ]


@given(seasons())
def test_winners_rise_and_losers_fall(matches: list[RatedMatch]) -> None:
    by_id = {match.id: match for match in matches}
    for step in rate(matches).steps:
        winner = by_id[step.match].winner
        if winner is not None:
            rises = step.player in by_id[step.match].sides[winner]
            assert (step.after.mu > step.before.mu) is rises


@given(seasons())
def test_figures_are_carried_on_as_they_are_kept(matches: list[RatedMatch]) -> None:
    """Begun again from what was kept half-way, the second half gives the same figures to the last bit."""
    half = len(matches) // 2
    whole = rate(matches)
    begun = rate(matches[:half])
    kept = {
        player: Skill(*(float(f"{x:.{PLACES}f}") for x in skill)) for player, skill in begun.players.items()
    }
    resumed = rate(matches[half:], known=kept)
    assert kept | resumed.players == whole.players


@given(seasons(), st.permutations(range(8)))
def test_names_do_not_matter(matches: list[RatedMatch], names: list[int]) -> None:
    renamed = [
        RatedMatch(
            match.id,
            (
                tuple(names[player] for player in match.sides[0]),
                tuple(names[player] for player in match.sides[1]),
            ),
            match.winner,
        )
        for match in matches
    ]
    assert rate(renamed).players == {names[player]: skill for player, skill in rate(matches).players.items()}


@given(seasons())
def test_sides_turned_over_give_the_same(matches: list[RatedMatch]) -> None:
    turned = [
        RatedMatch(
            match.id, (match.sides[1], match.sides[0]), None if match.winner is None else 1 - match.winner
        )
        for match in matches
    ]

    def near(ratings: Ratings) -> dict[int, tuple[float, float]]:
        return {player: (skill.mu, skill.sigma) for player, skill in ratings.players.items()}

    assert near(rate(turned)) == {
        player: pytest.approx(figures, abs=1e-4) for player, figures in near(rate(matches)).items()
    }
