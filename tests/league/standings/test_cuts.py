"""Lines across a table: level entries are split by decisions where a line runs, and nowhere else."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.standings import rank
from league.core.standings.cuts import Cut, CutKind, Decided, Level, cut_table, ranks_without_lot


def nobody(cut: Cut) -> Sequence[Sequence[int]] | None:
    return None


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Level], set[int]]:
    """Levels of 1 to 4 entries, and lines anywhere."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    entries = iter(draw(st.permutations(range(1, sum(sizes) + 1))))
    levels = [tuple(next(entries) for _ in range(size)) for size in sizes]
    return levels, draw(st.sets(st.integers(0, sum(sizes) + 1), max_size=4))


FIGURES = {entry: entry % 3 for entry in range(1, 30)}


def cut(levels: Sequence[Level], lines: set[int], decided: Decided, **more: Mapping[int, object]):  # type: ignore[no-untyped-def]
    figures = more.get("figures", FIGURES)
    return cut_table(levels, lines, kind=CutKind.GROUP, group=1, figures=figures, decided=decided)


@given(tables())
def test_open_is_what_stands_on_both_sides_of_a_line(table: tuple[list[Level], set[int]]) -> None:
    levels, lines = table
    order = [entry for level in levels for entry in level]
    expected = [
        level
        for level in levels
        if any(set(order[:line]) & set(level) and set(order[line:]) & set(level) for line in lines)
    ]
    found = cut(levels, lines, nobody)
    assert [each.entries for each in found.open] == expected
    assert (found.levels, found.order) == (tuple(levels), tuple(order))


@given(tables(), st.randoms(use_true_random=False))
def test_decisions_split_nobody_else(table: tuple[list[Level], set[int]], random) -> None:  # type: ignore[no-untyped-def]
    levels, lines = table

    def decided(each: Cut) -> list[list[int]]:
        return [[entry] for entry in random.sample(each.entries, len(each.entries))]

    found = cut(levels, lines, decided)
    assert not found.open
    place = 0
    for level in levels:
        part = found.order[place : place + len(level)]
        assert sorted(part) == sorted(level)
        if not any(place < line < place + len(level) for line in lines):
            assert part == level
        place += len(level)


def test_part_that_a_play_off_leaves_level_is_asked_where_a_line_runs_in_it() -> None:
    first = cut([(1, 2, 3, 4)], {2}, nobody).open[0]

    def decided(each: Cut) -> list[list[int]] | None:
        return [[4], [1, 2], [3]] if each == first else None

    found = cut([(1, 2, 3, 4)], {2}, decided)
    assert found.levels == ((4,), (1, 2), (3,))
    assert [(each.above, each.entries, each.places) for each in found.open] == [(1, (1, 2), (1,))]
    assert not cut([(1, 2, 3, 4)], {3}, lambda each: [[4], [1, 2], [3]]).open


def test_play_off_that_leaves_all_level_decides_nothing() -> None:
    found = cut([(1, 2)], {1}, lambda each: [each.entries])
    assert [each.entries for each in found.open] == [(1, 2)]


def test_tie_is_the_same_as_long_as_entries_figures_and_places_are() -> None:
    def key(level: Level, lines: set[int], figures: Mapping[int, object] = FIGURES, ahead: int = 0) -> str:
        alone = [(20 + number,) for number in range(ahead)]
        return str(cut([*alone, level], lines, nobody, figures=figures).open[0].key)

    same = key((1, 2, 3), {1})
    assert key((3, 1, 2), {1}) == same
    # Whoever stands above them, and how many, is another matter.
    assert key((1, 2, 3), {2}, ahead=1) == same
    assert key((1, 2), {1}) != same
    assert key((1, 2, 3), {2}) != same
    assert key((1, 2, 3), {1}, {1: 9, 2: 9, 3: 9}) != same


@pytest.mark.parametrize(
    ("criteria", "ranks", "shared"),
    [
        (["rating", "lot"], [1, 2, 3, 4, 5], [1, 2, 2, 2, 5]),
        (["rating", "place"], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        (["rating"], [1, 2, 2, 2, 5], [1, 2, 2, 2, 5]),
        # What comes after the lot parts nobody: it has nothing to do.
        (["rating", "lot", "place"], [1, 2, 3, 4, 5], [1, 2, 2, 2, 5]),
        (["lot"], [1, 2, 3, 4, 5], [1, 1, 1, 1, 1]),
    ],
)
def test_lot_parts_nobody_where_a_table_is_cut(
    criteria: list[str], ranks: list[int], shared: list[int]
) -> None:
    """Three of five have the same rating."""
    figures = {
        "rating": {1: 1600, 2: 1500, 3: 1500, 4: 1500, 5: 1400},
        "lot": {1: 8, 2: 7, 3: 9, 4: 3, 5: 5},
        "place": {1: 1, 2: 2, 3: 3, 4: 4, 5: 5},
    }
    rows = rank(range(1, 6), [], criteria=criteria, given=figures)
    assert [row.rank for row in rows] == ranks
    assert ranks_without_lot(rows, criteria[0]) == shared
