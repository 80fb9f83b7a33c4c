"""Connection options for the two databases."""

import sqlite3
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper


def with_options(config: dict[str, Any], *, pool_size: int) -> dict[str, Any]:
    """Django's database entry for a parsed `DATABASE_URL`, with the options this project relies on.

    SQLite: readers never wait for the writer (WAL), a commit is on disk when it returns (synchronous FULL),
    and a transaction takes the write lock when it begins, so it waits up to 30 s for its turn instead of
    failing halfway. A thread keeps its connection for a minute: opening one reads the whole schema, which
    takes longer than many a request. PostgreSQL: connections come from a pool and are checked when they are
    taken, for the server may have restarted meanwhile; `?host=/path` names a socket's folder.
    """
    options = dict(config.pop("OPTIONS", {}))
    if config["ENGINE"] == "django.db.backends.sqlite3":
        config["CONN_MAX_AGE"] = 60
        options |= {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        }
    else:
        for name in ("host", "port"):
            if name in options:
                config[name.upper()] = str(options.pop(name))
        config["CONN_HEALTH_CHECKS"] = True
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    return {**config, "OPTIONS": options, "ATOMIC_REQUESTS": False}


def allow_long_statements(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Raises SQLite's limit of parameters per statement, so that many rows go in one.

    Django up to 5.2 assumes the 999 of SQLite versions before 3.32 (May 2020).
    """
    if isinstance(connection.connection, sqlite3.Connection):
        most = connection.connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
        connection.features.max_query_params = most
