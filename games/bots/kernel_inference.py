"""Inference in the kernel: samples of the opponent's cards, by the likelihood of the observed actions.

A chain is a guess at everything hidden: the ten cards dealt, the card of each draw, the order of the rest,
and the type of opponent. Its likelihood is that of everything the opponent was seen to do with those cards at
those times: taking or not and not knocking by the policy of his type, discards as learned of it. Cards swap
places, and a swap is kept by the Metropolis rule, so the chains spend their time where guesses are likely.
When something new is observed every sample is repaired to agree with it, and the chains go on from those that
it makes likelier, as in a particle filter: those that held what was shed, and could spare it.
"""

from typing import Final

from games.bots.kernel_ends import ACE, KEEPS_TAKEN, LIMIT
from games.bots.kernel_melds import FOUR, Ints, melds_with, weigh_discards
from games.bots.kernel_play import shuffle
from games.bots.kernel_policy import (
    ALL,
    NO_SCORE,
    POLICY_SIZE,
    SHEDS,
    TRAITS,
    drawn,
    knocks_with,
    part_of,
    takes_it,
    trait_sum,
)
from games.bots.kernel_tables import CARD_OF, LOG, MOST_LOG, SOFT

# A row of the chains: the cards by place, then the opponent's type, the log-likelihood, and by how much the
# news changed it.
KIND: Final = 62
LIKELY: Final = 63
GAINED: Final = 64
ROW: Final = 65

# One row per observed turn: the card offered (-1 none), whether it was taken, the discard (-1 none), the pile
# and the opponent's knowledge of our cards at the time, the places by then, the turns, whether the stock was
# drawn from, and whether the discard had not been taken openly.
OFFERED: Final = 0
TOOK: Final = 1
SHED: Final = 2
PILE: Final = 3
KNEW: Final = 4
PLACES: Final = 5
TURN_NUMBER: Final = 6
DREW: Final = 7
FROM_PLACES: Final = 8
SEEN_SIZE: Final = 9

# Logarithms in 1,024ths: took or left a card as the type would, or would not; did not knock where it would.
AS_EXPECTED: Final = -31
UNEXPECTED: Final = -3590
HELD_BACK: Final = -3068
IMPOSSIBLE: Final = -(1 << 30)
# Weights of discards are finer than `SOFT` by so many bits.
FINE: Final = 4

# The stock allows 29 draws, and before, between and after them the pile may be taken from 20 times in a row:
# of those 629 turns a player has at most half, plus the elder's eleven cards and a pass.
MOST_TURNS: Final = 320
# Turns longer ago than this are followed but not weighed; only endless swapping over the pile gets there.
MOST_WEIGHED: Final = 40

# Hands and logarithms by turn, current and proposed.
HANDS: Final = 0
LOGS: Final = MOST_TURNS + 1
NEW_HANDS: Final = 2 * LOGS
NEW_LOGS: Final = 3 * LOGS
WORK_SIZE: Final = 4 * LOGS


def likelihood(
    chains: Ints,
    row: int,
    since: int,
    hand: int,
    bound: int,
    seen: Ints,
    turns: int,
    rules: Ints,
    policies: Ints,
    work: Ints,
    after: Ints,
) -> int:
    """The log-likelihood, in 1,024ths, of the observed actions with these cards.

    For turns before `since` it is taken from `work`; `hand` is the opponent's hand then. Once it falls below
    the bound, the answer is IMPOSSIBLE. The second half of `work` receives hands and logarithms by turn.
    """
    policy = chains[row + KIND] * POLICY_SIZE
    ace = rules[ACE]
    likely = work[LOGS + since]
    for turn in range(since, turns):
        work[NEW_HANDS + turn] = hand
        work[NEW_LOGS + turn] = likely
        at = turn * SEEN_SIZE
        is_weighed = turn >= turns - MOST_WEIGHED
        card, kept = seen[at + OFFERED], -1
        if card >= 0:
            took = seen[at + TOOK] == 1
            if is_weighed:
                wants = takes_it(policies, policy, hand, card, ace, after)
                likely += AS_EXPECTED if took == wants else UNEXPECTED
            if took:
                hand |= 1 << card
                if rules[KEEPS_TAKEN]:
                    kept = card
        if seen[at + DREW]:
            hand |= 1 << chains[row + seen[at + PLACES] - 1]
        shed = seen[at + SHED]
        if shed < 0:
            continue
        if likely < bound or not hand >> shed & 1:
            return IMPOSSIBLE
        if is_weighed:
            weigh_discards(hand, ace, after)
            likely += of_discard(policies, policy, hand, shed, kept, seen, at, rules, after)
            if likely < bound:
                return IMPOSSIBLE
        hand ^= 1 << shed
    work[NEW_LOGS + turns] = likely
    return likely


