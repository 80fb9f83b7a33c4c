"""Duplicate scores: each play of a pack against the mean of all others who held the same cards."""

import random
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from league.core.standings.duplicate import PackPlay, compare, duplicate_scores


def test_two_tables_by_hand() -> None:
    """Dealers made 30, −10, 25, and 5 of pack 1: means of the others 20/3, 20, 25/3, 15."""
    plays = [
        PackPlay(1, 1, dealer=1, other=2, net=30),
        PackPlay(1, 1, dealer=2, other=1, net=-10),
        PackPlay(1, 1, dealer=3, other=4, net=25),
        PackPlay(1, 1, dealer=4, other=3, net=5),
    ]
    assert [one.score for one in compare(plays)] == [
        Fraction(70, 3),
        Fraction(-30),
        Fraction(50, 3),
        Fraction(-10),
    ]
    assert duplicate_scores(plays) == {
        1: Decimal("53.33"),
        2: Decimal("-53.33"),
        3: Decimal("26.67"),
        4: Decimal("-26.67"),
    }


def test_a_pack_of_another_round_is_another_pack_and_one_played_once_counts_nothing() -> None:
    plays = [PackPlay(1, 1, 1, 2, 40), PackPlay(2, 1, 1, 2, 10), PackPlay(1, 2, 2, 1, 7)]
    assert [one.score for one in compare(plays)] == [None, None, None]
    assert duplicate_scores(plays) == {1: 0, 2: 0}


def test_good_cards_are_no_merit() -> None:
    """Whoever holds the pack makes 50 of it: nobody is ahead."""
    plays = [PackPlay(1, 1, dealer, 5 - dealer, 50) for dealer in (1, 2, 3, 4)]
    assert set(duplicate_scores(plays).values()) == {0}


PLAYS = st.builds(
    PackPlay,
    round=st.integers(1, 2),
    pack=st.integers(1, 3),
    dealer=st.integers(1, 4),
    other=st.integers(5, 8),
    net=st.integers(-200, 200),
)


@given(st.lists(PLAYS, max_size=20))
def test_the_scores_of_a_pack_add_up_to_nothing(plays: list[PackPlay]) -> None:
    assert sum(one.score or 0 for one in compare(plays)) == 0


@given(st.lists(PLAYS, max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_plays_does_not_matter(plays: list[PackPlay], chance: random.Random) -> None:
    mixed = list(plays)
    chance.shuffle(mixed)
    assert duplicate_scores(mixed) == duplicate_scores(plays)
