"""How long the table of a large event takes, and how many queries it needs."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Event, Standing
from league.services.standings import recalculate, request_standings
from tests.bench.registry import Figure, bench, best_of
from tests.factories import big_event

ENTRIES = 1_000
MATCHES = 25_000
AT_MOST = 9


@bench(database=True)
def standings_of_a_large_event() -> list[Figure]:
    event = big_event(entries=ENTRIES, matches=MATCHES, sheets=False)
    first = queries_of(event)
    assert Standing.objects.filter(event=event).count() == ENTRIES
    again = queries_of(event)

    def calculate_anew() -> None:
        Standing.objects.filter(event=event).delete()
        request_standings(event.pk)
        recalculate(event.pk)

    def calculate_again() -> None:
        request_standings(event.pk)
        recalculate(event.pk)

    anew, unchanged = best_of(calculate_anew, calculate_again, rounds=3)
    what = f"{ENTRIES:,} entries, {MATCHES:,} matches"
    return [
        Figure(f"{what}, every row written; BEGIN and COMMIT not counted", first, "queries", AT_MOST),
        Figure(f"{what}, no row changed", again, "queries", AT_MOST),
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
