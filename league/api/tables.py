"""Tables at which members play card by card: beginning one, acting in one's own seat, and looking on.

A seat is told its own cards and what lies open; whoever else may see the sheet is told of hands that are
over, and of those in play only that they are played and whose turn it is. Seats count through all sides; of
teams each has a hand of his own, and of games for more than two all play one.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Self

from django.contrib.auth.models import User
from django.http import Http404
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.models import MOST_SEATS, Phrase, TableMatch, TableSeat
from games.services import (
    act,
    hand_document,
    hands_over,
    mute,
    say,
    table_state,
    unmute,
    watched_state,
)
from games.services.packs import is_withheld
from games.services.watching import stream_address
from league.api import sheet_examples
from league.api.answers import READING, WRITING, answers
from league.api.asking import actor_for, who_of
from league.api.at_sheet import AtSheet, etag_of_version, named_key, named_version, writing_on
from league.api.sheet_serializers import Body, Member, Settling, Switch, Text
from league.api.versions import etag_of
from league.errors import LeagueError
from league.matches.member_tables import begin_table, end_table_for
from league.models import ApiToken
from league.policy import Permission, Who, reaches_sheet, sheets_seen
from scoring.documents.shapes import integer
from scoring.models import Scoresheet

_IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The version of the table that you read, as its ETag or as a bare number; any other is 412.",
)
_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A key chosen by the client, of up to 64 characters, the same for every retry. The same key, version "
        "and action are carried out once, and answered with the same `answered`."
    ),
)
_ETAG: Final = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=(200, 201),
    description="The version of the table as you see it, for If-None-Match and If-Match.",
)
_AT_TABLE: Final = OpenApiParameter(
    "table", OpenApiTypes.INT, description="Which hand of the deal, from 0, which is also the default."
)
_NEW: Final = {"sheet": "k7wq2mzt4d", "seat": 0, "bot": "simple"}
_LAST: Final = {
    "deal": 1,
    "table": 0,
    "seats": [0, 1],
    "dealer": 1,
    "actions": ["take", "discard KD", "draw", "knock QS"],
    "commitment": "5b0f4dd0…",
    "pack": "4C 9H 7S …",
    "nonce": "e61c09b7…",
}
_WATCHED: Final = {
    "code": "t4mxw9hb2q",
    "sheet": "k7wq2mzt4d",
    "is_live": True,
    "seats": [{"seat": 0, "side": 0, "bot": None}, {"seat": 1, "side": 1, "bot": "simple"}],
    "version": 9,
    "seat": None,
    "deal": 2,
    "tables": [
        {
            "table": 0,
            "seats": [0, 1],
            "commitment": "c1a7e03f…",
            "turn": 0,
            "move_count": 2,
            "is_over": False,
        }
    ],
    "commitment": "c1a7e03f…",
    "turn": 0,
    "move_count": 2,
    "hand": None,
    "last_hand": _LAST,
    "clock": None,
    "forfeited_by": None,
    "adjourned_at": None,
    "adjourned_why": None,
    "phrases": None,
    "warnings": [],
    "stream": "/streams/t4mxw9hb2q:1vQ8Zt:Jc3…",
}
_SEEN: Final = {
    **_WATCHED,
    "seat": 0,
    "phrases": {
        "is_muted": False,
        "latest": [{"seat": 1, "phrase": "good_luck", "said_at": "2026-12-03T18:00:00Z"}],
    },
    "hand": {
        "dealer": 0,
        "phase": "draw",
        "turn": 0,
        "hand": "AC 2C 3C 7D 7H 9S TS JD QD KH",
        "upcard": "5H",
        "pile": "5H",
        "stock": 31,
        "known": "",
        "known_by": ["", ""],
        "counts": [10, 10],
        "limit": 10,
        "moves": [{"seat": 1, "move": "pass"}, {"seat": 0, "move": "pass"}],
        "legal": ["draw"],
        "laid": None,
        "offered": None,
        "beside": None,
        "melds": None,
        "open_stock": None,
    },
}


@extend_schema_field({"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1})
class Seat(Member):
    """The number of a seat; whether it is one's own is asked by the service."""

    def to_internal_value(self, data: Any) -> int:
        name = str(self.field_name)
        return integer({name: data}, name, None)


