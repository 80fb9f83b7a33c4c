"""Clubs and their officers."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.errors import LeagueError
from league.matches.plans import follow_zone
from league.models import Club, Membership, RemovedMember, Role
from league.people.absences import absences_follow_zone
from league.people.accounts import given_name, note_given_password
from league.policy import Permission, is_operator, require, roles_with
from league.record.audit import add_row, change_row, locked, record_audit, remove_row
from league.record.requests import request_ratings
from scoring.core.actors import Actor, ActorKind


@dataclass(frozen=True, slots=True)
class NewMember:
    """A membership, with the password if its account was just created; it is stored nowhere else.

    It opens nothing but the choice of another one.
    """

    membership: Membership
    password: str | None = None


@transaction.atomic
def create_club(*, actor: Actor, name: str, slug: str, **values: Any) -> Club:
    """Create a club; only administrators may (`not_allowed`)."""
    if not is_operator(actor):
        raise LeagueError("not_allowed", _("Only the administrator of this site makes clubs."))
    club = Club(name=name, slug=slug, **values)
    add_row(actor, "club.create", club, club=club)
    return club


@transaction.atomic
def change_club(*, actor: Actor, club: Club, **values: Any) -> Club:
    """Change the club's settings.

    With its time zone the days of matches whose time is known follow, and when days away are over; refused
    (`clash`) if such a match gets another sheet at the same moment.
    """
    require(actor, Permission.MANAGE, club)
    club = locked(club)
    zone = club.time_zone
    change_row(actor, "club.change", club, values, club=club)
    if club.time_zone != zone:
        absences_follow_zone(club)
        if follow_zone(club):
            # On which day a match was played is what it is rated by.
            request_ratings(club.pk)
    return club


@transaction.atomic
def remove_club(*, actor: Actor, club: Club) -> None:
    """Delete a club without players and events (`in_use`); only administrators may (`not_allowed`)."""
    if not is_operator(actor):
        raise LeagueError("not_allowed", _("Only the administrator of this site deletes clubs."))
    club = locked(club)
    if club.events.exists() or club.players.exists():
        raise LeagueError("in_use", _("A club with players or events cannot be deleted."))
    remove_row(actor, "club.remove", club)


def directors_of(club: Club) -> list[str]:
    """Return the names of those who direct the club, as its members know them, in one query."""
    offices = Membership.objects.filter(
        club=club, role__in=roles_with(Permission.DIRECT), user__is_active=True
    )
    names = (office.user.get_full_name() or office.user.username for office in offices.select_related("user"))
    return sorted(names, key=name_key)


@transaction.atomic
def set_role(*, actor: Actor, club: Club, user: User, role: Role) -> Membership:
    """Give a user an office, replacing any other in the club; refuses to remove the last owner."""
    require(actor, Permission.MANAGE, club)
    club = locked(club)
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None:
        if not is_operator(actor):
            raise LeagueError(
                "not_allowed",
                _("Somebody who has an account and does not belong to %(club)s is sent an invitation.")
                % {"club": club},
            )
        membership = add_membership(actor=actor, club=club, user=user, role=role)
    else:
        if role != Role.OWNER:
            check_other_owner(membership)
        change_row(actor, "membership.change", membership, {"role": Role(role)})
    sync_admin_access(user)
    return membership


@transaction.atomic
def add_member(
    *, actor: Actor, club: Club, username: str, role: Role, make_account: bool = False, name: str = ""
) -> NewMember:
    """Give an office to the member with this user name; with `make_account`, to a new account.

    A new account needs a `name` (see `accounts.given_name`) and a free user name (`name_taken`).

    Administrators may name any account. For others, accounts that do not belong to the club do not exist
    (`unknown_user`), so that nobody can probe for user names: their owners are sent invitations.
    """
    require(actor, Permission.MANAGE, club)
    username = username.strip()
    users = User.objects.filter(username=username)
    user = (users if is_operator(actor) else users.filter(memberships__club=club)).first()
    if user is not None:
        return NewMember(set_role(actor=actor, club=club, user=user, role=role))
    if not make_account:
        raise LeagueError(
            "unknown_user",
            _(
                "Nobody in %(club)s has the user name “%(name)s”. Somebody with an account elsewhere is"
                " sent an invitation."
            )
            % {"club": club, "name": username},
            field="username",
        )
    password = secrets.token_urlsafe(9)
    club = locked(club)
    user = _make_account(actor, club, username, password, name)
    membership = add_membership(actor=actor, club=club, user=user, role=role)
    return NewMember(membership, password)


@transaction.atomic
def remove_member(*, actor: Actor, membership: Membership) -> None:
    """Remove an office; refuses the last owner's (`last_owner`).

    Who was removed by somebody else comes back only if an officer lets him in (`league.people.joining`).
    """
    club = locked(membership.club)
    require(actor, Permission.MANAGE, club)
    membership = locked(membership)
    check_other_owner(membership)
    user = membership.user
    remove_row(actor, "membership.remove", membership)
    if (actor.kind, actor.id) != (ActorKind.USER, str(user.pk)):
        RemovedMember.objects.get_or_create(club=club, user=user)
    sync_admin_access(user)


def sync_admin_access(user: User) -> None:
    """Let the user into the admin if and only if he is an officer of any club or an administrator."""
    officer = Membership.objects.filter(user=user, role__in=roles_with(Permission.RECORD)).exists()
    # Not `is_administrator`: one whose account is closed for now has this back with it.
    is_staff = officer or user.is_superuser
    if user.is_staff != is_staff:
        user.is_staff = is_staff
        user.save(update_fields=["is_staff"])


def check_other_owner(membership: Membership) -> None:
    """Refuse (`last_owner`) to leave the club of this office without an owner."""
    others = Membership.objects.filter(club=membership.club, role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.exists():
        raise LeagueError(
            "last_owner",
            _("%(user)s is the last owner; make somebody else an owner first.") % {"user": membership.user},
            field="role",
        )


def check_goes(membership: Membership) -> None:
    """Refuse who leaves the club by himself, if nobody else owns it (`last_owner`) or directs it.

    The latter is `last_director`. Whose account is closed does neither.
    """
    club = membership.club
    others = Membership.objects.filter(club=club, user__is_active=True).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.filter(role=Role.OWNER).exists():
        raise LeagueError(
            "last_owner",
            _("You are the last owner of %(club)s: make somebody else an owner first.") % {"club": club},
        )
    directs = roles_with(Permission.DIRECT)
    if membership.role in directs and not others.filter(role__in=directs).exists():
        raise LeagueError(
            "last_director",
            _("You are the last director of %(club)s: make somebody else a director first.") % {"club": club},
        )


def add_membership(*, actor: Actor, club: Club, user: User, role: Role) -> Membership:
    """Add the first office of a user in the locked club; the caller has asked whether he may have it."""
    membership = Membership(club=club, user=user, role=role)
    add_row(actor, "membership.add", membership)
    RemovedMember.objects.filter(club=club, user=user).delete()
    sync_admin_access(user)
    return membership


def _make_account(actor: Actor, club: Club, username: str, password: str, name: str) -> User:
    if User.objects.filter(username__iexact=username).exists():
        raise LeagueError(
            "name_taken",
            _(
                "Somebody has the user name “%(name)s” already; choose another, or send that person an"
                " invitation."
            )
            % {"name": username},
            field="username",
        )
    user = User(username=username, first_name=given_name(name))
    user.set_password(password)
    try:
        user.full_clean()
    except ValidationError as error:
        raise LeagueError("invalid", error.messages[0], field="username") from error
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise LeagueError(
            "clash",
            _("Somebody has just made the account “%(name)s”. Look again.") % {"name": username},
            field="username",
        ) from error
    record_audit(actor, "account.create", user, club=club, after={"username": username})
    note_given_password(actor=actor, user=user, club=club)
    return user
