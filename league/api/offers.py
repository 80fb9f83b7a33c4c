"""Offers of a friendly game of two to six at a table on this site.

The services are those of the pages. Who reads is told of what concerns him: what he has offered, is asked
for, or may take; of an offer that is over he still learns what has become of it, and at which table.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import sheet_examples
from league.api.answers import WRITING, Operation, answers, described, problem_examples, writes
from league.api.asking import actor_for, who_of
from league.api.at_sheet import named_key
from league.api.entries import PlayerNamed
from league.api.fields import ONE_AT_LEAST, OneOf, ordering, yes_no
from league.api.resources import Input, Made
from league.api.rule_lengths import LENGTH_HELP, LengthSaid, LengthTold
from league.api.table_serializers import Nothing
from league.matches.offers import length_offered, offers_of
from league.models import Club, GameOffer, OfferSeat, OfferState, OnlineClock, Player
from league.people.accounts import players_of
from league.people.lobbies import (
    MOST_SEATS,
    Lobby,
    Other,
    Wanted,
    begin_game,
    decline_offer,
    lobby_of,
    offer_game,
    take_seat,
    withdraw_offer,
)
from league.policy import Permission, Who, clubs_where, rules_seen
from scoring.core.actors import Actor

_HOST: Final = {
    "seat": 0,
    "side": 0,
    "wanted": "player",
    "player": {"code": "r8kzt5mqwd", "name": "Ann Berg"},
    "bot": None,
    "guest": None,
    "is_taken": True,
    "has_declined": False,
}
_FREE: Final = _HOST | {"seat": 1, "side": 1, "wanted": "anybody", "player": None, "is_taken": False}
_BOB: Final = {"player": {"code": "m4vqp9cxtd", "name": "Bob Lund"}}
OFFER: Final = {
    "code": "g6tnz3kwqv",
    "club": "harbour",
    "by": {"code": "r8kzt5mqwd", "name": "Ann Berg"},
    "rules": "b7kxr2qwmt",
    "is_rated": False,
    "clock": "none",
    "length": {"target": 100, "columns": 1, "deals": None},
    "state": "open",
    "seats": [_HOST, _FREE],
    "may": ["withdraw"],
    "table": None,
    "guest_links": [],
    "made_at": "2026-12-03T18:00:00Z",
}
_View = TypeVar("_View", bound=Callable[..., Any])
_PLAYER: Final = "player"
_BOT: Final = "bot"
# What an offer that nobody took in time is called.
_LAPSED: Final = "lapsed"
_STATES: Final = [*OfferState.values, _LAPSED]
_ACTS: Final = ("take", "decline", "begin", "withdraw")


class OfferSeatTold(serializers.Serializer[Any]):
    """A seat in a game that is offered; who offers it has the first."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    wanted = serializers.ChoiceField(choices=[_PLAYER, *[each.value for each in Wanted], _BOT])
    player = PlayerNamed(allow_null=True, help_text="Who is asked, or has taken it.")
    bot = serializers.CharField(allow_null=True, help_text="Its strategy.")
    guest = serializers.CharField(allow_null=True, help_text="The name under which a guest has taken it.")
    is_taken = serializers.BooleanField()
    has_declined = serializers.BooleanField()


