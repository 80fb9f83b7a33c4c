"""Captains (RULES §8): the line of partners, who deals, and the box held for the game or by the hand."""

from itertools import accumulate
from typing import Any

import pytest

from scoring.core.errors import RulesError
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.documents.player_records import tallies_of
from scoring.documents.sheets import state_of_document
from tests.refusals import refuses
from tests.scoring.kinds.paper import figures, lines, table_of, table_sheet, waiting_sheet

BY_HAND = {"box_held": "hand"}


def sides(partners: str = "Bob Cid") -> list[dict[str, Any]]:
    return [{"name": "Ann"}, {"name": "Others", "players": partners.split()}]


def sheet(rows: str, partners: str = "Bob Cid", **knobs: Any) -> dict[str, Any]:
    """A sheet of Ann in the box for the game."""
    return waiting_sheet("captains", rows, sides=sides(partners), **knobs)


def tables(rows: str, **knobs: Any) -> list[tuple[str, str, str]]:
    played = accumulate(rows.split(), lambda before, row: f"{before} {row}", initial="")
    by_hand = knobs.get("captains", {}).get("box_held") == "hand"
    seated = None if by_hand else sides(knobs.pop("partners", "Bob Cid"))
    return [table_of(waiting_sheet("captains", part, sides=seated, target=9999, **knobs)) for part in played]


def test_example_of_the_rules_the_captain_changes_when_he_loses() -> None:
    answer = sheet("a12 c30 c9 a40")
    assert [side["points"] for side in answer["columns"][0]["sides"]] == [52, 39]
    assert table_of(answer)[:2] == ("ab", "c")
    played = [playing for playing, _waiting, _dealer in tables("a12 c30 c9 a40")]
    assert played == ["ab", "ac", "ac", "ac", "ab"]


def test_example_of_the_rules_settled_with_each_partner() -> None:
    # a 4 boxes of 26 = 104, the others 3 of 20 = 60.
    answer = sheet("a26 c20 c20 c20 a26 a26 a26")
    assert figures(answer, "totals") == (304, 135)
    # Each of two partners pays 169.
    assert figures(answer, "net") == (338, -338)
    assert answer["columns"][0]["result"] == 338
    assert "places" not in answer


def test_example_of_the_rules_the_box_held_by_the_hand() -> None:
    answer = waiting_sheet("captains", "a12 c30", captains=BY_HAND, box_bonus=0, stopped=True)
    assert lines(answer) == [[("a", 12, 1)], [("c", 30, 1), ("b", 30, 1)]]
    assert figures(answer, "totals") == (12, 30, 30)
    assert figures(answer, "net") == (-36, 18, 18)
    assert figures(answer, "places") == (3, 1, 1)


def test_a_line_of_three_partners_moves_up() -> None:
    said = tables("a5 a5 d5 a5", partners="Bob Cid Dee")
    assert [(playing, waiting) for playing, waiting, _dealer in said] == [
        ("ab", "cd"),
        ("ac", "db"),
        ("ad", "bc"),
        ("ad", "bc"),
        ("ab", "cd"),
    ]


def test_by_the_hand_the_captain_who_wins_goes_into_the_box() -> None:
    said = tables("a5 c5 c5 a5", captains=BY_HAND)
    # a beats b; c beats a and sits in the box against b; c beats b; a, now captain, beats c.
    assert [(playing, waiting) for playing, waiting, _dealer in said] == [
        ("ab", "c"),
        ("ac", "b"),
        ("cb", "a"),
        ("ca", "b"),
        ("ab", "c"),
    ]


@pytest.mark.parametrize(
    ("box_held", "knobs", "dealers"),
    [
        # a beats b, for whom c comes; a beats c, for whom b comes; b beats a.
        ("game", {"next_dealer": "loser"}, "a c b a"),
        ("game", {"next_dealer": "winner"}, "a a a b"),
        ("game", {"next_dealer": "alternate"}, "a c a b"),
        ("game", {"next_dealer": "loser", "first_dealer": "low"}, "b c b a"),
        # At the end b sits in the box, and c comes for a.
        ("hand", {"next_dealer": "loser"}, "a c b c"),
        ("hand", {"next_dealer": "winner"}, "a a a b"),
        ("hand", {"next_dealer": "alternate"}, "a c a b"),
    ],
)
def test_who_comes_in_deals_in_the_losers_place(box_held: str, knobs: dict[str, Any], dealers: str) -> None:
    said = tables("a5 a5 b5", captains={"box_held": box_held}, **knobs)
    assert [dealer for _playing, _waiting, dealer in said] == dealers.split()


