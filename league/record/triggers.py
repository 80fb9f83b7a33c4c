"""Triggers that record when a row was last written or deleted: see `league.models.tracking`.

They are in the database so that no way of writing bypasses them, generated from this file, and installed
after every `migrate`. Rows that are shown as part of another (a player's aliases, an entry's members, a
match's appearances) touch that one. Rows that become visible because of another (a released round, an event
that leaves its draft, a club that opens) are touched by it; otherwise clients that follow changes would miss
them.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.apps import AppConfig
from django.db import connections
from django.db.backends.utils import CursorWrapper

from league.models import Deletion


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


# SQLite has milliseconds and compares times as text, so all must have six decimals; Django omits a fraction
# of zero, so the last digit is never zero.
_SQLITE_NOW: Final = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '001'"
# Not the trigger's own update; a row may be saved with the time it was read with.
_NOT_STAMPED: Final = "NEW.updated_at <= OLD.updated_at"


def remove(sender: AppConfig, using: str, **_: Any) -> None:
    """Drop SQLite's triggers; receives `pre_migrate`.

    SQLite cannot rename, and so not remake, a table that another table's trigger names.
    """
    if connections[using].vendor == "sqlite":
        _remove_from_sqlite(using)


def install(sender: AppConfig, using: str, **_: Any) -> None:
    """Install all triggers; receives `post_migrate`."""
    _install(using)


@contextlib.contextmanager
def silenced(using: str) -> Iterator[None]:
    """Write rows with the times they have, and delete without tombstones: for a restore.

    Needs a transaction, whose rollback also restores the triggers, and whose constraints are checked before
    the block ends: PostgreSQL does not alter a table with pending checks.
    """
    connection = connections[using]
    if connection.vendor == "postgresql":
        tables = {*_TOMBSTONES, _BOT_MATCHES, *(belonging for belonging, *_ in _PARTS)}
        with connection.cursor() as cursor:
            cursor.execute(";".join(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in sorted(tables)))
        yield
        with connection.cursor() as cursor:
            cursor.execute(";".join(f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in sorted(tables)))
    else:
        _remove_from_sqlite(using)
        yield
        _install(using)


def _remove_from_sqlite(using: str) -> None:
    with connections[using].cursor() as cursor:
        for name in _kept_on_sqlite(cursor):
            cursor.execute(f"DROP TRIGGER {name}")


def _install(using: str) -> None:
    connection = connections[using]
    with connection.cursor() as cursor:
        if Deletion._meta.db_table not in connection.introspection.table_names(cursor):
            return
        for table, needed in ((Deletion._meta.db_table, "is_hidden"), (_BOT_MATCHES, "updated_at")):
            described = connection.introspection.get_table_description(cursor, table)
            if needed not in {column.name for column in described}:
                # Migrated back to before the triggers.
                return
        if connection.vendor == "postgresql":
            cursor.execute(";\n".join(_postgresql()))
            return
        kept = _kept_on_sqlite(cursor)
        for name, statement in _sqlite().items():
            if kept.get(name) != statement:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                cursor.execute(statement)


def _kept_on_sqlite(cursor: CursorWrapper) -> dict[str, str]:
    """The SQL of the installed triggers, by name."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'league_%'")
    return dict(cursor.fetchall())


def _sqlite() -> dict[str, str]:
    """The SQL of the wanted triggers, by name."""
    triggers = {}

    def add(name: str, when: str, table: str, does: str) -> None:
        triggers[name] = f"CREATE TRIGGER {name} AFTER {when} ON {table} FOR EACH ROW {does} END"

    for table, told in _TOMBSTONES.items():
        stamp = f"UPDATE {table} SET updated_at = {_SQLITE_NOW} WHERE id = NEW.id;"  # noqa: S608
        add(f"{table}_added", "INSERT", table, f"BEGIN {stamp}")
        add(f"{table}_changed", "UPDATE", table, f"WHEN {_NOT_STAMPED} BEGIN {stamp}")
        add(f"{table}_gone", "DELETE", table, f"BEGIN {_insert(told, _SQLITE_NOW)}")
    stamp = f"BEGIN UPDATE {_BOT_MATCHES} SET updated_at = {_SQLITE_NOW} WHERE id = NEW.id;"  # noqa: S608
    add("league_bot_match_added", "INSERT", _BOT_MATCHES, stamp)
    add(
        "league_bot_match_changed",
        f"UPDATE OF {_BOT_MATCH_PUBLISHED}",
        _BOT_MATCHES,
        f"WHEN {_NOT_STAMPED} {stamp}",
    )
    for belonging, table, key in _PARTS:
        touch = f"UPDATE {table} SET updated_at = {_SQLITE_NOW} WHERE id ="  # noqa: S608
        add(f"{belonging}_added", "INSERT", belonging, f"BEGIN {touch} NEW.{key};")
        add(f"{belonging}_changed", "UPDATE", belonging, f"BEGIN {touch} OLD.{key}; {touch} NEW.{key};")
        add(f"{belonging}_gone", "DELETE", belonging, f"BEGIN {touch} OLD.{key};")
    for opening in _OPENINGS:
        tell = " ".join(_touch(table, rows, _SQLITE_NOW) for table, rows in opening.tells)
        add(
            f"{opening.table}_opened",
            f"UPDATE OF {opening.columns}",
            opening.table,
            f"WHEN {opening.when} BEGIN {tell}",
        )
    add("league_club_renamed", "UPDATE OF slug", "league_club", f"BEGIN {_renamed(_SQLITE_NOW)}")
    let_go = f"WHEN OLD.sheet_id IS NOT NEW.sheet_id BEGIN {_sheet_released(_SQLITE_NOW)}"
    add("league_match_let_go", "UPDATE OF sheet_id", "league_match", let_go)
    return triggers


