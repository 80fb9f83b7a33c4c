"""A Swiss by tables: compared with all rounds of few people, and never against its order of rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.pairing.errors import PairingError
from league.core.pairing.swiss_tables import swiss_tables
from league.core.pairing.table_sizes import table_sizes
from tests.refusals import refuses

Tables = list[tuple[int, ...]]
Met = Mapping[tuple[int, int], int]


def together(tables: Sequence[Sequence[int]], met: Met) -> int:
    """The earlier meetings of those at one table."""
    return sum(
        met.get((one, other), 0) + met.get((other, one), 0)
        for table in tables
        for one, other in combinations(table, 2)
    )


def spans(tables: Sequence[Sequence[int]], scores: Mapping[int, int]) -> list[int]:
    order = sorted({scores[player] for table in tables for player in table}, reverse=True)
    levels = [[order.index(scores[player]) for player in table] for table in tables]
    return [max(each) - min(each) for each in levels]


def is_from_the_top(tables: Sequence[Sequence[int]], scores: Mapping[int, int]) -> bool:
    return all(
        min(scores[player] for player in upper) >= max(scores[player] for player in lower)
        for upper, lower in combinations(tables, 2)
    )


def all_rounds(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Every way to seat the players at tables of these sizes, in this order."""
    if not sizes:
        yield []
        return
    for chosen in combinations(players, sizes[0]):
        left = [player for player in players if player not in chosen]
        yield from ([chosen, *others] for others in all_rounds(left, sizes[1:]))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_round_is_the_best_of_all(data: st.DataObject) -> None:
    fewest = data.draw(st.integers(3, 4))
    most = data.draw(st.integers(fewest, 6))
    usual = data.draw(st.integers(fewest, most))
    n = data.draw(st.integers(fewest, 9))
    scores = dict(enumerate(data.draw(st.lists(st.sampled_from([0, 1, 3]), min_size=n, max_size=n))))
    rested = dict(enumerate(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))))
    pairs = list(combinations(range(n), 2))
    met = dict(
        zip(
            pairs,
            data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs))),
            strict=True,
        )
    )
    found = swiss_tables(scores, met, fewest=fewest, most=most, usual=usual, rested=rested, seed=7)

    sizes = table_sizes(n, fewest, most, usual)
    seated = [player for table in found.tables for player in table]
    assert sorted([*seated, *found.sit_out]) == list(range(n))
    assert sorted(map(len, found.tables), reverse=True) == list(sizes)
    # Those who sit out have rested least, of these the lowest scores.
    wish = sorted((rested[player], scores[player]) for player in range(n))
    assert sorted((rested[player], scores[player]) for player in found.sit_out) == wish[: n - sum(sizes)]

    best = min(
        (spans(tables, scores), together(tables, met))
        for order in set(permutations(sizes))
        for tables in all_rounds(sorted(seated), order)
        if is_from_the_top(tables, scores)
    )
    assert is_from_the_top(found.tables, scores)
    assert (spans(found.tables, scores), together(found.tables, met)) == best
    assert found.repeats == best[1]


def broken(tables: Sequence[Sequence[int]], apart: Sequence[tuple[int, int]]) -> int:
    return sum({*pair} <= {*table} for table in tables for pair in apart)


def displaced(tables: Sequence[Sequence[int]], scores: Mapping[int, int]) -> int:
    """How many tables away, in all, players are from those at which their score would sit."""
    order = sorted((scores[player] for table in tables for player in table), reverse=True)
    at = [number for number, table in enumerate(tables) for _ in table]
    homes: dict[int, list[int]] = {}
    for score, table in zip(order, at, strict=True):
        homes.setdefault(score, []).append(table)
    return sum(
        min(abs(home - number) for home in homes[scores[player]])
        for number, table in enumerate(tables)
        for player in table
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_pairs_are_kept_apart_before_all_but_rests(data: st.DataObject) -> None:
    """No sit-outs as fair and no tables have fewer of them together; then scores, then meetings count."""
    fewest = data.draw(st.integers(3, 4))
    most = data.draw(st.integers(fewest, 4))
    n = data.draw(st.integers(fewest, 8))
    scores = dict(enumerate(data.draw(st.lists(st.sampled_from([0, 1, 3]), min_size=n, max_size=n))))
    rested = dict(enumerate(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))))
    pairs = list(combinations(range(n), 2))
    apart = data.draw(st.lists(st.sampled_from(pairs), max_size=7, unique=True))
    met = {pair: (pair[0] + pair[1]) % 3 for pair in pairs}
    found = swiss_tables(
        scores, met, fewest=fewest, most=most, usual=most, rested=rested, apart=apart, seed=3
    )

    sizes = table_sizes(n, fewest, most, most)
    spare = n - sum(sizes)
    fair = sorted(rested.values())[:spare]
    assert sorted(rested[player] for player in found.sit_out) == fair
    outs = [out for out in combinations(range(n), spare) if sorted(rested[one] for one in out) == fair]
    seats = [[player for player in range(n) if player not in out] for out in outs]
    least = min(broken(tables, apart) for seated in seats for tables in all_rounds(seated, sizes))
    assert broken(found.tables, apart) == len(found.not_apart) == least

    seated = sorted(player for table in found.tables for player in table)
    of_score = sorted(seated, key=lambda player: -scores[player])
    filled = {order: list(filled_in_order(of_score, order)) for order in set(permutations(sizes))}
    closest = min(spans(tables, scores) for tables in filled.values())
    best = min(
        (broken(tables, apart), displaced(tables, scores), together(tables, met))
        for order, in_order in filled.items()
        if spans(in_order, scores) == closest
        for tables in all_rounds(seated, order)
    )
    assert (least, displaced(found.tables, scores), found.repeats) == best