class BeginningSaid(Body):
    """A table to begin: on which sheet, in which seat of one's own, and against which bot."""

    sheet = Text(help_text="The code of an open sheet on which you sit.")
    seat = Seat(required=False, help_text="Your own, counted through all sides; it may be left out.")
    bot = Text(
        required=False, help_text="The strategy that plays for guests; left out, whoever sits there plays."
    )


class ActionSaid(Body):
    """An action, as the state lists it in `legal`; a knock may name its melds."""

    seat = Seat(required=False, help_text="Your own seat; it may be left out.")
    action = Text(
        help_text=(
            "`pass`, `take`, `take_below`, `draw`, `discard 7H`, `knock KD`, "
            "`knock KD: 4C 5C 6C / 7D 7H 7S`, `gin KD` or `big_gin`; in rummy also `meld 4C 5C 6C` and "
            "`lay_off 7C 0`, on the first meld of the table."
        )
    )


class PhraseSaid(Body):
    """A phrase for the other seats."""

    phrase = Text(help_text=f"One of {', '.join(f'`{value}`' for value in Phrase.values)}.")


class HearingSaid(Body):
    """Whether one wants to be shown what others say."""

    is_muted = Switch(help_text="Whether you are to be shown none of it.")


class ChairTold(serializers.Serializer[Any]):
    """Who plays in a seat; the names stand on the sheet."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    bot = serializers.CharField(allow_null=True, help_text="Its strategy; null where a member plays.")


class MoveTold(serializers.Serializer[Any]):
    """A move as it is seen at the table."""

    seat = serializers.IntegerField()
    move = serializers.CharField(help_text="With the card, if it moved openly.")


class MeldTold(serializers.Serializer[Any]):
    """A meld on the table in rummy."""

    seat = serializers.IntegerField(help_text="Who laid it down.")
    cards = serializers.CharField()


class ArrangementTold(serializers.Serializer[Any]):
    """The cards of who has knocked, as he has laid them down."""

    melds = serializers.ListField(child=serializers.CharField())
    deadwood = serializers.IntegerField()
    unmatched = serializers.CharField()


class BesideTold(serializers.Serializer[Any]):
    """The other of two games from one pack, as everybody at the table may know it."""

    phase = serializers.CharField()
    pile = serializers.CharField(help_text="From the bottom to the top.")
    moves = MoveTold(many=True)
    laid = ArrangementTold(allow_null=True)
    shown = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="Its hands, once they lie open."
    )


class SeenHandTold(serializers.Serializer[Any]):
    """A hand in play as one seat sees it; cards separated by spaces.

    Inside a hand its players are called 0 and 1 and so on, in the order of its `seats` in `tables`.
    """

    dealer = serializers.IntegerField()
    phase = serializers.CharField(help_text="What is expected of whose turn it is.")
    turn = serializers.IntegerField()
    hand = serializers.CharField(help_text="Your own cards.")
    upcard = serializers.CharField(allow_null=True)
    pile = serializers.CharField(help_text="From the bottom to the top.")
    stock = serializers.IntegerField(help_text="How many cards are left.")
    known = serializers.CharField(help_text="Cards that the others took openly and still hold.")
    known_by = serializers.ListField(
        child=serializers.CharField(), help_text="The same by player; nothing for yourself."
    )
    counts = serializers.ListField(
        child=serializers.IntegerField(), help_text="How many cards each player holds."
    )
    limit = serializers.IntegerField(
        allow_null=True, help_text="The most a knock may leave; null in rummy, as nobody knocks there."
    )
    moves = MoveTold(many=True)
    legal = serializers.ListField(
        child=serializers.CharField(), help_text="Your actions, if it is your turn."
    )
    laid = ArrangementTold(allow_null=True, help_text="From a knock on, how the knocker's cards lie.")
    offered = serializers.CharField(
        allow_null=True, help_text="While you lay off, the action that leaves you least."
    )
    beside = BesideTold(allow_null=True, help_text="Of two games from one pack the other one.")
    melds = MeldTold(many=True, allow_null=True, help_text="In rummy those on the table, from 0 on.")
    open_stock = serializers.CharField(
        allow_null=True, help_text="In rummy the cards of a pile that was turned over, the next one first."
    )


class HandTold(serializers.Serializer[Any]):
    """A hand that is over, with all that it takes to check it."""

    deal = serializers.IntegerField()
    table = serializers.IntegerField(help_text="Of teams which hand of the deal, from 0.")
    seats = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Who played it; in the hand they are called 0 and 1 and so on.",
    )
    dealer = serializers.IntegerField()
    actions = serializers.ListField(child=serializers.CharField())
    commitment = serializers.CharField(
        help_text="The SHA-256, in hexadecimal, of pack, a space and nonce; told before the first action."
    )
    pack = serializers.CharField(
        help_text=(
            "All cards, from the first one dealt; where a stock may be shuffled again, after a slash each "
            "time the order in which its cards come."
        )
    )
    nonce = serializers.CharField()


class TableHandTold(serializers.Serializer[Any]):
    """A hand of the deal in play, as everybody may know it."""

    table = serializers.IntegerField(help_text="From 0.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Who play it.")
    commitment = serializers.CharField(help_text="To its pack.")
    turn = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    move_count = serializers.IntegerField()
    is_over = serializers.BooleanField(help_text="Whether it waits for the others of the deal.")


class SeatClockTold(serializers.Serializer[Any]):
    """The clock of a seat."""

    bank_left = serializers.FloatField(help_text="Seconds left of the time for the match.")
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="When its time is over; null while it does not run."
    )
    time_outs = serializers.IntegerField()


class ClockTold(serializers.Serializer[Any]):
    """The clock of a table as it is now."""

    turn_seconds = serializers.IntegerField()
    bank_seconds = serializers.IntegerField()
    time_out = serializers.CharField(
        help_text="`default_action` plays the turn, `forfeit_match` loses the match."
    )
    now = serializers.DateTimeField(help_text="By the clock of the site.")
    turn_since = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    pause_asked_by = serializers.IntegerField(allow_null=True, help_text="The seat that asks for a pause.")
    seats = SeatClockTold(many=True)


class SaidTold(serializers.Serializer[Any]):
    """A phrase that was sent."""

    seat = serializers.IntegerField()
    phrase = serializers.ChoiceField(choices=Phrase.choices)
    said_at = serializers.DateTimeField()


class PhrasesTold(serializers.Serializer[Any]):
    """What is said at a table, as one seat is told it."""

    is_muted = serializers.BooleanField(help_text="Whether you are shown none of others.")
    latest = SaidTold(many=True)


class WarningTold(serializers.Serializer[Any]):
    """A director's warning to you."""

    reason = serializers.CharField()
    warned_at = serializers.DateTimeField()


