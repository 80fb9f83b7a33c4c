"""Health check: does the database answer, and is the background work running?"""

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.models import SweepMark


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The age of the last sweep in whole seconds, null before the first; 503 if the database is down.

    An old sweep is no 503: pages and recording work without the worker. Sweeps are due every minute; monitors
    set their own limit.
    """
    try:
        swept_at = SweepMark.objects.values_list("swept_at", flat=True).first()
    except DatabaseError:
        return JsonResponse({"database": "down", "sweep_age_seconds": None}, status=503)
    age = None if swept_at is None else max(0, int((timezone.now() - swept_at).total_seconds()))
    return JsonResponse({"database": "ok", "sweep_age_seconds": age})
