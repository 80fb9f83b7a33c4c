"""The challenges and absences of a ladder."""

from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.acts.services import Services
from league.api.answers import Operation, described, writes
from league.api.asking import actor_for
from league.api.entries import EntryNamed
from league.api.events import OfOneEvent
from league.api.fields import OneOf, ordering
from league.api.resources import Input, Made, Written
from league.draws.challenges import call_off_challenge, make_challenge
from league.draws.ladders import add_absence, end_absence, remove_absence
from league.errors import LeagueError
from league.models import Challenge, Club, Entry, LadderAbsence
from league.policy import Permission, Who, clubs_where, entries_seen, events_seen
from league.policy.eligibility import check_entered
from league.policy.withholding import told_until
from league.record.audit import locked
from league.tables.ladders import ladder_now
from scoring.core.actors import Actor

CHALLENGE: Final = {
    "number": 12,
    "event": "w3zkq7hmtp",
    "challenger": {"code": "t6pmq3wzkr", "name": "Ann Berg"},
    "challenged": {"code": "p3xrz7kqtw", "name": "Bob Lund"},
    "made_at": "2026-03-02T19:00:00Z",
    "is_open": True,
    "last_day": "2026-03-16",
    "match": "d9wkr4tzmv",
    "called_off_at": None,
}
ABSENCE: Final = {
    "number": 7,
    "event": "w3zkq7hmtp",
    "entry": {"code": "t6pmq3wzkr", "name": "Ann Berg"},
    "first_day": "2026-07-01",
    "last_day": None,
}


class ChallengeTold(serializers.ModelSerializer[Challenge]):
    """A challenge on a ladder; its match has the result."""

    event = serializers.CharField(source="event.code")
    challenger = EntryNamed(read_only=True)
    challenged = EntryNamed(read_only=True)
    is_open = serializers.BooleanField(
        help_text="Whether it is still to be played, as far as results are released."
    )
    last_day = serializers.DateField(
        allow_null=True,
        help_text=(
            "The last day to play an open challenge; null while somebody is away until further notice."
        ),
    )
    match = serializers.CharField(
        source="match.code", default=None, allow_null=True, help_text="Null once it is called off."
    )

    class Meta:
        model = Challenge
        fields = tuple(CHALLENGE)


class ChallengeSaid(Input):
    """Who challenges whom."""

    challenger = OneOf(lambda who: _entries(who), help_text="The entry's code.")
    challenged = OneOf(lambda who: _entries(who), help_text="The code of an entry higher up the ladder.")


