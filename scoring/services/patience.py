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

from scoring.errors import RecordingError
from scoring.models import Scoresheet

_patience: ContextVar[float | None] = ContextVar("patience", default=None)

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


def locked_within_patience(sheets: QuerySet[Scoresheet]) -> Scoresheet | None:
    """The one sheet, locked until the transaction ends; None where it is not there.

    SQLite has waited when the transaction began. On PostgreSQL the limit is set only where there is something
    to wait for: mostly there is not, and every question counts.
    """
    seconds = _patience.get()
    if seconds is not None and connection.vendor == "postgresql":
        free = sheets.select_for_update(no_key=True, of=("self",), skip_locked=True).first()
        if free is not None:
            return free
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {int(seconds * 1000)}")
    return sheets.select_for_update(no_key=True, of=("self",)).first()


@contextmanager
def _sqlite_waits(seconds: float) -> Iterator[None]:
    """SQLite's one lock of writers is waited for so long, and then as long as the settings say again."""
    if connection.vendor != "sqlite":
        yield
        return
    usual: float = connection.settings_dict["OPTIONS"]["timeout"]
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual * 1000)}")


def _has_waited(error: OperationalError) -> bool:
    cause = error.__cause__
    said = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return said in _TOO_LONG
