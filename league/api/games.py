"""The games that a member plays on this site in a club, a game against a bot at once, and the daily hand.

At its table a game is played under `tables`; the daily hand is on no sheet, and is played here.
"""

import hashlib
from typing import Any, Final

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import TableMatch
from games.tables.members import seat_document
from league.api import sheet_examples, table_examples
from league.api.answers import READING, WRITING, Operation, answers, described, problem_examples
from league.api.asking import actor_for, who_of
from league.api.at_sheet import etag_of_version, named_key, required_version
from league.api.entries import PlayerNamed
from league.api.fields import OneOf
from league.api.paging import check_parameters
from league.api.resources import Input, Resource
from league.api.rule_lengths import LENGTH_HELP, LengthSaid
from league.api.spelling import Spelling
from league.api.table_serializers import Nothing, SeenHandTold
from league.models import Club, Entry
from league.people.accounts import players_of
from league.people.daily_hands import (
    MEMBER,
    act_daily,
    begin_daily,
    hand_of_today,
    last_hand_over,
    own_try,
    state_of,
    table_of_day,
)
from league.people.friendlies import OwnTable, games_over, own_game, own_tables, play_bot
from league.policy import Permission, Who, clubs_where, rules_seen
from league.policy.naming import Names

GAME: Final = {
    "table": "t4mxw9hb2q",
    "sheet": "k7wq2mzt4d",
    "match": None,
    "seat": 0,
    "others": [{"who": "bot", "code": None, "name": "steady"}],
    "is_rated": False,
    "is_over": False,
    "is_turn": True,
    "won": None,
}
_WHO: Final = ("player", "entry", "guest", "bot")
_LINES: Final = [
    {"place": 1, "player": {"code": "r8kzt5mqwd", "name": "Ann Berg"}, "points": 31},
    {"place": None, "player": {"code": "m4vqp9cxtd", "name": "Bob Lund"}, "points": None},
]
_BEGUN: Final = {
    "day": "2026-12-03",
    "commitment": table_examples.LAST["commitment"],
    "rules": "b7kxr2qwmt",
    "bot": "steady",
    "version": 1,
    "hand": table_examples.SEEN["hand"],
    "points": None,
    "table": None,
    "before": {
        "day": "2026-12-02",
        "commitment": table_examples.LAST["commitment"],
        "pack": table_examples.LAST["pack"],
        "nonce": table_examples.LAST["nonce"],
        "table": _LINES,
    },
}
_PLAYED: Final = _BEGUN | {"version": 17, "hand": None, "points": 31, "table": _LINES}


class AcrossTold(serializers.Serializer[Any]):
    """Who sits on another side."""

    who = serializers.ChoiceField(choices=_WHO)
    code = serializers.CharField(allow_null=True, help_text="Of a player or an entry.")
    name = serializers.CharField()


class GameTold(serializers.Serializer[Any]):
    """A table at which you play, or have played."""

    table = serializers.CharField(source="table.code")
    sheet = serializers.CharField(source="table.sheet.code")
    match = serializers.CharField(
        source="match.code", default=None, allow_null=True, help_text="Null of a friendly game."
    )
    seat = serializers.IntegerField(help_text="Your own.")
    others = AcrossTold(
        many=True, help_text="The other sides; of teams in an event, and of several, entries."
    )
    is_rated = serializers.BooleanField(help_text="Of a friendly game, whether it counts for ratings.")
    is_over = serializers.BooleanField()
    is_turn = serializers.BooleanField(allow_null=True, help_text="Whether it waits for you.")
    won = serializers.BooleanField(allow_null=True, help_text="Once it is over; null if it is drawn.")


class BotGameSaid(Input):
    """A bot to play."""

    rules = OneOf(
        lambda who: rules_seen(who).order_by("-version"),
        help_text="The code of the club's house rules for two, in their newest version.",
    )
    bot = serializers.CharField(max_length=32, help_text="Its strategy.")
    level = serializers.IntegerField(
        required=False, allow_null=True, help_text="Where it has levels; left out, the usual one."
    )
    is_rated = serializers.BooleanField(
        default=False, help_text="Where the club says so. A rated game has a clock of three days for a turn."
    )
    length = LengthSaid(required=False, help_text=LENGTH_HELP)


