"""Deductions from a view: cards that would meld, and what a discard may give away."""

from array import array
from functools import cache
from itertools import combinations
from math import fsum
from typing import Final

from games.gin.actions import ActionKind
from games.gin.cards import (
    ALL_CARDS,
    CARD_COUNT,
    RANK_COUNT,
    SUIT_MASK,
    Hand,
    cards_of,
    mask_of,
    rank_mask,
)
from games.gin.melds import meld_of
from games.gin.view import View

# Factors on the likelihood that the opponent holds a card, if it goes with one they took, discarded or left:
# after taking an eight they have another or a neighbour, after discarding one hardly.
WARM: Final = 2.0
COLD: Final = 0.5
_HAND_SIZE: Final = 10


def going_with(card: int) -> int:
    """The cards of the same rank, and those up to two ranks away in the same suit."""
    rank = card % RANK_COUNT
    mask = rank_mask(card) & ~(1 << card)
    for step in (-2, -1, 1, 2):
        if 0 <= rank + step < RANK_COUNT:
            mask |= 1 << card + step
    return mask


def seen(view: View) -> int:
    """The cards whose place is known: one's own, the pile, those that others took and still hold."""
    return view.mask | view.known | mask_of(view.pile) | view.elsewhere


def melding(mask: int, ace: str = "low") -> int:
    """The cards that would make a meld with two or more cards of the hand, even if used elsewhere."""
    table = _rows(ace)
    clubs, diamonds = mask & SUIT_MASK, mask >> 13 & SUIT_MASK
    hearts, spades = mask >> 26 & SUIT_MASK, mask >> 39
    pairs = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    return (
        table[clubs] | pairs | (table[diamonds] | pairs) << 13 | (table[hearts] | pairs) << 26
        | (table[spades] | pairs) << 39
    ) & ~mask  # fmt: skip


def outs(view: View, mask: int) -> int:
    """The number of cards still available that would make a meld with this hand."""
    return (melding(mask, view.rules.ace) & ~(view.mask | view.known | mask_of(view.pile))).bit_count()


def holding(view: View) -> list[float]:
    """For every card the likelihood that the opponent holds it, judging by their moves."""
    unseen = ALL_CARDS & ~seen(view)
    hidden = _HAND_SIZE - view.known.bit_count()
    share = min(1.0, hidden / max(1, unseen.bit_count()))
    warm = cold = 0
    for card in cards_of(view.known):
        warm |= going_with(card)
    top = view.upcard
    for move in view.moves:
        if move.seat != view.seat:
            if move.kind in (ActionKind.DRAW, ActionKind.PASS) and top is not None:
                cold |= going_with(top)
            elif move.kind is ActionKind.DISCARD and move.card is not None:
                cold |= going_with(move.card)
        if move.kind is ActionKind.DISCARD:
            top = move.card
    chances = []
    for card in range(CARD_COUNT):
        if view.known >> card & 1:
            chances.append(1.0)
        elif not unseen >> card & 1:
            chances.append(0.0)
        elif warm >> card & 1:
            chances.append(min(1.0, share * WARM))
        else:
            chances.append(share * COLD if cold >> card & 1 else share)
    return chances


def danger(card: int, chances: list[float], ace: str = "low") -> float:
    """The expected number of the opponent's melds with the card, given the likelihoods from `holding`."""
    return fsum([chances[one] * chances[other] for one, other in _companions(ace)[card]])


@cache
def _rows(ace: str) -> "array[int]":
    """For every set of ranks in one suit, the ranks that complete three in a row with two of it."""
    threes = combinations(range(RANK_COUNT), 3)
    rows = [mask_of(cards) for cards in threes if meld_of(Hand.of(cards), ace=ace)]
    table = array("H", bytes(2 << RANK_COUNT))
    for ranks in range(1 << RANK_COUNT):
        for row in rows:
            if (row & ranks).bit_count() == 2:
                table[ranks] |= row & ~ranks
    return table


@cache
def _companions(ace: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For every card the pairs of cards with which it makes a meld of three."""
    pairs: list[list[tuple[int, int]]] = [[] for _ in range(CARD_COUNT)]
    for card in range(CARD_COUNT):
        suit = card // RANK_COUNT * RANK_COUNT
        same_rank = cards_of(rank_mask(card) & ~(1 << card))
        same_suit = [other for other in range(suit, suit + RANK_COUNT) if other != card]
        for one, other in (*combinations(same_rank, 2), *combinations(same_suit, 2)):
            if meld_of(Hand.of((card, one, other)), ace=ace):
                pairs[card].append((one, other))
    return tuple(tuple(each) for each in pairs)
