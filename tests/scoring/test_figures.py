"""Figures and words of the score sheet as pages print them."""

from decimal import Decimal

import pytest

from scoring.paper.layout import HandLine
from scoring.templatetags.figures import card, grouped, hand_words, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234, "1,234"),
        (-10203, "−10,203"),
        (Decimal("24.00"), "24"),
        (Decimal("10.50"), "10.5"),
        (Decimal("100"), "100"),
        (Decimal("-0.5"), "−0.5"),
        (None, ""),
    ],
)
def test_figures_are_grouped_with_a_real_minus(value: int | Decimal | None, text: str) -> None:
    assert grouped(value) == text


@pytest.mark.parametrize(("value", "text"), [(96, "+96"), (-562, "−562"), (0, "0"), (None, "")])
def test_a_signed_figure_has_its_sign(value: int | None, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(("value", "text"), [("TS", "10♠"), ("AH", "A♥"), ("", ""), (None, "")])
def test_a_card_is_printed_with_its_suit(value: str | None, text: str) -> None:
    assert card(value) == text


@pytest.mark.parametrize(
    ("outcome", "counts", "words"),
    [
        ("points", None, "Ann 27"),
        ("knock", None, "Ann 27"),
        ("knock", (4, 31), "Ann knocks 4–31: 27"),
        ("gin", None, "Ann, gin 27"),
        ("big_gin", None, "Ann, big gin 27"),
        ("undercut", None, "Ann, undercut 27"),
        ("undercut", (8, 6), "Ann undercuts 8–6: 27"),
        ("gin_off", (2, 0), "Ann undercuts with nothing left: 27"),
        ("dead", None, "dead hand"),
    ],
)
def test_a_hand_is_said_in_words(outcome: str, counts: tuple[int, int] | None, words: str) -> None:
    assert hand_words(HandLine(outcome, "Ann", "Bob", 0, 27, 1, counts)) == words


@pytest.mark.parametrize(
    ("outcome", "counts", "points", "words"),
    [
        ("undercut", (8, 6), 2, "Ann undercuts 8–6: 2, 25 off Bob"),
        ("undercut", None, 2, "Ann, undercut 2, 25 off Bob"),
        ("undercut", (8, 6), 0, "Ann undercuts 8–6, 25 off Bob"),
        ("undercut", None, 0, "Ann, undercut, 25 off Bob"),
        ("gin_off", (8, 0), 8, "Ann undercuts with nothing left: 8, 25 off Bob"),
        ("gin_off", (8, 0), 0, "Ann undercuts with nothing left, 25 off Bob"),
    ],
)
def test_what_is_taken_off_is_said(
    outcome: str, counts: tuple[int, int] | None, points: int, words: str
) -> None:
    assert hand_words(HandLine(outcome, "Ann", "Bob", 0, points, 1, counts, penalty=25)) == words