class OfferTold(serializers.ModelSerializer[GameOffer]):
    """A game that is offered."""

    club = serializers.CharField(source="club.slug")
    by = PlayerNamed(read_only=True)
    rules = serializers.CharField(source="rules.code")
    length = serializers.SerializerMethodField(help_text="Also where it is as the house rules say.")
    state = serializers.SerializerMethodField(help_text="`lapsed` is one that nobody took for seven days.")
    seats = serializers.SerializerMethodField()
    may = serializers.SerializerMethodField(help_text="What you may do with it now.")
    table = serializers.CharField(
        source="sheet.table_match.code",
        default=None,
        allow_null=True,
        help_text="The code of the table, once the game has begun.",
    )
    guest_links = serializers.SerializerMethodField(
        help_text="Told once, to who makes the offer: a link for each guest, in the order of their seats."
    )

    class Meta:
        model = GameOffer
        fields = tuple(OFFER)

    @extend_schema_field(serializers.ChoiceField(choices=_STATES))
    def get_state(self, offer: GameOffer) -> str:
        return _LAPSED if offer.state == OfferState.OPEN and not _waits(offer) else offer.state

    @extend_schema_field(LengthTold)
    def get_length(self, offer: GameOffer) -> Any:
        return asdict(length_offered(offer))

    @extend_schema_field(OfferSeatTold(many=True))
    def get_seats(self, offer: GameOffer) -> Any:
        lobby: Lobby = offer.__dict__["lobby"]
        return [
            {
                "seat": seat.number,
                "side": number,
                "wanted": _wanted(seat),
                "player": seat.player and PlayerNamed(seat.player, context=self.context).data,
                "bot": seat.bot or None,
                "guest": seat.guest_name or None,
                "is_taken": seat.is_taken,
                "has_declined": seat.has_declined,
            }
            for number, side in enumerate(lobby.sides)
            for seat in side
        ]

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=_ACTS)))
    def get_may(self, offer: GameOffer) -> list[str]:
        lobby: Lobby = offer.__dict__["lobby"]
        if not _waits(offer):
            return []
        allowed = (lobby.may_take, lobby.may_decline, lobby.may_begin, lobby.is_own)
        return [act for act, may in zip(_ACTS, allowed, strict=True) if may]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_guest_links(self, offer: GameOffer) -> list[str]:
        request: Request = self.context["request"]
        secrets: Sequence[str] = offer.__dict__["secrets"]
        return [request.build_absolute_uri(reverse("guest_seat", args=[secret])) for secret in secrets]


def _waits(offer: GameOffer) -> bool:
    return bool(offer.__dict__["waits"])


def _wanted(seat: OfferSeat) -> str:
    if seat.bot:
        return _BOT
    if seat.guest_digest:
        return Wanted.GUEST.value
    return Wanted.ANYBODY.value if seat.is_open else _PLAYER


class OfferSeatSaid(Input):
    """Who is wanted in a seat: a member by name, a bot, whoever comes first, or a guest by a link."""

    player = OneOf(lambda who: _members(who), required=False, help_text="The code of a member.")
    bot = serializers.CharField(max_length=32, required=False, help_text="The strategy of a bot.")
    wanted = serializers.ChoiceField(choices=[each.value for each in Wanted], required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the three says who it is."""
        if len(attrs) != 1:
            raise serializers.ValidationError(
                _("A seat is for a player, a bot, or whoever is wanted: one of the three."), code="invalid"
            )
        return attrs


class OfferSaid(Input):
    """A game to offer."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")
    rules = OneOf(
        lambda who: rules_seen(who).order_by("-version"),
        help_text="The code of the club's house rules, in their newest version.",
    )
    seats = serializers.ListField(
        child=OfferSeatSaid(),
        min_length=1,
        max_length=MOST_SEATS - 1,
        error_messages=ONE_AT_LEAST,
        help_text="Those beside your own, in order; where several play on a side, yours is filled first.",
    )
    is_rated = serializers.BooleanField(
        default=False, help_text="Of two members only. A rated game has a clock of three days for a turn."
    )
    clock = serializers.ChoiceField(
        choices=OnlineClock.choices,
        default=OnlineClock.NONE.value,
        help_text="Of a game that is not rated. By days the game is lost; else the turn is played.",
    )
    length = LengthSaid(required=False, help_text=LENGTH_HELP)


class OfferFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of offers: club, and whether it can still be taken."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    is_open = yes_no("waits", label="Whether it can still be taken.")
    ordering = ordering("made_at")


def _act(name: str, summary: str, words: str, told: Any) -> Callable[[_View], _View]:
    return writes("games", "offer", told, OfferTold, Operation(summary, words, {}), Nothing, name)


_BEGUN: Final = OFFER | {
    "state": "taken",
    "seats": [_HOST, _FREE | _BOB | {"is_taken": True}],
    "may": [],
    "table": "t4mxw9hb2q",
}


