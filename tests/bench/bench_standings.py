"""How long the table of a large event takes, how many queries it needs, and what criteria cost."""

import random
from collections.abc import Sequence
from functools import partial

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.lifecycle import MatchState
from league.core.lots import lot
from league.core.pairing.round_robin import schedule
from league.core.possible_places import possible_places
from league.core.standings import (
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Row,
    ScoringScheme,
    rank,
)
from league.core.still_to_play import (
    LeftMatch,
)
from league.draws.recalculating import recalculate
from league.models import Event, Standing
from league.record.requests import request_standings
from tests.bench.registry import Figure, bench, best_of, is_brief
from tests.factories import big_event, count_table

ENTRIES = 1_000
MATCHES = 25_000
# The last looks for webhooks.
AT_MOST = 10

SIZES = (64, 128, 256, 512)
ROUNDS = 9
SETS = {
    "points, net, columns, result among those tied, lot": (
        "match_points", "net", "columns_won", "head_to_head", "lot",
    ),
    "points and the three of Buchholz, lot": (
        "match_points", "buchholz_cut1", "buchholz", "median_buchholz", "lot",
    ),
    "points, Sonneborn–Berger, opponents' net, lot": (
        "match_points", "sonneborn_berger", "opponents_net", "lot",
    ),
    "points, capped net, hands won, gins, lot": (
        "match_points", "net_capped", "hands_won", "gins", "lot",
    ),
}  # fmt: skip


@bench(database=True)
def standings_of_a_large_event() -> list[Figure]:
    entries, matches = (ENTRIES // 5, MATCHES // 5) if is_brief() else (ENTRIES, MATCHES)
    event = big_event(entries=entries, matches=matches, sheets=False)
    first = queries_of(event)
    assert Standing.objects.filter(event=event).count() == entries
    again = queries_of(event)

    def calculate_anew() -> None:
        Standing.objects.filter(event=event).delete()
        count_table(event.pk)

    def calculate_again() -> None:
        count_table(event.pk)

    what = f"{entries:,} entries, {matches:,} matches"
    counts = [
        Figure(f"{what}, every row written; BEGIN and COMMIT not counted", first, "queries", AT_MOST),
        Figure(f"{what}, no row changed", again, "queries", AT_MOST),
    ]
    if is_brief():
        return counts
    anew, unchanged = best_of(calculate_anew, calculate_again, rounds=3)
    return [
        *counts,
        Figure(f"{what}, every row written", anew, "s", 2),
        Figure(f"{what}, no row changed", unchanged, "s", 2),
    ]


def queries_of(event: Event) -> int:
    """Queries of a recalculation, the two that hold its transaction left out."""
    request_standings(event.pk)
    with CaptureQueriesContext(connection) as queries:
        recalculate(event.pk)
    held = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(held) for query in queries)


@bench()
def tables_of_a_swiss() -> list[Figure]:
    """The pure core, by size and criteria: nine rounds in which a bye counts as the round's winners do."""
    figures = []
    sizes = (SIZES[0], SIZES[-1]) if is_brief() else SIZES
    for what, criteria in SETS.items():
        calls = [partial(table_of, swiss_results(size), size, criteria) for size in sizes]
        times = best_of(*calls, rounds=3)
        figures += [
            Figure(f"{size} entries, {ROUNDS} rounds, {what}", 1000 * time, "ms")
            for size, time in zip(sizes, times, strict=True)
        ]
        figures.append(Figure(f"eight times the entries, {what}", times[-1] / times[0], "×", 14))
    return figures


@bench()
def places_still_possible() -> list[Figure]:
    """The pure core: a round robin of 64 of which so many rounds are played; the favourites win mostly."""
    shares = (80,) if is_brief() else (10, 50, 80, 95)
    cases = [round_robin(64, share) for share in shares]
    calls = [partial(possible_places, rows, left, scheme=ScoringScheme()) for rows, left in cases]
    return [
        Figure(f"places possible, 64 entries, {share} % played", 1000 * time, "ms", 100)
        for share, time in zip(shares, best_of(*calls, rounds=3), strict=True)
    ]


def round_robin(size: int, share: int) -> tuple[list[Row], list[LeftMatch]]:
    """The table of a round robin of which this share is played, in percent, and what is left."""
    chance, rounds = random.Random(size), schedule(size)
    played = len(rounds) * share // 100
    results = [
        MatchResult((a,), (b,), MatchState.FINISHED, winner, 50 if winner is MatchSide.A else -50)
        for drawn in rounds[:played]
        for a, b in drawn.pairs
        for winner in [MatchSide.A if chance.random() < 0.5 + (b - a) / (2 * size) else MatchSide.B]
    ]
    left = [LeftMatch(drawn.number, (a,), (b,)) for drawn in rounds[played:] for a, b in drawn.pairs]
    return rank(range(size), results, criteria=("match_points", "net", "lot"), given=lots(size)), left


def lots(size: int) -> dict[str, dict[int, int]]:
    return {"lot": {entry: lot(1, str(entry)) for entry in range(size)}}


SWISS = ScoringScheme(
    bye=Award(counts=False, net=CountsAs.ROUND_WINNERS, strength=CountsAs.ROUND_WINNERS),
    absent=Award(won=1, counts=False, net=CountsAs.OWN_AVERAGE, strength=CountsAs.OWN_AVERAGE),
)


def table_of(results: list[MatchResult], size: int, criteria: Sequence[str]) -> list[Row]:
    return rank(
        range(size), results, criteria=criteria, scheme=SWISS, net_cap=300, best_of=7, given=lots(size)
    )


def swiss_results(size: int) -> list[MatchResult]:
    """Nine rounds of chance: one in ten drawn, one entry with a bye and one that asked off in each."""
    chance = random.Random(size)
    results = []
    for number in range(1, ROUNDS + 1):
        entries = list(range(size))
        chance.shuffle(entries)
        results += [
            MatchResult.bye(entries.pop(), round=number),
            MatchResult.absent(entries.pop(), round=number),
        ]
        for first, second in zip(entries[::2], entries[1::2], strict=True):
            net = 0 if chance.random() < 0.1 else chance.randint(1, 800)
            winner = MatchSide.A if net else None
            results.append(
                MatchResult(
                    (first,),
                    (second,),
                    MatchState.FINISHED,
                    winner,
                    net,
                    2,
                    1,
                    9,
                    7,
                    8,
                    6,
                    2,
                    1,
                    round=number,
                )
            )
    return results
