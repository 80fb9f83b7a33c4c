"""A club's database of before there were doors (API, phones) becomes one of today, and keeps what it held."""

import contextlib
import datetime
import io
import json
import re
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deploy import backups
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.models import (
    Club,
    Deletion,
    Entry,
    Event,
    Match,
    Membership,
    Player,
    PlayerAlias,
    Round,
    Season,
    Standing,
)
from league.models.notice_kinds import usual_kinds, usual_pushed_kinds
from league.people.erasing import erase_person
from league.people.players import merge_players
from league.policy import actor_of
from league.tables import ratings
from scoring.core.rules import Rules
from scoring.models import DealVersion, Scoresheet, Seat, SheetAct
from scoring.services import record_deals
from scoring.services.feats import SeatFeats, SideFeats
from tests import pdf_text
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    count_table,
    play,
    won,
)

pytestmark = pytest.mark.postgresql

FORMER: Final = [
    ("league", "0006_fill_exhibition_players"),
    ("scoring", "0001_initial"),
    ("games", "0002_bot_match_attempts"),
]
# The version before sheets told figures by side.
BEFORE_SIDES: Final = [
    ("league", "0038_accounts_of_merged_players"),
    ("scoring", "0009_sheets_by_time_of_change"),
    ("games", "0005_notes_are_sentences"),
]
LATELY: Final = [
    ("league", "0073_seats_of_offers"),
    ("scoring", "0012_feats_of_sheets"),
    ("games", "0014_sitting_in"),
]
# The version before an offer to play a match online was that of a side.
BEFORE_ONLINE_OFFERS: Final = ("league", "0073_seats_of_offers")
# The version before a seat referred to its person.
BEFORE_PERSONS: Final = [("league", "0016_naming_texts"), ("scoring", "0005_seats_refer_to_persons")]
AFTER_PERSONS: Final = ("league", "0017_seats_refer_to_persons")
AFTER_ONLINE_OFFERS: Final = ("league", "0074_offers_to_play_online")
_OFFERED_AT: Final = datetime.datetime(2026, 11, 1, 18, tzinfo=datetime.UTC)
DJANGO: Final = ("admin", "auth", "contenttypes", "sessions")
# Written by the services of that time, as `dumpdata` writes rows: a member who is a user, a name with an
# alias, two seasons, an event of five and a draft; sheets blank, begun, ended, signed, corrected, voided and
# made anew, and a match that was given.
ROWS: Final = Path(__file__).with_name("rows_before_doors.json")

