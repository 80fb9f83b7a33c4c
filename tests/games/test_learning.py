"""What `expert` takes for a likely discard: learned from games of the pool, and better than not to know."""

import json
from io import StringIO
from math import exp, log
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command

from games.arena.learning import (
    A_FACTOR_OF_E,
    HELD_OUT,
    SOFTENED,
    TYPES,
    Discard,
    discards_of_pool,
    learn,
    likelihoods,
    to_document,
)
from games.bots.base import Chances
from games.bots.field import FIELD
from games.bots.kernel import kernel
from games.bots.kernel_inference import FINE, KNEW, PILE, SEEN_SIZE, TURN_NUMBER
from games.bots.kernel_policy import (
    LOWERS,
    PARTS,
    POLICY_SIZE,
    SECOND_PART,
    SHEDS,
    THIRD_PART,
    TRAITS,
    part_of,
)
from games.bots.kernel_tables import MAKING_MELD, SOFT
from games.bots.policies import KINDS_OF_PLAYERS, POLICIES, SHEDS_PLACE, policy
from games.gin.cards import CARD_COUNT, Hand
from games.gin.melds import meld_of

PLAIN = kernel(compiled=False)
# Not those of the weights in force.
SEED = 77


def in_force() -> dict[str, list[int]]:
    found: dict[str, list[int]] = json.loads(SHEDS_PLACE.read_text(encoding="utf-8"))["weights"]
    return found


@pytest.mark.dear("plays hundreds of hands, and learns from them")
def test_learned_discards_are_likelier_of_styles_held_out_too() -> None:
    """By the weights in force, in other games; and by those of a few games. Equal games, equal weights."""
    discards = list(discards_of_pool(108, SEED))
    taught = {name for names in TYPES.values() for name in names}
    assert {one.style for one in discards} == taught | set(HELD_OUT)
    few = learn(discards)
    assert few == learn(list(discards_of_pool(108, SEED)))
    for weights in (in_force(), few):
        assert list(weights) == list(TYPES)
        for style, (learned, alike) in likelihoods(discards, weights).items():
            # e in place of one: of eleven cards he is believed to choose this as one of three or four.
            assert learned > alike + 1, style
    by_types = fmean([learned for learned, _ in likelihoods(discards, in_force()).values()])
    of_one = {name: in_force()["simple"] for name in TYPES}
    assert by_types > fmean([learned for learned, _ in likelihoods(discards, of_one).values()])


@pytest.mark.long
def test_weights_in_force_are_those_of_their_seed() -> None:
    document = json.loads(SHEDS_PLACE.read_text(encoding="utf-8"))
    learned = learn(list(discards_of_pool(document["hands"], document["seed"])))
    assert to_document(learned, hands=document["hands"], seed=document["seed"]) == document


def test_held_out_teaches_nothing() -> None:
    discards = list(discards_of_pool(60, SEED))
    assert any(one.style in HELD_OUT for one in discards)
    used = [one for one in discards if one.style not in HELD_OUT and not one.is_kept]
    assert learn(used) == learn(discards)