@described(
    "games",
    OFFER,
    lists=Operation(
        "List offers of games",
        "What you have offered, are asked for, or may take, the oldest first; also what became of it.",
    ),
    reads=Operation("Read an offer of a game", "`state` and `table` tell what has become of it."),
)
class Offers(Made[GameOffer]):
    """The offers of games that concern the reader's players."""

    resource = "offers"
    serializer_class = OfferTold
    made_from = OfferSaid
    filterset_class = OfferFilter
    # Of the links to an offer that this request has made.
    secrets: tuple[str, ...] = ()

    def seen(self, who: Who) -> QuerySet[GameOffer]:
        return offers_of(_own(who)).select_related("sheet__table_match")

    def club_of(self, row: GameOffer) -> Club:
        return row.club

    def told(self, rows: Sequence[GameOffer]) -> Any:
        own = list(_own(who_of(self.request)))
        for row in rows:
            row.__dict__ |= {"lobby": lobby_of(row, own), "secrets": self.secrets}
        return super().told(rows)

    @extend_schema(
        operation_id="offer_create",
        tags=["games"],
        summary="Offer a friendly game",
        description=(
            "Offers a game to members by name, to whoever comes first, or to guests by a link each, with "
            "bots in other seats; members are told. It begins once all seats are taken, at once where nobody "
            "is waited for. The same key and content get the offer that they have made, as it is by now, for "
            "seven days; the links of guests are told once, and not again."
        ),
        parameters=[sheet_examples.OPTIONAL_KEY],
        request={"application/json": OfferSaid},
        responses=answers({201: OpenApiResponse(OfferTold, description="Offered, now or before.")}, WRITING),
        examples=[
            OpenApiExample(
                "To whoever comes first",
                value={"club": "harbour", "rules": "b7kxr2qwmt", "seats": [{"wanted": "anybody"}]},
                request_only=True,
            ),
            OpenApiExample(
                "A member and a bot against a guest and whoever comes first",
                value={
                    "club": "harbour",
                    "rules": "b7kxr2qwmt",
                    "seats": [{"bot": "steady"}, {"wanted": "guest"}, {"wanted": "anybody"}],
                },
                request_only=True,
            ),
            OpenApiExample("Offered", value=OFFER, response_only=True, status_codes=["201"]),
            *problem_examples(WRITING),
        ],
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        return super().create(request, **kwargs)

    def make(self, actor: Actor, **values: Any) -> GameOffer:
        others = [_other(said) for said in values.pop("seats")]
        offered = offer_game(actor=actor, key=named_key(self.request), others=others, **values)
        self.secrets = offered.secrets
        return offered.offer

    @_act(
        "take",
        "Take a seat",
        "The one that you are asked for, or else the first that is free. With the last one the game begins.",
        _BEGUN,
    )
    @action(detail=True, methods=["post"])
    def take(self, request: Request, **kwargs: Any) -> Response:
        """Take a seat."""
        return self._done(lambda actor, offer: take_seat(actor=actor, offer=offer))

    @_act(
        "decline",
        "Decline an offer",
        "Also leaves a seat that you have taken. It is over where the game cannot be played without you.",
        OFFER | {"state": "declined", "may": []},
    )
    @action(detail=True, methods=["post"])
    def decline(self, request: Request, **kwargs: Any) -> Response:
        """Decline the offer, or leave the seat."""
        # Nobody takes the seat before the answer is read: then it would concern the sender no more.
        with transaction.atomic():
            return self._done(lambda actor, offer: decline_offer(actor=actor, offer=offer))

    @_act("withdraw", "Take an offer back", "Of your own.", OFFER | {"state": "withdrawn", "may": []})
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, **kwargs: Any) -> Response:
        """Take back one's own offer."""
        return self._done(lambda actor, offer: withdraw_offer(actor=actor, offer=offer))

    @_act(
        "begin",
        "Begin without the others",
        "Of your own, with those who are there, if so many can play with the partners they were offered.",
        _BEGUN,
    )
    @action(detail=True, methods=["post"])
    def begin(self, request: Request, **kwargs: Any) -> Response:
        """Begin one's own game with those who are there."""
        return self._done(lambda actor, offer: begin_game(actor=actor, offer=offer))

    def _done(self, act: Callable[[Actor, GameOffer], object]) -> Response:
        actor, offer = actor_for(self.request), self.get_object()
        self.said(Nothing)
        act(actor, offer)
        return self.answer_again(offer)


def _other(said: dict[str, Any]) -> Other:
    ((kind, value),) = said.items()
    return Wanted(value) if kind == "wanted" else value


def _own(who: Who) -> QuerySet[Player]:
    """The reader's players; of a private club to which he does not belong any more none."""
    return players_of(who).filter(club__in=clubs_where(who, Permission.VIEW))


def _members(who: Who) -> QuerySet[Player]:
    """Of the reader's own clubs: whom he may be told by name where they are refused."""
    return Player.objects.filter(club__in=_own(who).values("club"), merged_into=None)
