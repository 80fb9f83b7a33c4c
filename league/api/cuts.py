"""The lines across the table of an event: who goes on from the next places, and what was decided."""

from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import READING, answers, problem_examples
from league.api.asking import who_of
from league.api.entries import EntryNamed
from league.api.events import OfOneEvent
from league.api.spelling import Spelling
from league.core.standings.cuts import CutKind
from league.models import Club, CutDecision, CutHow, Entry, Standing
from league.policy import Who, events_seen
from league.tables.cut_tables import ToldCut, told_cuts

CUTS: Final = {
    "event": "w3zkq7hmtp",
    "place": 3,
    "next_places": [
        {
            "entry": {"code": "t6pmq3wzkr", "name": "Ann Berg"},
            "group": 2,
            "points": "1.33",
            "net": "41.5",
            "goes_on": True,
            "by_lot": False,
        }
    ],
    "left_out": ["p3xrz7kqtw"],
    "decisions": [
        {
            "kind": "group",
            "group": 1,
            "above": 1,
            "entries": ["d9wkr4tzmv", "q4tzn8wvxc"],
            "how": "lot",
            "order": ["q4tzn8wvxc", "d9wkr4tzmv"],
            "lot": 482913377,
            "reason": "",
            "at": "2026-01-12T21:40:00Z",
        }
    ],
}


class NextPlaceTold(serializers.Serializer[Any]):
    """One of the next places of the groups, of which the best few go on too; best first."""

    entry = EntryNamed()
    group = serializers.IntegerField()
    points = serializers.CharField(help_text="A match, to the hundredth.")
    net = serializers.CharField(help_text="A match, to the hundredth.")
    goes_on = serializers.BooleanField()
    by_lot = serializers.BooleanField(help_text="Whether the lot puts it above the one that follows.")


class CutDecisionTold(serializers.Serializer[Any]):
    """What was decided between entries that are level at a line, and holds by the results."""

    kind = serializers.CharField(help_text="What the table is cut for: " + ", ".join(CutKind) + ".")
    group = serializers.IntegerField(allow_null=True)
    above = serializers.IntegerField(help_text="How many of the table stand above them.")
    entries = serializers.ListField(child=serializers.CharField(), help_text="Codes of who is level.")
    how = serializers.ChoiceField(choices=CutHow.choices)
    order = serializers.ListField(
        child=serializers.CharField(), help_text="The codes in order; empty while a play-off is not over."
    )
    lot = serializers.IntegerField(
        allow_null=True,
        help_text="The higher SHA-256 of “lot:code”, in hexadecimal digits, comes first.",
    )
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class CutsTold(serializers.Serializer[Any]):
    """The lines across the table of an event."""

    event = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="The next place; null where none goes on.")
    next_places = NextPlaceTold(many=True)
    left_out = serializers.ListField(
        child=serializers.CharField(),
        help_text="Codes of the last of larger groups: between groups results against them do not count.",
    )
    decisions = CutDecisionTold(many=True)


class EventCuts(OfOneEvent):
    """The lines across the table of an event."""

    serializer_class = CutsTold

    def seen(self, who: Who) -> QuerySet[CutDecision]:
        return CutDecision.objects.filter(event__in=events_seen(who)).order_by("pk")

    def club_of(self, row: CutDecision) -> Club:
        return row.event.club

    @extend_schema(
        operation_id="event_cuts_read",
        tags=["events"],
        summary="Read who goes on, and what was decided at a tie",
        description=(
            "From groups the best of the next places, and decisions between entries that the order of the "
            "table leaves level where it is decided who goes on, up or down. Of results held back nothing is "
            "told."
        ),
        responses=answers({200: CutsTold}),
        examples=[
            OpenApiExample("Lines", value=CUTS, response_only=True, status_codes=["200"]),
            *problem_examples(READING),
        ],
    )
    def retrieve(self, request: Request, **_: Any) -> Response:
        event = self.event
        spelling = Spelling(who_of(request), [event.club_id])
        names = spelling.of(event.club_id)
        entries = {entry.pk: entry for entry in Entry.objects.filter(event=event).select_related("event")}
        standings = list(Standing.objects.filter(event=event).select_related("entry"))
        told = told_cuts(event, entries, standings, names)

        def decided(cut: ToldCut) -> dict[str, Any] | None:
            made = cut.decision
            if made is None:
                return None
            return {
                "kind": cut.cut.kind,
                "group": cut.cut.group or None,
                "above": cut.cut.above,
                "entries": [entries[pk].code for pk in cut.cut.entries],
                "how": made.how,
                "order": [entries[pk].code for pk in cut.order],
                "lot": made.lot,
                "reason": names.text(made.reason),
                "at": made.at,
            }

        document = {
            "event": event.code,
            "place": told.place or None,
            "next_places": told.next_rows,
            "left_out": [entry.code for entry in told.left_out],
            "decisions": [decision for cut in told.cuts if (decision := decided(cut)) is not None],
        }
        return Response(CutsTold(document, context={"spelling": spelling}).data)
