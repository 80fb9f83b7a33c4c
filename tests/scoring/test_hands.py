"""What one hand is worth: the examples of RULES §3-4 with their sources, worked out by hand."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from scoring.core.errors import ScoringError
from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Outcome, Points, score_hand
from scoring.core.rules import Rules
from tests.refusals import refuses


@dataclass(frozen=True)
class Case:
    """A hand, the rules that differ from standard, and (outcome, winner, points, boxes) expected."""

    name: str
    hand: HandResult
    expected: tuple[str, str | None, int, int]
    knobs: dict[str, Any] = field(default_factory=dict)


def knock(own: int, other: int, upcard: str | None = None) -> Knock:
    return Knock("Ann", "Bob", own, other, upcard)


def gin(other: int, upcard: str | None = None) -> Gin:
    return Gin("Ann", "Bob", other, upcard)


def big_gin(other: int, upcard: str | None = None) -> BigGin:
    return BigGin("Ann", "Bob", other, upcard)


def points(number: int, mark: str | None = None, upcard: str | None = None) -> Points:
    return Points("Ann", "Bob", number, None if mark is None else Outcome(mark), upcard)


EXTRA = {"extra_boxes": {"gin": 1, "big_gin": 2, "undercut": 3, "gin_off": 4}}
SPADES = {"spades_double": True}
ACE_ONE = {"oklahoma": "ace_is_one"}
ACE_GIN = {"oklahoma": "ace_is_gin"}

CASES = [
    # RULES §4, worked examples
    Case("S0, knock: 20-8=12", knock(8, 20), ("knock", "Ann", 12, 1)),
    Case("S3, knock: 27-4=23", knock(4, 27), ("knock", "Ann", 23, 1)),
    Case("S1, undercut: 8-6+25=27", knock(8, 6), ("undercut", "Bob", 27, 1)),
    Case("RULES §4, equal: 8-8+25=25", knock(8, 8), ("undercut", "Bob", 25, 1)),
    # RULES §4, the table
    Case("S1, gin: 31+25=56", gin(31), ("gin", "Ann", 56, 1)),
    Case("S3 and S4, gin: 31+20=51", gin(31), ("gin", "Ann", 51, 1), {"gin_bonus": 20}),
    Case("S1, big gin: 31+31=62", big_gin(31), ("big_gin", "Ann", 62, 1)),
    Case("big gin without a bonus: 31+0=31", big_gin(31), ("big_gin", "Ann", 31, 1), {"big_gin_bonus": 0}),
    Case("S4, undercut: 8-6+10=12", knock(8, 6), ("undercut", "Bob", 12, 1), {"undercut_bonus": 10}),
    Case("S3, undercut: 8-6+20=22", knock(8, 6), ("undercut", "Bob", 22, 1), {"undercut_bonus": 20}),
    Case(
        "a tie is dead where it is no undercut", knock(8, 8), ("dead", None, 0, 0), {"undercut_on_tie": False}
    ),
    Case(
        "one less is an undercut all the same",
        knock(8, 7),
        ("undercut", "Bob", 26, 1),
        {"undercut_on_tie": False},
    ),
    Case("dead hand", Dead(("Ann", "Bob"), "7S"), ("dead", None, 0, 0), SPADES),
    Case(
        "a hand won with 0 points is won: 8-8+0=0",
        knock(8, 8),
        ("undercut", "Bob", 0, 1),
        {"undercut_bonus": 0},
    ),
    Case("gin against nothing: 0+25=25", gin(0), ("gin", "Ann", 25, 1)),
    Case("the most: 98+25=123", gin(98), ("gin", "Ann", 123, 1)),
    Case("one more than the knocker: 9-8=1", knock(8, 9), ("knock", "Ann", 1, 1)),
    Case("gin off: 8-0+25=33", knock(8, 0), ("gin_off", "Bob", 33, 1)),
    # RULES §3, zero_knock
    Case("S1, nothing left but no gin said: 20-0=20", knock(0, 20), ("knock", "Ann", 20, 1)),
    Case("S1, and it can be undercut: 0-0+25=25", knock(0, 0), ("gin_off", "Bob", 25, 1)),
    Case("S1, or tie: dead", knock(0, 0), ("dead", None, 0, 0), {"undercut_on_tie": False}),
    Case("S0, scored as gin: 20+25=45", knock(0, 20), ("gin", "Ann", 45, 1), {"zero_knock": "gin"}),
    Case("S0, no undercut of gin: 0+25=25", knock(0, 0), ("gin", "Ann", 25, 1), {"zero_knock": "gin"}),
    Case(
        "gin's extra box too: 20+25=45, 1+1 boxes",
        knock(0, 20),
        ("gin", "Ann", 45, 2),
        {"zero_knock": "gin", **EXTRA},
    ),
    Case("limit 0 is always gin: 20+25=45", knock(0, 20), ("gin", "Ann", 45, 1), {"knock_limit": 0}),
    Case("ace_is_gin makes the limit 0: 20+25=45", knock(0, 20, "AH"), ("gin", "Ann", 45, 1), ACE_GIN),
    Case("ace_is_one leaves a knock: 20-0=20", knock(0, 20, "AH"), ("knock", "Ann", 20, 1), ACE_ONE),
    # RULES §3, Oklahoma
    Case("S2, upcard ace, knock with 1: 20-1=19", knock(1, 20, "AH"), ("knock", "Ann", 19, 1), ACE_ONE),
    Case("upcard 4, knock with 4: 20-4=16", knock(4, 20, "4H"), ("knock", "Ann", 16, 1), ACE_GIN),
    Case("upcard king allows 10: 20-10=10", knock(10, 20, "KH"), ("knock", "Ann", 10, 1), ACE_GIN),
    Case("no upcard recorded, limit 10: 20-10=10", knock(10, 20), ("knock", "Ann", 10, 1), ACE_GIN),
    Case("Oklahoma off, the upcard says nothing: 20-10=10", knock(10, 20, "2H"), ("knock", "Ann", 10, 1)),
    Case(
        "knock limit 15, knock with 15: 20-15=5", knock(15, 20), ("knock", "Ann", 5, 1), {"knock_limit": 15}
    ),
    # RULES §3-4, spades double
    Case("spade: (20-8)*2=24", knock(8, 20, "7S"), ("knock", "Ann", 24, 1), SPADES),
    Case("spade, bonus included: (31+25)*2=112", gin(31, "7S"), ("gin", "Ann", 112, 1), SPADES),
    Case("spade, undercut: (8-6+25)*2=54", knock(8, 6, "9S"), ("undercut", "Bob", 54, 1), SPADES),
    Case("spade, big gin: (31+31)*2=124", big_gin(31, "9S"), ("big_gin", "Ann", 124, 1), SPADES),
    Case("heart: 20-8=12", knock(8, 20, "7H"), ("knock", "Ann", 12, 1), SPADES),
    Case("no upcard: undoubled, 20-8=12", knock(8, 20), ("knock", "Ann", 12, 1), SPADES),
    Case("spades do not double by default: 20-8=12", knock(8, 20, "7S"), ("knock", "Ann", 12, 1)),
    Case(
        "S0 and S1, Oklahoma with ace of spades: (20+25)*2=90",
        gin(20, "AS"),
        ("gin", "Ann", 90, 1),
        {"oklahoma": "ace_is_gin", "spades_double": True},
    ),
    # RULES §4, boxes
    Case("a knock has no extra boxes", knock(8, 20), ("knock", "Ann", 12, 1), EXTRA),
    Case("gin: 1+1 boxes", gin(31), ("gin", "Ann", 56, 2), EXTRA),
    Case("big gin: 1+2 boxes", big_gin(31), ("big_gin", "Ann", 62, 3), EXTRA),
    Case("undercut: 1+3 boxes", knock(8, 6), ("undercut", "Bob", 27, 4), EXTRA),
    Case("gin off counts instead of undercut: 1+4 boxes", knock(8, 0), ("gin_off", "Bob", 33, 5), EXTRA),
    Case("dead by a tie: no box", knock(8, 8), ("dead", None, 0, 0), {"undercut_on_tie": False, **EXTRA}),
    Case("spade, none: 1+1 boxes", gin(31, "2S"), ("gin", "Ann", 112, 2), {**SPADES, **EXTRA}),
    Case(
        "spade, extra: 1+2*3 boxes",
        knock(8, 6, "9S"),
        ("undercut", "Bob", 54, 7),
        {**SPADES, **EXTRA, "spades_double_boxes": "extra"},
    ),
    Case(
        "spade, all: 2*1+2*2 boxes",
        big_gin(31, "9S"),
        ("big_gin", "Ann", 124, 6),
        {**SPADES, **EXTRA, "spades_double_boxes": "all"},
    ),
    Case(
        "spade, all, a plain knock: 2*1 boxes",
        knock(8, 20, "9S"),
        ("knock", "Ann", 24, 2),
        {**SPADES, "spades_double_boxes": "all"},
    ),
    Case(
        "heart: the boxes do not double",
        gin(31, "9H"),
        ("gin", "Ann", 56, 2),
        {**SPADES, **EXTRA, "spades_double_boxes": "all"},
    ),
    Case(
        "spades_double off: spades_double_boxes is not in force",
        gin(31, "9S"),
        ("gin", "Ann", 56, 2),
        {**EXTRA, "spades_double_boxes": "all"},
    ),
    # INTERFACES §2, points
    Case("points as written", points(25), ("points", "Ann", 25, 1), EXTRA),
    Case("points: the bounds, 0", points(0), ("points", "Ann", 0, 1)),
    Case("points: the bounds, 9999", points(9999), ("points", "Ann", 9999, 1)),
    Case("points are final under a spade", points(25, None, "7S"), ("points", "Ann", 25, 1), SPADES),
    Case("marked knock: one box", points(12, "knock"), ("knock", "Ann", 12, 1), EXTRA),
    Case("marked gin: 1+1 boxes", points(44, "gin"), ("gin", "Ann", 44, 2), EXTRA),
    Case("marked big gin: 1+2 boxes", points(61, "big_gin"), ("big_gin", "Ann", 61, 3), EXTRA),
    Case("marked undercut: 1+3 boxes", points(27, "undercut"), ("undercut", "Ann", 27, 4), EXTRA),
    Case("marked gin off: 1+4 boxes", points(33, "gin_off"), ("gin_off", "Ann", 33, 5), EXTRA),
    Case(
        "marked gin and a spade, extra: 44 points, 1+2*1 boxes",
        points(44, "gin", "7S"),
        ("gin", "Ann", 44, 3),
        {**SPADES, **EXTRA, "spades_double_boxes": "extra"},
    ),
    Case(
        "marked gin and a spade, all: 44 points, 2*1+2*1 boxes",
        points(44, "gin", "7S"),
        ("gin", "Ann", 44, 4),
        {**SPADES, **EXTRA, "spades_double_boxes": "all"},
    ),
    Case(
        "marked knock and a spade, all: 2*1 boxes",
        points(24, "knock", "7S"),
        ("knock", "Ann", 24, 2),
        {**SPADES, "spades_double_boxes": "all"},
    ),
    Case(
        "unmarked and a spade, all: one box",
        points(24, None, "7S"),
        ("points", "Ann", 24, 1),
        {**SPADES, "spades_double_boxes": "all"},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hand_scores(case: Case) -> None:
    score = score_hand(Rules.from_document(case.knobs), case.hand)
    assert (score.outcome, score.winner, score.points, score.boxes) == case.expected


@pytest.mark.parametrize(
    ("knobs", "hand", "won", "off"),
    [
        # RULES §8, knocker 8 and defender 6: 2, and 25 of the bonus.
        ({}, knock(8, 6), 27, 0),
        ({"undercut_penalty": "bonus"}, knock(8, 6), 2, 25),
        ({"undercut_penalty": "all"}, knock(8, 6), 0, 27),
        # A tie leaves the defender nothing, and nothing left the whole count: 8 and 25.
        ({"undercut_penalty": "bonus"}, knock(8, 8), 0, 25),
        ({"undercut_penalty": "bonus"}, knock(8, 0), 8, 25),
        ({"undercut_penalty": "all"}, knock(8, 0), 0, 33),
        # A spade doubles both: 2 and 25, or 27.
        ({"undercut_penalty": "bonus", **SPADES}, knock(8, 6, "9S"), 4, 50),
        ({"undercut_penalty": "all", **SPADES}, knock(8, 6, "9S"), 0, 54),
        # There is nothing to take off without a bonus, nor for what is no undercut.
        ({"undercut_penalty": "bonus", "undercut_bonus": 0}, knock(8, 6), 2, 0),
        ({"undercut_penalty": "all"}, knock(8, 20), 12, 0),
        ({"undercut_penalty": "all"}, gin(31), 56, 0),
        ({"undercut_penalty": "all", "undercut_on_tie": False}, knock(8, 8), 0, 0),
        # On paper the figure is the defender's, and where he has none the knocker's.
        ({}, points(27, "undercut"), 27, 0),
        ({"undercut_penalty": "bonus"}, points(2, "undercut"), 2, 25),
        ({"undercut_penalty": "bonus", **SPADES}, points(4, "gin_off", "9S"), 4, 50),
        ({"undercut_penalty": "all"}, points(27, "undercut"), 0, 27),
        ({"undercut_penalty": "all", **SPADES}, points(54, "gin_off", "9S"), 0, 54),
        ({"undercut_penalty": "all"}, points(27), 27, 0),
    ],
)
def test_what_is_taken_off_the_knocker(knobs: dict[str, Any], hand: HandResult, won: int, off: int) -> None:
    score = score_hand(Rules.from_document(knobs), hand)
    assert (score.points, score.penalty) == (won, off)


@pytest.mark.parametrize("penalty", ["none", "bonus", "all"])
@pytest.mark.parametrize("hand", [knock(8, 6), points(27, "undercut")])
def test_hand_and_box_of_an_undercut_are_the_defender_s(penalty: str, hand: HandResult) -> None:
    score = score_hand(Rules.from_document({"undercut_penalty": penalty, **EXTRA}), hand)
    defender = "Bob" if isinstance(hand, Knock) else "Ann"
    assert (score.outcome, score.winner, score.boxes) == ("undercut", defender, 4)


@pytest.mark.parametrize(
    ("preset", "hand", "expected"),
    [
        ("tournament", gin(20), 45),  # S0: 20+25
        ("online", gin(20), 45),  # S2: 20+25
        ("classic", gin(20), 45),  # S3: 20+25
        ("continental", gin(20), 40),  # S4: 20+20
        ("continental", knock(9, 5), 14),  # S4: 9-5+10
        ("gin_only", knock(0, 20), 45),  # a knock with 0 is gin: 20+25
        ("oklahoma", knock(3, 13, "3S"), 20),  # S1: (13-3)*2
    ],
)
def test_hand_scores_by_preset(preset: str, hand: HandResult, expected: int) -> None:
    assert score_hand(Rules.preset(preset), hand).points == expected


@pytest.mark.parametrize(
    ("upcard", "off", "ace_is_one", "ace_is_gin"),
    [
        (None, 10, 10, 10),
        ("AC", 10, 1, 0),
        ("2C", 10, 2, 2),
        ("9C", 10, 9, 9),
        ("TC", 10, 10, 10),
        ("JC", 10, 10, 10),
        ("QC", 10, 10, 10),
        ("KC", 10, 10, 10),
    ],
)
def test_limit_is_the_lower_of_knob_and_upcard(
    upcard: str | None, off: int, ace_is_one: int, ace_is_gin: int
) -> None:
    for oklahoma, limit in (("off", off), ("ace_is_one", ace_is_one), ("ace_is_gin", ace_is_gin)):
        assert highest_knock(Rules.preset("standard", oklahoma=oklahoma), upcard) == limit
        lower = Rules.preset("standard", oklahoma=oklahoma, knock_limit=5)
        assert highest_knock(lower, upcard) == min(5, limit)


def highest_knock(rules: Rules, upcard: str | None) -> int:
    """The most one may knock with, found by trying."""
    allowed = [own for own in range(99) if is_allowed(rules, knock(own, 98, upcard))]
    assert allowed == list(range(len(allowed)))
    return allowed[-1]


def is_allowed(rules: Rules, hand: HandResult) -> bool:
    try:
        score_hand(rules, hand)
    except ScoringError:
        return False
    return True


@pytest.mark.parametrize(
    ("hand", "code", "field"),
    [
        (knock(11, 20), "illegal_knock", "knocker_deadwood"),
        (knock(99, 20), "illegal_knock", "knocker_deadwood"),
        (knock(10**5000, 20), "illegal_knock", "knocker_deadwood"),
        (knock(-1, 20), "out_of_range", "knocker_deadwood"),
        (knock(8, -1), "out_of_range", "defender_deadwood"),
        (knock(8, 99), "out_of_range", "defender_deadwood"),
        (gin(-1), "out_of_range", "defender_deadwood"),
        (gin(99), "out_of_range", "defender_deadwood"),
        (big_gin(99), "out_of_range", "defender_deadwood"),
        (points(-1), "out_of_range", "points"),
        (points(10000), "out_of_range", "points"),
    ],
)
def test_hand_is_refused_when_it_cannot_be(hand: HandResult, code: str, field: str) -> None:
    with refuses(ScoringError, code, field=field):
        score_hand(Rules(), hand)


@pytest.mark.parametrize(("hand", "field"), [(big_gin(20), "kind"), (points(51, "big_gin"), "mark")])
def test_big_gin_is_refused_where_it_is_not_played(hand: HandResult, field: str) -> None:
    with refuses(ScoringError, "not_played", field=field):
        score_hand(Rules.preset("tournament"), hand)


def test_sentence_says_the_limit() -> None:
    with pytest.raises(ScoringError, match=r"Ann cannot knock with 5: the upcard 3H allows 3\."):
        score_hand(Rules.preset("oklahoma"), knock(5, 20, "3H"))
    with pytest.raises(ScoringError, match=r"Ann cannot knock with 12: the limit is 10\."):
        score_hand(Rules(), knock(12, 20))
