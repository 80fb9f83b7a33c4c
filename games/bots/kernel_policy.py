"""Choices of the kernel's players: a policy whose numbers make it rash or careful.

A hand in play is an array (`HAND` …), a policy a block of `POLICY_SIZE` numbers in another. Players use only
what they could know at the table: their cards, the pile, and what the opponent took from it.
"""

from typing import Final

from games.bots.kernel_ends import ACE
from games.bots.kernel_melds import Ints, count_of, least_left, melds_with, outs_of, weigh_discards
from games.bots.kernel_tables import CARD_OF, GOING_WITH, MAKING_MELD, VALUES
from games.gin.cards import CARD_COUNT

# A hand in play; entries of each player come twice, for seat 0 and seat 1.
HAND: Final = 0
KNOWN: Final = 2
TURNS: Final = 4
TURN: Final = 6
PHASE: Final = 7
TOP: Final = 8
SEEN: Final = 9
RUNNING: Final = 10
TAKEN: Final = 11
AT: Final = 12
STATE_SIZE: Final = 13

# The most deadwood to knock with: by turns taken, and in a row each by the cards that the opponent took from
# the pile and holds.
KNOCKS_WITH: Final = 0
LAST_TURN: Final = 15
MOST_TAKEN: Final = 2
LIMITS: Final = (MOST_TAKEN + 1) * (LAST_TURN + 1)
# Takes cards that meld (MELDS), or only if that also lowers the deadwood (LOWERS).
TAKES: Final = LIMITS
# Also takes any card that lowers the deadwood by this much, meld or not.
GAIN: Final = LIMITS + 1
# Weights for a discard: deadwood left, its own points, related cards elsewhere, chances to meld.
BY_LEFT: Final = LIMITS + 2
BY_VALUE: Final = LIMITS + 3
BY_WANTED: Final = LIMITS + 4
BY_OUTS: Final = LIMITS + 5
# How an opponent of this type chooses discards, as learned (`games.arena.learning`): a weight for each of the
# traits of `trait_sum`, in each part of a hand.
SHEDS: Final = LIMITS + 6
TRAITS: Final = 6
PARTS: Final = 3
POLICY_SIZE: Final = SHEDS + TRAITS * PARTS

# The turns with which the second part and the third begin, and the most that deadwood above the least counts.
SECOND_PART: Final = 3
THIRD_PART: Final = 7
MOST_ABOVE: Final = 20

MELDS: Final = 0
LOWERS: Final = 1

ALL: Final = (1 << 52) - 1
GENERATOR: Final = 3935559000370003845
STEP: Final = 2691343689449507681
BITS: Final = (1 << 62) - 1
NO_SCORE: Final = 1 << 40


def drawn(chances: Ints, options: int) -> int:
    """A random number below `options`; the generator's state (62 bits, linear) is in the array."""
    chances[0] = chances[0] * GENERATOR + STEP & BITS
    return (chances[0] >> 31) * options >> 31


def knocks_with(policies: Ints, policy: int, turn: int, taken: int) -> int:
    """The most deadwood with which the policy knocks after so many turns; the opponent holds these cards."""
    row = min(count_of(taken), MOST_TAKEN) * (LAST_TURN + 1)
    return policies[policy + KNOCKS_WITH + row + min(turn, LAST_TURN)]


def takes_it(policies: Ints, policy: int, mask: int, card: int, ace: int, after: Ints) -> bool:
    """Whether the policy takes the card; weighs the discards after it where that matters."""
    melds = melds_with(mask, card, ace)
    if melds and policies[policy + TAKES] == MELDS:
        return True
    gain = policies[policy + GAIN]
    if not melds and gain >= 99:
        return False
    if not melds and VALUES[card] > 10 - gain:
        return False
    with_it = mask | 1 << card
    weigh_discards(with_it, ace, after)
    least = 999
    still = mask
    while still:
        bit = still & -still
        still ^= bit
        least = min(least, after[CARD_OF[bit % 53]])
    lowered = least_left(mask, ace) - least
    return lowered > 0 if melds else lowered >= gain


def score_of(
    policies: Ints, policy: int, mask: int, card: int, left: int, live: int, known: int, ace: int
) -> int:
    """The score against discarding the card; `live` cards may be with the opponent or in the stock."""
    score = policies[policy + BY_LEFT] * left - policies[policy + BY_VALUE] * VALUES[card]
    wanted = policies[policy + BY_WANTED]
    if wanted:
        near = GOING_WITH[card]
        score += wanted * (4 * count_of(near & known) + count_of(near & live))
    outs = policies[policy + BY_OUTS]
    if outs:
        score -= outs * outs_of(mask ^ 1 << card, live, ace)
    return score


def part_of(turn: int) -> int:
    """The part of the hand in which a player has his next turn after so many."""
    if turn < SECOND_PART:
        return 0
    return 1 if turn < THIRD_PART else 2


def trait_sum(weights: Ints, at: int, mask: int, card: int, above: int, live: int, known: int) -> int:
    """The weighted sum of what speaks against discarding the card, with `TRAITS` weights from `at` on.

    Deadwood above the least; its points; cards of the hand that go with it; `live` ones that would make a
    meld with it and one of those; live ones that go with it; those that the other is `known` to hold.
    """
    near = GOING_WITH[card]
    outs = 0
    still = near & mask
    while still:
        bit = still & -still
        still ^= bit
        outs |= MAKING_MELD[card * CARD_COUNT + CARD_OF[bit % 53]]
    return (
        weights[at] * min(above, MOST_ABOVE)
        + weights[at + 1] * VALUES[card]
        + weights[at + 2] * count_of(near & mask)
        + weights[at + 3] * count_of(outs & live)
        + weights[at + 4] * count_of(near & live)
        + weights[at + 5] * count_of(near & known)
    )


def chosen_discard(
    policies: Ints, policy: int, state: Ints, rules: Ints, after: Ints, kept: int, chances: Ints
) -> int:
    """The discard, uniformly among equally good ones; `after` is filled."""
    seat = state[TURN]
    mask, known = state[HAND + seat], state[KNOWN + 1 - seat]
    live = ALL & ~(mask | known | state[SEEN])
    lowest, chosen, equal = NO_SCORE, -1, 0
    still = mask
    while still:
        bit = still & -still
        still ^= bit
        card = CARD_OF[bit % 53]
        if card == kept:
            continue
        score = score_of(policies, policy, mask, card, after[card], live, known, rules[ACE])
        if score < lowest:
            lowest, chosen, equal = score, card, 1
        elif score == lowest:
            equal += 1
            if not drawn(chances, equal):
                chosen = card
    return chosen


def score_discards(policies: Ints, policy: int, state: Ints, rules: Ints, after: Ints) -> None:
    """Fills `after` with the score against each discard of the player to move."""
    seat = state[TURN]
    mask, known = state[HAND + seat], state[KNOWN + 1 - seat]
    live = ALL & ~(mask | known | state[SEEN])
    weigh_discards(mask, rules[ACE], after)
    still = mask
    while still:
        bit = still & -still
        still ^= bit
        card = CARD_OF[bit % 53]
        after[card] = score_of(policies, policy, mask, card, after[card], live, known, rules[ACE])
