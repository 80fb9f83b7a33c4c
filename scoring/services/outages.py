"""Faults of the surroundings that pass: the database restarts, its pool is empty, the disk is full."""

import errno
import sqlite3
from typing import Final

import psycopg
from django.db import Error

# Primary result codes of SQLite: https://www.sqlite.org/rescode.html. Its OperationalError also tells of
# statements that are wrong, and those do not pass.
_SQLITE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
_PRIMARY: Final = 0xFF
_DISK: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}


def passes(error: BaseException | None) -> bool:
    """Whether the same request may well succeed in a while, with nothing changed by this one."""
    if isinstance(error, OSError):
        return error.errno in _DISK
    cause = error.__cause__ if isinstance(error, Error) else error
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & _PRIMARY in _SQLITE
    # The connection is gone, was refused, or was not to be had within the pool's time; resources are
    # exhausted; a lock was waited for too long; the server takes no writes.
    return isinstance(
        cause, psycopg.OperationalError | psycopg.InterfaceError | psycopg.errors.ReadOnlySqlTransaction
    )
