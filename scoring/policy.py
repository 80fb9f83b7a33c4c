"""Permissions on sheets: asked by every service, view and page, answered by the app that knows people.

The setting `SCORING_POLICY` names the implementation.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Protocol

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import HouseRules, Scoresheet


class SheetAction(StrEnum):
    """Actions on a sheet."""

    OPEN = "open"
    RECORD = "record"
    CORRECT = "correct"
    STOP = "stop"
    VOID = "void"
    SIGN = "sign"
    ACCEPT = "accept"
    # Take back one's own last deal; dispute a sheet.
    UNDO = "undo"
    DISPUTE = "dispute"
    # Settle claims and disputes.
    SETTLE = "settle"


class ShownNames(NamedTuple):
    """The names on a sheet that somebody may see, as `KeptSheet.called` takes them.

    `person` is asked with a person's key and the written name; `sides` has the names of sides in order, None
    for one that is called after its players or keeps its own name.
    """

    person: Callable[[str, str], str]
    sides: Sequence[str | None]


class SheetPolicy(Protocol):
    """The interface of an implementation."""

    def allows(self, actor: Actor, action: SheetAction, sheet: Scoresheet | None) -> bool:
        """Whether the actor may do this; `sheet` is None when one is about to be opened."""

    def refusal(self, actor: Actor, action: SheetAction, sheet: Scoresheet | None) -> RecordingError | None:
        """A specific refusal for an actor whom `allows` just turned down; None if there is none."""

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """The sheets of the query set that the actor may see."""

    def readable(self, actor: Actor, queryset: QuerySet[HouseRules]) -> QuerySet[HouseRules]:
        """The house rules of the query set that the actor may read."""

    def own_sides(self, actor: Actor, sheet: Scoresheet) -> frozenset[int]:
        """The sides of the sheet on which the actor sits or for which the actor holds a link.

        The actor signs and disputes for these; with `CORRECT` and no side of their own, they sign for all.
        """

    def plays_as(self, actor: Actor, sheet: Scoresheet) -> int | None:
        """The account (an id) as which the actor plays this sheet card by card; None for none.

        A program plays as its user, if it may record there; whether the account has a seat is not asked.
        """

    def counts(self, sheet: Scoresheet) -> bool:
        """Whether what is played on the sheet counts for a table or a rating."""

    def packs(self, sheet: Scoresheet) -> Sequence[str]:
        """The packs that are dealt on the sheet as on others, as text from the first card, in order.

        None if each hand has a pack of its own.
        """

    def withheld(self, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """The sheets of the query set of whose `packs` nobody is told a card yet, as others may play them."""

    def called(self, persons: Collection[str]) -> Mapping[str, str]:
        """Full names of persons by key, as used in seats; unknown persons are left out."""

    def shown(self, actor: Actor, sheet: Scoresheet) -> ShownNames:
        """The names on the sheet that the actor may see."""

    def page_head(self, actor: Actor, sheet: Scoresheet) -> Mapping[str, Any]:
        """What `base.html` needs for the head of a page of the sheet; empty for that of the site.

        It has the sheet's `label`, as the actor may read it.
        """


def policy() -> SheetPolicy:
    """The policy in force."""
    return _named_policy(settings.SCORING_POLICY)


@cache
def _named_policy(path: str) -> SheetPolicy:
    implementation: SheetPolicy = import_string(path)()
    return implementation
