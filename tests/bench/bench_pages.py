"""The pages of an event of 200 entries and 5,000 matches: queries, and the time a reader waits."""

from functools import partial

from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Match, Player
from tests.bench.registry import Figure, bench, best_of, is_brief
from tests.factories import big_event, count_table

MOST_QUERIES = 11


@bench(database=True)
def pages_of_a_big_event() -> list[Figure]:
    """Briefly the event is smaller: `tests/league/test_pages_size.py` counts the queries of the big one."""
    event = big_event(entries=40, matches=1000) if is_brief() else big_event(entries=200, matches=5000)
    count_table(event.pk)
    club, slug = event.club.slug, event.slug
    addresses = {
        "club": reverse("club", args=[club]),
        "table": reverse("event", args=[club, slug]),
        "rounds": reverse("event_rounds", args=[club, slug]),
        "round": reverse("round", args=[club, slug, 50]),
        "match": reverse("match", args=[club, slug, Match.objects.filter(event=event).earliest("pk").code]),
        "players": reverse("players", args=[club]),
        "player": reverse("player", args=[club, Player.objects.filter(club=event.club).earliest("pk").code]),
        "table as PDF": reverse("event_standings_pdf", args=[club, slug]),
        "100 blank sheets as PDF": reverse("blank_sheets_pdf", args=[club, slug, 1]),
    }
    client = Client(headers={"host": "localhost"})
    followed = ("club", "table", "rounds", "round", "match")

    def make(address: str) -> None:
        caches["looks"].clear()
        assert client.get(address).status_code == 200

    def look(tags: dict[str, str]) -> None:
        for address, tag in tags.items():
            assert client.get(address, headers={"if-none-match": tag}).status_code == 304

    figures = []
    for name, address in addresses.items():
        with CaptureQueriesContext(connection) as queries:
            make(address)
        figures.append(Figure(name, len(queries), "queries", MOST_QUERIES))
    tags = {addresses[name]: client.get(addresses[name])["ETag"] for name in followed}
    with CaptureQueriesContext(connection) as queries:
        look(tags)
    figures.append(Figure("a look at a page without news", len(queries) / len(tags), "queries", 1))
    if is_brief():
        return figures
    times = best_of(*(partial(make, address) for address in addresses.values()), rounds=2)
    figures += [Figure(name, seconds * 1000, "ms") for name, seconds in zip(addresses, times, strict=True)]
    for name in followed:
        client.get(addresses[name])
    (looking,) = best_of(partial(look, tags), rounds=5)
    return [*figures, Figure("a look at a page without news", looking * 1000 / len(tags), "ms")]
