"""What everything about one sheet shares: which sheet, who may see it, which version of it is meant.

What may not be seen is a 404, whatever else is wrong with the request. Whether one may write is asked by the
service, under the lock; whether one may see is asked only once that was refused, so that a hand that is taken
costs no question more.
"""

import math
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.asking import who_of
from league.api.keeping import SpeltForReader
from league.api.paging import Pages, check_parameters
from league.errors import LeagueError
from league.models import Club
from league.people.naming import AS_WRITTEN, Names, names_for
from league.policy import sheets_seen
from scoring.core.errors import DocumentError, RecordingError, ScoringError
from scoring.documents.shapes import json_object, only
from scoring.models import Scoresheet
from scoring.services import Receipt, waiting_at_most

# After so long a request that waits for another one is answered with 409 (INTERFACES §4).
PATIENCE_SECONDS: Final = 5.0

# What leads from a sheet to its club.
CLUBS: Final = ("match__event__club", "former__club", "exhibition__club")
_VERSION: Final = re.compile(r'(?:W/)?"?(\d{1,9})(?:\.\w+)?"?')


class SheetView(SpeltForReader):
    """A view of one sheet, named by its code in the address."""

    def sheet(self, code: str) -> Scoresheet:
        """The sheet, with its rules and its club, to be read; 404 where it may not be."""
        rows = sheets_seen(who_of(self.request), Scoresheet.objects.filter(code=code))
        found = rows.select_related("rules", *CLUBS).first()
        if found is None:
            raise Http404
        return found

    def page(self, rows: Any) -> tuple[Pages, list[Any]]:
        """The page of a list that is asked for; refuses (`unknown_parameter`) what no list knows."""
        check_parameters(self.request, self)
        pages = Pages()
        return pages, pages.paginate_queryset(rows, self.request, view=self)

    def names(self, sheet: Scoresheet) -> Names:
        """How names on the sheet are printed for who asks."""
        club = club_of(sheet)
        return AS_WRITTEN if club is None else names_for(who_of(self.request), club)

    @contextmanager
    def writing(self, code: str) -> Iterator[Scoresheet]:
        """The sheet, to be written on; a refusal is a 404 to who may not see it."""
        with writing_on(self.request, code) as sheet:
            yield sheet


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


def club_of(sheet: Scoresheet) -> Club | None:
    """The club whose match or exhibition the sheet is or was; None for one of nobody's."""
    for way in ("match", "former", "exhibition"):
        owner = getattr(sheet, way, None)
        if owner is not None:
            club: Club = owner.event.club if way == "match" else owner.club
            return club
    return None


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


def document_of(request: Request, *known: str) -> Mapping[str, Any]:
    """The object in the request; refuses anything else (`wrong_type`), and members that are not among the
    `known` ones (`unknown_field`).
    """
    document = json_object(request.data, "", _("The request is an object."))
    only(document, frozenset(known))
    return document


def text_in(document: Mapping[str, Any], field: str) -> str:
    """A text of the object, "" where there is none; refuses (`wrong_type`) what is none."""
    text = document.get(field)
    if text is not None and not isinstance(text, str):
        raise DocumentError("wrong_type", _("%(field)s is text.") % {"field": field}, field=field)
    return text or ""


def list_in(document: Mapping[str, Any], field: str) -> list[Any]:
    """A list of the object, empty where there is none; refuses (`wrong_type`) what is none."""
    found = document.get(field)
    if found is not None and not isinstance(found, list):
        raise DocumentError("wrong_type", _("%(field)s is a list.") % {"field": field}, field=field)
    return found or []


def switch_in(document: Mapping[str, Any], field: str) -> bool | None:
    """A switch of the object, None where there is none; refuses (`wrong_type`) what is none."""
    found = document.get(field)
    if found is not None and not isinstance(found, bool):
        raise DocumentError("wrong_type", _("%(field)s is true or false.") % {"field": field}, field=field)
    return found
