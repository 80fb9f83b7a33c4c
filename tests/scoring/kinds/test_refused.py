"""What sheets of the kinds of game refuse, with code, deal, hand and field."""

from typing import Any

import pytest

from scoring.core.errors import ScoringError
from scoring.core.hands import Outcome
from scoring.core.rules import Rules
from scoring.core.sheets import RunningSheet
from scoring.core.table_hands import TableKnock
from scoring.documents.sheets import DealReader, read_deals, score_document
from scoring.documents.sides import read_sides
from tests.refusals import refuses
from tests.scoring.kinds.paper import NAMES

Refusal = tuple[str, int | None, int | None, str | None]


def people(count: int) -> list[dict[str, Any]]:
    return [{"name": name} for name in (*NAMES, "Gus")[:count]]


def team(*players: str, name: str = "We") -> dict[str, Any]:
    return {"name": name, "players": list(players)}


def refusal(preset: str, sides: list[dict[str, Any]], *hands: Any, **knobs: Any) -> Refusal:
    document = {
        "rules": {"preset": preset, **knobs},
        "sides": sides,
        "deals": [{"hands": [hand]} for hand in hands],
    }
    with pytest.raises(ScoringError) as refused:
        score_document(document)
    error = refused.value
    assert str(error.message).endswith(".")
    return error.code, error.deal, error.hand, error.field


BY_HAND = {"captains": {"box_held": "hand"}}


@pytest.mark.parametrize(
    ("preset", "sides", "knobs"),
    [
        ("cutthroat", people(2), {}),
        ("cutthroat", people(5), {}),
        ("cutthroat", [*people(2), team("Cid", "Dee")], {}),
        ("captains", people(2), {}),
        ("captains", people(3), {}),
        ("captains", [team("Ann", "Bob"), {"name": "Cid"}], {}),
        ("captains", [{"name": "Ann"}, team(*"BCDEFG")], {}),
        ("captains", people(2), BY_HAND),
        ("captains", people(7), BY_HAND),
        ("captains", [{"name": "Ann"}, team("Bob", "Cid")], BY_HAND),
        ("jersey", people(2), {}),
        ("jersey", people(4), {}),
        ("battle_royal", [*people(2), team("Cid", "Dee")], {}),
        ("partners_one_pack", people(2), {}),
        ("partners_one_pack", people(4), {}),
        ("partners_one_pack", [team(*"ABC"), team(*"DEF", name="They")], {}),
        ("basic_rummy", people(1), {}),
        ("basic_rummy", people(7), {}),
        ("basic_rummy", [{"name": "Ann"}, team("Bob", "Cid")], {}),
        ("standard", people(3), {}),
    ],
)
def test_wrong_number_of_sides_or_players(
    preset: str, sides: list[dict[str, Any]], knobs: dict[str, Any]
) -> None:
    assert refusal(preset, sides, **knobs) == ("wrong_sides", None, None, "sides")


def test_name_twice_among_many() -> None:
    assert refusal("jersey", [*people(2), {"name": "Ann"}]) == ("duplicate_name", None, None, "sides")
    sides = [team("Dee", name="Cid"), team("Dee", name="Ann"), {"name": "Bob"}]
    assert refusal("jersey", sides) == ("duplicate_name", None, None, "sides")


def won(winner: Any, loser: Any) -> dict[str, Any]:
    return {"kind": "points", "winner": winner, "loser": loser, "points": 12}


def knock(knocker: str, defender: str, k: int = 8) -> dict[str, Any]:
    counts = {"knocker_deadwood": k, "defender_deadwood": 20}
    return {"kind": "knock", "knocker": knocker, "defender": defender, **counts}


