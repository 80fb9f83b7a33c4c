"""How long it takes to rate a large club's matches from the first to the last."""

import random

from league.ratings import RatedMatch, rate
from tests.bench.registry import Figure, bench, best_of

PLAYERS = 1_000
MATCHES = 25_000


@bench()
def ratings_of_a_large_club() -> list[Figure]:
    alone, pairs = history(MATCHES, size=1), history(MATCHES // 2, size=2)
    tenth = alone[: MATCHES // 10]
    whole, part, of_pairs = best_of(lambda: rate(alone), lambda: rate(tenth), lambda: rate(pairs), rounds=3)
    return [
        Figure(f"{MATCHES:,} matches of {PLAYERS:,} players", whole, "s", 2),
        Figure(f"{MATCHES // 2:,} matches of pairs", of_pairs, "s", 2),
        Figure(f"{MATCHES:,} matches against a tenth of them", whole / part, "×", 15),
    ]


def history(matches: int, *, size: int) -> list[RatedMatch]:
    """So many matches between sides of so many players, one in ten drawn."""
    source = random.Random(1)
    drawn = []
    for number in range(matches):
        players = source.sample(range(PLAYERS), 2 * size)
        winner = None if number % 10 == 9 else int(source.random() < 0.5)
        drawn.append(RatedMatch(number, (tuple(players[:size]), tuple(players[size:])), winner))
    return drawn
