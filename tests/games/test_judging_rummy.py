"""Rummy's remaining hands counted from the cards (RULES §8)."""

from typing import Any

import pytest

from games.errors import GameError
from games.gin.documents import judge_document
from scoring.core.errors import ScoringError

LEFT = ["KC QC TC AC", "8D", "9H 5H AH"]


def request(*left: Any, rules: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    knobs = {"preset": "basic_rummy", "basic_rummy": rules or {}}
    return {"rules": knobs, "left": list(left) or LEFT, **more}


def test_hands_are_counted_with_aces_of_1() -> None:
    answer = judge_document(request())
    assert answer == {
        "outcome": "out",
        "gains": [
            {
                "winner": "out",
                "points": 31 + 8 + 15,
                "boxes": 0,
                "from": {"left[0]": 31, "left[1]": 8, "left[2]": 15},
            }
        ],
        "left": [31, 8, 15],
    }


@pytest.mark.parametrize(("points", "left"), [(1, [31, 8, 15]), (11, [41, 8, 25]), (15, [45, 8, 29])])
def test_aces_count_what_the_rules_say(points: int, left: list[int]) -> None:
    answer = judge_document(request(rules={"ace": "high", "ace_points": points}))
    assert answer["left"] == left


def test_rummy_doubles() -> None:
    answer = judge_document(request(rummy=True))
    assert (answer["outcome"], answer["gains"][0]["points"], answer["left"]) == ("rummy", 108, [31, 8, 15])


def test_blocked_hand_has_everybody() -> None:
    # 6, 15, 7 and 21 as in S17: 9 + 1 + 15.
    hands = ("6C", "KC 5C", "7C", "KD QD AD")
    answer = judge_document(request(*hands, rules={"blocked": "lowest_each"}, blocked=True))
    assert answer["left"] == [6, 15, 7, 21]
    assert answer["gains"][0] == {
        "winner": "left[0]",
        "points": 25,
        "boxes": 0,
        "from": {"left[1]": 9, "left[2]": 1, "left[3]": 15},
    }
    assert judge_document(request(*hands, blocked=True))["gains"] == []


def test_who_floats_may_have_no_card() -> None:
    knobs = {"last_discard": True, "floating": True}
    assert judge_document(request("", "8D", rules=knobs))["left"] == [0, 8]


@pytest.mark.parametrize(
    ("document", "code", "field"),
    [
        (request("", "8D"), "wrong_hand_size", "left[0]"),
        # Of three each has seven cards, of two ten.
        (request("8D", "AC 2C 3C 4C 5C 6C 7C 8C"), "wrong_hand_size", "left[1]"),
        (request("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"), "wrong_hand_size", "left[0]"),
        (request("8D", "8D"), "card_twice", "left[1]"),
        (request("8D", "XX"), "unknown_card", "left[1]"),
        (request("8D", blocked=True), "wrong_hand_count", "left"),
        (request(*["8D"] * 6), "wrong_hand_count", "left"),
        (request("8D", "9D", blocked=True, rummy=True), "conflicting_fields", "rummy"),
        (request("8D", rummy=1), "wrong_type", "rummy"),
        ({**request(), "left": None}, "missing_field", "left"),
        ({**request(), "left": "8D"}, "wrong_type", "left"),
        (request("8D", knocker="9D"), "unknown_field", "knocker"),
    ],
)
def test_request_is_refused(document: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises((GameError, ScoringError)) as refused:
        judge_document(document)
    assert isinstance(refused.value, GameError | ScoringError)
    assert (refused.value.code, refused.value.field) == (code, field)
