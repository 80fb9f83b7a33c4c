"""Synchronization with a club's own register: players read and written by its ids (`external_id`)."""

import time
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import READING, WRITING, Operation, answers, described, problem_examples
from league.api.asking import actor_for, who_of
from league.api.fields import ONE_AT_LEAST
from league.api.outcomes import outcomes_of
from league.api.players import PLAYER, PlayerChanged, Players, PlayerTold
from league.api.resources import PATIENCE_SECONDS, Input
from league.api.versions import etag_of, require_match
from league.models import Club, Player
from league.people.register import of_external_id, register_player
from league.policy import Permission, clubs_where, require
from league.record.locking import refused_when_crossed
from scoring.api.problems import Problem
from scoring.services import refused_when_busy, waiting_anywhere_at_most

MOST: Final = 200
# The longest wait for other writers, in seconds for the whole batch.
BATCH_PATIENCE_SECONDS: Final = 10.0
_ANN: Final = {"external_id": "2093", "name": "Ann Berg", "member_number": "17"}
_BOB: Final = {"external_id": "2094", "name": "Bob Lund", "shown_as": "initials"}


class RegisteredSaid(PlayerChanged):
    """A person in the register. What is left out stays as it is; a new player needs a name."""

    name = serializers.CharField(max_length=80, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        del fields["external_id"]  # it is in the address
        return fields


class PersonSaid(PlayerChanged):
    """The same, with the id."""

    name = serializers.CharField(max_length=80, required=False)
    external_id = serializers.CharField(max_length=64)


class PeopleSaid(Input):
    """Up to 200 people."""

    players = serializers.ListField(
        child=PersonSaid(), min_length=1, max_length=MOST, error_messages=ONE_AT_LEAST
    )


class _SomePeople(Input):
    """1 to 200 values of any kind; each person is validated separately later."""

    players = serializers.ListField(
        child=serializers.JSONField(), min_length=1, max_length=MOST, error_messages=ONE_AT_LEAST
    )


@extend_schema_serializer(component_name="Outcome")
class RegisterOutcome(serializers.Serializer[Any]):
    """What became of one person."""

    external_id = serializers.CharField(allow_null=True)
    status = serializers.IntegerField(
        help_text="201 created, 200 changed or unchanged; otherwise the status of the problem."
    )
    code = serializers.CharField(required=False, help_text="The player's.")
    problem = type(Problem)(required=False)


@extend_schema_serializer(component_name="Outcomes")
class RegisterOutcomes(serializers.Serializer[Any]):
    """What became of each, in the order in which they were sent."""

    outcomes = RegisterOutcome(many=True)


@described(
    "players",
    PLAYER,
    name="register",
    reads=Operation(
        "Read a player by the id of the club's register",
        "For directors of the club. A player who was merged into another is answered as that one.",
    ),
    refused=(*READING, 403),
)
class Register(Players):
    """The players of a club, by the ids of its own register."""

    lookup_field = "external_id"
    lookup_value_converter = "str"

    def club(self) -> Club:
        """Return the club in the address.

        404 if the sender may not view it; refuses (`not_allowed`) others than its directors.
        """
        viewed = clubs_where(who_of(self.request), Permission.VIEW)
        club = get_object_or_404(viewed, slug=self.kwargs["slug"])
        require(actor_for(self.request), Permission.DIRECT, club)
        return club

    def of_id(self, club: Club, external_id: str) -> Player | None:
        """Return the player with this id, or the one he was merged into; None if nobody has it."""
        known = of_external_id(club, external_id)
        return known and self.get_queryset().get(pk=known.pk)

    @extend_schema(
        operation_id="register_batch",
        tags=["players"],
        summary="Upsert people by the ids of the club's register",
        description=(
            "Makes or changes up to 200 players. Each has an outcome of its own: one that is "
            "refused does not hold up the others. The register has the last word, so no version is "
            "needed. The request waits at most 10 seconds for others who are writing; after that, "
            "players who are being changed are refused (409, `busy`)."
        ),
        request={"application/json": PeopleSaid},
        responses=answers({200: RegisterOutcomes}, WRITING),
        examples=[
            OpenApiExample("A register", value={"players": [_ANN, _BOB]}, request_only=True),
            OpenApiExample(
                "Outcomes",
                value={
                    "outcomes": [
                        {"external_id": "2093", "status": 201, "code": "r8kzt5mqwd"},
                        {"external_id": "2094", "status": 200, "code": "m4vqp9cxtd"},
                    ]
                },
                response_only=True,
                status_codes=["200"],
            ),
            *problem_examples(WRITING),
        ],
    )
    def create(self, request: Request, **kwargs: Any) -> Response:
        """Write a batch of people."""
        club = self.club()
        people = self.said(_SomePeople)["players"]
        until = time.monotonic() + BATCH_PATIENCE_SECONDS
        write = partial(self._write, club, until)
        return Response({"outcomes": outcomes_of(people, about=_about, write=write)})

    def _write(self, club: Club, until: float, person: object) -> dict[str, Any]:
        said = PersonSaid(data=person)
        said.is_valid(raise_exception=True)
        left = max(min(PATIENCE_SECONDS, until - time.monotonic()), 0)
        with refused_when_crossed(), refused_when_busy(), waiting_anywhere_at_most(left):
            player, is_new = register_player(actor=actor_for(self.request), club=club, **said.validated_data)
        return {"status": 201 if is_new else 200, "code": player.code}

    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        external_id = kwargs["external_id"]
        _check_id(external_id)
        player = self.of_id(self.club(), external_id)
        if player is None:
            raise Http404
        return self.answer(player)

    @extend_schema(
        operation_id="register_upsert",
        tags=["players"],
        summary="Upsert a player by the id of the club's register",
        description=(
            "Makes the player with this id, or changes the one who has it. To link a player who is "
            "already in the club, set its `external_id` first: people may share a name. The "
            "register has the last word; send If-Match to change only the version you read."
        ),
        parameters=[
            OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The player's ETag."),
        ],
        request={"application/json": RegisteredSaid},
        responses=answers(
            {
                200: OpenApiResponse(PlayerTold, description="Changed, or unchanged."),
                201: OpenApiResponse(PlayerTold, description="Created."),
            },
            (*WRITING, 412),
        ),
        examples=[
            OpenApiExample("Ann", value={"name": "Ann Berg", "member_number": "17"}, request_only=True),
            OpenApiExample("Ann", value=PLAYER, response_only=True, status_codes=["200", "201"]),
            *problem_examples(WRITING),
        ],
    )
    def update(self, request: Request, **kwargs: Any) -> Response:
        """Write one person."""
        club, external_id = self.club(), kwargs["external_id"]
        values = self.said(RegisteredSaid)
        _check_id(external_id)
        with transaction.atomic():
            known = self.of_id(club, external_id)
            etag = None
            if known is not None:
                self.hold(known)
                (body,) = self.told([self.get_queryset().get(pk=known.pk)])
                etag = etag_of(body)
            require_match(request, etag, optional=True)
            player, is_new = register_player(
                actor=actor_for(request), club=club, external_id=external_id, **values
            )
        if is_new:
            return self.answer_new(player)
        return self.answer_again(player)


def _about(person: object) -> dict[str, Any]:
    sent = person.get("external_id") if isinstance(person, dict) else None
    return {"external_id": sent if isinstance(sent, str) else None}


def _check_id(external_id: str) -> None:
    """Refuse an id that would not be accepted in a body."""
    serializers.CharField(max_length=64).run_validation(external_id)