@pytest.mark.parametrize(
    ("hand", "code", "field"),
    [
        # Bob has lost the first deal and sits out in the second, which Ann and Cid play.
        (won("Bob", "Ann"), "sits_out", "winner"),
        (won("Ann", "Bob"), "sits_out", "loser"),
        (knock("Bob", "Cid"), "sits_out", "knocker"),
        (knock("Cid", "Bob"), "sits_out", "defender"),
        ({"kind": "dead", "knocker": "Ann", "defender": "Bob"}, "sits_out", "defender"),
        (won("Ann", "Ann"), "same_side", "loser"),
        (won("Ann", "Zoe"), "unknown_player", "loser"),
        ({"kind": "points", "winner": "Ann", "points": 12}, "missing_field", "loser"),
        ({"kind": "dead"}, "missing_field", "defender"),
        (knock("Ann", "Cid", 11), "illegal_knock", "knocker_deadwood"),
        ({"kind": "out", "winner": "Ann", "left": {"Cid": 3}}, "unknown_kind", "kind"),
        ({**knock("Ann", "Cid"), "others": {"Cid": 3}}, "unknown_field", "others"),
    ],
)
@pytest.mark.parametrize(
    ("preset", "sides", "knobs"),
    [
        ("cutthroat", people(3), {}),
        ("captains", people(3), BY_HAND),
        ("captains", [{"name": "Ann"}, team("Bob", "Cid")], {}),
    ],
)
def test_hand_of_two(
    preset: str, sides: list[dict[str, Any]], knobs: dict[str, Any], hand: Any, code: str, field: str
) -> None:
    same_side = len(sides) == 2 and hand in (knock("Bob", "Cid"), knock("Cid", "Bob"))
    expected = "same_side" if same_side else code
    at = "defender" if same_side else field
    assert refusal(preset, sides, won("Ann", "Bob"), hand, **knobs) == (expected, 2, 1, at)


def test_line_of_a_team_is_refused_where_no_teams_play() -> None:
    document = {
        "rules": {"preset": "cutthroat"},
        "sides": people(3),
        "deals": [{"line": {"winner": "Ann", "points": 5}}],
    }
    with refuses(ScoringError, "not_a_team_sheet", deal=1):
        score_document(document)


def three(k: Any = 6, **more: Any) -> dict[str, Any]:
    hand = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": k, "others": {"Bob": 18, "Cid": 26}}
    return {name: value for name, value in {**hand, **more}.items() if value is not ...}


def paper(**fields: Any) -> dict[str, Any]:
    hand = {"kind": "points", "winner": "Ann", "from": {"Bob": 12, "Cid": 20}}
    return {name: value for name, value in {**hand, **fields}.items() if value is not ...}


def gains(*shares: tuple[str, dict[str, int]], **more: Any) -> dict[str, Any]:
    return {"kind": "points", "gains": [{"winner": who, "from": what} for who, what in shares], **more}


@pytest.mark.parametrize(
    ("hand", "code", "field"),
    [
        (three(11), "illegal_knock", "knocker_deadwood"),
        (three(-1), "out_of_range", "knocker_deadwood"),
        (three(...), "missing_field", "knocker_deadwood"),
        (three("6"), "wrong_type", "knocker_deadwood"),
        (three(1, kind="gin"), "out_of_range", "knocker_deadwood"),
        (three(..., kind="big_gin"), "not_played", "kind"),
        (three(others={"Bob": 99, "Cid": 26}), "out_of_range", "others.Bob"),
        (three(others={"Bob": 18, "Cid": -1}), "out_of_range", "others.Cid"),
        (three(others={"Bob": 18, "Cid": 10**5000}), "out_of_range", "others.Cid"),
        (three(others={"Bob": 18, "Cid": 2.5}), "wrong_type", "others.Cid"),
        (three(others={"Bob": 18, "Cid": True}), "wrong_type", "others.Cid"),
        (three(others={"Bob": 18}), "missing_field", "others.Cid"),
        (three(others={}), "missing_field", "others.Bob"),
        (three(others=...), "missing_field", "others"),
        (three(others=[18, 26]), "wrong_type", "others"),
        (three(others={"Bob": 18, "Cid": 26, "Ann": 6}), "player_twice", "others.Ann"),
        (three(others={"Bob": 18, "Zoe": 26}), "unknown_player", "others"),
        (three(knocker="Zoe"), "unknown_player", "knocker"),
        (three(knocker=...), "missing_field", "knocker"),
        (three(defender="Bob"), "unknown_field", "defender"),
        (three(upcard="1S"), "unknown_card", "upcard"),
        ({"kind": "dead", "knocker": "Ann"}, "unknown_field", "knocker"),
        ({"kind": "blocked", "left": {}}, "unknown_kind", "kind"),
        (paper(**{"from": {"Bob": 12}}), "missing_field", "from.Cid"),
        (paper(**{"from": {"Bob": 12, "Cid": 20, "Ann": 1}}), "player_twice", "from.Ann"),
        (paper(**{"from": {"Bob": 12, "Cid": 10_000}}), "out_of_range", "from.Cid"),
        (paper(**{"from": {"Bob": -1, "Cid": 1}}), "out_of_range", "from.Bob"),
        (paper(**{"from": ...}), "missing_field", "from"),
        (paper(winner=...), "missing_field", "winner"),
        (paper(points=12), "unknown_field", "points"),
        (paper(mark="dead"), "unknown_mark", "mark"),
        (paper(mark="big_gin"), "not_played", "mark"),
        (paper(gains=[]), "conflicting_fields", "winner"),
        (paper(penalties={"Bob": 20}), "not_played", "penalties"),
        ({"kind": "points", "gains": {}}, "wrong_type", "gains"),
        (gains(("Ann", {"Bob": 1})), "out_of_range", "gains"),
        (gains(*[(name, {"Ann": 1}) for name in ("Bob", "Cid", "Bob")]), "out_of_range", "gains"),
        (gains(("Bob", {"Ann": 1, "Cid": 1}), ("Cid", {"Ann": 1})), "player_twice", "from.Ann"),
        (gains(("Bob", {"Ann": 1}), ("Bob", {"Ann": 1})), "conflicting_fields", "gains"),
        (gains(("Bob", {"Cid": 1}), ("Cid", {"Bob": 1})), "conflicting_fields", "gains"),
        # Under `lowest` nobody wins from the third beside another winner.
        (gains(("Bob", {"Ann": 28}), ("Ann", {"Cid": 22})), "conflicting_fields", "gains"),
        ({"kind": "points", "gains": [{"winner": "Bob", "points": 1}] * 2}, "unknown_field", "gains.points"),
    ],
)
def test_hand_of_jersey(hand: Any, code: str, field: str) -> None:
    assert refusal("jersey", people(3), three(), hand, big_gin_bonus=None) == (code, 2, 1, field)


