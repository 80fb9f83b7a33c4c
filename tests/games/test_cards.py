"""Cards as text and as numbers (INTERFACES §1), and hands as sets."""

import pytest

from games.errors import GameError
from games.gin.cards import ALL_CARDS, CARD_TEXTS, Hand, cards_of, mask_of
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("AS 2S 3S", "AS 2S 3S"),
        ("3S AS 2S", "AS 2S 3S"),
        ("KS 7H 7C", "7C 7H KS"),
        ("10d as", "TD AS"),
        ("10♦ a♠", "TD AS"),
        ("  4H\n5H ", "4H 5H"),
        ("", ""),
    ],
)
def test_hand_is_read_and_printed(text: str, printed: str) -> None:
    assert str(Hand.parse(text)) == printed
    assert Hand.parse(printed) == Hand.parse(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("AS 1S", "unknown_card"),
        ("AX", "unknown_card"),
        ("AS2S", "unknown_card"),
        ("10", "unknown_card"),
        ("joker", "unknown_card"),
        ("AS 2S AS", "card_twice"),
        ("TD 10♦", "card_twice"),
    ],
)
def test_hand_is_refused(text: str, code: str) -> None:
    with refuses(GameError, code, field="knocker") as caught:
        Hand.parse(text, field="knocker")
    assert str(caught.value).startswith("knocker: ")


def test_pack_has_every_card_once() -> None:
    deck = Hand(ALL_CARDS)
    assert len(deck) == len(set(CARD_TEXTS)) == 52
    assert Hand.parse(" ".join(CARD_TEXTS)) == deck
    assert deck.value == 4 * (sum(range(1, 11)) + 30)
    assert mask_of(cards_of(deck.mask)) == deck.mask


def test_hands_are_sets() -> None:
    low, high = Hand.parse("AS 2S 3S"), Hand.parse("3S 4S")
    assert str(low | high) == "AS 2S 3S 4S"
    assert str(low & high) == "3S"
    assert str(low - high) == "AS 2S"
    (four,) = high - low
    assert (four in low, four in high) == (False, True)
    assert high.remove(four) == low & high
    assert list(low) == sorted(low)
    with pytest.raises(GameError, match="4S is not in the hand"):
        low.remove(four)