def test_weights_of_a_player_who_chooses_by_some_are_found() -> None:
    """Discards drawn by weights that are known: each is found, softened, but for chance."""
    true = (-0.5, 0.3, 0.0, -0.8, 0.4, -0.2)
    chances = Chances(SEED)
    discards = []
    for number in range(4_500):
        traits = tuple([tuple([chances.one_of(range(5)) for _ in true]) for _ in range(11)])
        shares = [exp(sum([one * weight for one, weight in zip(row, true, strict=True)])) for row in traits]
        # One after another, each by its share of what is left.
        chosen = next(at for at, share in enumerate(shares) if chances.happens(share / sum(shares[at:])))
        style = [names[0] for names in TYPES.values()][number // PARTS % len(TYPES)]
        discards.append(Discard(style, 1, 0, number % PARTS, traits, chosen))
    for block in learn(discards).values():
        found = [-weight / A_FACTOR_OF_E / SOFTENED for weight in block]
        for part in range(PARTS):
            for weight, right in zip(found[part * TRAITS : (part + 1) * TRAITS], true, strict=True):
                # A standard error is about 0.06.
                assert abs(weight - right) < 0.25


def test_kernel_takes_a_discard_for_as_likely_as_the_weights_say() -> None:
    """Of single cards the one with more points, by e to its weight; and as `SOFT` has it, not quite never."""
    weight = A_FACTOR_OF_E // 10
    block = policy(knocks_with=[[0]], takes=LOWERS, sheds=[0, -weight, 0, 0, 0, 0] * PARTS)
    hand = Hand.parse("KC 9D 7H 5S 3C AD QH TS 8C 6D 4H")
    for turn in (0, SECOND_PART, THIRD_PART):
        seen = [0] * SEEN_SIZE
        seen[TURN_NUMBER], seen[KNEW], seen[PILE] = turn, 0, 0
        likely = {}
        for card in hand:
            after = [0] * CARD_COUNT
            PLAIN.weigh_discards(hand.mask, 0, after)
            rules = [10, 0, 0, 1, 0, 1, 1]
            likely[card] = PLAIN.of_discard(block, 0, hand.mask, card, -1, seen, 0, rules, after) / 1024
        assert abs(sum([exp(one) for one in likely.values()]) - 1) < 0.01
        nine, seven = Hand.parse("9D").mask.bit_length() - 1, Hand.parse("7H").mask.bit_length() - 1
        assert abs(likely[nine] - likely[seven] - 0.2) < 0.01


def test_parts_of_a_hand_and_traits_fill_a_block() -> None:
    assert [part_of(turn) for turn in (0, 2, 3, 6, 7, 20)] == [0, 0, 1, 1, 2, 2]
    blocks = [POLICIES[at : at + POLICY_SIZE] for at in range(0, len(POLICIES), POLICY_SIZE)]
    assert [list(block[SHEDS:]) for block in blocks[:KINDS_OF_PLAYERS]] == list(in_force().values())
    # One step of `SOFT` at 10 for a factor of e, and so many finer ones of the weights.
    assert A_FACTOR_OF_E == 10 << FINE
    assert abs(log(SOFT[0] - SOFT[255]) - log(SOFT[10] - SOFT[255]) - 1) < 0.01


def test_two_cards_know_what_makes_a_meld_with_them() -> None:
    for text in ("5H 5C", "5H 6H", "5H 7H", "5H 8H", "AH 2H", "QS KS", "AS KS", "AD KC"):
        pair = Hand.parse(text)
        one, other = pair
        others = [card for card in range(CARD_COUNT) if card not in pair]
        melds = [card for card in others if meld_of(Hand(pair.mask | 1 << card))]
        for at in (one * CARD_COUNT + other, other * CARD_COUNT + one):
            assert MAKING_MELD[at] == sum([1 << card for card in melds])


def learned(*words: str) -> str:
    out = StringIO()
    call_command("bots", "learn", *words, stdout=out)
    return out.getvalue()


def test_command_prints_what_is_learned_and_writes_if_asked(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.management.commands import bots

    place = SHEDS_PLACE.__class__(str(tmp_path)) / "sheds.json"
    monkeypatch.setattr(bots, "SHEDS_PLACE", place)
    lines = learned("--hands", "60", "--seed", "5").splitlines()
    assert lines[1].split() == ["learned", "all", "alike"]
    assert {line.split()[0] for line in lines[2:]} <= set(FIELD) | {"simple", "steady", "expert"}
    assert not place.exists()
    learned("--hands", "60", "--seed", "5", "--write")
    document = json.loads(place.read_text(encoding="utf-8"))
    assert (document["hands"], document["seed"]) == (60, 5)
    assert document["weights"] == learn(list(discards_of_pool(60, 5)))


@pytest.mark.parametrize("hands", ["59", "40001"])
def test_command_refuses_numbers_of_hands(hands: str) -> None:
    with pytest.raises(CommandError, match="from 60 to 40000"):
        learned("--hands", hands)
