"""Removes the demo club with all that is in it.

What belongs to it is found by following references back from the club and its sheets, so that a new table
needs no line here. Accounts stay: the demo makes none, and an account is its person's.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import TableSeat
from games.services.hands import TABLE
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Club,
    ClubRules,
    Event,
    Exhibition,
    FormerSheet,
    Match,
    Round,
    TableLink,
    WriteCount,
)
from league.people.clubs import sync_admin_access
from league.policy import is_operator
from league.record.audit import facts, given_reason, locked, record_audit
from league.record.locking import Clash, check_all_locked, lock_events, lock_matches
from scoring.core.actors import Actor, ActorKind
from scoring.models import HouseRules, Scoresheet, SheetAct
from scoring.services import delete_unused_rules

Kind = type[models.Model]

DEMO: Final = Actor(ActorKind.OPERATOR, "demo", "the demo")
# Of the actors that are nobody, those who act in the demo when nobody does.
_BY_ITSELF: Final = (DEMO.id, "bracket", "house-bots", "ladder")
# As many ids as every database takes in one statement.
_AT_ONCE: Final = 500
# Notes of deletions read these, so they go after what refers to them, in this order.
_LAST: Final[tuple[Kind, ...]] = (Match, Round, Scoresheet, Event, Club)


def entered_by_people(club: Club) -> int:
    """Return how many acts on the club's record and on its sheets are of people, and not the demo's own.

    Its own are also what came in with its files and by links to its tables, which it showed to nobody.
    """
    by_demo = {"actor_kind": DEMO.kind, "actor_id": DEMO.id}
    own = {
        ActorKind.OPERATOR: _BY_ITSELF,
        ActorKind.IMPORT: list(map(str, club.imports.filter(**by_demo).values_list("pk", flat=True))),
        ActorKind.TABLE_LINK: TableLink.objects.filter(**by_demo).values("code"),
    }
    by_people = ~Q(actor_kind=ActorKind.BOT)
    for kind, ids in own.items():
        by_people &= ~Q(actor_kind=kind, actor_id__in=ids)
    # Whoever plays at a table of the demo's own has no account (`demo.online`).
    of_accounts = TableSeat.objects.exclude(account=None).values("match__sheet")
    at_own_tables = Q(actor_kind=TABLE.kind, actor_id=TABLE.id) & ~Q(sheet__in=of_accounts)
    acts = SheetAct.objects.filter(by_people, ~at_own_tables, sheet__in=_sheets_of(club))
    return club.audit_entries.filter(by_people).count() + acts.count()


@transaction.atomic
def remove_demo(*, actor: Actor, club: Club, reason: str) -> None:
    """Delete the demo, its own record included; who did it, and why, is recorded for the site.

    Refuses whoever does not administer the site (`not_allowed`), a club that is no demo (`not_demo`), a
    missing reason as `given_reason`, and, with nothing done, when somebody adds to it meanwhile (`clash`).
    """
    if not is_operator(actor):
        raise LeagueError("not_allowed", _("Only the administrator of this site removes the demo."))
    reason = given_reason(reason)
    _lock_all(club)
    club = locked(club)
    if not club.is_demo:
        raise LeagueError("not_demo", _("“%(club)s” is not the demo.") % {"club": club})
    found = belongings(club)
    rules = _rules_of(club, found)
    officers = list(User.objects.filter(pk__in=club.memberships.values("user")))
    for kind in sorted(found, key=lambda kind: _LAST.index(kind) if kind in _LAST else -1):
        _delete(kind, found[kind])
    delete_unused_rules(rules)
    for user in officers:
        sync_admin_access(user)
    WriteCount.objects.filter(club_id=club.pk).delete()
    try:
        connection.check_constraints()
    except IntegrityError as error:
        raise Clash from error
    record_audit(actor, "club.remove_demo", club, before=facts(club), reason=reason)


def belongings(club: Club) -> dict[Kind, set[Any]]:
    """Return the keys of all rows that are the club's, by model, with the club itself and its record."""
    sheets = set(_sheets_of(club).values_list("pk", flat=True))
    found: dict[Kind, set[Any]] = {Club: {club.pk}, Scoresheet: sheets}
    references = [
        (kind, field)
        for kind, field in _foreign_keys()
        if kind is AuditEntry or field.remote_field.on_delete is not models.SET_NULL
    ]
    waiting: list[Kind] = [Club, Scoresheet]
    while waiting:
        target = waiting.pop(0)
        for kind, field in references:
            if field.related_model is not target:
                continue
            new = _referring(kind, field.name, found[target])
            if not new <= found.setdefault(kind, set()):
                found[kind] |= new
                waiting.append(kind)
    return found


def _sheets_of(club: Club) -> models.QuerySet[Scoresheet]:
    of_club = (
        Match.objects.filter(event__club=club, sheet__isnull=False),
        FormerSheet.objects.filter(club=club),
        Exhibition.objects.filter(club=club),
    )
    listed = Q()
    for rows in of_club:
        listed |= Q(pk__in=rows.order_by().values("sheet"))
    return Scoresheet.objects.filter(listed)


def _lock_all(club: Club) -> None:
    """Lock whatever others record on, so that nobody adds to what goes."""
    matches = Match.objects.filter(event__club=club)
    ids = lock_matches(matches, and_sheets=Q(pk__in=_sheets_of(club).order_by().values("pk")))
    lock_events(list(Event.objects.filter(club=club).values_list("pk", flat=True)))
    check_all_locked(matches, ids)


def _rules_of(club: Club, found: dict[Kind, set[Any]]) -> set[int]:
    """All versions of the house rules that the club made, on its list or not; of no other club's."""
    referred: set[Any] = set()
    for kind, field in _foreign_keys():
        if field.related_model is HouseRules and kind in found:
            for ids in _portions(found[kind]):
                referred.update(kind._base_manager.filter(pk__in=ids).values_list(field.name, flat=True))
    made = AuditEntry.objects.filter(action__in=("rules.create", "rules.copy"))
    codes = set(HouseRules.objects.filter(pk__in=referred - {None}).values_list("code", flat=True))
    codes |= set(made.filter(club=club).values_list("after__code", flat=True))
    elsewhere = ClubRules.objects.exclude(club=club).filter(rules__code__in=codes)
    codes -= set(elsewhere.values_list("rules__code", flat=True))
    codes -= set(made.exclude(club=club).values_list("after__code", flat=True))
    return set(HouseRules.objects.filter(code__in=codes).values_list("pk", flat=True))


def _foreign_keys() -> list[tuple[Kind, "models.ForeignKey[Any, Any]"]]:
    return [
        (kind, field)
        for kind in apps.get_models(include_auto_created=True)
        for field in kind._meta.concrete_fields
        if isinstance(field, models.ForeignKey)
    ]


def _referring(kind: Kind, name: str, targets: set[Any]) -> set[Any]:
    return {
        key
        for ids in _portions(targets)
        for key in kind._base_manager.filter(**{f"{name}__in": ids}).values_list("pk", flat=True)
    }


def _delete(kind: Kind, keys: set[Any]) -> None:
    """Delete rows alone, whatever protects them: what refers to them is deleted in the same transaction."""
    for ids in _portions(keys):
        rows = kind._base_manager.filter(pk__in=ids)
        rows._raw_delete(rows.db)


def _portions(ids: set[Any]) -> Iterator[list[Any]]:
    whole = list(ids)
    for start in range(0, len(whole), _AT_ONCE):
        yield whole[start : start + _AT_ONCE]