@pytest.mark.parametrize(("box_held", "dealers"), [("game", "a a a a"), ("hand", "a a a b")])
def test_the_player_in_the_box_may_deal_always(box_held: str, dealers: str) -> None:
    said = tables("a5 a5 b5", captains={"box_held": box_held, "box_deals": True}, first_dealer="low")
    assert [dealer for _playing, _waiting, dealer in said] == dealers.split()


def test_of_those_level_at_the_target_the_hands_winner_has_won() -> None:
    answer = waiting_sheet("captains", "b100", captains=BY_HAND)
    assert lines(answer) == [[("b", 100, 1), ("c", 100, 1)]]
    assert (answer["status"], answer["winner"]) == ("finished", "Bob")
    # b 225 to c 125 to a 0, who is shut out.
    assert figures(answer, "net") == (-(225 + 100) - 125, 100 + 225 + 100, -100 + 125)


def test_extra_boxes_of_what_the_box_loses_are_entered_for_each() -> None:
    gin = {"kind": "gin", "knocker": "Bob", "defender": "Ann", "defender_deadwood": 10}
    answer = table_sheet("captains", [gin], captains=BY_HAND, extra_boxes={"gin": 2})
    assert lines(answer) == [[("b", 35, 3), ("c", 35, 3)]]


def test_penalty_of_the_box_is_taken_off_once() -> None:
    undercut = {"kind": "knock", "knocker": "Ann", "defender": "Bob", "knocker_deadwood": 8}
    hand = {**undercut, "defender_deadwood": 6}
    answer = table_sheet("captains", [hand], 4, captains=BY_HAND, undercut_penalty="bonus")
    assert lines(answer) == [[("b", 2, 1), ("c", 2, 1), ("d", 2, 1), ("a", -25, 0)]]


def test_columns_are_settled_with_each_partner() -> None:
    answer = sheet("a60 c60 a60 b20 b30", columns=3, stopped=True)
    assert [column["status"] for column in answer["columns"]] == ["closed", "stopped", "stopped"]
    # I: a 120 + 50 + 100 to 60 + 25. II: 60 + 25 to 50 + 50. III: nothing to 30 + 25. Two partners settle.
    assert [column["winner"] for column in answer["columns"]] == ["Ann", "Others", "Others"]
    assert [column["result"] for column in answer["columns"]] == [2 * 185, 2 * 15, 2 * 55]
    assert answer["net"]["Ann"] == 2 * (185 - 15 - 55)


def test_knobs_of_the_box_by_hand_leave_one_column() -> None:
    with refuses(RulesError, "conflicting_knobs", field="rules.columns"):
        Rules.preset("captains", captains=BY_HAND, columns=3)


def test_partners_are_credited_with_their_own_part() -> None:
    rows = "a26 c20 c20 c20 a26 a26 a26"
    document = {
        "rules": {"preset": "captains"},
        "sides": sides(),
        "deals": [
            {"hands": [{"kind": "points", "winner": winner, "loser": loser, "points": points}]}
            for winner, loser, points in _played(rows)
        ],
    }
    state = state_of_document(document)
    kind = kind_of(state.rules)
    nets = [kind.net_of_player(side, net) for side, net in zip(state.sides, state.nets, strict=True)]
    assert nets == [338, -169]
    tallies = tallies_of(state)
    assert {name: (tally["hands"], tally.get("won", 0)) for name, tally in tallies.items()} == {
        "Ann": (7, 4),
        "Bob": (2, 0),
        "Cid": (5, 3),
    }


def _played(rows: str) -> list[tuple[str, str, int]]:
    """Winner, loser and points of each row, whose captains are those of the test above."""
    captains = ["Bob", "Cid", "Cid", "Cid", "Cid", "Bob", "Cid"]
    return [
        ("Ann", captain, int(row[1:])) if row[0] == "a" else (captain, "Ann", int(row[1:]))
        for row, captain in zip(rows.split(), captains, strict=True)
    ]
