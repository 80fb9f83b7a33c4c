"""Basic rummy (RULES §8): going out, rummy, blocked hands, and how hands or totals are paid."""

from typing import Any

import pytest

from tests.scoring.kinds.paper import NAMES, figures, lines, table_of, table_sheet

LEFT = {"Dee": 31, "Ann": 8, "Bob": 15}
OUT = {"kind": "out", "winner": "Cid", "left": LEFT}
# The hand values of S17: Alice 6, Bob 15, Carol 7, Dan 21.
BLOCKED = {"kind": "blocked", "left": dict(zip(NAMES, (6, 15, 7, 21), strict=False))}


def rummy(hands: list[Any], seats: int = 4, **knobs: Any) -> dict[str, Any]:
    own = {
        name: knobs.pop(name) for name in ("blocked", "settlement", "going_rummy_doubles") if name in knobs
    }
    return table_sheet("basic_rummy", hands, seats, basic_rummy=own, **knobs)


def test_example_of_the_rules_going_out() -> None:
    answer = rummy([OUT], stopped=True)
    assert answer["deals"][0]["hands"] == [
        {"outcome": "out", "gains": [{"winner": "Cid", "points": 54, "boxes": 0, "from": LEFT}]}
    ]
    assert list(answer["deals"][0]["lines"][0]["from"]) == ["Dee", "Ann", "Bob"]
    assert figures(answer, "net") == (-8, -15, 54, -31)
    assert figures(answer, "places") == (2, 2, 1, 2)


@pytest.mark.parametrize(("doubles", "points"), [(True, 108), (False, 54)])
def test_example_of_the_rules_going_rummy(doubles: bool, points: int) -> None:
    answer = rummy([{**OUT, "rummy": True}], going_rummy_doubles=doubles)
    assert lines(answer) == [[("c", points, 0)]]
    assert answer["deals"][0]["hands"][0]["outcome"] == "rummy"
    assert answer["status"] == ("finished" if doubles else "open")


@pytest.mark.parametrize(
    ("blocked", "made"),
    [
        ("dead", []),
        ("lowest_each", [("a", 9 + 1 + 15, 0)]),
        ("lowest_once", [("a", 43 - 6, 0)]),
        ("lowest_full", [("a", 43, 0)]),
        ("all_lose", [("a", -6, 0), ("b", -15, 0), ("c", -7, 0), ("d", -21, 0)]),
    ],
)
def test_example_of_the_rules_a_blocked_hand(blocked: str, made: list[tuple[str, int, int]]) -> None:
    assert lines(rummy([BLOCKED], blocked=blocked)) == [made]


def test_winners_count_is_taken_off_each_or_off_the_next() -> None:
    left = dict(zip(NAMES, (15, 6, 7, 21), strict=False))
    hand = {"kind": "blocked", "left": left}
    for blocked, shares in (
        ("lowest_each", {"Cid": 1, "Dee": 15, "Ann": 9}),
        ("lowest_once", {"Cid": 1, "Dee": 21, "Ann": 15}),
        ("lowest_full", {"Cid": 7, "Dee": 21, "Ann": 15}),
    ):
        (line,) = rummy([hand], blocked=blocked)["deals"][0]["lines"]
        assert (line["side"], line["from"], list(line["from"])) == ("Bob", shares, list(shares))


@pytest.mark.parametrize("blocked", ["lowest_each", "lowest_once", "lowest_full"])
def test_level_lowest_hands_win_nothing_and_the_same_deals(blocked: str) -> None:
    hand = {"kind": "blocked", "left": dict(zip(NAMES, (6, 15, 6, 21), strict=False))}
    answer = rummy([hand], blocked=blocked)
    assert lines(answer) == [[]]
    assert table_of(answer) == ("abcd", "", "a")


