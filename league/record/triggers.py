"""Triggers that record when a row was last written or deleted, and how often: see `league.models.tracking`.

They are in the database so that no way of writing bypasses them, generated from this file, and installed
after every `migrate`. Rows that are shown as part of another (a player's aliases, an entry's members, a
match's appearances) touch that one. Rows that become visible because of another (a released round, an event
that leaves its draft, a club that opens) are touched by it; otherwise clients that follow changes would miss
them.
"""

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import AppConfig
from django.db import connections
from django.db.backends.utils import CursorWrapper

from league.models import Deletion, WriteCount
from league.record.write_counts import COUNTED, CountedTable, end_versions


@dataclass(frozen=True, slots=True)
class _Tombstone:
    """What a tombstone contains: the public id, club and event, and whether only directors saw the row.

    All as SQL over OLD; `source` is a FROM clause for what is not in OLD.
    """

    resource: str
    public_id: str
    club: str
    event: str = "NULL"
    hidden: str = "FALSE"
    source: str = ""


_OF_EVENT: Final = "FROM league_event e WHERE e.id = OLD.event_id"
_DRAFTED: Final = "e.state = 'draft'"
_ROUND_DRAFTED: Final = "OLD.round_id IN (SELECT d.id FROM league_round d WHERE d.state = 'drafted')"

_TOMBSTONES: Final[dict[str, _Tombstone]] = {
    # Club 0 is public: anybody may know that a public club is gone, and no row is left to ask.
    "league_club": _Tombstone("clubs", "OLD.slug", "CASE WHEN OLD.is_public THEN 0 ELSE OLD.id END"),
    "league_membership": _Tombstone("memberships", "OLD.code", "OLD.club_id"),
    "league_clubrules": _Tombstone(
        "house-rules",
        "r.code",
        "OLD.club_id",
        source="FROM scoring_houserules r WHERE r.id = OLD.rules_id",
    ),
    "league_player": _Tombstone("players", "OLD.code", "OLD.club_id"),
    "league_season": _Tombstone("seasons", "OLD.code", "OLD.club_id"),
    "league_event": _Tombstone("events", "OLD.code", "OLD.club_id", "OLD.id", "OLD.state = 'draft'"),
    "league_entry": _Tombstone("entries", "OLD.code", "e.club_id", "e.id", _DRAFTED, _OF_EVENT),
    "league_round": _Tombstone(
        "rounds", "OLD.code", "e.club_id", "e.id", f"({_DRAFTED} OR OLD.state = 'drafted')", _OF_EVENT
    ),
    "league_match": _Tombstone(
        "matches",
        "OLD.code",
        "e.club_id",
        "e.id",
        f"({_DRAFTED} OR {_ROUND_DRAFTED})",
        _OF_EVENT,
    ),
}
# A blank sheet is deleted after its match has released it, when nothing says any more whose it was. Voided
# sheets stay with the club.
_SHEET: Final = _Tombstone(
    "sheets",
    "s.code",
    "e.club_id",
    "e.id",
    f"({_DRAFTED} OR {_ROUND_DRAFTED})",
    "FROM scoring_scoresheet s, league_event e"
    " WHERE s.id = OLD.sheet_id AND s.version = 0 AND e.id = OLD.event_id",
)
# Likewise its bot match, which has no club of its own and is deleted with the sheet.
_BOT_MATCHES: Final = "games_botmatch"
# The published columns; not the workers' heartbeats.
_BOT_MATCH_PUBLISHED: Final = "state, bots, loser_side, due_at, started_at, ended_at, updated_at"
_BOT_MATCH: Final = _Tombstone(
    "bot-matches",
    "b.code",
    "e.club_id",
    "e.id",
    _SHEET.hidden,
    f"FROM games_botmatch b, {_SHEET.source.removeprefix('FROM ')} AND b.sheet_id = s.id",
)
# A row of the first table is published with the row of the second that its column refers to.
_PARTS: Final = (
    ("league_playeralias", "league_player", "player_id"),
    ("league_entrymember", "league_entry", "entry_id"),
    ("league_appearance", "league_match", "match_id"),
)


@dataclass(frozen=True, slots=True)
class _Opening:
    """A change of a row that shows or hides others.

    `when` is the condition over OLD and NEW; `tells` the tables to touch in lock order, each with a condition
    over NEW.
    """

    table: str
    columns: str
    when: str
    tells: tuple[tuple[str, str], ...]


