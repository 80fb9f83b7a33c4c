"""Plays every choice to the end of the hand, against each sample of the hidden cards.

The samples are the chains of `kernel_inference`. All choices meet the same hidden cards and random numbers.
The choosing player is seat 0.
"""

from typing import Final

from games.bots.kernel_ends import ACE, KEEPS_TAKEN, LIMIT
from games.bots.kernel_inference import KIND, ROW
from games.bots.kernel_melds import Ints, weigh_discards
from games.bots.kernel_play import (
    DISCARD,
    DRAW,
    GOES_ON,
    UPCARD_DEALER,
    discard,
    draw,
    lay_down,
    least_card,
    pass_by,
    play_on,
    shuffle,
    take,
)
from games.bots.kernel_policy import (
    AT,
    BITS,
    GENERATOR,
    HAND,
    KNOWN,
    PHASE,
    POLICY_SIZE,
    STATE_SIZE,
    TAKEN,
    TOP,
    TURNS,
    chosen_discard,
    drawn,
    knocks_with,
    takes_it,
)

# A choice is encoded as its kind and, in the low bits, its card.
PASSES: Final = 0
TAKES_TOP: Final = 1
DRAWS: Final = 2
DISCARDS: Final = 3
KNOCKS: Final = 4
SAYS_GIN: Final = 5
SAYS_BIG_GIN: Final = 6
CARDS: Final = 64


def chosen(state: Ints, deck: Ints, choice: int, left: int, rules: Ints) -> int:
    """Carries out a choice; returns the end of the hand, or GOES_ON."""
    kind, card = choice // CARDS, choice % CARDS
    if kind == PASSES:
        return pass_by(state)
    if kind == TAKES_TOP:
        take(state)
    elif kind == DRAWS:
        draw(state, deck)
    elif kind == DISCARDS:
        return discard(state, card, rules)
    else:
        return lay_down(state, -1 if kind == SAYS_BIG_GIN else card, rules, left)
    return GOES_ON


def advised(state: Ints, rules: Ints, policies: Ints, policy: int, after: Ints, chances: Ints) -> int:
    """The choice of this policy alone; -1 at the end of the stock, where there is nothing to choose."""
    phase = state[PHASE]
    mask = state[HAND]
    if phase == DISCARD:
        weigh_discards(mask, rules[ACE], after)
        kept = state[TAKEN] if rules[KEEPS_TAKEN] else -1
        best = least_card(mask, kept, after)
        at_once = knocks_with(policies, policy, state[TURNS], state[KNOWN + 1])
        if after[best] <= min(rules[LIMIT], at_once):
            return KNOCKS * CARDS + best
        return DISCARDS * CARDS + chosen_discard(policies, policy, state, rules, after, kept, chances)
    if phase == DRAW or phase <= UPCARD_DEALER:
        if takes_it(policies, policy, mask, state[TOP], rules[ACE], after):
            return TAKES_TOP * CARDS
        return (DRAWS if phase == DRAW else PASSES) * CARDS
    return -1


def roll_out(
    chains: Ints,
    count: int,
    in_a_row: int,
    first_sample: int,
    samples: int,
    places: int,
    total: int,
    unseen: int,
    seed: int,
    begin: Ints,
    choices: Ints,
    lefts: Ints,
    open_choices: int,
    how_many: int,
    worth: Ints,
    sums: Ints,
    state: Ints,
    deck: Ints,
    rules: Ints,
    policies: Ints,
    own_policy: int,
    after: Ints,
    chances: Ints,
) -> None:
    """Adds to `sums` the outcomes of each choice whose bit is set in `open_choices`, by choice and chain.

    Every chain comes in turn, so that even a few samples are of all of them.
    """
    for sample in range(first_sample, first_sample + samples):
        chain = sample % count
        row = (chain * in_a_row + sample // count) * ROW
        other = begin[HAND + 1]
        for place in range(places):
            if unseen >> chains[row + place] & 1:
                other |= 1 << chains[row + place]
        at = begin[AT]
        for place in range(places, total):
            deck[at + place - places] = chains[row + place]
        chances[0] = seed + sample * GENERATOR & BITS
        drawn(chances, 2)
        shuffle(deck, at, at + total - places, chances)
        same = chances[0]
        for number in range(how_many):
            if not open_choices >> number & 1:
                continue
            for place in range(STATE_SIZE):
                state[place] = begin[place]
            state[HAND + 1] = other
            chances[0] = same
            end = chosen(state, deck, choices[number], lefts[number], rules)
            if end == GOES_ON:
                end = play_on(
                    state, deck, rules, policies, own_policy, chains[row + KIND] * POLICY_SIZE, after, chances
                )
            sums[number * count + chain] += worth[end]