# What every row has now where it had nothing: all columns that came since are here or in the next two.
NEW: Final[dict[str, dict[str, Any]]] = {
    "league.Club": {
        "place": "",
        "contact": "",
        "about": "",
        "colour": "",
        "logo": "",
        "is_demo": False,
        "is_guided": False,
        "is_indexed": True,
        "has_learn_pages": True,
        "has_phrases": False,
        "rated_games": "none",
        "told_by_mail": usual_kinds(),
        "told_by_push": usual_pushed_kinds(),
        "joining": "invited",
        "claiming": "officer",
    },
    "league.AuditEntry": {"door": "", "address": None},
    "league.ClubRules": {"is_shared": False},
    "league.Rating": {"elo": 0.0},
    "league.RatingStep": {"exhibition_id": None},
    "league.Entry": {"annulled_at": None, "told_place": None, "paid_at": None, "captain_id": None},
    "league.Event": {
        "rests_between_groups": False,
        "taken_over": False,
        "best_next": 0,
        "prizes": 0,
        "groups_compared": "per_match",
        "level_as_listed": False,
        "lot_settled_bracket": False,
        "lot_settled_places": False,
        "accelerated": False,
        "accelerated_rounds": None,
        "counts_when": "at_once",
        "played": "at_table",
        "online_clock": "none",
        "online_time_out": "clock",
        "sits_in_id": None,
        "sits_in_counts": "played",
        "odd_table": "played",
        "is_duplicate": False,
        "packs_played": "twice",
        "hall_match_id": None,
        "holds_results": False,
        "challenge_reach": 3,
        "challenge_days": 14,
        "protected_days": 0,
        "absence_days": 28,
        "table_size": 4,
        "place_points": "3 1 0",
        "venue": "",
        "starts_at": None,
        "round_minutes": None,
        "about": "",
        "contact": "",
        "fee": "",
        "places": None,
        "who_enters": "director",
        "entries_open_at": None,
        "entries_close_at": None,
        "lowest_rating": None,
        "highest_rating": None,
        "divisions_of_id": None,
        "highest_division": None,
        "lowest_division": None,
        "approves_entries": False,
    },
    "league.Match": {
        "at_table": [],
        "entry_c_id": None,
        "entry_d_id": None,
        "entry_e_id": None,
        "entry_f_id": None,
        "confirmed_version": None,
        "annulled": False,
        "play_off_id": None,
        "given_points": None,
        "given_points_b": None,
        "planned_at": None,
        "planned_place": "",
        "last_day_told": None,
        "bot_side": None,
        "bye_given": False,
    },
    "league.Appearance": {"sits_in_for_id": None},
    "league.Player": {
        "email": None,
        "external_id": None,
        "under_age_until": None,
        "nickname": "",
        "shown_as": "name",
        "erased_at": None,
    },
    "league.Round": {
        "ends_at": None,
        "called_at": None,
        "closed_reason": "",
        "last_day": None,
        "released_at": None,
        "drawn_from": None,
        "scores": None,
    },
    "league.Standing": {
        "best_place": None,
        "worst_place": None,
        "place_decided": False,
        "qualification": "",
    },
    "scoring.HouseRules": {"copied_from_id": None},
    "scoring.SheetAct": {"door": "", "address": None},
}
# What the deals give, told by the migration; whether it is right `rebuild` says.
FEATS: Final = {"scoring.Seat": SeatFeats._fields, "scoring.Side": SideFeats._fields}
CODED: Final = {"league.Entry", "league.Event", "league.Membership", "league.Season"}
TRACKED: Final = CODED | {
    "games.BotMatch",
    "league.Club",
    "league.ClubRules",
    "league.Match",
    "league.Player",
    "league.Round",
}

_OWN: Final = re.compile(r"\b(league|scoring|games)_")
_BETWEEN_COLUMNS: Final = re.compile(r', (?=")|, (?=CONSTRAINT)|(?<=") \((?=")')
# Django names an index after what it was first made for, and a unique column's after the column of then.
_NAME_OF_INDEX: Final = re.compile(r" INDEX \S+ ON ")
_DEFINED_ON_POSTGRESQL: Final = """
    SELECT attrelid::regclass::text, concat_ws(' ', attrelid::regclass, attname,
        format_type(atttypid, atttypmod), attnotnull, attidentity, attcollation::regcollation,
        pg_get_expr(adbin, adrelid))
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relkind = 'r'
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION SELECT conrelid::regclass::text, concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid),
        CASE WHEN contype = 'c' THEN conname END) FROM pg_constraint
    UNION SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    UNION SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
"""

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def made_at_once(transactional_db: None) -> set[str]:
    """How the tables are that a new database gets, by one migration an app."""
    return _definitions()


@pytest.fixture
def no_tables(made_at_once: set[str], tmp_path: Path, settings: Any) -> Iterator[None]:
    """A database in which there is nothing yet, instead of that of the tests, which is left as it is."""
    settings.MIGRATION_MODULES = {}
    usual = connection.settings_dict["NAME"]
    name = str(tmp_path / "former.sqlite3") if connection.vendor == "sqlite" else f"{usual}_former"
    _make_database(name)
    _open(name)
    try:
        yield
    finally:
        _open(usual)
        _drop_database(name)


