"""Groups from pots, and the bracket after them."""

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.pairing.elimination import bracket, progress, seeding
from league.core.pairing.errors import PairingError
from league.core.pairing.groups import check_qualifiers, draw_groups, knockout_seeds
from tests.league.pairing.brackets import ready_in
from tests.refusals import refuses


@given(st.data())
def test_every_group_gets_one_of_each_pot(data: st.DataObject) -> None:
    groups = data.draw(st.integers(2, 12))
    seeds = data.draw(st.lists(st.integers(1, 500), unique=True, min_size=2 * groups, max_size=90))
    drawn = draw_groups(seeds, groups, seed=data.draw(st.integers(0, 99)))
    assert sorted(seed for group in drawn for seed in group) == sorted(seeds)
    assert max(map(len, drawn)) - min(map(len, drawn)) <= 1
    pot = {seed: index // groups for index, seed in enumerate(sorted(seeds))}
    for group in drawn:
        assert [pot[seed] for seed in group] == list(range(len(group)))


def test_same_lot_draws_the_same_groups_and_another_others() -> None:
    draws = [draw_groups(range(1, 33), 8, seed=seed) for seed in range(20)]
    assert draws == [draw_groups(range(1, 33), 8, seed=seed) for seed in range(20)]
    assert len(set(draws)) == 20


def test_anybody_can_draw_the_groups_again() -> None:
    """The first of each pot by the lot of the seed goes to the first group, the second to the second."""
    keys = {1: "k7wq2mzt4d", 2: "r3xh9bnp6v", 3: "w3zkq7hmtp", 4: "q4tzn8wvxc", 5: "b7kxr2qwmt"}
    for seed in range(20):
        digests = {one: sha256(f"{seed} pots:{key}".encode()).hexdigest() for one, key in keys.items()}
        pots = [sorted(pot, key=digests.__getitem__, reverse=True) for pot in ([1, 2], [3, 4], [5])]
        first, second = draw_groups(list(keys), 2, seed=seed, keys=keys)
        assert first == (pots[0][0], pots[1][0], pots[2][0])
        assert second == (pots[0][1], pots[1][1])


def test_lot_is_fair_to_the_second_pot() -> None:
    # Who is with seed 1: each of the second pot about equally often (400 draws of 4).
    mates = Counter(
        next(group[1] for group in draw_groups(range(1, 9), 4, seed=seed) if 1 in group)
        for seed in range(400)
    )
    assert sorted(mates) == [5, 6, 7, 8]
    assert all(65 < count < 140 for count in mates.values())


def test_forbidden_pairs_are_in_different_groups() -> None:
    apart = [(1, 5), (1, 6), (1, 7), (2, 5), (9, 8)]
    for seed in range(50):
        for group in draw_groups(range(1, 13), 4, seed=seed, apart=apart):
            assert not any({a, b} <= set(group) for a, b in apart)


@pytest.mark.parametrize(
    ("seeds", "groups", "apart", "code", "field"),
    [
        pytest.param([1, 2, 3, 3, 4], 2, [], "seed_twice", "seeds", id="a seed twice"),
        pytest.param([1, 2, 3], 2, [], "too_few_entries", "seeds", id="a group of one"),
        pytest.param([], 2, [], "too_few_entries", "seeds", id="nobody"),
        pytest.param([1, 2, 3, 4], 1, [], "groups", "groups", id="one group"),
        pytest.param([1, 2, 3, 4], 2, [(1, 3), (1, 4)], "not_apart", "apart", id="1 with nobody"),
    ],
)
def test_draw_groups_refuses(
    seeds: list[int], groups: int, apart: list[tuple[int, int]], code: str, field: str
) -> None:
    with refuses(PairingError, code, field=field):
        draw_groups(seeds, groups, seed=1, apart=apart)


@pytest.mark.parametrize(
    ("sizes", "qualifiers", "code"),
    [
        ([4, 4, 3], 4, "group_too_small"),
        ([4, 4], 0, "qualifiers"),
        ([5] * 65, 4, "too_many_entries"),
    ],
)
def test_check_qualifiers_refuses(sizes: list[int], qualifiers: int, code: str) -> None:
    with refuses(PairingError, code, field="qualifiers"):
        check_qualifiers(sizes, qualifiers)


def test_check_qualifiers_allows_a_whole_group() -> None:
    check_qualifiers([4, 3], 3)


def test_two_groups_cross_over() -> None:
    # A1-B2 and B1-A2, as every cup of two groups has it.
    seeded = knockout_seeds([[1, 2], [1, 2]])
    drawn = bracket(4)
    pairs = {tuple(seeded[seed - 1] for seed in match.slots if seed) for match in drawn.matches[:2]}
    assert pairs == {((1, 1), (2, 2)), ((2, 1), (1, 2))}


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("groups", range(2, 33))
def test_winners_are_seeded_above_and_group_mates_kept_apart(groups: int, k: int) -> None:
    tiers = [list(range(1, groups + 1)) for _ in range(k)]
    seeded = knockout_seeds(tiers)
    assert sorted(seeded) == sorted(
        (group, place) for group in range(1, groups + 1) for place in range(1, k + 1)
    )
    assert [place for _, place in seeded] == sorted(place for _, place in seeded)
    assert [group for group, place in seeded if place == 1] == tiers[0]
    levels = (groups * k - 1).bit_length()
    line = {seed: index for index, seed in enumerate(seeding(levels))}
    for group in range(1, groups + 1):
        mine = [(place, line[seed]) for seed, (of, place) in enumerate(seeded, start=1) if of == group]
        for (one, first), (two, second) in combinations(mine, 2):
            met = (first ^ second).bit_length()
            # Different quarters at least, and winner and runner-up in different halves.
            assert met >= levels - 1
            assert {one, two} != {1, 2} or met == levels


def test_order_the_groups_deserve_is_kept_for_the_winners() -> None:
    seeded = knockout_seeds([[3, 1, 4, 2], [2, 4, 1, 3]])
    assert [group for group, place in seeded if place == 1] == [3, 1, 4, 2]
    # The usual draw of 8: seeds 1, 4 above and 2, 3 below; runners-up 5, 8 above and 6, 7 below.
    assert {seeded[4][0], seeded[7][0]} == {1, 4}
    assert {seeded[5][0], seeded[6][0]} == {2, 3}


@given(st.integers(2, 16), st.integers(1, 4), st.randoms(use_true_random=False))
def test_any_order_of_the_tiers_keeps_group_mates_in_different_quarters(groups, k, random) -> None:  # type: ignore[no-untyped-def]
    tiers = [random.sample(range(1, groups + 1), groups) for _ in range(k)]
    seeded = knockout_seeds(tiers)
    assert seeded == knockout_seeds(tiers)
    levels = (groups * k - 1).bit_length()
    line = {seed: index for index, seed in enumerate(seeding(levels))}
    for group in range(1, groups + 1):
        mine = [line[seed] for seed, (of, _) in enumerate(seeded, start=1) if of == group]
        assert all((one ^ two).bit_length() >= levels - 1 for one, two in combinations(mine, 2))


def test_seeds_of_the_knockout_fill_its_bracket() -> None:
    seeded = knockout_seeds([[1, 2, 3], [1, 2, 3]])
    drawn = bracket(len(seeded))
    byes = [match.slots[0] for match in drawn.matches if None in match.slots and match.stage == 1]
    assert sorted(seeded[seed - 1][1] for seed in byes if seed) == [1, 1]
    assert ready_in(progress(drawn, {})) == [2, 4]


@pytest.mark.parametrize("tiers", [[], [[]], [[1, 2], [1, 3]], [[1, 1]], [[1, 2], [1], [1, 2]], [[1, 2], []]])
def test_knockout_refuses_uneven_tiers(tiers: list[list[int]]) -> None:
    with refuses(PairingError, "tiers"):
        knockout_seeds(tiers)
