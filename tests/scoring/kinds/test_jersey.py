"""Jersey (RULES §8): who wins from whom, undercuts by one and by both, and what each knob changes."""

from typing import Any

import pytest

from scoring.core.rules import Rules
from scoring.documents.player_records import shares_of_net, tallies_of
from scoring.documents.sheets import state_of_document
from tests.scoring.kinds.paper import figures, lines, table_of, table_sheet


def knock(k: int, b: int, c: int, **more: Any) -> dict[str, Any]:
    """Ann knocks with k; Bob and Cid have b and c."""
    return {"kind": "knock", "knocker": "Ann", "knocker_deadwood": k, "others": {"Bob": b, "Cid": c}, **more}


def gin(b: int, c: int, kind: str = "gin") -> dict[str, Any]:
    return {"kind": kind, "knocker": "Ann", "others": {"Bob": b, "Cid": c}}


def won(hand: dict[str, Any], preset: str = "jersey", **knobs: Any) -> dict[str, Any]:
    """What the hand makes: "a": {"b": 12, "c": 20} for each who wins, "a-": what is taken off."""
    (score,) = table_sheet(preset, [hand], **knobs)["deals"][0]["hands"]
    made: dict[str, Any] = {
        gain["winner"][0].lower(): {player[0].lower(): points for player, points in gain["from"].items()}
        for gain in score["gains"]
    }
    return made | {f"{player[0].lower()}-": points for player, points in score.get("penalties", {}).items()}


EACH: dict[str, Any] = {"jersey": {"undercut": "each"}}
SUM: dict[str, Any] = {"jersey": {"count": "sum"}}
BOTH: dict[str, Any] = {"jersey": {"undercut": "each", "count": "sum"}}


@pytest.mark.parametrize(
    ("hand", "knobs", "made"),
    [
        # The examples of RULES §8.
        (knock(6, 18, 26), {}, {"a": {"b": 12, "c": 20}}),
        (knock(6, 18, 26), SUM, {"a": {"b": 12, "c": 26}}),
        (knock(8, 5, 30), {}, {"b": {"c": 25, "a": 28}}),
        (knock(8, 5, 30), EACH, {"b": {"a": 28}, "a": {"c": 22}}),
        (knock(8, 5, 30), {"preset": "battle_royal"}, {"b": {"c": 25, "a": 8}, "a-": 20}),
        (gin(18, 26), {}, {"a": {"b": 43, "c": 51}}),
        (gin(18, 26), {"preset": "battle_royal"}, {"a": {"b": 38, "c": 46}}),
        # Two undercut: the lower wins from all; two who are level win from the knocker.
        (knock(9, 4, 7), {}, {"b": {"c": 3, "a": 30}}),
        (knock(9, 7, 4), {}, {"c": {"a": 30, "b": 3}}),
        (knock(9, 4, 4), {}, {"b": {"a": 30}, "c": {"a": 30}}),
        (knock(9, 4, 7), EACH, {"b": {"a": 30}, "c": {"a": 27}}),
        (knock(9, 4, 7), SUM, {"b": {"c": 3, "a": 34}}),
        (knock(9, 7, 4), SUM, {"c": {"a": 30, "b": 7}}),
        (knock(9, 4, 4), SUM, {"b": {"a": 30}, "c": {"a": 30}}),
        (knock(9, 4, 20), BOTH, {"b": {"a": 30}, "a": {"c": 11}}),
        # A tie undercuts, or is nothing between the two.
        (knock(7, 7, 20), {}, {"b": {"c": 13, "a": 25}}),
        (knock(7, 7, 20), {"undercut_on_tie": False}, {"a": {"b": 0, "c": 13}}),
        (knock(7, 7, 20), {"undercut_on_tie": False, **EACH}, {"a": {"b": 0, "c": 13}}),
        (knock(7, 7, 3), {"undercut_on_tie": False}, {"c": {"a": 29, "b": 4}}),
        (knock(7, 7, 7), {}, {"b": {"a": 25}, "c": {"a": 25}}),
        (knock(7, 7, 7), {"undercut_on_tie": False}, {}),
        # Gin without anything in the others' hands; the bonus once; big gin.
        (gin(0, 0), {}, {"a": {"b": 25, "c": 25}}),
        (gin(18, 26), {"jersey": {"bonus": "once"}}, {"a": {"b": 43, "c": 26}}),
        (gin(18, 26), SUM, {"a": {"b": 43, "c": 51}}),
        (gin(18, 26, "big_gin"), {}, {"a": {"b": 49, "c": 57}}),
        # A knock with nothing is gin where the rules say so.
        (knock(0, 5, 9), {}, {"a": {"b": 5, "c": 9}}),
        (knock(0, 5, 9), {"zero_knock": "gin"}, {"a": {"b": 30, "c": 34}}),
        (knock(0, 5, 9), {"knock_limit": 0}, {"a": {"b": 30, "c": 34}}),
        # What of an undercut is taken off, once a hand, or once for each who undercuts alone.
        (knock(9, 4, 20), {"undercut_penalty": "bonus"}, {"b": {"c": 16, "a": 5}, "a-": 25}),
        (knock(9, 4, 20), {"undercut_penalty": "all"}, {"b": {"c": 16, "a": 0}, "a-": 30}),
        (knock(9, 4, 4), {"undercut_penalty": "bonus"}, {"b": {"a": 5}, "c": {"a": 5}, "a-": 25}),
        (knock(9, 4, 4), {"undercut_penalty": "all"}, {"b": {"a": 0}, "c": {"a": 0}, "a-": 30}),
        (knock(9, 4, 7), {"undercut_penalty": "bonus", **EACH}, {"b": {"a": 5}, "c": {"a": 2}, "a-": 50}),
        (knock(9, 4, 20), {"undercut_penalty": "bonus", **EACH}, {"b": {"a": 5}, "a": {"c": 11}, "a-": 25}),
        # A spade doubles all of it.
        (knock(6, 18, 26, upcard="7S"), {"spades_double": True}, {"a": {"b": 24, "c": 40}}),
        (
            knock(9, 4, 20, upcard="TS"),
            {"spades_double": True, "undercut_penalty": "bonus"},
            {"b": {"c": 32, "a": 10}, "a-": 50},
        ),
        ({**gin(18, 26), "upcard": "7S"}, {"spades_double": True}, {"a": {"b": 86, "c": 102}}),
    ],
)
def test_who_wins_what_from_whom(hand: dict[str, Any], knobs: dict[str, Any], made: dict[str, Any]) -> None:
    assert won(hand, **{"preset": "jersey", **knobs}) == made