class TableTold(serializers.Serializer[Any]):
    """A table as its reader may see it. What is null of the hand in play is not known, or none is played."""

    code = serializers.CharField()
    sheet = serializers.CharField()
    is_live = serializers.BooleanField(help_text="Whether a hand is in play.")
    seats = ChairTold(many=True)
    version = serializers.IntegerField(help_text="Of the last action; send it in If-Match.")
    seat = serializers.IntegerField(allow_null=True, help_text="Your own; null if you look on.")
    deal = serializers.IntegerField(allow_null=True, help_text="The number of the deal in play.")
    tables = TableHandTold(
        many=True, help_text="The hands of the deal in play: one, or one for each table of teams."
    )
    commitment = serializers.CharField(
        allow_null=True, help_text="To the pack of your own hand, or of the only one; so are the next two."
    )
    turn = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    move_count = serializers.IntegerField(allow_null=True, help_text="How many moves were made in it.")
    hand = SeenHandTold(
        allow_null=True, help_text="What you see of your own; null if you look on, or it is over."
    )
    last_hand = HandTold(
        allow_null=True,
        help_text="Your last hand that is over, or the last of all; null while others play the same packs.",
    )
    clock = ClockTold(allow_null=True)
    forfeited_by = serializers.IntegerField(
        allow_null=True, help_text="The side that lost by a clock, or gave up."
    )
    adjourned_at = serializers.DateTimeField(
        allow_null=True,
        help_text="Since when a director, or a bot that failed, has stopped play.",
    )
    adjourned_why = serializers.CharField(allow_null=True, help_text="Told to those who play.")
    phrases = PhrasesTold(
        allow_null=True, help_text="Null where the club has not switched them on, and if you look on."
    )
    warnings = WarningTold(many=True, help_text="Those to you.")
    stream = serializers.CharField(
        allow_null=True,
        help_text="Of server-sent events: `look`, when it has changed; null if it is over or there are none.",
    )


