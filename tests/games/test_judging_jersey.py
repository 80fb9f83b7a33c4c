"""Jersey judged from the cards: lay-offs in order of seats, and a proof against trying everything."""

from typing import Any

import pytest

from games.errors import GameError
from games.gin.cards import CARD_TEXTS, Hand
from games.gin.documents import judge_document
from games.gin.layoffs import deadwood_after_replies, replies
from games.gin.melds import best_arrangements, best_melds
from scoring.core.errors import ScoringError
from tests.games import brute
from tests.games.hands import random_hands
from tests.games.test_layoffs import laid_down

# 4-5-6 of clubs, three jacks, three tens, and a two.
KNOCKER = "4C 5C 6C JD JH JS TD TH TS 2D"


def request(**changes: Any) -> dict[str, Any]:
    document = {
        "rules": {"preset": "jersey"},
        "knocker": KNOCKER,
        "others": ["7C KC KD KH QC QD QH 9H 9S 9D", "8C 9C AC 2H 3S 5D 5H 7D 7S 8D"],
    }
    return {**document, **changes}


@pytest.mark.parametrize(
    ("lay_off", "second", "laid"),
    [
        # The seven is laid off by the first; on his card the second lays the eight and the nine only if
        # lay-offs are chained.
        ("original", 1 + 2 + 3 + 5 + 5 + 7 + 7 + 8 + 8 + 9, []),
        ("chained", 1 + 2 + 3 + 5 + 5 + 7 + 7 + 8, ["8C", "9C"]),
    ],
)
def test_what_another_has_laid_off_takes_cards_only_where_chained(
    lay_off: str, second: int, laid: list[str]
) -> None:
    answer = judge_document(request(rules={"preset": "jersey", "jersey": {"lay_off": lay_off}}))
    first, other = answer["others"]
    assert (first["deadwood"], first["lay_offs"]) == (0, [{"card": "7C", "meld": 2}])
    assert other["deadwood"] == second
    assert [one["card"] for one in other["lay_offs"]] == laid


def test_ruling_names_everybody_by_place() -> None:
    answer = judge_document(request(knocker="4C 5C 6C JD JH JS TD TH TS 8H"))
    # The knocker has 8, the first nothing left: he wins from all.
    assert answer["outcome"] == "gin_off"
    assert answer["knocker"] == {
        "melds": ["TD TH TS", "JD JH JS", "4C 5C 6C"],
        "deadwood": 8,
        "unmatched": "8H",
    }
    assert answer["gains"] == [
        {"winner": "others[0]", "points": 33 + 55, "boxes": 1, "from": {"others[1]": 55, "knocker": 33}}
    ]


def test_penalties_are_the_knockers() -> None:
    answer = judge_document(request(rules={"preset": "battle_royal"}))
    assert answer["penalties"] == {"knocker": 20}
    assert answer["gains"][0]["from"] == {"others[1]": 55, "knocker": 2}


def test_nothing_is_laid_off_against_gin() -> None:
    answer = judge_document(request(knocker="4C 5C 6C JD JH JS TD TH TS TC"))
    assert answer["outcome"] == "gin"
    assert [one["lay_offs"] for one in answer["others"]] == [[], []]
    assert answer["gains"][0]["from"] == {"others[0]": 7 + 25, "others[1]": 55 + 25}


def test_big_gin_is_eleven_cards() -> None:
    answer = judge_document(request(knocker="4C 5C 6C JD JH JS JC TD TH TS TC"))
    assert answer["outcome"] == "big_gin"
    assert answer["gains"][0]["from"] == {"others[0]": 7 + 31, "others[1]": 55 + 31}


def test_of_equal_lay_offs_that_which_helps_the_later_player() -> None:
    # The seven of clubs fits the sevens and the run; on the run the eight can follow.
    melds = laid_down("7D 7H 7S", "4C 5C 6C")
    first, second = Hand.parse("7C KD"), Hand.parse("8C QD")
    helped, other = replies(melds, [first, second], chained=True)
    assert [(CARD_TEXTS[one.card], one.meld) for one in helped.lay_offs] == [("7C", 1)]
    assert (helped.deadwood, other.deadwood) == (10, 10)