def test_figures_go_round_from_the_next_seat_whoever_knocks() -> None:
    by_bob = {"kind": "knock", "knocker": "Bob", "knocker_deadwood": 6, "others": {"Ann": 26, "Cid": 18}}
    assert list(won(by_bob)["b"].items()) == [("c", 12), ("a", 20)]
    # The own count is taken off the next figure, Cid's.
    assert won(by_bob, **SUM)["b"] == {"c": 12, "a": 26}


@pytest.mark.parametrize(
    ("hand", "knobs", "outcome", "boxes"),
    [
        (knock(6, 18, 26), {}, "knock", {"a": 1}),
        (gin(1, 2), {}, "gin", {"a": 2}),
        (gin(1, 2, "big_gin"), {}, "big_gin", {"a": 3}),
        (knock(9, 4, 20), {}, "undercut", {"b": 4}),
        (knock(9, 0, 20), {}, "gin_off", {"b": 5}),
        (knock(9, 4, 4), {}, "undercut", {"b": 4, "c": 4}),
        # Each alone: an undercut, one with nothing left, the knocker's plain box.
        (knock(9, 4, 0), EACH, "gin_off", {"b": 4, "c": 5}),
        (knock(9, 4, 20), EACH, "undercut", {"b": 4, "a": 1}),
    ],
)
def test_every_winner_has_a_box_and_his_extra_ones(
    hand: dict[str, Any], knobs: dict[str, Any], outcome: str, boxes: dict[str, int]
) -> None:
    extra = {"gin": 1, "big_gin": 2, "undercut": 3, "gin_off": 4}
    answer = table_sheet("jersey", [hand], extra_boxes=extra, **knobs)
    assert answer["deals"][0]["hands"][0]["outcome"] == outcome
    assert {side: own for side, _points, own in lines(answer)[0]} == boxes


def points(*gains: tuple[str, dict[str, int]], **more: Any) -> dict[str, Any]:
    """A hand as written on paper: who won how much from whom."""
    if len(gains) == 1:
        return {"kind": "points", "winner": gains[0][0], "from": gains[0][1], **more}
    return {"kind": "points", "gains": [{"winner": who, "from": shares} for who, shares in gains], **more}


@pytest.mark.parametrize(
    ("hand", "knobs", "made"),
    [
        (points(("Ann", {"Bob": 12, "Cid": 20})), {}, [("a", 32, 1)]),
        (points(("Ann", {"Cid": 20, "Bob": 12}), mark="gin"), {}, [("a", 32, 2)]),
        (
            points(("Bob", {"Ann": 28}), ("Cid", {"Ann": 28}), mark="undercut"),
            {},
            [("b", 28, 4), ("c", 28, 4)],
        ),
        # b undercut a, who won from c with a plain knock.
        (
            points(("Bob", {"Ann": 28}), ("Ann", {"Cid": 22}), mark="undercut"),
            EACH,
            [("b", 28, 4), ("a", 22, 1)],
        ),
        (
            points(("Bob", {"Ann": 8, "Cid": 25}), mark="undercut", penalties={"Ann": 20}),
            {"undercut_penalty": "bonus"},
            [("b", 33, 4), ("a", -20, 0)],
        ),
        # Points are final whatever the upcard; it doubles extra boxes.
        (
            points(("Ann", {"Bob": 12, "Cid": 20}), mark="gin", upcard="7S"),
            {"spades_double": True, "spades_double_boxes": "all"},
            [("a", 32, 4)],
        ),
    ],
)
def test_points_are_entered_as_written(
    hand: dict[str, Any], knobs: dict[str, Any], made: list[tuple[str, int, int]]
) -> None:
    extra = {"gin": 1, "big_gin": 2, "undercut": 3, "gin_off": 4}
    assert lines(table_sheet("jersey", [hand], extra_boxes=extra, **knobs)) == [made]


