"""What a match is worth, state by state."""

from decimal import Decimal
from typing import Any

import pytest

from league.core.lifecycle import MatchState
from league.core.standings import (
    CRITERIA,
    AdjustmentNote,
    Award,
    MatchResult,
    MatchSide,
    Number,
    Row,
    ScoringScheme,
    StandingsError,
    rank,
)
from tests.refusals import refuses

HALVES = ScoringScheme(win=1, draw=Decimal("0.5"))
COLUMNS = ScoringScheme(win=2, draw=0, column=1)
STRICT = ScoringScheme(
    bye=Award(won=3, counts=True), forfeit=Award(won=2, lost=-1), walkover=Award(won=1, lost=-2, counts=False)
)


def result(state: MatchState, winner: MatchSide | None, columns: tuple[int, int] = (2, 1)) -> MatchResult:
    return MatchResult((1,), (2,), state, winner, 40, *columns, 9, 5)


@pytest.mark.parametrize(
    ("name", "scheme", "match", "points"),
    [
        ("won", ScoringScheme(), result(MatchState.FINISHED, MatchSide.A), (2, 0)),
        ("lost", ScoringScheme(), result(MatchState.FINISHED, MatchSide.B), (0, 2)),
        ("drawn", ScoringScheme(), result(MatchState.FINISHED, None), (1, 1)),
        ("stopped counts as it stands", ScoringScheme(), result(MatchState.STOPPED, MatchSide.B), (0, 2)),
        ("halves", HALVES, result(MatchState.FINISHED, None), (Decimal("0.5"), Decimal("0.5"))),
        ("columns 2–1 and the sheet", COLUMNS, result(MatchState.FINISHED, MatchSide.A), (4, 1)),
        (
            "columns 2–1 but the other has the sheet",
            COLUMNS,
            result(MatchState.FINISHED, MatchSide.B),
            (2, 3),
        ),
        ("columns only when drawn", COLUMNS, result(MatchState.STOPPED, None, (1, 1)), (1, 1)),
        ("bye", ScoringScheme(), MatchResult.bye(1), (2, 0)),
        ("bye by columns is a sheet", COLUMNS, MatchResult.bye(1), (2, 0)),
        ("asked off ahead is nothing by itself", ScoringScheme(), MatchResult.absent(1), (0, 0)),
        ("asked off by columns is nothing either", COLUMNS, MatchResult.absent(1), (0, 0)),
        ("asked off has its own award", ScoringScheme(absent=Award(won=1)), MatchResult.absent(1), (1, 0)),
        ("forfeit", ScoringScheme(), result(MatchState.FORFEIT, MatchSide.B), (0, 2)),
        ("forfeit with a penalty", STRICT, result(MatchState.FORFEIT, MatchSide.A), (2, -1)),
        ("walkover has its own award", STRICT, result(MatchState.WALKOVER, MatchSide.A), (1, -2)),
        ("forfeited by both", STRICT, result(MatchState.FORFEIT, None), (-1, -1)),
        ("forfeit takes no column", COLUMNS, result(MatchState.FORFEIT, MatchSide.A), (2, 0)),
    ],
)
def test_points_of_a_match(
    name: str, scheme: ScoringScheme, match: MatchResult, points: tuple[Number, Number]
) -> None:
    assert scheme.points(match)[: 1 + len(match.side_b)] == points[: 1 + len(match.side_b)], name


def table(scheme: ScoringScheme, *results: MatchResult) -> dict[int, Row]:
    return {row.entry: row for row in rank([1, 2], results, criteria=["match_points"], scheme=scheme)}


def record(row: Row) -> tuple[int, int, int, int]:
    return row.played, row.wins, row.draws, row.losses


def test_bye_gives_points_but_is_no_match_by_default() -> None:
    row = table(ScoringScheme(), MatchResult.bye(1))[1]
    assert (row.points, record(row)) == (2, (0, 0, 0, 0))


def test_bye_is_a_match_won_where_it_counts() -> None:
    row = table(STRICT, MatchResult.bye(1))[1]
    assert (row.points, record(row)) == (3, (1, 1, 0, 0))


