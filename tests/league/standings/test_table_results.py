"""Tables of three to six sides: places, what they are worth, and what a standing makes of them."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.lifecycle import MatchState
from league.core.standings import (
    CRITERIA,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    PerMatch,
    Row,
    ScoringScheme,
    StandingsError,
    TableResult,
    as_of,
    rank,
)
from tests.refusals import refuses

ABBOTT, BIANCHI, CASTELL, DVORAK = 1, 2, 3, 4
FOUR = [ABBOTT, BIANCHI, CASTELL, DVORAK]
HALF = Decimal("0.5")
# The table points of the Mahjong Competition Rules.
MAHJONG = (4, 2, 1, 0)
AT_TABLES = tuple(name for name, metric in CRITERIA.items() if metric.at_tables)


@pytest.mark.parametrize(
    ("places", "by_place", "points"),
    [
        ((1, 2, 3), (3, 1, 0), (3, 1, 0)),
        ((2, 3, 1), (3, 1, 0), (1, 0, 3)),
        # Further places have what the last one has.
        ((1, 2, 3, 4, 5, 6), (3, 1, 0), (3, 1, 0, 0, 0, 0)),
        ((4, 3, 2, 1), (2, 1), (1, 1, 1, 2)),
        # "MES MCR Tournament": 0.5 points each (half of 1 + 0) for two who share the last position.
        ((1, 2, 3, 3), MAHJONG, (4, 2, HALF, HALF)),
        # (4 + 2) / 2, and 2 + 1 + 0 shared by three.
        ((1, 1, 3, 4), MAHJONG, (3, 3, 1, 0)),
        ((2, 1, 2, 2), MAHJONG, (1, 4, 1, 1)),
        # (3 + 1 + 0) / 3 is 1.333..., (3 + 2 + 0) / 3 is 1.666..., and half of 0.25 + 0 is 0.125: 0.13.
        ((1, 1, 1), (3, 1, 0), (Decimal("1.33"),) * 3),
        ((1, 1, 1), (3, 2, 0), (Decimal("1.67"),) * 3),
        ((1, 2, 2), (1, Decimal("0.25"), 0), (1, Decimal("0.13"), Decimal("0.13"))),
        # Halves up: half of 0 − 0.25 is −0.125, which is −0.12.
        ((1, 2, 2), (1, 0, Decimal("-0.25")), (1, Decimal("-0.12"), Decimal("-0.12"))),
    ],
)
def test_points_by_place(
    places: tuple[int, ...], by_place: tuple[Number, ...], points: tuple[Number, ...]
) -> None:
    table = TableResult(tuple(range(len(places))), places)
    assert table.points(ScoringScheme(by_place=by_place).by_place) == points


# Three rounds of an evening, 3–1–0: Abbott, Bianchi and Castell play the first; all four the second, in which
# Abbott and Dvorak share the first place; Dvorak, Castell and Bianchi the third.
#   Abbott   3 + 2 = 5, net +30 + 20 = +50
#   Bianchi  1 + 0 + 1 = 2, net −10 − 30 + 5 = −35
#   Castell  0 + 0 + 0 = 0, net −20 − 10 − 25 = −55
#   Dvorak   2 + 3 = 5, net +20 + 20 = +40
EVENING = [
    TableResult((ABBOTT, BIANCHI, CASTELL), (1, 2, 3), (30, -10, -20), (4, 2, 1), (1, 0, 0), round=1),
    TableResult(
        (DVORAK, CASTELL, BIANCHI, ABBOTT), (1, 3, 4, 1), (20, -10, -30, 20), (2, 1, 0, 2), (0, 1, 0, 2), 2
    ),
    TableResult((CASTELL, DVORAK, BIANCHI), (3, 1, 2), (-25, 20, 5), (0, 3, 1), (0, 2, 0), round=3),
]


def test_evening_of_tables_worked_by_hand() -> None:
    rows = rank(FOUR, EVENING, criteria=["match_points", "net"])
    assert [(row.entry, row.rank, row.points, row.net) for row in rows] == [
        (ABBOTT, 1, 5, 50),
        (DVORAK, 2, 5, 40),
        (BIANCHI, 3, 2, -35),
        (CASTELL, 4, 0, -55),
    ]
    assert rows[0].above_next_by == "net"
    records = {row.entry: (row.played, row.wins, row.draws, row.losses) for row in rows}
    # First alone is won, first with somebody drawn, all else lost.
    assert records == {
        ABBOTT: (2, 1, 1, 0),
        BIANCHI: (3, 0, 0, 3),
        CASTELL: (3, 0, 0, 3),
        DVORAK: (2, 1, 1, 0),
    }
    assert {row.entry: (row.hands_won, row.gins) for row in rows} == {
        ABBOTT: (6, 3),
        BIANCHI: (3, 0),
        CASTELL: (2, 1),
        DVORAK: (5, 2),
    }
    assert {(row.columns_won, row.boxes) for row in rows} == {(0, 0)}
    assert rows[0].per_match == PerMatch(Fraction(5, 2), Fraction(25))


def test_net_is_capped_for_each_both_ways() -> None:
    """Capped at 20: Abbott 20 + 20, Bianchi −10 − 20 + 5, Castell −20 − 10 − 20, Dvorak 20 + 20."""
    rows = rank(FOUR, EVENING, criteria=["net_capped"], net_cap=20)
    capped = {row.entry: row.metrics["net_capped"] for row in rows}
    assert capped == {ABBOTT: 40, BIANCHI: -25, CASTELL: -50, DVORAK: 40}
    assert [row.rank for row in rows] == [1, 1, 3, 4]


def test_best_rounds_and_rounds_until_then_are_of_tables_too() -> None:
    best = rank(FOUR, EVENING, criteria=["match_points"], best_of=1)
    assert {row.entry: row.points for row in best} == {ABBOTT: 3, BIANCHI: 1, CASTELL: 0, DVORAK: 3}
    until = rank(FOUR, as_of(EVENING, 1), criteria=["match_points"])
    assert {row.entry: row.points for row in until} == {ABBOTT: 3, BIANCHI: 1, CASTELL: 0, DVORAK: 0}


def test_bye_stands_beside_tables() -> None:
    """Dvorak rests in round 1, with the average net of the round's winners: Abbott's 30."""
    scheme = ScoringScheme(bye=Award(won=3, counts=False, net=CountsAs.ROUND_WINNERS))
    results: list[MatchResult | TableResult] = [*EVENING, MatchResult.bye(DVORAK, round=1)]
    rows = {row.entry: row for row in rank(FOUR, results, criteria=["match_points"], scheme=scheme)}
    assert (rows[DVORAK].points, rows[DVORAK].net, rows[DVORAK].played) == (8, 70, 2)


def test_two_sided_match_and_table_add_up() -> None:
    match = MatchResult((CASTELL,), (BIANCHI,), MatchState.FINISHED, MatchSide.A, 9, 2, 1, round=4)
    rows = {row.entry: row for row in rank(FOUR, [*EVENING, match], criteria=["match_points"])}
    assert (rows[CASTELL].points, rows[CASTELL].net, rows[CASTELL].wins) == (2, -46, 1)
    assert (rows[BIANCHI].points, rows[BIANCHI].net, rows[BIANCHI].losses) == (2, -44, 4)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"entries": (1, 2, 1), "places": (1, 2, 3)}, "entry_twice"),
        ({"entries": (1, 2), "places": (1, 2)}, "wrong_sides"),
        ({"entries": tuple(range(7)), "places": tuple(range(1, 8))}, "wrong_sides"),
        ({"entries": (1, 2, 3), "places": (1, 2)}, "wrong_sides"),
        ({"entries": (1, 2, 3), "places": (1, 2, 3), "nets": (5, -5)}, "wrong_sides"),
        ({"entries": (1, 2, 3), "places": (1, 2, 3), "hands": (1,)}, "wrong_sides"),
        ({"entries": (1, 2, 3), "places": (1, 2, 3), "gins": (0,) * 4}, "wrong_sides"),
        ({"entries": (1, 2, 3), "places": (1, 1, 2)}, "wrong_places"),
        ({"entries": (1, 2, 3), "places": (2, 2, 3)}, "wrong_places"),
        ({"entries": (1, 2, 3), "places": (0, 1, 2)}, "wrong_places"),
        ({"entries": (1, 2, 3, 4), "places": (1, 2, 2, 3)}, "wrong_places"),
    ],
)
def test_impossible_tables_are_refused(arguments: dict[str, Any], code: str) -> None:
    with refuses(StandingsError, code):
        TableResult(**arguments)


@pytest.mark.parametrize(
    ("by_place", "code"),
    [((), "wrong_by_place"), ((1, 2, 0), "wrong_by_place"), ((3, 0.5, 0), "inexact_points")],
)
def test_points_by_place_that_are_none_are_refused(by_place: Any, code: str) -> None:
    with refuses(StandingsError, code, field="by_place"):
        ScoringScheme(by_place=by_place)


def test_criteria_that_look_at_two_who_met_are_refused_at_tables() -> None:
    assert AT_TABLES == (
        "match_points",
        "net",
        "net_capped",
        "wins",
        "hands_won",
        "gins",
        "rating",
        "place",
        "lot",
    )
    figures = dict.fromkeys(FOUR, 1)
    given_figures = {"rating": figures, "place": figures, "lot": figures}
    assert len(rank(FOUR, EVENING, criteria=AT_TABLES, given=given_figures)) == 4
    for name in CRITERIA.keys() - set(AT_TABLES):
        assert (
            len(rank(FOUR, [MatchResult.bye(ABBOTT)], criteria=["net", name], given={"duplicate": figures}))
            == 4
        )
        with pytest.raises(StandingsError, match="no meaning") as refused:
            rank(FOUR, EVENING, criteria=["match_points", name])
        assert refused.value.code == "not_at_tables"


def test_table_of_somebody_unknown_is_refused() -> None:
    with refuses(StandingsError, "unknown_entry"):
        rank([ABBOTT, BIANCHI], EVENING, criteria=["net"])


ENTRIES = range(8)
FIGURES = ("entries", "places", "nets", "hands", "gins")
worths = st.decimals(-5, 10, places=2) | st.integers(-5, 10)


def ranked(scores: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other > score for other in scores) for score in scores)


@st.composite
def tables(draw: st.DrawFn) -> TableResult:
    entries = draw(st.lists(st.sampled_from(ENTRIES), min_size=3, max_size=6, unique=True))
    # Few scores, so that places are often shared.
    few = st.lists(st.integers(-2, 2), min_size=len(entries), max_size=len(entries)).map(tuple)
    nets = draw(few)
    return TableResult(tuple(entries), ranked(nets), nets, draw(few), draw(few), draw(st.integers(1, 5)))


@given(tables(), st.lists(worths, min_size=1, max_size=6))
def test_points_of_a_table_have_one_sum_however_places_are_shared(
    table: TableResult, worth: list[Number]
) -> None:
    by_place = sorted(worth, reverse=True)
    sides = len(table.entries)
    whole = sum([*by_place, *[by_place[-1]] * sides][:sides])
    shared = sum(1 for place in table.places if table.places.count(place) > 1)
    points = table.points(by_place)
    most = shared * Decimal("0.005")
    assert -most <= sum(points) - whole <= most
    for place, worth_of_it in zip(table.places, points, strict=True):
        for at, other in zip(table.places, points, strict=True):
            # A better place never has less, and level ones have the same.
            assert place > at or worth_of_it - other >= 0
            assert place != at or worth_of_it == other


def row_figures(rows: list[Row]) -> dict[int, tuple[Number, ...]]:
    return {row.entry: (row.rank, row.points, row.net, row.wins, row.draws, row.losses) for row in rows}


@given(
    st.lists(tables(), max_size=12).flatmap(
        lambda played: st.tuples(st.just(played), st.permutations(played))
    ),
    st.permutations([name for name in AT_TABLES if name not in ("rating", "place", "lot")]),
    st.none() | st.integers(0, 2),
    st.none() | st.integers(1, 4),
    st.booleans(),
)
def test_order_of_tables_and_of_seats_changes_nothing(
    both: tuple[list[TableResult], list[TableResult]],
    names: list[str],
    net_cap: int | None,
    best_of: int | None,
    restart: bool,
) -> None:
    played, shuffled = both
    turned = [replace(each, **{name: getattr(each, name)[::-1] for name in FIGURES}) for each in shuffled]
    how: dict[str, Any] = {"net_cap": net_cap, "best_of": best_of, "restart": restart}
    rows = rank(ENTRIES, played, criteria=names, **how)
    assert rows == rank(ENTRIES, shuffled, criteria=names, **how)
    assert row_figures(rows) == row_figures(rank(ENTRIES, turned, criteria=names, **how))
    assert all(row.played == row.wins + row.draws + row.losses for row in rows)


@given(st.lists(tables(), max_size=8), st.lists(worths, min_size=1, max_size=4))
def test_points_by_place_change_no_other_figure(played: list[TableResult], worth: list[Number]) -> None:
    by_place = tuple(sorted(worth, reverse=True))
    usual = rank(ENTRIES, played, criteria=["net"])
    other = rank(ENTRIES, played, criteria=["net"], scheme=ScoringScheme(by_place=by_place))
    assert [(row.entry, row.net, row.played, row.wins) for row in usual] == [
        (row.entry, row.net, row.played, row.wins) for row in other
    ]
    assert [row.points for row in other] == [
        sum(
            each.points(by_place)[each.entries.index(row.entry)]
            for each in played
            if row.entry in each.entries
        )
        for row in other
    ]
