"""Every place in which a person's name may be printed, club by club: where erasing somebody looks for it.

Rows that carry names say so themselves (`scoring.models.Printed`); here stand the other fields, and how the
rows of a club are found. A test holds every table with a text in it against this list.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet

from league.models import (
    Adjustment,
    AuditEntry,
    BotSchedule,
    Club,
    Entry,
    ForbiddenPair,
    ImportBatch,
    ImportDraft,
    Invitation,
    Match,
    Player,
    PlayerAlias,
    Round,
    TableLink,
)
from scoring.core.actors import ActorKind
from scoring.models import (
    Claim,
    ClaimSettlement,
    Dispute,
    DisputeSettlement,
    HouseRules,
    Printed,
    Scoresheet,
    Seat,
    SecondTyping,
    SheetAct,
    Side,
    Signature,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A table with names in it: fields that hold one, and those in whose texts, JSON too, names may stand."""

    rows: QuerySet[Any]
    names: tuple[str, ...]
    sentences: tuple[str, ...]


def places_in(club: Club) -> Iterator[Place]:
    """All of a club's rows in which names are printed."""
    for model, condition in _ROWS_OF.items():
        rows = model._base_manager.filter(pk__in=model._base_manager.filter(condition(club)).values("pk"))
        yield Place(rows, *_fields(model))


def place_of_user(user: User) -> Place:
    """What the audit says outside of any club of what a user did, and of what was done to the account."""
    acted = Q(actor_kind=ActorKind.USER.value, actor_id=str(user.pk))
    about = Q(object_type="user", object_id=str(user.pk))
    rows = AuditEntry.objects.filter(acted | about, club=None)
    return Place(rows, *_fields(AuditEntry))


def sheets_of(club: Club, prefix: str = "") -> Q:
    """The sheets of a club, former ones and exhibitions too; `prefix` leads to the sheet."""
    return (
        Q(**{f"{prefix}match__event__club": club})
        | Q(**{f"{prefix}former__club": club})
        | Q(**{f"{prefix}exhibition__club": club})
    )


def _fields(model: type[Model]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names, sentences = _FIELDS.get(model, ((), ()))
    if issubclass(model, Printed):
        return (*model.NAMES, *names), (*model.SENTENCES, *sentences)
    return names, sentences


def _at(path: str) -> Callable[[Club], Q]:
    return lambda club: Q(**{path: club})


def _on(prefix: str) -> Callable[[Club], Q]:
    return lambda club: sheets_of(club, prefix)


def _log_of(club: Club) -> Q:
    """What the admin notes of who works in it for the club."""
    there = Q(user__memberships__club=club) | Q(user__is_superuser=True)
    return there & Q(content_type__app_label__in=["league", "scoring", "auth"])


def _rules_of(club: Club) -> Q:
    codes = HouseRules.objects.filter(pk__in=club.house_rules.values("rules")).values("code")
    return Q(code__in=codes)


_ROWS_OF: Final[Mapping[type[Model], Callable[[Club], Q]]] = {
    Player: _at("club"),
    PlayerAlias: _at("club"),
    Entry: _at("event__club"),
    Round: _at("event__club"),
    Match: _at("event__club"),
    Adjustment: _at("event__club"),
    ForbiddenPair: _at("event__club"),
    BotSchedule: _at("club"),
    Scoresheet: _on(""),
    Side: _on("sheet__"),
    Seat: _on("sheet__"),
    SheetAct: _on("sheet__"),
    Signature: _on("sheet__"),
    SecondTyping: _on("sheet__"),
    TableLink: _on("sheet__"),
    Claim: _on("sheet__"),
    ClaimSettlement: _on("claim__sheet__"),
    Dispute: _on("sheet__"),
    DisputeSettlement: _on("dispute__sheet__"),
    HouseRules: _rules_of,
    AuditEntry: _at("club"),
    ImportBatch: _at("club"),
    ImportDraft: _at("club"),
    Invitation: _at("club"),
    LogEntry: _log_of,
}

# Beside what the rows say of themselves: names, then texts.
_FIELDS: Final[Mapping[type[Model], tuple[tuple[str, ...], tuple[str, ...]]]] = {
    SheetAct: ((), ("answer",)),
    SecondTyping: (("settled_by",), ()),
    ForbiddenPair: ((), ("reason",)),
    BotSchedule: ((), ("note",)),
    AuditEntry: ((), ("object_name", "reason", "before", "after")),
    ImportBatch: (("undone_by",), ("file_name",)),
    ImportDraft: ((), ("file_name", "content", "options")),
    LogEntry: ((), ("object_repr", "change_message")),
}
