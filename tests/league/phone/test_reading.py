"""Entries of a telephone read into deals: a table of fields and what becomes of them."""

from typing import Any

import pytest

from league.phone.reading import read_entry
from scoring.core.errors import ScoringError
from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from tests.refusals import refuses

ANN_AND_BOB = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
WE_AND_YOU = (SheetSide("We", ("Ann", "Cid")), SheetSide("You", ("Bob", "Dot")))
STANDARD = Rules.preset("standard")


def hand(table: int = 0, **fields: object) -> dict[str, str]:
    """The fields of a hand told by counts unless `by` says otherwise."""
    return {f"{name}-{table}": str(value) for name, value in ({"by": "counts"} | fields).items()}


def read(fields: dict[str, str], rules: Rules = STANDARD, sides: Any = ANN_AND_BOB) -> tuple[HandResult, ...]:
    return read_entry({"number": "1", "key": "k", **fields}, sides, rules).deal.two_handed


HANDS: list[tuple[str, dict[str, str], HandResult]] = [
    (
        "knock, RULES §4",
        hand(won=0, how="knock", count0=8, count1=20),
        Knock("Ann", "Bob", 8, 20),
    ),
    ("knock by the second side", hand(won=1, how="knock", count0=20, count1=8), Knock("Bob", "Ann", 8, 20)),
    (
        "undercut, RULES §4: knocker 8, defender 6",
        hand(won=1, how="undercut", count0=8, count1=6),
        Knock("Ann", "Bob", 8, 6),
    ),
    (
        "undercut on a tie, RULES §4",
        hand(won=0, how="undercut", count0=8, count1=8),
        Knock("Bob", "Ann", 8, 8),
    ),
    ("gin", hand(won=0, how="gin", count1=31, count0=""), Gin("Ann", "Bob", 31)),
    ("gin told with what is not asked", hand(won=0, how="gin", count1=31, count0=9), Gin("Ann", "Bob", 31)),
    ("big gin", hand(won=1, how="gin", big=1, count0=12), BigGin("Bob", "Ann", 12)),
    ("dead hand", hand(how="dead"), Dead(("Ann", "Bob"))),
    ("dead hand, whoever was tapped first", hand(how="dead", won=1, count0=5), Dead(("Ann", "Bob"))),
    (
        "points",
        hand(won=1, how="gin", by="points", points=44, count0=3),
        Points("Bob", "Ann", 44, Outcome.GIN),
    ),
    (
        "points of big gin",
        hand(won=0, how="gin", big=1, by="points", points=50),
        Points("Ann", "Bob", 50, Outcome.BIG_GIN),
    ),
    (
        "upcard",
        hand(won=0, how="knock", count0=" 3 ", count1="15", upcard="7s"),
        Knock("Ann", "Bob", 3, 15, "7S"),
    ),
]


@pytest.mark.parametrize(("fields", "result"), [case[1:] for case in HANDS], ids=[case[0] for case in HANDS])
def test_hand_is_read(fields: dict[str, str], result: HandResult) -> None:
    assert read(fields) == (result,)


REFUSED: list[tuple[str, dict[str, str], str, str]] = [
    ("nothing", {}, "missing_field", "how-0"),
    ("how", hand(how="loudly", won=0), "unknown_value", "how-0"),
    ("winner", hand(how="knock"), "missing_field", "won-0"),
    ("third side", hand(how="knock", won=2), "unknown_value", "won-0"),
    ("counts or points", hand(how="knock", won=0, by=""), "missing_field", "by-0"),
    ("defender's count", hand(how="knock", won=0, count0=8), "missing_field", "count1-0"),
    ("knocker's count", hand(how="knock", won=0, count1=8), "missing_field", "count0-0"),
    ("gin against", hand(how="gin", won=1), "missing_field", "count0-0"),
    ("points", hand(how="gin", won=1, by="points"), "missing_field", "points-0"),
    ("no figure", hand(how="knock", won=0, count0="8", count1="two"), "wrong_type", "count1-0"),
    ("negative", hand(how="knock", won=0, count0="-8", count1="20"), "wrong_type", "count0-0"),
    ("other digits", hand(how="knock", won=0, count0="٨", count1="20"), "wrong_type", "count0-0"),
    ("very long", hand(how="gin", won=0, by="points", points="9" * 5000), "wrong_type", "points-0"),
    ("too many points", hand(how="gin", won=0, by="points", points="99999"), "out_of_range", "points"),
    ("no such count", hand(how="knock", won=0, count0="8", count1="99"), "out_of_range", "defender_deadwood"),
    (
        "over the limit",
        hand(how="knock", won=0, count0="11", count1="20"),
        "illegal_knock",
        "knocker_deadwood",
    ),
    ("no knock", hand(how="knock", won=0, count0="8", count1="6"), "not_won", "how-0"),
    ("no undercut", hand(how="undercut", won=0, count0="20", count1="8"), "not_won", "how-0"),
    ("no card", hand(how="gin", won=0, count1="8", upcard="7X"), "unknown_card", "upcard"),
    ("no number", {"number": "", **hand(how="dead")}, "missing_field", "number"),
    ("strange number", {"number": "1.5", **hand(how="dead")}, "wrong_type", "number"),
]


@pytest.mark.parametrize(
    ("fields", "code", "field"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_entry_is_refused(fields: dict[str, str], code: str, field: str) -> None:
    with refuses(ScoringError, code, field=field) as refusal:
        read(fields)
    assert str(refusal.value.message)


def test_tie_that_nobody_wins_is_a_dead_hand() -> None:
    rules = Rules.preset("standard", undercut_on_tie=False)
    with pytest.raises(ScoringError, match="a dead hand") as refusal:
        read(hand(how="undercut", won=0, count0=8, count1=8), rules)
    assert refusal.value.code == "not_won"


def test_big_gin_is_not_played_everywhere() -> None:
    with refuses(ScoringError, "not_played"):
        read(hand(how="gin", big=1, won=0, count1=8), Rules.preset("tournament"))


def test_teams_say_who_meets_whom() -> None:
    fields = hand(0, meets=1, won=0, how="knock", count0=4, count1=27) | hand(1, meets=0, how="dead")
    assert read(fields, sides=WE_AND_YOU) == (Knock("Ann", "Dot", 4, 27), Dead(("Cid", "Bob")))
    with refuses(ScoringError, "player_twice"):
        read(fields | {"meets-1": "1"}, sides=WE_AND_YOU)
    with refuses(ScoringError, "unknown_value", field="meets-1", hand=2):
        read(fields | {"meets-1": "2"}, sides=WE_AND_YOU)
