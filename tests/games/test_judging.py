"""The referee: worked hands under the knobs that matter, every refusal, and a judge that tries everything."""

from typing import Any

import pytest

from games.errors import GameError
from games.gin.cards import Hand
from games.gin.judging import Ruling, judge
from scoring.core.hands import hand_limit
from scoring.core.rules import Rules
from tests.games import brute
from tests.games.hands import random_hands

KNOCK_WITH_4 = "AS 2S 3S 7C 7D 7H JC JD JH 4D"
# Two runs and a set, 27 beside them; the four of spades can be laid off.
DEFENDER = "5C 6C 7S 9C 9D 9S KC KD 4S AD"


def judged(rules: Rules, knocker: str, defender: str, **more: Any) -> Ruling:
    if more.get("melds") is not None:
        more["melds"] = [Hand.parse(cards) for cards in more["melds"]]
    return judge(rules, knocker=Hand.parse(knocker), defender=Hand.parse(defender), **more)


STANDARD = Rules()
TOURNAMENT = Rules.preset("tournament")
GIN = "AS 2S 3S 7C 7D 7H 7S JC JD JH"


@pytest.mark.parametrize(
    ("name", "rules", "knocker", "defender", "more", "expected"),
    [
        # 4S and then nothing is laid off; 7S is laid off on the sevens; nines are a set; 5C 6C KC KD AD stay.
        ("a knock", STANDARD, KNOCK_WITH_4, DEFENDER, {}, ("knock", "knocker", 32 - 4)),
        # Nothing is laid off: 5C 6C KC KD 4S AD and 8S for the seven, which is melded already, are 44.
        ("gin", STANDARD, GIN, "5C 6C 8S 9C 9D 9S KC KD 4S AD", {}, ("gin", "knocker", 44 + 25)),
        ("gin of 20", Rules(gin_bonus=20), GIN, "5C 6C 8S 9C 9D 9S KC KD 4S AD", {}, ("gin", "knocker", 64)),
        (
            "undercut [S1]: 8 against 6",
            STANDARD,
            "AS 2S 3S 7C 7D 7H JC JD JH 8D",
            "4C 4D 4H QC QD QH KC KD KH 6S",
            {},
            ("undercut", "defender", 27),
        ),
        (
            "equal counts undercut [S1]",
            STANDARD,
            "AS 2S 3S 7C 7D 7H JC JD JH 8D",
            "4C 4D 4H QC QD QH KC KD KH 8S",
            {},
            ("undercut", "defender", 25),
        ),
        (
            "equal counts where they are dead",
            Rules(undercut_on_tie=False),
            "AS 2S 3S 7C 7D 7H JC JD JH 8D",
            "4C 4D 4H QC QD QH KC KD KH 8S",
            {},
            ("dead", None, 0),
        ),
        (
            "nothing left to the defender: laid off",
            STANDARD,
            "AS 2S 3S 7C 7D 7H JC JD JH 8D",
            "4C 4D 4H QC QD QH KC KD KH 4S",
            {},
            ("gin_off", "defender", 33),
        ),
        (
            "big gin",
            STANDARD,
            "AS 2S 3S 4S 7C 7D 7H 7S JC JD JH",
            "5C 6C 8S 9C 9D 9S KC KD 5S AD",
            {},
            ("big_gin", "knocker", 45 + 31),
        ),
        (
            "a spade turned up doubles [S1]",
            Rules.preset("oklahoma"),
            KNOCK_WITH_4,
            DEFENDER,
            {"upcard": "8S"},
            ("knock", "knocker", 56),
        ),
        (
            "the upcard may be in a hand: it was taken",
            Rules.preset("oklahoma"),
            KNOCK_WITH_4,
            DEFENDER,
            {"upcard": "JH"},
            ("knock", "knocker", 28),
        ),
        # A knock with nothing left is gin when judged from cards, whatever zero_knock says.
        (
            "no deadwood is gin",
            Rules(knock_limit=0),
            GIN,
            DEFENDER.replace("7S", "8S"),
            {},
            ("gin", "knocker", 69),
        ),
        (
            "Q-K-A where the ace is high too",
            Rules.preset("continental"),
            "QS KS AS 7C 7D 7H JC JD JH 4D",
            "2C 4C 6S 8C TD QC KD 3H 5H 9H",
            {},
            ("knock", "knocker", 67 - 4),
        ),
    ],
)
def test_ruling_on_worked_hands(
    name: str, rules: Rules, knocker: str, defender: str, more: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    ruling = judged(rules, knocker, defender, **more)
    assert (str(ruling.outcome), ruling.winner, ruling.points) == expected, name
    assert ruling.boxes == (0 if expected[1] is None else 1)


@pytest.mark.parametrize(("penalty", "won", "off"), [("none", 27, None), ("bonus", 2, 25), ("all", 0, 27)])
def test_ruling_says_what_is_taken_off_the_knocker(penalty: str, won: int, off: int | None) -> None:
    """RULES §8: 8 against 6."""
    document = judged(
        Rules(undercut_penalty=penalty), "AS 2S 3S 7C 7D 7H JC JD JH 8D", "4C 4D 4H QC QD QH KC KD KH 6S"
    ).to_document()
    assert (document["winner"], document["points"], document.get("penalty")) == ("defender", won, off)


def test_knocker_may_lay_down_another_arrangement() -> None:
    knocker, defender = "4D 5D 6D 7D 8S 8C 8H 2C 2D 2H", "9D TC KC KH QC QS TH 3C 3H 5S"
    assert judged(STANDARD, knocker, defender).points == 80 + 25
    other = judged(STANDARD, knocker, defender, melds=["4D 5D 6D 7D", "8S 8C 8H"])
    assert (other.outcome, other.points, str(other.knocker.unmatched)) == ("knock", 80 - 6, "2C 2D 2H")


def test_among_equal_arrangements_the_one_that_leaves_the_defender_most() -> None:
    # The seven of hearts is the fourth of a set, or the low end of a run, where the six would be laid off.
    knocker, defender = "7C 7D 7H 7S 8H 9H TH AS 2D 4C", "6H KC KH QC QS TC 3S 3D 5D 9S"
    assert judged(STANDARD, knocker, defender).points == 76 - 7
    other = judged(STANDARD, knocker, defender, melds=["7C 7D 7S", "7H 8H 9H TH"])
    assert (other.knocker.deadwood, other.points) == (7, 70 - 7)


@pytest.mark.parametrize(
    ("name", "more", "code", "field"),
    [
        ("nine cards", {"knocker": "AS 2S 3S 7C 7D 7H JC JD JH"}, "wrong_hand_size", "knocker"),
        ("twelve cards", {"knocker": KNOCK_WITH_4 + " 8H 8D"}, "wrong_hand_size", "knocker"),
        ("nine of the defender's", {"defender": DEFENDER[:-3]}, "wrong_hand_size", "defender"),
        ("eleven of the defender's", {"defender": DEFENDER + " QC"}, "wrong_hand_size", "defender"),
        ("eleven with something left", {"knocker": KNOCK_WITH_4 + " 8H"}, "not_big_gin", "knocker"),
        ("a card in both hands", {"defender": DEFENDER.replace("AD", "4D")}, "card_twice", "defender"),
        ("over the limit", {"knocker": "AS 2S 3S 7C 7D 7H JC JD 4H 4D"}, "illegal_knock", "knocker"),
        ("no meld", {"melds": ["AS 2S 3S", "7C 7D JH"]}, "not_a_meld", "melds"),
        ("two cards", {"melds": ["AS 2S"]}, "not_a_meld", "melds"),
        ("no cards", {"melds": [""]}, "not_a_meld", "melds"),
        ("not his cards", {"melds": ["AS 2S 3S 4S"]}, "not_in_hand", "melds"),
        ("a card in two melds", {"melds": ["7C 7D 7H", "7C 7D 7H"]}, "card_twice", "melds"),
        ("a choice over the limit", {"melds": ["AS 2S 3S", "7C 7D 7H"]}, "illegal_knock", "melds"),
        (
            "the upcard's limit",
            {"rules": Rules(oklahoma="ace_is_one"), "upcard": "3H"},
            "illegal_knock",
            "knocker",
        ),
        (
            "an ace is gin",
            {"rules": Rules(oklahoma="ace_is_gin"), "upcard": "AH"},
            "illegal_knock",
            "knocker",
        ),
        (
            "big gin is not played",
            {"rules": TOURNAMENT, "knocker": "AS 2S 3S 4H 7C 7D 7H 4C JC JD JH"},
            "not_played",
            "knocker",
        ),
    ],
)
def test_hand_is_refused(name: str, more: dict[str, Any], code: str, field: str) -> None:
    request: dict[str, Any] = {"rules": STANDARD, "knocker": KNOCK_WITH_4, "defender": DEFENDER} | more
    with pytest.raises(GameError) as caught:
        judged(**request)
    assert (caught.value.code, caught.value.field) == (code, field), name


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_ruling_is_that_of_a_judge_who_tries_everything(ace: str, *, long: bool) -> None:
    rules = Rules(ace=ace, knock_limit=98)
    for knocker, defender in random_hands(42, 20_000 if long else 1_500, 10, 10):
        ruling = judge(rules, knocker=knocker, defender=defender)
        own, other = brute.ruling(frozenset(str(knocker).split()), frozenset(str(defender).split()), ace)
        assert (ruling.knocker.deadwood, ruling.defender.deadwood) == (own, other), f"{knocker} / {defender}"
        if own == 0:
            assert (ruling.outcome, ruling.points) == ("gin", other + 25)
        elif other > own:
            assert (ruling.outcome, ruling.winner, ruling.points) == ("knock", "knocker", other - own)
        else:
            assert (ruling.winner, ruling.points) == ("defender", own - other + 25)
        assert own <= hand_limit(rules, None)
