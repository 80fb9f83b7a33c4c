"""The matches of events, with their results unless these are withheld."""

from collections.abc import Sequence
from typing import Any, Final

from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import DELETING, READING, Operation, answers, described, problem_examples, writes
from league.api.asking import actor_for, who_of
from league.api.entries import PlayerNamed
from league.api.fields import OfEventFilter, OneOf, number, ordering, yes_no
from league.api.resources import Changed, Followed, Input
from league.api.table_serializers import Nothing
from league.draws.online import end_online_offer, offer_online, sit_down
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.errors import LeagueError
from league.matches.counting import Waits, said_of, waits_for, with_what_counts
from league.matches.line_ups import closed_line_ups, hand_in_line_up, set_line_up
from league.matches.matches import set_table
from league.matches.offers import online_offers_of
from league.models import (
    AWARDED,
    MATCH_STATES,
    SEATED,
    ApiToken,
    Appearance,
    Club,
    EntryMember,
    Match,
    MatchState,
    Player,
)
from league.people.accounts import players_of
from league.policy import Permission, Who, can, clubs_where, matches_counted, matches_seen, results_seen
from league.policy.withholding import veil, withheld
from league.record.locking import lock_match
from scoring.core.actors import Actor
from scoring.core.kinds import MOST_SIDES
from scoring.documents.sides import LARGEST_TEAM

MATCH: Final = {
    "code": "d9wkr4tzmv",
    "event": "w3zkq7hmtp",
    "round": 1,
    "round_code": "h2vqkz8rwn",
    "table": 3,
    "label": "R1-T3",
    "state": "finished",
    "sides": [
        {
            "name": "Ann Berg",
            "entries": ["t6pmq3wzkr"],
            "players": [{"code": "r8kzt5mqwd", "name": "Ann Berg"}],
            "sits_in_for": None,
            "place": None,
            "net": 227,
            "columns": 2,
            "boxes": 9,
            "hands_won": 9,
            "gins": 2,
        },
        {
            "name": "Bob Lund",
            "entries": ["p3xrz7kqtw"],
            "players": [{"code": "m4vqp9cxtd", "name": "Bob Lund"}],
            "sits_in_for": None,
            "place": None,
            "net": -227,
            "columns": 1,
            "boxes": 6,
            "hands_won": 6,
            "gins": 0,
        },
    ],
    "winner": 0,
    "net": 227,
    "counts": True,
    "is_annulled": False,
    "waits_for": [],
    "is_withheld": False,
    "sheet": "z5hqw8nkrt",
    "tie": None,
    "leg": 1,
    "reasons": [],
    "planned_on": None,
    "planned_at": None,
    "planned_place": "",
    "deadline": None,
    "updated_at": "2026-01-07T21:40:00Z",
}

_SITS_IN: Final = MATCH | {
    "state": "scheduled",
    "sides": [
        MATCH["sides"][0]  # type: ignore[index]
        | {
            "players": [{"code": "w2pqv7kzrt", "name": "Robo"}],
            "sits_in_for": {"code": "r8kzt5mqwd", "name": "Ann Berg"},
        },
        MATCH["sides"][1],  # type: ignore[index]
    ],
    "winner": None,
    "counts": False,
}
_CLOSED: Final = {
    "closed": [
        {
            "side": 0,
            "players": [
                {"code": "r8kzt5mqwd", "name": "Ann Berg"},
                {"code": "m4vqp9cxtd", "name": "Bob Lund"},
            ],
        }
    ]
}
_OFFERED: Final = {"side": 0, "made_at": "2026-12-03T18:00:00Z"}
# Matches in these states have no result yet, or one that was never in doubt: nothing is withheld.
_NO_NEWS: Final = (MatchState.SCHEDULED, MatchState.BYE, MatchState.ABSENT)
# The reasons why a match does not count yet, as choices.
_WAITS: Final = [(waits.name.lower(), waits.label) for waits in Waits]


_NO_DEALS: Final = "Null if the result was taken over (`taken_over`): no deals are known."