def of_discard(
    policies: Ints,
    policy: int,
    hand: int,
    shed: int,
    kept: int,
    seen: Ints,
    at: int,
    rules: Ints,
    after: Ints,
) -> int:
    """The log-likelihood of this discard from eleven cards without ending the hand; uses up `after`."""
    live = ALL & ~(hand | seen[at + KNEW] | seen[at + PILE])
    weights = policy + SHEDS + part_of(seen[at + TURN_NUMBER]) * TRAITS
    least, lowest = 999, NO_SCORE
    still = hand
    while still:
        bit = still & -still
        still ^= bit
        card = CARD_OF[bit % 53]
        if card != kept:
            least = min(least, after[card])
    still = hand
    while still:
        bit = still & -still
        still ^= bit
        card = CARD_OF[bit % 53]
        if card != kept:
            above = after[card] - least
            after[card] = trait_sum(policies, weights, hand, card, above, live, seen[at + KNEW])
            lowest = min(lowest, after[card])
    total = 0
    still = hand
    while still:
        bit = still & -still
        still ^= bit
        card = CARD_OF[bit % 53]
        if card != kept:
            total += SOFT[min(after[card] - lowest >> FINE, 255)]
    likely = LOG[SOFT[min(after[shed] - lowest >> FINE, 255)]] - LOG[total]
    if least <= rules[LIMIT]:
        at_once = knocks_with(policies, policy, seen[at + TURN_NUMBER], seen[at + KNEW])
        if least <= at_once or not least:
            likely += HELD_BACK
    return likely


def nth_card(mask: int, number: int) -> int:
    """The card with this number, from 0, among those of the mask."""
    for _ in range(number):
        mask &= mask - 1
    return CARD_OF[(mask & -mask) % 53]


def put_into(chains: Ints, row: int, places: int, fixed: int, card: int, chances: Ints) -> None:
    """Puts a card into one of these places that does not hold one of the `fixed` cards."""
    begin = drawn(chances, places)
    for step in range(places):
        place = (begin + step) % places
        if chains[row + place] < 0 or not fixed >> chains[row + place] & 1:
            chains[row + place] = card
            return


def partners_of(card: int, number: int, ace: int) -> int:
    """Pairs that make a meld with the card, as a mask: 0 to 2 of its rank, 3 to 5 runs; 0 if none exists."""
    rank = card % 13
    if number < 3:
        others = (FOUR << rank) & ~(1 << card)
        return others & ~(1 << nth_card(others, number))
    low = rank - 5 + number
    if low >= 0 and low + 2 < 13:
        return (7 << card - rank + low) & ~(1 << card)
    if ace and rank == 0 and number == 3:
        return 3 << card + 11
    return 0


def mend(
    chains: Ints,
    row: int,
    places: int,
    places_before: int,
    unseen: int,
    seen: Ints,
    turns: int,
    turns_before: int,
    rules: Ints,
    chances: Ints,
) -> None:
    """Repairs a chain to agree with new observations; new places get unseen cards.

    Discarded cards stay in their places. If the opponent took a card that melds with nothing, two cards that
    meld with it are put in.
    """
    fixed = taken = used = 0
    for turn in range(turns):
        if seen[turn * SEEN_SIZE + FROM_PLACES]:
            fixed |= 1 << seen[turn * SEEN_SIZE + SHED]
        if seen[turn * SEEN_SIZE + TOOK]:
            taken |= 1 << seen[turn * SEEN_SIZE + OFFERED]
    for place in range(places):
        card = chains[row + place] if place < places_before else -1
        if card < 0 or not (unseen | fixed) >> card & 1:
            chains[row + place] = -1
    for turn in range(turns):
        shed = seen[turn * SEEN_SIZE + SHED]
        if seen[turn * SEEN_SIZE + FROM_PLACES]:
            there = False
            for place in range(places):
                if chains[row + place] == shed:
                    there = True
            if not there:
                put_into(chains, row, seen[turn * SEEN_SIZE + PLACES], fixed, shed, chances)
    for turn in range(turns_before, turns):
        if seen[turn * SEEN_SIZE + TOOK]:
            by_then = seen[turn * SEEN_SIZE + PLACES]
            card = seen[turn * SEEN_SIZE + OFFERED]
            held = taken
            for place in range(by_then):
                if chains[row + place] >= 0:
                    held |= 1 << chains[row + place]
            if not melds_with(held, card, rules[ACE]):
                pair = partners_of(card, drawn(chances, 6), rules[ACE])
                if pair and not pair & ~(unseen | held):
                    for number in range(2):
                        one = nth_card(pair, number)
                        if not held >> one & 1:
                            put_into(chains, row, by_then, fixed | pair | held & pair, one, chances)
    for place in range(places):
        if chains[row + place] >= 0:
            used |= 1 << chains[row + place]
    total = places
    still = unseen & ~used
    while still:
        bit = still & -still
        still ^= bit
        chains[row + total] = CARD_OF[bit % 53]
        total += 1
    shuffle(chains, row + places, row + total, chances)
    for place in range(places):
        if chains[row + place] < 0:
            total -= 1
            chains[row + place] = chains[row + total]