def _definitions() -> set[str]:
    """Columns, constraints, indexes and triggers of the product, whatever their order and their own names."""
    if connection.vendor == "sqlite":
        sql = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    else:
        sql = _DEFINED_ON_POSTGRESQL
    with connection.cursor() as cursor:
        cursor.execute(sql)
        found = [(table, text) for table, text in cursor.fetchall() if _OWN.search(text)]
    if connection.vendor == "postgresql":
        return {f"{table}: {_NAME_OF_INDEX.sub(' INDEX ON ', text)}" for table, text in found}
    # The columns of a table stand in the order in which they came.
    return {
        f"{table}: {part}" for table, text in found for part in _BETWEEN_COLUMNS.split(text.removesuffix(")"))
    }


def _open(name: str) -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["NAME"] = name


def _make_database(name: str) -> None:
    if connection.vendor == "postgresql":
        _drop_database(name)
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)} TEMPLATE template0")


def _drop_database(name: str) -> None:
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")


@pytest.fixture
def former(no_tables: None) -> Rows:
    """The tables of that time with their rows, which are given as they are read there."""
    apps = _make_tables(FORMER)
    _write_rows(apps)
    return _all_rows(apps)


def _make_tables(nodes: list[tuple[str, str]]) -> StateApps:
    """Make what migrations up to these make, and Django's own."""
    leaves = backups.executor_of_each().loader.graph.leaf_nodes()
    return backups.make_tables_of([*(node for node in leaves if node[0] in DJANGO), *nodes])


def _migrated(*nodes: tuple[str, str]) -> StateApps:
    """Migrate there, forward or back."""
    return backups.executor_of_each().migrate(list(nodes)).apps