class SideTold(serializers.Serializer[Any]):
    """One side of a match."""

    name = serializers.CharField()
    entries = serializers.ListField(child=serializers.CharField(), help_text="Two where partners rotate.")
    players = PlayerNamed(many=True, help_text="The line-up, including substitutes.")
    sits_in_for = PlayerNamed(
        allow_null=True,
        help_text="Who is not there, and has a bot in the line-up in his place, or had one until he came.",
    )
    place = serializers.IntegerField(
        allow_null=True,
        help_text="At a table of many that has ended; those who are level share one.",
    )
    net = serializers.IntegerField(allow_null=True, help_text=f"In points. {_NO_DEALS}")
    columns = serializers.IntegerField(allow_null=True, help_text=f"Columns won. {_NO_DEALS}")
    boxes = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)
    hands_won = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)
    gins = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)


class MatchTold(serializers.ModelSerializer[Match]):
    """Two sides, or three to six at a table, and their result; one side alone has a bye or sits out.

    Of a bye that is played against a bot the second side is of no entry; against a team that bot has every
    seat of it.
    """

    event = serializers.CharField(source="event.code")
    round = serializers.IntegerField(source="round.number", help_text="Its number.")
    round_code = serializers.CharField(source="round.code")
    sides = serializers.SerializerMethodField()
    winner = serializers.IntegerField(
        source="winner_side", allow_null=True, help_text="The side, from 0; null if nobody, or not yet."
    )
    net = serializers.SerializerMethodField(
        help_text=f"In points, positive for the first of two sides; null at a table. {_NO_DEALS}"
    )
    counts = serializers.BooleanField(source="is_counted", help_text="Whether it is in the standings.")
    is_annulled = serializers.BooleanField(
        source="annulled",
        help_text="All results of a side that withdrew are annulled: the match counts for ratings only.",
    )
    waits_for = serializers.SerializerMethodField(
        help_text="Why a match that has ended does not count yet: what is still to come, or to be settled."
    )
    is_withheld = serializers.SerializerMethodField(
        help_text="Its result is hidden until the director releases the round."
    )
    sheet = serializers.CharField(source="sheet.code", default=None, allow_null=True)
    tie = serializers.IntegerField(
        source="tie.number", default=None, allow_null=True, help_text="Of the bracket."
    )
    leg = serializers.IntegerField(help_text="Which sheet of its tie it is.")
    reasons = serializers.SerializerMethodField(help_text="Why these two were paired, in sentences.")

    class Meta:
        model = Match
        fields = tuple(MATCH)

    @extend_schema_field(SideTold(many=True))
    def get_sides(self, match: Match) -> list[SideTold]:
        return [self._side(match, side) for side in match.sides]  # type: ignore[misc]

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=_WAITS)))
    def get_waits_for(self, match: Match) -> list[str]:
        if not match.held or match.state in AWARDED:
            return []
        return [waits.name.lower() for waits in waits_for(match, match.sheet, said_of(match))]

    def get_net(self, match: Match) -> int | None:
        return None if match.is_table or match.state == MatchState.TAKEN_OVER else match.net

    def get_is_withheld(self, match: Match) -> bool:
        return bool(match.__dict__.get("withheld"))

    def get_reasons(self, match: Match) -> list[str]:
        names = self.context["spelling"].of(match.event.club_id)
        found: list[str] = names.reasons(match)
        return found

    def _side(self, match: Match, side: int) -> dict[str, Any]:
        names = self.context["spelling"].of(match.event.club_id)
        seated: list[Appearance] = sorted(
            (row for row in match.appearances.all() if row.side == side), key=lambda row: row.position
        )
        place = net = columns = boxes = hands = gins = None
        if match.is_table:
            if match.at_table:
                place, net, hands, gins = match.at_table[side]
        elif match.state != MatchState.TAKEN_OVER:
            net = match.net_of(side)
            columns, boxes, hands, gins = (
                getattr(match, f"{name}_{'ab'[side]}") for name in ("columns", "boxes", "hands", "gins")
            )
        absent = next((row.sits_in_for for row in seated if row.sits_in_for is not None), None)
        return {
            # A bot in place of a bye has every seat of its side.
            "name": names.side(match, side) or " + ".join({names.player(row.player): None for row in seated}),
            "entries": [entry.code for entry in match.side(side)],
            "players": [PlayerNamed(row.player, context=self.context).data for row in seated],
            "sits_in_for": absent and PlayerNamed(absent, context=self.context).data,
            "place": place,
            "net": net,
            "columns": columns,
            "boxes": boxes,
            "hands_won": hands,
            "gins": gins,
        }


