"""What comes in sight because of another row is told anew to who follows; all else is left alone."""

import datetime
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models

from deploy.backups import executor_of_each
from league.draws.releasing import release_round, withhold_round
from league.events.event_life import close_to_draft, open_entries, start_event
from league.events.events import change_event
from league.matches.matches import renew_sheet
from league.models import (
    Club,
    Deletion,
    Entry,
    Event,
    EventState,
    Exhibition,
    Match,
    Round,
    RoundState,
    Season,
)
from league.people.clubs import change_club
from league.record import triggers
from league.record.write_counts import version_of
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import open_sheet, void_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    house_rules,
    play,
)
from tests.league.api.world import ANYBODY, World, make_world
from tests.league.stamps import stamps, told_anew

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def world() -> World:
    """The club, with a sheet that was replaced and one that is no match's."""
    world = make_world()
    second = MatchFactory.create(event=world.event, round=world.round)
    assert second.sheet is not None
    play(second, 5)
    void_sheet(actor=OPERATOR, sheet=second.sheet, reason="wrong table")
    renew_sheet(actor=OPERATOR, match=Match.objects.get(pk=second.pk))
    sides = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    sheet = open_sheet(actor=OPERATOR, rules=house_rules(), sides=sides, label="exhibition")
    Exhibition.objects.create(sheet=sheet, club=world.club)
    # Another round, which has no part in what the first is told of.
    MatchFactory.create(event=world.event, round=RoundFactory.create(event=world.event))
    return world


def _all_of(rows: models.QuerySet[Any]) -> set[int]:
    return set(rows.values_list("pk", flat=True))


def _of_round(round_: Round) -> dict[type[models.Model], set[int]]:
    """A round, with its matches, their sheets and those that were replaced."""
    sheets = Scoresheet.objects.filter(models.Q(match__round=round_) | models.Q(former__match__round=round_))
    return {Round: {round_.pk}, Match: _all_of(round_.matches.all()), Scoresheet: _all_of(sheets)}


def _of_event(event: Event) -> dict[type[models.Model], set[int]]:
    """An event, with all that hangs on it."""
    sheets = Scoresheet.objects.filter(models.Q(match__event=event) | models.Q(former__event=event))
    return {
        Event: {event.pk},
        Entry: _all_of(event.entries.all()),
        Round: _all_of(event.rounds.all()),
        Match: _all_of(event.matches.all()),
        Scoresheet: _all_of(sheets),
    }


def test_release_tells_the_matches_and_sheets_of_the_round(world: World) -> None:
    Event.objects.filter(pk=world.event.pk).update(holds_results=True)
    expected = _of_round(world.round)
    assert (len(expected[Match]), len(expected[Scoresheet])) == (3, 4)
    assert told_anew(lambda: release_round(actor=OPERATOR, round_=world.round)) == expected
    assert told_anew(lambda: withhold_round(actor=OPERATOR, round_=world.round)) == expected
    # To be saved as it is shows nobody anything.
    assert told_anew(Round.objects.get(pk=world.round.pk).save) == {Round: {world.round.pk}}


def test_program_that_follows_hears_of_what_is_released(world: World) -> None:
    Event.objects.filter(pk=world.event.pk).update(holds_results=True)
    sheet = Scoresheet.objects.get(match=world.match)
    assert sheet.code not in {row["code"] for row in ANYBODY.get("sheets/")["results"]}
    latest = max(Match.objects.get(pk=world.match.pk).updated_at, sheet.updated_at)
    release_round(actor=OPERATOR, round_=world.round)
    since = (latest + datetime.timedelta(microseconds=1)).isoformat()
    for address, code in (("matches/", world.match.code), ("sheets/", sheet.code)):
        assert code in {row["code"] for page in ANYBODY.followed(address, since) for row in page["results"]}


def test_round_that_is_published_tells_its_matches(world: World) -> None:
    rows = Round.objects.filter(pk=world.round.pk)
    expected = _of_round(world.round)
    for state in (RoundState.DRAFTED, RoundState.PUBLISHED):
        assert told_anew(partial(rows.update, state=state)) == expected, state
    assert told_anew(lambda: rows.update(state=RoundState.COMPLETE)) == {Round: {world.round.pk}}


def test_event_that_is_no_draft_tells_all_that_hangs_on_it(world: World) -> None:
    event = world.event
    expected = _of_event(event)
    assert len(expected[Scoresheet]) == 5
    Event.objects.filter(pk=event.pk).update(state=EventState.DRAFT)
    assert told_anew(lambda: open_entries(actor=OPERATOR, event=event)) == expected
    assert told_anew(lambda: close_to_draft(actor=OPERATOR, event=event)) == expected
    assert told_anew(lambda: start_event(actor=OPERATOR, event=event)) == expected
    assert told_anew(lambda: change_event(actor=OPERATOR, event=event, holds_results=True)) == expected
    renamed = told_anew(lambda: change_event(actor=OPERATOR, event=event, name="Other"))
    assert renamed == {Event: {event.pk}}