def _other_leaves() -> list[tuple[str, str]]:
    """The last migrations of apps that are not the product's."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    return [node for node in leaves if node[0] not in ("league", "scoring", "games")]


def _write_former_backup(apps: StateApps, file: Path) -> None:
    """A backup as the version of these models wrote it."""
    models = backups._kept_models(backups._all_models(apps))
    with zipfile.ZipFile(file, "w") as archive:
        tables = {
            model._meta.label: backups._write_table(archive, model, lambda table, rows: None)
            for model in models
        }
        manifest = {
            "format": backups.FORMAT,
            "version": backups.FORMAT_VERSION,
            "migrations": sorted(".".join(key) for key in backups._applied_migrations()),
            "tables": tables,
        }
        archive.writestr(backups.MANIFEST, json.dumps(manifest))


def _without_sheets(file: Path) -> Path:
    """A copy of a backup in which the rows of one table are missing."""
    spoilt = file.with_name("spoilt.backup")
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(spoilt, "w") as copy:
        for name in whole.namelist():
            text = whole.read(name)
            copy.writestr(name, text.partition(b"\n")[0] + b"\n" if "Scoresheet." in name else text)
    return spoilt


@contextlib.contextmanager
def _another_database(name: str) -> Iterator[None]:
    """A database in which there is nothing yet, instead of the one that is open."""
    first = connection.settings_dict["NAME"]
    other = f"{first}_{name}"
    _make_database(other)
    _open(other)
    try:
        yield
    finally:
        _open(first)
        _drop_database(other)


def _write_rows(apps: StateApps) -> None:
    rows: dict[type[models.Model], list[models.Model]] = {}
    for row in json.loads(ROWS.read_text(encoding="utf-8")):
        model = apps.get_model(row["model"])
        values = {
            field.attname: field.to_python(row["fields"][field.name])
            for field in model._meta.local_fields
            if field.name in row["fields"]
        }
        rows.setdefault(model, []).append(model(pk=row["pk"], **values))
    _add_rows(rows)


def _add_rows(rows: dict[type[models.Model], list[models.Model]]) -> None:
    with transaction.atomic():
        for model, made in rows.items():
            model._default_manager.bulk_create(made)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(rows)):
            cursor.execute(statement)


def _all_rows(apps: StateApps) -> Rows:
    kept = ("auth.User", "scoring.", "games.", "league.")
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.label.startswith(kept)
    }


def test_every_migration_can_go_back() -> None:
    own = {
        key: each for key, each in MigrationLoader(None).disk_migrations.items() if _OWN.match(f"{key[0]}_")
    }
    assert len(own) > 75
    assert [key for key, each in own.items() if not all(step.reversible for step in each.operations)] == []


@pytest.mark.django_db
def test_no_migration_needs_one_that_stands_for_others_in_a_new_database() -> None:
    """A database of a former version has those others, and would get its tables a second time."""
    loader = backups.executor_of_each().loader
    nodes = loader.graph.node_map.values()
    needed = {(node.key, parent.key) for node in nodes for parent in node.parents}
    assert not [need for need in needed if need[1] in loader.replacements and need[0][0] != need[1][0]]
    assert loader.replacements


@pytest.mark.elsewhere
@pytest.mark.dear("migrates a club from the first version on, and restores it")
def test_a_former_club_is_as_it_was_and_goes_on(
    former: Rows, made_at_once: set[str], tmp_path: Path, long: bool
) -> None:
    """From the first version on, with a stop before sheets told figures by side.

    A backup is written there, or lately unless the test is to be long, and restored.
    """
    began = timezone.now() - datetime.timedelta(seconds=1)
    between = _migrated(*_other_leaves(), *BEFORE_SIDES)
    before = _all_rows(between)
    if not long:
        # What the restored club is migrated by once more.
        between = _migrated(*_other_leaves(), *LATELY)
    file = tmp_path / "before.backup"
    _write_former_backup(between, file)
    call_command("migrate", verbosity=0)
    ended = timezone.now() + datetime.timedelta(seconds=1)
    assert _definitions() == made_at_once != set()
    now = _all_rows(MigrationExecutor(connection).loader.project_state().apps)
    _assert_is_as_it_was(former, deepcopy(now), began, ended)
    _assert_sheets_get_figures_by_side(before, now)
    _assert_rebuilds_alike()
    _assert_changes_are_noted()
    _assert_a_former_entry_is_answered_again()

    with _another_database("restored"):
        call_command("restore", file, verbosity=0)
        assert _definitions() == made_at_once
        restored = _all_rows(MigrationExecutor(connection).loader.project_state().apps)
        del now["league.WriteCount"], restored["league.WriteCount"]
        # Which tells when it was restored.
        assert len(restored.pop("league.SweepMark")) == 1
        del now["league.SweepMark"]
        assert restored == now
        _assert_rebuilds_alike()
    # On PostgreSQL what is refused breaks a transaction off.
    if long or connection.vendor == "postgresql":
        _assert_refused_leaves_nothing(_without_sheets(file))


@pytest.mark.dear("makes the tables of a former version")
def test_offer_to_play_a_match_becomes_that_of_a_side(no_tables: None) -> None:
    """What is answered is forgotten, and so is what somebody offers who does not play; friendly ones stay."""
    apps = _make_tables([BEFORE_ONLINE_OFFERS])
    with transaction.atomic():
        kept = _offered_before(apps)
    made = _migrated(AFTER_ONLINE_OFFERS).get_model("league", "OnlineOffer")
    assert list(made.objects.values_list("match__label", "side", "made_at")) == [("one", 1, _OFFERED_AT)]
    offers = made._meta.apps.get_model("league", "GameOffer").objects
    assert list(offers.values_list("code", flat=True)) == [kept]


def _offered_before(apps: StateApps) -> str:
    """Three matches of Ann and Bob: offered by him, offered and taken, and offered by Cid, who does not play.

    Returns the code of a friendly game that is offered, too.
    """

    def add(model: str, /, **values: Any) -> Any:
        app = "scoring" if model == "HouseRules" else "league"
        return apps.get_model(app, model).objects.create(**values)

    club = add("Club", name="Harbour", slug="harbour")
    rules = add("HouseRules", name="Rules", version=1, knobs=Rules.preset("standard").to_document())
    season = add("Season", club=club, name="2026", slug="2026")
    event = add("Event", club=club, season=season, name="League", slug="league", rules=rules, lot_seed=1)
    ann, bob, cid = (add("Player", club=club, name=name) for name in ("Ann", "Bob", "Cid"))
    entries = [add("Entry", event=event, name=each.name) for each in (ann, bob)]
    offered = (("one", "open", bob), ("two", "taken", bob), ("three", "open", cid))
    for number, (label, state, by) in enumerate(offered, start=1):
        round_ = add("Round", event=event, number=number)
        match = add("Match", event=event, round=round_, entry_a=entries[0], entry_b=entries[1], label=label)
        for side, player in enumerate((ann, bob)):
            seat = {"entry": entries[side], "player": player, "side": side, "position": 0}
            add("Appearance", match=match, round=round_, **seat)
        offer = add("GameOffer", club=club, by=by, match=match, state=state, made_at=_OFFERED_AT)
        add("OfferSeat", offer=offer, number=1, player=ann)
    friendly = add("GameOffer", club=club, by=ann, rules=rules)
    add("OfferSeat", offer=friendly, number=1, player=bob)
    return str(friendly.code)


@pytest.mark.dear("makes all tables, and migrates back and forth")
def test_who_is_erased_or_merged_and_what_is_hidden_stay_so(no_tables: None) -> None:
    """What today's services write is put into the tables of lately, as far as they had the columns."""
    call_command("migrate", verbosity=0)
    events = _played_with_erased_and_merged()
    papers, rows = _shown(events), _rows_shown()
    written = _all_rows(MigrationExecutor(connection).loader.project_state().apps)
    # Triggers count what is written there anew.
    del written["league.WriteCount"]
    with _another_database("lately"):
        _write_values(_make_tables(LATELY), written)
        call_command("migrate", verbosity=0)
        assert _rows_shown() == rows
        assert _shown(events) == papers
        said = io.StringIO()
        call_command("rebuild", stdout=said)
        assert said.getvalue() == "No differences.\n"


