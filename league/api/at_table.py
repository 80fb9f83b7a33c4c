"""The base of all views of one table: finding it, whose seat the reader has, and answering with it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Self

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import TableMatch, TableSeat
from games.services import table_state, watched_state
from games.services.watching import stream_address
from league.api import table_examples
from league.api.answers import WRITING, answers
from league.api.asking import actor_for, who_of
from league.api.at_sheet import AtSheet, etag_of_version, writing_on
from league.api.sheet_serializers import Body
from league.api.table_serializers import TableTold
from league.errors import LeagueError
from league.policy import Who, plays_as, sheets_seen
from scoring.core.actors import Actor
from scoring.models import Scoresheet


@dataclass(frozen=True, slots=True)
class AskedTable:
    """A table as far as one query tells: its versions, its seats, and where its sheet belongs (ids)."""

    match: TableMatch
    status: str
    sheet_version: int
    event: int | None
    club: int | None
    asides: int
    packs: tuple[bool, str | None]
    chairs: tuple[tuple[int, int, int | None, str | None], ...]

    @classmethod
    def of(cls, code: str) -> Self:
        """The table with this code; 404 if there is none."""
        rows = list(
            TableSeat.objects.filter(match__code=code)
            .order_by("number")
            .values_list(
                "number",
                "side",
                "account_id",
                "bot",
                "match_id",
                "match__version",
                "match__asides",
                "match__is_duplicate",
                "match__sheet__match__round__state",
                "match__sheet_id",
                "match__sheet__code",
                "match__sheet__version",
                "match__sheet__status",
                "match__sheet__match__event_id",
                "match__sheet__match__event__club_id",
                "match__sheet__exhibition__club_id",
            )
        )
        if not rows:
            raise Http404
        chairs = tuple(
            (number, side, account, bot and bot["strategy"]) for number, side, account, bot, *_ in rows
        )
        pk, version, asides, is_duplicate, round_state = rows[0][4:9]
        sheet_pk, sheet, sheet_version, status, event, club, evening = rows[0][9:]
        match = TableMatch(pk=pk, code=code, version=version, sheet=Scoresheet(pk=sheet_pk, code=sheet))
        packs = (is_duplicate, round_state if is_duplicate else None)
        return cls(match, status, sheet_version, event, club or evening, asides, packs, chairs)

    def seat_of(self, who: Who) -> int | None:
        """The seat that the reader has, a token for its user where it may record; None for a spectator."""
        account = plays_as(who, club=self.club, event=self.event, sheet=self.match.sheet_id)
        if account is None:
            return None
        return next((number for number, _side, sitting, _bot in self.chairs if sitting == account), None)

    def etag(self, seat: int | None) -> str:
        """The ETag for a seat, or for spectators: the table's version and a digest of the rest.

        The sheet's version is in it, as whoever voids or stops the sheet ends the hand in play; and of
        duplicate the state of the round, with the end of which its hands are told.
        """
        asides = 0 if seat is None else self.asides
        told = repr((seat, asides, self.sheet_version, self.status, self.packs))
        return etag_of_version(self.match.version, hashlib.sha256(told.encode()).hexdigest()[:8])

    def told(self, state: dict[str, Any]) -> Any:
        """The table as JSON, with this state of it."""
        seats = [{"seat": number, "side": side, "bot": bot} for number, side, _account, bot in self.chairs]
        is_live = state["deal"] is not None
        about = {
            "code": self.match.code,
            "sheet": self.match.sheet.code,
            "is_live": is_live,
            "stream": (is_live and stream_address(self.match.code)) or None,
        }
        return TableTold({**about, "seats": seats, **state}).data


class AtTable(AtSheet):
    """Views under the address of one table, which its code names."""

    def own_seat(self, table: AskedTable) -> int:
        """The reader's seat; refuses `not_your_seat`."""
        seat = table.seat_of(who_of(self.request))
        if seat is None:
            raise LeagueError("not_your_seat", _("You have no seat at this table."), field="seat")
        return seat

    def seat_or_404(self, table: AskedTable) -> int | None:
        """The reader's seat, None for a spectator; 404 for who may not see the sheet."""
        who = who_of(self.request)
        seat = table.seat_of(who)
        if seat is None and not sheets_seen(who, Scoresheet.objects.filter(pk=table.match.sheet_id)).exists():
            raise Http404
        return seat

    def answer(self, code: str, *, status: int = 200) -> Response:
        """The table as it is now, after the sender wrote."""
        table = AskedTable.of(code)
        return self.shown(table, table.seat_of(who_of(self.request)), status=status)

    def shown(self, table: AskedTable, seat: int | None, *, status: int = 200) -> Response:
        # The version is read first: what changes in between is told by the next look.
        headers = {"ETag": table.etag(seat)}
        if seat is None:
            state = watched_state(match=table.match)
        else:
            state = table_state(actor=actor_for(self.request), match=table.match, seat=seat)
        return Response(table.told(state), status=status, headers=headers)


def act_at_table(
    summary: str, words: str, said: type[Body], sent: tuple[str, Any], told: tuple[str, Any]
) -> Callable[[Callable[[Any, Actor, AskedTable, Any], None]], Any]:
    """Return a decorator that makes an operation of what it does at a table with what was said.

    The operation has its name, and answers with the table as it is then. `sent` and `told` are examples of
    the request and the answer, each after its title.
    """

    def operation(does: Callable[[Any, Actor, AskedTable, Any], None]) -> Any:
        @action(detail=True, methods=["post"])
        @wraps(does)
        def view(self: AtTable, request: Request, code: str) -> Response:
            actor, table = actor_for(request), AskedTable.of(code)
            with writing_on(request, table.match.sheet.code):
                does(self, actor, table, self.said(said))
            return self.answer(code)

        return extend_schema(
            operation_id=f"table_{does.__name__}",
            tags=["tables"],
            summary=summary,
            description=words,
            parameters=[table_examples.ETAG],
            request={"application/json": said},
            responses=answers({200: OpenApiResponse(TableTold, description=f"{told[0]}.")}, (*WRITING, 409)),
            examples=[
                OpenApiExample(sent[0], value=sent[1], request_only=True),
                OpenApiExample(told[0], value=told[1], response_only=True, status_codes=["200"]),
            ],
        )(view)

    return operation
