"""A backup of everything in one file, in the same format for both databases.

The file is a zip: `manifest.json` lists the migrations it was made with and the number of rows per table;
`tables/<app.Model>.jsonl` has a table, one row per line. It is read in one snapshot while others keep
writing, and restored in one transaction: all of it or nothing. Since the format belongs to neither database,
a backup also moves a club from SQLite to PostgreSQL. One of an earlier version is restored into a new
database: into tables as they were then, which are migrated afterwards.
"""

import base64
import contextlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from django.apps import apps
from django.apps.registry import Apps
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps
from django.utils import timezone
from django.utils.duration import duration_iso_string
from django.utils.translation import gettext as _

from deploy.places import COMMAND
from league.record import triggers
from league.upkeep.retention import note_deletions_since

FORMAT = "gin-league-backup"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
ROWS_AT_ONCE = 500

# Sessions, failed logins, how often rows were written: not worth keeping, and better gone after a restore. So
# are the outboxes: what waited in them then has been told since.
NOT_KEPT = {
    "sessions",
    "usersessions",
    "axes",
    "league.WriteCount",
    "league.Notice",
    "league.WebhookDelivery",
}
# Filled by Django, the sweep and triggers, so rows here do not mean that the database is in use.
FILLED_BY_ITSELF = {
    "contenttypes.ContentType",
    "auth.Permission",
    "games.SiteHeartbeat",
    "league.SweepMark",
    "league.Deletion",
}

AnyModel = type[models.Model]
Progress = Callable[[str, int], None]


class BackupError(Exception):
    """The backup cannot be made or restored; the message is for people."""


def write_backup(path: Path, *, progress: Progress) -> int:
    """Backs the database up into `path`, readable by its owner only; returns the number of rows.

    The file appears whole or not at all. `BackupError` if the database cannot be read. `progress(table,
    rows)` is called as rows are written.
    """
    descriptor, own = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, _snapshot():
                counts = {
                    model._meta.label: _write_table(archive, model, progress)
                    for model in _kept_models(_all_models(apps))
                }
                manifest = {
                    "format": FORMAT,
                    "version": FORMAT_VERSION,
                    "migrations": sorted(".".join(key) for key in _applied_migrations()),
                    "tables": counts,
                }
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
            file.flush()
            os.fsync(file.fileno())
        Path(own).replace(path)
    except DatabaseError as error:
        said = _("The database cannot be read (%(reason)s). Run `%(command)s migrate` first?")
        raise BackupError(said % {"reason": error, "command": COMMAND}) from error
    finally:
        Path(own).unlink(missing_ok=True)
    return sum(counts.values())


def restore_backup(path: Path, *, replace: bool, progress: Progress) -> int:
    """Fills the database from a backup; returns the number of rows. Creates missing tables first.

    Refuses with `BackupError` a file that is no complete backup, was made with later migrations, or with
    fewer than a database that has tables; and, without `replace`, a database that holds anything. A refusal
    changes nothing: all of it is one transaction, during which nobody else can read or write these tables.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _read_manifest(archive)
            if connection.introspection.table_names():
                former = None
            else:
                former = _make_former_tables(set(manifest["migrations"]))
            if former is not None:
                rows = _fill_former_tables(former, archive, manifest["tables"], progress)
            else:
                _refuse_other_migrations(set(manifest["migrations"]))
                with transaction.atomic():
                    if not replace:
                        _refuse_if_in_use()
                    with triggers.silenced(connection.alias):
                        rows = _replace_everything(_all_models(apps), archive, manifest["tables"], progress)
                    # What was there before the restore is gone without a note.
                    note_deletions_since(timezone.now())
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        said = _("%(file)s is not a backup, or only part of one: %(reason)s.")
        raise BackupError(said % {"file": path, "reason": error}) from error
    except (DatabaseError, ValidationError, ValueError, KeyError, TypeError) as error:
        said = _("%(file)s cannot be restored, nothing was changed: %(reason)s.")
        raise BackupError(said % {"file": path, "reason": error}) from error
    ContentType.objects.clear_cache()
    return rows


def executor_of_each() -> MigrationExecutor:
    """What migrates by each migration, also by those that one replaces in a new database."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor


