"""Signatures under a sheet: those given, and one's own."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_schemas
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import SheetView, document_of, list_in, named_version
from league.api.sheet_documents import Document, signature, spelt
from league.people.naming import Names
from scoring.core.errors import RecordingError, shown
from scoring.models import Scoresheet, Side
from scoring.services import sign_sheet
from scoring.services.records import kept_sheet


class Signatures(SheetView):
    """Who signed a sheet."""

    @extend_schema(
        operation_id="signatures",
        tags=["sheets"],
        summary="The signatures under a sheet",
        description="Each names the version that was signed; it has lapsed if the sheet was changed since.",
        responses=answers({200: OpenApiResponse(sheet_schemas.SIGNATURES, description="The signatures.")}),
        examples=[sheet_schemas.SIGNATURES_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        return Response(_signatures(sheet, self.names(sheet)))

    @extend_schema(
        operation_id="sign",
        tags=["sheets"],
        summary="Sign a sheet",
        description=(
            "Signs this version of a sheet that has ended. Who sits at the table signs for his own side; a"
            " scorekeeper who does not, and has seen the paper, for both, or for those named. A side signs a"
            " version once: the same again is answered the same."
        ),
        parameters=[sheet_schemas.IF_MATCH],
        request={"application/json": sheet_schemas.NEW_SIGNATURES},
        responses=answers(
            {201: OpenApiResponse(sheet_schemas.SIGNATURES, description="Signed.")},
            (*WRITING, 409, 412),
        ),
        examples=sheet_schemas.SIGNING_EXAMPLES,
    )
    def post(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with self.writing(code) as sheet:
            document = document_of(request, "sides")
            sides = None
            if "sides" in document:
                named = list_in(document, "sides")
                sides = [side_named(sheet, name, field="sides") for name in named]
            sign_sheet(actor=actor, sheet=sheet, sides=sides, expected_version=named_version(request))
        sheet = self.sheet(code)
        return Response(_signatures(sheet, self.names(sheet)), status=201)


def side_named(sheet: Scoresheet, name: object, *, field: str) -> int:
    """The side (0, 1) of that name; refuses (`unknown_side`) any other."""
    names = list(
        Side.objects.filter(sheet__code=sheet.code).order_by("position").values_list("name", flat=True)
    )
    if not isinstance(name, str) or name not in names:
        told = shown(name) if isinstance(name, str) else "…"
        raise RecordingError(
            "unknown_side", _("“%(name)s” is no side of this sheet.") % {"name": told}, field=field
        )
    return names.index(name)


def _signatures(sheet: Scoresheet, names: Names) -> Document:
    kept = spelt(kept_sheet(sheet), names)
    rows = sheet.signatures.order_by("version", "side")
    return {"version": sheet.version, "signatures": [signature(kept, row, names) for row in rows]}
