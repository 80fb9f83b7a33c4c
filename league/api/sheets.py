"""Reading sheets: the list, and one sheet as scored (INTERFACES §2)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_examples
from league.api.answers import answers
from league.api.asking import who_of
from league.api.at_sheet import etag_of_version
from league.api.fields import number
from league.api.resources import Followed
from league.api.sheet_names import CLUBS, ENTRIES, club_of, names_digest, names_on, shown_sheet
from league.api.sheet_serializers import SheetRow, WholeSheet
from league.api.spelling import Spelling
from league.models import Appearance, Club
from league.policy import Who, sheets_counted, sheets_seen
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import kept_sheet


class SheetFilters(filters.FilterSet):  # type: ignore[misc]
    """Filters of sheets: club, event, round, match, label and status."""

    club = filters.CharFilter("match__event__club__slug", label="The club's slug.")
    event = filters.CharFilter("match__event__code", label="The event's code.")
    round = number("match__round__number", label="The number of the event's round.")
    round_code = filters.CharFilter("match__round__code", label="The round's code.")
    match = filters.CharFilter("match__code", label="The match's code.")
    label = filters.CharFilter("label", label="What is printed on the paper sheet.")
    status = filters.ChoiceFilter(choices=SheetStatus.choices, label="The state of the sheet.")


class Sheets(Followed[Scoresheet]):
    """The sheets that the reader may see."""

    resource = "sheets"
    serializer_class = SheetRow
    filterset_class = SheetFilters

    def seen(self, who: Who) -> QuerySet[Scoresheet]:
        rows = sheets_seen(who, Scoresheet.objects.select_related("rules", *CLUBS)).order_by("-id")
        if self.action == "list":
            return rows.prefetch_related("sides__seats")
        return rows.select_related(*ENTRIES)

    def counted(self, rows: QuerySet[Scoresheet]) -> int:
        return rows.count() if self.is_filtered() else sheets_counted(who_of(self.request))

    def club_of(self, row: Scoresheet) -> Club | None:
        return club_of(row)

    def spelling_of(self, rows: Sequence[Scoresheet]) -> Spelling:
        """Return the names for a page, with those of everybody seated loaded per club at once."""
        spelling = super().spelling_of(rows)
        seated: dict[int, set[str]] = defaultdict(set)
        for sheet in rows:
            if (club := club_of(sheet)) is not None:
                seated[club.pk] |= {seat.person for side in sheet.sides.all() for seat in side.seats.all()}
        for pk, persons in seated.items():
            spelling.of(pk).learn(persons)
        return spelling

    @extend_schema(
        operation_id="sheets",
        tags=["sheets"],
        summary="Sheets",
        description="Every sheet you may read, newest first.",
        responses=answers({200: OpenApiResponse(SheetRow, description="A page of sheets.")}),
        examples=[sheet_examples.SHEETS],
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        return super().list(request, **kwargs)

    @extend_schema(
        operation_id="sheet",
        tags=["sheets"],
        summary="A sheet as scored",
        description=(
            "The sheet with its columns, lines and totals, in the form of `score`. Its ETag is its "
            "version: send it back in `If-Match` when you write."
        ),
        responses=answers({200: OpenApiResponse(WholeSheet, description="The sheet.")}),
        examples=[sheet_examples.SHEET],
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        sheet = self.get_object()
        written = kept_sheet(sheet)
        kept = shown_sheet(written, names_on(sheet, who_of(request)))
        here = Q(match__sheet=sheet) | Q(match__former_sheets__sheet=sheet)
        erased = Appearance.objects.filter(here, player__erased_at__isnull=False)
        digest = names_digest(kept, as_written=kept == written and not erased.exists())
        etag = etag_of_version(sheet.version, digest)
        return Response(WholeSheet(kept).data, headers={"ETag": etag})