@pytest.mark.parametrize(
    ("hand", "knobs"),
    [
        (paper(penalties={"Ann": 20}), {}),
        (paper(penalties={"Bob": 20, "Cid": 20}), {}),
        (gains(("Bob", {"Ann": 8}), ("Cid", {"Ann": 8}), penalties={"Bob": 20}), {}),
        (
            gains(("Bob", {"Ann": 8}), ("Ann", {"Cid": 8}), penalties={"Cid": 20}),
            {"jersey": {"undercut": "each"}},
        ),
    ],
)
def test_penalty_of_another_than_the_knocker(hand: Any, knobs: dict[str, Any]) -> None:
    expected = ("conflicting_fields", 1, 1, "penalties")
    assert refusal("battle_royal", people(3), hand, **knobs) == expected


def out(left: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "out", "winner": "Ann", "left": left, **more}


GOOD = {"Bob": 5, "Cid": 9}


@pytest.mark.parametrize(
    ("hand", "code", "field"),
    [
        (out({"Bob": 5}), "missing_field", "left.Cid"),
        (out({**GOOD, "Ann": 3}), "player_twice", "left.Ann"),
        (out({**GOOD, "Zoe": 3}), "unknown_player", "left"),
        (out({"Bob": 0, "Cid": 9}), "out_of_range", "left.Bob"),
        (out({"Bob": 5, "Cid": 71}), "out_of_range", "left.Cid"),
        (out({"Bob": 5, "Cid": "9"}), "wrong_type", "left.Cid"),
        (out([5, 9]), "wrong_type", "left"),
        (out(None), "missing_field", "left"),
        (out(GOOD, rummy="yes"), "wrong_type", "rummy"),
        (out(GOOD, rummy=None), "wrong_type", "rummy"),
        (out(GOOD, upcard="AS"), "unknown_field", "upcard"),
        ({"kind": "out", "left": GOOD}, "missing_field", "winner"),
        ({"kind": "out", "winner": "Zoe", "left": GOOD}, "unknown_player", "winner"),
        ({"kind": "blocked", "left": GOOD}, "missing_field", "left.Ann"),
        ({"kind": "blocked", "left": {**GOOD, "Ann": 3}, "rummy": True}, "unknown_field", "rummy"),
        ({"kind": "blocked", "left": {**GOOD, "Ann": 3}, "winner": "Ann"}, "unknown_field", "winner"),
        ({"kind": "dead", "left": GOOD}, "unknown_field", "left"),
        (three(), "unknown_kind", "kind"),
    ],
)
def test_hand_of_rummy(hand: Any, code: str, field: str) -> None:
    assert refusal("basic_rummy", people(3), out(GOOD), hand) == (code, 2, 1, field)


