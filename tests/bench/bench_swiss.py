"""How long the pairs of a Swiss round take, and how that grows with the entries."""

import random
from functools import partial
from itertools import pairwise

from league.core.pairing import swiss
from league.core.pairing.swiss import Entrant, Met, pair
from tests.bench.registry import Figure, bench, best_of, is_brief

SIZES = (64, 128, 256, 512)
ROUND = 9
# All pairs are looked at where near ones do not suffice: quadratic, and the matching is worse than that.
AT_MOST_DOUBLED = 16


@bench()
def pairing_a_swiss_round() -> list[Figure]:
    """Round 9, after eight that were paired so too, with results by chance: a third of them draws."""
    sizes = SIZES[:-1] if is_brief() else SIZES
    calls, anew = [], []
    for size in sizes:
        entries, history = before_round(size)
        calls.append(partial(pair, entries, history, round_number=ROUND, seed=1))
        anew.append(partial(_all_pairs, entries, history))
    times = best_of(*calls, rounds=3)
    widest = best_of(*anew, rounds=2)
    figures = []
    for size, whole, all_pairs in zip(sizes, times, widest, strict=True):
        figures += [
            Figure(f"{size} entries, round {ROUND}", whole, "s", 2),
            Figure(f"{size} entries, where near pairs do not suffice", all_pairs, "s", 2),
        ]
    entries, history = before_round(sizes[-1] - 1, missed=0.05)
    (odd,) = best_of(partial(pair, entries, history, round_number=ROUND, seed=1), rounds=3)
    figures.append(
        Figure(f"{len(entries)} entries, one in twenty misses each round, with a bye", odd, "s", 2)
    )
    # A round takes as many pairs as it needs, so how it grows is not told by one field of each size.
    for (size, before), (twice, after) in pairwise(zip(sizes, widest, strict=True)):
        figures.append(
            Figure(f"all pairs: {twice} entries over {size}", after / before, "×", AT_MOST_DOUBLED)
        )
    return figures


def before_round(size: int, *, missed: float = 0) -> tuple[list[Entrant], list[Met]]:
    """Who is to be paired in the round, and all that was played before; so many missed each round of that."""
    chance = random.Random(size)
    scores = [0] * size
    history: list[Met] = []
    for played in range(1, ROUND):
        here = [entry for entry in _entrants(scores) if chance.random() >= missed]
        drawn = pair(here, history, round_number=played, seed=1)
        if drawn.bye is not None:
            history.append(Met(drawn.bye, None, played, drawn.bye))
            scores[drawn.bye] += 2
        for each in drawn.pairs:
            history.append(Met(each.first, each.second, played, each.floated))
            won = chance.choice((0, 1, 2))
            scores[each.first] += won
            scores[each.second] += 2 - won
    return _entrants(scores), history


def _entrants(scores: list[int]) -> list[Entrant]:
    return [Entrant(number, score, number + 1) for number, score in enumerate(scores)]


def _all_pairs(entries: list[Entrant], history: list[Met]) -> None:
    swiss._Draw(entries, history, (), ROUND, 1).best(swiss._Allowed.ALL)