_IN_CLUB: Final = "event_id IN (SELECT e.id FROM league_event e WHERE e.club_id = NEW.id)"
_IN_ROUND: Final = "match_id IN (SELECT m.id FROM league_match m WHERE m.round_id = NEW.id)"


def _sheets(matches: str, former: str, more: str = "") -> tuple[tuple[str, str], tuple[str, str]]:
    """The sheets of these matches, present and former, and the bot matches on them."""
    of_matches = f"SELECT sheet_id FROM league_match WHERE {matches}"  # noqa: S608
    of_former = f"SELECT sheet_id FROM league_formersheet WHERE {former}"  # noqa: S608
    sheets = f"({of_matches} UNION {of_former}{more})"
    return ("scoring_scoresheet", f"id IN {sheets}"), (_BOT_MATCHES, f"sheet_id IN {sheets}")


_OPENINGS: Final = (
    _Opening(
        "league_round",
        "released_at, state",
        "(OLD.released_at IS NULL) <> (NEW.released_at IS NULL)"
        " OR (OLD.state = 'drafted') <> (NEW.state = 'drafted')",
        (*_sheets("round_id = NEW.id", _IN_ROUND), ("league_match", "round_id = NEW.id")),
    ),
    _Opening(
        "league_event",
        "state, holds_results",
        "(OLD.state = 'draft') <> (NEW.state = 'draft') OR OLD.holds_results <> NEW.holds_results",
        (
            *_sheets("event_id = NEW.id", "event_id = NEW.id"),
            ("league_match", "event_id = NEW.id"),
            ("league_round", "event_id = NEW.id"),
            ("league_entry", "event_id = NEW.id"),
        ),
    ),
    _Opening(
        "league_club",
        "is_public",
        "OLD.is_public <> NEW.is_public",
        (
            ("league_player", "club_id = NEW.id"),
            *_sheets(
                _IN_CLUB,
                "club_id = NEW.id",
                " UNION SELECT sheet_id FROM league_exhibition WHERE club_id = NEW.id",
            ),
            ("league_match", _IN_CLUB),
            ("league_event", "club_id = NEW.id"),
            ("league_round", _IN_CLUB),
            ("league_entry", _IN_CLUB),
            ("league_season", "club_id = NEW.id"),
            ("league_clubrules", "club_id = NEW.id"),
        ),
    ),
)


# Count a write at a place, whose columns are from a `source`.
_NOTE_ON_SQLITE: Final = (
    "INSERT INTO league_writecount (club_id, event_id, sheet_id, writer, number)"
    " SELECT {columns}, 0, 1 {source}"
    " ON CONFLICT (club_id, event_id, sheet_id, writer) DO UPDATE SET number = number + 1;"
)
_NOTE_ON_POSTGRESQL: Final = "PERFORM league_note_write({columns}) {source};"
# Once for each statement and place, as far as rows of a place follow each other: every time leaves a version
# of the count's row behind, which the next has to pass.
_NOTE_WRITE: Final = """
CREATE OR REPLACE FUNCTION league_note_write(club bigint, event bigint, sheet bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    this text := concat_ws(' ', extract(epoch FROM statement_timestamp()), club, event, sheet);
BEGIN
    IF current_setting('league.noted', true) = this THEN
        RETURN;
    END IF;
    UPDATE league_writecount SET number = number + 1 WHERE id = (
        SELECT c.id FROM league_writecount c
        WHERE c.club_id = club AND c.event_id = event AND c.sheet_id = sheet
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    );
    IF NOT FOUND THEN
        INSERT INTO league_writecount (club_id, event_id, sheet_id, writer, number)
        VALUES (club, event, sheet, (random() * 9e15)::bigint, 1);
    END IF;
    PERFORM set_config('league.noted', this, true);
END$$
"""
# SQLite has milliseconds and compares times as text, so all must have six decimals; Django omits a fraction
# of zero, so the last digit is never zero.
_SQLITE_NOW: Final = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '001'"
# The tables whose rows are stamped, and on which writes, by the names of their triggers.
_STAMPED: Final = {
    **{table: (table, "UPDATE") for table in _TOMBSTONES},
    "league_bot_match": (_BOT_MATCHES, f"UPDATE OF {_BOT_MATCH_PUBLISHED}"),
}


