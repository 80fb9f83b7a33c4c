"""Erasing a person: the printed names are replaced everywhere in the club, the scores stay.

The player keeps the row, the code and all results under a name that says nothing. Of the account nothing is
left where it is of this club alone; else it goes on without this club.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import (
    ApiToken,
    AuditEntry,
    Club,
    Entry,
    Invitation,
    Match,
    Membership,
    Player,
    ShownAs,
    TableLink,
)
from league.people.clubs import check_other_owner, open_admin
from league.people.name_places import Place, place_of_user, places_in
from league.people.naming import Names
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import lock_events, lock_matches
from league.record.requests import request_ratings, request_standings
from league.tables.results import lot_number
from scoring.core.actors import Actor, ActorKind
from scoring.core.printed_names import spelt
from scoring.models import ActedOn, Traced

# So many changed rows are written at once.
_BATCH: Final = 500
# What the audit of a player says of the person.
_PERSONAL: Final = ("name", "nickname", "member_number", "external_id", "user")


@dataclass(frozen=True, slots=True)
class Erasure:
    """What erasing a player does: the names that go, the new one, and what becomes of the account.

    `closes` is the account that ends with it, `leaves` the one that goes on in other clubs.
    """

    player: Player
    names: tuple[str, ...]
    new_name: str
    matches: int
    entries: int
    closes: User | None
    leaves: User | None


def planned_erasure(player: Player) -> Erasure:
    """What `erase_person` would do now."""
    user = player.user
    closes = user is not None and _is_of_this_club_alone(user, player.club)
    return Erasure(
        player,
        _names_of(player),
        _("Erased %(code)s") % {"code": player.code},
        player.appearances.count(),
        player.memberships_in_entries.count(),
        user if closes else None,
        None if closes else user,
    )


@transaction.atomic
def erase_person(*, actor: Actor, player: Player) -> Erasure:
    """Erases the person behind a player, for good; answers what was done.

    Refused: a bot, or a player who was merged into another (`invalid`); one who was erased already
    (`erased`); the only owner of the club (`last_owner`). The audit says of whom no more than the code.
    """
    require(actor, Permission.DIRECT, player.club)
    player = locked(player)
    if player.is_bot or player.merged_into_id is not None:
        raise LeagueError("invalid", _("%(player)s is no person of its own.") % {"player": player})
    if player.erased_at is not None:
        raise LeagueError("erased", _("This person was erased already."))
    club = player.club
    events = set(player.memberships_in_entries.values_list("event", flat=True))
    # Nobody writes on these sheets, or a name in these events, until it is done.
    lock_matches(Match.objects.filter(appearances__player=player))
    lock_events(events)
    plan = planned_erasure(player)
    _forget_acts(player, plan)
    _keep_lots(player)
    player.aliases.all().delete()
    _end_invitations(player)
    _blank_audit(player)
    _spell(club, plan)
    office = _leave(club, plan)
    Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).update(
        name=plan.new_name,
        nickname="",
        shown_as=ShownAs.NAME,
        member_number=None,
        external_id=None,
        user=None,
        erased_at=timezone.now(),
    )
    if plan.closes is not None:
        _close(plan.closes, player.code)
    player.refresh_from_db()
    for event in events:
        request_standings(event)
    request_ratings(club.pk)
    erases_himself = plan.closes is not None and (actor.kind, actor.id) == (
        ActorKind.USER,
        str(plan.closes.pk),
    )
    record_audit(
        actor=Actor(actor.kind, actor.id, plan.new_name) if erases_himself else actor,
        action="player.erase",
        target=player,
        club=club,
        after={"matches": plan.matches, "account_closed": plan.closes is not None, "office": office},
    )
    return plan


def _names_of(player: Player) -> tuple[str, ...]:
    """All that the person is called in the club, the longest first; what the account is called too."""
    rows = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    names = {name for pair in rows.values_list("name", "nickname") for name in pair}
    names.update(player.aliases.values_list("name", flat=True))
    names.update(Invitation.objects.filter(player__in=rows).values_list("email", flat=True))
    if player.user is not None:
        names |= {player.user.username, player.user.get_full_name(), player.user.email}
    return tuple(sorted(names - {""}, key=lambda name: (-len(name), name)))


def _is_of_this_club_alone(user: User, club: Club) -> bool:
    offices = Membership.objects.filter(user=user).exclude(club=club)
    players = Player.objects.filter(user=user).exclude(club=club)
    return not (user.is_superuser or offices.exists() or players.exists())


def _forget_acts(player: Player, plan: Erasure) -> None:
    """Takes name and address out of all that the person did; what came by a link of his side, the address."""
    seat = "sheet__match__appearances__"
    links = TableLink.objects.filter(**{f"{seat}player": player}, side=F(f"{seat}side"))
    by_link = Q(actor_kind=ActorKind.TABLE_LINK.value, actor_id__in=set(links.values_list("code", flat=True)))
    rows = [place.rows for place in places_in(player.club)]
    _forget(rows, by_link, None)
    user = plan.closes or plan.leaves
    if user is None:
        return
    tokens = set(ApiToken.objects.filter(user=user).values_list("code", flat=True))
    acted = Q(actor_kind=ActorKind.USER.value, actor_id=str(user.pk))
    acted |= Q(actor_kind=ActorKind.TOKEN.value, actor_id__in=tokens)
    if plan.closes is not None:
        rows = [model._base_manager.all() for model in apps.get_models()]
    _forget(rows, acted, plan.new_name)


def _forget(tables: Iterable[QuerySet[Any]], acted: Q, name: str | None) -> None:
    """Where somebody acted so, the address goes, and the name where there is another for it."""
    for rows in tables:
        values: dict[str, Any] = {}
        if issubclass(rows.model, Traced):
            values["address"] = None
        if issubclass(rows.model, ActedOn) and name is not None:
            values["actor_name"] = name
        if values and issubclass(rows.model, ActedOn):
            rows.filter(acted).update(**values)


def _leave(club: Club, plan: Erasure) -> str | None:
    """The account's office in the club, which is answered, and its tokens for it end.

    An entry of the audit of its own would say whose it was.
    """
    user = plan.closes or plan.leaves
    if user is None:
        return None
    ApiToken.objects.filter(user=user).filter(Q() if plan.closes else Q(club=club)).delete()
    membership = Membership.objects.select_for_update(no_key=True).filter(club=club, user=user).first()
    if membership is None:
        return None
    check_other_owner(membership)
    membership.delete()
    open_admin(user)
    return membership.role


def _end_invitations(player: Player) -> None:
    """None is open to the person any more, or says to which address it went."""
    meant = Q(player=player) | Q(player__merged_into=player)
    if player.user is not None:
        meant |= Q(accepted_by=player.user)
    invitations = Invitation.objects.filter(meant, club=player.club)
    invitations.filter(accepted_at=None, revoked_at=None).update(revoked_at=timezone.now())
    invitations.update(email="", player=None)


def _keep_lots(player: Player) -> None:
    """Lots are drawn by the names of entries: who loses his keeps the number it gave."""
    entries = list(Entry.objects.filter(members__player=player, lot_number=""))
    for entry in entries:
        entry.lot_number = lot_number(entry.name)
    Entry.objects.bulk_update(entries, ["lot_number"])


def _blank_audit(player: Player) -> None:
    """What the audit says of the person goes; that something was changed, by whom and when, stays."""
    rows = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).values_list("pk", flat=True)
    of_player = AuditEntry.objects.filter(
        club=player.club, object_type="player", object_id__in=[str(pk) for pk in rows]
    )
    changed = []
    for entry in of_player:
        for facts in (entry.before, entry.after):
            for name in _PERSONAL:
                if facts is not None and facts.get(name):
                    facts[name] = "–"
        changed.append(entry)
    AuditEntry.objects.bulk_update(changed, ["before", "after"], batch_size=_BATCH)


def _spell(club: Club, plan: Erasure) -> None:
    """Writes the new name wherever one of the others is printed."""
    names = Names(dict.fromkeys(plan.names, plan.new_name))
    try:
        with transaction.atomic():
            for place in places_in(club):
                _spell_rows(place, names)
            if plan.closes is not None:
                _spell_rows(place_of_user(plan.closes), names)
    except IntegrityError as error:
        raise LeagueError(
            "clash", _("Somebody has just written something that clashes with this. Look again.")
        ) from error


def _spell_rows(place: Place, names: Names) -> None:
    fields = (*place.names, *place.sentences)
    texts = {f"{field}_as_text": Cast(field, TextField()) for field in fields}
    mentions = Q()
    for name in names.instead:
        # As it stands in a text, and in JSON as the databases write it.
        for written in {name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]}:
            for text in texts:
                mentions |= Q(**{f"{text}__icontains": written})
    changed = []
    for row in place.rows.alias(**texts).filter(mentions):
        before = [getattr(row, field) for field in fields]
        for field in place.names:
            setattr(row, field, _fitting(row, field, names.shown(getattr(row, field))))
        for field in place.sentences:
            value = spelt(getattr(row, field), names.in_sentence)
            setattr(row, field, _fitting(row, field, value))
        if before != [getattr(row, field) for field in fields]:
            changed.append(row)
    place.rows.model._base_manager.bulk_update(changed, fields, batch_size=_BATCH)


def _fitting(row: Any, field: str, value: Any) -> Any:
    """No longer than there is room for."""
    most = row._meta.get_field(field).max_length
    return value[:most] if isinstance(value, str) and most is not None else value


def _close(user: User, code: str) -> None:
    """Nothing of the account opens anything, or says whose it was."""
    for attempts in (AccessAttempt, AccessFailureLog, AccessLog):
        attempts.objects.filter(username=user.username).delete()
    user.username = f"erased-{code}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = False
    user.set_unusable_password()
    user.save()
