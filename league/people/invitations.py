"""Invitations to a club: an office offered by a link, accepted once by whoever has it."""

import datetime
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.secrets import digest_of, new_secret
from league.errors import LeagueError
from league.models import Club, Invitation, JoinRequest, Membership, Player, RemovedMember, Role
from league.people.accounts import make_account
from league.people.clubs import add_membership, sync_admin_access
from league.policy import Permission, actor_of, can, require
from league.record.audit import add_row, change_row, locked, record_audit
from scoring.core.actors import Actor, ActorKind

# Days until an invitation expires: default and maximum.
DAYS: Final = 14
MOST_DAYS: Final = 90


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The account somebody invited wants; the password in plain text."""

    username: str
    password: str
    name: str


def permission_to_invite(role: Role) -> Permission:
    """The permission needed to invite to an office: directors invite members, owners also officers."""
    return Permission.DIRECT if role == Role.MEMBER else Permission.MANAGE


@transaction.atomic
def invite(
    *,
    actor: Actor,
    club: Club,
    role: Role = Role.MEMBER,
    email: str = "",
    player: Player | None = None,
    days: int = DAYS,
) -> tuple[Invitation, str]:
    """Create an invitation; returns it and its secret, which is not stored.

    With a `player` of the club, that player is linked to the accepting account. Refuses an office the actor
    may not give (`not_allowed`), an invalid address or number of days (`invalid`), a player of another club
    (`other_club`), and one who has an account or cannot have any (`has_account`).
    """
    role = Role(role)
    require(actor, permission_to_invite(role), club)
    email = email.strip()
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise LeagueError("invalid", error.messages[0], field="email") from error
    if not 1 <= days <= MOST_DAYS:
        raise LeagueError(
            "invalid",
            _("An invitation can be valid for 1 to %(days)d days.") % {"days": MOST_DAYS},
            field="days",
        )
    if player is not None:
        _check_without_account(locked(player), club)
    secret, digest = new_secret()
    invitation = Invitation(
        club=club,
        role=role,
        email=email,
        player=player,
        digest=digest,
        expires_at=timezone.now() + datetime.timedelta(days=days),
        **Invitation.actor_fields(actor),
    )
    add_row(actor, "invitation.create", invitation)
    return invitation, secret


@transaction.atomic
def revoke_invitation(*, actor: Actor, invitation: Invitation) -> Invitation:
    """Revoke an invitation; refuses (`settled`) one that was accepted or revoked."""
    require(actor, permission_to_invite(Role(invitation.role)), invitation.club)
    invitation = locked(invitation)
    if invitation.accepted_at is not None or invitation.revoked_at is not None:
        raise LeagueError("settled", _("This invitation was accepted or revoked already."))
    values = {"revoked_at": timezone.now()}
    change_row(actor, "invitation.revoke", invitation, values)
    return invitation


def live_invitations() -> QuerySet[Invitation]:
    """The invitations that can be accepted now."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())


def open_invitation(secret: str) -> Invitation | None:
    """The live invitation with this secret, with its club and player; None for any other secret."""
    found = live_invitations().select_related("club", "player")
    return found.filter(digest=digest_of(secret)).first()


@transaction.atomic
def accept_invitation(*, secret: str, user: User | None = None, account: NewAccount | None = None) -> User:
    """Give the office to `user`, or to the new `account`; returns the user.

    A higher office already held is kept. Other invitations for the same player are revoked, as the player now
    has an account. Refuses a secret without a live invitation, or whose inviter may no longer give the
    office, or that was made before the user was removed from the club (`invitation_over`); a player who has
    an account by now (`has_account`); a user who is another player of the club (`other_player`); an account
    as `make_account`.
    """
    opened = open_invitation(secret)
    invitation = None if opened is None else locked(opened)
    if (
        invitation is None
        or invitation.accepted_at
        or invitation.revoked_at
        or not _is_permitted(invitation)
        or (user is not None and _removed_since(user, invitation))
    ):
        raise LeagueError(
            "invitation_over", _("This invitation is no longer open. Ask the club for a new one.")
        )
    club = locked(invitation.club)
    if user is None:
        if account is None:
            raise LeagueError("invalid", _("Sign in, or choose a user name and a password."))
        user = make_account(
            club=club,
            username=account.username,
            password=account.password,
            name=account.name,
            email=invitation.email,
        )
    actor = actor_of(user)
    give_office(actor, club, user, Role(invitation.role))
    if invitation.player is not None:
        link_player(actor, club, user, invitation.player)
    invitation.accepted_at = timezone.now()
    invitation.accepted_by = user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    record_audit(
        actor,
        "invitation.accept",
        invitation,
        after={"user": user.get_username(), "role": invitation.role, "invited_by": invitation.actor_name},
    )
    if invitation.player is not None:
        revoke_others(actor, club, invitation.player)
    # Who belongs to the club has been answered; whoever says which player he is, not before he is one.
    answered = JoinRequest.objects.filter(user=user, club=club)
    (answered if invitation.player is not None else answered.filter(name="")).delete()
    return user