@dataclass(frozen=True, slots=True)
class _Trigger:
    """Statements run after each row of `table` that is written (`on`), provided that `when` holds."""

    name: str
    on: str
    table: str
    does: str
    when: str = "TRUE"


def remove(sender: AppConfig, using: str, plan: Sequence[tuple[Any, bool]] | None = None, **_: Any) -> None:
    """Drop the triggers that are in the way of the migrations in `plan`; receives `pre_migrate`.

    SQLite cannot rename, and so not remake, a table that another table's trigger names. On PostgreSQL they
    stay, but for the way back, on which the tables that they write into go.
    """
    goes_back = plan is not None and any(backwards for _migration, backwards in plan)
    if plan != [] and (connections[using].vendor == "sqlite" or goes_back):
        _remove(using)


def install(sender: AppConfig, using: str, **_: Any) -> None:
    """Install all triggers; receives `post_migrate`. What was written without them ends all versions."""
    if _install(using):
        end_versions()


@contextlib.contextmanager
def silenced(using: str) -> Iterator[None]:
    """Write rows with the times they have, and delete without tombstones: for a restore.

    Needs a transaction, whose rollback also restores the triggers, and whose constraints are checked before
    the block ends: PostgreSQL does not alter a table with pending checks. Writes are not counted; no version
    of before is one of after.
    """
    connection = connections[using]
    if connection.vendor == "postgresql":
        tables = sorted({*_TOMBSTONES, _BOT_MATCHES, *(part for part, *_ in _PARTS), *COUNTED})
        with connection.cursor() as cursor:
            cursor.execute(";".join(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables))
        yield
        with connection.cursor() as cursor:
            cursor.execute(";".join(f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables))
    else:
        _remove(using)
        yield
        _install(using)
    end_versions()


def _remove(using: str) -> None:
    connection = connections[using]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _drop_functions(cursor, but=())
        else:
            for name in _kept_on_sqlite(cursor):
                cursor.execute(f"DROP TRIGGER {name}")


def _install(using: str) -> bool:
    """Install the triggers whose tables are there, and return whether writes are counted.

    Migrated back to before the counts, only the others; to before the last of those, none.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if Deletion._meta.db_table not in tables:
            return False
        for table, needed in ((Deletion._meta.db_table, "is_hidden"), (_BOT_MATCHES, "updated_at")):
            described = connection.introspection.get_table_description(cursor, table)
            if needed not in {column.name for column in described}:
                return False
        counts = WriteCount._meta.db_table in tables
        counted = {table: each for table, each in COUNTED.items() if counts and table in tables}
        if connection.vendor == "postgresql":
            _install_on_postgresql(cursor, counted)
        else:
            _install_on_sqlite(cursor, counted)
        return bool(counted)


def _install_on_sqlite(cursor: CursorWrapper, counted: Mapping[str, CountedTable]) -> None:
    """Make each trigger that is not there as it is to be; drop those of an earlier version."""
    triggers = list(_triggers(_SQLITE_NOW, _NOTE_ON_SQLITE, counted))
    for name, (table, written) in _STAMPED.items():
        stamp = f"UPDATE {table} SET updated_at = {_SQLITE_NOW} WHERE id = NEW.id;"  # noqa: S608
        triggers.append(_Trigger(f"{name}_added", "INSERT", table, stamp))
        # Not the trigger's own update; a row may be saved with the time it was read with.
        unstamped = "NEW.updated_at <= OLD.updated_at"
        triggers.append(_Trigger(f"{name}_changed", written, table, stamp, unstamped))
    wanted = {
        each.name: f"CREATE TRIGGER {each.name} AFTER {each.on} ON {each.table} FOR EACH ROW"
        f" WHEN {each.when} BEGIN {each.does} END"
        for each in triggers
    }
    kept = _kept_on_sqlite(cursor)
    for name, statement in kept.items():
        if wanted.get(name) != statement:
            cursor.execute(f"DROP TRIGGER {name}")
    for name, statement in wanted.items():
        if kept.get(name) != statement:
            cursor.execute(statement)


def _kept_on_sqlite(cursor: CursorWrapper) -> dict[str, str]:
    """The SQL of the installed triggers, by name."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'league_%'")
    return dict(cursor.fetchall())


