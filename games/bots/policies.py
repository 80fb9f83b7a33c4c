"""The kinds of players that the kernel knows: the numbers of `kernel_policy`, a block for each."""

from collections.abc import Sequence
from typing import Final

from games.bots.kernel_policy import LOWERS, MELDS, POLICY_SIZE

_AT_ONCE: Final = [10] * 16
_NEVER_BY_GAIN: Final = 99


def policy(
    *,
    knocks_with: Sequence[int],
    takes: int,
    gain: int = _NEVER_BY_GAIN,
    left: int = 8,
    value: int = 0,
    wanted: int = 0,
    outs: int = 0,
) -> list[int]:
    """The block of one kind; the last of `knocks_with` holds for all later turns."""
    knocks = [*knocks_with, *[knocks_with[-1]] * 16][:16]
    return [*knocks, takes, gain, left, value, wanted, outs]


_BLOCKS: Final = (
    # Knocks at once; takes whatever melds.
    policy(knocks_with=[10], takes=MELDS),
    # Knocks in three turns, then plays for gin; high cards first, keeps what is wanted.
    policy(knocks_with=[10, 10, 10, 0], takes=LOWERS, left=16, value=2),
    # Plays for gin.
    policy(knocks_with=[0], takes=LOWERS, left=16, value=1, outs=4),
    # Takes what lowers his deadwood.
    policy(knocks_with=[10], takes=MELDS, gain=5),
    # Knocks when it is low.
    policy(knocks_with=[10, 10, 10, 10, 0], takes=LOWERS, left=12, value=2, wanted=3, outs=6),
)

# The kinds an opponent may be, and how `expert` plays on in his head.
KINDS_OF_PLAYERS: Final = len(_BLOCKS)
OWN: Final = KINDS_OF_PLAYERS * POLICY_SIZE
_OWN: Final = policy(knocks_with=[10, 10, 10, 10, 0], takes=LOWERS, left=12, value=2, wanted=3, outs=6)
POLICIES: Final = tuple([number for block in (*_BLOCKS, _OWN) for number in block])
