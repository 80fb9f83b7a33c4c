"""Guesses of hands of several: the player to move cannot tell them, and they tell nothing he has not seen."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

import pytest

from games.gin.actions import ActionKind
from games.gin.cards import CARD_COUNT, cards_of, mask_of
from games.gin.hand import shuffled
from games.gin.log import HandLog
from games.gin.one_pack import OnePackHand
from games.gin.playing import InPlay
from scoring.core.rules import Rules
from tests.games.kinds import test_jersey, test_one_pack, test_rummy
from tests.games.kinds.any_play import Deal, anybody, begun, last_mixed, played, with_other_cards
from tests.games.kinds.sheets import NAMES
from tests.games.kinds.test_one_pack import MOST_PACKS

# By kind: how its hands are dealt, how many play, who does anything legal, and where its cards are.
KINDS: dict[str, tuple[Deal[Any], int, Any, Any]] = {
    "jersey": (test_jersey.deal, 3, anybody, test_jersey.places),
    "partners_one_pack": (test_one_pack.deal, 4, anybody, test_one_pack.places),
    "basic_rummy": (test_rummy.deal, 3, test_rummy.anybody, test_rummy.places),
}
every_kind = pytest.mark.parametrize("kind", list(KINDS))
STEPS = (0, 3, 8, 20, 33, 60, 90, 150)


def hands(kind: str, number: int) -> Iterator[tuple[Random, Any]]:
    """Hands in play, early ones and late ones."""
    deal, seats, player, _places = KINDS[kind]
    for seed, steps in zip(range(number), cycle(STEPS), strict=False):
        random = Random(seed)
        packs = 1 if kind == "jersey" else MOST_PACKS
        state = played(begun(kind, seed, deal, seats, packs), [player(random) for _ in range(seats)], steps)
        if not state.is_over:
            yield random, state


def hidden(state: InPlay) -> tuple[Any, ...]:
    """All that nobody sees."""
    return state.hands, state.stock, getattr(state, "orders", ())


def guesses(state: InPlay, seed: int) -> list[Any]:
    """By chance alone, and after all others have drawn three times and put back their highest card."""
    draws = [seat for seat in range(len(state.players)) if seat != state.turn] * 3
    drawn = state.guessed(seed, draws, lambda held, drawn, may_go: cards_of(may_go)[-1])
    return [state.guessed(seed), drawn]


@every_kind
def test_the_player_cannot_tell_a_guess_from_the_hand(kind: str) -> None:
    """Neither it nor the hand changes when the other is played on."""
    _deal, _seats, player, places = KINDS[kind]
    for random, state in hands(kind, 24):
        before = state.view(state.turn), hidden(state)
        for guess in guesses(state, 1):
            assert sorted(places(guess)) == list(range(CARD_COUNT))
            assert guess.counts == state.counts
            assert guess.view(guess.turn) == state.view(state.turn)
            played(guess.copied(), [player(random) for _ in state.players])
            assert guess.view(guess.turn) == before[0]
            played(guess, [player(random) for _ in state.players])
            assert guess.is_over
            assert (state.view(state.turn), hidden(state)) == before


@every_kind
def test_a_guess_has_no_part_in_what_the_player_has_not_seen(kind: str) -> None:
    """With the cards exchanged that he has never seen it is the same; so is the guess of a guess."""
    deal = KINDS[kind][0]
    differ = 0
    for random, state in hands(kind, 24):
        mixed = last_mixed(state, deal) if hasattr(state, "renewed") else frozenset()
        other = with_other_cards(state, state.turn, deal, random, mixed)
        differ += hidden(other) != hidden(state)
        for seed in range(3):
            assert [*map(hidden, guesses(other, seed))] == [*map(hidden, guesses(state, seed))]
            assert hidden(state.guessed(7).guessed(seed)) == hidden(state.guessed(seed))
    assert differ


@pytest.mark.parametrize("kind", ["partners_one_pack", "basic_rummy"])
def test_what_went_into_a_stock_that_was_shuffled_again_is_held_by_who_drew_from_it(kind: str) -> None:
    """Nobody holds more of it than he drew since, and of all else only what nobody saw is in the stock."""
    deal, seats, player, _places = KINDS[kind]
    knobs = {"stock": "shuffled", "turnovers": 3} if kind == "basic_rummy" else {"reshuffles": 3}
    found = 0
    for seed in range(40):
        packs = [shuffled(seed * 16 + number) for number in range(MOST_PACKS)]
        log: HandLog[Any] = HandLog(packs[0], seed % seats, (), tuple(packs[1:]))
        state = deal(Rules.preset(kind, **{kind: knobs}), log, NAMES[:seats])
        random = Random(seed)
        played(state, [player(random) for _ in range(seats)], random.choice((80, 120, 160)))
        if state.is_over or not state.renewed:
            continue
        again, drawn = since_shuffled(state, deal)
        unseen = state.view(state.turn).unseen.mask
        for guess in guesses(state, 3):
            for seat, mask in enumerate(guess.hands):
                assert (mask & unseen & again).bit_count() <= drawn[seat]
            left = mask_of(guess.stock) & unseen & ~again
            assert left.bit_count() <= (2 if isinstance(state, OnePackHand) else 0)
        found += 1
    assert found >= 5


@pytest.mark.parametrize("kind", ["jersey", "partners_one_pack"])
def test_everybody_sees_how_often_each_has_drawn(kind: str) -> None:
    deal = KINDS[kind][0]
    for _random, state in hands(kind, 8):
        drawn = [0] * len(state.players)
        again = deal(state.rules, replace(state.log, actions=()), state.players)
        for action in state.actions:
            drawn[again.turn] += action.kind is ActionKind.DRAW
            again.act(action)
        assert state.draws == tuple(drawn)
        assert sum(drawn) > 0 or len(state.actions) < 8


def since_shuffled(state: Any, deal: Deal[Any]) -> tuple[int, list[int]]:
    """What lay open and was shuffled again the last time, and what each seat has drawn since."""
    again, drawn = 0, [0] * len(state.players)
    first = deal(state.rules, replace(state.log, actions=()), state.players)
    for action in state.actions:
        seat, renewed, before = first.turn, first.renewed, piles(first)
        first.act(action)
        if first.renewed > renewed:
            discarded = 1 << action.card if action.kind == ActionKind.DISCARD else 0
            again, drawn = (before | discarded) & ~piles(first), [0] * len(state.players)
        drawn[seat] += action.kind == ActionKind.DRAW
    return again, drawn


def piles(state: InPlay) -> int:
    """The cards on all piles."""
    return mask_of({card for seat in range(len(state.players)) for card in state.view(seat).pile})
