"""Plays hands to their end in the kernel: the phases of `games.gin.hand`, with two policies."""

from typing import Final

from games.bots.kernel_ends import (
    ACE,
    BIG,
    BIG_GIN,
    DEAD,
    FIFTIETH,
    KEEPS_LAST,
    KEEPS_TAKEN,
    LIMIT,
    end_of,
    knocked,
)
from games.bots.kernel_melds import Ints, least_left, weigh_discards
from games.bots.kernel_policy import (
    AT,
    BITS,
    GENERATOR,
    HAND,
    KNOWN,
    PHASE,
    RUNNING,
    SEEN,
    STATE_SIZE,
    TAKEN,
    TOP,
    TURN,
    TURNS,
    chosen_discard,
    drawn,
    knocks_with,
    takes_it,
)
from games.bots.kernel_tables import CARD_OF

UPCARD_ELDER: Final = 0
UPCARD_DEALER: Final = 1
STOCK: Final = 2
DRAW: Final = 3
DISCARD: Final = 4
LAST_OFFER: Final = 5
LAST_KNOCK: Final = 6

# The 51st card is not drawn; and the limit of takes from the pile in a row (`games.gin.refusals`).
LAST_DRAWN: Final = 50
MOST_RUNNING: Final = 20
GOES_ON: Final = -1


def take(state: Ints) -> None:
    """The player to move takes the top of the pile."""
    seat = state[TURN]
    bit = 1 << state[TOP]
    state[HAND + seat] |= bit
    state[KNOWN + seat] |= bit
    state[SEEN] &= ~bit
    state[TAKEN] = state[TOP]
    state[RUNNING] += 1
    state[PHASE] = LAST_KNOCK if state[PHASE] == LAST_OFFER else DISCARD


def draw(state: Ints, deck: Ints) -> None:
    """The player to move takes the next card of the stock."""
    state[HAND + state[TURN]] |= 1 << deck[state[AT]]
    state[AT] += 1
    state[RUNNING] = 0
    state[TAKEN] = -1
    state[PHASE] = DISCARD


def discard(state: Ints, card: int, rules: Ints) -> int:
    """The player to move discards the card; returns the end of the hand, or GOES_ON."""
    seat = state[TURN]
    bit = 1 << card
    state[HAND + seat] ^= bit
    state[KNOWN + seat] &= ~bit
    state[SEEN] |= bit
    state[TOP] = card
    state[TURNS + seat] += 1
    state[TURN] = 1 - seat
    state[TAKEN] = -1
    if state[AT] < LAST_DRAWN:
        state[PHASE] = DRAW
    elif rules[FIFTIETH]:
        state[PHASE] = LAST_OFFER
    else:
        return DEAD
    return GOES_ON


def pass_by(state: Ints) -> int:
    """The player to move passes; returns the end of the hand, or GOES_ON."""
    if state[PHASE] == LAST_OFFER:
        return DEAD
    state[TURN] = 1 - state[TURN]
    state[PHASE] = UPCARD_DEALER if state[PHASE] == UPCARD_ELDER else STOCK
    return GOES_ON


def least_card(mask: int, kept: int, after: Ints) -> int:
    """The discard that leaves least."""
    least, best = 999, -1
    while mask:
        bit = mask & -mask
        mask ^= bit
        card = CARD_OF[bit % 53]
        if card != kept and after[card] < least:
            least, best = after[card], card
    return best


def lay_down(state: Ints, card: int, rules: Ints, left: int) -> int:
    """The end when the player to move knocks or goes gin with this discard; -1 is big gin."""
    seat = state[TURN]
    if card < 0:
        return end_of(seat, BIG_GIN, least_left(state[HAND + 1 - seat], rules[ACE]))
    return knocked(seat, state[HAND + seat] ^ 1 << card, left, state[HAND + 1 - seat], rules)


def turn_of_discard(state: Ints, rules: Ints, policies: Ints, policy: int, after: Ints, chances: Ints) -> int:
    """The player to move, with eleven cards, ends the hand or discards."""
    seat = state[TURN]
    mask = state[HAND + seat]
    weigh_discards(mask, rules[ACE], after)
    kept = state[TAKEN] if rules[KEEPS_TAKEN] else -1
    best = least_card(mask, kept, after)
    left = after[best]
    if left <= rules[LIMIT]:
        if not left and rules[BIG] and not least_left(mask, rules[ACE]):
            return lay_down(state, -1, rules, 0)
        if left <= knocks_with(policies, policy, state[TURNS + seat], state[KNOWN + 1 - seat]):
            return lay_down(state, best, rules, left)
    return discard(state, chosen_discard(policies, policy, state, rules, after, kept, chances), rules)