@contextlib.contextmanager
def _snapshot() -> Iterator[None]:
    """A read transaction on a snapshot of the database, which does not block writers."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        connection.ensure_connection()
        sqlite = cast(Any, connection)  # missing from its type: transaction_mode
        usual = sqlite.transaction_mode
        sqlite.transaction_mode = "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            sqlite.transaction_mode = usual


def _all_models(registry: Apps) -> list[AnyModel]:
    found = registry.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def _kept_models(found: Iterable[AnyModel]) -> list[AnyModel]:
    return [model for model in found if NOT_KEPT.isdisjoint((model._meta.app_label, model._meta.label))]


def _fields(model: AnyModel) -> "list[models.Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if not field.generated]


def _applied_migrations() -> Iterable[tuple[str, str]]:
    """Those that one migration replaces for a new database, and not that one: so all versions list alike.

    Nor one that did so in a former version, and is noted where it made the tables.
    """
    loader = executor_of_each().loader
    return {
        (app, name)
        for app, name in loader.applied_migrations.keys() - loader.replacements.keys()
        if (app, name) in loader.graph.nodes or "_squashed_" not in name
    }


def _write_table(archive: zipfile.ZipFile, model: AnyModel, progress: Progress) -> int:
    names = [field.attname for field in _fields(model)]
    count = 0
    with archive.open(_member(model._meta.label), "w", force_zip64=True) as table:
        table.write(json.dumps(names).encode() + b"\n")
        rows = model._base_manager.order_by("pk").values_list(*names)
        for row in rows.iterator(chunk_size=2000):
            count += 1
            table.write(json.dumps(row, default=_as_text, ensure_ascii=False).encode() + b"\n")
            progress(model._meta.label, 1)
    return count


def _member(label: str) -> str:
    return f"tables/{label}.jsonl"


def _as_text(value: Any) -> str:
    """Values without a JSON equivalent, as their fields parse them; nothing is rounded."""
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return duration_iso_string(value)
        case Decimal() | UUID():
            return str(value)
        case bytes() | memoryview():
            return base64.b64encode(value).decode("ascii")
    raise TypeError(f"{type(value).__name__} has no form in a backup")


def _read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
    except (KeyError, ValueError):
        manifest = {}
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BackupError(_("This zip file is not a backup of this program."))
    if manifest["version"] != FORMAT_VERSION:
        raise BackupError(_("The backup was made by a newer version of this program; restore it with that."))
    damaged = archive.testzip()
    if damaged:
        raise BackupError(_("The backup is damaged at %(place)s.") % {"place": damaged})
    return manifest


def _refuse_other_migrations(theirs: set[str]) -> None:
    ours = {".".join(key) for key in _applied_migrations()}
    if unknown := sorted(theirs - ours):
        raise BackupError(
            _(
                "The backup needs migrations that this database does not have: %(migrations)s. "
                "Run `%(command)s migrate`, or restore it with the newer version it was made by."
            )
            % {"migrations": ", ".join(unknown), "command": COMMAND}
        )
    if missing := sorted(ours - theirs):
        raise BackupError(
            _(
                "The backup is older than this database; it lacks the migrations %(migrations)s. "
                "Restore it into a new database, which is then brought up to this version."
            )
            % {"migrations": ", ".join(missing)}
        )


def _refuse_if_in_use() -> None:
    for model in _kept_models(_all_models(apps)):
        if model._meta.label not in FILLED_BY_ITSELF and model._base_manager.exists():
            raise BackupError(
                _(
                    "The database is not empty: there are %(rows)s. "
                    "With --replace the backup takes the place of everything in it."
                )
                % {"rows": model._meta.verbose_name_plural}
            )


def _make_former_tables(theirs: set[str]) -> StateApps | None:
    """Makes the tables of a new database: of these migrations, if they are of an earlier version.

    Returns the models of then; None if the tables are those of this version.
    """
    executor = executor_of_each()
    graph = executor.loader.graph
    nodes = {node for node in graph.nodes if ".".join(node) in theirs}
    if len(nodes) < len(theirs) or nodes == graph.nodes.keys() - executor.loader.replacements.keys():
        call_command("migrate", interactive=False, verbosity=0)
        return None
    children = {node: graph.node_map[node].children for node in nodes}
    last = [node for node in nodes if not any(child.key in nodes for child in children[node])]
    return make_tables_of(last)


def make_tables_of(last: list[tuple[str, str]]) -> StateApps:
    """Makes the tables that an empty database has after these migrations; returns the models of then.

    At once, by the models: one migration after the other they would take many times as long, and what those
    do with rows has nothing to do here.
    """
    executor = executor_of_each()
    former = executor.loader.project_state(last).apps
    with connection.schema_editor() as editor:
        for model in former.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
    executor.recorder.ensure_schema()
    for migration, _backwards in executor.migration_plan(last, clean_start=True):
        executor.recorder.record_applied(migration.app_label, migration.name)
    return former


def _fill_former_tables(
    former: StateApps, archive: zipfile.ZipFile, counts: dict[str, int], progress: Progress
) -> int:
    """Fills tables of an earlier version, and migrates them; migrates them empty if the file is refused."""
    try:
        with transaction.atomic():
            return _replace_everything(_all_models(former), archive, counts, progress)
    finally:
        call_command("migrate", interactive=False, verbosity=0)
        note_deletions_since(timezone.now())


def _replace_everything(
    everything: list[AnyModel], archive: zipfile.ZipFile, counts: dict[str, int], progress: Progress
) -> int:
    tables = [model._meta.db_table for model in everything]
    # On PostgreSQL a single TRUNCATE, which also locks all tables until the end.
    emptying = connection.ops.sql_flush(no_style(), tables, reset_sequences=True)
    with connection.cursor() as cursor:
        for statement in emptying:
            cursor.execute(statement)
    rows = sum(
        _read_table(archive, model, counts[model._meta.label], progress) for model in _kept_models(everything)
    )
    connection.check_constraints()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), everything):
            cursor.execute(statement)
    return rows


def _read_table(archive: zipfile.ZipFile, model: AnyModel, expected: int, progress: Progress) -> int:
    named = {field.attname: field for field in _fields(model)}
    count = 0
    with archive.open(_member(model._meta.label)) as table:
        names = json.loads(table.readline())
        if sorted(names) != sorted(named):
            said = _("The backup has other columns in %(table)s than this version.")
            raise BackupError(said % {"table": model._meta.label})
        # Models of an earlier version have their fields in the order of its migrations.
        fields = [named[name] for name in names]
        with _inserting(model._meta.db_table, [field.column or "" for field in fields]) as insert:
            while lines := list(islice(table, ROWS_AT_ONCE)):
                # As `save_base(raw=True)` does for fixtures: rows keep their times and keys.
                insert(
                    [
                        field.get_db_prep_save(field.to_python(value), connection)
                        for field, value in zip(fields, json.loads(line), strict=True)
                    ]
                    for line in lines
                )
                count += len(lines)
                progress(model._meta.label, len(lines))
    if count != expected:
        said = _("The backup has %(rows)d rows of %(table)s instead of %(expected)d.")
        raise BackupError(said % {"rows": count, "table": model._meta.label, "expected": expected})
    return count


@contextlib.contextmanager
def _inserting(table: str, columns: Iterable[str]) -> Iterator[Callable[[Iterable[list[Any]]], None]]:
    """Yields what inserts rows of values as the database takes them: on PostgreSQL by `COPY`."""
    quoted = [connection.ops.quote_name(name) for name in columns]
    into = f"{connection.ops.quote_name(table)} ({', '.join(quoted)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:

                def write(rows: Iterable[list[Any]]) -> None:
                    for row in rows:
                        copy.write_row(row)

                yield write
        else:
            insert = f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(quoted))})"  # noqa: S608
            yield lambda rows: cursor.executemany(insert, list(rows))
