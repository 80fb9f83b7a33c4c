"""Who is accelerated, by how much and how long: the examples of FIDE's Baku acceleration (C.04.5.1)."""

from decimal import Decimal

import pytest

from league.core.pairing.acceleration import accelerated_rounds, first_half, virtual_points


@pytest.mark.parametrize(("count", "half"), [(161, 82), (160, 80), (162, 82), (8, 4), (7, 4), (5, 4), (2, 2)])
def test_first_half_is_rounded_up_to_an_even_number(count: int, half: int) -> None:
    """FIDE's note: of 161 players the first 82."""
    everybody = range(1, count + 1)
    assert first_half(everybody, everybody) == set(range(1, half + 1))


@pytest.mark.parametrize(
    ("began", "last"),
    [
        # Of eight that are seeded six began, so four of these: the last of them stays the last.
        ([3, 4, 5, 6, 7, 8], 6),
        ([1, 3, 4, 5, 6, 8], 5),
        ([1, 2, 3, 4, 5, 6], 4),
        ([], 0),
    ],
)
def test_who_comes_later_is_accelerated_if_seeded_above_the_last_who_is(began: list[int], last: int) -> None:
    """FIDE: late entries move nobody from one group to the other."""
    assert first_half(range(1, 9), began) == set(range(1, last + 1))


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        # FIDE's example: in nine rounds one point in the first three, half a point in the next two.
        (9, [2, 2, 2, 1, 1, 0, 0, 0, 0]),
        (7, [2, 2, 1, 1, 0, 0, 0]),
        (5, [2, 2, 1, 0, 0]),
        (1, [2]),
        (None, [2, 1, 0, 0]),
    ],
)
def test_virtual_points_end_with_the_first_half_of_the_rounds(
    rounds: int | None, expected: list[int]
) -> None:
    fast = accelerated_rounds(rounds)
    given = [virtual_points(number, fast, win=2, draw=1) for number in range(1, len(expected) + 1)]
    assert given == expected


def test_virtual_points_are_those_of_a_win_and_a_draw() -> None:
    assert virtual_points(1, 5, win=1, draw=Decimal("0.5")) == 1
    assert virtual_points(4, 5, win=1, draw=Decimal("0.5")) == Decimal("0.5")
