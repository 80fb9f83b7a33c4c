"""The lines across the table of an event: who goes on from the next places, who is level, what was decided.

Readers are told what was decided; directors are told who is level, and decide.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import READING, Operation, answers, problem_examples, writes
from league.api.asking import actor_for, who_of
from league.api.entries import EntryNamed
from league.api.events import OfOneEvent
from league.api.fields import OneOf
from league.api.resources import Input
from league.api.spelling import Spelling
from league.core.standings.cuts import CutKind
from league.draws.levels import (
    LevelAt,
    decide_level,
    levels_at_cuts,
    missing_for,
    take_back_decision,
)
from league.models import Club, CutDecision, CutHow, Entry, Standing
from league.policy import Permission, Who, entries_seen, events_seen, require
from league.policy.naming import Names
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
            "round": None,
            "table": None,
            "above": 1,
            "entries": ["d9wkr4tzmv", "q4tzn8wvxc"],
            "how": "lot",
            "order": ["q4tzn8wvxc", "d9wkr4tzmv"],
            "lot": 482913377,
            "reason": "",
            "at": "2026-01-12T21:40:00Z",
        }
    ],
    "prizes": [],
}
_LEVEL: Final = {
    "key": "5f1c09a7d2b84e63",
    "kind": "group",
    "group": 1,
    "round": None,
    "table": None,
    "above": 1,
    "entries": [
        {"code": "d9wkr4tzmv", "name": "Ann Berg"},
        {"code": "q4tzn8wvxc", "name": "Bob Lund"},
    ],
    "state": "Ann Berg and Bob Lund are level in everything for places 2 and 3 of group 1.",
    "is_open": True,
    "missing": [],
    "decision": None,
}
LEVELS: Final = {"event": "w3zkq7hmtp", "levels": [_LEVEL], "void": []}
DECIDED: Final = LEVELS | {
    "levels": [
        _LEVEL
        | {
            "state": "By lot number 482913377, drawn on 12 January 2026, 22:40 by Cid, in this order: "
            "Bob Lund and Ann Berg.",
            "is_open": False,
            "decision": {
                "key": "5f1c09a7d2b84e63",
                "how": "lot",
                "order": ["q4tzn8wvxc", "d9wkr4tzmv"],
                "lot": 482913377,
                "reason": "",
                "at": "2026-01-12T21:40:00Z",
                "matches": [],
            },
        }
    ]
}


class NextPlaceTold(serializers.Serializer[Any]):
    """One of the next places of the groups, of which the best few go on too; best first."""

    entry = EntryNamed()
    group = serializers.IntegerField()
    points = serializers.CharField(help_text="A match, to the hundredth.")
    net = serializers.CharField(help_text="A match, to the hundredth.")
    goes_on = serializers.BooleanField()
    by_lot = serializers.BooleanField(
        help_text="Whether the lot put it above the one that follows, in a bracket drawn while it did that."
    )


class CutDecisionTold(serializers.Serializer[Any]):
    """What was decided between entries that are level at a line, and holds by the results."""

    kind = serializers.CharField(help_text="What the table is cut for: " + ", ".join(CutKind) + ".")
    group = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True, help_text="For `table`: the number of the round.")
    table = serializers.IntegerField(allow_null=True, help_text="For `table`: its number.")
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


class PrizeTold(serializers.Serializer[Any]):
    """A place with a prize; entries that are level, and not in order yet, have the same."""

    place = serializers.IntegerField()
    entry = EntryNamed()


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
    prizes = PrizeTold(many=True, help_text="Once the event is finished; best first.")


class _OfDecisions(OfOneEvent):
    def seen(self, who: Who) -> QuerySet[CutDecision]:
        return CutDecision.objects.filter(event__in=events_seen(who)).order_by("pk")

    def club_of(self, row: CutDecision) -> Club:
        return row.event.club


class EventCuts(_OfDecisions):
    """The lines across the table of an event."""

    serializer_class = CutsTold

    @extend_schema(
        operation_id="event_cuts_read",
        tags=["events"],
        summary="Read who goes on, and what was decided at a tie",
        description=(
            "From groups the best of the next places, and decisions between entries that the order of the "
            "table, or a table of many, leaves level where it is decided who goes on, up or down. Hidden "
            "results are left out."
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
                "round": cut.cut.round or None,
                "table": cut.cut.table or None,
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
            "prizes": [{"place": row.first, "entry": entry} for row in told.prizes for entry in row.entries],
        }
        return Response(CutsTold(document, context={"spelling": spelling}).data)


class DecisionTold(serializers.Serializer[Any]):
    """A decision between entries that are level."""

    key = serializers.CharField(help_text="The tie, as in addresses.")
    how = serializers.ChoiceField(choices=CutHow.choices)
    order = serializers.ListField(
        child=serializers.CharField(), help_text="The codes in order; empty while a play-off is not over."
    )
    lot = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    matches = serializers.ListField(child=serializers.CharField(), help_text="Codes of the play-off.")


class LevelAtCut(serializers.Serializer[Any]):
    """Entries that are level at a line by the results so far."""

    key = serializers.CharField(
        help_text="Names the tie in addresses; another one as soon as entries or figures are others."
    )
    kind = serializers.CharField(help_text="What the table is cut for: " + ", ".join(CutKind) + ".")
    group = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True, help_text="For `table`: the number of the round.")
    table = serializers.IntegerField(allow_null=True, help_text="For `table`: its number.")
    above = serializers.IntegerField(help_text="How many of the table stand above them.")
    entries = EntryNamed(many=True)
    state = serializers.CharField(help_text="What is open or was decided, in a sentence.")
    is_open = serializers.BooleanField(help_text="Whether a director is to decide.")
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Codes of the matches without a result that it may hang on."
    )
    decision = DecisionTold(allow_null=True)


class LevelsTold(serializers.Serializer[Any]):
    """Who is level at the lines of an event, for its directors."""

    event = serializers.CharField()
    levels = LevelAtCut(many=True)
    void = DecisionTold(many=True, help_text="Decisions on ties that are no longer the same.")


class DecisionSaid(Input):
    """How it is decided who comes first."""

    how = serializers.ChoiceField(choices=CutHow.choices)
    order = serializers.ListField(
        child=OneOf(entries_seen),
        required=False,
        max_length=512,
        help_text="For `word`: the codes of all who are level, the first first.",
    )
    reason = serializers.CharField(
        max_length=300, required=False, help_text="For `word`; members read it below the table."
    )
    date = serializers.DateField(
        allow_null=True, required=False, help_text="For `play_off`: when it is played."
    )
    despite_missing = serializers.BooleanField(
        default=False, help_text="Decides although results are missing."
    )


class TakingBack(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class EventLevels(_OfDecisions):
    """Who is level at the lines of an event, and the decisions on it; for directors."""

    serializer_class = LevelsTold

    @extend_schema(
        operation_id="event_levels_read",
        tags=["events"],
        summary="Read who is level at a line",
        description=(
            "For directors: entries that the order of the table leaves level where it is decided who goes "
            "on, up or down, or has a prize, by all results so far, hidden ones too."
        ),
        responses=answers({200: LevelsTold}, (*READING, 403)),
        examples=[
            OpenApiExample("Who is level", value=LEVELS, response_only=True, status_codes=["200"]),
            *problem_examples(READING),
        ],
    )
    def retrieve(self, request: Request, **_: Any) -> Response:
        club = self.event.club
        require(actor_for(request), Permission.DIRECT, club)
        return self._answered()

    @writes(
        "events",
        "event_levels",
        DECIDED,
        LevelsTold,
        Operation(
            "Decide who comes first",
            (
                "By a play-off, whose match is made; by a lot, which is drawn now and kept; or by the "
                "director's word, with the order and a reason. Answers who is level as it is then."
            ),
            {"how": "lot"},
        ),
        DecisionSaid,
        "decide",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def decision(self, request: Request, *, key: str, **_: Any) -> Response:
        """Decide a tie at a line."""
        actor, event = actor_for(request), self.event
        require(actor, Permission.DIRECT, event.club)
        said = self.said(DecisionSaid)
        decide_level(actor=actor, event=event, key=key, **said | {"how": CutHow(said["how"])})
        return self._answered()

    @writes(
        "events",
        "event_levels",
        LEVELS,
        LevelsTold,
        Operation(
            "Take a decision back",
            (
                "It is asked again where they are still level. A play-off goes with it, as long as nothing "
                "of it was played."
            ),
            {"reason": "Drawn before the last sheet was corrected."},
        ),
        TakingBack,
        "take_back",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def cancellation(self, request: Request, *, key: str, **_: Any) -> Response:
        """Take a decision back."""
        actor, event = actor_for(request), self.event
        require(actor, Permission.DIRECT, event.club)
        said = self.said(TakingBack)
        decision = self.get_queryset().filter(key=key).order_by("-number").first()
        if decision is None:
            raise Http404
        take_back_decision(actor=actor, decision=decision, **said)
        return self._answered()

    def _answered(self) -> Response:
        event = self.event
        spelling = Spelling(who_of(self.request), [event.club_id])
        names = spelling.of(event.club_id)
        entries = {entry.pk: entry for entry in Entry.objects.filter(event=event).select_related("event")}
        levels = levels_at_cuts(event)
        keys = {level.cut.key for level in levels}

        def told(level: LevelAt) -> dict[str, Any]:
            made = level.decision
            return {
                "key": level.cut.key,
                "kind": level.cut.kind,
                "group": level.cut.group or None,
                "round": level.cut.round or None,
                "table": level.cut.table or None,
                "above": level.cut.above,
                "entries": [entries[entry.pk] for entry in level.entries],
                "state": level.state,
                "is_open": level.is_open,
                "missing": [match.code for match in missing_for(event, level.cut)] if level.is_open else [],
                "decision": made and _decision(made, level.order, entries, names),
            }

        document = {
            "event": event.code,
            "levels": [told(level) for level in levels],
            "void": [
                _decision(made, made.order, entries, names)
                for made in self.get_queryset()
                if made.key not in keys
            ],
        }
        return Response(LevelsTold(document, context={"spelling": spelling}).data)


def _decision(
    made: CutDecision, order: Sequence[int], entries: Mapping[int, Entry], names: Names
) -> dict[str, Any]:
    return {
        "key": made.key,
        "how": made.how,
        "order": [entries[pk].code for pk in order if pk in entries],
        "lot": made.lot,
        "reason": names.text(made.reason),
        "at": made.at,
        "matches": list(made.matches.order_by("pk").values_list("code", flat=True)),
    }
