"""Who may do what to a sheet: asked by every service, view and page, answered by whoever knows people.

The implementation is named by the setting `SCORING_POLICY`; without one, nobody may do anything.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cache
from typing import Protocol

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import HouseRules, Scoresheet


class Action(StrEnum):
    """What can be done to a sheet."""

    OPEN = "open"
    RECORD = "record"
    CORRECT = "correct"
    STOP = "stop"
    VOID = "void"
    SIGN = "sign"
    ACCEPT = "accept"
    # Take back the last deal, where it is one's own; say that a sheet is not what was played.
    UNDO = "undo"
    DISPUTE = "dispute"
    # Decide between claims, end a dispute.
    SETTLE = "settle"


class SheetPolicy(Protocol):
    """What an implementation answers."""

    def allows(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> bool:
        """Whether the actor may do this; `sheet` is None where it is about to be opened."""

    def refusal(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> RecordingError | None:
        """What there is to say, beside that he may not, to an actor whom `allows` has just refused."""

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """The sheets among these that the actor may see."""

    def readable(self, actor: Actor, queryset: QuerySet[HouseRules]) -> QuerySet[HouseRules]:
        """The house rules among these that the actor may read."""

    def own_sides(self, actor: Actor, sheet: Scoresheet) -> frozenset[int]:
        """The sides (0, 1) of the sheet on which the actor sits, or for which he was given a link.

        He signs and disputes for these; whoever may `CORRECT` without a side of his own signs for both.
        """

    def called(self, persons: Collection[str]) -> Mapping[str, str]:
        """The names in full of persons, by the keys that seats have; who is not known is left out."""


class NobodyPolicy:
    """The default: nobody may do or see anything."""

    def allows(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> bool:
        return False

    def refusal(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> None:
        return None

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        return queryset.none()

    def readable(self, actor: Actor, queryset: QuerySet[HouseRules]) -> QuerySet[HouseRules]:
        return queryset.none()

    def own_sides(self, actor: Actor, sheet: Scoresheet) -> frozenset[int]:
        return frozenset()

    def called(self, persons: Collection[str]) -> Mapping[str, str]:
        return {}


def policy() -> SheetPolicy:
    """The policy in force."""
    return _named_policy(settings.SCORING_POLICY)


@cache
def _named_policy(path: str) -> SheetPolicy:
    implementation: SheetPolicy = import_string(path)()
    return implementation
