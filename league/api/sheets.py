"""Reading sheets: the list, and one sheet as scored (INTERFACES §2)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_examples
from league.api.answers import WRITING, answers
from league.api.asking import who_of
from league.api.at_sheet import etag_of_version, named_key
from league.api.fields import OneOf, number
from league.api.resources import Followed, Input, Made
from league.api.sheet_answers import SheetRow, WholeSheet
from league.api.sheet_names import CLUBS, ENTRIES, club_of, names_digest, names_in, shown_sheet
from league.api.sheet_serializers import SIDE_SAID
from league.api.spelling import Spelling
from league.matches.club_sheets import open_club_sheet
from league.models import Appearance, Club, Exhibition
from league.policy import Permission, Who, clubs_where, rules_seen, sheets_counted, sheets_seen
from league.policy.naming import covers
from scoring.core.actors import Actor
from scoring.core.errors import SheetError
from scoring.core.kinds import MOST_SIDES
from scoring.documents.sides import read_sides
from scoring.models import Scoresheet, SheetStatus
from scoring.services import LONGEST_LABEL
from scoring.services.records import kept_sheet


class SheetFilters(filters.FilterSet):  # type: ignore[misc]
    """Filters of sheets: club, event, round, match, label and status."""

    club = filters.CharFilter(method="of_club", label="The club's slug.")
    event = filters.CharFilter("match__event__code", label="The event's code.")
    round = number("match__round__number", label="The number of the event's round.")
    round_code = filters.CharFilter("match__round__code", label="The round's code.")
    match = filters.CharFilter("match__code", label="The match's code.")
    label = filters.CharFilter(method="labelled", label="What is printed on the paper sheet.")
    status = filters.ChoiceFilter(choices=SheetStatus.choices, label="The state of the sheet.")

    def of_club(self, rows: QuerySet[Scoresheet], name: str, value: str) -> QuerySet[Scoresheet]:
        """Return the sheets of the club's matches, and of its evenings at one table."""
        return rows.filter(Q(match__event__club__slug=value) | Q(exhibition__club__slug=value))

    def labelled(self, rows: QuerySet[Scoresheet], name: str, value: str) -> QuerySet[Scoresheet]:
        """Return the sheets whose label the reader may see, and which have this one; see `Names.label`."""
        texts = Exhibition.objects.filter(sheet__label=value, player_a=None)
        hidden = texts.filter(covers(who_of(self.request), "club"))
        return rows.filter(label=value).exclude(pk__in=hidden.values("sheet"))


@extend_schema_field({"type": "array", "items": SIDE_SAID, "minItems": 2, "maxItems": MOST_SIDES})
class SidesSaid(serializers.JSONField):
    """Sides in order of seats, read by `read_sides` once the rules are known."""


class SheetSaid(Input):
    """A new sheet of a club, outside its events."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")
    rules = OneOf(
        lambda who: rules_seen(who).order_by("-version"),
        help_text="The code of the club's house rules; they are used in their newest version.",
    )
    sides = SidesSaid(help_text="As many as the game has, in order of seats.")
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LABEL, default="", allow_blank=True
    )


class Sheets(Followed[Scoresheet], Made[Scoresheet]):
    """The sheets that the reader may see."""

    resource = "sheets"
    serializer_class = SheetRow
    filterset_class = SheetFilters
    made_from = SheetSaid

    def make(self, actor: Actor, **values: Any) -> Scoresheet:
        sides = read_sides(values["sides"], values["rules"].rules)
        if any(side.substitutes for side in sides):
            raise SheetError("unknown_field", _("Substitutes come later."), field="sides")
        return open_club_sheet(actor=actor, key=named_key(self.request), **{**values, "sides": sides})

    @extend_schema(
        operation_id="open_sheet",
        tags=["sheets"],
        summary="Open a sheet",
        description=(
            "A blank sheet of a club, outside its events, for the kind of game its house rules are for. "
            "A player of the club is known by name, as the club writes it; any other name is a guest's. "
            "Whoever may record for the club may open one. The same key and content get the sheet that "
            "they have opened, as it is by now."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY],
        request={"application/json": SheetSaid},
        responses=answers({201: OpenApiResponse(SheetRow, description="Opened.")}, WRITING),
        examples=[sheet_examples.NEW_SHEET, sheet_examples.OPENED],
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        return super().create(request, **kwargs)

    def seen(self, who: Who) -> QuerySet[Scoresheet]:
        rows = sheets_seen(who, Scoresheet.objects.select_related("rules", *CLUBS)).order_by("-id")
        if self.action in ("list", "create"):
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
        spelling = super().spelling_of([sheet])
        names = names_in(sheet, spelling)
        kept, label = shown_sheet(written, names), names.label(sheet)
        here = Q(match__sheet=sheet) | Q(match__former_sheets__sheet=sheet)
        erased = Appearance.objects.filter(here, player__erased_at__isnull=False)
        as_written = kept == written and label == sheet.label and not erased.exists()
        digest = names_digest(kept, label, as_written=as_written)
        etag = etag_of_version(sheet.version, digest)
        return Response(WholeSheet(kept, context={"spelling": spelling}).data, headers={"ETag": etag})
