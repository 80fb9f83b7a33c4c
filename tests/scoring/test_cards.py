"""Cards as text (INTERFACES §1) and what they count unmatched (RULES §2)."""

import pytest

from scoring.core.cards import RANKS, SUITS, deadwood_value, parse_card
from scoring.core.errors import ScoringError
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("AS", "AS"),
        ("td", "TD"),
        ("10D", "TD"),
        ("10d", "TD"),
        ("10♦", "TD"),
        ("T♥", "TH"),
        ("q♣", "QC"),
        ("7♠", "7S"),
        ("7♠\ufe0f", "7S"),
        ("7♠\ufe0e", "7S"),
        (" 2c ", "2C"),
    ],
)
def test_card_is_read_when_written_in_any_usual_way(text: str, card: str) -> None:
    assert parse_card(text) == card


def test_every_card_reads_as_itself() -> None:
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    assert len(set(cards)) == 52
    assert [parse_card(card) for card in cards] == cards


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "A",
        "S",
        "10",
        "1S",
        "11S",
        "0S",
        "AX",
        "SA",
        "AS 2S",
        "100D",
        "♠",
        "A♠♠",
        "x" * 5000,
        "\ud800",
    ],
)
def test_card_is_refused_when_there_is_none_like_it(text: str) -> None:
    with refuses(ScoringError, "unknown_card", field="upcard") as refused:
        parse_card(text)
    assert len(str(refused.value.message)) < 200
    str(refused.value.message).encode()


@pytest.mark.parametrize(
    ("ranks", "value"), [("A", 1), ("2", 2), ("5", 5), ("9", 9), ("T", 10), ("J", 10), ("Q", 10), ("K", 10)]
)
def test_deadwood_value_of_each_rank(ranks: str, value: int) -> None:
    assert {deadwood_value(ranks + suit) for suit in SUITS} == {value}
