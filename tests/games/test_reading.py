"""What is read from a view, beside a count of it by hand or by trying every meld."""

from itertools import combinations

import pytest

from games.bots.base import completes_meld
from games.bots.reading import COLD, WARM, danger, going_with, holding, melding, outs
from games.gin.cards import Hand, parse_number
from games.gin.hand import HandState
from games.gin.melds import meld_of
from scoring.core.rules import Rules
from tests.games.hands import random_hands
from tests.games.tables import do, pack


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_melding_cards_are_those_that_complete_a_meld(ace: str) -> None:
    for (hand,) in random_hands(7, 500, 10):
        expected = [card for card in range(52) if card not in hand and completes_meld(hand.mask, card, ace)]
        assert list(Hand(melding(hand.mask, ace))) == expected


def test_a_card_goes_with_its_rank_and_two_on_either_side() -> None:
    assert Hand(going_with(parse_number("7H"))) == Hand.parse("7C 7D 7S 5H 6H 8H 9H")
    assert Hand(going_with(parse_number("AS"))) == Hand.parse("AC AD AH 2S 3S")
    assert Hand(going_with(parse_number("KC"))) == Hand.parse("KD KH KS JC QC")


def test_outs_are_cards_that_may_still_come() -> None:
    """7-7 waits for a seven, the other lies on the pile; 2-3 of clubs and 9-T of hearts for either end."""
    state = HandState(Rules(), pack(elder="7C 7D 2C 3C TH QS KD 5S AD 9H", upcard="7H"), dealer=0)
    view = state.view(1)
    assert outs(view, view.mask) == len(Hand.parse("7S AC 4C 8H JH"))


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_danger_counts_every_meld_the_card_would_make(ace: str) -> None:
    for (hand,) in random_hands(3, 200, 8):
        chances = [float(card in hand) for card in range(52)]
        for card in range(52):
            if card not in hand:
                melds = [meld_of(Hand.of([*pair, card]), ace=ace) for pair in combinations(hand, 2)]
                assert danger(card, chances, ace) == sum(meld is not None for meld in melds)


def test_holding_follows_what_the_opponent_took_and_shed() -> None:
    state = HandState(
        Rules(),
        pack(
            elder="AC 3C 5D 7D 9D JH KH 2S 4S 6S",
            younger="8H 8D 2H KC QS TD 4C AH 5C 9C",
            upcard="8S",
            stock="TC",
        ),
        dealer=0,
    )
    begun = state.view(1)
    # 41 cards unseen, ten of them with the opponent.
    assert holding(begun)[parse_number("8H")] == pytest.approx(10 / 41)
    assert holding(begun)[parse_number("8S")] == 0
    do(state, "pass", "take", "discard KC")
    seen = holding(state.view(1))
    share = 9 / 40
    assert seen[parse_number("8S")] == 1
    assert seen[parse_number("KC")] == 0
    assert seen[parse_number("AC")] == 0
    assert seen[parse_number("8C")] == pytest.approx(share * WARM)
    assert seen[parse_number("9S")] == pytest.approx(share * WARM)
    assert seen[parse_number("KD")] == pytest.approx(share * COLD)
    assert seen[parse_number("QC")] == pytest.approx(share * COLD)
    assert seen[parse_number("2D")] == pytest.approx(share)


def test_opponent_hardly_holds_what_goes_with_cards_he_left() -> None:
    state = HandState(
        Rules(),
        pack(elder="AC 3C 5D 7D 9D JH KH 2S 4S 6S", younger="8H 8D 2H KC QS TD 4C AH 5C 9C", upcard="QH"),
        dealer=0,
    )
    do(state, "pass", "pass", "draw", "discard KH", "draw", "discard TD")
    seen = holding(state.view(1))
    share = 10 / 39
    for left in ("QD", "KS", "TC", "QC"):
        assert seen[parse_number(left)] == pytest.approx(share * COLD), left
    assert seen[parse_number("2D")] == pytest.approx(share)
