"""Disputes of a sheet: said by a side in a sentence, settled by another one."""

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_schemas
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import SheetView, document_of, named_version, text_in
from league.api.sheet_documents import Document, dispute, spelt
from league.api.signatures import side_named
from scoring.models import Dispute, Scoresheet
from scoring.services import dispute_sheet, settle_dispute
from scoring.services.records import kept_sheet


class Disputes(SheetView):
    """What sides say against a sheet."""

    @extend_schema(
        operation_id="disputes",
        tags=["sheets"],
        summary="The disputes of a sheet",
        description="The first one first; `settlement` is null while a dispute is open.",
        parameters=sheet_schemas.paging(),
        responses=answers(
            {200: OpenApiResponse(sheet_schemas.page_of(sheet_schemas.DISPUTE), description="")}
        ),
        examples=[sheet_schemas.DISPUTES_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        pages, shown = self.page(self.documents(sheet))
        return pages.get_paginated_response(shown)

    @extend_schema(
        operation_id="dispute",
        tags=["sheets"],
        summary="Dispute a sheet",
        description=(
            "Says for a side that a sheet that has ended is not what was played. Its result does not count"
            " until the dispute is settled. The same said again while it is open is answered the same."
        ),
        parameters=[sheet_schemas.IF_MATCH],
        request={"application/json": sheet_schemas.NEW_DISPUTE},
        responses=answers(
            {201: OpenApiResponse(sheet_schemas.DISPUTE, description="Disputed.")}, (*WRITING, 409, 412)
        ),
        examples=sheet_schemas.DISPUTE_EXAMPLES,
    )
    def post(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with self.writing(code) as sheet:
            document = document_of(request, "sentence", "side")
            side = document.get("side")
            made = dispute_sheet(
                actor=actor,
                sheet=sheet,
                sentence=text_in(document, "sentence"),
                side=None if side is None else side_named(sheet, side, field="side"),
                expected_version=named_version(request),
            )
        return Response(self.document(code, made), status=201)

    def documents(self, sheet: Scoresheet) -> list[Document]:
        """All disputes of the sheet."""
        names = self.names(sheet)
        kept = spelt(kept_sheet(sheet), names)
        rows = sheet.disputes.select_related("settlement").order_by("id")
        return [dispute(kept, number, row, names) for number, row in enumerate(rows, start=1)]

    def document(self, code: str, made: Dispute) -> Document:
        """One of them, as it is now."""
        earlier = Dispute.objects.filter(sheet=made.sheet_id, pk__lt=made.pk).count()
        return self.documents(self.sheet(code))[earlier]


class DisputeSettlements(Disputes):
    """How a dispute ended."""

    http_method_names = ["post", "options"]

    @extend_schema(
        operation_id="settle_dispute",
        tags=["sheets"],
        summary="Settle a dispute",
        description=(
            "Ends a dispute in a sentence: by a director, or by the side that made it. What is to be changed"
            " on the sheet is a correction of its own."
        ),
        request={"application/json": sheet_schemas.SETTLEMENT},
        responses=answers(
            {201: OpenApiResponse(sheet_schemas.DISPUTE, description="Settled.")}, (*WRITING, 409)
        ),
        examples=[sheet_schemas.SETTLEMENT_EXAMPLE, sheet_schemas.SETTLED_EXAMPLE],
    )
    def post(self, request: Request, code: str, number: int) -> Response:  # type: ignore[override]
        actor = actor_for(request)
        with self.writing(code) as sheet:
            document = document_of(request, "reason")
            rows = list(Dispute.objects.filter(sheet__code=sheet.code).select_related("sheet").order_by("id"))
            if not 1 <= number <= len(rows):
                raise Http404
            settle_dispute(actor=actor, dispute=rows[number - 1], reason=text_in(document, "reason"))
        return Response(self.document(code, rows[number - 1]), status=201)
