"""How even movements come out, and how long large ones take."""

from functools import partial
from itertools import pairwise

from league.core.pairing.rotation import BUDGET, schedule
from tests.bench.registry import Figure, bench, best_of, is_brief

PLAYERS = range(6, 46)
ROUNDS = range(5, 13)
# A sixth of what a movement is allowed: 320 of them are made here.
STEPS = BUDGET // 6

SIZES = (64, 128, 256, 512)
EVENING = 9
# Steps are as many for any size; what grows is counting who met whom, over all pairs.
AT_MOST_DOUBLED = 8


@bench()
def unevenness_of_movements() -> list[Figure]:
    """A line for each count of players, a place in it for each count of rounds.

    The figure is partnerships repeated while others were unused, all rounds together. In the line stand the
    most times two are opponents less the fewest, 0 the most even. Briefly it is every ninth count, so that
    however many sit out is among them.
    """
    figures, widest, rests = [], 0, 0
    for players in PLAYERS[::9] if is_brief() else PLAYERS:
        uneven = [schedule(players, rounds, budget=STEPS).unevenness for rounds in ROUNDS]
        apart = [each.opponent_spread for each in uneven]
        widest = max(widest, *apart)
        rests = max(rests, *(each.rest_spread for each in uneven))
        line = " ".join(f"{each}" for each in apart)
        what = f"{players:2} players, {ROUNDS[0]}–{ROUNDS[-1]} rounds: opponents apart by {line}"
        figures.append(Figure(what, sum(each.partner_repeats for each in uneven), "repeats", 0))
    return [
        *figures,
        Figure("most times two are opponents, less the fewest", widest, "apart", 2),
        Figure("most rounds anyone sits out, less the fewest", rests, "apart", 1),
    ]


@bench()
def time_of_large_movements() -> list[Figure]:
    sizes = SIZES[:-1] if is_brief() else SIZES
    calls = [partial(schedule, size, EVENING) for size in sizes]
    times = best_of(*calls, rounds=3)
    return [
        *(
            Figure(f"{size} players, {EVENING} rounds", time, "s", 4)
            for size, time in zip(sizes, times, strict=True)
        ),
        *(
            Figure(f"{more} players beside {few}", slow / fast, "×", AT_MOST_DOUBLED)
            for (few, fast), (more, slow) in pairwise(zip(sizes, times, strict=True))
        ),
    ]
