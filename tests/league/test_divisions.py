"""Promotion and relegation: worked examples, and what holds for divisions of any size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.divisions import SeasonMovement, changes, next_divisions

tables_of = st.lists(st.integers(0, 9), min_size=1, max_size=6).map(
    lambda sizes: [[100 * level + place for place in range(size)] for level, size in enumerate(sizes)]
)


@pytest.mark.parametrize(
    ("sizes", "moving", "made"),
    [
        pytest.param([8, 8, 8], 2, (2, 2), id="two and two"),
        pytest.param([8], 2, (), id="one division"),
        pytest.param([8, 1], 2, (1,), id="only one below"),
        pytest.param([6, 3, 6], 2, (2, 1), id="three in the middle: nobody goes both ways"),
        pytest.param([6, 2, 6], 2, (2, 0), id="two in the middle all go up"),
        pytest.param([1, 1, 1], 1, (1, 0), id="one each"),
        pytest.param([4, 0, 4], 1, (0, 0), id="an empty division"),
    ],
)
def test_how_many_change_places(sizes: list[int], moving: int, made: tuple[int, ...]) -> None:
    assert changes(sizes, moving) == made


def test_three_divisions_worked_by_hand() -> None:
    tables = [[1, 2, 3, 4], [11, 12, 13, 14, 15], [21, 22, 23]]
    after = next_divisions(tables, 1)
    assert [[move.entry for move in division] for division in after] == [
        [1, 2, 3, 11],
        [4, 12, 13, 14, 21],
        [15, 22, 23],
    ]
    moved = {
        move.entry: (move.movement, move.division, move.place)
        for division in after
        for move in division
        if move.movement is not SeasonMovement.STAYS
    }
    assert moved == {
        11: (SeasonMovement.UP, 1, 1),
        4: (SeasonMovement.DOWN, 0, 4),
        21: (SeasonMovement.UP, 2, 1),
        15: (SeasonMovement.DOWN, 1, 5),
    }


@given(tables_of, st.integers(1, 5))
def test_everybody_is_in_one_division_and_sizes_stay(tables: list[list[int]], moving: int) -> None:
    after = next_divisions(tables, moving)
    assert sorted(move.entry for division in after for move in division) == sorted(
        entry for table in tables for entry in table
    )
    assert [len(division) for division in after] == [len(table) for table in tables]


@given(tables_of, st.integers(1, 5))
def test_who_moves_goes_one_division_and_was_at_its_end(tables: list[list[int]], moving: int) -> None:
    counts = changes([len(table) for table in tables], moving)
    assert all(count <= moving for count in counts)
    for level, division in enumerate(next_divisions(tables, moving)):
        for move in division:
            assert tables[move.division][move.place - 1] == move.entry
            step = {SeasonMovement.UP: 1, SeasonMovement.STAYS: 0, SeasonMovement.DOWN: -1}[move.movement]
            assert move.division - step == level
            if move.movement is SeasonMovement.UP:
                assert move.place <= counts[level]
            if move.movement is SeasonMovement.DOWN:
                assert move.place > len(tables[move.division]) - counts[level - 1]


@given(tables_of, st.integers(1, 5))
def test_in_each_division_came_down_then_stayed_then_came_up(tables: list[list[int]], moving: int) -> None:
    order = [SeasonMovement.DOWN, SeasonMovement.STAYS, SeasonMovement.UP]
    for division in next_divisions(tables, moving):
        keys = [(order.index(move.movement), move.place) for move in division]
        assert keys == sorted(keys)