def _write_values(apps: StateApps, values: Rows) -> None:
    """Write these rows in the tables and columns that there are."""
    rows: dict[type[models.Model], list[models.Model]] = {}
    for model in apps.get_models():
        names = {field.attname for field in model._meta.local_fields}
        rows[model] = [
            model(**{name: value for name, value in row.items() if name in names})
            for row in values.get(model._meta.label, ())
        ]
    _add_rows(rows)


def _played_with_erased_and_merged() -> list[Event]:
    """Two events of a public club; in one a round is released and the next is not, and Bob is erased.

    Who played as Anne in the other is Ann.
    """
    club = ClubFactory.create(name="Harbour", slug="harbour", is_public=True)
    held = EventFactory.create(club=club, slug="winter", holds_results=True)
    past = EventFactory.create(club=club, slug="autumn")
    ann, bob = (EntryFactory.create(event=held, name=name) for name in ("Ann", "Bob"))
    for points in (120, -90):
        play(MatchFactory.create(event=held, entry_a=ann, entry_b=bob), points, stopped=True)
    release_round(actor=OPERATOR, round_=held.rounds.get(number=1))
    anne, cid = (EntryFactory.create(event=past, name=name) for name in ("Anne", "Cid"))
    play(MatchFactory.create(event=past, entry_a=anne, entry_b=cid), 75, stopped=True)
    of_entry = {each.name: each.players.get() for each in (ann, bob, anne)}
    merge_players(actor=OPERATOR, keep=of_entry["Ann"], drop=of_entry["Anne"])
    erase_person(actor=OPERATOR, player=of_entry["Bob"])
    for event in (held, past):
        count_table(event.pk)
    ratings.recalculate(club.pk)
    return [held, past]


