"""Every refusal of INTERFACES §2, with its code, deal, hand and field."""

from typing import Any

import pytest

from scoring.core.errors import ScoringError
from scoring.documents.sheets import score_document

Refusal = tuple[str, int | None, int | None, str | None]

ANN_BOB = [{"name": "Ann"}, {"name": "Bob"}]
TEAMS = [{"name": "We", "players": ["Wim", "Wes"]}, {"name": "They", "players": ["Tom", "Ted"]}]
GOOD = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}


def knock(**changes: Any) -> dict[str, Any]:
    """The good knock, with changes; a field given as ... is left out."""
    return {name: value for name, value in {**GOOD, **changes}.items() if value is not ...}


def team_knock(knocker: str, defender: str) -> dict[str, Any]:
    return knock(knocker=knocker, defender=defender)


def refusal(document: Any) -> Refusal:
    with pytest.raises(ScoringError) as refused:
        score_document(document)
    error = refused.value
    assert str(error.message).endswith(".")
    return error.code, error.deal, error.hand, error.field


HANDS: list[tuple[str, Any, str, str]] = [
    ("unknown knocker", knock(knocker="Cid"), "unknown_player", "knocker"),
    ("unknown defender", knock(defender="Cid"), "unknown_player", "defender"),
    ("names are exact", knock(knocker="ann"), "unknown_player", "knocker"),
    ("unknown winner", {"kind": "points", "winner": "Cid", "points": 5}, "unknown_player", "winner"),
    (
        "unknown loser",
        {"kind": "points", "winner": "Ann", "loser": "", "points": 5},
        "unknown_player",
        "loser",
    ),
    ("unknown in a dead hand", {"kind": "dead", "knocker": "Cid"}, "unknown_player", "knocker"),
    ("no knocker", knock(knocker=...), "missing_field", "knocker"),
    ("no winner", {"kind": "points", "points": 5}, "missing_field", "winner"),
    ("knocker a number", knock(knocker=1), "wrong_type", "knocker"),
    ("knocker a list", knock(knocker=["Ann"]), "wrong_type", "knocker"),
    ("both on one side", knock(defender="Ann"), "same_side", "defender"),
    (
        "won from himself",
        {"kind": "points", "winner": "Ann", "loser": "Ann", "points": 5},
        "same_side",
        "loser",
    ),
    ("dead against himself", {"kind": "dead", "knocker": "Ann", "defender": "Ann"}, "same_side", "defender"),
    ("unknown kind", knock(kind="schneider"), "unknown_kind", "kind"),
    ("no kind", knock(kind=...), "unknown_kind", "kind"),
    ("kind a list", knock(kind=["knock"]), "unknown_kind", "kind"),
    ("an undercut is no kind", knock(kind="undercut"), "unknown_kind", "kind"),
    (
        "unknown mark",
        {"kind": "points", "winner": "Ann", "points": 5, "mark": "dead"},
        "unknown_mark",
        "mark",
    ),
    ("mark a number", {"kind": "points", "winner": "Ann", "points": 5, "mark": 1}, "unknown_mark", "mark"),
    ("unknown field", knock(note="x"), "unknown_field", "note"),
    ("a field of another kind", knock(points=5), "unknown_field", "points"),
    ("a mark on a knock", knock(mark="gin"), "unknown_field", "mark"),
    ("count as text", knock(knocker_deadwood="8"), "wrong_type", "knocker_deadwood"),
    ("count with a fraction", knock(knocker_deadwood=8.0), "wrong_type", "knocker_deadwood"),
    ("count as true", knock(defender_deadwood=True), "wrong_type", "defender_deadwood"),
    ("count missing", knock(knocker_deadwood=...), "missing_field", "knocker_deadwood"),
    ("count null", knock(defender_deadwood=None), "missing_field", "defender_deadwood"),
    ("count below 0", knock(knocker_deadwood=-1), "out_of_range", "knocker_deadwood"),
    ("defender below 0", knock(defender_deadwood=-1), "out_of_range", "defender_deadwood"),
    ("defender above 98", knock(defender_deadwood=99), "out_of_range", "defender_deadwood"),
    ("knock above the limit", knock(knocker_deadwood=11), "illegal_knock", "knocker_deadwood"),
    ("knock above any limit", knock(knocker_deadwood=150), "illegal_knock", "knocker_deadwood"),
    ("knock with 10^5000", knock(knocker_deadwood=10**5000), "illegal_knock", "knocker_deadwood"),
    ("defender with 10^5000", knock(defender_deadwood=10**5000), "out_of_range", "defender_deadwood"),
    ("gin with deadwood", knock(kind="gin", knocker_deadwood=1), "out_of_range", "knocker_deadwood"),
    ("big gin with deadwood", knock(kind="big_gin", knocker_deadwood=1), "out_of_range", "knocker_deadwood"),
    ("gin with text", knock(kind="gin", knocker_deadwood="0"), "wrong_type", "knocker_deadwood"),
    ("points below 0", {"kind": "points", "winner": "Ann", "points": -1}, "out_of_range", "points"),
    ("points above 9999", {"kind": "points", "winner": "Ann", "points": 10000}, "out_of_range", "points"),
    ("points as text", {"kind": "points", "winner": "Ann", "points": "25"}, "wrong_type", "points"),
    ("no points", {"kind": "points", "winner": "Ann"}, "missing_field", "points"),
    ("no such card", knock(upcard="1S"), "unknown_card", "upcard"),
    ("card a number", knock(upcard=7), "wrong_type", "upcard"),
    ("not an object", "a12", "wrong_type", "hands"),
    ("null", None, "wrong_type", "hands"),
]


