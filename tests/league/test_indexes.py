"""Indexes that the size of a site hangs on are used by the statements that they were made for."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.entry.nights import nights
from league.models import Match, Round, bye_counts
from league.record import search_indexes
from tests.clients import logged_in
from tests.factories import ClubFactory, EventFactory, MatchFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def plan_of(asking: Callable[[], object], words: str) -> str:
    """How the database answers the one statement with these words, where it has so many rows that it matters.

    With its parameters, as SQLite looks for an index before it knows them.
    """
    found: list[tuple[str, Any]] = []

    def note(execute: Callable[..., object], sql: str, parameters: Any, *more: Any) -> object:
        if words in sql:
            found.append((sql, parameters))
        return execute(sql, parameters, *more)

    with connection.execute_wrapper(note):
        asking()
    ((sql, parameters),) = found
    explain = "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            explain = "EXPLAIN"
            cursor.execute("SET LOCAL enable_seqscan = off")  # which it prefers for a few rows
        cursor.execute(f"{explain} {sql}", parameters)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_changed_sheets_are_found_by_the_time_of_the_change() -> None:
    MatchFactory.create(event=EventFactory.create(club=ClubFactory.create(is_public=True)))
    plan = plan_of(
        lambda: Client().get("/api/v1/sheets/", {"updated_since": "2020-01-01T00:00:00Z"}),
        '"scoring_scoresheet"."updated_at" >=',
    )
    assert re.search(r"index( scan using| scan on)? scoring_scoresheet_updated_at_", plan.lower()), plan


def test_open_matches_of_a_round_are_found_without_the_others() -> None:
    MatchFactory.create()
    plan = plan_of(lambda: list(Match.objects.filter(bye_counts())), "NOT EXISTS")
    if connection.vendor == "postgresql":
        assert re.search("Index Scan (on|using) match_open_of_round", plan), plan
    else:
        # It takes an index of some rows only for values that stand in the statement; the round's own rows do.
        assert plan.count("SEARCH U0 USING INDEX league_match_round_id_") == 2


@pytest.mark.parametrize("few", [500, -1])
def test_sheets_are_counted_for_a_guest_without_reading_one(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether few rounds are hidden or, as if nothing were few, many."""
    monkeypatch.setattr("league.policy.reading.FEW", few)
    event = EventFactory.create(club=ClubFactory.create(is_public=True))
    for _number in range(2):
        MatchFactory.create(event=event)
    counting = '"league_match"."sheet_id" IS NOT NULL'
    plan = plan_of(lambda: Client().get("/api/v1/sheets/", {"page_size": 1}), counting)
    assert "scoring_scoresheet" not in plan
    if connection.vendor == "sqlite":
        assert "league_match USING COVERING INDEX" in plan
        assert ("SEARCH V0 USING INTEGER PRIMARY KEY (rowid=?)" in plan) == (few < 0)


def test_latest_rounds_that_wait_are_found_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_sort = off")  # which it prefers for a few rows
    monkeypatch.setattr("league.entry.nights.FEW_CLUBS", 0)
    MatchFactory.create()
    Round.objects.update(date=timezone.localdate())
    administrator = UserFactory.create(is_superuser=True)
    plan = plan_of(lambda: nights(administrator, 1), "is_due")
    if connection.vendor == "sqlite":
        assert "SEARCH league_round USING INDEX" in plan
    else:
        assert "Index Scan Backward using round_by_date" in plan


@pytest.mark.parametrize("query", [{}, {"updated_since": "2020-01-01T00:00:00Z"}])
def test_page_of_matches_is_read_without_the_others(query: dict[str, str]) -> None:
    """In their order, each with its event and round by their keys: nothing is sorted or listed first."""
    MatchFactory.create(event=EventFactory.create(club=ClubFactory.create(is_public=True)))
    plan = plan_of(lambda: Client().get("/api/v1/matches/", query), 'FROM "league_match" ')
    if connection.vendor == "sqlite":
        assert plan.count("SEARCH V0 USING INTEGER PRIMARY KEY (rowid=?)") == 2
        assert "TEMP B-TREE" not in plan
    else:
        assert "league_event_pkey" in plan
        assert "league_round_pkey" in plan


@pytest.mark.parametrize(
    ("name", "words", "indexes"),
    [
        ("scoring_scoresheet", " UNION ", {"side_name_parts", "sheet_label_parts", "sheet_code_parts"}),
        ("league_match", 'FROM "league_entry"', {"entry_name_parts"}),
    ],
)
def test_words_are_found_without_reading_every_name(name: str, words: str, indexes: set[str]) -> None:
    MatchFactory.create()
    client = logged_in(UserFactory.create(is_superuser=True, is_staff=True))
    address = reverse(f"admin:{name}_changelist")
    plan = plan_of(lambda: client.get(address, {"q": "nobody"}), words)
    scanned = {index for index in indexes if f"Bitmap Index Scan on {index}" in plan}
    # SQLite has none of the kind.
    assert scanned == (indexes if connection.vendor == "postgresql" else set())


def search_indexes_made() -> set[str]:
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes" if is_postgresql else "SELECT name FROM sqlite_master"
        )
        return {name for (name,) in cursor.fetchall()} & set(search_indexes.INDEXES)


def made_anew(*statements: str) -> set[str]:
    """The search indexes there are after these statements, the same whether they are made once or twice."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    for _time in range(2):
        search_indexes.install(sender=apps.get_app_config("league"), using="default")
    return search_indexes_made()


def test_search_indexes_are_made_once_and_only_for_what_is_there() -> None:
    everything = set(search_indexes.INDEXES)
    if connection.vendor == "sqlite":
        assert made_anew() == set()
        return
    assert search_indexes_made() == everything
    # As on a host that has a schema for all extensions.
    moved = "CREATE SCHEMA extensions", "CREATE EXTENSION pg_trgm SCHEMA extensions"
    assert made_anew("DROP EXTENSION pg_trgm CASCADE", *moved) == everything
    former = (
        "DROP INDEX entry_name_parts, match_label_parts",
        "ALTER TABLE league_match RENAME label TO title",
    )
    assert made_anew(*former) == everything - {"match_label_parts"}
