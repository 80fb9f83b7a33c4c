"""The empty database that tests start with: migrated once, then copied for every worker and run.

On SQLite it is a file in pytest's cache; on PostgreSQL a database from which the test databases are created
with TEMPLATE. Its name is a digest of what it was made from, so other migrations make another database.
Whatever `migrate` does each time, such as creating triggers, it also does to the copy. `--cache-clear` forces
a new one.
"""

import contextlib
import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import django
import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql

_PREFIX = "test_prepared_"
# The advisory lock of the PostgreSQL session that makes it, while others wait: an arbitrary number.
_LOCK = 7_146_303


def copy_on_sqlite(folder: Path) -> None:
    """Puts a copy of the prepared database, kept in `folder`, in place of the test database."""
    prepared = folder / f"{_name()}.sqlite3"
    with _only_one(folder / "lock"):
        if not prepared.exists():
            for old in folder.glob(f"{_PREFIX}*"):
                old.unlink()
            unfinished = folder / f"{_PREFIX}unfinished"
            _migrate(str(unfinished))
            unfinished.rename(prepared)
        shutil.copyfile(prepared, connection.settings_dict["TEST"]["NAME"])


def name_template_on_postgresql() -> None:
    """Has the test database created from the prepared one on the same server."""
    name = _name()
    server = connection.settings_dict
    with psycopg.connect(
        host=server["HOST"],
        port=server["PORT"] or None,
        user=server["USER"],
        password=server["PASSWORD"],
        dbname="postgres",
        autocommit=True,
    ) as session:
        session.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        found = session.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_PREFIX]
        ).fetchall()
        if (name,) not in found:
            for (old,) in found:
                session.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
            unfinished = sql.Identifier(f"{_PREFIX}unfinished")
            session.execute(sql.SQL("CREATE DATABASE {}").format(unfinished))
            _migrate(f"{_PREFIX}unfinished")
            session.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(unfinished, sql.Identifier(name))
            )
    server["TEST"]["TEMPLATE"] = name


def _name() -> str:
    """The name of the prepared database, a digest of everything that determines a migrated empty database."""
    digest = hashlib.sha256(f"{django.get_version()} {settings.MIGRATION_MODULES}".encode())
    for app in apps.get_app_configs():
        for file in sorted(Path(app.path).glob("migrations/*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    return f"{_PREFIX}{digest.hexdigest()[:20]}"


def _migrate(name: str) -> None:
    """Migrates the empty database with this name on the test server, or in this file."""
    opened: dict[str, Any] = connection.settings_dict
    before = opened["NAME"]
    _leave()
    opened["NAME"] = name
    try:
        call_command("migrate", interactive=False, verbosity=0, run_syncdb=True)
    finally:
        _leave()
        opened["NAME"] = before


def _leave() -> None:
    """Closes the connection, and on PostgreSQL the pool that would keep it open."""
    connection.close()
    if connection.vendor == "postgresql":
        cast("Any", connection).close_pool()


@contextlib.contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Waits until no other process is inside."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
