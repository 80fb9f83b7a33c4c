"""The line of a rating: everything within the frame, the scale in round figures."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.pictures.rating_line import RatingCurve, rating_line


def places(written: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in written.split())]


def test_line_of_three_matches_worked_by_hand() -> None:
    """Frame 38…294 by 8…196; the scale 1480…1600 in steps of 20, so a point is 188/120 of a unit."""
    line = rating_line([1500, 1580, 1540, 1590], [250, 200, 160, 130], width=338, height=220)
    assert [level.figure for level in line.levels] == [1480, 1500, 1520, 1540, 1560, 1580, 1600]
    assert (line.levels[0].at, line.levels[-1].at) == (196, 8)
    assert places(line.points) == pytest.approx(
        [(38, 164.7), (123.3, 39.3), (208.7, 102), (294, 23.7)], abs=0.05
    )
    assert [(mark.at, mark.figure) for mark in line.matches] == [(123.3, 1), (208.7, 2), (294, 3)]
    assert (line.last, line.last_figure) == ((294, 23.7), 1590)
    # The band goes there above the line and comes back under it.
    assert places(line.band)[3] == pytest.approx((294, 8 + 188 * (1600 - 1720) / 120), abs=0.1)
    assert places(line.band)[4] == pytest.approx((294, 8 + 188 * (1600 - 1460) / 120), abs=0.1)


histories = st.lists(st.integers(600, 2600), min_size=2, max_size=400)


@given(histories, st.sampled_from([(720, 260), (340, 220)]))
def test_every_point_is_within_the_frame(ratings: list[int], size: tuple[int, int]) -> None:
    line = drawn(ratings, size)
    assert len(places(line.points)) == len(ratings)
    assert all(line.left <= x <= line.right and line.top <= y <= line.bottom for x, y in places(line.points))
    assert [x for x, _ in places(line.points)] == sorted(x for x, _ in places(line.points))


@given(histories, st.sampled_from([(720, 260), (340, 220)]))
def test_the_scale_has_few_round_figures_around_the_line(ratings: list[int], size: tuple[int, int]) -> None:
    line = drawn(ratings, size)
    levels = [level.figure for level in line.levels]
    assert 2 <= len(levels) <= 8
    assert levels[0] < min(ratings) <= max(ratings) < levels[-1]
    assert len({later - earlier for earlier, later in pairwise(levels)}) == 1
    assert all(figure % 10 == 0 for figure in levels)


@given(histories)
def test_matches_are_numbered_up_to_the_last(ratings: list[int]) -> None:
    line = drawn(ratings, (340, 220))
    numbers = [mark.figure for mark in line.matches]
    assert numbers == sorted(set(numbers))
    assert 1 <= len(numbers) <= 6
    assert numbers[-1] == len(ratings) - 1
    far = [later.at - earlier.at for earlier, later in pairwise(line.matches)]
    assert all(distance > 20 for distance in far), "figures stand on each other"


def drawn(ratings: list[int], size: tuple[int, int]) -> RatingCurve:
    return rating_line(ratings, [100] * len(ratings), width=size[0], height=size[1])
