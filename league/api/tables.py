"""Tables at which members play card by card: beginning one, acting in one's own seat, and looking on.

A seat is told its own cards and what lies open; whoever else may see the sheet is told of hands that are
over, and of those in play only that they are played and whose turn it is. Seats count through all sides; of
teams each has a hand of his own, and of games for more than two all play one.
"""

from typing import Any

from django.http import Http404
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.services import act, ask_pause, hand_document, hands_over, mute, resume, say, unmute
from games.services.packs import is_withheld
from league.api import sheet_examples, table_examples
from league.api.answers import READING, WRITING, answers
from league.api.asking import actor_for, who_of
from league.api.at_sheet import named_key, required_version, writing_on
from league.api.at_table import AskedTable, AtTable, act_at_table
from league.api.sheet_serializers import Settling
from league.api.table_serializers import (
    ActionSaid,
    ActTold,
    BeginningSaid,
    HandTold,
    HearingSaid,
    Nothing,
    PhraseSaid,
    TableTold,
)
from league.api.versions import etag_of
from league.errors import LeagueError
from league.matches.member_tables import begin_table
from league.people.friendlies import break_off, end_game, let_bot_try_again
from scoring.core.actors import Actor


class CardTables(AtTable):
    """Tables at which members play card by card."""

    @extend_schema(
        operation_id="begin_table",
        tags=["tables"],
        summary="Begin a table",
        description=(
            "Begins to play an open sheet card by card, and deals. You sit on it yourself; "
            "against you, or beside you in a team, plays a bot, in its own name or for a guest, or the "
            "account of the player who sits there. Of teams all hands of a deal are in play at once, and the "
            "deal is recorded once they are over. While the table is played nobody records on the sheet "
            "otherwise. The same key and content get the table that they began, as it is by now."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY, table_examples.ETAG],
        request={"application/json": BeginningSaid},
        responses=answers(
            {201: OpenApiResponse(TableTold, description="Begun, now or before.")}, (*WRITING, 409)
        ),
        examples=[
            OpenApiExample("Against a bot", value=table_examples.NEW, request_only=True),
            OpenApiExample("Begun", value=table_examples.SEEN, response_only=True, status_codes=["201"]),
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
        response = self.answer(match.code, status=201)
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
        parameters=[table_examples.ETAG],
        responses=answers(
            {200: OpenApiResponse(TableTold, description="The table.")},
            (*READING, 409),
            s409="What is stored of the hand in play cannot be read; a director says how it goes on.",
        ),
        examples=[
            OpenApiExample("In your seat", value=table_examples.SEEN, response_only=True),
            OpenApiExample("Looking on", value=table_examples.WATCHED, response_only=True),
        ],
    )
    def retrieve(self, request: Request, code: str) -> Response:
        table = AskedTable.of(code)
        seat = self.seat_or_404(table)
        etag = table.etag(seat)
        # Whoever waits for his turn asks often: nothing of the hand is read for him.
        if etag in parse_etags(request.headers.get("If-None-Match", "")):
            return Response(status=304, headers={"ETag": etag})
        return self.shown(table, seat)

    @extend_schema(
        operation_id="table_act",
        tags=["tables"],
        summary="Act at a table",
        description=(
            "Carries out an action in your own seat on the version that you read, and a bot's reply. The key "
            "is looked up first: the same key, version and action are answered as they were, with the "
            "table as it is by now. The end of a hand is recorded on the sheet, and the next one is dealt."
        ),
        parameters=[table_examples.KEY, table_examples.IF_MATCH, table_examples.ETAG],
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
                "Carried out",
                value={"answered": 9, "table": table_examples.SEEN},
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    @action(detail=True, methods=["post"])
    def act(self, request: Request, code: str) -> Response:
        """Act in one's own seat."""
        actor = actor_for(request)
        table = AskedTable.of(code)
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
                version=required_version(request),
                action=said["action"],
                key=key or "",
            )
        response = self.answer(code, status=201)
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
        parameters=[table_examples.AT_TABLE, table_examples.ETAG],
        responses=answers({200: OpenApiResponse(HandTold, description="The hand.")}, READING),
        examples=[OpenApiExample("A hand", value=table_examples.LAST, response_only=True)],
    )
    @action(detail=True, methods=["get"])
    def hand(self, request: Request, code: str, deal: int) -> Response:
        """Return a hand that is over; 404 for one in play."""
        table = AskedTable.of(code)
        self.seat_or_404(table)
        at = request.query_params.get("table", "1")
        if not at.isascii() or not at.isdigit() or len(at) > 2:
            raise Http404
        found = hands_over(table.match).filter(deal=deal, table=int(at) - 1).first()
        if found is None or is_withheld(found.match):
            raise Http404
        body = HandTold(hand_document(found)).data
        return Response(body, headers={"ETag": etag_of(body)})

    @act_at_table(
        "End a table",
        "A director ends the play, with a reason: what is recorded stays, the hand in play is broken "
        "off, and the sheet is recorded on as any other. A friendly game is over with it, and its sheet "
        "is void.",
        Settling,
        ("They went home", {"reason": "Bob had to leave."}),
        ("Ended", table_examples.OVER),
    )
    def end(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """End the play."""
        end_game(actor=actor, table=table.match, reason=said["reason"])

    @act_at_table(
        "Break a friendly game off",
        "Whoever plays it ends it: its sheet is void, and it cannot be played on. Of a rated one that is "
        "giving it up, and so to lose it, unless its bot has failed.",
        Nothing,
        ("Break it off", {}),
        ("Broken off", table_examples.OVER),
    )
    def break_off(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """End one's own friendly game."""
        break_off(actor=actor, table=table.match)

    @act_at_table(
        "Let a bot that failed try again",
        "Whoever plays a friendly game that the failure of its bot has stopped lets it go on.",
        Nothing,
        ("Try again", {}),
        ("It goes on", table_examples.SEEN),
    )
    def try_again(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Let the bot of one's own friendly game try again."""
        let_bot_try_again(actor=actor, table=table.match)

    @act_at_table(
        "Ask for a pause",
        "Asks the other sides to stop the clocks, or agrees to what one of them has asked for: they stop "
        "once all sides have agreed. Bots agree at once; acting declines it.",
        Nothing,
        ("Ask, or agree", {}),
        ("Asked", table_examples.PAUSE_ASKED),
    )
    def pause(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Ask for a pause, or agree to one."""
        ask_pause(actor=actor, match=table.match, seat=self.own_seat(table))

    @act_at_table(
        "End a pause",
        "Lets the clocks go on where they stopped; any seat may.",
        Nothing,
        ("Go on", {}),
        ("It goes on", table_examples.TIMED),
    )
    def resume(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Let the clocks go on."""
        resume(actor=actor, match=table.match, seat=self.own_seat(table))

    @act_at_table(
        "Say something at a table",
        "Sends the other seats one of the set phrases, where the club has switched them on and two "
        "members play at least. Nobody else is told it, and not whether it was heard. Between two "
        "phrases one waits ten seconds.",
        PhraseSaid,
        ("Good luck", {"phrase": "good_luck"}),
        ("Said", table_examples.SEEN),
    )
    def say(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Send a phrase."""
        say(actor=actor, match=table.match, seat=self.own_seat(table), phrase=said["phrase"])

    @act_at_table(
        "Mute the others at a table",
        "Whether you are shown what the other seats say; they are not told that.",
        HearingSaid,
        ("Hear nothing more", {"is_muted": True}),
        ("Noted", {**table_examples.SEEN, "phrases": {"is_muted": True, "latest": []}}),
    )
    def mute(self, actor: Actor, table: AskedTable, said: Any) -> None:
        """Hear the others no more, or again."""
        change = mute if said["is_muted"] else unmute
        change(actor=actor, match=table.match, seat=self.own_seat(table))