class CallingOff(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class ChallengeFilter(filters.FilterSet):  # type: ignore[misc]
    """Filter of challenges: entry."""

    entry = filters.CharFilter(method="of_entry", label="The entry's code, on either side.")
    ordering = ordering("number")

    def of_entry(self, rows: QuerySet[Any], _field: str, code: str) -> QuerySet[Any]:
        return rows.filter(Q(challenger__code=code) | Q(challenged__code=code))


class AbsenceTold(serializers.ModelSerializer[LadderAbsence]):
    """Days on which an entry of a ladder is away, first and last included."""

    number = serializers.IntegerField(source="pk", help_text="The name used in its address.")
    event = serializers.CharField(source="entry.event.code")
    entry = EntryNamed(read_only=True)

    class Meta:
        model = LadderAbsence
        fields = tuple(ABSENCE)


class AbsenceChanged(Input):
    """The last day of an absence."""

    last_day = serializers.DateField()


class AbsenceSaid(Input):
    """Who is away, and when."""

    entry = OneOf(lambda who: _entries(who), help_text="The entry's code.")
    first_day = serializers.DateField()
    last_day = serializers.DateField(
        allow_null=True, default=None, help_text="Null means until further notice."
    )


class _OfLadder(OfOneEvent, Made[Any]):
    """Rows under the address of a ladder, each named by a number; events of other formats have none."""

    lookup_url_kwarg = "number"

    def create(self, request: Request, **kwargs: Any) -> Response:
        actor_for(request)
        self.event  # noqa: B018 (404 if the sender may not see it, whatever the body)
        return super().create(request, **kwargs)

    def address(self, told: Any) -> str:
        return reverse(f"api-{self.resource}-detail", args=[self.event.code, told["number"]])


@described(
    "events",
    CHALLENGE,
    lists=Operation("List the challenges of a ladder", "Empty if the event is not a ladder."),
    reads=Operation("Read a challenge", "A challenge."),
    makes=Operation(
        "Make a challenge",
        "Makes its match and its sheet too. Refused where the ladder's rules forbid it.",
        {"challenger": "t6pmq3wzkr", "challenged": "p3xrz7kqtw"},
    ),
)
class Challenges(_OfLadder):
    """The challenges of a ladder."""

    resource = "challenges"
    lookup_field = "number"
    serializer_class = ChallengeTold
    made_from = ChallengeSaid
    filterset_class = ChallengeFilter

    def seen(self, who: Who) -> QuerySet[Challenge]:
        rows = Challenge.objects.filter(event__in=events_seen(who))
        return rows.select_related("event__club", "challenger__event", "challenged__event", "match").order_by(
            "number"
        )

    def club_of(self, row: Challenge) -> Club:
        return row.event.club

    def told(self, rows: Any) -> Any:
        now = ladder_now(self.event, until=told_until(self.event))
        for row in rows:
            row.is_open = row.match is not None and row.number in now.ladder.open
            row.last_day = now.last_day(row.number) if row.is_open else None
        return super().told(rows)

    def make(self, actor: Actor, **values: Any) -> Challenge:
        return make_challenge(actor=actor, event=self.event, **values)

    @writes(
        "events",
        "challenges",
        CHALLENGE
        | {"is_open": False, "last_day": None, "match": None, "called_off_at": "2026-03-05T18:00:00Z"},
        ChallengeTold,
        Operation(
            "Call a challenge off",
            (
                "Only before anything is recorded: its match and its sheet are deleted, and nobody "
                "changes places."
            ),
            {"reason": "Both are ill."},
        ),
        CallingOff,
        "call_off",
    )
    @action(detail=True, methods=["post"])
    def cancellation(self, request: Request, **kwargs: Any) -> Response:
        """Call off a challenge."""
        actor, challenge = actor_for(request), self.get_object()
        call_off_challenge(actor=actor, challenge=challenge, **self.said(CallingOff))
        return self.answer_again(challenge)


@described(
    "events",
    ABSENCE,
    lists=Operation(
        "List who is away from a ladder", "For directors only: nobody else sees when people are away."
    ),
    reads=Operation("Read an absence", "An absence."),
    makes=Operation(
        "Note an absence",
        (
            "Nobody may challenge the entry on these days, and they do not count towards the deadline "
            "of an open challenge."
        ),
        {"entry": "t6pmq3wzkr", "first_day": "2026-07-01", "last_day": "2026-07-14"},
    ),
    changes=Operation("End an absence", "Sets its last day.", {"last_day": "2026-07-10"}),
    deletes=Operation("Take an absence back", "Deletes it, as if it had never been noted."),
)
class Absences(_OfLadder, Written[LadderAbsence]):
    """The absences of a ladder, for directors."""

    resource = "absences"
    lookup_field = "pk"
    serializer_class = AbsenceTold
    services = Services("absence", remove=remove_absence)
    made_from = AbsenceSaid
    changed_from = AbsenceChanged
    event_path = "entry__event"

    def seen(self, who: Who) -> QuerySet[LadderAbsence]:
        rows = LadderAbsence.objects.filter(entry__event__club__in=clubs_where(who, Permission.DIRECT))
        return rows.select_related("entry__event__club").order_by("pk")

    def club_of(self, row: LadderAbsence) -> Club:
        return row.entry.event.club

    def hold(self, row: LadderAbsence) -> None:
        locked(row.entry.event)
        super().hold(row)

    def make(self, actor: Actor, **values: Any) -> LadderAbsence:
        check_entered(self.event, values["entry"], "entry")
        return add_absence(actor=actor, **values)

    def change(self, actor: Actor, row: LadderAbsence, **values: Any) -> None:
        # An empty change.
        last_day = values.get("last_day")
        if last_day is None:
            return
        if last_day < row.first_day:
            raise LeagueError("invalid", _("An absence does not end before it begins."), field="last_day")
        end_absence(actor=actor, absence=row, last_day=last_day)


def _entries(who: Who) -> QuerySet[Entry]:
    return entries_seen(who).select_related("event__club")
