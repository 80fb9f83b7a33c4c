"""The empty database that tests begin with: made by `migrate` once, then copied for every worker and run.

On SQLite it is a file that is kept in pytest's cache; on PostgreSQL a database beside those of the tests,
from which they are made with TEMPLATE. Its name says what it was made from: other migrations are another
database, and what `migrate` does each time, such as putting triggers in place, it does to the copy as well.
`--cache-clear` has it made anew.
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
# Of the session on PostgreSQL in which it is made, while others wait: any number nobody else takes.
_LOCK = 7_146_303


def copy_on_sqlite(folder: Path) -> None:
    """Put a copy of the prepared database, kept in `folder`, where the test database is to be."""
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
    """Have the test database made from the prepared one on the same server."""
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
    """The name of the prepared database, by all that decides what `migrate` makes of an empty one."""
    digest = hashlib.sha256(f"{django.get_version()} {settings.MIGRATION_MODULES}".encode())
    for app in apps.get_app_configs():
        for file in sorted(Path(app.path).glob("migrations/*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    return f"{_PREFIX}{digest.hexdigest()[:20]}"


def _migrate(name: str) -> None:
    """Migrate the empty database of this name on the server of the tests, or in this file."""
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
    """Close the connection, and on PostgreSQL the pool that would keep it open."""
    connection.close()
    if connection.vendor == "postgresql":
        cast("Any", connection).close_pool()


@contextlib.contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Wait until no other process is in here."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
