"""What the lots of earlier versions have decided stays as it was told."""

from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from league.models import Club, Entry, Event, EventState, Pyramid
from league.people.players import change_player
from league.tables.standings import current_standings
from tests.factories import OPERATOR, EntryFactory, EventFactory, RoundFactory, SeasonFactory
from tests.league.bracket_play import cup

pytestmark = pytest.mark.django_db

_MIGRATION = import_module("league.migrations.0034_lots_by_keys")


def migrate(*steps: Callable[[Any, Any], None]) -> None:
    for step in steps:
        step(apps, SimpleNamespace(connection=connection))


def former_lot(seed: int, name: str) -> int:
    """As it was drawn: by a number made from the name."""
    number = int(sha256(name.encode()).hexdigest(), 16)
    return int(sha256(f"{seed}:{number}".encode()).hexdigest()[:13], 16)


def test_tables_keep_their_order_whoever_is_renamed(club: Club) -> None:
    """One of them got another name before, and kept the lot of that which it had."""
    event = EventFactory.create(club=club, criteria=["match_points", "lot"], lot_seed=1)
    names = ["Bob Baker", "Ann Archer", "Cid", "Dot"]
    for name in names:
        EntryFactory.create(event=event, name=name, lot_key="")
    former = sha256(b"Eva Ames").hexdigest()
    renamed = EntryFactory.create(event=event, name="Eva Baker", lot_key=former)
    migrate(_MIGRATION.keep_lots)
    drawn_by = {name: name for name in names} | {renamed.name: "Eva Ames"}
    before = sorted(drawn_by, key=lambda name: former_lot(1, drawn_by[name]), reverse=True)
    table = current_standings(event)
    assert [row.entry.name for row in table] == before
    assert [row.metrics["lot"] for row in table] == [former_lot(1, drawn_by[name]) for name in before]
    change_player(actor=OPERATOR, player=table[0].entry.players.get(), name="Zoe")
    assert [row.entry_id for row in current_standings(event)] == [row.entry_id for row in table]


def test_events_that_are_over_and_brackets_that_are_drawn_keep_what_they_told(club: Club) -> None:
    """Divisions too, whether the season after them is drafted or not."""
    pyramid = Pyramid.objects.create(club=club, name="Divisions", slug="divisions")
    season = SeasonFactory.create(club=club)
    finished, archived, _running = (
        EventFactory.create(club=club, state=state) for state in ("finished", "archived", "running")
    )
    division = EventFactory.create(club=club, pyramid=pyramid, level=1, season=season, state="finished")
    drawn = cup(club, 4, format="groups", group_count=2, qualifiers=1)
    Event.objects.filter(pk=drawn.pk).update(qualified=[1, 2], slug="drawn")
    migrate(_MIGRATION.keep_what_was_told)
    kept = {finished.pk, archived.pk, division.pk}
    assert set(Event.objects.filter(lot_settled_places=True).values_list("pk", flat=True)) == kept
    assert Event.objects.get(lot_settled_bracket=True) == drawn


@pytest.mark.parametrize(("planned", "fast"), [(9, 5), (5, 3), (None, 2)])
def test_acceleration_of_events_that_have_begun_is_fixed(club: Club, planned: int | None, fast: int) -> None:
    begun, waiting = (
        EventFactory.create(club=club, format="swiss", accelerated=True, rounds_planned=planned)
        for _ in range(2)
    )
    RoundFactory.create(event=begun, number=1)
    migrate(_MIGRATION.fix_acceleration)
    rounds = dict(Event.objects.values_list("pk", "accelerated_rounds"))
    assert rounds == {begun.pk: fast, waiting.pk: None}


def test_new_entries_are_drawn_by_their_codes(club: Club) -> None:
    event = EventFactory.create(club=club, state=EventState.RUNNING)
    entry = Entry.objects.create(event=event, name="Ann")
    assert entry.drawn_as == entry.code