def test_deal_passes_to_the_left_but_after_a_dead_hand() -> None:
    hands: list[Any] = []
    said = []
    for hand in (gin(1, 2), {"kind": "dead"}, None, knock(7, 7, 7), gin(3, 4)):
        hands.append(hand)
        said.append(table_of(table_sheet("jersey", hands, undercut_on_tie=False)))
    assert said == [("abc", "", dealer) for dealer in "bbbbc"]


def test_sheet_is_settled_each_with_each() -> None:
    # a 94 with gin, b 28 and 25 by an undercut, a 94 and 32: over 200.
    hands = [gin(18, 26), knock(8, 5, 30), gin(18, 26), knock(6, 18, 26)]
    answer = table_sheet("jersey", hands)
    assert (answer["status"], answer["winner"]) == ("finished", "Ann")
    a, b = 94 + 94 + 32 + 3 * 25 + 100, 53 + 25
    assert figures(answer, "totals") == (a, b, 0)
    assert figures(answer, "net") == ((a - b) + (a + 100), b - a + b, -(a + 100) - b)


def test_penalties_leave_who_has_nothing_else_shut_out() -> None:
    hands = [knock(8, 5, 30), points(("Bob", {"Ann": 80, "Cid": 90}))]
    answer = table_sheet("battle_royal", hands, box_bonus=0)
    # b 33 + 170 + 100; a −20 and c 0 are shut out, 100 more from each.
    assert figures(answer, "totals") == (-20, 303, 0)
    assert figures(answer, "net") == (-(323 + 100) - 20, 323 + 303 + 200, 20 - 403)
    assert figures(answer, "places") == (3, 1, 2)


def test_two_who_reach_the_target_level_play_on() -> None:
    both = points(("Bob", {"Ann": 200}), ("Cid", {"Ann": 200}), mark="undercut", penalties={"Ann": 20})
    answer = table_sheet("battle_royal", [both])
    assert (answer["status"], answer["columns"][0]["closed_by_deal"]) == ("open", None)
    answer = table_sheet("battle_royal", [both, gin(1, 2)])
    # a's gin is not enough, and b and c are level still.
    assert answer["status"] == "open"
    answer = table_sheet("battle_royal", [both, points(("Cid", {"Ann": 1, "Bob": 0}))])
    assert (answer["status"], answer["winner"]) == ("finished", "Cid")


def test_presets_are_those_of_the_source() -> None:
    jersey, royal = Rules.preset("jersey"), Rules.preset("battle_royal")
    assert (jersey.target, royal.target) == (200, 200)
    assert (royal.gin_bonus, royal.big_gin_bonus, royal.undercut_bonus) == (20, None, 20)
    assert royal.undercut_penalty == "bonus"
    assert jersey.own is not None
    assert royal.own is not None
    differ = {"count": "sum", "discards": "last_two"}
    assert royal.own.to_document() == jersey.own.to_document() | differ


def test_players_are_credited_with_the_hands_of_their_seat() -> None:
    sub = {"player": "Dee", "replaces": "Cid", "from_deal": 3}
    state = state_of_document(
        {
            "rules": {"preset": "jersey"},
            "sides": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid", "substitutes": [sub]}],
            "deals": [
                {"hands": [gin(18, 26)]},
                {"hands": [knock(9, 4, 4)]},
                {"hands": [{"kind": "dead"}]},
                {"hands": [{"kind": "gin", "knocker": "Dee", "others": {"Ann": 10, "Bob": 20}}]},
            ],
            "stopped": True,
        }
    )
    tallies, shares = tallies_of(state), shares_of_net(state)
    assert {
        name: (tally["hands"], tally["won"], tally.get("gins", 0)) for name, tally in tallies.items()
    } == {
        "Ann": (4, 1, 1),
        "Bob": (4, 1, 0),
        "Cid": (2, 1, 0),
        "Dee": (2, 1, 1),
    }
    # Before deal 3 a 94 + 25, b and c 30 + 25: c −64 from a. Then d's 80 + 25 from both.
    assert shares == {"Cid": 55 - 119, "Dee": state.nets[2] - (55 - 119)}
    assert shares["Dee"] == 2 * (35 + 45 + 25)
