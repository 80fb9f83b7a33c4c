"""Ends of hands in the kernel: lay-offs, undercuts and gin, exactly as the referee counts (RULES §2, §4).

The end of a hand is one number, `end_of(winner, kind, difference)`, the index of its worth in a table. The
kernel knows no bonuses, boxes or scores.
"""

from typing import Final

from games.bots.kernel_melds import (
    FOUR,
    SUIT,
    Ints,
    least_left,
    left_of,
    ranks_of_sets,
    sets_of,
    way_of_set,
)
from games.bots.kernel_tables import LEFT, SUIT_VALUE

# Indexes of the rules that matter within a hand.
LIMIT: Final = 0
ACE: Final = 1
BIG: Final = 2
TIE_IS_UNDERCUT: Final = 3
FIFTIETH: Final = 4
KEEPS_TAKEN: Final = 5
KEEPS_LAST: Final = 6
RULES_SIZE: Final = 7

# Kinds of ends.
KNOCKED: Final = 0
GIN: Final = 1
BIG_GIN: Final = 2
UNDERCUT: Final = 3
GIN_OFF: Final = 4
KINDS: Final = 5
# Differences go from 0 to 98.
DIFFERENCES: Final = 99
DEAD: Final = 2 * KINDS * DIFFERENCES
ENDS: Final = DEAD + 1

ACES: Final = FOUR
KINGS: Final = FOUR << 12


def end_of(winner: int, kind: int, difference: int) -> int:
    """The number of an end."""
    return (winner * KINDS + kind) * DIFFERENCES + difference


def reached(runs: int, cards: int, ace: int) -> int:
    """The cards that can be laid off onto the runs one after another.

    Nothing goes above an ace: after a low one the run has the two already, after a high one nothing follows.
    """
    grown = runs
    while True:
        nearby = (grown & ~(ACES | KINGS)) << 1 | (grown & ~ACES) >> 1
        if ace:
            nearby |= (grown & KINGS) >> 12
        more = grown | nearby & cards
        if more == grown:
            return grown & ~runs
        grown = more


def after_reply(runs: int, fourths: int, defender: int, ace: int) -> int:
    """The least deadwood the defender can reach; `fourths` are the cards missing from sets of three."""
    can = (reached(runs, defender, ace) | fourths) & defender
    least = least_left(defender, ace)
    laid = can
    while laid:
        if not laid & ~fourths & ~reached(runs, laid, ace):
            least = min(least, least_left(defender & ~laid, ace))
        laid = laid - 1 & can
    return least


def defended(knocker: int, defender: int, ace: int) -> int:
    """The defender's deadwood when the knocker lays ten cards in the best way against them."""
    least = least_left(knocker, ace)
    ranks = ranks_of_sets(knocker)
    one = ranks & -ranks
    ranks ^= one
    two = ranks & -ranks
    three = ranks ^ two
    of_one, of_two, of_three = knocker & one * FOUR, knocker & two * FOUR, knocker & three * FOUR
    ways_of_one = sets_of(of_one) if one else 1
    ways_of_two = sets_of(of_two) if two else 1
    ways_of_three = sets_of(of_three) if three else 1
    most = 0
    for way in range(ways_of_one):
        first = way_of_set(of_one, way)
        for second in range(ways_of_two):
            sets = first | way_of_set(of_two, second)
            for third in range(ways_of_three):
                laid = sets | way_of_set(of_three, third)
                if left_of(knocker & ~laid, ace) == least:
                    most = max(most, with_runs(knocker & ~laid, laid, defender, ace))
    return most


def with_runs(rest: int, sets: int, defender: int, ace: int) -> int:
    """The most the defender may be left with, over the ways to lay runs that leave least of the rest."""
    fourths = 0
    ranks = ranks_of_sets(sets)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        fourths |= rank * FOUR & ~sets
    clubs, diamonds, hearts, spades = rest & SUIT, rest >> 13 & SUIT, rest >> 26 & SUIT, rest >> 39
    most = 0
    first = next_runs(clubs, -1, ace)
    while first >= 0:
        second = next_runs(diamonds, -1, ace)
        while second >= 0:
            third = next_runs(hearts, -1, ace)
            while third >= 0:
                fourth = next_runs(spades, -1, ace)
                while fourth >= 0:
                    runs = first | second << 13 | third << 26 | fourth << 39
                    most = max(most, after_reply(runs, fourths, defender, ace))
                    fourth = next_runs(spades, fourth, ace)
                third = next_runs(hearts, third, ace)
            second = next_runs(diamonds, second, ace)
        first = next_runs(clubs, first, ace)
    return most


def next_runs(ranks: int, before: int, ace: int) -> int:
    """The next set of cards of a suit that form runs and leave least of it; -1 after the last.

    Sets are counted down from all cards (`before` -1) to none.
    """
    left = LEFT[ace + ranks]
    if left == SUIT_VALUE[ranks]:
        return 0 if before < 0 else -1
    laid = ranks
    if before >= 0:
        if not before:
            return -1
        laid = before - 1 & ranks
    while laid:
        if not LEFT[ace + laid] and SUIT_VALUE[ranks ^ laid] == left:
            return laid
        laid = laid - 1 & ranks
    return -1


def knocked(seat: int, knocker: int, left: int, defender: int, rules: Ints) -> int:
    """The end when this seat lays down ten cards with this deadwood."""
    ace = rules[ACE]
    if not left:
        return end_of(seat, GIN, least_left(defender, ace))
    other = defended(knocker, defender, ace)
    if other > left:
        return end_of(seat, KNOCKED, other - left)
    if other == left and not rules[TIE_IS_UNDERCUT]:
        return DEAD
    return end_of(1 - seat, UNDERCUT if other else GIN_OFF, left - other)
