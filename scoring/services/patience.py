"""Limits on how long a write waits for a sheet that somebody else is writing on.

Without one it waits as long as it takes; the API has to answer within seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.core.errors import RecordingError
from scoring.models import Scoresheet

_patience: ContextVar[float | None] = ContextVar("patience", default=None)
_limit: ContextVar[float | None] = ContextVar("limit", default=None)

# The errors for a lock wait that timed out: PostgreSQL's SQLSTATE, SQLite's names.
_TOO_LONG: Final = frozenset({"55P03", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"})


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Refuses writes inside with `busy` if a lock is not free within so many seconds.

    Nothing is written then, and the request may be repeated. Enter it outside any transaction.
    """
    token = _patience.set(seconds)
    is_sqlite = connection.vendor == "sqlite"
    try:
        with refused_when_busy(_("Somebody else is writing on this sheet. Send the same again.")):
            if is_sqlite:
                _limit_locks(seconds)
            yield
    finally:
        _patience.reset(token)
        if is_sqlite:
            _limit_locks(None)


@contextmanager
def waiting_anywhere_at_most(seconds: float) -> Iterator[None]:
    """Limits every wait for a lock inside, on a sheet or not; then the database gives up.

    See `refused_when_busy`. Enter it outside any transaction; it costs two statements.
    """
    outer = _limit.get()
    # What could not be set is not restored: that would wait for a connection once more.
    _limit_locks(seconds)
    token = _limit.set(seconds)
    try:
        yield
    finally:
        _limit.reset(token)
        _limit_locks(outer)


@contextmanager
def refused_when_busy(message: str = "") -> Iterator[None]:
    """Refuses (`busy`) what the database rolled back for want of a lock. Wrap it around the transaction."""
    try:
        yield
    except OperationalError as error:
        if not _has_waited(error):
            raise
        message = message or _("Somebody else is writing here; nothing was done. Send the same again.")
        raise RecordingError("busy", message) from error


def locked_within_patience(sheets: QuerySet[Scoresheet]) -> Scoresheet | None:
    """The one sheet, locked until the transaction ends; None if it does not exist.

    SQLite already waited when the transaction began. On PostgreSQL the limit is set only if there is
    something to wait for: usually there is not, and this runs for every recorded hand.
    """
    seconds = _patience.get()
    if seconds is not None and connection.vendor == "postgresql":
        for free in sheets.select_for_update(no_key=True, skip_locked=True):
            return free
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {_milliseconds(seconds)}")
    return next(iter(sheets), None)


def _limit_locks(seconds: float | None) -> None:
    """Sets the database's time limit for locks; None restores the one in the settings."""
    if connection.vendor == "sqlite":
        usual: float = connection.settings_dict["OPTIONS"]["timeout"]
        statement = f"PRAGMA busy_timeout = {_milliseconds(usual if seconds is None else seconds)}"
    elif seconds is None:
        statement = "RESET lock_timeout"
    else:
        statement = f"SET lock_timeout = {_milliseconds(seconds)}"
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _milliseconds(seconds: float) -> int:
    """At least 1, because PostgreSQL takes 0 for no limit."""
    return max(int(seconds * 1000), 1)


def _has_waited(error: OperationalError) -> bool:
    cause = error.__cause__
    said = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return said in _TOO_LONG
