"""Tables worked by hand: which row stands where, and what is said to have decided it."""

from fractions import Fraction

import pytest

from league.core.lifecycle import MatchState
from league.core.standings import (
    AdjustmentNote,
    MatchResult,
    MatchSide,
    Row,
    ScoringScheme,
    StandingsError,
    rank,
)
from league.core.standings.tally import PerMatch

ABBOTT, BIANCHI, CASTELL, DVORAK = 1, 2, 3, 4


def won(
    winner: int, loser: int, by: int, *, columns: tuple[int, int] = (0, 0), boxes: tuple[int, int] = (0, 0)
) -> MatchResult:
    return MatchResult((winner,), (loser,), MatchState.FINISHED, MatchSide.A, by, *columns, *boxes)


def drawn(a: int, b: int) -> MatchResult:
    return MatchResult((a,), (b,), MatchState.FINISHED)


def order(rows: list[Row]) -> list[int]:
    return [row.entry for row in rows]


def marks(rows: list[Row]) -> list[str | None]:
    return [row.above_next_by for row in rows]


def decided(rows: list[Row]) -> list[str | None]:
    return [row.decided_by for row in rows]


# Everybody beats Dvorak; the other three beat one another in a ring, so each has 2 + 2 = 4 match points.
#   Abbott   +10 (Bianchi) −30 (Castell) +100 (Dvorak) = +80, columns 2 + 1 + 3 = 6
#   Bianchi  −10 (Abbott)  +20 (Castell)  +20 (Dvorak) = +30, columns 1 + 2 + 2 = 5
#   Castell  +30 (Abbott)  −20 (Bianchi)  +20 (Dvorak) = +30, columns 2 + 1 + 3 = 6
#   Dvorak  −100 − 20 − 20 = −140, columns 0 + 1 + 0 = 1
RING = [
    won(ABBOTT, BIANCHI, 10, columns=(2, 1)),
    won(BIANCHI, CASTELL, 20, columns=(2, 1)),
    won(CASTELL, ABBOTT, 30, columns=(2, 1)),
    won(ABBOTT, DVORAK, 100, columns=(3, 0)),
    won(BIANCHI, DVORAK, 20, columns=(2, 1)),
    won(CASTELL, DVORAK, 20, columns=(3, 0)),
]
FOUR = [ABBOTT, BIANCHI, CASTELL, DVORAK]


def test_row_carries_the_sums_of_its_matches() -> None:
    rows = rank(FOUR, RING, criteria=["match_points", "net"])
    abbott = rows[0]
    assert abbott == Row(
        rank=1,
        entry=ABBOTT,
        played=3,
        wins=2,
        draws=0,
        losses=1,
        points=4,
        net=80,
        columns_won=6,
        boxes=0,
        metrics={"match_points": 4, "net": 80},
        decided_by="net",
        above_next_by="net",
        adjustments=(),
        per_match=PerMatch(Fraction(4, 3), Fraction(80, 3)),
    )
    assert [(row.entry, row.net, row.columns_won) for row in rows[1:]] == [
        (2, 30, 5),
        (3, 30, 6),
        (4, -140, 1),
    ]


def test_rank_is_shared_where_nothing_separates() -> None:
    rows = rank(FOUR, RING, criteria=["match_points", "net"])
    assert [(row.rank, row.entry) for row in rows] == [(1, 1), (2, 2), (2, 3), (4, 4)]
    # Bianchi and Castell are two of the three level on points; net took them from Abbott and no further.
    assert decided(rows) == ["net", "net", "net", None]
    assert marks(rows) == ["net", None, None, None]


def test_shared_ranks_keep_the_order_given() -> None:
    assert order(rank([3, 1, 2], [], criteria=["match_points"])) == [3, 1, 2]
    assert [row.rank for row in rank([3, 1, 2], [], criteria=["match_points"])] == [1, 1, 1]


def test_without_restart_the_next_criterion_goes_on() -> None:
    # Ring: head to head is 2 each and silent. Net takes Abbott out, then columns: Castell 6, Bianchi 5.
    rows = rank(FOUR, RING, criteria=["match_points", "head_to_head", "net", "columns_won"])
    assert order(rows) == [ABBOTT, CASTELL, BIANCHI, DVORAK]
    assert decided(rows) == ["net", "columns_won", "columns_won", None]
    assert marks(rows) == ["net", "columns_won", None, None]
    assert [row.metrics["head_to_head"] for row in rows] == [None, None, None, None]


def test_with_restart_the_two_left_are_judged_by_their_own_match() -> None:
    # Net takes Abbott out, back to the first criterion: 4 points each, then Bianchi beat Castell.
    rows = rank(FOUR, RING, criteria=["match_points", "head_to_head", "net", "columns_won"], restart=True)
    assert order(rows) == [ABBOTT, BIANCHI, CASTELL, DVORAK]
    assert decided(rows) == ["net", "head_to_head", "head_to_head", None]
    assert marks(rows) == ["net", "head_to_head", None, None]
    assert [row.metrics["head_to_head"] for row in rows] == [None, 2, 0, None]


def test_metrics_come_in_the_order_of_the_criteria() -> None:
    rows = rank(FOUR, RING, criteria=["net", "boxes", "match_points"])
    assert [list(row.metrics) for row in rows] == [["net", "boxes", "match_points"]] * 4


def test_first_criterion_alone_leaves_no_mark() -> None:
    rows = rank([1, 2, 3], [won(1, 2, 5), won(1, 3, 5), won(2, 3, 5)], criteria=["match_points", "net"])
    assert order(rows) == [1, 2, 3]
    assert decided(rows) == marks(rows) == [None, None, None]