def test_knocker_chooses_what_leaves_both_together_most() -> None:
    # Four sevens and 8-9-T of hearts: one seven belongs to the set or to the run.
    cards = "7C 7D 7S 7H 8H 9H TH AC 2D 3S"
    others = ["6H 5H KD QD JD KC 2C 4C 5C 8D", "JH QH 2S 4S 6S 8S TS KS 3D 5D"]
    answer = judge_document(request(knocker=cards, others=others))
    totals = {}
    for arrangement in best_arrangements(Hand.parse(cards)):
        after = replies(arrangement.melds, [Hand.parse(one) for one in others])
        totals[tuple(str(meld) for meld in arrangement.melds)] = sum(one.deadwood for one in after)
    assert len(totals) > 1
    chosen = tuple(answer["knocker"]["melds"])
    assert totals[chosen] == max(totals.values()) > min(totals.values())
    fixed = next(melds for melds in totals if totals[melds] == min(totals.values()))
    mine = judge_document(request(knocker=cards, others=others, melds=list(fixed)))
    assert sum(one["deadwood"] for one in mine["others"]) == min(totals.values())


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"others": None}, "missing_field", "others"),
        ({"others": "7C"}, "wrong_type", "others"),
        ({"others": ["7C"]}, "wrong_hand_count", "others"),
        ({"others": [request()["others"][0], "7D"]}, "wrong_hand_size", "others[1]"),
        ({"others": [request()["others"][0]] * 2}, "card_twice", "others[1]"),
        ({"others": [request()["others"][1].replace("8C", "4C"), "7C"]}, "card_twice", "others[0]"),
        ({"others": [1, 2]}, "wrong_type", "others[0]"),
        ({"others": ["XX", "7C"]}, "unknown_card", "others[0]"),
        ({"defender": "7C"}, "unknown_field", "defender"),
        ({"knocker": "4C 5C 6C JD JH JS TD TH 6S 2D"}, "illegal_knock", "knocker"),
        ({"knocker": KNOCKER + " AH"}, "not_big_gin", "knocker"),
        ({"melds": ["4C 5C 6C", "JD JH 2D"]}, "not_a_meld", "melds"),
    ],
)
def test_hand_is_refused(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises((GameError, ScoringError)) as refused:
        judge_document(request(**change))
    assert isinstance(refused.value, GameError | ScoringError)
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
@pytest.mark.parametrize("chained", [False, True])
def test_replies_are_the_least_of_everything_that_two_may_do(ace: str, chained: bool, *, long: bool) -> None:
    for knocker, first, second in random_hands(8, 20_000 if long else 1_500, 10, 10, 10):
        laid = best_melds(knocker, ace=ace).melds
        melds = tuple(frozenset(str(meld).split()) for meld in laid)
        hands = [first, second]
        counts = brute.in_turn(
            melds, frozenset(str(first).split()), frozenset(str(second).split()), ace, chained=chained
        )
        answers = replies(laid, hands, ace=ace, chained=chained)
        told = (str(knocker), str(first), str(second))
        assert tuple(answer.deadwood for answer in answers) == counts, told
        masks = [hand.mask for hand in hands]
        assert deadwood_after_replies(laid, masks, ace, chained=chained) == counts, told
        table = list(melds)
        for hand, answer in zip(hands, answers, strict=True):
            if not chained:
                table = list(melds)
            for lay_off in answer.lay_offs:
                assert lay_off.card in hand
                table[lay_off.meld] |= {CARD_TEXTS[lay_off.card]}
                assert table[lay_off.meld] in brute.melds_of_pack(ace), told
            own = sum(meld.mask for meld in answer.melds)
            off = Hand.of(lay_off.card for lay_off in answer.lay_offs)
            assert own ^ off.mask ^ answer.unmatched.mask == hand.mask
