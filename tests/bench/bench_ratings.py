"""How long it takes to rate the matches of a large club, and to keep what comes out."""

import random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.ratings import RatedMatch, rate
from league.models import Event, Match, Rating, RatingStep
from league.record.requests import request_ratings
from league.tables.ratings import recalculate
from tests.bench.registry import Figure, bench, best_of, is_brief
from tests.factories import big_event

PLAYERS = 1_000
MATCHES = 25_000
# SQLite takes the steps of so many matches in two statements.
AT_MOST = 15


@bench()
def ratings_of_a_large_club() -> list[Figure]:
    matches = MATCHES // 5 if is_brief() else MATCHES
    alone, pairs = history(matches, size=1), history(matches // 2, size=2)
    tenth = alone[: matches // 10]
    whole, part, of_pairs = best_of(lambda: rate(alone), lambda: rate(tenth), lambda: rate(pairs), rounds=3)
    return [
        Figure(f"{matches:,} matches of {PLAYERS:,} players", whole, "s", 2),
        Figure(f"{matches // 2:,} matches of pairs", of_pairs, "s", 2),
        Figure(f"{matches:,} matches against a tenth of them", whole / part, "×", 15),
    ]


@bench(database=True)
def ratings_of_a_large_club_stored() -> list[Figure]:
    """From the results to the rows: all of them new, one late result corrected, nothing changed."""
    players, matches = (PLAYERS // 5, MATCHES // 5) if is_brief() else (PLAYERS, MATCHES)
    event = big_event(entries=players, matches=matches, sheets=False)
    last = Match.objects.filter(event=event, winner_side__isnull=False).latest("id")
    first = queries_of(event)
    assert RatingStep.objects.filter(match__event=event).count() == 2 * matches

    def anew() -> None:
        RatingStep.objects.all().delete()
        Rating.objects.all().delete()
        calculate(event)

    def corrected() -> None:
        last.winner_side = 1 - (last.winner_side or 0)
        last.save(update_fields=["winner_side"])
        calculate(event)

    what = f"{players:,} players, {matches:,} matches"
    count = Figure(f"{what}, every row written; BEGIN and COMMIT not counted", first, "queries", AT_MOST)
    if is_brief():
        return [count]
    whole, one, unchanged = best_of(anew, corrected, lambda: calculate(event), rounds=2)
    return [
        count,
        Figure(f"{what}, every row deleted and written", whole, "s", 10),
        Figure(f"{what}, the last result corrected", one, "s", 2),
        Figure(f"{what}, no row changed", unchanged, "s", 2),
    ]


def calculate(event: Event) -> None:
    request_ratings(event.club_id)
    recalculate(event.club_id)


def queries_of(event: Event) -> int:
    """Queries of a calculation, the request and the two that hold its transaction left out."""
    request_ratings(event.club_id)
    with CaptureQueriesContext(connection) as queries:
        recalculate(event.club_id)
    held = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(held) for query in queries)


def history(matches: int, *, size: int) -> list[RatedMatch]:
    """So many matches between sides of so many players, one in ten drawn."""
    source = random.Random(1)
    drawn = []
    for number in range(matches):
        players = source.sample(range(PLAYERS), 2 * size)
        winner = None if number % 10 == 9 else int(source.random() < 0.5)
        drawn.append(RatedMatch(number, (tuple(players[:size]), tuple(players[size:])), winner))
    return drawn
