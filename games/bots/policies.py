"""The kernel's policies: the numbers of `kernel_policy`, a block for each."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from games.bots.kernel_policy import LAST_TURN, LOWERS, MELDS, MOST_TAKEN, PARTS, POLICY_SIZE, TRAITS

# How each type of opponent chooses discards, learned from the pool's games (`games.arena.learning`).
SHEDS_PLACE: Final = Path(__file__).with_name("sheds.json")

# The policy of `expert` in playouts, tuned against these types (`games.arena.tuning`).
PLAYOUTS_PLACE: Final = Path(__file__).with_name("playouts.json")
_NEVER_BY_GAIN: Final = 99


def policy(
    *,
    knocks_with: Sequence[Sequence[int]],
    takes: int,
    gain: int = _NEVER_BY_GAIN,
    left: int = 8,
    value: int = 0,
    wanted: int = 0,
    outs: int = 0,
    sheds: Sequence[int] = (0,) * (TRAITS * PARTS),
) -> list[int]:
    """The block of one policy.

    `knocks_with` has the limits by turns taken, in a row each by the cards that the opponent took and holds;
    the last limit is that of all later turns, the last row that of more cards.
    """
    rows = [*knocks_with, *[knocks_with[-1]] * MOST_TAKEN][: MOST_TAKEN + 1]
    knocks = [limit for row in rows for limit in [*row, *[row[-1]] * LAST_TURN][: LAST_TURN + 1]]
    return [*knocks, takes, gain, left, value, wanted, outs, *sheds]


_SHEDS: Final[dict[str, list[int]]] = json.loads(SHEDS_PLACE.read_text(encoding="utf-8"))["weights"]

# The types of opponents, equally likely: half knock as soon as they can, half play for gin.
OPPONENTS: Final = (
    policy(knocks_with=[[10]], takes=MELDS, sheds=_SHEDS["simple"]),
    policy(knocks_with=[[10]], takes=MELDS, gain=5, sheds=_SHEDS["taker"]),
    policy(knocks_with=[[10]], takes=LOWERS, left=16, value=2, sheds=_SHEDS["rash"]),
    policy(knocks_with=[[10, 10, 10, 0]], takes=LOWERS, left=16, value=2, sheds=_SHEDS["steady"]),
    policy(knocks_with=[[0]], takes=LOWERS, left=16, value=1, outs=4, sheds=_SHEDS["hunter"]),
    policy(
        knocks_with=[[10, 10, 10, 10, 0]],
        takes=LOWERS,
        left=12,
        value=2,
        wanted=3,
        outs=6,
        sheds=_SHEDS["careful"],
    ),
)
KINDS_OF_PLAYERS: Final = len(OPPONENTS)

_TUNED: Final[dict[str, Any]] = json.loads(PLAYOUTS_PLACE.read_text(encoding="utf-8"))["policy"]

# The policy of `expert` in its own playouts, and the one its choices have to beat.
OWN: Final = KINDS_OF_PLAYERS * POLICY_SIZE
OWN_POLICY: Final = policy(**_TUNED)
# The other plan for the rest of a hand: the same play, but knocking as soon as it can.
READY: Final = OWN + POLICY_SIZE
_READY: Final = policy(**{**_TUNED, "knocks_with": [[10]]})
POLICIES: Final = tuple([number for block in (*OPPONENTS, OWN_POLICY, _READY) for number in block])
# Of these numbers: what was measured of a bot that played by others was measured of another bot.
DIGEST: Final = sha256(json.dumps(POLICIES).encode()).hexdigest()[:16]
