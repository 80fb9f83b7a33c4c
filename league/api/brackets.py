"""The brackets of events."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import READING, answers, problem_examples
from league.api.asking import who_of
from league.api.entries import EntryNamed
from league.api.events import OfOneEvent
from league.api.spelling import Spelling
from league.draws.bracket_lists import champion_of
from league.models import BRACKET_PARTS, Club, Event, Match, Tie, TieDecision, traits_of
from league.policy import Who, events_seen, rounds_seen, sees_results
from league.policy.naming import Names
from league.policy.withholding import hide_withheld

_TIE: Final = {
    "number": 1,
    "part": "winners",
    "level": 1,
    "stage": 1,
    "round": 1,
    "round_code": "h2vqkz8rwn",
    "sides": [
        {"entry": {"code": "t6pmq3wzkr", "name": "Ann Berg"}, "seed": 1},
        {"entry": {"code": "p3xrz7kqtw", "name": "Bob Lund"}, "seed": 4},
    ],
    "winner": "t6pmq3wzkr",
    "decided_by": "sheet",
    "winner_to": {"tie": 3, "side": 0},
    "loser_to": None,
    "matches": ["d9wkr4tzmv"],
}
BRACKET: Final = {"event": "w3zkq7hmtp", "is_drawn": True, "champion": None, "ties": [_TIE]}


class BracketSide(serializers.Serializer[Any]):
    """Who is on a side of a tie; null while that is not known or not released."""

    entry = EntryNamed(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)


class Destination(serializers.Serializer[Any]):
    """Where a side goes from a tie."""

    tie = serializers.IntegerField()
    side = serializers.IntegerField()


class TieTold(serializers.Serializer[Any]):
    """A tie of a bracket."""

    number = serializers.IntegerField()
    part = serializers.ChoiceField(choices=list(BRACKET_PARTS.items()))
    level = serializers.IntegerField(help_text="The round within its part.")
    stage = serializers.IntegerField(help_text="The order in which the rounds of all parts are played.")
    round = serializers.IntegerField(allow_null=True, help_text="The number of the event's round.")
    round_code = serializers.CharField(allow_null=True)
    sides = BracketSide(many=True)
    winner = serializers.CharField(allow_null=True, help_text="The entry's code.")
    decided_by = serializers.CharField(help_text="One of " + ", ".join(TieDecision) + "; or blank.")
    winner_to = Destination(allow_null=True)
    loser_to = Destination(allow_null=True)
    matches = serializers.ListField(child=serializers.CharField(), help_text="Their codes, in order.")


class BracketTold(serializers.Serializer[Any]):
    """A bracket; each tie says where its winner and its loser go."""

    event = serializers.CharField()
    is_drawn = serializers.BooleanField()
    champion = serializers.CharField(allow_null=True, help_text="The entry's code.")
    ties = TieTold(many=True)


class EventBracket(OfOneEvent):
    """The bracket of an event."""

    serializer_class = BracketTold

    def seen(self, who: Who) -> QuerySet[Tie]:
        rows = Tie.objects.filter(event__in=events_seen(who))
        return rows.select_related("entry_a", "entry_b", "round").order_by("number")

    def club_of(self, row: Tie) -> Club:
        return row.event.club

    @extend_schema(
        operation_id="event_bracket_read",
        tags=["events"],
        summary="Read the bracket of an event",
        description=("404 if the format of the event has no bracket. Hidden results are not shown."),
        responses=answers({200: BracketTold}),
        examples=[
            OpenApiExample("A bracket", value=BRACKET, response_only=True, status_codes=["200"]),
            *problem_examples(READING),
        ],
    )
    def retrieve(self, request: Request, **_: Any) -> Response:
        event = self.event
        if not traits_of(event).has_bracket:
            raise Http404
        who = who_of(request)
        names = Spelling(who, [event.club_id]).of(event.club_id)
        return Response(_document(event, list(self.get_queryset()), who, names))


def _document(event: Event, ties: list[Tie], who: Who, names: Names) -> dict[str, Any]:
    """Return the bracket as `who` may see it: not drawn if none of its rounds is visible.

    With withheld results a tie has no winner, nor have the ties that follow from it; who comes out of it is
    shown in the next tie only once that is paired.
    """
    rounds = set(rounds_seen(who).filter(event=event).values_list("pk", flat=True))
    about = {"event": event.code}
    if not any(tie.round_id in rounds for tie in ties):
        return about | {"is_drawn": False, "champion": None, "ties": []}
    sheets: dict[int, list[str]] = {}
    played = Match.objects.filter(event=event, tie__isnull=False, round__in=rounds).order_by("leg", "pk")
    for tie, code in played.values_list("tie", "code"):
        sheets.setdefault(tie, []).append(code)
    if not sees_results(who, event):
        hide_withheld(event, ties, rounds)
    by_id = {tie.pk: tie for tie in ties}

    def side(tie: Tie, number: int) -> dict[str, Any]:
        entry, seed = (tie.entry_b, tie.seed_b) if number else (tie.entry_a, tie.seed_a)
        if entry is None:
            return {"entry": None, "seed": seed}
        return {"entry": {"code": entry.code, "name": names.entry(entry)}, "seed": seed}

    def destination(to: int | None, number: int | None) -> dict[str, Any] | None:
        return None if to is None else {"tie": by_id[to].number, "side": number}

    def played_in(tie: Tie) -> dict[str, Any]:
        seen = tie.round if tie.round_id in rounds else None
        return {"round": seen and seen.number, "round_code": seen and seen.code}

    told = [
        {
            "number": tie.number,
            "part": tie.part,
            "level": tie.level,
            "stage": tie.stage,
            **played_in(tie),
            "sides": [side(tie, 0), side(tie, 1)],
            "winner": tie.winning_entry and tie.winning_entry.code,
            "decided_by": tie.decided_by,
            "winner_to": destination(tie.winner_to_id, tie.winner_to_side),
            "loser_to": destination(tie.loser_to_id, tie.loser_to_side),
            "matches": sheets.get(tie.pk, []),
        }
        for tie in ties
    ]
    champion = champion_of(ties)
    return about | {"is_drawn": True, "champion": champion and champion.code, "ties": told}
