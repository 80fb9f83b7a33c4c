"""Pictures: coordinates worked out by hand, and what holds for all."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.pictures.climb import climb
from league.core.pictures.hand_bars import hand_bars
from league.core.pictures.race import Runner, race
from league.core.pictures.rating_line import rating_line
from league.core.pictures.scales import Scale, apart, numbered, round_step, written


def test_scale_runs_either_way() -> None:
    assert [Scale(0, 10, 100, 0).at(figure) for figure in (0, 5, 10)] == [100, 50, 0]
    assert Scale(-20, 100, 0, 60).at(7) == 13.5


@pytest.mark.parametrize(
    ("extent", "most", "least", "step"),
    [(23, 4, 1, 10), (23, 5, 1, 5), (3, 4, 10, 10), (5001, 5, 1, 2000), (0, 5, 1, 1)],
)
def test_step_is_the_smallest_round_one_that_does(extent: int, most: int, least: int, step: int) -> None:
    """23/5 is more than 4, and 23/10 is not."""
    assert round_step(extent, most, least) == step


def test_numbers_below_a_frame_end_with_the_last() -> None:
    """Of 12 every fifth, but 10 stands too near; of 13 it does not."""
    assert [list(numbered(last)) for last in (1, 5, 12, 13)] == [[1], [1, 2, 3, 4, 5], [5, 12], [5, 10, 13]]


def test_points_as_svg_writes_them() -> None:
    assert written([(0, 1.5), (10.0, 2)]) == "0,1.5 10,2"


def test_labels_that_touch_are_moved_apart_evenly() -> None:
    """Those at 50 and 52 are wanted 13 apart around 51; two at 10 cannot go above 10."""
    assert apart([52, 50], 13, low=10, high=150) == [57.5, 44.5]
    assert apart([10, 10, 148], 13, low=10, high=150) == [10, 23, 148]
    assert apart([150, 150], 13, low=10, high=150) == [137, 150]
    assert apart([20, 60], 13, low=10, high=150) == [20, 60]


@given(st.lists(st.integers(0, 200), min_size=1, max_size=8))
def test_labels_keep_their_order_and_distance(wanted: list[int]) -> None:
    found = apart(wanted, 13, low=0, high=200)
    ordered = [found[index] for index in sorted(range(len(wanted)), key=wanted.__getitem__)]
    assert all(later - earlier >= 12.8 for earlier, later in pairwise(ordered))
    assert all(-0.1 <= place <= 200.1 for place in found)


def test_race_of_four_over_two_rounds_worked_by_hand() -> None:
    """Rounds at 34 and 220, places 18 apart from 12 on. C came for the second round: it has a dash alone.

    Those picked out lie above the others, and one's own above all.
    """
    runners = [
        Runner("A", [2, 1], 1),
        Runner("B", [1, 2], 2, is_own=True),
        Runner("C", [None, 3], 3),
        Runner("D", [3, 4], 3),
    ]
    drawn = race(runners, [3, 7], width=340, label=120)
    assert (drawn.width, drawn.height) == (340, 66 + 26)
    assert [(mark.at, mark.figure) for mark in drawn.rounds] == [(34, 3), (220, 7)]
    assert [(line.label, line.points) for line in drawn.lines] == [
        ("D", "34,48 220,66"),
        ("C", "214,48 220,48"),
        ("A", "34,30 220,12"),
        ("B", "34,12 220,30"),
    ]
    assert [(line.pattern, line.rank, line.is_own) for line in drawn.lines] == [
        (0, 3, False),
        (3, 3, False),
        (1, 1, False),
        (2, 2, True),
    ]
    assert drawn.lines[2].dots == [(34, 30), (220, 12)]
    assert drawn.lines[0].dots == ()


def test_game_of_three_deals_worked_by_hand() -> None:
    """0 to 104 on 138 units from 148 upwards. The second side stays at 0 first, and at 25 last."""
    drawn = climb([[(1, 30), (3, 104)], [(2, 25)]], 3, target=100, width=240, height=170)
    assert [line.points for line in drawn.lines] == [
        "34,148 87.3,108.2 140.7,108.2 194,10",
        "34,148 87.3,148 140.7,114.8 194,114.8",
    ]
    assert [(line.last, line.label_y) for line in drawn.lines] == [(104, 10), (25, 114.8)]
    assert [(mark.at, mark.figure) for mark in drawn.levels] == [(148, 0), (81.7, 50), (15.3, 100)]
    assert drawn.target_y == 15.3


def test_game_below_nothing_and_without_target_has_room() -> None:
    """Penalties take the second side to -20: the scale begins there, and its labels at 0."""
    drawn = climb([[(1, 40)], [(1, -20)]], 1, target=None, width=240, height=170)
    assert drawn.target_y is None
    assert [line.end[1] for line in drawn.lines] == [10, 148]
    assert [mark.figure for mark in drawn.levels] == [-20, 0, 20, 40]


def test_bars_of_hands_worked_by_hand() -> None:
    """76 units for the longest of each group: 6 hands, and 100 points."""
    drawn = hand_bars([[(3, 6), (0, 2)], [(100, 50)]], width=340)
    assert [(row.y, row.lost.x, row.lost.width, row.won.x, row.won.width) for row in drawn.rows] == [
        (22, 80, 38, 222, 76),
        (52, 118, 0, 222, 25.3),
        (82, 42, 76, 222, 38),
    ]
    assert (drawn.rows[0].lost.figure, drawn.rows[0].won.figure) == (3, 6)
    assert hand_bars([[(0, 0)]], width=340).rows[0].won.width == 0


def test_results_stand_below_a_rating_up_down_and_across() -> None:
    """The frame ends at 196, the strip's middle is 12 below it; of the last match nothing is known."""
    line = rating_line(
        [1500, 1580, 1540, 1590, 1600], [9] * 5, ["won", "lost", "drawn", ""], width=402, height=242
    )
    assert line.bottom == 196
    assert line.results == "M118 208v-7M198 208v7M278 208m-1.5 0h3"
