"""The rounds of events."""

from typing import Final

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework import serializers

from league.acts.services import Services
from league.api.answers import Operation, described
from league.api.asking import who_of
from league.api.fields import OfEventFilter, OneOf, number, ordering
from league.api.resources import Followed, Input, Written
from league.draws import rounds
from league.events import waiting
from league.models import ROUND_STATES, Club, Round
from league.policy import Who, events_seen, rounds_counted, rounds_listed
from league.record.audit import locked

ROUND: Final = {
    "code": "h2vqkz8rwn",
    "event": "w3zkq7hmtp",
    "number": 1,
    "date": "2026-01-07",
    "last_day": None,
    "state": "published",
    "ends_at": None,
    "called_at": None,
    "released_at": None,
    "updated_at": "2026-01-05T18:00:00Z",
}


class RoundTold(serializers.ModelSerializer[Round]):
    """One round of an event, usually one night."""

    event = serializers.CharField(source="event.code")

    class Meta:
        model = Round
        fields = tuple(ROUND)


class RoundChanged(Input):
    """Changes to a round."""

    date = serializers.DateField(allow_null=True, required=False)
    last_day = serializers.DateField(
        allow_null=True,
        required=False,
        help_text="The players arrange their matches, from the date to this day; null: it is one night.",
    )


class RoundSaid(RoundChanged):
    """A round without matches, to be filled by hand."""

    event = OneOf(events_seen)
    number = serializers.IntegerField(min_value=1, max_value=999)


class RoundFilter(OfEventFilter):
    """Filters of rounds: event, club, number, date and state."""

    number = number("number", label="The number of the round.")
    date = filters.DateFilter(label="The day on which it is played.")
    state = filters.ChoiceFilter(choices=list(ROUND_STATES.items()), label="Its state.")
    ordering = ordering("number", "date", "updated_at")


@described(
    "rounds",
    ROUND,
    lists=Operation("List rounds", "The rounds."),
    reads=Operation("Read a round", "A round."),
    makes=Operation(
        "Add a round",
        "Adds a round without matches; a draw makes its own rounds.",
        {"event": "w3zkq7hmtp", "number": 1, "date": "2026-01-07"},
    ),
    changes=Operation("Move a round to another day", "A round.", {"date": "2026-01-14"}),
    deletes=Operation("Delete a round", "Only a round without matches."),
)
class Rounds(Followed[Round], Written[Round]):
    """The rounds that the reader may see."""

    resource = "rounds"
    serializer_class = RoundTold
    services = Services(
        "round_", add=rounds.add_round, change=rounds.change_round, remove=waiting.remove_round
    )
    made_from = RoundSaid
    changed_from = RoundChanged
    filterset_class = RoundFilter

    def seen(self, who: Who) -> QuerySet[Round]:
        return rounds_listed(who).select_related("event__club").order_by("pk")

    def counted(self, rows: QuerySet[Round]) -> int:
        return rows.count() if self.is_filtered() else rounds_counted(who_of(self.request))

    def club_of(self, row: Round) -> Club:
        return row.event.club

    def hold(self, row: Round) -> None:
        locked(row.event)
        super().hold(row)
