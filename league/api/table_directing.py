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
from league.api.answers import READING, answers
from league.api.asking import who_of
from league.api.at_table import AskedTable, AtTable, act_at_table
from league.api.sheet_serializers import Settling
from league.api.table_serializers import ConductTold, Nothing, WarningSaid
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
from scoring.core.actors import Actor


class DirectedTables(AtTable):
    """Tables at which members play, for whoever directs the club."""

    @act_at_table(
        "Adjourn a table",
        "A director stops play, with a reason that all who play are told: nobody moves, and no clock "
        "runs, until he lets it go on.",
        Settling,
        ("The hall closes", {"reason": "The hall closes."}),
        ("Adjourned", table_examples.ADJOURNED),
    )
    def adjourn(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Stop play."""
        adjourn_for(actor=actor, match=table.match, reason=said["reason"])

    @act_at_table(
        "Let a table go on",
        "A director lets play and clocks go on where they stopped, after it was adjourned or a bot "
        "failed. A hand that no longer fits the sheet is redealt.",
        Nothing,
        ("Go on", {}),
        ("It goes on", table_examples.WATCHED),
    )
    def go_on(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Let play go on."""
        let_go_on_for(actor=actor, match=table.match)

    @act_at_table(
        "Redeal a hand",
        "A director has the hand in play broken off, which does not count and is shown to nobody, and "
        "another one dealt: at a table that is adjourned, or whose sheet was changed during the hand.",
        Settling,
        ("It failed", {"reason": "The bot failed."}),
        ("Dealt", table_examples.WATCHED),
    )
    def deal_anew(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Have the hand dealt anew."""
        deal_anew_for(actor=actor, match=table.match, reason=said["reason"])

    @act_at_table(
        "Warn a member at a table",
        "A director warns the member in a seat, who is shown the reason; nobody else is.",
        WarningSaid,
        ("Slow", {"seat": 1, "reason": "Please play on."}),
        ("Warned", table_examples.WATCHED),
    )
    def warn(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Warn a member."""
        warn_for(actor=actor, match=table.match, seat=said["seat"], reason=said["reason"])

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
