"""The rounds of events."""

from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import changes, deletes, lists, makes, tells
from league.api.asking import actor_for
from league.api.fields import OneOf, number, ordering
from league.api.resources import Followed, Input, Resource
from league.draws import rounds
from league.models import Club, Round, RoundState
from league.policy import Who, events_seen, rounds_seen
from league.record.audit import locked

ROUND: Final = {
    "code": "h2vqkz8rwn",
    "event": "w3zkq7hmtp",
    "number": 1,
    "date": "2026-01-07",
    "state": "published",
    "called_at": None,
    "released_at": None,
    "updated_at": "2026-01-05T18:00:00Z",
}


class RoundTold(serializers.ModelSerializer[Round]):
    """One round of an event, usually one night."""

    event = serializers.CharField(source="event.code")

    class Meta:
        model = Round
        fields = ("code", "event", "number", "date", "state", "called_at", "released_at", "updated_at")


class RoundChanged(Input):
    """What of a round changes."""

    date = serializers.DateField(allow_null=True, required=False)


class RoundSaid(RoundChanged):
    """A round without matches, to be filled by hand."""

    event = OneOf(events_seen)
    number = serializers.IntegerField(min_value=1, max_value=999)


class RoundFilter(filters.FilterSet):  # type: ignore[misc]
    """Rounds by event, day and state."""

    club = filters.CharFilter(field_name="event__club__slug", label="The club's slug.")
    event = filters.CharFilter(field_name="event__code", label="The event's code.")
    number = number("number", label="The number of the round.")
    date = filters.DateFilter(label="The day on which it is played.")
    state = filters.ChoiceFilter(choices=RoundState.choices, label="How far it has come.")
    ordering = ordering("number", "date", "updated_at")


class OfRounds(Resource[Round]):
    """The rounds that may be read of."""

    serializer_class = RoundTold

    def seen(self, who: Who) -> QuerySet[Round]:
        rows = rounds_seen(who).filter(event__in=events_seen(who))
        return rows.select_related("event__club").order_by("pk")

    def club_of(self, row: Round) -> Club:
        return row.event.club

    def hold(self, row: Round) -> None:
        locked(row.event)
        super().hold(row)


class Rounds(OfRounds, Followed[Round]):
    """The rounds."""

    resource = "rounds"
    filterset_class = RoundFilter

    @lists("rounds", "rounds_list", "List rounds", RoundTold, ROUND)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "rounds",
        "rounds_create",
        "Add a round",
        RoundSaid,
        RoundTold,
        ROUND,
        {"event": "w3zkq7hmtp", "number": 1, "date": "2026-01-07"},
        "Without matches: rounds that are drawn come of themselves.",
    )
    def post(self, request: Request) -> Response:
        round_ = rounds.add_round(actor=actor_for(request), **self.said(RoundSaid))
        return self.answer_new(round_, reverse("api-round", args=[round_.code]))


class OneRound(OfRounds):
    """A round."""

    @tells("rounds", "rounds_read", "Read a round", RoundTold, ROUND)
    def get(self, request: Request, code: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "rounds",
        "rounds_change",
        "Move a round to another day",
        RoundChanged,
        RoundTold,
        ROUND,
        {"date": "2026-01-14"},
    )
    def patch(self, request: Request, code: str) -> Response:
        with self.changing() as round_:
            values = self.said(RoundChanged, partial=True)
            rounds.change_round(actor=actor_for(request), round_=round_, **values)
        return self.answer_again(round_)

    @deletes("rounds", "rounds_delete", "Delete a round", "One without matches.")
    def delete(self, request: Request, code: str) -> Response:
        with self.changing() as round_:
            rounds.remove_round(actor=actor_for(request), round_=round_)
        return Response(status=204)
