"""Entries of a telephone at tables of several read into deals: fields and what becomes of them."""

from typing import Any

import pytest

from league.phone.keypads import KEYPADS
from league.phone.keypads.base import Asked
from league.phone.reading import read_entry
from scoring.core.errors import ScoringError
from scoring.core.hands import Dead, Gin, Knock, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, Substitute, Table
from scoring.core.table_hands import Blocked, Gain, Out, TableKnock, TablePoints, TableResult
from tests.refusals import refuses

JERSEY = Rules.preset("jersey")
RUMMY = Rules.preset("basic_rummy")
CUTTHROAT = Rules.preset("cutthroat")
GAME_LONG = Rules.preset("captains")


def sides(count: int) -> tuple[SheetSide, ...]:
    return tuple(SheetSide(name, (name,)) for name in ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")[:count])


def hand(**fields: object) -> dict[str, str]:
    return {"number": "1", "key": "k"} | {f"{name}-0": str(value) for name, value in fields.items()}


def read(rules: Rules, there: Any, **fields: object) -> Any:
    (result,) = read_entry(hand(**fields), there, rules).deal.hands
    return result


COUNTS = {"by": "counts"}
POINTS = {"by": "points"}
# The figures are those of RULES §8.
JERSEY_HANDS: list[tuple[dict[str, object], TableResult]] = [
    (
        {"how": "knock", "won": 0, "count0": 6, "count1": 18, "count2": 26, **COUNTS},
        TableKnock("Ann", 6, (("Bob", 18), ("Cid", 26))),
    ),
    (
        {"how": "knock", "won": 2, "count0": 18, "count1": 26, "count2": 6, "upcard": "7s", **COUNTS},
        TableKnock("Cid", 6, (("Ann", 18), ("Bob", 26)), upcard="7S"),
    ),
    (
        {"how": "undercut", "won": 0, "count0": 8, "count1": 5, "count2": 30, **COUNTS},
        TableKnock("Ann", 8, (("Bob", 5), ("Cid", 30))),
    ),
    # The knocker's own count is not asked for after gin.
    (
        {"how": "gin", "won": 1, "count0": 26, "count1": 4, "count2": 18, **COUNTS},
        TableKnock("Bob", 0, (("Cid", 18), ("Ann", 26)), Outcome.GIN),
    ),
    (
        {"how": "knock", "won": 1, "points0": 25, "points1": 9, "points2": 28, **POINTS},
        TablePoints((Gain("Bob", (("Cid", 28), ("Ann", 25))),), mark=Outcome.KNOCK),
    ),
    ({"how": "dead", "won": 1, "count0": 3}, Dead(())),
]


@pytest.mark.parametrize(("fields", "result"), JERSEY_HANDS)
def test_jersey_is_read(fields: dict[str, object], result: TableResult) -> None:
    assert read(JERSEY, sides(3), **fields) == result


RUMMY_HANDS: list[tuple[dict[str, object], TableResult]] = [
    (
        {"how": "out", "won": 2, "count0": 8, "count1": 15, "count3": 31},
        Out("Cid", (("Dee", 31), ("Ann", 8), ("Bob", 15))),
    ),
    (
        {"how": "rummy", "won": 2, "count0": 8, "count1": 15, "count3": 31},
        Out("Cid", (("Dee", 31), ("Ann", 8), ("Bob", 15)), rummy=True),
    ),
    (
        {"how": "blocked", "won": 2, "count0": 6, "count1": 15, "count2": 7, "count3": 21},
        Blocked((("Ann", 6), ("Bob", 15), ("Cid", 7), ("Dee", 21))),
    ),
    ({"how": "dead"}, Dead(())),
]


@pytest.mark.parametrize(("fields", "result"), RUMMY_HANDS)
def test_rummy_is_read(fields: dict[str, object], result: TableResult) -> None:
    assert read(RUMMY, sides(4), **fields) == result


def test_of_those_who_play_the_form_says_who_they_are() -> None:
    counts = {"how": "knock", "won": 1, "count0": 20, "count1": 8, **COUNTS}
    assert read(CUTTHROAT, sides(4), pair="2 0", **counts) == Knock("Ann", "Cid", 8, 20)
    gin = {"how": "gin", "won": 0, "count1": 31, **COUNTS}
    assert read(CUTTHROAT, sides(4), pair="3 1", **gin) == Gin("Dee", "Bob", 31)
    assert read(CUTTHROAT, sides(4), pair="0 1", how="dead") == Dead(("Ann", "Bob"))
    # Of captains whose box is held for the game the seats go on through the side of the others.
    there = (SheetSide("Ann", ("Ann",)), SheetSide("We", ("Bob", "Cid")))
    points = {"how": "knock", "won": 1, "points": 12, **POINTS}
    assert read(GAME_LONG, there, pair="0 2", **points) == Points("Cid", "Ann", 12, Outcome.KNOCK)


def test_who_took_over_a_seat_plays_from_his_deal_on() -> None:
    there = (*sides(2), SheetSide("Cid", ("Cid",), (Substitute("Eve", "Cid", 3),)))
    fields = hand(how="dead", pair="2 0")
    assert read_entry(fields | {"number": "2"}, there, CUTTHROAT).deal.hands == (Dead(("Cid", "Ann")),)
    assert read_entry(fields | {"number": "3"}, there, CUTTHROAT).deal.hands == (Dead(("Eve", "Ann")),)
    knock = hand(how="gin", won=0, count1=10, count2=20, **COUNTS) | {"number": "4"}
    (result,) = read_entry(knock, there, JERSEY).deal.hands
    assert result == TableKnock("Ann", 0, (("Bob", 10), ("Eve", 20)), Outcome.GIN)


REFUSED: list[tuple[str, Rules, int, dict[str, object], str, str]] = [
    ("nothing", JERSEY, 3, {}, "missing_field", "how-0"),
    ("a way of another game", JERSEY, 3, {"how": "rummy", "won": 0}, "unknown_value", "how-0"),
    ("a way of gin", RUMMY, 4, {"how": "knock", "won": 0}, "unknown_value", "how-0"),
    ("nobody", JERSEY, 3, {"how": "knock", **COUNTS}, "missing_field", "won-0"),
    ("a fourth of three", JERSEY, 3, {"how": "knock", "won": 3, **COUNTS}, "unknown_value", "won-0"),
    ("counts or points", JERSEY, 3, {"how": "knock", "won": 0}, "missing_field", "by-0"),
    (
        "a figure of the third",
        JERSEY,
        3,
        {"how": "gin", "won": 1, "count2": 9, **COUNTS},
        "missing_field",
        "count0-0",
    ),
    (
        "the knocker's own",
        JERSEY,
        3,
        {"how": "knock", "won": 1, "count0": 20, "count2": 9, **COUNTS},
        "missing_field",
        "count1-0",
    ),
    (
        "points of one",
        JERSEY,
        3,
        {"how": "gin", "won": 0, "points1": 5, **POINTS},
        "missing_field",
        "points2-0",
    ),
    (
        "over the limit",
        JERSEY,
        3,
        {"how": "knock", "won": 0, "count0": 11, "count1": 20, "count2": 20, **COUNTS},
        "illegal_knock",
        "knocker_deadwood",
    ),
    (
        "an undercut that is none",
        JERSEY,
        3,
        {"how": "undercut", "won": 0, "count0": 8, "count1": 20, "count2": 20, **COUNTS},
        "not_won",
        "how-0",
    ),
    (
        "a knock that is undercut",
        JERSEY,
        3,
        {"how": "knock", "won": 0, "count0": 8, "count1": 5, "count2": 20, **COUNTS},
        "not_won",
        "how-0",
    ),
    (
        "a penalty by points",
        Rules.preset("battle_royal"),
        3,
        {"how": "undercut", "won": 1, "points0": 5, "points2": 28, **POINTS},
        "not_by_points",
        "by-0",
    ),
    (
        "what one left",
        RUMMY,
        4,
        {"how": "out", "won": 0, "count1": 5, "count2": 5},
        "missing_field",
        "count3-0",
    ),
    (
        "what nobody can hold",
        RUMMY,
        4,
        {"how": "out", "won": 0, "count1": 5, "count2": 71, "count3": 5},
        "out_of_range",
        "left.Cid",
    ),
    ("who plays", CUTTHROAT, 3, {"how": "dead"}, "missing_field", "pair-0"),
    ("one with himself", CUTTHROAT, 3, {"how": "dead", "pair": "1 1"}, "unknown_value", "pair-0"),
    ("who is not there", CUTTHROAT, 3, {"how": "dead", "pair": "0 3"}, "unknown_value", "pair-0"),
]


@pytest.mark.parametrize(
    ("rules", "count", "fields", "code", "field"),
    [case[1:] for case in REFUSED],
    ids=[case[0] for case in REFUSED],
)
def test_entry_is_refused(rules: Rules, count: int, fields: dict[str, object], code: str, field: str) -> None:
    with refuses(ScoringError, code, field=field):
        read(rules, sides(count), **fields)


def test_a_tie_that_nobody_wins_is_a_dead_hand() -> None:
    rules = Rules.preset("jersey", undercut_on_tie=False)
    with pytest.raises(ScoringError, match="Ann 8, Bob 8, Cid 8: nobody scores, a dead hand") as refusal:
        read(rules, sides(3), how="knock", won=0, count0=8, count1=8, count2=8, **COUNTS)
    assert refusal.value.code == "not_won"


def test_every_kind_says_what_is_asked_of_it() -> None:
    """The names in order of seats, whoever plays, with what was filled in."""
    for kind, keypad in KEYPADS.items():
        there = sides(3) if kind not in ("gin", "partners_one_pack") else sides(2)
        asked = Asked(1, there, Rules.preset(kind if kind != "gin" else "standard"), Table((2, 0), (1,), 1))
        shown = keypad.shown(asked, 0, {"how-0": "dead", "how-1": "gin"})
        assert shown.fields == {"how": "dead"}
