"""The policy by which `expert` plays hands out, tuned against the types of opponents that it reckons with.

Hands are played in the compiled kernel, each pack twice with the seats swapped, and every policy meets the
same packs and random numbers. One limit for knocking after another, by turns and by what the opponent took,
is changed if that brings more points a hand, averaged over the types, until none does: by `SURE` standard
errors at least. Equal seeds give equal policies.

Only limits are tuned. Weights of discards that were tuned so won less against styles that are none of the
types (docs/decisions/playouts-are-tuned.md).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from games.arena.pairs import ARENA_RULES
from games.bots.kernel_ends import ENDS
from games.bots.kernel_policy import (
    BITS,
    KNOCKS_WITH,
    LAST_TURN,
    LIMITS,
    LOWERS,
    MOST_TAKEN,
    POLICY_SIZE,
    SHEDS,
    STATE_SIZE,
)
from games.bots.policies import OPPONENTS, policy
from games.bots.rehearsal import points_of_ends, rules_of
from games.gin.cards import CARD_COUNT
from games.tables.dealing import derived_seed

SURE: Final = 2.0
# The hands against each type are played in so many parts: the error is that between the parts.
PLAYED_PARTS: Final = 30
# Parts after which a value may be given up.
FEWEST_PARTS: Final = 5
FEWEST_HANDS: Final = 2 * PLAYED_PARTS
MOST_HANDS: Final = 1_000_000
USUAL_HANDS: Final = 36_000
KNOCK_LIMITS: Final = (10, 6, 3, 0)
# Early it knocks as soon as it can, later not at all, whatever the opponent took; its weights were found by
# trying many against `simple`, `steady` and each other.
START: Final = policy(knocks_with=[[10, 10, 10, 10, 0]], takes=LOWERS, left=12, value=2, wanted=3, outs=6)
# Turns that share a limit: later ones are rare.
_TURNS: Final = (*[(turn,) for turn in range(8)], (8, 9), tuple(range(10, LAST_TURN + 1)))
# The limits that are tuned, as places in the block.
_LIMITS: Final = tuple(
    [
        tuple([KNOCKS_WITH + taken * (LAST_TURN + 1) + turn for turn in turns])
        for turns in _TURNS
        for taken in range(MOST_TAKEN + 1)
    ]
)


class Ahead(NamedTuple):
    """By how much a policy is ahead of another, in points a hand, and the standard error."""

    points: float
    error: float


def tune(
    made_by: SimpleNamespace,
    hands: int,
    seed: int,
    *,
    start: list[int] = START,
    progress: Callable[[int], object] = lambda hands: None,
) -> list[int]:
    """The block of the policy found with up to `hands` against each type; `progress` gets hands played.

    A limit is given up as soon as it is clearly behind.
    """
    best, points = start, points_by_part(made_by, start, hands, seed)
    is_better = True
    while is_better:
        is_better = False
        for places, limit in product(_LIMITS, KNOCK_LIMITS):
            block = [limit if place in places else number for place, number in enumerate(best)]
            won: list[list[float]] = []
            for part in _parts(made_by, block, hands, seed) if block != best else ():
                won.append(part)
                progress(hands // PLAYED_PARTS * len(OPPONENTS))
                if len(won) >= FEWEST_PARTS and _is_surely_ahead(points, won):
                    break
            if len(won) == PLAYED_PARTS and _is_surely_ahead(won, points):
                best, points, is_better = block, won, True
    return best


def points_by_part(made_by: SimpleNamespace, block: list[int], hands: int, seed: int) -> list[list[float]]:
    """The points a hand that the policy wins, by part and type, in so many hands against each type."""
    return list(_parts(made_by, block, hands, seed))


def ahead(one: list[list[float]], other: list[list[float]]) -> Ahead:
    """By how much a policy is ahead of another on the same packs, in the parts that both played."""
    by_part = [fmean(mine) - fmean(his) for mine, his in zip(one, other, strict=False)]
    return Ahead(fmean(by_part), stdev(by_part) / len(by_part) ** 0.5)


def to_document(block: list[int], *, hands: int, seed: int) -> dict[str, Any]:
    """The file of `policies.PLAYOUTS_PLACE`."""
    size = LAST_TURN + 1
    rows = [block[at : at + size] for at in range(KNOCKS_WITH, KNOCKS_WITH + LIMITS, size)]
    names = ("takes", "gain", "left", "value", "wanted", "outs")
    tuned = {"knocks_with": rows, **dict(zip(names, block[LIMITS:SHEDS], strict=True))}
    return {"hands": hands, "seed": seed, "policy": tuned}


def _is_surely_ahead(one: list[list[float]], other: list[list[float]]) -> bool:
    lead = ahead(one, other)
    return lead.points > SURE * lead.error


def _parts(made_by: SimpleNamespace, block: list[int], hands: int, seed: int) -> Iterator[list[float]]:
    worth = points_of_ends(ARENA_RULES, None)
    for part in range(PLAYED_PARTS):
        packs = derived_seed(seed, "part", part) & BITS
        yield [_points(made_by, [*block, *other], hands // PLAYED_PARTS, packs, worth) for other in OPPONENTS]


def _points(
    made_by: SimpleNamespace, policies: list[int], hands: int, seed: int, worth: Sequence[int]
) -> float:
    """The points a hand of the first of two policies."""
    ends = made_by.ints(ENDS)
    made_by.play_hands(
        hands,
        ends,
        made_by.ints(STATE_SIZE),
        made_by.ints(CARD_COUNT),
        made_by.ints_of(rules_of(ARENA_RULES, ARENA_RULES.knock_limit)),
        made_by.ints_of(policies),
        0,
        POLICY_SIZE,
        0,
        made_by.ints(CARD_COUNT),
        made_by.ints_of([seed]),
    )
    return sum([int(count) * points for count, points in zip(ends, worth, strict=True)]) / hands