def _is_permitted(invitation: Invitation) -> bool:
    """Return whether the inviter may still give this office."""
    inviter = Actor(ActorKind(invitation.actor_kind), invitation.actor_id, invitation.actor_name)
    return can(inviter, permission_to_invite(Role(invitation.role)), invitation.club)


def _removed_since(user: User, invitation: Invitation) -> bool:
    """Return whether an officer has ended the user's membership after the invitation was made."""
    removed = RemovedMember.objects.filter(user=user, club=invitation.club_id)
    return removed.filter(removed_at__gte=invitation.created_at).exists()


def give_office(actor: Actor, club: Club, user: User, role: Role) -> None:
    """Give the user the office, unless he holds a higher one in the club."""
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None:
        add_membership(actor=actor, club=club, user=user, role=role)
    elif _rank(role) > _rank(Role(membership.role)):
        change_row(actor, "membership.change", membership, {"role": role})
        sync_admin_access(user)


def _rank(role: Role) -> int:
    """The rank of an office; higher is more powerful."""
    return -list(Role).index(role)


def link_player(actor: Actor, club: Club, user: User, player: Player) -> None:
    """Link the account to the player, whom this locks; the caller has locked the club.

    Refuses a player who has an account or can have none (`has_account`), one of another club (`other_club`),
    and the account of another player (`other_player`).
    """
    player = locked(player)
    _check_without_account(player, club, of=user)
    other = Player.objects.filter(club=club, user=user).exclude(pk=player.pk).first()
    if other is not None:
        raise LeagueError(
            "other_player",
            _("Your account is that of the player %(player)s; a director merges two that are one.")
            % {"player": other},
        )
    change_row(actor, "player.change", player, {"user": user})


def revoke_others(actor: Actor, club: Club, player: Player) -> None:
    """Revoke the player's other invitations; skips one that is being accepted, which will be refused."""
    others = live_invitations().filter(player=player).select_for_update(skip_locked=True)
    for other in others.order_by("pk"):
        values = {"revoked_at": timezone.now()}
        change_row(actor, "invitation.revoke", other, values)


def lock_invitations(*players: Player) -> None:
    """Lock what is open for these players; before them, as who accepts an invitation locks it first."""
    list(live_invitations().filter(player__in=players).order_by("pk").select_for_update(no_key=True))


def bring_invitations(actor: Actor, *, keep: Player, drop: Player) -> None:
    """Have what is open for `drop`, who was merged into `keep`, link that player.

    If `keep` has an account what is open for either is revoked, as it could be accepted no more.
    """
    if keep.user_id is None:
        live_invitations().filter(player=drop).update(player=keep)
        return
    for player in (keep, drop):
        revoke_others(actor, keep.club, player)


def _check_without_account(player: Player, club: Club, *, of: User | None = None) -> None:
    """Refuse a player who cannot be linked to this account: `other_club`, `has_account`."""
    if player.club_id != club.pk:
        raise LeagueError("other_club", _("This player is another club's."), field="player")
    gone = player.is_bot or player.merged_into_id is not None or player.erased_at is not None
    if gone or player.user_id not in (None, None if of is None else of.pk):
        raise LeagueError(
            "has_account",
            _("%(player)s has an account, or can have none.") % {"player": player},
            field="player",
        )
