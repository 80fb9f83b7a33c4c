"""`python -m tests.bench.size`: which pages and lists become slower with the site.

The demo club is multiplied by its events, and then by clubs, with one statement a table: 51 clubs of 2,240
matches each by default. Every list of the API, every page and search of the administration and the pages of
an event are read before and after; lists also without their count, and their last page, by its number and by
the cursor before it. Searched is for a name that one club has, and for one that all have: the time of the
latter goes by how much it finds, and is told apart. The ten that grew most are printed; with `--at-most 2`
all that grew to more than twice, and it ends with 1 if there are any besides searches for what all clubs
have. At last the large database is backed up, restored and rebuilt, which takes most of the time.

It takes half an hour, and is run by hand; `DATABASE_URL` names the server to measure, otherwise it is SQLite.
"""

import argparse
import io
import math
import os
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import django

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

SHOWN: Final = 10
ROUNDS: Final = 3
# Below it, a difference is that of the clock.
LEAST_SECONDS: Final = 0.004
# What belongs to no event is made anew only with the club; these are not copied at all.
_ONCE: Final = {"HouseRules", "Deletion", "SweepMark", "BotRating", "BotMeeting", "WriteCount"}
_SECRETS: Final = {"ApiToken", "TableLink", "Invitation", "ImportDraft", "Receipt"}
_OF_CLUBS: Final = {
    "Club", "Membership", "ClubRules", "AuditEntry", "Player", "NamingText", "PlayerAlias", "Season",
    "Pyramid", "SeasonTable", "SeasonTable_events", "BotSchedule", "Rating", "RatingsRequest",
    "ExpectedWeights",
}  # fmt: skip
_PLACE: Final = ("pyramid", "level")
# Two of the demo's people. The other clubs have people of another name each in place of the first.
OF_ONE_CLUB: Final = "Eklund"
OF_ALL_CLUBS: Final = "Quispe"
_SOUGHT_IN_ALL: Final = "search for a name of all clubs"


