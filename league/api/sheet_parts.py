"""Views under the address of a sheet: its deals, corrections, signatures and disputes."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Window
from django.db.models.functions import RowNumber
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_examples
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import AtSheet, named_key, named_version, receipt_response, writing_on
from league.api.sheet_answers import (
    AllVersions,
    CorrectionTold,
    DisputeTold,
    NumberedDeal,
    ReceiptTold,
    SignaturesTold,
)
from league.api.sheet_serializers import Correction, Disputing, Recording, Settling, Signing
from scoring.core.errors import RecordingError, shown
from scoring.models import ActKind, DealVersion, Dispute, Scoresheet, Side
from scoring.policy import policy
from scoring.services import correct_deals, dispute_sheet, record_deals, settle_dispute, sign_sheet
from scoring.services.records import side_called


class Deals(AtSheet):
    """The deals of a sheet, recorded once per key however often they are sent, and all their versions."""

    @extend_schema(
        operation_id="deals",
        tags=["sheets"],
        summary="The deals of a sheet",
        description=(
            "The latest version of every deal, in the form in which it is sent. Null is a voided deal."
        ),
        responses=answers({200: OpenApiResponse(NumberedDeal, description="")}),
        examples=[sheet_examples.DEALS],
    )
    def list(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        context = self.context_of(sheet)
        page = self.page(context["kept"].versions)
        rows = DealVersion.objects.filter(pk__in=[deal.pk for deal in page]).order_by("number")
        told = NumberedDeal(rows.select_related("act"), many=True, context=context).data
        return self.get_paginated_response(told)

    @extend_schema(
        operation_id="record_deals",
        tags=["sheets"],
        summary="Record deals",
        description=(
            "Appends deals to the sheet: all of them or none. The key is looked up first: the same "
            "key and content get the first answer again, whatever has become of the sheet since. A "
            "refused request is not kept, so its key may be sent again."
        ),
        parameters=[sheet_examples.IDEMPOTENCY_KEY, sheet_examples.IF_MATCH],
        request={"application/json": Recording},
        responses=answers(
            {201: OpenApiResponse(ReceiptTold, description="Recorded, now or before.")},
            (*WRITING, 409, 412),
            s400="Not JSON, or sent without a key.",
            s422="Refused: what is wrong, and where; or the key was used for something else.",
        ),
        examples=[
            sheet_examples.NEW_DEALS,
            sheet_examples.RECEIPT,
            *sheet_examples.RECORDING_REFUSALS,
        ],
    )
    def create(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with writing_on(request, code) as sheet:
            said = self.said(Recording)
            receipt = record_deals(
                actor=actor,
                sheet=sheet,
                deals=said["deals"],
                key=named_key(request, required=True),
                expected_version=named_version(request),
                stopped=said["stopped"],
            )
        return receipt_response(receipt)

    @extend_schema(
        operation_id="deal_versions",
        tags=["sheets"],
        summary="Every version of a deal",
        description="The deal as it was entered and as it was corrected: by whom, when and why.",
        responses=answers({200: OpenApiResponse(AllVersions, description="The deal.")}),
        examples=[sheet_examples.DEAL_VERSIONS],
    )
    def retrieve(self, request: Request, code: str, number: int) -> Response:
        sheet = self.sheet(code)
        rows = DealVersion.objects.filter(sheet=sheet, number=number).select_related("act")
        versions = list(rows.order_by("version"))
        if not versions:
            raise Http404
        told = {"number": number, "versions": versions}
        return Response(AllVersions(told, context=self.context_of(sheet)).data)


class Corrections(AtSheet):
    """The corrections of a sheet."""

    @extend_schema(
        operation_id="corrections",
        tags=["sheets"],
        summary="The corrections of a sheet",
        description="Who changed what, when and why, oldest first, with every deal before and after.",
        responses=answers({200: OpenApiResponse(CorrectionTold, description="")}),
        examples=[sheet_examples.CORRECTIONS],
    )
    def list(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        acts = self.page(sheet.acts.filter(kind=ActKind.CORRECT).order_by("id"))
        rows = DealVersion.objects.filter(sheet=sheet).order_by("number", "version")
        context = self.context_of(sheet) | {"deals": {(row.number, row.version): row for row in rows}}
        return self.get_paginated_response(CorrectionTold(acts, many=True, context=context).data)

    @extend_schema(
        operation_id="correct_deals",
        tags=["sheets"],
        summary="Correct deals",
        description=(
            "Replaces deals with new versions, as one act with one reason. Null voids a deal, which "
            "keeps its number and does not count. To enter a forgotten deal, correct the deals from "
            "there on. Earlier signatures lapse."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY, sheet_examples.IF_MATCH],
        request={"application/json": Correction},
        responses=answers(
            {201: OpenApiResponse(ReceiptTold, description="Corrected, now or before.")},
            (*WRITING, 409, 412),
            s422="Refused: what is wrong, and in which deal, hand and field.",
        ),
        examples=[
            sheet_examples.CORRECTION,
            sheet_examples.RECEIPT,
            *sheet_examples.CORRECTING_REFUSALS,
        ],
    )
    def create(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with writing_on(request, code) as sheet:
            said = self.said(Correction)
            receipt = correct_deals(
                actor=actor,
                sheet=sheet,
                changes=said["deals"],
                reason=said["reason"],
                key=named_key(request),
                expected_version=named_version(request),
                stopped=said.get("stopped"),
            )
        return receipt_response(receipt)


class Signatures(AtSheet):
    """The signatures of a sheet."""

    @extend_schema(
        operation_id="signatures",
        tags=["sheets"],
        summary="The signatures under a sheet",
        description="Each names the version that was signed, and lapses when the sheet is changed.",
        responses=answers({200: OpenApiResponse(SignaturesTold, description="The signatures.")}),
        examples=[sheet_examples.SIGNATURES],
    )
    def retrieve(self, request: Request, code: str) -> Response:
        return self._told(code)

    @extend_schema(
        operation_id="sign",
        tags=["sheets"],
        summary="Sign a sheet",
        description=(
            "Signs this version of a sheet that has ended. A player at the table signs for the "
            "player's own side; a scorekeeper who is not at the table and has seen the paper signs "
            "for both sides, or for those named. A side signs a version once; sending the same "
            "again gets the same answer."
        ),
        parameters=[sheet_examples.IF_MATCH],
        request={"application/json": Signing},
        responses=answers(
            {201: OpenApiResponse(SignaturesTold, description="Signed.")},
            (*WRITING, 409, 412),
        ),
        examples=sheet_examples.SIGNING,
    )
    def create(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with writing_on(request, code) as sheet:
            names = self.said(Signing).get("sides")
            sides = None if names is None else [_side_named(sheet, name, field="sides") for name in names]
            sign_sheet(actor=actor, sheet=sheet, sides=sides, expected_version=named_version(request))
        return self._told(code, status=201)

    def _told(self, code: str, *, status: int = 200) -> Response:
        sheet = self.sheet(code)
        told = {"version": sheet.version, "signatures": sheet.signatures.order_by("version", "side")}
        return Response(SignaturesTold(told, context=self.context_of(sheet)).data, status=status)


class Disputes(AtSheet):
    """The disputes of a sheet and their settlements."""

    @extend_schema(
        operation_id="disputes",
        tags=["sheets"],
        summary="The disputes of a sheet",
        description="Oldest first; `settlement` is null while a dispute is open.",
        responses=answers({200: OpenApiResponse(DisputeTold, description="")}),
        examples=[sheet_examples.DISPUTES],
    )
    def list(self, request: Request, code: str) -> Response:
        sheet = self.sheet(code)
        page = self.page(_numbered(sheet))
        return self.get_paginated_response(self._told(sheet, page))

    @extend_schema(
        operation_id="dispute",
        tags=["sheets"],
        summary="Dispute a sheet",
        description=(
            "Says, for one side, that a sheet that has ended does not show what was played. Its "
            "result does not count until the dispute is settled. Sending the same again while it is "
            "open gets the same answer."
        ),
        parameters=[sheet_examples.IF_MATCH],
        request={"application/json": Disputing},
        responses=answers({201: OpenApiResponse(DisputeTold, description="Disputed.")}, (*WRITING, 409, 412)),
        examples=sheet_examples.DISPUTE,
    )
    def create(self, request: Request, code: str) -> Response:
        actor = actor_for(request)
        with writing_on(request, code) as sheet:
            said = self.said(Disputing)
            side = said.get("side")
            made = dispute_sheet(
                actor=actor,
                sheet=sheet,
                sentence=said["sentence"],
                side=None if side is None else _side_named(sheet, side, field="side"),
                expected_version=named_version(request),
            )
        return self._told_one(code, made)

    @extend_schema(
        operation_id="settle_dispute",
        tags=["sheets"],
        summary="Settle a dispute",
        description=(
            "A director, or the side that raised it, ends a dispute with a sentence. Changes to the "
            "sheet are a correction of their own."
        ),
        request={"application/json": Settling},
        responses=answers({201: OpenApiResponse(DisputeTold, description="Settled.")}, (*WRITING, 409)),
        examples=[sheet_examples.SETTLEMENT, sheet_examples.SETTLED],
    )
    @action(detail=True, methods=["post"])
    def settlement(self, request: Request, code: str, number: int) -> Response:
        """Settle a dispute; 404 for a number that the sheet does not have."""
        actor = actor_for(request)
        with writing_on(request, code) as sheet:
            said = self.said(Settling)
            rows = list(Dispute.objects.filter(sheet__code=sheet.code).select_related("sheet").order_by("id"))
            if not 1 <= number <= len(rows):
                raise Http404
            settle_dispute(actor=actor, dispute=rows[number - 1], reason=said["reason"])
        return self._told_one(code, rows[number - 1])

    def _told_one(self, code: str, dispute: Dispute) -> Response:
        sheet = self.sheet(code)
        (told,) = self._told(sheet, [row for row in _numbered(sheet) if row.pk == dispute.pk])
        return Response(told, status=201)

    def _told(self, sheet: Scoresheet, disputes: Sequence[Dispute]) -> Any:
        for row in disputes:
            row.__dict__["settled"] = getattr(row, "settlement", None)
        return DisputeTold(disputes, many=True, context=self.context_of(sheet)).data


def _numbered(sheet: Scoresheet) -> Any:
    """Return all disputes of the sheet, each with a `number` counted from 1."""
    rows = sheet.disputes.select_related("settlement").order_by("id")
    return rows.annotate(number=Window(RowNumber(), order_by="id"))


def _side_named(sheet: Scoresheet, name: object, *, field: str) -> int:
    """Return the side (0 or 1) with this name, as written or by its players' present names.

    Refuses other names (`unknown_side`).
    """
    sides = list(Side.objects.filter(sheet__code=sheet.code).order_by("position").prefetch_related("seats"))
    names = [side.name for side in sides]
    if isinstance(name, str) and name not in names:
        persons = policy().called({seat.person for side in sides for seat in side.seats.all()})
        names = [side_called(side, lambda key, written: persons.get(key, written)) for side in sides]
    if not isinstance(name, str) or name not in names:
        told = shown(name) if isinstance(name, str) else "…"
        raise RecordingError(
            "unknown_side", _("“%(name)s” is not a side of this sheet.") % {"name": told}, field=field
        )
    return names.index(name)