@pytest.mark.parametrize(
    ("seats", "knobs", "least", "most"),
    [
        (2, {}, 1, 100),
        (3, {}, 1, 70),
        (4, {}, 1, 70),
        (5, {}, 1, 60),
        (6, {}, 1, 60),
        (2, {"ace": "high", "ace_points": 11}, 2, 104),
        (4, {"ace": "low_or_high", "ace_points": 11}, 2, 74),
        (6, {"ace": "high", "ace_points": 11}, 2, 64),
        (2, {"ace": "high", "ace_points": 15}, 2, 120),
        (3, {"ace": "high", "ace_points": 15}, 2, 90),
        (5, {"ace": "high", "ace_points": 15}, 2, 80),
        (3, {"last_discard": True, "floating": True}, 0, 70),
    ],
)
def test_figures_that_a_hand_of_rummy_can_have(
    seats: int, knobs: dict[str, Any], least: int, most: int
) -> None:
    def played(figure: int) -> dict[str, Any]:
        left = dict.fromkeys(NAMES[1:seats], 20) | {"Bob": figure}
        return {"kind": "out", "winner": "Ann", "left": left}

    for figure in (least, most):
        answer = score_document(
            {
                "rules": {"preset": "basic_rummy", "basic_rummy": knobs},
                "sides": people(seats),
                "deals": [{"hands": [played(figure)]}],
            }
        )
        assert answer["deals"][0]["lines"][0]["from"]["Bob"] == figure
    for figure in (least - 1, most + 1):
        refused = refusal("basic_rummy", people(seats), played(figure), basic_rummy=knobs)
        assert refused == ("out_of_range", 1, 1, "left.Bob")


@pytest.mark.parametrize(
    ("hand", "field"),
    [
        ({"kind": "gin", "knocker": "Cid", "others": {"Ann": 1, "Bob": 2}}, "knocker"),
        ({"kind": "gin", "knocker": "Ann", "others": {"Cid": 1, "Bob": 2}}, "others"),
        # Dee and Cid have one seat.
        ({"kind": "gin", "knocker": "Dee", "others": {"Ann": 1, "Bob": 2, "Cid": 3}}, "others"),
    ],
)
def test_who_has_left_the_table(hand: Any, field: str) -> None:
    sub = {"player": "Dee", "replaces": "Cid", "from_deal": 2}
    sides = [*people(2), {"name": "Cid", "substitutes": [sub]}]
    assert refusal("jersey", sides, {"kind": "dead"}, hand) == ("not_seated", 2, 1, field)


def test_stored_hand_may_name_who_has_left_but_one_of_a_seat() -> None:
    rules = Rules.preset("jersey")
    sub = {"player": "Dee", "replaces": "Cid", "from_deal": 2}
    sides = read_sides([*people(2), {"name": "Cid", "substitutes": [sub]}], rules)
    reader = DealReader(sides, rules, anyone=True)
    hand = {"kind": "gin", "knocker": "Ann", "others": {"Cid": 1, "Bob": 2}}
    assert reader.read({"hands": [hand]}, 2).hands[0] == TableKnock(
        "Ann", 0, (("Bob", 2), ("Cid", 1)), Outcome.GIN
    )
    with refuses(ScoringError, "player_twice", field="others.Dee"):
        reader.read({"hands": [{**hand, "others": {"Cid": 1, "Bob": 2, "Dee": 3}}]}, 2)


def test_refused_deal_changes_nothing() -> None:
    rules = Rules.preset("cutthroat")
    sides = read_sides(people(3), rules)
    sheet = RunningSheet(rules, sides)
    first, wrong = read_deals([{"hands": [won("Ann", "Bob")]}, {"hands": [won("Bob", "Ann")]}], sides, rules)
    sheet.add(first)
    before, table = sheet.settle(), sheet.table
    with pytest.raises(ScoringError):
        sheet.add(wrong)
    assert (sheet.settle(), sheet.table) == (before, table)
