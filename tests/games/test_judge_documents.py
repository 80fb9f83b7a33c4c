"""The JSON of judging a hand: INTERFACES §3's example, and every refusal with the field to mend."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import GameError
from games.gin.documents import judge_document
from scoring.core.errors import ScoringError
from tests.refusals import refuses
from tests.scoring.strategies import json_documents

EXAMPLE: dict[str, Any] = {
    "rules": {"preset": "standard"},
    "upcard": "9C",
    "knocker": "AS 2S 3S 7C 7D 7H JC JD JH 4D",
    "defender": "5C 6C 9H 9D 9S KC KD AD 4S QH",
    "melds": None,
}


def test_example_is_answered_as_the_interface_says() -> None:
    assert judge_document(EXAMPLE) == {
        "outcome": "knock",
        "winner": "knocker",
        "points": 38,  # 5 + 6 + 10 + 10 + 1 + 10 are left to the defender, less 4
        "boxes": 1,
        "knocker": {"melds": ["7C 7D 7H", "JC JD JH", "AS 2S 3S"], "deadwood": 4, "unmatched": "4D"},
        "defender": {
            "melds": ["9D 9H 9S"],
            "lay_offs": [{"card": "4S", "meld": 2}],
            "deadwood": 42,
            "unmatched": "5C 6C KC AD KD QH",
        },
    }


def test_input_is_read_as_people_write_it() -> None:
    written = {
        "knocker": "a♠ 2♠ 3♠ 7c 7d 7h jc jd jh 4d",
        "defender": " 5C 6C 9H 9D 9S KC KD AD 4S\nQH ",
        "melds": ["as 2s 3s", "7C 7♦ 7H", "JC JD JH"],
    }
    answer = judge_document(written)
    assert (answer["points"], answer["knocker"]["melds"][0]) == (38, "AS 2S 3S")


@pytest.mark.parametrize(
    ("name", "change", "code", "field"),
    [
        ("no knocker", {"knocker": None}, "missing_field", "knocker"),
        ("a list for a hand", {"defender": ["AS"]}, "wrong_type", "defender"),
        ("an unknown suit", {"knocker": "AX" + EXAMPLE["knocker"][2:]}, "unknown_card", "knocker"),
        ("an unknown rank", {"defender": "1" + EXAMPLE["defender"][1:]}, "unknown_card", "defender"),
        ("an upcard that is none", {"upcard": ""}, "unknown_card", "upcard"),
        ("an upcard that is a number", {"upcard": 9}, "wrong_type", "upcard"),
        ("a card twice", {"knocker": EXAMPLE["knocker"][:-2] + "JH"}, "card_twice", "knocker"),
        ("a card in both hands", {"defender": EXAMPLE["defender"][:-2] + "JH"}, "card_twice", "defender"),
        ("nine cards", {"knocker": EXAMPLE["knocker"][3:]}, "wrong_hand_size", "knocker"),
        ("twelve cards", {"knocker": EXAMPLE["knocker"] + " 8C 8D"}, "wrong_hand_size", "knocker"),
        ("melds that are one text", {"melds": "AS 2S 3S"}, "wrong_type", "melds"),
        ("a meld that is no text", {"melds": [None]}, "missing_field", "melds"),
        ("no arrangement", {"melds": ["AS 2S 4D"]}, "not_a_meld", "melds"),
        ("another's cards", {"melds": ["9H 9D 9S"]}, "not_in_hand", "melds"),
        ("a field too many", {"name": 1}, "unknown_field", "name"),
        ("an unknown knob", {"rules": {"gin": 1}}, "unknown_knob", "rules.gin"),
    ],
)
def test_document_is_refused(name: str, change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises((GameError, ScoringError)) as caught:
        judge_document(EXAMPLE | change)
    error = caught.value
    assert isinstance(error, GameError | ScoringError)
    assert (error.code, error.field) == (code, field), name
    assert str(error.message).endswith(".")


@pytest.mark.parametrize("preset", ["cutthroat", "captains", "partners_one_pack"])
def test_hand_of_two_is_judged_alike_in_other_kinds_of_game(preset: str) -> None:
    assert judge_document(EXAMPLE | {"rules": {"preset": preset}}) == judge_document(EXAMPLE)


def test_from_one_pack_hands_may_have_seven_cards() -> None:
    hand = {
        "rules": {"preset": "partners_one_pack", "partners_one_pack": {"cards": 7}},
        "knocker": "AS 2S 3S 7C 7D 7H 4D",
        "defender": "5C 6C 9H 9D 9S KC 4S",
    }
    answer = judge_document(hand)
    assert (answer["knocker"]["deadwood"], answer["points"]) == (4, 5 + 6 + 10 - 4)
    with refuses(GameError, "wrong_hand_size", field="knocker"):
        judge_document({**hand, "knocker": EXAMPLE["knocker"]})
    assert judge_document({**hand, "knocker": "AS 2S 3S 7C 7D 7H 7S 4S", "defender": "5C 6C 9H 9D 9S KC KD"})[
        "outcome"
    ] == ("big_gin")


@given(st.dictionaries(st.sampled_from(sorted(EXAMPLE)), json_documents()) | json_documents())
def test_anything_else_is_refused_and_never_a_fault(document: Any) -> None:
    with suppress(GameError, ScoringError):
        judge_document(EXAMPLE | document if isinstance(document, dict) else document)