def _install_on_postgresql(cursor: CursorWrapper, counted: Mapping[str, CountedTable]) -> None:
    """Make each trigger with a function of its own name; drop those of an earlier version."""
    functions = {"league_stamp": "NEW.updated_at := clock_timestamp(); RETURN NEW;"}
    triggers = [
        f"{name}_changed BEFORE INSERT OR {written} ON {table} FOR EACH ROW EXECUTE FUNCTION league_stamp()"
        for name, (table, written) in _STAMPED.items()
    ]
    # Locks each table's rows in the common order.
    in_order = "PERFORM 1 FROM {table} WHERE {rows} ORDER BY id FOR NO KEY UPDATE; "
    for each in _triggers("clock_timestamp()", _NOTE_ON_POSTGRESQL, counted, first=in_order):
        functions[each.name] = f"{each.does} RETURN NULL;"
        triggers.append(
            f"{each.name} AFTER {each.on} ON {each.table} FOR EACH ROW"
            f" WHEN ({each.when}) EXECUTE FUNCTION {each.name}()"
        )
    statements = [_NOTE_WRITE] + [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {body} END$$"
        for name, body in functions.items()
    ]
    statements += [f"CREATE OR REPLACE TRIGGER {trigger}" for trigger in triggers]
    cursor.execute(";".join(statements))
    _drop_functions(cursor, but=functions)


def _drop_functions(cursor: CursorWrapper, *, but: Collection[str]) -> None:
    """Drop PostgreSQL's functions of triggers, but for these, with their triggers."""
    cursor.execute(
        "SELECT proname FROM pg_proc WHERE prorettype = 'trigger'::regtype"
        " AND pronamespace = current_schema()::regnamespace AND proname LIKE 'league\\_%'"
    )
    for (name,) in cursor.fetchall():
        if name not in but:
            cursor.execute(f"DROP FUNCTION {name}() CASCADE")


def _triggers(
    now: str, note: str, counted: Mapping[str, CountedTable], first: str = ""
) -> Iterator[_Trigger]:
    """Yield all triggers but the stamps.

    `now` is the time in SQL, `note` counts a write to one of the `counted` at its place, `first` locks rows
    about to be touched.
    """

    def touch(table: str, rows: str) -> str:
        return f"UPDATE {table} SET updated_at = {now} WHERE {rows};"  # noqa: S608

    def tombstone(told: _Tombstone) -> str:
        return (
            "INSERT INTO league_deletion (resource, public_id, club_id, event_id, is_hidden, at) "
            f"SELECT '{told.resource}', {told.public_id}, {told.club}, {told.event}, {told.hidden}, {now} "
            f"{told.source};"
        )

    for table, told in _TOMBSTONES.items():
        yield _Trigger(f"{table}_gone", "DELETE", table, tombstone(told))
    for part, table, key in _PARTS:
        rows = {"INSERT": f"NEW.{key}", "UPDATE": f"OLD.{key}, NEW.{key}", "DELETE": f"OLD.{key}"}
        for on, ids in rows.items():
            does = touch(table, f"id IN ({ids})")
            yield _Trigger(f"{part}_{on.lower()}", on, part, does)
    for opening in _OPENINGS:
        name, columns = f"{opening.table}_opened", f"UPDATE OF {opening.columns}"
        does = " ".join(
            first.format(table=table, rows=rows) + touch(table, rows) for table, rows in opening.tells
        )
        yield _Trigger(name, columns, opening.table, does, opening.when)
    # A club that changes its slug is gone from the old one.
    gone = tombstone(_TOMBSTONES["league_club"])
    yield _Trigger("league_club_renamed", "UPDATE OF slug", "league_club", gone, "OLD.slug <> NEW.slug")
    # A match has released its sheet: a blank one is gone with its bot match, any other bot match touched.
    gone = f"{tombstone(_SHEET)} {tombstone(_BOT_MATCH)} {touch(_BOT_MATCHES, 'sheet_id = OLD.sheet_id')}"
    another = "COALESCE(OLD.sheet_id, 0) <> COALESCE(NEW.sheet_id, 0)"
    yield _Trigger("league_match_let_go", "UPDATE OF sheet_id", "league_match", gone, another)
    for table, each in counted.items():
        columns, source = each.place
        for on, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            changed = f"UPDATE OF {each.columns}" if on == "UPDATE" and each.columns else on
            does = note.format(columns=columns, source=source or "WHERE TRUE").format(row=row)
            yield _Trigger(f"league_count_{table}_{on.lower()}", changed, table, does)
