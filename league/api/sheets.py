"""Sheets to be read: which there are, and one with everything the scorer says of it (INTERFACES §2)."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_schemas
from league.api.answers import answers
from league.api.asking import who_of
from league.api.at_sheet import CLUBS, SheetView, club_of, etag_of_version
from league.api.fields import number
from league.api.resources import Followed
from league.api.sheet_documents import names_digest, sheet_row, spelt, whole_sheet
from league.api.spelling import Spelling
from league.models import Appearance, Club
from league.people.naming import AS_WRITTEN
from league.policy import Who, sheets_seen
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import kept_sheet


class SheetFilters(filters.FilterSet):  # type: ignore[misc]
    """What a list of sheets is filtered by."""

    club = filters.CharFilter("match__event__club__slug", label="The club's slug.")
    event = filters.CharFilter("match__event__code", label="The event's code.")
    round = number("match__round__number", label="The number of the event's round.")
    round_code = filters.CharFilter("match__round__code", label="The round's code.")
    match = filters.CharFilter("match__code", label="The match's code.")
    label = filters.CharFilter("label", label="What is printed on the paper sheet.")
    status = filters.ChoiceFilter(choices=SheetStatus.choices, label="Where the sheet stands.")


class Sheets(Followed[Scoresheet]):
    """The sheets that may be read."""

    resource = "sheets"
    filterset_class = SheetFilters
    queryset = Scoresheet.objects.none()

    def seen(self, who: Who) -> QuerySet[Scoresheet]:
        rows = Scoresheet.objects.select_related("rules", *CLUBS).prefetch_related("sides")
        return sheets_seen(who, rows).order_by("-id")

    def club_of(self, row: Scoresheet) -> Club:
        club = club_of(row)
        if club is None:
            raise LookupError(f"{row.code} is the sheet of no club.")
        return club

    def told(self, rows: Sequence[Scoresheet]) -> list[dict[str, Any]]:
        clubs = {sheet.pk: club_of(sheet) for sheet in rows}
        spelling = Spelling(who_of(self.request), {club.pk for club in clubs.values() if club is not None})
        told = []
        for sheet in rows:
            club = clubs[sheet.pk]
            names = AS_WRITTEN if club is None else spelling.of(club.pk)
            told.append(sheet_row(sheet, [names.shown(side.name) for side in sheet.sides.all()]))
        return told

    @extend_schema(
        operation_id="sheets",
        tags=["sheets"],
        summary="Sheets",
        description="Every sheet that may be read, the newest first.",
        responses=answers({200: OpenApiResponse(sheet_schemas.SHEET_ROW, description="A page of sheets.")}),
        examples=[sheet_schemas.SHEETS_EXAMPLE],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        return super().list(request, **kwargs)


class Sheet(SheetView):
    """One sheet."""

    @extend_schema(
        operation_id="sheet",
        tags=["sheets"],
        summary="A sheet as scored",
        description=(
            "The sheet with its columns, lines and totals, as `score` answers them. Its ETag is its version:"
            " send it back in `If-Match` with what you write."
        ),
        responses=answers({200: OpenApiResponse(sheet_schemas.SHEET, description="The sheet.")}),
        examples=[sheet_schemas.SHEET_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        written = kept_sheet(sheet)
        kept = spelt(written, self.names(sheet))
        here = Q(match__sheet=sheet) | Q(match__former_sheets__sheet=sheet)
        erased = Appearance.objects.filter(here, player__erased_at__isnull=False)
        digest = names_digest(kept, as_written=kept == written and not erased.exists())
        return Response(whole_sheet(kept), headers={"ETag": etag_of_version(sheet.version, digest)})
