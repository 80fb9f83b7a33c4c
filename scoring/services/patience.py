"""How long a write waits for a sheet that somebody else is writing on.

As long as it takes, unless whoever asks cannot wait: the API has promised an answer within seconds.
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

# What the databases say to who waited long enough: PostgreSQL as an SQLSTATE, SQLite by name.
_TOO_LONG: Final = frozenset({"55P03", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"})


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """What is written inside is refused with `busy` where a lock cannot be had for so long.

    Nothing is written then, and the same may be sent again. To be entered outside of any transaction.
    """
    token = _patience.set(seconds)
    try:
        with _sqlite_waits(seconds):
            yield
    except OperationalError as error:
        if not _has_waited(error):
            raise
        raise RecordingError(
            "busy", _("Somebody else is writing on this sheet. Send the same again.")
        ) from error
    finally:
        _patience.reset(token)


@contextmanager
def waiting_anywhere_at_most(seconds: float) -> Iterator[None]:
    """Whatever is locked inside, a sheet or not, is waited for so long at most; then the database gives up.

    See `refused_when_busy`. To be entered outside of any transaction; it costs two statements.
    """
    outer = _limit.get()
    token = _limit.set(seconds)
    try:
        _limit_locks(seconds)
        yield
    finally:
        _limit.reset(token)
        _limit_locks(outer)


@contextmanager
def refused_when_busy() -> Iterator[None]:
    """Refuses (`busy`) what the database undid as a lock could not be had in time. Around the transaction."""
    try:
        yield
    except OperationalError as error:
        if not _has_waited(error):
            raise
        raise RecordingError(
            "busy", _("Somebody else is writing here; nothing was done. Send the same again.")
        ) from error


def locked_within_patience(sheets: QuerySet[Scoresheet]) -> Scoresheet | None:
    """The one sheet that is to be locked until the transaction ends; None where it is not there.

    SQLite has waited when the transaction began. On PostgreSQL the limit is set only where there is something
    to wait for: mostly there is not, and every question counts.
    """
    seconds = _patience.get()
    if seconds is not None and connection.vendor == "postgresql":
        for free in sheets.select_for_update(no_key=True, skip_locked=True):
            return free
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {_milliseconds(seconds)}")
    return next(iter(sheets), None)


@contextmanager
def _sqlite_waits(seconds: float) -> Iterator[None]:
    """SQLite's one lock of writers is waited for so long, and then as long as the settings say again."""
    if connection.vendor != "sqlite":
        yield
        return
    usual: float = connection.settings_dict["OPTIONS"]["timeout"]
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {_milliseconds(seconds)}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {_milliseconds(usual)}")


def _limit_locks(seconds: float | None) -> None:
    """Tells the database how long to wait; None for as long as the settings say."""
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
    """One at least: to PostgreSQL none is without limit."""
    return max(int(seconds * 1000), 1)


def _has_waited(error: OperationalError) -> bool:
    cause = error.__cause__
    said = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return said in _TOO_LONG
