"""What everything about one sheet shares: which sheet, who may see it, which version of it is meant.

What may not be seen is a 404, whatever else is wrong with the request. Whether one may write is asked by the
service, under the lock; whether one may see is asked only once that was refused, so that a hand that is taken
costs no question more.
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
from scoring.core.errors import DocumentError, RecordingError, ScoringError
from scoring.models import Scoresheet
from scoring.services import Receipt, waiting_at_most
from scoring.services.records import kept_sheet

# After so long a request that waits for another one is answered with 409 (INTERFACES §4).
PATIENCE_SECONDS: Final = 5.0

_VERSION: Final = re.compile(r'(?:W/)?"?(\d{1,9})(?:\.\w+)?"?')


class AtSheet(SpeltForReader, GenericViewSet[Any]):
    """What is under the address of one sheet, named there by its code."""

    pagination_class = Pages
    queryset = Scoresheet.objects.none()

    def sheet(self, code: str) -> Scoresheet:
        """The sheet, with its rules and its club, to be read; 404 where it may not be."""
        rows = sheets_seen(who_of(self.request), Scoresheet.objects.filter(code=code))
        found = rows.select_related("rules", *CLUBS, *ENTRIES).first()
        if found is None:
            raise Http404
        return found

    def context_of(self, sheet: Scoresheet) -> dict[str, Any]:
        """What serializers ask: the sheet as `kept`, everybody as shown for who asks, and his `names`."""
        names = names_on(sheet, who_of(self.request))
        return {"kept": shown_sheet(kept_sheet(sheet), names), "names": names}

    def page(self, rows: Any) -> list[Any]:
        """The page of a list that is asked for; refuses (`unknown_parameter`) what no list knows."""
        check_parameters(self.request, self)
        return list(self.paginate_queryset(rows) or [])

    def said(self, body: type[Body]) -> dict[str, Any]:
        """What the request says, checked."""
        values: dict[str, Any] = body().run_validation(self.request.data)
        return values


@contextmanager
def writing_on(request: Request, code: str, *, until: float = math.inf) -> Iterator[Scoresheet]:
    """A sheet of which the code alone is known, for a service to lock and to look into.

    Nobody is waited for after `until`, by the monotonic clock.

    What is refused inside is a 404 to who may not see it, or where there is none. What cannot be read at all
    is refused before: that says nothing of any sheet.
    """
    request.data  # noqa: B018 (read on first use)
    try:
        with waiting_at_most(max(min(PATIENCE_SECONDS, until - time.monotonic()), 0)):
            yield Scoresheet(code=code)
    except (LeagueError, ScoringError):
        if not sheets_seen(who_of(request), Scoresheet.objects.filter(code=code)).exists():
            raise Http404 from None
        raise


def named_version(request: Request) -> int | None:
    """The version that `If-Match` names: the sheet's ETag, or the bare number; None where any will do.

    Of several the newest. Refuses (`stale_version`) what is no version of a sheet.
    """
    header: str = request.headers.get("If-Match", "").strip()
    if header in ("", "*"):
        return None
    versions = [_VERSION.fullmatch(one.strip()) for one in header.split(",")]
    numbers = [int(version[1]) for version in versions if version]
    if not numbers:
        raise RecordingError("stale_version", _("If-Match names no version of this sheet."), field="If-Match")
    return max(numbers)


def named_key(request: Request, *, required: bool = False) -> str | None:
    """The key in `Idempotency-Key`; refuses (`key_missing`) a request without one where it is `required`."""
    key: str | None = request.headers.get("Idempotency-Key")
    if required and not key:
        raise DocumentError(
            "key_missing",
            _("Send a key of your own in Idempotency-Key, the same again with every retry."),
            field="Idempotency-Key",
        )
    return key


def receipt_response(receipt: Receipt) -> Response:
    """The answer to a write, the same for the first request and for every repetition."""
    return Response(receipt.to_document(), status=201, headers={"ETag": etag_of_version(receipt.version)})


def etag_of_version(version: int, names: str = "") -> str:
    """A sheet's ETag: its version, with what tells apart who sits where under which name, if that changed."""
    return f'"{version}.{names}"' if names else f'"{version}"'