@pytest.mark.parametrize(
    ("hand", "code", "field"), [case[1:] for case in HANDS], ids=[case[0] for case in HANDS]
)
def test_hand_is_refused(hand: Any, code: str, field: str) -> None:
    document = {"sides": ANN_BOB, "deals": [{"hands": [GOOD]}, {"hands": [hand]}]}
    assert refusal(document) == (code, 2, 1, field)


@pytest.mark.parametrize(
    ("rules", "hand", "expected"),
    [
        (
            {"preset": "oklahoma"},
            knock(knocker_deadwood=4, upcard="3H"),
            ("illegal_knock", "knocker_deadwood"),
        ),
        (
            {"preset": "oklahoma"},
            knock(knocker_deadwood=1, upcard="AH"),
            ("illegal_knock", "knocker_deadwood"),
        ),
        ({"preset": "gin_only"}, knock(knocker_deadwood=1), ("illegal_knock", "knocker_deadwood")),
        ({"preset": "classic"}, knock(kind="big_gin", knocker_deadwood=...), ("not_played", "kind")),
        (
            {"preset": "classic"},
            {"kind": "points", "winner": "Ann", "points": 5, "mark": "big_gin"},
            ("not_played", "mark"),
        ),
    ],
)
def test_hand_is_refused_by_the_rules(rules: Any, hand: Any, expected: tuple[str, str]) -> None:
    document = {"rules": rules, "sides": ANN_BOB, "deals": [{"hands": [hand]}]}
    assert refusal(document) == (expected[0], 1, 1, expected[1])