class MatchChanged(Input):
    """Changes to a match; results come from its sheet."""

    table = serializers.IntegerField(min_value=1, max_value=32767, allow_null=True)


class PlayTold(serializers.Serializer[Any]):
    """At which table a match is played now."""

    table = serializers.CharField(allow_null=True, help_text="Null while the other side is waited for.")


class OnlineOfferTold(serializers.Serializer[Any]):
    """That a side of a match offers the other to play it on this site."""

    side = serializers.IntegerField(help_text="Which side offers it, as in `sides` of the match.")
    made_at = serializers.DateTimeField()


class SittingInSaid(Input):
    """For whom the bot of the event is to play, and why."""

    absent = OneOf(
        lambda who: _seated(who),
        help_text="The code of a player in the line-up who is not there.",
    )
    reason = serializers.CharField(
        max_length=300, default="", allow_blank=True, help_text="A captain may leave it out."
    )


class LineUpSaid(Input):
    """Who plays for a side, as its captain says, or an officer."""

    players = serializers.ListField(
        child=OneOf(lambda who: _choosable(who)),
        max_length=LARGEST_TEAM,
        help_text="The codes of as many of its members as sit at a table, in the order of seats.",
    )
    side = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SIDES - 1,
        required=False,
        help_text=(
            "For which side of the match, as in its `sides`: who records for the club says it, and may then "
            "name players of no team, too. Left out, it is the side of which you are captain."
        ),
    )


class LineUpTold(serializers.Serializer[Any]):
    """A line-up that is handed in and closed."""

    side = serializers.IntegerField(help_text="Of which side, as in `sides` of the match.")
    players = PlayerNamed(many=True, help_text="In the order of seats.")


class ClosedTold(serializers.Serializer[Any]):
    """The line-ups of a match that are handed in and closed, as far as the reader may know them."""

    closed = LineUpTold(many=True)


def _choosable(who: Who) -> QuerySet[Player]:
    members = EntryMember.objects.filter(event__in=matches_seen(who).values("event"))
    recorded = Q(club__in=clubs_where(who, Permission.RECORD))
    return Player.objects.filter(Q(pk__in=members.values("player")) | recorded)


def _seated(who: Who) -> QuerySet[Player]:
    seats = Appearance.objects.filter(match__in=matches_seen(who))
    return Player.objects.filter(pk__in=seats.values("player"))


class MatchFilter(OfEventFilter):
    """Filters of matches: event, club, round, entry, player, state, and whether the result is withheld."""

    round = number("round__number", label="The number of the round.")
    round_code = filters.CharFilter(field_name="round__code", label="The round's code.")
    entry = filters.CharFilter(method="of_entry", label="The entry's code.")
    player = filters.CharFilter(method="of_player", label="The player's code.")
    state = filters.ChoiceFilter(
        field_name="told_state", choices=list(MATCH_STATES.items()), label="Its state."
    )
    is_withheld = yes_no("is_veiled", label="Whether its result is hidden.")
    ordering = ordering("table", "updated_at", round="round__number")

    def of_entry(self, rows: QuerySet[Any], _field: str, code: str) -> QuerySet[Any]:
        wanted = Q()
        for side in SEATED:
            wanted |= Q(**{f"{side}__code": code})
        return rows.filter(wanted)

    def of_player(self, rows: QuerySet[Any], _field: str, code: str) -> QuerySet[Any]:
        return rows.filter(pk__in=Appearance.objects.filter(player__code=code).values("match"))


