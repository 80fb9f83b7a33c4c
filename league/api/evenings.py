"""The evening on which an event runs itself: how it stands, what directors do about it, and who has come.

The services are those of the pages: the same permission, the same refusals, the same audit.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import READING, Operation, answers, problem_examples, writes
from league.api.asking import actor_for, who_of
from league.api.entries import PlayerNamed
from league.api.events import OfOneEvent
from league.api.resources import Input
from league.api.spelling import Spelling
from league.api.table_serializers import Nothing
from league.core.evening import EveningState
from league.errors import LeagueError
from league.events.evening_presence import come_back
from league.events.evenings import begin_evening, pause_evening, set_evening
from league.events.presence import check_out_own
from league.matches.arrivals import to_begin, waited_for
from league.models import AbsentAt, ApiToken, Club, Evening, Match
from league.policy import Permission, Who, can, events_seen, plays_as
from league.policy.own import own_entry

_WAITING: Final = {
    "match": "d9wkr4tzmv",
    "waited_for": [{"code": "p3xrz7kqtw", "name": "Bob Lund"}],
    "table": None,
}
EVENING: Final = {
    "event": "w3zkq7hmtp",
    "state": "going",
    "break_minutes": 5,
    "wait_minutes": 10,
    "absent": "forfeit",
    "round": 2,
    "come_by": "2026-11-06T19:10:00Z",
    "next_at": None,
    "why": None,
    "matches": [_WAITING],
}
_PAUSED: Final = EVENING | {"state": "paused"}
_SET: Final = EVENING | {"state": "set", "round": None, "come_by": None, "matches": []}


class WaitingTold(serializers.Serializer[Any]):
    """A match, and who of those who play it is not at its table yet."""

    match = serializers.CharField(help_text="Its code.")
    waited_for = PlayerNamed(many=True, help_text="Empty once all are there.")
    table = serializers.CharField(allow_null=True, help_text="The code of its table, once that is open.")


class EveningTold(serializers.Serializer[Any]):
    """How an event runs itself, and where its evening stands."""

    event = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in EveningState])
    break_minutes = serializers.IntegerField(help_text="Between two rounds.")
    wait_minutes = serializers.IntegerField(help_text="How long a table waits for its players.")
    absent = serializers.ChoiceField(
        choices=AbsentAt.choices, help_text="What happens to a side that is not there by then."
    )
    round = serializers.IntegerField(allow_null=True, help_text="The number of the one that is played.")
    come_by = serializers.DateTimeField(
        allow_null=True, help_text="Until when its players may come; null once that is decided."
    )
    next_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next round begins; null before the break."
    )
    why = serializers.CharField(allow_null=True, help_text="For directors: why it has stopped.")
    matches = WaitingTold(
        many=True, help_text="While players may come: to directors all that have not begun, else your own."
    )


class EveningSaid(Input):
    """How an event runs itself."""

    break_minutes = serializers.IntegerField(help_text="0 to 60.")
    wait_minutes = serializers.IntegerField(help_text="1 to 60.")
    absent = serializers.ChoiceField(choices=AbsentAt.choices)


class EventEvening(OfOneEvent):
    """The evening on which an event runs itself; a 404 where none is set up."""

    serializer_class = EveningTold

    def seen(self, who: Who) -> QuerySet[Evening]:
        return Evening.objects.filter(event__in=events_seen(who)).select_related("event__club", "round")

    def club_of(self, row: Evening) -> Club:
        return row.event.club

    @extend_schema(
        operation_id="event_evening_read",
        tags=["events"],
        summary="Read how an event runs itself",
        description="By which rules, in which state, and until when players may come to their tables.",
        responses=answers({200: EveningTold}),
        examples=[
            OpenApiExample("An evening", value=EVENING, response_only=True, status_codes=["200"]),
            *problem_examples(READING),
        ],
    )
    def retrieve(self, request: Request, **_: Any) -> Response:
        return self._answered()

    @writes(
        "events",
        "event_evening",
        _SET,
        EveningTold,
        Operation(
            "Have an event run itself",
            "A director says how, or changes it. It runs itself once its evening is begun.",
            {"break_minutes": 5, "wait_minutes": 10, "absent": "forfeit"},
        ),
        EveningSaid,
        "set",
        parameters=(),
    )
    def update(self, request: Request, **_: Any) -> Response:
        """Say how the event runs itself."""
        actor, said = actor_for(request), self.said(EveningSaid)
        set_evening(actor=actor, event=self.event, **said | {"absent": AbsentAt(said["absent"])})
        return self._answered()

    @writes(
        "events",
        "event_evening",
        EVENING,
        EveningTold,
        Operation(
            "Begin the evening, or let it go on",
            (
                "A director begins it: those who are here are paired. One that is paused, has stopped or was "
                "over goes on, and who is waited for has as much time left as when it stood."
            ),
            {},
        ),
        Nothing,
        "begin",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def begin(self, request: Request, **_: Any) -> Response:
        """Begin the evening, or let it go on."""
        return self._done(begin_evening)

    @writes(
        "events",
        "event_evening",
        _PAUSED,
        EveningTold,
        Operation(
            "Pause the evening",
            "A director has nothing drawn or forfeited, and nobody's time to come run, until it goes on.",
            {},
        ),
        Nothing,
        "pause",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, **_: Any) -> Response:
        """Pause the evening."""
        return self._done(pause_evening)

    @writes(
        "events",
        "event_evening",
        EVENING,
        EveningTold,
        Operation(
            "Say that one is back",
            "Who was left out after missed matches, or one of his team, has it paired again.",
            {},
        ),
        Nothing,
        "come_back",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def back(self, request: Request, **_: Any) -> Response:
        """Say that one is back."""
        return self._said_of_own(come_back)

    @writes(
        "events",
        "event_evening",
        EVENING,
        EveningTold,
        Operation(
            "Say that one cannot come",
            "Who is checked in for the next round, or one of his team, has it left out of it.",
            {},
        ),
        Nothing,
        "check_out",
        parameters=(),
    )
    @action(detail=True, methods=["post"])
    def out(self, request: Request, **_: Any) -> Response:
        """Say that one cannot come."""
        return self._said_of_own(check_out_own)

    def _said_of_own(self, act: Callable[..., object]) -> Response:
        """Do this for the entry of the account that plays; refused (`not_allowed`) to who plays for none."""
        actor, account = actor_for(self.request), self._account()
        get_object_or_404(self.get_queryset())
        self.said(Nothing)
        entry = own_entry(account, self.event)
        if entry is None:
            raise LeagueError("not_allowed", _not_playing())
        act(actor=actor, event=self.event, entry=entry)
        return self._answered()

    def _done(self, act: Callable[..., object]) -> Response:
        actor = actor_for(self.request)
        self.said(Nothing)
        act(actor=actor, event=self.event)
        return self._answered()

    def _account(self) -> int:
        """The account that plays for whoever asks; refused (`not_allowed`) to a token that may not."""
        account = plays_as(who_of(self.request), club=self.event.club_id, event=self.event.pk)
        if account is None:
            raise LeagueError("not_allowed", _not_playing())
        return account

    @property
    def _names(self) -> dict[str, Any]:
        return {"spelling": Spelling(who_of(self.request), [self.event.club_id])}

    def _answered(self) -> Response:
        evening: Evening = get_object_or_404(self.get_queryset())
        who = who_of(self.request)
        directs = can(who, Permission.DIRECT, evening.event.club)
        rows = to_begin(evening).select_related("sheet__table_match")
        if evening.come_by is None:
            rows = rows.none()
        elif not directs:
            reader = who.user_id if isinstance(who, ApiToken) else who.pk if isinstance(who, User) else None
            seated = Match.objects.filter(
                appearances__player__user=reader, appearances__player__user__isnull=False
            )
            rows = rows.filter(pk__in=seated.values("pk"))
        document = {
            "event": evening.event.code,
            "state": evening.state,
            "break_minutes": evening.break_minutes,
            "wait_minutes": evening.wait_minutes,
            "absent": evening.absent,
            "round": None if evening.round is None else evening.round.number,
            "come_by": evening.come_by,
            "next_at": evening.next_at,
            "why": evening.why or None if directs else None,
            "matches": [
                {
                    "match": match.code,
                    "waited_for": list(chain.from_iterable(absent.values())),
                    "table": getattr(getattr(match.sheet, "table_match", None), "code", None),
                }
                for match, absent in waited_for(rows.order_by("table", "pk")).items()
            ],
        }
        return Response(EveningTold(document, context=self._names).data)


def _not_playing() -> str:
    return _("Only those who play in the event say whether they are here.")