class OfOneClub(Resource[Any]):
    """What the reader's own account plays in the club in the address."""

    @cached_property
    def club(self) -> Club:
        """The club in the address; 404 if the reader may not see it."""
        return get_object_or_404(clubs_where(who_of(self.request), Permission.VIEW), slug=self.kwargs["slug"])

    @cached_property
    def account(self) -> int | None:
        """The reader's account (an id), if it is linked to a player of the club."""
        player = players_of(who_of(self.request)).filter(club=self.club).first()
        return None if player is None else player.user_id

    @cached_property
    def spelling(self) -> Spelling:
        """The names of the club's people as the reader may see them."""
        return Spelling(who_of(self.request), {self.club.pk})

    def seen(self, who: Who) -> QuerySet[Any]:
        return TableMatch.objects.none()

    def club_of(self, row: Any) -> Club:
        return self.club


@described(
    "games",
    GAME,
    name="games",
    lists=Operation(
        "List your games in a club",
        "The tables at which you play on this site now, those that wait for you first, matches of events "
        "among them, and after them the last friendly games that are over.",
    ),
)
class Games(OfOneClub):
    """The reader's games on this site in a club."""

    resource = "games"
    serializer_class = GameTold

    def list(self, request: Request, **kwargs: Any) -> Response:
        check_parameters(request, self)
        found: list[OwnTable] = []
        if self.account is not None:
            found = [*own_tables(self.account, self.club), *games_over(self.account, self.club)]
        page: Any = self.paginate_queryset(found)
        return self.get_paginated_response([self._told(game) for game in page])

    @extend_schema(
        operation_id="game_create",
        tags=["games"],
        summary="Play a bot",
        description=(
            "Begins a friendly game of two against a bot at once; play goes on at its table. The same key "
            "and content get the game that they have begun, as it is by now."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY],
        request={"application/json": BotGameSaid},
        responses=answers({201: OpenApiResponse(GameTold, description="Begun, now or before.")}, WRITING),
        examples=[
            OpenApiExample("Play a bot", value={"rules": "b7kxr2qwmt", "bot": "steady"}, request_only=True),
            OpenApiExample("Begun", value=GAME, response_only=True, status_codes=["201"]),
            *problem_examples(WRITING),
        ],
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Play a bot."""
        actor, club = actor_for(request), self.club
        table = play_bot(actor=actor, club=club, key=named_key(request), **self.said(BotGameSaid))
        assert self.account is not None  # noqa: S101 (who plays has a player)
        response = Response(self._told(own_game(self.account, club, table)), status=201)
        response["Location"] = request.build_absolute_uri(reverse("api-tables-detail", args=[table.code]))
        return response

    def counted(self, rows: Any) -> int:
        return len(rows)

    def _told(self, game: OwnTable) -> Any:
        names = self.spelling.of(self.club.pk)
        told = {
            name: getattr(game, name) for name in ("table", "match", "seat", "is_rated", "is_turn", "won")
        }
        told |= {"others": [_across(one, names) for one in game.others], "is_over": game.is_turn is None}
        return GameTold(told).data


def _across(other: tuple[Any, str, bool], names: Names) -> dict[str, Any]:
    who, written, is_guest = other
    if who is None:
        return {"who": "guest" if is_guest else "bot", "code": None, "name": written}
    if isinstance(who, Entry):
        return {"who": "entry", "code": who.code, "name": names.entry(who)}
    return {"who": "player", "code": who.code, "name": names.player(who)}


class DailyLineTold(serializers.Serializer[Any]):
    """A line of the table of a day."""

    place = serializers.IntegerField(allow_null=True, help_text="Null for who has not played it to its end.")
    player = PlayerNamed()
    points = serializers.IntegerField(allow_null=True, help_text="Less than 0 where the bot won it.")


class DailyBeforeTold(serializers.Serializer[Any]):
    """The latest daily hand of a day that is over, with its pack."""

    day = serializers.DateField()
    commitment = serializers.CharField(help_text="The SHA-256 of pack, a space and nonce.")
    pack = serializers.CharField()
    nonce = serializers.CharField()
    table = DailyLineTold(many=True)


class DailyTold(serializers.Serializer[Any]):
    """The club's hand of today as you see it; inside the hand you are 0 and the bot is 1."""

    day = serializers.DateField(allow_null=True, help_text="By the club's clock; null until somebody begins.")
    commitment = serializers.CharField(allow_null=True, help_text="To its pack.")
    rules = serializers.CharField(allow_null=True, help_text="The code of the house rules.")
    bot = serializers.CharField(allow_null=True, help_text="The strategy that all play against.")
    version = serializers.IntegerField(allow_null=True, help_text="Of your try; null before you begin.")
    hand = SeenHandTold(allow_null=True, help_text="While you play it.")
    points = serializers.IntegerField(allow_null=True, help_text="Yours, once you have played it.")
    table = DailyLineTold(
        many=True, allow_null=True, help_text="All who have begun; null before you have played it yourself."
    )
    before = DailyBeforeTold(allow_null=True)


class DailyActionSaid(Input):
    """An action in the daily hand."""

    action = serializers.CharField(
        max_length=120, help_text="As `legal` lists it; a knock may name its melds."
    )


class DailyHands(OfOneClub):
    """The daily hand of a club."""

    serializer_class = DailyTold

    @extend_schema(
        operation_id="daily_hand",
        tags=["games"],
        summary="The daily hand",
        description=(
            "One hand a day, the same for all members, with one try each. How others did is told once you "
            "have played it, its pack when the day is over. Who has no player in the club is told nothing."
        ),
        parameters=[table_examples.ETAG],
        responses=answers({200: OpenApiResponse(DailyTold, description="The hand of today.")}, READING),
        examples=[
            OpenApiExample("In play", value=_BEGUN, response_only=True),
            OpenApiExample("Played", value=_PLAYED, response_only=True),
        ],
    )
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        return self._answer()

    @extend_schema(
        operation_id="daily_hand_begin",
        tags=["games"],
        summary="Begin the daily hand",
        description="Begins your try, or answers with the one that you have begun.",
        parameters=[table_examples.ETAG],
        request={"application/json": Nothing},
        responses=answers({201: OpenApiResponse(DailyTold, description="Begun, now or before.")}, WRITING),
        examples=[
            OpenApiExample("Begin", value={}, request_only=True),
            OpenApiExample("Begun", value=_BEGUN, response_only=True, status_codes=["201"]),
            *problem_examples(WRITING),
        ],
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Begin one's try."""
        actor, club = actor_for(request), self.club
        self.said(Nothing)
        begin_daily(actor=actor, club=club)
        return self._answer(status=201)

    @extend_schema(
        operation_id="daily_hand_act",
        tags=["games"],
        summary="Act in the daily hand",
        description=(
            "Carries out an action, as at a table, on the version that you read, and the bot's replies. What "
            "was carried out already is refused as on another version (412): read the hand again."
        ),
        parameters=[table_examples.IF_MATCH, table_examples.ETAG],
        request={"application/json": DailyActionSaid},
        responses=answers(
            {201: OpenApiResponse(DailyTold, description="Carried out.")}, (*WRITING, 412, 428)
        ),
        examples=[
            OpenApiExample("A draw", value={"action": "draw"}, request_only=True),
            OpenApiExample("Carried out", value=_BEGUN, response_only=True, status_codes=["201"]),
            *problem_examples(WRITING),
        ],
    )
    def act(self, request: Request, **kwargs: Any) -> Response:
        """Act in one's try."""
        actor, club = actor_for(request), self.club
        action = self.said(DailyActionSaid)["action"]
        act_daily(actor=actor, club=club, version=required_version(request), action=action)
        return self._answer(status=201)

    def _answer(self, *, status: int = 200) -> Response:
        told: dict[str, Any] = dict.fromkeys(DailyTold().fields)
        hand = before = own = None
        if self.account is not None:
            hand, before = hand_of_today(self.club), last_hand_over(self.club)
            own = None if hand is None else own_try(hand, self.account)
        if hand is not None:
            told |= {"day": hand.day, "commitment": hand.commitment, "bot": hand.strategy}
            told["rules"] = hand.rules.code
        if hand is not None and own is not None:
            told |= {"version": own.version, "points": own.points}
            if own.points is None:
                told["hand"] = seat_document(state_of(hand, own.actions), MEMBER)
            else:
                told["table"] = table_of_day(hand)
        if before is not None:
            about = {name: getattr(before, name) for name in ("day", "commitment", "pack", "nonce")}
            told["before"] = {**about, "table": table_of_day(before)}
        body = DailyTold(told, context={"spelling": self.spelling}).data
        digest = hashlib.sha256(repr(body).encode()).hexdigest()[:8]
        version = 0 if own is None else own.version
        return Response(body, status=status, headers={"ETag": etag_of_version(version, digest)})
