"""What a director's program does about the play at a table, and reads of how it was played.

The services are those of the administration: the same permission, the same refusals, the same audit. Awarding
a match is an outcome of it (`outcomes`), ending a table is beside playing at one (`tables`).
"""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.arena.choices import shipped_choices
from league.api import table_examples
from league.api.answers import READING, WRITING, answers
from league.api.asking import actor_for, who_of
from league.api.at_sheet import writing_on
from league.api.at_table import AskedTable, AtTable
from league.api.sheet_serializers import Settling
from league.api.table_serializers import ConductTold, Nothing, TableTold, WarningSaid
from league.api.versions import etag_of
from league.matches.member_tables import (
    adjourn_for,
    conduct_of,
    deal_anew_for,
    let_go_on_for,
    warn_for,
)
from league.models import Match
from league.policy import Permission, can


class DirectedTables(AtTable):
    """Tables at which members play, for whoever directs the club."""

    @extend_schema(
        operation_id="table_adjourn",
        tags=["tables"],
        summary="Adjourn a table",
        description=(
            "A director stops play, with a reason that all who play are told: nobody moves, and no clock "
            "runs, until he lets it go on."
        ),
        parameters=[table_examples.ETAG],
        request={"application/json": Settling},
        responses=answers({200: OpenApiResponse(TableTold, description="Adjourned.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("The hall closes", value={"reason": "The hall closes."}, request_only=True),
            OpenApiExample(
                "Adjourned", value=table_examples.ADJOURNED, response_only=True, status_codes=["200"]
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def adjourn(self, request: Request, code: str) -> Response:
        """Stop play."""
        table, actor = AskedTable.of(code), actor_for(request)
        with writing_on(request, table.match.sheet.code):
            adjourn_for(actor=actor, match=table.match, reason=self.said(Settling)["reason"])
        return self.answer(code)

    @extend_schema(
        operation_id="table_go_on",
        tags=["tables"],
        summary="Let a table go on",
        description=(
            "A director lets play and clocks go on where they stopped, after it was adjourned or a bot "
            "failed. A hand that no longer fits the sheet is dealt anew."
        ),
        parameters=[table_examples.ETAG],
        request={"application/json": Nothing},
        responses=answers({200: OpenApiResponse(TableTold, description="It goes on.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("Go on", value={}, request_only=True),
            OpenApiExample(
                "It goes on", value=table_examples.WATCHED, response_only=True, status_codes=["200"]
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def go_on(self, request: Request, code: str) -> Response:
        """Let play go on."""
        table, actor = AskedTable.of(code), actor_for(request)
        with writing_on(request, table.match.sheet.code):
            self.said(Nothing)
            let_go_on_for(actor=actor, match=table.match)
        return self.answer(code)

    @extend_schema(
        operation_id="table_deal_anew",
        tags=["tables"],
        summary="Deal a hand anew",
        description=(
            "A director has the hand in play broken off, which counts nothing and is shown to nobody, and "
            "another one dealt: at a table that is adjourned, or whose sheet was changed during the hand."
        ),
        parameters=[table_examples.ETAG],
        request={"application/json": Settling},
        responses=answers({200: OpenApiResponse(TableTold, description="Dealt.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("It failed", value={"reason": "The bot failed."}, request_only=True),
            OpenApiExample("Dealt", value=table_examples.WATCHED, response_only=True, status_codes=["200"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def deal_anew(self, request: Request, code: str) -> Response:
        """Have the hand dealt anew."""
        table, actor = AskedTable.of(code), actor_for(request)
        with writing_on(request, table.match.sheet.code):
            deal_anew_for(actor=actor, match=table.match, reason=self.said(Settling)["reason"])
        return self.answer(code)

    @extend_schema(
        operation_id="table_warn",
        tags=["tables"],
        summary="Warn a member at a table",
        description="A director warns the member in a seat, who is shown the reason; nobody else is.",
        parameters=[table_examples.ETAG],
        request={"application/json": WarningSaid},
        responses=answers({200: OpenApiResponse(TableTold, description="Warned.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("Slow", value={"seat": 1, "reason": "Please play on."}, request_only=True),
            OpenApiExample("Warned", value=table_examples.WATCHED, response_only=True, status_codes=["200"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def warn(self, request: Request, code: str) -> Response:
        """Warn a member."""
        table, actor = AskedTable.of(code), actor_for(request)
        with writing_on(request, table.match.sheet.code):
            said = self.said(WarningSaid)
            warn_for(actor=actor, match=table.match, seat=said["seat"], reason=said["reason"])
        return self.answer(code)

    @extend_schema(
        operation_id="table_conduct",
        tags=["tables"],
        summary="How a match is played",
        description=(
            "For directors, of the table of a match: how long moves took, time-outs and warnings, and once "
            "play is over, of duplicate the round, how far choices agree with those of `expert`, beside bots "
            "by the same measure. The figures accuse nobody; no single choice is told. To whoever does not "
            "direct it is a 404."
        ),
        responses=answers({200: OpenApiResponse(ConductTold, description="What is noted.")}, READING),
        examples=[OpenApiExample("A match", value=table_examples.CONDUCT, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def conduct(self, request: Request, code: str) -> Response:
        """Return what is noted of those who play."""
        asked = AskedTable.of(code)
        rows = Match.objects.filter(sheet=asked.match.sheet_id)
        match = rows.select_related("event", "sheet__table_match").first()
        if match is None or not can(who_of(request), Permission.DIRECT, match.event.club_id):
            raise Http404
        table: Any = match.sheet and match.sheet.table_match
        noted = {
            "match": match.code,
            "is_live": table.is_live,
            "adjourned_at": table.adjourned_at,
            "adjourned_why": table.adjourned_note or None,
            "seats": conduct_of(match, table),
            "bots": shipped_choices().bots,
        }
        body = ConductTold(noted).data
        return Response(body, headers={"ETag": etag_of(body)})
