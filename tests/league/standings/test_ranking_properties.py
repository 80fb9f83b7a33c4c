"""What holds for every table, whatever was played."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from league.standings import CRITERIA, Adjustment, MatchResult, MatchState, Row, Side, rank

ENTRIES = range(8)
OF_THE_ENTRY_ALONE = [name for name, criterion in CRITERIA.items() if not criterion.among_tied]

small = st.integers(0, 3)
winners = st.sampled_from([Side.A, Side.B, None])
against = st.lists(st.sampled_from(ENTRIES), min_size=2, max_size=2, unique=True)
# Few values, so that ties are common and the later criteria have work to do.
matches = st.builds(
    lambda pair, **rest: MatchResult((pair[0],), (pair[1],), **rest),
    against,
    state=st.sampled_from([state for state in MatchState if state is not MatchState.BYE]),
    winner=winners,
    net=st.integers(-2, 2),
    columns_a=small,
    columns_b=small,
    boxes_a=small,
    boxes_b=small,
)
byes = st.builds(MatchResult.bye, st.sampled_from(ENTRIES))
results = st.lists(matches | byes, max_size=30)
criteria = st.permutations(list(CRITERIA)).flatmap(
    lambda names: st.integers(1, len(names)).map(lambda count: names[:count])
)


def swapped(match: MatchResult) -> MatchResult:
    if match.state is MatchState.BYE:
        return match
    return MatchResult(
        side_a=match.side_b,
        side_b=match.side_a,
        state=match.state,
        winner={Side.A: Side.B, Side.B: Side.A, None: None}[match.winner],
        net=-match.net,
        columns_a=match.columns_b,
        columns_b=match.columns_a,
        boxes_a=match.boxes_b,
        boxes_b=match.boxes_a,
    )


@given(results, criteria, st.booleans(), st.integers())
def test_lot_makes_a_total_order(
    played: list[MatchResult], names: list[str], restart: bool, seed: int
) -> None:
    wanted = [name for name in names if name != "lot"] + ["lot"]
    rows = rank(ENTRIES, played, criteria=wanted, restart=restart, seed=seed)
    assert [row.rank for row in rows] == list(range(1, len(ENTRIES) + 1))
    assert sorted(row.entry for row in rows) == list(ENTRIES)


@given(
    results.flatmap(lambda played: st.tuples(st.just(played), st.permutations(played))),
    criteria,
    st.booleans(),
)
def test_order_of_results_changes_nothing(
    both: tuple[list[MatchResult], list[MatchResult]], names: list[str], restart: bool
) -> None:
    played, shuffled = both
    assert rank(ENTRIES, played, criteria=names, restart=restart) == rank(
        ENTRIES, shuffled, criteria=names, restart=restart
    )


@given(results, st.data(), criteria, st.booleans())
def test_swapping_the_sides_of_results_changes_nothing(
    played: list[MatchResult], data: st.DataObject, names: list[str], restart: bool
) -> None:
    turned = [swapped(match) if data.draw(st.booleans()) else match for match in played]
    assert rank(ENTRIES, turned, criteria=names, restart=restart) == rank(
        ENTRIES, played, criteria=names, restart=restart
    )


@given(results, criteria)
def test_nets_sum_to_nothing_and_records_add_up(played: list[MatchResult], names: list[str]) -> None:
    rows = rank(ENTRIES, played, criteria=names)
    assert sum(row.net for row in rows) == 0
    assert all(row.played == row.wins + row.draws + row.losses for row in rows)


@given(results, st.sampled_from(ENTRIES), st.integers(-5, 5))
def test_adjustment_moves_the_points_of_its_entry_only(
    played: list[MatchResult], entry: int, by: int
) -> None:
    note = Adjustment(entry, by, "late")
    before = {row.entry: row for row in rank(ENTRIES, played, criteria=["lot"])}
    after = {row.entry: row for row in rank(ENTRIES, played, criteria=["lot"], adjustments=[note])}
    expected = replace(before[entry], points=before[entry].points + by, adjustments=(note,))
    assert after == before | {entry: expected}


def key(row: Row) -> tuple[Any, ...]:
    return tuple(row.metrics.values())


@given(results, st.permutations(OF_THE_ENTRY_ALONE), st.integers(1, 6), st.booleans())
def test_criteria_of_the_entry_alone_are_a_plain_sort(
    played: list[MatchResult], order: list[str], count: int, restart: bool
) -> None:
    names = order[:count]
    rows = rank(ENTRIES, played, criteria=names, restart=restart)
    assert [key(row) for row in rows] == sorted((key(row) for row in rows), reverse=True)
    for above, below in pairwise(rows):
        apart = [name for name in names if above.metrics[name] != below.metrics[name]]
        assert (above.rank == below.rank) == (not apart)
        assert above.above_next_by == (apart[0] if apart and apart[0] != names[0] else None)


@given(results, criteria, st.booleans())
def test_decision_is_a_criterion_after_the_first_split(
    played: list[MatchResult], names: list[str], restart: bool
) -> None:
    rows = rank(ENTRIES, played, criteria=names, restart=restart)
    assert rows[-1].above_next_by is None
    for row in rows:
        assert row.decided_by is None or row.decided_by in names
        level = [other for other in rows if other.metrics[names[0]] == row.metrics[names[0]]]
        if len(level) == 1 and names[0] != "head_to_head":
            assert row.decided_by is None