class ActTold(serializers.Serializer[Any]):
    """An action that was carried out, now or before, and the table as it is by now."""

    answered = serializers.IntegerField(help_text="The version that the action led to.")
    table = TableTold()


@dataclass(frozen=True, slots=True)
class _Table:
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
        (
            pk,
            version,
            asides,
            is_duplicate,
            round_state,
            sheet_pk,
            sheet,
            sheet_version,
            status,
            event,
            club,
            evening,
        ) = rows[0][4:]
        match = TableMatch(pk=pk, code=code, version=version, sheet=Scoresheet(pk=sheet_pk, code=sheet))
        packs = (is_duplicate, round_state if is_duplicate else None)
        return cls(match, status, sheet_version, event, club or evening, asides, packs, chairs)

    def seat_of(self, who: Who) -> int | None:
        """The seat that the reader has, a token for its user where it may record; None for a spectator."""
        account = who.pk if isinstance(who, User) else None
        if isinstance(who, ApiToken) and reaches_sheet(
            who, Permission.RECORD, sheet=self.match.sheet_id, event=self.event, club=self.club
        ):
            account = who.user_id
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


class Tables(AtSheet):
    """Tables at which members play card by card."""

    @extend_schema(
        operation_id="begin_table",
        tags=["tables"],
        summary="Begin a table",
        description=(
            "Begins to play an open sheet of two sides card by card, and deals. You sit on it yourself; "
            "against you, or beside you in a team, plays a bot, in its own name or for a guest, or the "
            "account of the player who sits there. Of teams all hands of a deal are in play at once, and the "
            "deal is recorded once they are over. While the table is played nobody records on the sheet "
            "otherwise. The same key and content get the table that they began, as it is by now."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY, _ETAG],
        request={"application/json": BeginningSaid},
        responses=answers(
            {201: OpenApiResponse(TableTold, description="Begun, now or before.")}, (*WRITING, 409)
        ),
        examples=[
            OpenApiExample("Against a bot", value=_NEW, request_only=True),
            OpenApiExample("Begun", value=_SEEN, response_only=True, status_codes=["201"]),
        ],
    )
    def create(self, request: Request) -> Response:
        actor = actor_for(request)
        said = self.said(BeginningSaid)
        with writing_on(request, said["sheet"]) as sheet:
            match = begin_table(
                actor=actor,
                sheet=sheet,
                seat=said.get("seat"),
                bot=said.get("bot", ""),
                key=named_key(request),
            )
        response = self._answer(match.code, status=201)
        response["Location"] = reverse("api-tables-detail", [match.code], request=request)
        return response

    @extend_schema(
        operation_id="table",
        tags=["tables"],
        summary="A table",
        description=(
            "As your seat sees it. Whoever else may read the sheet looks on: of the hand in play he is told "
            "no card, only whose turn it is. Follow it with `If-None-Match`: nothing new is a 304."
        ),
        parameters=[_ETAG],
        responses=answers({200: OpenApiResponse(TableTold, description="The table.")}, READING),
        examples=[
            OpenApiExample("In your seat", value=_SEEN, response_only=True),
            OpenApiExample("Looking on", value=_WATCHED, response_only=True),
        ],
    )
    def retrieve(self, request: Request, code: str) -> Response:
        table = _Table.of(code)
        seat = self._seat_or_404(table)
        etag = table.etag(seat)
        # Whoever waits for his turn asks often: nothing of the hand is read for him.
        if etag in parse_etags(request.headers.get("If-None-Match", "")):
            return Response(status=304, headers={"ETag": etag})
        return self._told(table, seat)

    @extend_schema(
        operation_id="table_act",
        tags=["tables"],
        summary="Act at a table",
        description=(
            "Carries out an action in your own seat on the version that you read, and a bot's reply. The key "
            "is looked up first: the same key, version and action are answered as they were, with the "
            "table as it is by now. The end of a hand is recorded on the sheet, and the next one is dealt."
        ),
        parameters=[_KEY, _IF_MATCH, _ETAG],
        request={"application/json": ActionSaid},
        responses=answers(
            {201: OpenApiResponse(ActTold, description="Carried out, now or before.")},
            (*WRITING, 409, 412, 428),
            s400="Not JSON, or sent without a key.",
            s403="You do not sit in this seat.",
            s422="Refused: it is not your turn, the action is not legal, or the play is over.",
        ),
        examples=[
            OpenApiExample("A draw", value={"action": "draw"}, request_only=True),
            OpenApiExample(
                "Carried out", value={"answered": 9, "table": _SEEN}, response_only=True, status_codes=["201"]
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def act(self, request: Request, code: str) -> Response:
        """Act in one's own seat."""
        actor = actor_for(request)
        table = _Table.of(code)
        with writing_on(request, table.match.sheet.code):
            said = self.said(ActionSaid)
            key = named_key(request, required=True)
            seat = said.get("seat", table.seat_of(who_of(request)))
            if seat is None:
                raise LeagueError("not_your_seat", _("You have no seat at this table."), field="seat")
            answer = act(
                actor=actor,
                match=table.match,
                seat=seat,
                version=_version_in(request),
                action=said["action"],
                key=key or "",
            )
        response = self._answer(code, status=201)
        response.data = {"answered": answer.version, "table": response.data}
        return response

    @extend_schema(
        operation_id="table_hand",
        tags=["tables"],
        summary="A hand that is over",
        description=(
            "With its pack and nonce, from which anybody can check the commitment and play the hand again. "
            "A hand in play is a 404, and so is one of a round in which every table plays the same packs, "
            "until that is closed. Of teams `table` says which of the deal."
        ),
        parameters=[_AT_TABLE, _ETAG],
        responses=answers({200: OpenApiResponse(HandTold, description="The hand.")}, READING),
        examples=[OpenApiExample("A hand", value=_LAST, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def hand(self, request: Request, code: str, deal: int) -> Response:
        """Return a hand that is over; 404 for one in play."""
        table = _Table.of(code)
        self._seat_or_404(table)
        at = request.query_params.get("table", "0")
        if not at.isascii() or not at.isdigit() or len(at) > 2 or int(at) >= MOST_SEATS:
            raise Http404
        found = hands_over(table.match).filter(deal=deal, table=int(at)).first()
        if found is None or is_withheld(found.match):
            raise Http404
        body = HandTold(hand_document(found)).data
        return Response(body, headers={"ETag": etag_of(body)})

    @extend_schema(
        operation_id="table_end",
        tags=["tables"],
        summary="End a table",
        description=(
            "A director ends the play, with a reason: what is recorded stays, the hand in play is broken "
            "off, and the sheet is recorded on as any other."
        ),
        parameters=[_ETAG],
        request={"application/json": Settling},
        responses=answers({200: OpenApiResponse(TableTold, description="Ended.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("They went home", value={"reason": "Bob had to leave."}, request_only=True),
            OpenApiExample(
                "Ended",
                value={
                    **_WATCHED,
                    "is_live": False,
                    "tables": [],
                    **dict.fromkeys(("deal", "commitment", "turn", "move_count")),
                },
                response_only=True,
                status_codes=["200"],
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def end(self, request: Request, code: str) -> Response:
        """End the play."""
        actor = actor_for(request)
        table = _Table.of(code)
        with writing_on(request, table.match.sheet.code):
            end_table_for(actor=actor, match=table.match, reason=self.said(Settling)["reason"])
        return self._answer(code)

    @extend_schema(
        operation_id="table_say",
        tags=["tables"],
        summary="Say something at a table",
        description=(
            "Sends the other seats one of the set phrases, where the club has switched them on and two "
            "members play at least. Nobody else is told it, and not whether it was heard. Between two "
            "phrases one waits ten seconds."
        ),
        parameters=[_ETAG],
        request={"application/json": PhraseSaid},
        responses=answers({200: OpenApiResponse(TableTold, description="Said.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("Good luck", value={"phrase": "good_luck"}, request_only=True),
            OpenApiExample("Said", value=_SEEN, response_only=True, status_codes=["200"]),
        ],
    )
    @action(detail=True, methods=["post"])
    def say(self, request: Request, code: str) -> Response:
        """Send a phrase."""
        actor = actor_for(request)
        table = _Table.of(code)
        with writing_on(request, table.match.sheet.code):
            phrase = self.said(PhraseSaid)["phrase"]
            say(actor=actor, match=table.match, seat=self._own_seat(table), phrase=phrase)
        return self._answer(code)

    @extend_schema(
        operation_id="table_mute",
        tags=["tables"],
        summary="Mute the others at a table",
        description="Whether you are shown what the other seats say; they are not told that.",
        parameters=[_ETAG],
        request={"application/json": HearingSaid},
        responses=answers({200: OpenApiResponse(TableTold, description="Noted.")}, (*WRITING, 409)),
        examples=[
            OpenApiExample("Hear nothing more", value={"is_muted": True}, request_only=True),
            OpenApiExample(
                "Noted",
                value={**_SEEN, "phrases": {"is_muted": True, "latest": []}},
                response_only=True,
                status_codes=["200"],
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def mute(self, request: Request, code: str) -> Response:
        """Hear the others no more, or again."""
        actor = actor_for(request)
        table = _Table.of(code)
        with writing_on(request, table.match.sheet.code):
            change = mute if self.said(HearingSaid)["is_muted"] else unmute
            change(actor=actor, match=table.match, seat=self._own_seat(table))
        return self._answer(code)

    def _own_seat(self, table: _Table) -> int:
        """The reader's seat; refuses `not_your_seat`."""
        seat = table.seat_of(who_of(self.request))
        if seat is None:
            raise LeagueError("not_your_seat", _("You have no seat at this table."), field="seat")
        return seat

    def _seat_or_404(self, table: _Table) -> int | None:
        """The reader's seat, None for a spectator; 404 for who may not see the sheet."""
        who = who_of(self.request)
        seat = table.seat_of(who)
        if seat is None and not sheets_seen(who, Scoresheet.objects.filter(pk=table.match.sheet_id)).exists():
            raise Http404
        return seat

    def _answer(self, code: str, *, status: int = 200) -> Response:
        """The table as it is now, after the sender wrote."""
        table = _Table.of(code)
        return self._told(table, table.seat_of(who_of(self.request)), status=status)

    def _told(self, table: _Table, seat: int | None, *, status: int = 200) -> Response:
        # The version is read first: what changes in between is told by the next look.
        headers = {"ETag": table.etag(seat)}
        if seat is None:
            state = watched_state(match=table.match)
        else:
            state = table_state(actor=actor_for(self.request), match=table.match, seat=seat)
        return Response(table.told(state), status=status, headers=headers)


def _version_in(request: Request) -> int:
    """The version of the table in `If-Match`; refuses a request without one (`no_version`).

    An action is always on a version that was read, so that “*” names none.
    """
    version = named_version(request)
    if version is None:
        raise LeagueError("no_version", _("Say with If-Match which version you change."), field="If-Match")
    return version
