"""The deals of a sheet: recorded once however often they are sent, and read with every version there was."""

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_schemas
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import (
    SheetView,
    document_of,
    list_in,
    named_key,
    named_version,
    receipt_response,
    switch_in,
)
from league.api.sheet_documents import deal_version, spelt
from scoring.models import DealVersion
from scoring.services import record_documents
from scoring.services.records import kept_sheet


class Deals(SheetView):
    """The current deals of a sheet, and new ones."""

    @extend_schema(
        operation_id="deals",
        tags=["sheets"],
        summary="The deals of a sheet",
        description="Every deal as it was last entered, as it would be sent. A deal that is null was voided.",
        parameters=sheet_schemas.paging(),
        responses=answers({200: OpenApiResponse(sheet_schemas.page_of(sheet_schemas.DEAL), description="")}),
        examples=[sheet_schemas.DEALS_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        names = self.names(sheet)
        kept = spelt(kept_sheet(sheet), names)
        pages, shown = self.page(kept.versions)
        acts = sheet.acts.in_bulk([row.act_id for row in shown])
        for row in shown:
            row.act = acts[row.act_id]
        return pages.get_paginated_response(
            [{"number": row.number, **deal_version(kept, row, names)} for row in shown]
        )

    @extend_schema(
        operation_id="record_deals",
        tags=["sheets"],
        summary="Record deals",
        description=(
            "Appends deals to the sheet, all of them or none. The key is looked up first: the same key with"
            " the same content is answered as it was, whatever became of the sheet since. A request that was"
            " refused is not kept, so the same key may be sent again once nothing is in its way."
        ),
        parameters=[sheet_schemas.IDEMPOTENCY_KEY, sheet_schemas.IF_MATCH],
        request={"application/json": sheet_schemas.NEW_DEALS},
        responses=answers(
            {201: OpenApiResponse(sheet_schemas.RECEIPT, description="Recorded, now or before.")},
            (*WRITING, 409, 412),
            s400="Not JSON, or sent without a key.",
            s422="Refused: what is wrong, and where; or the key was used for something else.",
        ),
        examples=[
            sheet_schemas.NEW_DEALS_EXAMPLE,
            sheet_schemas.RECEIPT_EXAMPLE,
            *sheet_schemas.RECORDING_REFUSALS,
        ],
    )
    def post(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with self.writing(code) as sheet:
            document = document_of(request, "deals", "stopped")
            receipt = record_documents(
                actor=actor,
                sheet=sheet,
                documents=list_in(document, "deals"),
                key=named_key(request, required=True),
                expected_version=named_version(request),
                stopped=bool(switch_in(document, "stopped")),
            )
        return receipt_response(receipt)


class DealVersions(SheetView):
    """One deal of a sheet."""

    @extend_schema(
        operation_id="deal_versions",
        tags=["sheets"],
        summary="Every version of a deal",
        description="The deal as it was entered and as it was corrected: by whom, when and why.",
        responses=answers({200: OpenApiResponse(sheet_schemas.DEAL_VERSIONS, description="The deal.")}),
        examples=[sheet_schemas.DEAL_VERSIONS_EXAMPLE],
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        sheet = self.sheet(code)
        rows = (
            DealVersion.objects.filter(sheet=sheet, number=number).select_related("act").order_by("version")
        )
        if not rows:
            raise Http404
        names = self.names(sheet)
        kept = spelt(kept_sheet(sheet), names)
        return Response({"number": number, "versions": [deal_version(kept, row, names) for row in rows]})