def _rows_shown() -> list[list[dict[str, Any]]]:
    """Tables, sheets with their seats, and players, as they are stored."""
    seated = Scoresheet.objects.order_by("pk").values("status", "nets", "places", "derived", "deal_count")
    seats = Seat.objects.order_by("pk").values("name", "person", "side__name", *SeatFeats._fields)
    of_players = Player.objects.order_by("pk").values("name", "code", "erased_at", "merged_into")
    rounds = Round.objects.order_by("pk").values("number", "released_at", "event__holds_results")
    return [list(Standing.objects.order_by("pk").values()), *map(list, (seated, seats, of_players, rounds))]


def _shown(events: list[Event]) -> list[list[str]]:
    """What the printed tables of the events say to everybody."""
    shown = []
    for event in events:
        page = Client().get(reverse("event_standings_pdf", args=[event.club.slug, event.slug]))
        assert page.status_code == 200
        shown.append(pdf_text.texts(page.content))
    assert not [said for said in chain.from_iterable(shown) if "Bob" in said or "Anne" in said]
    return shown


@pytest.mark.dear("makes the tables of a former version")
def test_a_seat_of_nobody_who_is_known_keeps_its_name_and_is_counted(
    no_tables: None, capsys: pytest.CaptureFixture[str]
) -> None:
    apps = _make_tables(BEFORE_PERSONS)
    with transaction.atomic():
        code = _seated_before(apps)
    capsys.readouterr()
    seats = _migrated(AFTER_PERSONS).get_model("scoring", "Seat").objects.order_by("number")
    told = "seats that refer to a person: 1; whose name stays as written: 1"
    assert capsys.readouterr().out.strip() == told
    assert list(seats.values_list("name", "person")) == [("Ann", code), ("Eve Gone", "")]


def _seated_before(apps: StateApps) -> str:
    """A sheet of Ann, who is in the register, and of Eve, who is not; returns Ann's key."""

    def add(app: str, model: str, /, **values: Any) -> Any:
        return apps.get_model(app, model).objects.create(**values)

    club = add("league", "Club", name="Harbour", slug="harbour")
    rules = add(
        "scoring", "HouseRules", name="Rules", version=1, knobs=Rules.preset("standard").to_document()
    )
    sheet = add("scoring", "Scoresheet", rules=rules, actor_kind="operator", actor_id="1", actor_name="Tests")
    add("league", "Exhibition", sheet=sheet, club=club)
    for number, name in enumerate(("Ann", "Eve Gone")):
        side = add("scoring", "Side", sheet=sheet, position=number, name=name)
        add("scoring", "Seat", sheet=sheet, side=side, number=number, name=name)
    return str(add("league", "Player", club=club, name="Ann").code)


def _assert_is_as_it_was(former: Rows, now: Rows, began: datetime.datetime, ended: datetime.datetime) -> None:
    # The tables of running events are asked for, with the places still possible.
    asked = [row["event_id"] for row in now["league.StandingsRequest"]]
    now["league.StandingsRequest"] = former["league.StandingsRequest"]
    assert asked == list(Event.objects.exclude(standings_at=None).values_list("pk", flat=True)) != []
    # So are ratings, with what expected scores are told from.
    rated = {row["club_id"] for row in now["league.RatingsRequest"]}
    now["league.RatingsRequest"] = former["league.RatingsRequest"]
    assert rated == set(Player.objects.exclude(rating=None).values_list("club_id", flat=True)) != set()
    assert sum(len(rows) for rows in former.values()) > 150
    assert set(Event.objects.values_list("former_tie_breaks", flat=True)) == {True, False}
    for label, rows in former.items():
        _assert_kept(label, rows, now[label], began, ended)
    new_tables = now.keys() - former.keys()
    assert {"league.ApiToken", "league.Deletion", "scoring.Claim"} <= new_tables
    # Of before there is no version.
    assert {label for label in new_tables if now[label]} == {"league.WriteCount"}


