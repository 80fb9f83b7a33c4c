"""The kernel's tables, the same for every hand, indexed by the 13 bits of a suit or by card.

Where the ace may be high, a table has a second half: `ace` is 0 or 1 << `RANK_COUNT`, and is added to the
bits of the suit.
"""

import math
from array import array
from functools import reduce
from typing import Final

from games.bots.reading import going_with
from games.gin.cards import CARD_COUNT, CARD_VALUES, RANK_COUNT, SUIT_MASK, Hand, cards_of
from games.gin.melds import meld_of, runs_left

# By suit: the least deadwood its runs leave.
LEFT: Final = runs_left("low") + runs_left("low_or_high")
# By ranks of a suit: their points, as each rank doubles the table, and their number.
SUIT_VALUE: Final = bytes(
    reduce(lambda before, value: before + [one + value for one in before], CARD_VALUES[:RANK_COUNT], [0])
)
COUNT: Final = bytes(ranks.bit_count() for ranks in range(1 << 13))
# The card of a bit: two is a primitive root of 53, so the 52 powers have distinct remainders.
CARD_OF: Final = bytes(
    {(1 << card) % 53: card for card in range(CARD_COUNT)}.get(left, 0) for left in range(53)
)
VALUES: Final = CARD_VALUES


def _run_outs(ranks: int, *, high: bool) -> int:
    """The ranks of the suit that would complete a run of three with two of these."""
    in_order = ranks << 2 | (ranks & 1) << 15 if high else ranks << 2
    outs = in_order >> 1 & in_order >> 2 | in_order << 1 & in_order >> 1 | in_order << 1 & in_order << 2
    if high:
        outs |= (outs >> 15 & 1) << 2
    return outs >> 2 & SUIT_MASK & ~ranks


# By suit: the ranks that would complete a run with two of it.
RUN_OUTS: Final = array(
    "h", [_run_outs(ranks, high=high) for high in (False, True) for ranks in range(1 << 13)]
)


GOING_WITH: Final = array("q", [going_with(card) for card in range(CARD_COUNT)])


def _making_meld(one: int, other: int) -> int:
    """The cards that would make a meld of three with these two."""
    if not GOING_WITH[one] >> other & 1:
        return 0
    near = cards_of(GOING_WITH[one] | GOING_WITH[other])
    return sum([1 << card for card in near if meld_of(Hand(1 << one | 1 << other | 1 << card))])


# By two cards, `one * CARD_COUNT + other`.
MAKING_MELD: Final = array(
    "q", [_making_meld(one, other) for one in range(CARD_COUNT) for other in range(CARD_COUNT)]
)

# Logarithms as integers, in 1,024ths.
MOST_LOG: Final = 1 << 14
LOG: Final = array("q", [0, *[round(math.log(number) * 1024) for number in range(1, MOST_LOG)]])
# The likelihood of a discard that is worse than the best, by how much worse it is: 10 for a factor of e.
SOFT: Final = array("q", [6 + round(994 * math.exp(-worse / 10)) for worse in range(256)])
