"""Health checks: does the database answer, does the background work run, can anything be written?"""

import os
import tempfile
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import F
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.models import SweepMark

_BLOCK: Final = bytes(4096)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The age of the last sweep in whole seconds, null before the first; 503 if the database is down.

    An old sweep is no 503: pages and recording work without the worker. Sweeps are due every minute; monitors
    set their own limit.
    """
    try:
        swept_at = SweepMark.objects.values_list("swept_at", flat=True).first()
    except (DatabaseError, InterfaceError):
        return JsonResponse(
            {"database": "down", "sweep_age_seconds": None}, status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    age = None if swept_at is None else max(0, int((timezone.now() - swept_at).total_seconds()))
    return JsonResponse({"database": "ok", "sweep_age_seconds": age})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Write a row and a file, as recording does: 200, or 503 with what cannot be written and why.

    The reasons name neither hosts nor folders, for anybody may ask.
    """
    told = {"database": _row_written(), "data_dir": _file_written()}
    ready = set(told.values()) == {"ok"}
    return JsonResponse(told, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE)


def _row_written() -> str:
    try:
        with transaction.atomic():
            SweepMark.objects.update(swept_at=F("swept_at"))
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
