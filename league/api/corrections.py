"""Corrections of a sheet: those that were made, each with its reason, and a new one."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_schemas
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import (
    SheetView,
    document_of,
    named_key,
    named_version,
    receipt_response,
    switch_in,
    text_in,
)
from league.api.sheet_documents import correction, spelt
from scoring.core.errors import DocumentError, RecordingError, shown
from scoring.core.sheets import MOST_DEALS
from scoring.models import ActKind, DealVersion
from scoring.services import correct_documents
from scoring.services.records import kept_sheet


class Corrections(SheetView):
    """What was changed on a sheet after it had been recorded, and the next change."""

    @extend_schema(
        operation_id="corrections",
        tags=["sheets"],
        summary="The corrections of a sheet",
        description="Who changed what, when and why, the first one first; every deal before and after.",
        parameters=sheet_schemas.paging(),
        responses=answers(
            {200: OpenApiResponse(sheet_schemas.page_of(sheet_schemas.CORRECTION), description="")}
        ),
        examples=[sheet_schemas.CORRECTIONS_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        names = self.names(sheet)
        pages, acts = self.page(sheet.acts.filter(kind=ActKind.CORRECT).order_by("id"))
        kept = spelt(kept_sheet(sheet), names)
        rows = list(DealVersion.objects.filter(sheet=sheet).order_by("number", "version"))
        return pages.get_paginated_response([correction(kept, act, rows, names) for act in acts])

    @extend_schema(
        operation_id="correct_deals",
        tags=["sheets"],
        summary="Correct deals",
        description=(
            "Puts new versions in the place of deals, as one act with its reason; null voids a deal, which"
            " keeps its number and counts nothing. A forgotten deal is entered by correcting the deals from"
            " there on. What was signed before has lapsed."
        ),
        parameters=[sheet_schemas.OPTIONAL_KEY, sheet_schemas.IF_MATCH],
        request={"application/json": sheet_schemas.NEW_CORRECTION},
        responses=answers(
            {201: OpenApiResponse(sheet_schemas.RECEIPT, description="Corrected, now or before.")},
            (*WRITING, 409, 412),
            s422="Refused: what is wrong, and in which deal, hand and field.",
        ),
        examples=[
            sheet_schemas.CORRECTION_EXAMPLE,
            sheet_schemas.RECEIPT_EXAMPLE,
            *sheet_schemas.CORRECTING_REFUSALS,
        ],
    )
    def post(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with self.writing(code) as sheet:
            document = document_of(request, "deals", "stopped", "reason")
            receipt = correct_documents(
                actor=actor,
                sheet=sheet,
                changes=_changes(document.get("deals", {})),
                reason=text_in(document, "reason"),
                key=named_key(request),
                expected_version=named_version(request),
                stopped=switch_in(document, "stopped"),
            )
        return receipt_response(receipt)


def _changes(document: object) -> Mapping[int, Any]:
    """The deals of a correction by their numbers, which JSON has as text."""
    if not isinstance(document, dict):
        raise DocumentError("wrong_type", _("deals is an object: deals by their numbers."), field="deals")
    return {_number(text): deal for text, deal in document.items()}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and text == str(int(text))):
        raise RecordingError(
            "unknown_deal", _("“%(text)s” is no number of a deal.") % {"text": shown(text)}, field="deals"
        )
    number = int(text)
    if not 1 <= number <= MOST_DEALS:
        raise RecordingError(
            "unknown_deal",
            _("Deals are numbered from 1 to %(most)d.") % {"most": MOST_DEALS},
            field="deals",
        )
    return number
