"""The usual rule: with less than half of all matches played, results are annulled (FIDE C.05, 6.6)."""

import pytest

from league.core.standings import annulled_by_rule


@pytest.mark.parametrize(
    ("played", "in_all", "annulled"),
    [
        # Nine meet everybody once: four of eight are half of them, and stay.
        (3, 8, True),
        (4, 8, False),
        # Ten do: of nine, four are less than half.
        (4, 9, True),
        (5, 9, False),
        (0, 1, True),
        (1, 1, False),
        # Who was drawn into nothing has nothing to annul.
        (0, 0, False),
    ],
)
def test_half_of_the_matches_decides(played: int, in_all: int, annulled: bool) -> None:
    assert annulled_by_rule(played, in_all) is annulled