@pytest.mark.parametrize(
    ("settlement", "blocked", "hands", "nets"),
    [
        # c wins 54; then a 25 of which b 9, c 1, d 15.
        ("hands", "lowest_each", [OUT, BLOCKED], (-8 + 25, -15 - 9, 54 - 1, -31 - 15)),
        # Totals 25, 0, 54, 0, each with each.
        ("totals", "lowest_each", [OUT, BLOCKED], (25 - 29 + 25, -25 - 54, 29 + 54 + 54, -25 - 54)),
        # All lose what they have: four times the own less 49 in all.
        ("hands", "all_lose", [BLOCKED], (49 - 24, 49 - 60, 49 - 28, 49 - 84)),
        ("totals", "all_lose", [BLOCKED], (49 - 24, 49 - 60, 49 - 28, 49 - 84)),
        # b has gone out for 10 + 20 + 30, and pays nobody; a pays 10.
        (
            "hands",
            "dead",
            [{"kind": "out", "winner": "Bob", "left": {"Ann": 10, "Cid": 20, "Dee": 30}}, BLOCKED],
            (-10, 60, -20, -30),
        ),
    ],
)
def test_hands_or_totals_are_paid(
    settlement: str, blocked: str, hands: list[Any], nets: tuple[int, ...]
) -> None:
    answer = rummy(hands, settlement=settlement, blocked=blocked, stopped=True)
    assert figures(answer, "net") == nets
    assert answer["columns"][0]["result"] == answer["net"][answer["winner"]]


def test_places_go_by_points_whoever_has_paid_most() -> None:
    # b wins 71 and pays 2; a wins 112, and has paid 70.
    hands = [
        {"kind": "out", "winner": "Bob", "left": {"Cid": 1, "Ann": 70}},
        {"kind": "out", "winner": "Ann", "left": {"Bob": 1, "Cid": 60}},
        {"kind": "out", "winner": "Ann", "left": {"Bob": 1, "Cid": 50}},
    ]
    answer = rummy(hands, 3)
    assert (answer["status"], answer["winner"]) == ("finished", "Ann")
    assert figures(answer, "totals") == (112, 71, 0)
    assert figures(answer, "net") == (112 - 70, 71 - 2, -111)
    assert figures(answer, "places") == (1, 2, 3)


def test_there_are_no_boxes_and_no_bonuses_whatever_the_knobs_say() -> None:
    knobs: dict[str, Any] = {
        "box_bonus": 25,
        "game_bonus": 100,
        "shutout": "flat",
        "double_if_loser_boxless": True,
    }
    answer = rummy([{**OUT, "rummy": True}], settlement="totals", **knobs)
    assert figures(answer, "totals") == (0, 0, 108, 0)
    assert figures(answer, "net") == (-108, -108, 324, -108)
    assert answer["rules"]["box_bonus"] == answer["rules"]["game_bonus"] == 0
    assert answer["rules"]["target"] == 100


def test_deal_passes_to_the_left_of_three_or_more() -> None:
    hands: list[Any] = []
    dealers = ""
    for hand in (OUT, {"kind": "dead"}, None, BLOCKED, OUT):
        hands.append(hand)
        dealers += table_of(rummy(hands, blocked="lowest_full", target=999))[2]
    assert dealers == "bbbcd"


@pytest.mark.parametrize(
    ("next_dealer", "dealers"), [("winner", "bbaa"), ("loser", "aabb"), ("alternate", "bbab")]
)
def test_of_two_the_next_dealer_is_by_the_rules(next_dealer: str, dealers: str) -> None:
    b_out = {"kind": "out", "winner": "Bob", "left": {"Ann": 5}}
    a_out = {"kind": "out", "winner": "Ann", "left": {"Bob": 5}}
    hands: list[Any] = []
    said = ""
    for hand in (b_out, {"kind": "dead"}, a_out, a_out):
        hands.append(hand)
        answer = rummy(hands, 2, next_dealer=next_dealer)
        said += table_of(answer)[2]
        assert "places" not in answer
    assert said == dealers


def test_match_of_n_deals_goes_to_who_has_most() -> None:
    answer = rummy([OUT, {"kind": "dead"}], deals=2)
    assert (answer["status"], answer["winner"]) == ("finished", "Cid")
    assert figures(answer, "net") == (-8, -15, 54, -31)