def test_forfeit_counts_as_played_and_brings_no_net_columns_or_boxes() -> None:
    rows = table(ScoringScheme(), result(MatchState.FORFEIT, MatchSide.A))
    assert [(record(rows[entry]), rows[entry].points) for entry in (1, 2)] == [
        ((1, 1, 0, 0), 2),
        ((1, 0, 0, 1), 0),
    ]
    assert [(row.net, row.columns_won, row.boxes) for row in rows.values()] == [(0, 0, 0), (0, 0, 0)]


def test_walkover_moves_points_only_where_it_does_not_count() -> None:
    rows = table(STRICT, result(MatchState.WALKOVER, MatchSide.B))
    assert [(record(rows[entry]), rows[entry].points) for entry in (1, 2)] == [
        ((0, 0, 0, 0), -2),
        ((0, 0, 0, 0), 1),
    ]


def test_played_match_brings_net_columns_and_boxes_to_both() -> None:
    rows = table(ScoringScheme(), result(MatchState.STOPPED, MatchSide.A))
    assert [(rows[e].net, rows[e].columns_won, rows[e].boxes) for e in (1, 2)] == [(40, 2, 9), (-40, 1, 5)]


def test_every_member_of_a_side_takes_its_result() -> None:
    match = MatchResult((1, 2), (3, 4), MatchState.FINISHED, MatchSide.B, -30, 0, 1, 4, 6)
    rows = rank([1, 2, 3, 4], [match], criteria=["match_points", "net"])
    assert [(row.rank, row.entry, row.points, row.net, row.boxes) for row in rows] == [
        (1, 3, 2, 30, 6),
        (1, 4, 2, 30, 6),
        (3, 1, 0, -30, 4),
        (3, 2, 0, -30, 4),
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"side_a": (1,), "side_b": (1,), "state": MatchState.FINISHED}, "entry_twice"),
        ({"side_a": (1, 1), "side_b": (2, 3), "state": MatchState.FINISHED}, "entry_twice"),
        ({"side_a": (1,), "side_b": (2,), "state": MatchState.SCHEDULED}, "no_result"),
        ({"side_a": (1,), "side_b": (2,), "state": MatchState.PLAYING}, "no_result"),
        ({"side_a": (1,), "side_b": (), "state": MatchState.FINISHED}, "wrong_sides"),
        ({"side_a": (), "side_b": (1,), "state": MatchState.FORFEIT}, "wrong_sides"),
        ({"side_a": (1,), "side_b": (2,), "state": MatchState.BYE}, "wrong_sides"),
        ({"side_a": (1,), "side_b": (), "state": MatchState.BYE, "winner": MatchSide.B}, "wrong_winner"),
        ({"side_a": (1,), "side_b": (2,), "state": MatchState.ABSENT}, "wrong_sides"),
        ({"side_a": (1,), "side_b": (), "state": MatchState.ABSENT, "winner": MatchSide.B}, "wrong_winner"),
    ],
)
def test_impossible_results_are_refused(arguments: dict[str, Any], code: str) -> None:
    with refuses(StandingsError, code):
        MatchResult(**arguments)


@pytest.mark.parametrize("points", [0.5, True, "2", None])
def test_points_that_do_not_add_exactly_are_refused(points: Any) -> None:
    for make in (
        lambda: ScoringScheme(draw=points),
        lambda: Award(won=points),
        lambda: AdjustmentNote(1, points, "late"),
    ):
        with pytest.raises(StandingsError, match="whole number or a decimal") as refused:
            make()
        assert refused.value.code == "inexact_points"


def test_every_criterion_has_a_title_and_one_sentence_of_help() -> None:
    assert list(CRITERIA) == [
        "match_points",
        "net",
        "net_capped",
        "columns_won",
        "boxes",
        "head_to_head",
        "wins",
        "hands_won",
        "gins",
        "duplicate",
        "buchholz",
        "buchholz_cut1",
        "median_buchholz",
        "sonneborn_berger",
        "opponents_net",
        "rating",
        "place",
        "lot",
    ]
    for name, criterion in CRITERIA.items():
        assert criterion.name == name
        assert criterion.title
        assert str(criterion.help).endswith(".")
        assert str(criterion.help).count(". ") == 0