def _assert_sheets_get_figures_by_side(before: Rows, now: Rows) -> None:
    """Equal sheets, tables and all else."""
    for label, rows in before.items():
        if label == "league.WriteCount":
            continue
        for old, new in zip(rows, now[label], strict=True):
            if label == "scoring.Scoresheet":
                told = dict(new)
                _assert_told_by_side(old, told)
                assert told == old
                continue
            assert {name: new[name] for name in old} == old, label
            # What has come since is as where there was nothing.
            came = new.keys() - old.keys() - set(FEATS.get(label, ()))
            assert {name: new[name] for name in came}.items() <= NEW.get(label, {}).items()
    assert len(before["scoring.Scoresheet"]) > 5
    assert {row["status"] for row in now["scoring.Scoresheet"]} >= {"open", "finished", "void"}
    assert now["league.WriteCount"]
    assert not any(rows for label, rows in now.items() if label not in before)


def _assert_refused_leaves_nothing(spoilt: Path) -> None:
    """Refused, a former backup leaves the tables of this version, and nothing in them."""
    with _another_database("spoilt"):
        with pytest.raises(CommandError, match=r"has 0 rows of scoring.Scoresheet instead of \d+"):
            call_command("restore", spoilt, verbosity=0)
        assert not Club.objects.exists()


@pytest.mark.dear("makes all tables, and migrates back and forth")
def test_lots_go_back_to_the_former_version_and_come_again(no_tables: None) -> None:
    """A key is the number of a name's SHA-256: then in its 64 digits, now in decimal figures."""
    before, after = ("league", "0033_readiness_is_tried"), ("league", "0034_lots_by_keys")
    apps = _make_tables([after])
    digests = {name: sha256(name.encode()).hexdigest() for name in ("Ann", "Bob")}
    figures = {name: str(int(digest, 16)) for name, digest in digests.items()}
    _write_entries(apps, {**figures, "Eva": ""})
    entries = _migrated(before).get_model("league", "Entry").objects
    assert dict(entries.values_list("name", "lot_number")) == {**digests, "Eva": ""}
    entries = _migrated(after).get_model("league", "Entry").objects
    now = dict(entries.values_list("name", "lot_key"))
    assert now == {**figures, "Eva": str(int(sha256(b"Eva").hexdigest(), 16))}


def _write_entries(apps: StateApps, keys: dict[str, str]) -> None:
    """Enter these names with the keys of their lots in an event."""

    def made(app: str, model: str, **values: Any) -> Any:
        return apps.get_model(app, model).objects.create(**values)

    club = made("league", "Club", name="Club", slug="club")
    rules = made("scoring", "HouseRules", name="Rules", knobs={})
    event = made("league", "Event", club=club, rules=rules, name="Cup", slug="cup", criteria=["match_points"])
    for name, key in keys.items():
        made("league", "Entry", event=event, name=name, lot_key=key)


def _name_of(code: str) -> str:
    """What the player of this key is called."""
    return Player.objects.get(code=code).name


