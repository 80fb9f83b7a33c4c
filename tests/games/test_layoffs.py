"""Lay-offs: worked cases, and a proof against laying off card by card in every order."""

import pytest

from games.gin.cards import CARD_TEXTS, Hand
from games.gin.layoffs import deadwood_after_reply, reply
from games.gin.melds import Meld, best_melds, meld_of
from tests.games import brute
from tests.games.hands import random_hands


def laid_down(*melds: str, ace: str = "low") -> list[Meld]:
    known = [meld_of(Hand.parse(cards), ace=ace) for cards in melds]
    return [meld for meld in known if meld is not None]


@pytest.mark.parametrize(
    ("name", "melds", "defender", "lay_offs", "left"),
    [
        ("RULES §2: after 5-6-7 the 8, then the 9", ["5C 6C 7C"], "8C 9C KD", "8C 9C", "KD"),
        ("at the low end too", ["5C 6C 7C"], "3C 4C KD", "4C 3C", "KD"),
        ("at both ends", ["5C 6C 7C"], "3C 4C 8C 9C KD", "4C 3C 8C 9C", "KD"),
        ("not over a gap", ["5C 6C 7C"], "9C TC KD", "", "9C TC KD"),
        ("the fourth to a set", ["7C 7D 7H"], "7S KD", "7S", "KD"),
        ("never onto a set of four", ["7C 7D 7H 7S"], "8S KD", "", "8S KD"),
        ("the ace is low: not after the king", ["JC QC KC"], "AC TC", "TC", "AC"),
        ("the ace is low: before the two", ["2C 3C 4C"], "AC KC", "AC", "KC"),
        ("a row between two runs", ["2C 3C 4C", "8C 9C TC"], "5C 6C 7C KD", "", "KD"),
        ("a row between two runs, from both sides", ["2C 3C 4C", "8C 9C TC"], "5C 7C KD", "5C 7C", "KD"),
        ("no new meld with the knocker's cards", ["7C 7D 7H"], "8C 9C 8D 9D", "", "8C 9C 8D 9D"),
        ("a lay-off breaks no better meld", ["5C 6C 7C"], "8C 8D 8H 9C", "", "9C"),
        ("a run given up for lay-offs and a set", ["5C 6C 7C"], "8C 9C TC TD TH", "8C 9C", ""),
        ("a meld kept though all of it could go", ["5C 6C 7C"], "8C 9C TC", "", ""),
        ("nothing is melded against gin", [], "8C 9C KD", "", "8C 9C KD"),
    ],
)
def test_reply_to_worked_knocks(name: str, melds: list[str], defender: str, lay_offs: str, left: str) -> None:
    hand = Hand.parse(defender)
    answer = reply(laid_down(*melds), hand)
    assert answer.unmatched == Hand.parse(left), name
    assert answer.deadwood == answer.unmatched.value
    assert sorted(CARD_TEXTS[one.card] for one in answer.lay_offs) == sorted(lay_offs.split()), name


def test_high_ace_is_laid_off_after_the_king() -> None:
    melds = laid_down("JC QC KC", "2D 3D 4D", ace="low_or_high")
    answer = reply(melds, Hand.parse("AC AD 9H"), ace="low_or_high")
    assert {(CARD_TEXTS[one.card], one.meld) for one in answer.lay_offs} == {("AC", 0), ("AD", 1)}
    high = laid_down("QC KC AC", ace="low_or_high")
    assert reply(high, Hand.parse("2C JC TC"), ace="low_or_high").unmatched == Hand.parse("2C")


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_reply_is_the_least_of_everything_a_defender_may_do(ace: str, *, long: bool) -> None:
    for knocker, defender in random_hands(21, 20_000 if long else 2_500, 10, 10):
        laid = best_melds(knocker, ace=ace).melds
        answer = reply(laid, defender, ace=ace)
        melds = tuple(frozenset(str(meld).split()) for meld in laid)
        least = brute.least_after_lay_offs(melds, frozenset(str(defender).split()), ace)
        assert answer.deadwood == least == deadwood_after_reply(laid, defender.mask, ace), (
            str(knocker),
            str(defender),
        )
        check_reply(melds, defender, answer.melds, [(one.card, one.meld) for one in answer.lay_offs], ace)
        off = Hand.of(one.card for one in answer.lay_offs)
        own = sum(meld.mask for meld in answer.melds)
        assert own ^ off.mask ^ answer.unmatched.mask == defender.mask


def check_reply(
    melds: tuple[brute.Cards, ...],
    defender: Hand,
    own: tuple[Meld, ...],
    lay_offs: list[tuple[int, int]],
    ace: str,
) -> None:
    """Every step of the answer is allowed, in the order it is given."""
    table = list(melds)
    for card, place in lay_offs:
        assert card in defender
        table[place] |= {CARD_TEXTS[card]}
        assert table[place] in brute.melds_of_pack(ace)
    assert all(frozenset(str(meld).split()) in brute.melds_of_pack(ace) for meld in own)