def _postgresql() -> list[str]:
    statements = [
        """CREATE OR REPLACE FUNCTION league_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.updated_at := clock_timestamp(); RETURN NEW; END $$""",
    ]

    def add(name: str, when: str, table: str, function: str, condition: str = "TRUE") -> None:
        statements.append(
            f"CREATE OR REPLACE TRIGGER {name} {when} ON {table} FOR EACH ROW WHEN ({condition})"
            f" EXECUTE FUNCTION {function}()"
        )

    def define(function: str, does: str) -> None:
        statements.append(
            f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN {does} RETURN NULL; END $$"
        )

    for table, told in _TOMBSTONES.items():
        add(f"{table}_changed", "BEFORE INSERT OR UPDATE", table, "league_stamp")
        define(f"{table}_tell", _insert(told, "clock_timestamp()"))
        add(f"{table}_gone", "AFTER DELETE", table, f"{table}_tell")
    written = f"BEFORE INSERT OR UPDATE OF {_BOT_MATCH_PUBLISHED}"
    add("league_bot_match_changed", written, _BOT_MATCHES, "league_stamp")
    for belonging, table, key in _PARTS:
        touch = f"UPDATE {table} SET updated_at = clock_timestamp() WHERE id ="  # noqa: S608
        define(
            f"{belonging}_touch",
            f"IF TG_OP <> 'INSERT' THEN {touch} OLD.{key}; END IF; "
            f"IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.{key} <> OLD.{key}) "
            f"THEN {touch} NEW.{key}; END IF;",
        )
        add(f"{belonging}_told", "AFTER INSERT OR UPDATE OR DELETE", belonging, f"{belonging}_touch")
    for opening in _OPENINGS:
        function, columns = f"{opening.table}_tell_opened", f"AFTER UPDATE OF {opening.columns}"
        # Locks each table's rows in the common order.
        orders = (
            f"PERFORM 1 FROM {table} WHERE {rows} ORDER BY id FOR NO KEY UPDATE; "
            + _touch(table, rows, "clock_timestamp()")
            for table, rows in opening.tells
        )
        define(function, " ".join(orders))
        add(f"{opening.table}_opened", columns, opening.table, function, opening.when)
    define("league_club_tell_renamed", _renamed("clock_timestamp()"))
    add("league_club_renamed", "AFTER UPDATE OF slug", "league_club", "league_club_tell_renamed")
    tell = _sheet_released("clock_timestamp()")
    define("league_match_tell_sheet", f"IF OLD.sheet_id IS DISTINCT FROM NEW.sheet_id THEN {tell} END IF;")
    add("league_match_let_go", "AFTER UPDATE OF sheet_id", "league_match", "league_match_tell_sheet")
    return statements


def _touch(table: str, rows: str, now: str) -> str:
    return f"UPDATE {table} SET updated_at = {now} WHERE {rows};"  # noqa: S608


def _insert(told: _Tombstone, now: str) -> str:
    return (
        "INSERT INTO league_deletion (resource, public_id, club_id, event_id, is_hidden, at) "
        f"SELECT '{told.resource}', {told.public_id}, {told.club}, {told.event}, {told.hidden}, {now} "
        f"{told.source};"
    )


def _sheet_released(now: str) -> str:
    """A match has released its sheet: a blank one is gone with its bot match, any other bot match touched."""
    gone = f"{_insert(_SHEET, now)} {_insert(_BOT_MATCH, now)}"
    return f"{gone} {_touch(_BOT_MATCHES, 'sheet_id = OLD.sheet_id', now)}"


def _renamed(now: str) -> str:
    """A club that changes its slug is gone from the old one."""
    return _insert(_TOMBSTONES["league_club"], now).removesuffix(";") + " WHERE OLD.slug <> NEW.slug;"