def test_club_that_opens_tells_all_that_it_has(world: World) -> None:
    other = EntryFactory.create()
    everything: dict[type[models.Model], set[int]] = {}
    for model, pk in stamps():
        everything.setdefault(model, set()).add(pk)
    for row in (other, other.event, other.event.club, *other.players.all()):
        everything[type(row)].discard(row.pk)
    for is_public in (False, True):
        told = told_anew(partial(change_club, actor=OPERATOR, club=world.club, is_public=is_public))
        assert told == everything, is_public
    renamed = told_anew(lambda: change_club(actor=OPERATOR, club=world.club, name="Other"))
    assert renamed == {Club: {world.club.pk}}


@pytest.mark.parametrize("plan", [None, []], ids=["", "nothing to migrate"])
def test_what_an_earlier_version_put_in_place_goes_with_it(world: World, plan: list[Any] | None) -> None:
    forged = "UPDATE league_season SET name = 'Forged' WHERE id = NEW.id;"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION league_earlier() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$BEGIN {forged} RETURN NULL; END$$"
            )
            cursor.execute(
                "CREATE TRIGGER league_earlier AFTER UPDATE OF slug ON league_season FOR EACH ROW"
                " EXECUTE FUNCTION league_earlier()"
            )
        else:
            cursor.execute(
                f"CREATE TRIGGER league_earlier AFTER UPDATE OF slug ON league_season BEGIN {forged} END"
            )
    seasons = Season.objects.filter(pk=world.season.pk)
    seasons.update(slug="other")
    assert seasons.get().name == "Forged"
    for take in (triggers.remove, triggers.install):
        take(sender=apps.get_app_config("league"), using="default", plan=plan)
    seasons.update(slug="winter", name="Winter")
    assert seasons.get().name == "Winter"
    assert told_anew(lambda: seasons.update(name="Winter 2026")) == {Season: {world.season.pk}}


def test_triggers_stay_while_there_is_nothing_to_migrate(world: World) -> None:
    triggers.remove(sender=apps.get_app_config("league"), using="default", plan=[])
    seasons = Season.objects.filter(pk=world.season.pk)
    assert told_anew(lambda: seasons.update(name="Winter 2026")) == {Season: {world.season.pk}}


def test_what_is_written_while_tables_are_migrated_ends_versions(world: World) -> None:
    league = apps.get_app_config("league")
    before = version_of(world.club.slug, world.event.slug)
    triggers.remove(sender=league, using="default", plan=[(None, False)])
    Entry.objects.filter(event=world.event).update(is_guest=True)
    triggers.install(sender=league, using="default", plan=[(None, False)])
    assert version_of(world.club.slug, world.event.slug) != before


@pytest.mark.django_db(transaction=True)
def test_before_writes_were_counted_all_else_is_noted(world: World) -> None:
    """Back over the migration that counts, and forward again, with all tables that have come since."""
    before = version_of(world.club.slug)
    gone = EventFactory.create(club=world.club, season=None)
    counting = ("league", "0036_counts_of_writes")
    loader = executor_of_each().loader
    migration = loader.graph.nodes[counting]
    league = apps.get_app_config("league")
    triggers.remove(sender=league, using="default", plan=[(migration, True)])
    with connection.schema_editor() as editor:
        migration.unapply(loader.project_state(counting, at_end=False), editor)
    triggers.install(sender=league, using="default")
    try:
        seasons = Season.objects.filter(pk=world.season.pk)
        assert told_anew(lambda: seasons.update(name="Winter 2026")) == {Season: {world.season.pk}}
        gone.delete()
        assert Deletion.objects.filter(resource="events", club_id=world.club.pk).exists()
    finally:
        with connection.schema_editor() as editor:
            migration.apply(loader.project_state(counting, at_end=False), editor)
        triggers.install(sender=league, using="default")
    now = version_of(world.club.slug)
    seasons.update(name="Winter")
    assert len({before, now, version_of(world.club.slug)}) == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.dear("migrates back and forth")
@pytest.mark.long
def test_back_over_all_migrations_to_before_writes_were_counted_all_else_is_noted(world: World) -> None:
    before = version_of(world.club.slug)
    gone = EventFactory.create(club=world.club, season=None)
    back = executor_of_each()
    targets = [("league", "0035_tie_breaks_as_fide_has_them")]
    plan = back.migration_plan(targets)
    league = apps.get_app_config("league")
    triggers.remove(sender=league, using="default", plan=plan)
    back.migrate(targets)
    triggers.install(sender=league, using="default", plan=plan)
    try:
        seasons = Season.objects.filter(pk=world.season.pk)
        assert told_anew(lambda: seasons.update(name="Winter 2026")) == {Season: {world.season.pk}}
        # One statement: what hangs on it has columns that are not there.
        Event.objects.filter(pk=gone.pk)._raw_delete("default")
        assert Deletion.objects.filter(resource="events", club_id=world.club.pk).exists()
    finally:
        call_command("migrate", "league", verbosity=0)
    now = version_of(world.club.slug)
    seasons.update(name="Winter")
    assert len({before, now, version_of(world.club.slug)}) == 3
