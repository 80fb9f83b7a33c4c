"""What holds for every table, whatever was played."""

from dataclasses import replace
from itertools import pairwise, takewhile
from math import floor
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from league.core.lifecycle import PLAYED, SAT_OUT, MatchState
from league.core.standings import (
    CRITERIA,
    AdjustmentNote,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    Row,
    ScoringScheme,
    as_of,
)
from league.core.standings import rank as rank_given
from league.core.standings.cuts import ranks_without_lot

ENTRIES = range(8)
GIVEN: dict[str, dict[int, Number]] = {
    "rating": {entry: 1500 - 100 * (entry % 3) for entry in ENTRIES},
    "place": {entry: entry // 2 + 1 for entry in ENTRIES},
    "duplicate": {entry: entry // 3 for entry in ENTRIES},
    "lot": {entry: 5 * entry % 8 for entry in ENTRIES},
}
OF_THE_ENTRY_ALONE = [name for name, criterion in CRITERIA.items() if not criterion.among_tied]

small = st.integers(0, 3)
winners = st.sampled_from([MatchSide.A, MatchSide.B, None])
against = st.lists(st.sampled_from(ENTRIES), min_size=2, max_size=2, unique=True)
# Few values, so that ties are common and the later criteria have work to do.
matches = st.builds(
    lambda pair, **rest: MatchResult((pair[0],), (pair[1],), **rest),
    against,
    state=st.sampled_from([*PLAYED, MatchState.FORFEIT, MatchState.WALKOVER]),
    winner=winners,
    net=st.integers(-2, 2),
    columns_a=small,
    columns_b=small,
    boxes_a=small,
    boxes_b=small,
    hands_a=small,
    hands_b=small,
    gins_a=small,
    gins_b=small,
    round=st.integers(1, 5),
)
byes = st.builds(MatchResult.bye, st.sampled_from(ENTRIES), round=st.integers(1, 5))
absences = st.builds(MatchResult.absent, st.sampled_from(ENTRIES), round=st.integers(1, 5))
results = st.lists(matches | byes | absences, max_size=30)
counts_as = st.sampled_from(CountsAs)
# Those that are of opponents alone are no net.
nets_counted_as = st.sampled_from([CountsAs.ZERO, CountsAs.OWN_AVERAGE, CountsAs.ROUND_WINNERS])
awards = st.builds(
    Award, won=small, lost=st.integers(-1, 0), counts=st.booleans(), net=nets_counted_as, strength=counts_as
)
schemes = st.builds(ScoringScheme, bye=awards, absent=awards, forfeit=awards, walkover=awards)
ways = st.fixed_dictionaries(
    {
        "restart": st.booleans(),
        "scheme": schemes,
        "net_cap": st.none() | st.integers(0, 2),
        "best_of": st.none() | st.integers(1, 5),
        "swiss": st.booleans(),
        "former": st.booleans(),
    }
)
criteria = st.permutations(list(CRITERIA)).flatmap(
    lambda names: st.integers(1, len(names)).map(lambda count: names[:count])
)


def rank(entries: Any, played: list[MatchResult], **how: Any) -> list[Row]:
    return rank_given(entries, played, given=GIVEN, **how)


def swapped(match: MatchResult) -> MatchResult:
    if match.state in SAT_OUT:
        return match
    return MatchResult(
        side_a=match.side_b,
        side_b=match.side_a,
        state=match.state,
        winner={MatchSide.A: MatchSide.B, MatchSide.B: MatchSide.A, None: None}[match.winner],
        net=-match.net,
        columns_a=match.columns_b,
        columns_b=match.columns_a,
        boxes_a=match.boxes_b,
        boxes_b=match.boxes_a,
        hands_a=match.hands_b,
        hands_b=match.hands_a,
        gins_a=match.gins_b,
        gins_b=match.gins_a,
        round=match.round,
    )


@given(results, criteria, ways)
def test_lot_makes_a_total_order_and_is_told_from_all_else(
    played: list[MatchResult], names: list[str], way: dict[str, Any]
) -> None:
    """Without what it does the table is that which has no lot, and nothing after it."""
    before = list(takewhile(lambda name: name != "lot", names))
    rows = rank(ENTRIES, played, criteria=[*before, "lot", *names[len(before) + 1 :]], **way)
    assert [row.rank for row in rows] == list(range(1, len(ENTRIES) + 1))
    assert sorted(row.entry for row in rows) == list(ENTRIES)
    ranks = dict(zip((row.entry for row in rows), ranks_without_lot(rows, (*before, "lot")[0]), strict=True))
    if before:
        assert ranks == {row.entry: row.rank for row in rank(ENTRIES, played, criteria=before, **way)}
    else:
        assert set(ranks.values()) == {1}


@given(
    results.flatmap(lambda played: st.tuples(st.just(played), st.permutations(played))),
    criteria,
    ways,
)
def test_order_of_results_changes_nothing(
    both: tuple[list[MatchResult], list[MatchResult]], names: list[str], way: dict[str, Any]
) -> None:
    played, shuffled = both
    assert rank(ENTRIES, played, criteria=names, **way) == rank(ENTRIES, shuffled, criteria=names, **way)


@given(results, st.data(), criteria, ways)
def test_swapping_the_sides_of_results_changes_nothing(
    played: list[MatchResult], data: st.DataObject, names: list[str], way: dict[str, Any]
) -> None:
    turned = [swapped(match) if data.draw(st.booleans()) else match for match in played]
    assert rank(ENTRIES, turned, criteria=names, **way) == rank(ENTRIES, played, criteria=names, **way)


@given(results, criteria)
def test_nets_sum_to_nothing_and_records_add_up(played: list[MatchResult], names: list[str]) -> None:
    rows = rank(ENTRIES, played, criteria=names)
    assert sum(row.net for row in rows) == 0
    assert all(row.played == row.wins + row.draws + row.losses for row in rows)


@given(results, st.sampled_from(ENTRIES), st.integers(-5, 5))
def test_adjustment_moves_the_points_of_its_entry_only(
    played: list[MatchResult], entry: int, by: int
) -> None:
    note = AdjustmentNote(entry, by, "late")
    before = {row.entry: row for row in rank(ENTRIES, played, criteria=["lot"])}
    after = {row.entry: row for row in rank(ENTRIES, played, criteria=["lot"], adjustments=[note])}
    row = before[entry]
    per_match = after[entry].per_match
    expected = replace(row, points=row.points + by, adjustments=(note,), per_match=per_match)
    assert after == before | {entry: expected}
    # Shared out over the matches against somebody, one at least.
    assert per_match.net == row.per_match.net
    share = per_match.points - row.per_match.points
    assert share == by == 0 or by / share in range(1, max(1, row.played) + 1)


@given(results, st.sampled_from(ENTRIES), st.integers(1, 5), nets_counted_as)
def test_bye_changes_only_what_the_event_says_of_byes(
    played: list[MatchResult], entry: int, round: int, counts: CountsAs
) -> None:
    scheme = ScoringScheme(bye=Award(won=2, counts=False, net=counts, strength=counts))
    played = [match for match in played if match.state is not MatchState.BYE]
    before = {row.entry: row for row in rank(ENTRIES, played, criteria=["lot"], scheme=scheme)}
    with_bye = [*played, MatchResult.bye(entry, round=round)]
    after = {row.entry: row for row in rank(ENTRIES, with_bye, criteria=["lot"], scheme=scheme)}

    nets = {
        CountsAs.ZERO: [],
        CountsAs.OWN_AVERAGE: [
            net for match in played for who, net in nets_of(match) if match.played and who == entry
        ],
        CountsAs.ROUND_WINNERS: [
            match.net if match.winner is MatchSide.A else -match.net
            for match in played
            if match.played and match.round == round and match.winner is not None
        ],
    }[counts]
    given_net = floor(sum(nets) / len(nets) + 0.5) if nets else 0
    old = before[entry]
    assert after == before | {entry: replace(old, points=old.points + 2, net=old.net + given_net)}


def nets_of(match: MatchResult) -> list[tuple[int, int]]:
    return [(match.side_a[0], match.net)] + [(other, -match.net) for other in match.side_b]


@given(results, st.sampled_from(ENTRIES), criteria.filter(lambda names: "head_to_head" not in names))
def test_guests_change_no_figure_and_have_no_row(
    played: list[MatchResult], guest: int, names: list[str]
) -> None:
    everybody = {row.entry: row for row in rank(ENTRIES, played, criteria=names)}
    members = [entry for entry in ENTRIES if entry != guest]
    rows = rank(members, played, criteria=names, unranked=[guest])
    assert {row.entry for row in rows} == set(members)
    for row in rows:
        assert row.metrics == everybody[row.entry].metrics
        assert (row.points, row.net, row.played) == (
            everybody[row.entry].points,
            everybody[row.entry].net,
            everybody[row.entry].played,
        )


@given(results, criteria, ways)
def test_as_of_the_last_round_is_the_table_as_it_is(
    played: list[MatchResult], names: list[str], way: dict[str, Any]
) -> None:
    assert rank(ENTRIES, as_of(played, 5), criteria=names, **way) == rank(
        ENTRIES, played, criteria=names, **way
    )


@given(results, criteria, ways)
def test_best_of_as_many_rounds_as_there_are_leaves_nothing_out(
    played: list[MatchResult], names: list[str], way: dict[str, Any]
) -> None:
    assert rank(ENTRIES, played, criteria=names, **{**way, "best_of": 5}) == rank(
        ENTRIES, played, criteria=names, **{**way, "best_of": None}
    )


def key(row: Row) -> tuple[Any, ...]:
    return tuple(
        -value if name == "place" else value for name, value in row.metrics.items() if value is not None
    )


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