def stir(
    chains: Ints,
    row: int,
    first: int,
    places: int,
    total: int,
    steps: int,
    unseen: int,
    kinds: int,
    seen: Ints,
    turns: int,
    rules: Ints,
    policies: Ints,
    work: Ints,
    after: Ints,
    chances: Ints,
) -> None:
    """Proposes this many changes of the cards or type of a chain."""
    hand = 0
    for place in range(first):
        hand |= 1 << chains[row + place]
    work[LOGS] = 0
    likely = likelihood(chains, row, 0, hand, IMPOSSIBLE, seen, turns, rules, policies, work, after)
    keep(work, 0, turns)
    for step in range(steps):
        # Metropolis: the random bound is drawn first, so that the likelihood can stop early.
        bound = likely + LOG[1 + drawn(chances, MOST_LOG - 1)] - LOG[MOST_LOG - 1]
        one = other = before = since = 0
        new_kind = step % 8 == 7
        hand = work[HANDS]
        if new_kind:
            before = chains[row + KIND]
            chains[row + KIND] = drawn(chances, kinds)
        else:
            one, other = drawn(chances, places), drawn(chances, total)
            if one < first and other < first:
                continue
            # A discarded card cannot go back into the stock.
            if other >= places and not unseen >> chains[row + one] & 1:
                continue
            card = chains[row + one]
            chains[row + one] = chains[row + other]
            chains[row + other] = card
            since = min(turn_of(one, first, seen, turns), turn_of(other, first, seen, turns))
            if one < first or other < first:
                hand ^= 1 << chains[row + one] | 1 << chains[row + other]
            else:
                hand = work[HANDS + since]
        now = likelihood(chains, row, since, hand, bound, seen, turns, rules, policies, work, after)
        if now >= bound:
            likely = now
            keep(work, since, turns)
        elif new_kind:
            chains[row + KIND] = before
        else:
            card = chains[row + one]
            chains[row + one] = chains[row + other]
            chains[row + other] = card
    chains[row + LIKELY] = likely


def turn_of(place: int, first: int, seen: Ints, turns: int) -> int:
    """The turn in which the card of this place was drawn; 0 if dealt, the last if still to come."""
    if place < first:
        return 0
    for turn in range(turns):
        if seen[turn * SEEN_SIZE + PLACES] > place:
            return turn
    return turns


def keep(work: Ints, since: int, turns: int) -> None:
    """Copies the entries of turns from `since` on into the first half."""
    for turn in range(since, turns + 1):
        work[HANDS + turn] = work[NEW_HANDS + turn]
        work[LOGS + turn] = work[NEW_LOGS + turn]


def infer(
    chains: Ints,
    count: int,
    in_a_row: int,
    first: int,
    places: int,
    places_before: int,
    total: int,
    settling: int,
    steps: int,
    unseen: int,
    kinds: int,
    seen: Ints,
    turns: int,
    turns_before: int,
    rules: Ints,
    policies: Ints,
    work: Ints,
    picked: Ints,
    after: Ints,
    chances: Ints,
) -> None:
    """Continues every chain from one of the samples, all repaired, and stirs it for each of its own.

    `settling` is the number of changes before the first sample, `steps` before each further one.
    """
    if places_before:
        for number in range(count * in_a_row):
            row = number * ROW
            before = chains[row + LIKELY]
            mend(chains, row, places, places_before, unseen, seen, turns, turns_before, rules, chances)
            hand = 0
            for place in range(first):
                hand |= 1 << chains[row + place]
            work[LOGS] = 0
            now = likelihood(chains, row, 0, hand, IMPOSSIBLE, seen, turns, rules, policies, work, after)
            chains[row + LIKELY] = now
            chains[row + GAINED] = now - before
        for chain in range(count):
            source = picked_row(chains, count * in_a_row, chances)
            for place in range(ROW):
                picked[chain * ROW + place] = chains[source + place]
    for chain in range(count):
        row = chain * in_a_row * ROW
        if places_before:
            for place in range(ROW):
                chains[row + place] = picked[chain * ROW + place]
        else:
            # At first each chain goes its own way: from the likeliest all would begin as one.
            chains[row + KIND] = drawn(chances, kinds)
            mend(chains, row, places, places_before, unseen, seen, turns, turns_before, rules, chances)
        for number in range(in_a_row):
            if number:
                for place in range(ROW):
                    chains[row + ROW + place] = chains[row + place]
                row += ROW
            stir(
                chains,
                row,
                first,
                places,
                total,
                steps if number else settling,
                unseen,
                kinds,
                seen,
                turns,
                rules,
                policies,
                work,
                after,
                chances,
            )


def picked_row(chains: Ints, rows: int, chances: Ints) -> int:
    """A row, by how much likelier the news are with it: Metropolis again, from row to row."""
    row = drawn(chances, rows) * ROW
    for _ in range(rows):
        other = drawn(chances, rows) * ROW
        bound = chains[row + GAINED] + LOG[1 + drawn(chances, MOST_LOG - 1)] - LOG[MOST_LOG - 1]
        if chains[other + GAINED] >= bound:
            row = other
    return row