def filled_in_order(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Sequence[int]]:
    left = list(players)
    for size in sizes:
        yield left[:size]
        left = left[size:]


def test_large_field_keeps_families_apart() -> None:
    """Sixty of five scores, in fours; twelve families of three or two of any score."""
    scores = {player: player % 5 for player in range(60)}
    apart = [(player, player + 1) for player in range(0, 36, 3)] + [(one, one + 5) for one in range(40, 50)]
    found = swiss_tables(scores, {}, fewest=3, most=4, usual=4, apart=apart)
    assert broken(found.tables, apart) == 0
    assert displaced(found.tables, scores) == 0
    # All of the highest score are kept apart, and have more tables than their score.
    best = [player for player in scores if scores[player] == 4]
    found = swiss_tables(scores, {}, fewest=3, most=4, usual=4, apart=list(combinations(best, 2)))
    assert found.not_apart == ()


@pytest.mark.parametrize("seed", range(3))
def test_search_finds_the_fewest_meetings_of_ten(seed: int) -> None:
    """Ten of one score have 4200 rounds, too many to be all compared by the draw."""
    met = {pair: (pair[0] * 7 + pair[1] * 3 + seed) % 4 for pair in combinations(range(10), 2)}
    found = swiss_tables(dict.fromkeys(range(10), 0), met, fewest=3, most=4, usual=4, seed=seed)
    assert found.repeats == min(together(tables, met) for tables in all_rounds(range(10), (4, 3, 3)))


def test_smaller_table_stands_where_equal_scores_end() -> None:
    """Three with 3 points and four with 1: the table of three is the upper one."""
    scores = {1: 3, 2: 3, 3: 3, 4: 1, 5: 1, 6: 1, 7: 1}
    found = swiss_tables(scores, {}, fewest=3, most=4, usual=4)
    assert [sorted(table) for table in found.tables] == [[1, 2, 3], [4, 5, 6, 7]]


def test_new_ones_meet_among_equal_scores() -> None:
    """Six of one score: after 1 2 3 and 4 5 6 two of each table play one of the other."""
    met = {(1, 2): 1, (1, 3): 1, (3, 2): 1, (4, 5): 1, (6, 4): 1, (5, 6): 1}
    found = swiss_tables(dict.fromkeys(range(1, 7), 0), met, fewest=3, most=4, usual=3)
    assert found.repeats == 2
    assert sorted(len({1, 2, 3} & set(table)) for table in found.tables) == [1, 2]


def test_lot_orders_seats_and_is_drawn_by_keys() -> None:
    scores = dict.fromkeys(range(12), 0)
    first, again, other = (
        swiss_tables(scores, {}, fewest=3, most=4, usual=4, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    keys = {player: f"k{player}" for player in scores}
    moved = {player + 20: f"k{player}" for player in scores}
    one = swiss_tables(scores, {}, fewest=3, most=4, usual=4, keys=keys)
    two = swiss_tables(dict.fromkeys(moved, 0), {}, fewest=3, most=4, usual=4, keys=moved)
    assert two.tables == tuple(tuple(player + 20 for player in table) for table in one.tables)


@pytest.mark.dear("six rounds of 118 people, as large as events are")
def test_large_event_plays_its_first_rounds_without_a_repeat() -> None:
    """By places 3–1–0–0: of 118 as long as groups of equal scores are large nobody meets anybody again."""
    scores: Counter[int] = Counter(dict.fromkeys(range(118), 0))
    met: Counter[tuple[int, int]] = Counter()
    repeats = []
    for number in range(6):
        found = swiss_tables(scores, met, fewest=3, most=4, usual=4, seed=number)
        assert is_from_the_top(found.tables, scores)
        assert sorted(player for table in found.tables for player in table) == list(range(118))
        repeats.append(found.repeats)
        for table in found.tables:
            met.update(combinations(table, 2))
            for player, points in zip(table, (3, 1, 0, 0), strict=False):
                scores[player] += points
    assert repeats[:3] == [0, 0, 0]
    # 174 meetings a round: few of them are repeats.
    assert max(repeats) <= 17


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"scores": {1: 0, 2: 0}}, "too_few_players"),
        ({"usual": 6}, "out_of_range"),
        ({"meetings": {(1, 1): 1}}, "same_entry"),
        ({"apart": [(1, 1)]}, "same_entry"),
    ],
)
def test_refusals(arguments: dict[str, Any], code: str) -> None:
    how: dict[str, Any] = {
        "scores": dict.fromkeys(range(1, 8), 0), "meetings": {}, "fewest": 3, "most": 4, "usual": 4
    } | arguments  # fmt: skip
    with refuses(PairingError, code):
        swiss_tables(how.pop("scores"), how.pop("meetings"), **how)