DEAD_TEAM = {"kind": "dead", "knocker": "Wes", "defender": "Ted"}
DEALS: list[tuple[str, Any, Refusal]] = [
    (
        "a player twice, another missing",
        {"hands": [team_knock("Wim", "Tom"), team_knock("Wim", "Ted")]},
        ("player_twice", 1, 2, "knocker"),
    ),
    (
        "the defender twice",
        {"hands": [team_knock("Wim", "Tom"), team_knock("Wes", "Tom")]},
        ("player_twice", 1, 2, "defender"),
    ),
    (
        "the loser twice",
        {"hands": [DEAD_TEAM, {"kind": "points", "winner": "Wim", "loser": "Ted", "points": 1}]},
        ("player_twice", 1, 2, "loser"),
    ),
    ("both of one team", {"hands": [team_knock("Wim", "Wes"), DEAD_TEAM]}, ("same_side", 1, 1, "defender")),
    ("a hand missing", {"hands": [team_knock("Wim", "Tom")]}, ("wrong_hand_count", 1, None, "hands")),
    ("a hand too many", {"hands": [DEAD_TEAM] * 3}, ("wrong_hand_count", 1, None, "hands")),
    ("no defender", {"hands": [knock(knocker="Wim"), DEAD_TEAM]}, ("missing_field", 1, 1, "defender")),
    ("dead without names", {"hands": [DEAD_TEAM, {"kind": "dead"}]}, ("missing_field", 1, 2, "defender")),
    (
        "points without a loser",
        {"hands": [DEAD_TEAM, {"kind": "points", "winner": "Wim", "points": 1}]},
        ("missing_field", 1, 2, "loser"),
    ),
    (
        "the team for its player",
        {"hands": [team_knock("We", "Tom"), DEAD_TEAM]},
        ("unknown_player", 1, 1, "knocker"),
    ),
    ("line of a stranger", {"line": {"winner": "Wim", "points": 5}}, ("unknown_player", 1, None, "winner")),
    ("line without a winner", {"line": {"points": 5}}, ("missing_field", 1, None, "winner")),
    ("line won by a number", {"line": {"winner": 1, "points": 5}}, ("wrong_type", 1, None, "winner")),
    ("line without points", {"line": {"winner": "We"}}, ("missing_field", 1, None, "points")),
    ("line above 9999", {"line": {"winner": "We", "points": 10000}}, ("out_of_range", 1, None, "points")),
    (
        "line without a box",
        {"line": {"winner": "We", "points": 5, "boxes": 0}},
        ("out_of_range", 1, None, "boxes"),
    ),
    (
        "boxes as text",
        {"line": {"winner": "We", "points": 5, "boxes": "1"}},
        ("wrong_type", 1, None, "boxes"),
    ),
    (
        "line with a mark",
        {"line": {"winner": "We", "points": 5, "mark": "gin"}},
        ("unknown_field", 1, None, "mark"),
    ),
    ("line a list", {"line": []}, ("wrong_type", 1, None, "line")),
    (
        "hands and a line",
        {"hands": [DEAD_TEAM], "line": {"winner": "We", "points": 5}},
        ("conflicting_fields", 1, None, "line"),
    ),
    ("neither", {}, ("missing_field", 1, None, "hands")),
    ("hands an object", {"hands": {}}, ("wrong_type", 1, None, "hands")),
    ("unknown field", {"hands": [], "note": ""}, ("unknown_field", 1, None, "note")),
    ("a list", [], ("wrong_type", 1, None, "deals")),
]


@pytest.mark.parametrize(("deal", "expected"), [case[1:] for case in DEALS], ids=[case[0] for case in DEALS])
def test_deal_of_teams_is_refused(deal: Any, expected: Refusal) -> None:
    assert refusal({"sides": TEAMS, "deals": [deal]}) == expected


def test_line_is_refused_on_a_sheet_of_two_players() -> None:
    document = {"sides": ANN_BOB, "deals": [{"line": {"winner": "Ann", "points": 5}}]}
    assert refusal(document) == ("not_a_team_sheet", 1, None, "line")


def test_second_hand_is_refused_on_a_sheet_of_two_players() -> None:
    assert refusal({"sides": ANN_BOB, "deals": [{"hands": [GOOD, GOOD]}]}) == (
        "wrong_hand_count",
        1,
        None,
        "hands",
    )
    assert refusal({"sides": ANN_BOB, "deals": [{"hands": []}]}) == ("wrong_hand_count", 1, None, "hands")


def test_deal_after_the_end_is_refused() -> None:
    won = {"hands": [{"kind": "points", "winner": "Ann", "points": 100}]}
    assert refusal({"sides": ANN_BOB, "deals": [won, {"hands": [GOOD]}]}) == ("sheet_finished", 2, None, None)


def team(*players: Any, name: Any = "We") -> dict[str, Any]:
    return {"name": name, "players": list(players)}


