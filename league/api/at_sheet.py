"""The base of all views of one sheet: finding it, checking who may see it, and reading the headers.

A sheet that the reader may not see is a 404, whatever else is wrong with the request. The service checks the
right to write, under the lock; the right to see is checked only after a refusal, so that recording a hand
costs no extra query.
"""

import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from league.api.asking import who_of
from league.api.keeping import SpeltForReader
from league.api.paging import Pages, check_parameters
from league.api.sheet_names import CLUBS, ENTRIES, names_on, shown_sheet
from league.api.sheet_serializers import Body
from league.errors import LeagueError
from league.policy import sheets_seen
from scoring.core.errors import CodedError, DocumentError, RecordingError
from scoring.models import Scoresheet
from scoring.services import Receipt, waiting_at_most
from scoring.services.records import kept_sheet

# The longest wait for another request, in seconds; after it the answer is 409 (INTERFACES §4).
PATIENCE_SECONDS: Final = 5.0

_VERSION: Final = re.compile(r'(?:W/)?"?(\d{1,9})(?:\.\w+)?"?')


class AtSheet(SpeltForReader, GenericViewSet[Any]):
    """Views under the address of one sheet, which its code names."""

    pagination_class = Pages
    queryset = Scoresheet.objects.none()

    def sheet(self, code: str) -> Scoresheet:
        """Return the sheet for reading, with its rules and its club; 404 if the reader may not see it."""
        rows = sheets_seen(who_of(self.request), Scoresheet.objects.filter(code=code))
        found = rows.select_related("rules", *CLUBS, *ENTRIES).first()
        if found is None:
            raise Http404
        return found

    def context_of(self, sheet: Scoresheet) -> dict[str, Any]:
        """Return the context of serializers: the sheet as `kept` and its `names`, as shown to the reader."""
        names = names_on(sheet, who_of(self.request))
        return {"kept": shown_sheet(kept_sheet(sheet), names), "names": names}

    def page(self, rows: Any) -> list[Any]:
        """Return the requested page of the rows; refuses other query parameters (`unknown_parameter`)."""
        check_parameters(self.request, self)
        return list(self.paginate_queryset(rows) or [])

    def said(self, body: type[Body]) -> dict[str, Any]:
        """Return the validated body of the request."""
        values: dict[str, Any] = body().run_validation(self.request.data)
        return values


@contextmanager
def writing_on(request: Request, code: str, *, until: float = math.inf) -> Iterator[Scoresheet]:
    """Yield a sheet with nothing but its code, for a service to lock and load.

    Waits at most `PATIENCE_SECONDS` for a lock, and not beyond `until` on the monotonic clock.

    Refusals inside become a 404 if there is no such sheet or the sender may not see it. A body that cannot
    be parsed is refused before, which tells nothing about any sheet.
    """
    request.data  # noqa: B018 (read on first use)
    if "\0" in code:
        # In a body any text is a code, and PostgreSQL is asked for none with this character.
        raise Http404
    try:
        with waiting_at_most(max(min(PATIENCE_SECONDS, until - time.monotonic()), 0)):
            yield Scoresheet(code=code)
    except CodedError:
        if not sheets_seen(who_of(request), Scoresheet.objects.filter(code=code)).exists():
            raise Http404 from None
        raise


def named_version(request: Request) -> int | None:
    """Return the sheet version in `If-Match`, from an ETag or a bare number; None without one or for `*`.

    Of several the highest. Refuses a header without any version of a sheet (`stale_version`).
    """
    header: str = request.headers.get("If-Match", "").strip()
    if header in ("", "*"):
        return None
    versions = [_VERSION.fullmatch(one.strip()) for one in header.split(",")]
    numbers = [int(version[1]) for version in versions if version]
    if not numbers:
        raise RecordingError("stale_version", _("If-Match names no version."), field="If-Match")
    return max(numbers)


def required_version(request: Request) -> int:
    """Return the version in `If-Match`; refuses a request without one (`no_version`).

    An action is always on a version that was read, so that “*” names none.
    """
    version = named_version(request)
    if version is None:
        raise LeagueError("no_version", _("Say with If-Match which version you change."), field="If-Match")
    return version


def named_key(request: Request, *, required: bool = False) -> str | None:
    """Return the `Idempotency-Key`, or None; refuses a request without a `required` one (`key_missing`)."""
    key: str | None = request.headers.get("Idempotency-Key")
    if required and not key:
        raise DocumentError(
            "key_missing",
            _("Send a key of your own in Idempotency-Key, the same again with every retry."),
            field="Idempotency-Key",
        )
    return key


def receipt_response(receipt: Receipt) -> Response:
    """Return the response to a write (201), the same for the first request and for every repetition."""
    return Response(receipt.to_document(), status=201, headers={"ETag": etag_of_version(receipt.version)})


def etag_of_version(version: int, names: str = "") -> str:
    """Return the ETag of a sheet: its version, followed by the digest of its names unless that is blank."""
    return f'"{version}.{names}"' if names else f'"{version}"'
