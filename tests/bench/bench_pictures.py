"""What pictures cost: a player's page with them against one without, my club, and the race of an event."""

from functools import partial

from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.models import Event, Player, Role
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.models import Scoresheet
from tests.bench.registry import Figure, bench, best_of, is_brief
from tests.factories import UserFactory, big_event

MOST_TIMES = 1.5
FEWER_QUERIES = 14


@bench(database=True, by_vendor=True)
def pages_with_pictures() -> list[Figure]:
    """Two clubs with the same event of 40 players: in one they are rated, and their sheets tell of hands."""
    rounds = 20 if is_brief() else 39
    with_them, without = (big_event(entries=40, matches=20 * rounds) for _club in range(2))
    _tell_of_hands(with_them)
    for event in (with_them, without):
        recalculate(event.pk)
    request_ratings(with_them.club_id)
    ratings.recalculate(with_them.club_id)
    reader = UserFactory.create(club=with_them.club, role=Role.MEMBER)
    Player.objects.filter(pk=_first(with_them).pk).update(user=reader)
    client = Client(headers={"host": "localhost"})
    client.force_login(reader)

    def make(address: str) -> None:
        caches["looks"].clear()
        assert client.get(address).status_code == 200

    pages = [reverse("player", args=[event.club.slug, _first(event).code]) for event in (with_them, without)]
    drawn = [client.get(page).content.count(b"<svg") for page in pages]
    assert drawn == [2, 0], drawn
    mine = reverse("club_me", args=[with_them.club.slug])
    with CaptureQueriesContext(connection) as queries:
        make(mine)
    times = best_of(*(partial(make, page) for page in pages), rounds=20)
    figures = [
        Figure("a player's page with pictures, to one without", times[0] / times[1], "×", MOST_TIMES),
        Figure("my club", len(queries), "queries", FEWER_QUERIES),
    ]
    if is_brief():
        return figures
    race = reverse("event_race", args=[with_them.club.slug, with_them.slug])
    seconds = best_of(*(partial(make, page) for page in (mine, race)), rounds=3)
    named = zip(("my club", "the race of 40 over 39 rounds"), seconds, strict=True)
    return [*figures, *(Figure(name, time * 1000, "ms") for name, time in named)]


def _first(event: Event) -> Player:
    return Player.objects.filter(club=event.club).earliest("pk")


def _tell_of_hands(event: Event) -> None:
    """Write into the sheets of the event how their hands ended."""
    sheets = list(Scoresheet.objects.filter(match__event=event))
    for sheet in sheets:
        sheet.derived["seats"] = {
            "0": {"hands": 20, "won": 11, "gins": 2, "knocks": 7, "undercuts": 1, "points": 180},
            "1": {"hands": 20, "won": 8, "gins": 1, "knocks": 6, "undercuts": 1, "points": 140},
        }
    Scoresheet.objects.bulk_update(sheets, ["derived"], batch_size=200)