def main(arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    parser = argparse.ArgumentParser(prog="python -m tests.bench.size", description=__doc__)
    parser.add_argument("--clubs", type=int, default=51)
    parser.add_argument("--events", type=int, default=8, help="how many times the events of the demo")
    parser.add_argument(
        "--at-most", type=float, metavar="TIMES", help="fail for what grows to more than that"
    )
    options = parser.parse_args(arguments)

    from tests.bench.__main__ import _database

    with _database():
        small, large = _measured(options.clubs, options.events)
        growth = {name: seconds / max(small[name], LEAST_SECONDS) for name, seconds in large.items()}
        by_growth = sorted(growth, key=lambda name: -growth[name])

        def show(names: list[str]) -> None:
            for name in names:
                times = f"{small[name] * 1000:8.1f} → {large[name] * 1000:8.1f} ms"
                print(f"{growth[name]:8.1f} ×  {times}  {name}", flush=True)

        show(by_growth[:SHOWN])
        beyond: list[str] = []
        if options.at_most is not None:
            of_all = [name for name in by_growth if name.endswith(_SOUGHT_IN_ALL)]
            for names, what in (
                (of_all, f"searches for a name of all clubs, with {options.clubs} times as much to find,"),
                ([name for name in by_growth if name not in of_all], "others"),
            ):
                beyond = [name for name in names if growth[name] > options.at_most]
                print(f"{len(beyond)} of {len(names)} {what} grow to more than {options.at_most:g} ×.")
                show(beyond)
        for words, taken, said in _maintained():
            print(f"{taken:8.1f} s  {words}: {said}", flush=True)
    return 1 if beyond else 0


def _measured(clubs: int, events: int) -> tuple[dict[str, float], dict[str, float]]:
    """The seconds of each address in the small and in the large database."""
    from django.contrib.auth.models import User

    from league.demo import load_demo
    from league.models import Match
    from scoring.models import DealVersion

    load_demo()
    User.objects.create_superuser("administrator")
    models = _models()
    of_events = [model for model in models if model.__name__ not in _OF_CLUBS]
    copy(of_events, events - 1, "e")
    small = seconds()
    print(f"1 club, {Match.objects.count():,} matches", flush=True)
    begun = time.perf_counter()
    copy(models, clubs - 1, "c")
    print(
        f"{clubs} clubs, {Match.objects.count():,} matches, {DealVersion.objects.count():,} deals, "
        f"made in {time.perf_counter() - begun:.0f} s",
        flush=True,
    )
    return small, seconds()


def _maintained() -> Iterator[tuple[str, float, str]]:
    """What a site of this size takes as a whole: each command, its seconds and what it said last.

    A club's ratings were calculated before its events were copied, so the first rebuild has much to write.
    """
    from django.core.management import CommandError, call_command

    with tempfile.TemporaryDirectory(prefix="gin-size-") as folder:
        file = str(Path(folder) / "backup.zip")
        for name, *words in (
            ("backup", file),
            ("restore", file, "--replace"),
            ("rebuild", "--apply"),
            ("rebuild",),
        ):
            said = io.StringIO()
            begun = time.perf_counter()
            try:
                call_command(name, *words, stdout=said, stderr=said)
            except CommandError as ended:  # of a rebuild that finds differences
                said.write(str(ended))
            taken = time.perf_counter() - begun
            told = said.getvalue().strip().splitlines()[-1]
            yield " ".join([name, *words]).replace(file, "FILE"), taken, told.replace(file, "FILE")


def _models() -> list[type["Model"]]:
    """All models that are copied, and the tables between them."""
    from django.apps import apps

    kept = _ONCE | _SECRETS
    return [
        model
        for app in ("scoring", "league", "games")
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
        if model.__name__ not in kept
    ]


def copy(models: Collection[type["Model"]], times: int, mark: str) -> None:
    """Copies all rows of these models, with their references to each other.

    References to other models stay; codes and addresses are made others by `mark`, and so is the name
    `OF_ONE_CLUB` where whole clubs are copied. Whatever a statement of the product would refuse, the database
    does.
    """
    from django.core.management.color import no_style
    from django.db import connection, transaction

    if times < 1:
        return
    step = 10 ** len(str(max(model._base_manager.order_by("-pk").values_list("pk", flat=True).first() or 1
                             for model in models)))  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for model in models:
            cursor.execute(_copying(model, models, step, mark), [times])
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
        # On a site in use autovacuum does it, which the servers of the tests go without. Until then
        # PostgreSQL does not know that everybody sees these rows: each count reads the table beside
        # its index.
        cursor.execute("VACUUM (ANALYZE)" if connection.vendor == "postgresql" else "ANALYZE")


def _copying(model: type["Model"], models: Collection[type["Model"]], step: int, mark: str) -> str:
    """The statement that copies the table of a model, with the number of copies as its parameter."""
    from django.db import connection

    table = connection.ops.quote_name(model._meta.db_table)
    of_clubs = "Club" in {each.__name__ for each in models}
    values = {}
    for field in model._meta.concrete_fields:
        column = connection.ops.quote_name(field.column or "")
        refers = field.related_model in models if field.is_relation else field.primary_key
        if refers:
            values[column] = f"{column} + n * {step}"
        elif field.name in _PLACE and model.__name__ == "Event" and not of_clubs:
            values[column] = "NULL"  # each place of a pyramid is one event's
        elif field.name in ("code", "slug") and field.get_internal_type() in ("CharField", "SlugField"):
            values[column] = f"{column} || '{mark}' || CAST(n AS varchar(9))"
        elif of_clubs and field.name.endswith("name"):
            values[column] = f"REPLACE({column}, '{OF_ONE_CLUB}', 'Ekman' || CAST(n AS varchar(9)))"
        else:
            values[column] = column
    return (
        "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < %s) "  # noqa: S608
        f"INSERT INTO {table} ({', '.join(values)}) SELECT {', '.join(values.values())} FROM {table}, copies"
    )


def seconds() -> dict[str, float]:
    """What each address takes an administrator, and a guest where he is let in; the shortest of some."""
    from django.contrib.auth.models import User
    from django.core.cache import cache
    from django.test import Client

    administrator = Client(headers={"host": "localhost"})
    administrator.force_login(User.objects.get(username="administrator"))
    guest = Client(headers={"host": "localhost"})
    found = {}
    for name, client, address in _addresses(administrator, guest):
        shortest = math.inf
        for _round in range(ROUNDS):
            cache.clear()
            begun = time.perf_counter()
            response = client.get(address)
            shortest = min(shortest, time.perf_counter() - begun)
            assert response.status_code == 200, (address, response.status_code)
        found[name] = shortest
    return found


def _addresses(administrator: "Client", guest: "Client") -> Iterator[tuple[str, "Client", str]]:
    """What is read: a name that is the same in both databases, who reads, and the address."""
    from django.contrib import admin
    from django.urls import reverse

    from league.models import Club, Event, Match, Player

    club = Club.objects.earliest("pk")
    for who, client in (("administrator", administrator), ("guest", guest)):
        for resource in ("clubs", "players", "events", "matches", "entries", "rounds", "seasons", "sheets"):
            address = f"/api/v1/{resource}/"
            yield f"{who} {address}", client, address
            yield f"{who} {address} uncounted", client, f"{address}?count=false"
            last = max(1, math.ceil(client.get(address).json()["count"] / 50))
            yield f"{who} {address} last page", client, f"{address}?page={last}"
            far = client.get(f"{address}?page={max(1, last - 1)}").json()["next"]
            yield f"{who} {address} far page", client, far or address
            if resource != "clubs":
                yield f"{who} {address} changes", client, f"{address}?updated_since=2020-01-01T00:00:00Z"
                yield f"{who} {address} no change", client, f"{address}?updated_since=2100-01-01T00:00:00Z"
        event = Event.objects.filter(club=club).earliest("pk")
        match = Match.objects.filter(event=event).earliest("pk")
        player = Player.objects.filter(club=club).earliest("pk")
        pages: dict[str, list[Any]] = {
            "club": [club.slug], "players": [club.slug], "event": [club.slug, event.slug],
            "event_rounds": [club.slug, event.slug], "match": [club.slug, event.slug, match.code],
            "player": [club.slug, player.code],
        }  # fmt: skip
        for name, arguments in pages.items():
            yield f"{who} {name}", client, reverse(name, args=arguments)
    yield "administrator /admin/", administrator, reverse("admin:index")
    for model, page in admin.site._registry.items():
        options = model._meta
        address = reverse(f"admin:{options.app_label}_{options.model_name}_changelist")
        yield f"administrator {address}", administrator, address
        if page.search_fields:
            yield f"administrator {address} search", administrator, f"{address}?q={OF_ONE_CLUB}"
            yield f"administrator {address} {_SOUGHT_IN_ALL}", administrator, f"{address}?q={OF_ALL_CLUBS}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
