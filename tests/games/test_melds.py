"""Deadwood and arrangements: worked hands, and a proof against trying everything."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from games.errors import GameError
from games.gin.cards import CARD_TEXTS, Hand
from games.gin.melds import (
    best_arrangements,
    best_melds,
    deadwood,
    deadwood_of,
    deadwood_without_each,
    meld_of,
)
from tests.games import brute
from tests.games.hands import random_hands

ROOT = Path(__file__).resolve().parents[2]
ACES = ("low", "low_or_high")


def texts(hand: Hand) -> brute.Cards:
    return frozenset(str(hand).split())


@pytest.mark.parametrize(
    ("name", "hand", "low", "low_or_high"),
    [
        ("INTERFACES §3, the knocker", "AS 2S 3S 7C 7D 7H JC JD JH 4D", 4, 4),
        ("nothing at all", "KS KH QD QC JS JH TD TC 9S 9H", 98, 98),
        ("no cards", "", 0, 0),
        ("the corner is not turned", "KS AS 2S", 13, 13),
        ("the ace high", "QS KS AS", 21, 0),
        ("the ace once: low or high", "AS 2S 3S QS KS", 20, 5),
        ("the ace once, no loss", "AS 2S 3S JS QS KS", 0, 0),
        ("a run of the whole suit but two", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS", 0, 0),
        ("three of four in a set, the fourth in a run", "7C 7D 7H 7S 8S 9S", 0, 0),
        ("a set or a run, not both", "5H 6H 7H 7C 7D", 11, 11),
        ("the run is worth more", "8H 9H TH 8C 8D", 16, 16),
        ("three sets against three runs, one card over", "4C 4D 4H 5C 5D 5H 6C 6D 6H 6S", 0, 0),
        ("big gin", "AS 2S 3S 4S 7C 7D 7H 7S JC JD JH", 0, 0),
        ("four and five in sets, six left", "4C 4D 4H 5C 5D 5H 6S", 6, 6),
    ],
)
def test_deadwood_of_worked_hands(name: str, hand: str, low: int, low_or_high: int) -> None:
    assert deadwood(Hand.parse(hand)) == low, name
    assert deadwood(Hand.parse(hand), ace="low_or_high") == low_or_high, name


@pytest.mark.parametrize("ace", ACES)
@pytest.mark.parametrize("size", [10, 11])
def test_deadwood_is_the_least_of_all_arrangements(size: int, ace: str, *, long: bool) -> None:
    for (hand,) in random_hands(size, 100_000 if long else 8_000, size):
        assert deadwood(hand, ace=ace) == brute.least(texts(hand), ace), str(hand)


@pytest.mark.parametrize("ace", ACES)
def test_best_arrangements_are_all_and_only_those_with_least_deadwood(ace: str, *, long: bool) -> None:
    for (hand,) in random_hands(77, 20_000 if long else 1_000, 10):
        found = best_arrangements(hand, ace=ace)
        assert best_melds(hand, ace=ace) == found[0]
        least = deadwood(hand, ace=ace)
        for arrangement in found:
            melds = [frozenset(str(meld).split()) for meld in arrangement.melds]
            assert all(meld in brute.melds_of_pack(ace) for meld in melds)
            laid = sum(meld.mask for meld in arrangement.melds)
            assert laid ^ arrangement.unmatched.mask == hand.mask
            assert arrangement.deadwood == arrangement.unmatched.value == least
        tried = [
            melds
            for melds in brute.arrangements(texts(hand), ace)
            if brute.count(texts(hand)) - sum(map(brute.count, melds)) == least
        ]
        # A run may be laid in pieces, which changes nothing; so what is compared is which cards are in sets.
        assert {in_sets(melds) for melds in tried} == {
            in_sets([frozenset(str(meld).split()) for meld in arrangement.melds]) for arrangement in found
        }


def in_sets(melds: list[brute.Cards] | tuple[brute.Cards, ...]) -> tuple[frozenset[brute.Cards], brute.Cards]:
    """The sets of an arrangement, and all cards in its runs."""
    sets = frozenset(meld for meld in melds if len({card[0] for card in meld}) == 1)
    return sets, frozenset(card for meld in melds if meld not in sets for card in meld)


@pytest.mark.parametrize("ace", ACES)
def test_deadwood_without_each_card_is_that_of_the_other_ten(ace: str) -> None:
    for (hand,) in random_hands(5, 1_000, 11):
        after = deadwood_without_each(hand.mask, ace)
        assert after == {card: deadwood_of(hand.remove(card).mask, ace) for card in hand}
        assert list(after) == list(hand)


@pytest.mark.parametrize(
    ("cards", "ace", "printed"),
    [
        ("2S AS 3S", "low", "AS 2S 3S"),
        ("AS KS QS", "low", None),
        ("AS KS QS", "low_or_high", "QS KS AS"),
        ("JD QD KD AD", "low_or_high", "JD QD KD AD"),
        ("KS AS 2S", "low_or_high", None),
        ("QS KS AS 2S", "low_or_high", None),
        ("7H 7S 7C", "low", "7C 7H 7S"),
        ("7H 7S 7C 7D", "low", "7C 7D 7H 7S"),
        ("7H 7S", "low", None),
        ("7H 8H", "low", None),
        ("7H 8H TH", "low", None),
        ("KC AD 2D", "low", None),
        ("7H 8H 9S", "low", None),
        ("7H 7S 8S", "low", None),
        ("TH JH QH KH", "low", "TH JH QH KH"),
        ("", "low", None),
    ],
)
def test_meld_is_known_from_its_cards(cards: str, ace: str, printed: str | None) -> None:
    meld = meld_of(Hand.parse(cards), ace=ace)
    assert (None if meld is None else str(meld)) == printed


@pytest.mark.parametrize("ace", ACES)
def test_meld_is_what_the_rules_call_one(ace: str) -> None:
    for meld in brute.melds_of_pack(ace):
        known = meld_of(Hand.parse(" ".join(meld)), ace=ace)
        assert known is not None
        assert known.is_set == (len({card[0] for card in meld}) == 1)
        if not known.is_set:
            line = [CARD_TEXTS[card][0] for card in known.cards]
            order = "A23456789TJQKA"
            assert "".join(line) in order
            assert all(order.find(a) + 1 == order.find(b, 1) for a, b in pairwise(line))
    for (cards,) in random_hands(3, 2_000, 3):
        assert (meld_of(cards, ace=ace) is not None) == (texts(cards) in brute.melds_of_pack(ace))


def test_more_than_eleven_cards_are_refused() -> None:
    with pytest.raises(GameError, match="at most 11 cards"):
        deadwood(Hand((1 << 12) - 1))


def test_game_is_imported_without_django_or_a_compiler() -> None:
    program = (
        "import sys, games.gin; print(*{'django', 'numba', 'numpy', 'rest_framework'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
