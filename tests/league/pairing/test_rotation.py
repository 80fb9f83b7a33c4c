"""Partners that rotate: the whist property for every count, and how even everything else is."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.pairing.errors import PairingError
from league.core.pairing.movements import Meetings, Movement, MovementRound, Unevenness
from league.core.pairing.rotation import MOST_PLAYERS, schedule
from league.core.pairing.whist_starters import cycle_length, first_rounds, has_cycle, is_whist
from tests.refusals import refuses

WHIST = [n for n in range(4, 46) if n % 4 < 2]
OTHERS = [n for n in range(4, 46) if n % 4 > 1]
# A search in a test need not find the best there is.
QUICK = 20_000
ENOUGH = 150_000


def counts(
    rounds: Movement | tuple[MovementRound, ...], n: int
) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """How often each pair are partners, are opponents, and each player sits out; counted without the core."""
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    out: Counter[int] = Counter()
    for each in rounds:
        out.update(each.sit_out)
        for (a, c), (b, d) in each.tables:
            partners.update([frozenset((a, c)), frozenset((b, d))])
            opponents.update(frozenset(pair) for pair in ((a, b), (a, d), (c, b), (c, d)))
    pairs = [frozenset(pair) for pair in combinations(range(n), 2)]
    return (
        Counter(partners[pair] for pair in pairs),
        Counter(opponents[pair] for pair in pairs),
        Counter(out[player] for player in range(n)),
    )


def check_rounds(movement: Movement, n: int, absent: dict[int, set[int]] | None = None) -> None:
    """Everybody who is there is in each round once: at a table, or sitting out, at most three of them."""
    for each in movement:
        seats = [player for table in each.tables for pair in table for player in pair]
        here = set(range(n)) - (absent or {}).get(each.number, set())
        assert sorted([*seats, *each.sit_out]) == sorted(here)
        assert len(each.sit_out) == len(here) % 4


def test_whist_tournament_is_there_for_every_count_to_41() -> None:
    assert [n for n in range(4, 42) if is_whist(n)] == [n for n in WHIST if n <= 41]


@pytest.mark.parametrize("n", [*WHIST, 53, 61, 101])
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(n: int) -> None:
    movement = schedule(n)
    check_rounds(movement, n)
    partners, opponents, out = counts(movement, n)
    pairs = n * (n - 1) // 2
    assert (partners, opponents) == ({1: pairs}, {2: pairs})
    assert (len(movement), out) == ((n - 1, {0: n}) if n % 4 == 0 else (n, {1: n}))


@pytest.mark.parametrize("n", OTHERS)
def test_cycle_of_another_count_is_even_within_one(n: int) -> None:
    movement = schedule(n)
    check_rounds(movement, n)
    partners, opponents, out = counts(movement, n)
    assert set(partners) == {0, 1}
    assert set(opponents) == {1, 2}
    assert (len(movement), out) == (n, {n % 4: n})


@pytest.mark.parametrize("n", [6, 7, 9, 10, 12, 13, 18, 22, 30, 45])
@pytest.mark.parametrize("rounds", [5, 8, 12])
def test_partnerships_and_sitting_out_are_even_whatever_the_rounds(n: int, rounds: int) -> None:
    movement = schedule(n, rounds, budget=ENOUGH)
    check_rounds(movement, n)
    assert [each.number for each in movement] == list(range(1, rounds + 1))
    partners, opponents, out = counts(movement, n)
    for tally in (partners, out):
        assert max(tally) - min(tally) <= 1
    assert max(opponents) - min(opponents) <= 2
    assert movement.unevenness.partner_repeats == 0


@pytest.mark.parametrize(("n", "rounds"), [(8, 7), (9, 18), (12, 21), (13, 30), (12, 26)])
def test_more_rounds_than_a_cycle_repeat_it_evenly(n: int, rounds: int) -> None:
    partners, _opponents, _out = counts(schedule(n, rounds), n)
    assert max(partners) - min(partners) <= 1
    whole = rounds // cycle_length(n)
    assert min(partners) >= whole


def test_rounds_short_of_a_cycle_by_one_are_taken_from_it() -> None:
    partners, opponents, _out = counts(schedule(24, 22), 24)
    assert (set(partners), set(opponents)) == ({0, 1}, {1, 2})


def test_search_is_taken_where_it_is_more_even_than_the_first_of_a_cycle() -> None:
    first = [MovementRound(0, tables) for tables in first_rounds(24, 6)]
    found = schedule(24, 6).unevenness
    assert found.key < Unevenness.of(Meetings(24, first)).key
    assert found.opponent_spread == 1


def test_four_players_are_partners_in_turn() -> None:
    partners, opponents, _out = counts(schedule(4), 4)
    assert (partners, opponents) == ({1: 6}, {2: 6})
    partners, _opponents, _out = counts(schedule(4, 7), 4)
    assert partners == {2: 4, 3: 2}


@given(n=st.integers(4, 40), rounds=st.integers(1, 14), seed=st.integers(0, 5))
@settings(max_examples=25, deadline=None)
def test_unevenness_is_what_one_counts(n: int, rounds: int, seed: int) -> None:
    movement = schedule(n, rounds, seed=seed, budget=QUICK)
    check_rounds(movement, n)
    partners, opponents, out = counts(movement, n)
    said = movement.unevenness
    for tally, counted in ((said.partners, partners), (said.opponents, opponents), (said.rests, out)):
        assert {times: count for times, count in enumerate(tally) if count} == counted
    assert said.rest_spread <= 1


@given(
    n=st.integers(5, 24),
    played=st.integers(1, 5),
    rounds=st.integers(1, 5),
    data=st.data(),
)
@settings(max_examples=25, deadline=None)
def test_rest_of_an_evening_counts_what_was_played(
    n: int, played: int, rounds: int, data: st.DataObject
) -> None:
    before = schedule(n, played, budget=QUICK)
    now = n + data.draw(st.integers(-min(1, n - 4), 3))
    late = data.draw(st.integers(played + 1, played + rounds))
    away = {late: {data.draw(st.integers(0, now - 1))}} if now > 4 else {}
    movement = schedule(now, rounds, history=before.rounds, away=away, budget=QUICK)
    check_rounds(movement, now, away)
    assert [each.number for each in movement] == list(range(played + 1, played + rounds + 1))
    partners, _opponents, _out = counts((*before, *movement), now)
    assert {k: count for k, count in enumerate(movement.unevenness.partners) if count} == partners


def test_history_is_made_up_for() -> None:
    # Two rounds with the same partners; the seven of a cycle would repeat them a third time.
    same = MovementRound(0, (((0, 1), (2, 3)), ((4, 5), (6, 7))))
    movement = schedule(8, 4, history=(same, same))
    together = {frozenset(pair) for each in movement for table in each.tables for pair in table}
    assert together.isdisjoint(map(frozenset, ((0, 1), (2, 3), (4, 5), (6, 7))))
    assert len(together) == 16
    assert [each.number for each in movement] == [3, 4, 5, 6]


def test_who_came_late_or_was_away_does_not_sit_out_before_others() -> None:
    before = schedule(8, 3)
    movement = schedule(9, 4, history=before.rounds)
    assert 8 not in {player for each in movement for player in each.sit_out}


@pytest.mark.parametrize("n", [4, 7, 8, 13, 22, 32])
@pytest.mark.parametrize("rounds", [6, 11])
def test_dealing_first_and_tables_are_shared(n: int, rounds: int) -> None:
    movement = schedule(n, rounds, budget=QUICK)
    dealt: Counter[int] = Counter()
    visits: Counter[tuple[int, int]] = Counter()
    for each in movement:
        for place, (first, second) in enumerate(each.tables):
            dealt.update(first)
            dealt.subtract(second)
            visits.update((player, place) for player in first + second)
    assert max(abs(difference) for difference in dealt.values()) <= 3
    if n > 8:
        assert max(visits.values()) <= -(-rounds // (n // 4)) + 2


def test_same_seed_gives_the_same_rounds() -> None:
    assert schedule(14, 7, seed=5, budget=QUICK) == schedule(14, 7, seed=5, budget=QUICK)
    assert schedule(14, 7, seed=5, budget=QUICK).rounds != schedule(14, 7, seed=6, budget=QUICK).rounds


def test_nobody_sits_out_twice_running_where_few_do() -> None:
    movement = schedule(22, 11)
    for one, other in zip(movement.rounds, movement.rounds[1:], strict=False):
        assert set(one.sit_out).isdisjoint(other.sit_out)


@pytest.mark.dear("looks at every pair of hundreds of players")
@pytest.mark.parametrize("n", [128, 511])
def test_large_fields_have_no_partner_and_no_opponent_twice(n: int) -> None:
    movement = schedule(n, 9)
    check_rounds(movement, n)
    partners, opponents, _out = counts(movement, n)
    assert (set(partners), set(opponents)) == ({0, 1}, {0, 1})


def test_cycle_is_known_for_all_counts_to_45() -> None:
    assert all(has_cycle(n) for n in range(4, 46))
    assert not has_cycle(46)


@pytest.mark.parametrize(
    ("tally", "repeats"),
    [
        # Of 6 pairs: none twice; one twice and one unused; all once; one thrice while all others twice.
        ((2, 4), 0),
        ((1, 4, 1), 1),
        ((0, 6), 0),
        ((0, 0, 5, 1), 0),
        ((0, 1, 4, 1), 1),
        ((1, 0, 5), 1),
        ((3, 0, 3), 3),
    ],
)
def test_partner_repeats_are_those_that_need_not_be(tally: tuple[int, ...], repeats: int) -> None:
    assert Unevenness(tally, (6,), (4,)).partner_repeats == repeats


@pytest.mark.parametrize(
    ("n", "rounds", "code", "field"),
    [
        (3, None, "too_few_players", "n"),
        (-1, 5, "too_few_players", "n"),
        (MOST_PLAYERS + 1, 5, "too_many_players", "n"),
        (8, 0, "out_of_range", "rounds"),
        (8, -3, "out_of_range", "rounds"),
        (512, None, "too_many_tables", "rounds"),
        (8, 5_001, "too_many_tables", "rounds"),
    ],
)
def test_schedule_refuses_what_cannot_be(n: int, rounds: int | None, code: str, field: str) -> None:
    with refuses(PairingError, code, field=field):
        schedule(n, rounds)


def test_schedule_refuses_a_round_with_too_few_there() -> None:
    with pytest.raises(PairingError, match="in round 2 only 3 are there") as refused:
        schedule(5, 3, away={2: {0, 4}})
    assert refused.value.field == "away"
