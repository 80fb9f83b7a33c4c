"""A table over several events: points for places, shared where places are, the best few of them."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.standings import Finish, StandingsError, rank_season
from tests.refusals import refuses

POINTS = (10, 8, 7, 5, 3)


def finishes(event: int, *places: int) -> list[Finish]:
    """Where competitors 1, 2, 3 … finished."""
    return [Finish(event, place, (number,)) for number, place in enumerate(places, start=1)]


def points(*arguments: Any, **keywords: Any) -> dict[int, Fraction]:
    return {row.competitor: row.points for row in rank_season(*arguments, **keywords)}


@pytest.mark.parametrize(
    ("name", "places", "expected"),
    [
        ("nobody level", [1, 2, 3, 4], [10, 8, 7, 5]),
        ("two share the second place: (8+7)/2", [1, 2, 2, 4], [10, Fraction(15, 2), Fraction(15, 2), 5]),
        ("three share the first: 25/3", [1, 1, 1, 4], [Fraction(25, 3)] * 3 + [5]),
        ("the last two share the fifth and one beyond the list: 3/2", [1, 2, 3, 4, 5, 5],
         [10, 8, 7, 5, Fraction(3, 2), Fraction(3, 2)]),
        ("beyond the list is nothing", [1, 2, 3, 4, 5, 6], [10, 8, 7, 5, 3, 0]),
    ],
)  # fmt: skip
def test_points_of_places(name: str, places: list[int], expected: list[Fraction]) -> None:
    found = points(finishes(1, *places), place_points=POINTS)
    assert [found[number] for number in range(1, len(places) + 1)] == expected, name


def test_events_are_added_up_and_the_better_single_result_decides() -> None:
    # 1: 10 + 5 = 15 and 2: 8 + 7 = 15, but 1 has won an event. 3: 7 + 8 = 15, as 2. 4: 5 + 10 = 15, as 1.
    rows = rank_season([*finishes(1, 1, 2, 3, 4), *finishes(2, 4, 3, 2, 1)], place_points=POINTS)
    assert [(row.rank, row.competitor, int(row.points)) for row in rows] == [
        (1, 1, 15),
        (1, 4, 15),
        (3, 2, 15),
        (3, 3, 15),
    ]


def test_only_the_best_events_count() -> None:
    # 1 finishes 1st, 3rd, 2nd: the best two are 10 + 8.
    rows = rank_season([*finishes(1, 1), *finishes(2, 3), *finishes(3, 2)], place_points=POINTS, best=2)
    (row,) = rows
    assert row.points == 18
    assert [(result.event, int(result.points), result.counts) for result in row.results] == [
        (1, 10, True),
        (2, 7, False),
        (3, 8, True),
    ]


def test_of_equal_results_the_earlier_event_counts() -> None:
    (row,) = rank_season([*finishes(1, 2), *finishes(2, 2)], place_points=POINTS, best=1)
    assert [result.counts for result in row.results] == [True, False]


def test_every_member_has_the_points_of_the_team_and_ties_are_counted_by_teams() -> None:
    teams = [Finish(1, 1, (1, 2)), Finish(1, 2, (3, 4)), Finish(1, 2, (5, 6))]
    assert points(teams, place_points=POINTS) == {
        1: 10, 2: 10, 3: Fraction(15, 2), 4: Fraction(15, 2), 5: Fraction(15, 2), 6: Fraction(15, 2)
    }  # fmt: skip


def test_halves_are_points_too() -> None:
    assert points(finishes(1, 1, 2), place_points=[Decimal("1.5"), Decimal("0.5")]) == {
        1: Fraction(3, 2),
        2: Fraction(1, 2),
    }


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"place_points": []}, "no_points", "place_points"),
        ({"place_points": [5, 7]}, "rising_points", "place_points"),
        ({"place_points": [5.5]}, "inexact_points", "place_points"),
        ({"place_points": [5], "best": 0}, "out_of_range", "best"),
    ],
)
def test_impossible_tables_are_refused(arguments: dict[str, Any], code: str, field: str) -> None:
    with refuses(StandingsError, code, field=field):
        rank_season([], **arguments)


def test_nobody_finishes_twice_in_an_event() -> None:
    with pytest.raises(StandingsError, match="finished twice") as refused:
        rank_season([Finish(1, 1, (1,)), Finish(1, 2, (2, 1))], place_points=POINTS)
    assert refused.value.code == "competitor_twice"


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), max_size=5))
def test_an_event_gives_out_what_its_places_are_worth(events: list[list[int]]) -> None:
    everything = []
    for event, scores in enumerate(events):
        places = [1 + sum(other > score for other in scores) for score in scores]
        everything += finishes(event, *places)
    given_out = sum(points(everything, place_points=POINTS).values(), Fraction(0))
    assert given_out == sum(sum(POINTS[: len(scores)]) for scores in events)