def last_offer(state: Ints, rules: Ints, after: Ints) -> int:
    """After the 50th card: takes the last discard if it allows a knock."""
    mask = state[HAND + state[TURN]] | 1 << state[TOP]
    weigh_discards(mask, rules[ACE], after)
    kept = state[TOP] if rules[KEEPS_LAST] else -1
    best = least_card(mask, kept, after)
    if after[best] > rules[LIMIT]:
        return DEAD
    take(state)
    return last_knock(state, rules, after)


def last_knock(state: Ints, rules: Ints, after: Ints) -> int:
    """Knocks with the discard that leaves least."""
    mask = state[HAND + state[TURN]]
    weigh_discards(mask, rules[ACE], after)
    best = least_card(mask, state[TAKEN] if rules[KEEPS_LAST] else -1, after)
    if not after[best] and rules[BIG] and not least_left(mask, rules[ACE]):
        return lay_down(state, -1, rules, 0)
    return lay_down(state, best, rules, after[best])


def play_on(
    state: Ints, deck: Ints, rules: Ints, policies: Ints, one: int, other: int, after: Ints, chances: Ints
) -> int:
    """Plays a hand on from its state; returns the number of its end. Seat 0 plays by the policy `one`."""
    end = GOES_ON
    while end == GOES_ON:
        phase = state[PHASE]
        seat = state[TURN]
        policy = other if seat else one
        if phase == DISCARD:
            end = turn_of_discard(state, rules, policies, policy, after, chances)
        elif phase == DRAW:
            wants = state[RUNNING] < MOST_RUNNING and takes_it(
                policies, policy, state[HAND + seat], state[TOP], rules[ACE], after
            )
            if wants:
                take(state)
            else:
                draw(state, deck)
        elif phase == STOCK:
            draw(state, deck)
        elif phase <= UPCARD_DEALER:
            if takes_it(policies, policy, state[HAND + seat], state[TOP], rules[ACE], after):
                take(state)
            else:
                end = pass_by(state)
        elif phase == LAST_OFFER:
            end = last_offer(state, rules, after)
        else:
            end = last_knock(state, rules, after)
    return end


def shuffle(deck: Ints, first: int, last: int, chances: Ints) -> None:
    """Shuffles the cards from `first` up to `last`."""
    for place in range(last - 1, first, -1):
        other = first + drawn(chances, place - first + 1)
        card = deck[place]
        deck[place] = deck[other]
        deck[other] = card


def deal(state: Ints, deck: Ints, dealer: int, elder_eleven: int) -> None:
    """Deals like `HandState`: one card at a time, the non-dealer first."""
    for place in range(STATE_SIZE):
        state[place] = 0
    elder = 1 - dealer
    for place in range(20):
        state[HAND + (elder if place % 2 == 0 else dealer)] |= 1 << deck[place]
    state[TURN] = elder
    state[AT] = 21
    state[TAKEN] = -1
    if elder_eleven:
        state[HAND + elder] |= 1 << deck[20]
        state[PHASE] = DISCARD
    else:
        state[TOP] = deck[20]
        state[SEEN] = 1 << deck[20]
        state[PHASE] = UPCARD_ELDER


def play_hands(
    how_many: int,
    ends: Ints,
    state: Ints,
    deck: Ints,
    rules: Ints,
    policies: Ints,
    one: int,
    other: int,
    elder_eleven: int,
    after: Ints,
    chances: Ints,
) -> int:
    """Plays whole hands, each pack twice with seats swapped; counts the ends and returns the turns.

    Other policies meet the same packs and random numbers.
    """
    turns = 0
    seed = chances[0]
    for number in range(how_many):
        chances[0] = seed + number // 2 * GENERATOR & BITS
        drawn(chances, 2)
        for place in range(52):
            deck[place] = place
        shuffle(deck, 0, 52, chances)
        deal(state, deck, number % 2, elder_eleven)
        ends[play_on(state, deck, rules, policies, one, other, after, chances)] += 1
        turns += state[TURNS] + state[TURNS + 1]
    return turns