def test_mark_stands_on_the_upper_row_of_each_pair() -> None:
    # 2 points each for 1, 2, 3 with nets +90, +40, +10; 4, 5, 6 have none.
    rows = rank(range(1, 7), [won(1, 4, 90), won(2, 5, 40), won(3, 6, 10)], criteria=["match_points", "net"])
    assert order(rows) == [1, 2, 3, 6, 5, 4]
    assert marks(rows) == ["net", "net", None, "net", "net", None]
    assert decided(rows) == ["net"] * 6


def test_head_to_head_decides_between_two_who_met() -> None:
    # 1 and 2 have 2 points each; 2 beat 1 though 1 has the better net.
    rows = rank(
        [1, 2, 3, 4],
        [won(2, 1, 10), won(1, 3, 200), won(4, 2, 5), won(4, 3, 5)],
        criteria=["match_points", "head_to_head", "net"],
    )
    assert [(row.entry, row.points, row.decided_by) for row in rows] == [
        (4, 4, None),
        (2, 2, "head_to_head"),
        (1, 2, "head_to_head"),
        (3, 0, None),
    ]


def test_head_to_head_is_silent_until_all_the_tied_have_met() -> None:
    # 1, 2, 3 and 4 have 2 points each. 1 beat 2 and 4 beat 1, but 3 has met none of them, so net decides:
    # 3 has +50; 4 has +20; 2 has −10 + 20 = +10; 1 has +10 − 20 = −10.
    results = [won(1, 2, 10), won(4, 1, 20), won(2, 5, 20), won(3, 5, 50)]
    rows = rank(range(1, 6), results, criteria=["match_points", "head_to_head", "net"])
    assert [(row.entry, row.points) for row in rows[:4]] == [(3, 2), (4, 2), (2, 2), (1, 2)]
    assert [row.decided_by for row in rows[:4]] == ["net"] * 4


def test_restart_goes_back_even_to_a_first_criterion_that_compares_the_tied() -> None:
    # Head to head first: the ring is silent among all three, boxes take 3 out, then 1 beat 2.
    results = [won(1, 2, 1, boxes=(1, 1)), won(2, 3, 1, boxes=(1, 4)), won(3, 1, 1, boxes=(1, 1))]
    rows = rank([2, 1, 3], results, criteria=["head_to_head", "boxes"], restart=True)
    assert order(rows) == [3, 1, 2]
    assert decided(rows) == ["boxes", "head_to_head", "head_to_head"]


def test_lot_separates_the_rest_the_higher_first() -> None:
    rows = rank([1, 2, 3], [], criteria=["match_points", "lot"], given={"lot": {1: 5, 2: 9, 3: 7}})
    assert [(row.rank, row.entry) for row in rows] == [(1, 2), (2, 3), (3, 1)]
    assert decided(rows) == ["lot"] * 3


def test_adjustments_count_into_match_points_and_are_kept_for_the_footnote() -> None:
    late = AdjustmentNote(1, -1, "late for round 7")
    host = AdjustmentNote(1, 2, "host")
    rows = rank([1, 2], [won(2, 1, 5)], criteria=["match_points"], adjustments=[late, host])
    assert [(row.entry, row.points, row.adjustments) for row in rows] == [(2, 2, ()), (1, 1, (late, host))]


def test_empty_event_has_an_empty_table() -> None:
    assert rank([], [], criteria=["match_points"]) == []


def test_entries_without_a_match_stand_with_nothing() -> None:
    (row,) = rank([5], [], criteria=["match_points", "head_to_head", "net"])
    assert (row.rank, row.played, row.points, row.decided_by) == (1, 0, 0, None)


def test_scheme_changes_the_order() -> None:
    # Abbott draws twice, Bianchi wins one and loses one: level at 2–1–0, apart at 3–1–0 (2 against 3).
    results = [drawn(1, 3), drawn(1, 4), won(2, 3, 1), won(4, 2, 1)]
    level = rank([1, 2, 3, 4], results, criteria=["match_points"])
    apart = rank([1, 2, 3, 4], results, criteria=["match_points"], scheme=ScoringScheme(win=3))
    assert {row.entry: row.points for row in level} == {1: 2, 2: 2, 3: 1, 4: 3}
    assert {row.entry: row.points for row in apart} == {1: 2, 2: 3, 3: 1, 4: 4}


@pytest.mark.parametrize(
    ("criteria", "code", "says"),
    [
        ([], "no_criteria", "at least one criterion"),
        (["match_points", "luck"], "unknown_criterion", "“luck”"),
        (["net", "lot", "net"], "duplicate_criterion", "“net” is listed twice"),
    ],
)
def test_criteria_are_refused_by_name(criteria: list[str], code: str, says: str) -> None:
    with pytest.raises(StandingsError, match=says) as refused:
        rank([1, 2], [], criteria=criteria)
    assert (refused.value.code, refused.value.field) == (code, "criteria")


@pytest.mark.parametrize(
    ("entries", "results", "adjustments", "code"),
    [
        ([1, 2], [won(1, 3, 5)], [], "unknown_entry"),
        ([1, 2], [], [AdjustmentNote(9, 1, "")], "unknown_entry"),
        ([1, 2, 1], [], [], "duplicate_entry"),
    ],
)
def test_entries_are_refused_by_name(
    entries: list[int], results: list[MatchResult], adjustments: list[AdjustmentNote], code: str
) -> None:
    with pytest.raises(StandingsError, match=r"ntry [139]\b") as refused:
        rank(entries, results, criteria=["match_points"], adjustments=adjustments)
    assert refused.value.code == code
