"""The bots of the house, and the matches they play by themselves."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from games.models import BotMatch, BotMatchState
from games.services.strength_lists import ListedBot, RatedLevel, listed_bots
from league.api.answers import Operation, described
from league.api.fields import ordering
from league.api.paging import Pages
from league.api.resources import Filters, Followed
from league.api.sheet_names import club_of
from league.api.versions import etag_of
from league.models import Club
from league.policy import Who, results_seen, sheets_seen
from league.policy.withholding import withheld
from scoring.core.messages import Sentence
from scoring.models import Scoresheet
from scoring.words.messages import translated

BOT: Final = {
    "strategy": "steady",
    "sentence": "Knocks as soon as it may.",
    "levels": [
        {"level": None, "samples": None, "is_default": True, "rating": 1480, "spread": 30, "games": 4000}
    ],
}
BOT_MATCH: Final = {
    "code": "n8rkw3qztv",
    "sheet": "z5hqw8nkrt",
    "match": "d9wkr4tzmv",
    "club": "harbour",
    "state": "finished",
    "bots": [
        {"seat": 0, "strategy": "steady", "level": None},
        {"seat": 1, "strategy": "novice", "level": None},
    ],
    "forfeited_by": None,
    "due_at": "2026-01-07T18:00:00Z",
    "started_at": "2026-01-07T18:00:02Z",
    "ended_at": "2026-01-07T18:00:40Z",
    "updated_at": "2026-01-07T18:00:40Z",
}


class LevelTold(serializers.Serializer[RatedLevel]):
    """A bot at a level, and its strength as measured against the others."""

    level = serializers.IntegerField(allow_null=True, help_text="Null where there are no levels.")
    samples = serializers.IntegerField(allow_null=True)
    is_default = serializers.BooleanField()
    rating = serializers.IntegerField(
        source="shown", allow_null=True, help_text="On the scale of players; null where not measured."
    )
    spread = serializers.IntegerField(allow_null=True, help_text="The uncertainty of its rating.")
    games = serializers.IntegerField(source="rating.games", default=None, allow_null=True)


class _Message(serializers.CharField):
    """A message of the core, translated into the reader's language."""

    def to_representation(self, value: Sentence) -> str:
        return translated(value)


class BotTold(serializers.Serializer[ListedBot]):
    """A way to play, with its levels."""

    strategy = serializers.CharField(source="strategy.name")
    sentence = _Message(source="strategy.sentence")
    levels = LevelTold(many=True)


class SeatTold(serializers.Serializer[Any]):
    """Who plays in a seat of the sheet; seats count from 0."""

    seat = serializers.IntegerField()
    strategy = serializers.CharField()
    level = serializers.IntegerField(allow_null=True)


class BotMatchTold(serializers.ModelSerializer[BotMatch]):
    """A sheet played by bots; read the sheet for what is on it."""

    sheet = serializers.CharField(source="sheet.code")
    match = serializers.CharField(source="sheet.match.code", default=None, allow_null=True)
    club = serializers.SerializerMethodField()
    bots = serializers.SerializerMethodField()
    forfeited_by = serializers.IntegerField(
        source="loser_side", allow_null=True, help_text="The side (0 or 1) whose bot failed."
    )

    class Meta:
        model = BotMatch
        fields = tuple(BOT_MATCH)

    def get_club(self, row: BotMatch) -> str | None:
        club = club_of(row.sheet)
        return None if club is None else club.slug

    @extend_schema_field(SeatTold(many=True))
    def get_bots(self, row: BotMatch) -> list[SeatTold]:
        return [
            {"seat": int(seat), "strategy": bot.get("strategy", ""), "level": bot.get("level")}  # type: ignore[misc]
            for seat, bot in sorted(row.bots.items(), key=lambda item: int(item[0]))
        ]


class BotMatchFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of bot matches: event, match and state."""

    event = filters.CharFilter(field_name="sheet__match__event__code", label="The event's code.")
    match = filters.CharFilter(field_name="sheet__match__code", label="The match's code.")
    state = filters.ChoiceFilter(choices=BotMatchState.choices, label="Its state.")
    ordering = ordering("due_at", "ended_at", "updated_at")


@described(
    "bots",
    BOT,
    name="bots",
    lists=Operation("List the bots", "In the site's own order."),
    reads=Operation("Read a bot", "A house bot."),
)
class Bots(GenericViewSet[Any]):
    """The bots of the house."""

    serializer_class = BotTold
    pagination_class = Pages
    filter_backends = (Filters,)
    lookup_field = "strategy"
    lookup_value_converter = "slug"
    queryset = BotMatch.objects.none()

    def list(self, request: Request) -> Response:
        """Return a page of the bots."""
        self.filter_queryset(self.get_queryset())
        page: Any = self.paginate_queryset(listed_bots())
        return self.get_paginated_response(BotTold(page, many=True).data)

    def retrieve(self, request: Request, strategy: str) -> Response:
        """Return one bot; 404 for an unknown strategy."""
        found = next((bot for bot in listed_bots() if bot.strategy.name == strategy), None)
        if found is None:
            raise Http404
        body = BotTold(found).data
        return Response(body, headers={"ETag": etag_of(body)})


@described(
    "bots",
    BOT_MATCH,
    lists=Operation("List bot matches", "Matches that bots play by themselves, newest first."),
    reads=Operation("Read a bot match", "A bot match."),
)
class BotMatches(Followed[BotMatch]):
    """The matches that bots play by themselves, the newest first.

    Only matches on sheets that the reader may see, without those with withheld results.
    """

    resource = "bot-matches"
    serializer_class = BotMatchTold
    filterset_class = BotMatchFilter

    def seen(self, who: Who) -> QuerySet[BotMatch]:
        held_back = BotMatch.objects.filter(withheld("sheet__match__")).exclude(
            sheet__match__event__in=results_seen(who)
        )
        rows = BotMatch.objects.filter(sheet__in=sheets_seen(who, Scoresheet.objects.all()).values("pk"))
        return (
            rows.exclude(pk__in=held_back.values("pk"))
            .select_related("sheet__match__event__club", "sheet__exhibition__club", "sheet__former__club")
            .defer("sheet__derived", "sheet__paper")
            .order_by("-pk")
        )

    def club_of(self, row: BotMatch) -> Club | None:
        return club_of(row.sheet)

    def told(self, rows: Any) -> Any:
        # They name no persons.
        return BotMatchTold(rows, many=True).data