@described(
    "matches",
    MATCH,
    lists=Operation("List matches", "The matches."),
    reads=Operation("Read a match", "A match."),
    changes=Operation("Move a match to another table", "A match.", {"table": 4}),
)
class Matches(Followed[Match], Changed[Match]):
    """The matches that the reader may see; those with withheld results are shown as being played."""

    resource = "matches"
    serializer_class = MatchTold
    changed_from = MatchChanged
    filterset_class = MatchFilter
    changed_by = Permission.RECORD

    def seen(self, who: Who) -> QuerySet[Match]:
        told = Exists(results_seen(who).filter(pk=OuterRef("event")))
        veiled = withheld() & ~Q(state__in=_NO_NEWS) & ~Q(told)
        return (
            with_what_counts(matches_seen(who))
            .select_related("event__club", "round", "tie")
            .defer("sheet__derived", "sheet__paper")
            .prefetch_related("appearances__player", "appearances__sits_in_for")
            .annotate(
                is_veiled=Case(
                    When(veiled, then=Value(value=True)),
                    default=Value(value=False),
                    output_field=models.BooleanField(),
                ),
                told_state=Case(
                    When(veiled, then=Value(MatchState.PLAYING)),
                    default=F("state"),
                    output_field=models.CharField(),
                ),
            )
            .order_by("pk")
        )

    def counted(self, rows: QuerySet[Match]) -> int:
        return rows.count() if self.is_filtered() else matches_counted(who_of(self.request))

    def club_of(self, row: Match) -> Club:
        return row.event.club

    def hold(self, row: Match) -> None:
        lock_match(row)

    def told(self, rows: Sequence[Match]) -> Any:
        for match in rows:
            if match.__dict__["is_veiled"]:
                veil(match)
        return super().told(rows)

    def change(self, actor: Actor, row: Match, **values: Any) -> None:
        if values:
            set_table(actor=actor, match=row, **values)

    @writes(
        "matches",
        "matches",
        {"table": "t4mxw9hb2q"},
        PlayTold,
        Operation(
            "Sit down to a match on this site",
            (
                "Opens the table of your match in an event that is played on this site, against a bot, or as "
                "the other side offers. In an evening that runs itself you come to it, and it opens when the "
                "other side has come too. A reserve of a team comes in case one of its line-up does not."
            ),
            {},
        ),
        Nothing,
        "play",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def play(self, request: Request, **kwargs: Any) -> Response:
        """Open the table of one's match, or come to it."""
        actor, match = actor_for(request), self.get_object()
        self.said(Nothing)
        table = sit_down(actor=actor, match=match)
        return Response(PlayTold({"table": table and table.code}).data)

    @extend_schema(
        operation_id="matches_offer",
        tags=["matches"],
        summary="Whether a match is offered to be played on this site",
        description="What one side offers the other, to who plays the match; 404 once it is answered.",
        responses=answers({200: OpenApiResponse(OnlineOfferTold, description="What is offered.")}, READING),
        examples=[
            OpenApiExample("Offered", value=_OFFERED, response_only=True),
            *problem_examples(READING),
        ],
    )
    @action(detail=True)
    def offer(self, request: Request, **kwargs: Any) -> Response:
        """What is offered, of a match in which the reader plays."""
        players = list(players_of(who_of(request)))
        return Response(
            OnlineOfferTold(get_object_or_404(online_offers_of(players), match=self.get_object())).data
        )

    @writes(
        "matches",
        "matches",
        _OFFERED,
        OnlineOfferTold,
        Operation(
            "Offer to play a match on this site",
            (
                "Asks the other side of a match in an event that leaves to its players where they play. One "
                "of the others sits down to it, and the table begins."
            ),
            {},
        ),
        Nothing,
        "offer_make",
        201,
        parameters=(),
    )
    @offer.mapping.post
    def make_offer(self, request: Request, **kwargs: Any) -> Response:
        """Offer the other side of a match to play it on this site."""
        actor, match = actor_for(request), self.get_object()
        self.said(Nothing)
        return Response(OnlineOfferTold(offer_online(actor=actor, match=match)).data, status=201)

    @extend_schema(
        operation_id="matches_offer_end",
        tags=["matches"],
        summary="Decline the offer, or take it back",
        description="Of the other side, or of your own.",
        responses=answers({204: OpenApiResponse(description="Ended.")}, DELETING),
        examples=problem_examples(DELETING),
    )
    @offer.mapping.delete
    def end_offer(self, request: Request, **kwargs: Any) -> Response:
        """Decline what the other side offers, or take back what one's own does."""
        end_online_offer(actor=actor_for(request), match=self.get_object())
        return Response(status=204)

    @writes(
        "matches",
        "matches",
        _SITS_IN,
        MatchTold,
        Operation(
            "Let the bot of the event sit in",
            (
                "For a player who is not there, in a match on this site that has not begun: a director, and "
                "a captain for another of his team."
            ),
            {"absent": "r8kzt5mqwd"},
        ),
        SittingInSaid,
        "sit_in",
    )
    @action(detail=True, methods=["post"], url_path="sitting-in")
    def sitting_in(self, request: Request, **kwargs: Any) -> Response:
        """Have the bot of the event play for who is not there."""
        actor, match = actor_for(request), self.get_object()
        said = self.said(SittingInSaid)
        if said["absent"].club_id != match.event.club_id:
            # Of another club he may not be told by name.
            raise LeagueError("not_seated", _("No such player is in this line-up."), field="absent")
        let_bot_sit_in(actor=actor, match=match, **said)
        return self.answer_again(match)

    @extend_schema(
        operation_id="matches_line_ups",
        tags=["matches"],
        summary="Line-ups that are handed in and closed",
        description=(
            "Of your own team, as its captain; of both to a director, unless he is of one of them. Once "
            "both are in, or the round begins, all see them in the match, and there are none here."
        ),
        responses=answers({200: OpenApiResponse(ClosedTold, description="What is still closed.")}, READING),
        examples=[
            OpenApiExample("Closed", value=_CLOSED, response_only=True),
            *problem_examples(READING),
        ],
    )
    @action(detail=True, url_path="line-up")
    def line_up(self, request: Request, **kwargs: Any) -> Response:
        """What is handed in and closed, as far as the reader may know it."""
        match, who = self.get_object(), who_of(request)
        user = who.user_id if isinstance(who, ApiToken) else who.pk
        directs = can(who, Permission.DIRECT, match.event.club)
        told = {"closed": closed_line_ups(match, user, directs=directs)}
        return Response(ClosedTold(told, context={"spelling": self.spelling_of([match])}).data)

    @writes(
        "matches",
        "matches",
        MATCH | {"state": "scheduled", "winner": None, "counts": False},
        MatchTold,
        Operation(
            "Hand in the line-up of a team",
            (
                "As its captain, in an evening that runs itself, until those of both teams are in or the "
                "round begins; up to then the other team does not see it. Without one those play who played "
                "last. Who records for the club says for which `side`, in any match of which nothing is "
                "recorded."
            ),
            {"players": ["r8kzt5mqwd", "m4vqp9cxtd"]},
        ),
        LineUpSaid,
        "hand_in",
    )
    @line_up.mapping.post
    def hand_in(self, request: Request, **kwargs: Any) -> Response:
        """Say who plays for one's team, or for a side."""
        actor, match = actor_for(request), self.get_object()
        said = self.said(LineUpSaid)
        act = set_line_up if "side" in said else hand_in_line_up
        act(actor=actor, match=match, **said)
        return self.answer_again(match)

    @writes(
        "matches",
        "matches",
        MATCH,
        MatchTold,
        Operation(
            "Take your seat from a bot",
            (
                "Of who comes late: before the match has begun at once, and else with the next hand, of "
                "which the table tells."
            ),
            {},
        ),
        Nothing,
        "arrive",
    )
    @action(detail=True, methods=["post"])
    def arrival(self, request: Request, **kwargs: Any) -> Response:
        """Take one's seat from the bot that sits in."""
        actor, match = actor_for(request), self.get_object()
        self.said(Nothing)
        take_own_seat(actor=actor, match=match)
        return self.answer_again(match)
