"""Views under the address of an event: its entries, rounds, matches and standings."""

from typing import Any, ClassVar, Final

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import Operation, described
from league.api.asking import who_of
from league.api.entries import ENTRY, Entries, EntryNamed
from league.api.events import OfOneEvent
from league.api.matches import MATCH, Matches
from league.api.paging import Pages
from league.api.resources import Followed, Resource
from league.api.rounds import ROUND, Rounds
from league.api.spelling import Spelling
from league.models import Club, Deletion, Standing, StandingsRequest
from league.policy import Who, events_seen
from league.tables.results import criteria_of

STANDING: Final = {
    "position": 1,
    "rank": 1,
    "previous_rank": 2,
    "group": None,
    "entry": {"code": "t6pmq3wzkr", "name": "Ann Berg"},
    "played": 5,
    "wins": 4,
    "draws": 0,
    "losses": 1,
    "points": "8.00",
    "net": 913,
    "columns_won": 11,
    "boxes": 44,
    "metrics": {"match_points": "8", "net": 913},
    "decided_by": "",
    "above_next_by": "match_points",
    "best_place": 1,
    "worst_place": 3,
    "place_decided": False,
    "qualification": "",
}


_NO_DEALS: Final = "Null in an event that was taken over: no deals are known."


class StandingTold(serializers.ModelSerializer[Standing]):
    """A row of the table; within a group positions and ranks are the group's own."""

    entry = EntryNamed(read_only=True)
    net = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)
    columns_won = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)
    boxes = serializers.IntegerField(allow_null=True, help_text=_NO_DEALS)
    metrics = serializers.DictField(help_text="The figures of the criteria, by name.")

    class Meta:
        model = Standing
        fields = tuple(STANDING)
        extra_kwargs: ClassVar = {
            "best_place": {
                "help_text": "The best place still possible by what is left to play, each match played, "
                "given to one side or lost by both, and each table of many in any order of places; a bound "
                "that is never worse than the truth. Null unless the event is running, something is left and "
                "it is known what."
            },
            "worst_place": {
                "help_text": "The worst place still possible, likewise; never better than it is. Null also "
                "where others may still come, and be above it: how many is open."
            },
            "place_decided": {
                "help_text": "Whether no result can change its place, by tie-breaks either, nor a match "
                "that is left out, nor whoever still comes."
            },
            "qualification": {
                "help_text": "Whether it goes on from its group whatever the results (`sure`), cannot "
                "(`out`), or may (`open`). Blank where that is not, or no longer, asked."
            },
        }

    def to_representation(self, instance: Standing) -> dict[str, Any]:
        told: dict[str, Any] = super().to_representation(instance)
        if instance.event.taken_over:
            told |= dict.fromkeys(("net", "columns_won", "boxes"))
        return told


class _FollowedOfOneEvent(OfOneEvent, Followed[Any]):
    """A list under the address of an event that supports `updated_since`."""

    # Overridden so that the OpenAPI document describes it apart from the list of all rows.
    def list(self, request: Request, **kwargs: Any) -> Response:
        return super().list(request, **kwargs)

    def deletions(self) -> QuerySet[Deletion]:
        return super().deletions().filter(event_id=self.event.pk)


@described(
    "events",
    ENTRY,
    name="event_entries",
    lists=Operation("List the entries of an event", "The entries of an event."),
)
class EventEntries(_FollowedOfOneEvent, Entries):
    """The entries of an event."""


@described(
    "events",
    ROUND,
    name="event_rounds",
    lists=Operation("List the rounds of an event", "The rounds of an event."),
)
class EventRounds(_FollowedOfOneEvent, Rounds):
    """The rounds of an event."""


@described(
    "events",
    MATCH,
    name="event_matches",
    lists=Operation("List the matches of an event", "The matches of an event."),
)
class EventMatches(_FollowedOfOneEvent, Matches):
    """The matches of an event."""


class StandingPages(Pages):
    """Pages of the standings, with facts about the whole table."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        whole = super().get_paginated_response_schema(schema)
        kept = {name: whole["properties"][name] for name in ("count", "next", "previous", "results")}
        text = {"type": "string"}
        about = {
            "event": {**text, "description": "The event's code.", "example": "w3zkq7hmtp"},
            "standings_at": {
                **text,
                "format": "date-time",
                "nullable": True,
                "description": "When it was calculated; null before there is a table.",
                "example": "2026-01-12T21:40:00Z",
            },
            "is_current": {
                "type": "boolean",
                "description": "Whether every change so far is in the table.",
                "example": True,
            },
            "criteria": {
                "type": "array",
                "items": text,
                "description": "The order of the table.",
                "example": ["match_points", "net", "lot"],
            },
            "adjustments": {
                "type": "array",
                "description": "Points that a director gave or took.",
                "example": [],
                "items": {
                    "type": "object",
                    "required": ["entry", "points", "reason"],
                    "properties": {
                        "entry": {**text, "description": "The entry's code."},
                        "points": {**text, "format": "decimal"},
                        "reason": text,
                    },
                },
            },
            "annulled": {
                "type": "array",
                "description": "The codes of entries whose results are annulled: they have no row.",
                "example": [],
                "items": text,
            },
        }
        required = [*about, *(name for name in kept if name != "count")]
        return {"type": "object", "required": required, "properties": {**about, **kept}}


@described(
    "events",
    STANDING,
    name="event_standings",
    lists=Operation(
        "Read the table of an event",
        "Best first, and group by group if there are groups. Hidden results are left out.",
    ),
)
class EventStandings(OfOneEvent, Resource[Standing]):
    """The standings of an event."""

    serializer_class = StandingTold
    pagination_class = StandingPages

    def seen(self, who: Who) -> QuerySet[Standing]:
        rows = Standing.objects.filter(event__in=events_seen(who)).select_related(
            "event__club", "entry__event"
        )
        return rows.order_by("group", "position", "pk")

    def club_of(self, row: Standing) -> Club:
        return row.event.club

    def list(self, request: Request, **kwargs: Any) -> Response:
        event = self.event
        response = super().list(request, **kwargs)
        names = Spelling(who_of(request), [event.club_id]).of(event.club_id)
        # Entries with an adjustment, a line for each, and those annulled, in one query.
        noted = Q(adjustments__isnull=False) | Q(annulled_at__isnull=False)
        notes = list(
            event.entries.filter(noted)
            .order_by("adjustments__pk", "pk")
            .values_list("code", "annulled_at", "adjustments__points", "adjustments__reason")
        )
        about = {
            "event": event.code,
            "standings_at": event.standings_at,
            "is_current": not StandingsRequest.objects.filter(event=event).exists(),
            "criteria": list(criteria_of(event)),
            "adjustments": [
                {"entry": code, "points": str(points), "reason": names.text(reason)}
                for code, _annulled, points, reason in notes
                if points is not None
            ],
            "annulled": sorted({code for code, annulled_at, *_adjusted in notes if annulled_at is not None}),
        }
        response.data = about | response.data
        return response
