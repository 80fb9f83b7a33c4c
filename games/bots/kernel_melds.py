"""Deadwood in the kernel, on masks: the search of `games.gin.melds` in the subset that can be compiled.

Only sets cross suits: each choice of sets leaves four suits, which are looked up. `after` is an array of 52
with the deadwood after each discard.
"""

from collections.abc import MutableSequence
from typing import Final

from games.bots.kernel_tables import CARD_OF, COUNT, LEFT, RUN_OUTS

Ints = MutableSequence[int]

SUIT: Final = (1 << 13) - 1
# The four aces; times the bit of a rank, the four cards of that rank.
FOUR: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
MUCH: Final = 999


def ranks_of_sets(mask: int) -> int:
    """The ranks, as bits, of which the hand has three or more."""
    clubs, diamonds, hearts, spades = mask & SUIT, mask >> 13 & SUIT, mask >> 26 & SUIT, mask >> 39
    return clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)


def sets_of(held: int) -> int:
    """The number of ways to make no set, or one of three or four cards of a rank."""
    for suit in range(4):
        if not held & SUIT << suit * 13:
            return 2
    return 6


def way_of_set(held: int, way: int) -> int:
    """The cards of this way to make a set: 0 is none, 1 all of them, the others three of the four."""
    if way < 2:
        return held if way else 0
    return held & ~(SUIT << (way - 2) * 13)


def left_of(mask: int, ace: int) -> int:
    """The deadwood of a hand in which no further sets are made."""
    return (
        LEFT[ace + (mask & SUIT)]
        + LEFT[ace + (mask >> 13 & SUIT)]
        + LEFT[ace + (mask >> 26 & SUIT)]
        + LEFT[ace + (mask >> 39)]
    )


def least_left(mask: int, ace: int) -> int:
    """The least deadwood of up to eleven cards."""
    least = left_of(mask, ace)
    ranks = ranks_of_sets(mask)
    if not ranks:
        return least
    one = ranks & -ranks
    ranks ^= one
    two = ranks & -ranks
    three = ranks ^ two
    of_one, of_two, of_three = mask & one * FOUR, mask & two * FOUR, mask & three * FOUR
    ways_of_two = sets_of(of_two) if two else 1
    ways_of_three = sets_of(of_three) if three else 1
    for way in range(sets_of(of_one)):
        rest = mask & ~way_of_set(of_one, way)
        for second in range(ways_of_two):
            rest_of_two = rest & ~way_of_set(of_two, second)
            for third in range(ways_of_three):
                least = min(least, left_of(rest_of_two & ~way_of_set(of_three, third), ace))
    return least


def discards_from(rest: int, ace: int, after: Ints) -> None:
    """Lowers `after` for every card that is in no set."""
    whole = left_of(rest, ace)
    for suit in range(4):
        ranks = rest >> suit * 13 & SUIT
        others = whole - LEFT[ace + ranks]
        still = ranks
        while still:
            bit = still & -still
            still ^= bit
            card = CARD_OF[bit % 53] + suit * 13
            left = others + LEFT[ace + (ranks ^ bit)]
            if left < after[card]:
                after[card] = left


def weigh_discards(mask: int, ace: int, after: Ints) -> None:
    """Fills `after` with the deadwood after each discard from eleven cards."""
    ranks = ranks_of_sets(mask)
    still = mask
    while still:
        bit = still & -still
        still ^= bit
        after[CARD_OF[bit % 53]] = MUCH
    if not ranks:
        discards_from(mask, ace, after)
        return
    one = ranks & -ranks
    ranks ^= one
    two = ranks & -ranks
    three = ranks ^ two
    of_one, of_two, of_three = mask & one * FOUR, mask & two * FOUR, mask & three * FOUR
    ways_of_two = sets_of(of_two) if two else 1
    ways_of_three = sets_of(of_three) if three else 1
    for way in range(sets_of(of_one)):
        rest = mask & ~way_of_set(of_one, way)
        for second in range(ways_of_two):
            rest_of_two = rest & ~way_of_set(of_two, second)
            for third in range(ways_of_three):
                discards_from(rest_of_two & ~way_of_set(of_three, third), ace, after)


def melds_with(mask: int, card: int, ace: int) -> bool:
    """Whether the card makes a meld with two cards of the hand, even if they are used elsewhere."""
    rank = card % 13
    if mask >> rank & FOUR & ~(1 << card - rank):
        held = mask >> rank & FOUR & ~(1 << card - rank)
        if held & held - 1:
            return True
    return RUN_OUTS[ace + (mask >> card - rank & SUIT)] >> rank & 1 == 1


def outs_of(mask: int, live: int, ace: int) -> int:
    """The number of live cards that would make a meld with two of the hand."""
    clubs, diamonds, hearts, spades = mask & SUIT, mask >> 13 & SUIT, mask >> 26 & SUIT, mask >> 39
    pairs = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    return (
        COUNT[(RUN_OUTS[ace + clubs] | pairs) & live & ~clubs & SUIT]
        + COUNT[(RUN_OUTS[ace + diamonds] | pairs) & live >> 13 & ~diamonds & SUIT]
        + COUNT[(RUN_OUTS[ace + hearts] | pairs) & live >> 26 & ~hearts & SUIT]
        + COUNT[(RUN_OUTS[ace + spades] | pairs) & live >> 39 & ~spades & SUIT]
    )


def count_of(mask: int) -> int:
    """The number of cards."""
    return COUNT[mask & SUIT] + COUNT[mask >> 13 & SUIT] + COUNT[mask >> 26 & SUIT] + COUNT[mask >> 39]