SIDES: list[tuple[str, Any, str, str]] = [
    ("none", None, "wrong_sides", "sides"),
    ("one", [{"name": "Ann"}], "wrong_sides", "sides"),
    ("three", [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}], "wrong_sides", "sides"),
    ("an object", {"name": "Ann"}, "wrong_sides", "sides"),
    ("a name for a side", ["Ann", "Bob"], "wrong_type", "sides[0]"),
    ("no name", [{"name": "Ann"}, {}], "missing_field", "sides[1].name"),
    ("an empty name", [{"name": "Ann"}, {"name": " "}], "missing_field", "sides[1].name"),
    ("a number", [{"name": 1}, {"name": "Bob"}], "wrong_type", "sides[0].name"),
    ("81 characters", [{"name": "x" * 81}, {"name": "Bob"}], "too_long", "sides[0].name"),
    ("a line break", [{"name": "An\nn"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("a NUL", [{"name": "An\0n"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("half a surrogate pair", [{"name": "\ud800"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("turned round", [{"name": "Ann\u202e"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("a name beside its look-alike", [{"name": "Bob\u200b"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("nothing seen", [{"name": "\u3164"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("a joiner of nothing", [{"name": "Bob\u200d"}, {"name": "Bob"}], "wrong_name", "sides[0].name"),
    ("the same name twice", [{"name": "Ann"}, {"name": "Ann"}], "duplicate_name", "sides"),
    ("a player of both", [team("A", "B"), team("B", "C", name="They")], "duplicate_name", "sides"),
    ("a player twice", [team("A", "A"), team("B", "C", name="They")], "duplicate_name", "sides"),
    ("two teams of a name", [team("A", "B"), team("C", "D")], "duplicate_name", "sides"),
    ("unequal", [team("A", "B"), team("C", name="They")], "unequal_sides", "sides"),
    ("a team without players", [team(), team(name="They")], "out_of_range", "sides[0].players"),
    ("13 players", [team(*"ABCDEFGHIJKLM"), team("N", name="They")], "out_of_range", "sides[0].players"),
    (
        "players as text",
        [{"name": "We", "players": "AB"}, {"name": "They"}],
        "wrong_type",
        "sides[0].players",
    ),
    ("a player's number", [team("A", 2), team("C", "D", name="They")], "wrong_type", "sides[0].players"),
    ("unknown field", [{"name": "Ann", "team": "x"}, {"name": "Bob"}], "unknown_field", "sides[0].team"),
]


@pytest.mark.parametrize(
    ("sides", "code", "field"), [case[1:] for case in SIDES], ids=[case[0] for case in SIDES]
)
def test_sides_are_refused(sides: Any, code: str, field: str) -> None:
    assert refusal({"sides": sides, "deals": []}) == (code, None, None, field)


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"rules": {"bonus": 1}}, "unknown_knob", "rules.bonus"),
        ({"rules": {"gin_bonus": 1001}}, "out_of_range", "rules.gin_bonus"),
        ({"rules": {"columns": 0}}, "out_of_range", "rules.columns"),
        ({"rules": None}, "wrong_type", "rules"),
        ({"deals": {}}, "wrong_type", "deals"),
        ({"deals": None}, "wrong_type", "deals"),
        ({"deals": [None] * 501}, "too_many_deals", "deals"),
        ({"stopped": "yes"}, "wrong_type", "stopped"),
        ({"stopped": None}, "wrong_type", "stopped"),
        ({"stopped": 1}, "wrong_type", "stopped"),
        ({"surplus": "drop"}, "unknown_value", "surplus"),
        ({"surplus": ["keep"]}, "unknown_value", "surplus"),
        ({"players": []}, "unknown_field", "players"),
        ({"\ud800": []}, "unknown_field", "\ufffd"),
    ],
)
def test_request_is_refused(change: Any, code: str, field: str) -> None:
    assert refusal({"sides": ANN_BOB, "deals": [], **change}) == (code, None, None, field)


@pytest.mark.parametrize("document", [None, [], "sheet", 1, True, 1.5])
def test_request_that_is_no_object_is_refused(document: Any) -> None:
    assert refusal(document) == ("wrong_type", None, None, None)