def _assert_kept(
    label: str,
    before: list[dict[str, Any]],
    after: list[dict[str, Any]],
    began: datetime.datetime,
    ended: datetime.datetime,
) -> None:
    """What was there is unchanged, and what is new has the value that says so."""
    assert len(after) == len(before), label
    codes = set()
    told_anything = False
    for old, new in zip(before, after, strict=True):
        if label == "games.BotMatch":
            new["note"] = new.pop("said")
        if label == "scoring.Scoresheet":
            _assert_told_by_side(old, new)
        assert {name: new[name] for name in old} == old, label
        added = {name: value for name, value in new.items() if name not in old}
        if label in CODED:
            codes.add(added.pop("code"))
        if label in TRACKED:
            assert began <= added.pop("updated_at") <= ended, label
        if label == "league.Entry":
            assert added.pop("lot_key") == str(int(sha256(new["name"].encode()).hexdigest(), 16))
        if label == "scoring.SheetAct":
            holder = f"{new['actor_kind']}:{new['actor_id']}" if new["key"] else ""
            assert added.pop("key_holder") == holder
        if label == "league.Event":
            # Whatever was drawn keeps the tie-breaks of its table.
            assert added.pop("former_tie_breaks") is Match.objects.filter(event=new["id"]).exists()
        if label == "scoring.Seat":
            assert _name_of(added.pop("person")) == new["name"]
        told = [added.pop(name) for name in FEATS.get(label, ())]
        told_anything |= any(told)
        assert added == NEW.get(label, {}), label
    assert told_anything is (label == "scoring.Seat"), label
    if label in CODED:
        assert len(codes) == len(after) > 0, label
        assert all(len(code) == 10 and code.isalnum() for code in codes), label


def _assert_told_by_side(old: dict[str, Any], new: dict[str, Any]) -> None:
    """The net of the first side and the winner have become figures of both sides."""
    net, winner = old.pop("net"), old.pop("winner_side")
    assert new.pop("nets") == [net, -net]
    columns = [column["status"] for column in old["derived"].get("columns", [])] or ["open"]
    level = [] if "open" in columns else [1, 1]
    assert new.pop("places") == {0: [1, 2], 1: [2, 1], None: level}[winner]


def _assert_rebuilds_alike() -> None:
    """What is derived anew, once what waits for a worker is done, is what the rows say."""
    for event in Event.objects.exclude(standings_at=None):
        recalculate(event.pk)
        ratings.recalculate(event.club_id)
    said = io.StringIO()
    call_command("rebuild", stdout=said)
    assert said.getvalue() == "No differences.\n"


def _assert_changes_are_noted() -> None:
    """The triggers stand: however a row is written, who follows hears of it, and of what is gone."""
    rows: list[tuple[type[models.Model], dict[str, Any]]] = [
        (Club, {"time_zone": "UTC"}),
        (Entry, {"seed": None}),
        (Event, {"team_size": 1}),
        (Match, {"planned_on": None}),
        (Membership, {"role": "member"}),
        (Player, {"nickname": "Annie"}),
        (Round, {"date": None}),
        (Season, {"name": "Cold"}),
    ]
    for model, change in rows:
        manager = model._default_manager
        before = manager.order_by("pk").values("pk", "updated_at")[0]
        manager.filter(pk=before["pk"]).update(**change)
        assert manager.values_list("updated_at", flat=True).get(pk=before["pk"]) > before["updated_at"], model

    alias = PlayerAlias.objects.select_related("player").get()
    alias.delete()
    assert Player.objects.get(pk=alias.player_id).updated_at > alias.player.updated_at
    gone = Membership.objects.get(user__username="boss")
    Membership.objects.filter(pk=gone.pk).delete()
    assert list(Deletion.objects.values_list("resource", "public_id", "club_id")) == [
        ("memberships", gone.code, gone.club_id)
    ]


def _assert_a_former_entry_is_answered_again() -> None:
    """A program that never heard the answer to what it sent before the new version asks again."""
    act = SheetAct.objects.select_related("sheet").get(key="first")
    sheet = act.sheet
    first, second = sheet.sides.order_by("position").values_list("name", flat=True)
    deals = [won(first, second, 300), won(second, first, 40), won(first, second, 200)]
    clerk = actor_of(Membership.objects.select_related("user").get(user__username="clerk").user)
    before = DealVersion.objects.count(), Scoresheet.objects.values().get(pk=sheet.pk)

    receipt = record_deals(actor=clerk, sheet=sheet, key="first", deals=deals)

    assert receipt.repeated
    assert (receipt.version, receipt.first, receipt.count) == (1, 1, 3)
    assert (DealVersion.objects.count(), Scoresheet.objects.values().get(pk=sheet.pk)) == before
