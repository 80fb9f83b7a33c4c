"""Health checks: does the database answer, does the background work run, can anything be written?"""

import datetime
import os
import tempfile
import threading
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, InterfaceError, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from deploy.errors import RETRY_SECONDS
from league.models import SweepMark
from league.notices.outbox import mail_waits_since, tells_by_mail
from scoring.core.errors import RecordingError
from scoring.services.patience import refused_when_busy, waiting_anywhere_at_most

_BLOCK: Final = bytes(4096)
# Anybody may ask, so a process tries once a second, in one thread, and does not wait long for locks.
_TRIED_SECONDS: Final = 1
_WAIT_SECONDS: Final = 0.5
_BUSY: Final = "busy"
_trying = threading.Lock()


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The age of the last sweep in whole seconds, null before the first; 503 if the database is down.

    Where members are told by mail, also how long a mail that should have been sent has waited; null if none.

    An old sweep is no 503: pages and recording work without the worker. Sweeps are due every minute; monitors
    set their own limit.
    """
    try:
        swept_at = SweepMark.objects.values_list("swept_at", flat=True).first()
        mail = {"mail_waits_seconds": _age(mail_waits_since(timezone.now()))} if tells_by_mail() else {}
    except (DatabaseError, InterfaceError):
        return JsonResponse(
            {"database": "down", "sweep_age_seconds": None}, status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    return JsonResponse({"database": "ok", "sweep_age_seconds": _age(swept_at), **mail})


def _age(at: datetime.datetime | None) -> int | None:
    return None if at is None else max(0, int((timezone.now() - at).total_seconds()))


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Write a row and a file, as recording does: 200, or 503 with what cannot be written and why.

    "busy" is what others keep locked. The reasons name neither hosts nor folders, for anybody may ask. Who
    asks within a second of another is told the same.
    """
    told = _tried_lately()
    if set(told.values()) == {"ok"}:
        return JsonResponse(told)
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return JsonResponse(told, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)


def _tried_lately() -> dict[str, str]:
    looks = caches["looks"]
    told: dict[str, str] | None = looks.get("readyz")
    if told is not None:
        return told
    if not _trying.acquire(timeout=_WAIT_SECONDS):
        return {"database": _BUSY, "data_dir": _BUSY}
    try:
        told = looks.get("readyz")
        if told is None:
            told = {"database": _row_written(), "data_dir": _file_written()}
            looks.set("readyz", told, _TRIED_SECONDS)
        return told
    finally:
        _trying.release()


def _row_written() -> str:
    try:
        with refused_when_busy(), waiting_anywhere_at_most(_WAIT_SECONDS), transaction.atomic():
            # Another time than before: SQLite does not write what is there already.
            SweepMark.objects.update_or_create(pk=1, defaults={"tried_at": timezone.now()})
    except RecordingError:
        return _BUSY
    except (DatabaseError, InterfaceError) as error:
        cause = error.__cause__
        code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
        return f"cannot be written ({code})" if code else "cannot be reached"
    return "ok"


def _file_written() -> str:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
            file.write(_BLOCK)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return f"cannot be written ({error.strerror})"
    return "ok"
