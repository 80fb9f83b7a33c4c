"""Accounts: created by invited people, and given a new password by a link."""

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import ApiToken, AuditEntry, Club, GivenPassword, Player, ShownAs, SignUp
from league.people.renaming import lock_places, stamp_places
from league.policy import Permission, Who, actor_of, can, clubs_where, is_administrator, is_operator
from league.policy.eligibility import check_not_erased
from league.record.audit import change_row, check_plain, locked, record_audit, remove_row
from scoring.core.actors import Actor, ActorKind


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """The parts of a password link: the encoded user id and a one-time token."""

    uid: str
    token: str


@transaction.atomic
def make_account(*, club: Club, username: str, password: str, name: str, email: str = "") -> User:
    """Create the account of a person invited to the club, with a password of their own choice.

    Refuses, with the field, a user name that is taken (`name_taken`) or invalid (`invalid`), a weak password
    (`weak_password`), and a name as `given_name`.
    """
    user = User(username=" ".join(username.split()), first_name=given_name(name), email=email)
    if User.objects.filter(username__iexact=user.username).exists():
        raise _name_taken(user.username)
    check_password_choice(password, user)
    user.set_password(password)
    try:
        user.full_clean()
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        field = {"first_name": "name"}.get(field, field)
        raise LeagueError("invalid", messages[0], field=field) from error
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise _name_taken(user.username) from error
    record_audit(actor_of(user), "account.create", user, club=club, after={"username": user.username})
    return user


def own_players(account: int | str, club: Club) -> QuerySet[Player]:
    """The players of the club that an account is linked to: one as a rule, the first made first."""
    return Player.objects.filter(user_id=account, club=club, merged_into=None).order_by("pk")


def players_of(who: Who) -> QuerySet[Player]:
    """All players that the reader's account is linked to; through a token those of the club it is bound to.

    One for an event or a sheet tells of no club as a whole.
    """
    rows = Player.objects.filter(merged_into=None).order_by("pk")
    if isinstance(who, ApiToken):
        rows = rows.filter(user=who.user_id)
        if who.event_id is not None or who.sheet_id is not None:
            return rows.none()
        return rows if who.club_id is None else rows.filter(club=who.club_id)
    return rows.none() if who.pk is None else rows.filter(user=who.pk)


def given_name(name: str) -> str:
    """The name for a new account, cut to 150 characters; refuses a blank one (`invalid`).

    It signs everything the account enters and is read by everybody, whereas the user name is for signing in.
    """
    name = " ".join(name.split())[:150]
    if not name:
        raise LeagueError("invalid", _("Give a name: others read it beside what is entered."), field="name")
    check_plain(name, "name")
    return name


def check_password_choice(password: str, user: User) -> None:
    """Refuse a weak password (`weak_password`)."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise LeagueError("weak_password", " ".join(error.messages), field="password") from error


def may_reset_password(actor: Actor, user: User) -> bool:
    """Return whether the actor may make a link with which a new password for this account is set.

    Whoever holds such a link can impersonate the user. So only administrators may, and those who manage the
    club for which the account was made and every other club the user belongs to; never for an administrator's
    account. Accounts that were not made by a club are out of its reach.
    """
    if not user.is_active:
        return False
    if is_operator(actor):
        return True
    if is_administrator(user) or actor.kind is not ActorKind.USER:
        return False
    manager = User.objects.filter(pk=actor.id).first()
    if manager is None:
        return False
    managed = clubs_where(manager, Permission.MANAGE)
    made_here = AuditEntry.objects.filter(
        action="account.create",
        object_type=User._meta.model_name,
        object_id=str(user.pk),
        club__in=managed.values("pk"),
    )
    clubs = Club.objects.filter(Q(memberships__user=user) | Q(players__user=user)).distinct()
    return clubs.exists() and not clubs.exclude(pk__in=managed.values("pk")).exists() and made_here.exists()


@transaction.atomic
def note_sign_up(user: User) -> None:
    """Record an account that somebody has made for himself; a mail address is unverified as yet."""
    if user.email:
        SignUp.objects.create(user=user)
    record_audit(actor_of(user), "account.create", user, after={"username": user.username})


@transaction.atomic
def note_given_password(*, actor: Actor, user: User, club: Club | None = None) -> None:
    """Record that the actor has given the account its password; it opens nothing but the choice of another.

    Nothing is noted if it is the actor's own account.
    """
    if (actor.kind, actor.id) == (ActorKind.USER, str(user.pk)):
        return
    GivenPassword.objects.get_or_create(user=user)
    record_audit(actor, "account.password_given", user, club=club)


def has_given_password(user: User) -> bool:
    """Return whether somebody else has given the account its password; one query unless that is loaded."""
    return hasattr(user, "given_password")


def password_is_given() -> LeagueError:
    """Return the refusal (`password_given`) of everything but choosing another password."""
    return LeagueError(
        "password_given",
        _("Somebody else has given this account its password: sign in and choose your own first."),
    )


@transaction.atomic
def note_new_password(user: User, *, ends_tokens: bool) -> None:
    """Record that the user has chosen a password of his own, and end the account's tokens if that is wished.

    Sessions signed in with the earlier password are over in any case.
    """
    GivenPassword.objects.filter(user=user).delete()
    actor, ended = actor_of(user), 0
    for token in ApiToken.objects.filter(user=user) if ends_tokens else ():
        remove_row(actor, "token.revoke", token)
        ended += 1
    record_audit(actor, "account.password", user, after={"tokens_ended": ended})


def check_disposes_of(actor: Actor, user: User) -> None:
    """Refuse (`not_allowed`) who may not erase this account, nor say which player it is.

    Its own person may, and who manages every club in which it holds an office. Nobody else disposes of an
    administrator's but another one.
    """
    if (actor.kind, actor.id) == (ActorKind.USER, str(user.pk)) or is_operator(actor):
        return
    clubs = Club.objects.filter(memberships__user=user)
    if user.is_superuser or not all(can(actor, Permission.MANAGE, club) for club in clubs):
        raise LeagueError(
            "not_allowed",
            _("%(user)s has an account with an office: ask an owner of each club where it has one.")
            % {"user": user},
        )


@transaction.atomic
def make_password_link(*, actor: Actor, club: Club, user: User) -> PasswordLink:
    """Make a link for a user who forgot the password, to be handed over; it works once, for some days.

    Refuses (`not_allowed`) as `may_reset_password` says. `club` is where the audit records it.
    """
    if not may_reset_password(actor, user):
        raise LeagueError(
            "not_allowed",
            _(
                "%(user)s belongs to other clubs too, or joined with an account made elsewhere: only the "
                "administrator of this"
                " site makes this link."
            )
            % {"user": user},
        )
    record_audit(actor, "account.password_link", user, club=club)
    return password_link_of(user)


def password_link_of(user: User) -> PasswordLink:
    """Return a link by which whoever has it sets the user's password, once, for some days."""
    return PasswordLink(user_pk_to_url_str(user), default_token_generator.make_token(user))


@transaction.atomic
def choose_shown_name(*, actor: Actor, player: Player, shown_as: ShownAs, nickname: str = "") -> Player:
    """Set how the public sees a player's name, by the player or a director of the club.

    Refuses a nickname that is somebody else's name in the club (`name_taken`), as sheets tell players apart
    by names, `invalid` ones, and an erased person (`erased`).
    """
    own = actor.kind is ActorKind.USER and player.user_id is not None and str(player.user_id) == actor.id
    if not own and not can(actor, Permission.DIRECT, player.club):
        raise LeagueError("not_allowed", _("%(name)s may not do this.") % {"name": actor.name})
    player = locked(player)
    check_not_erased(player)
    nickname = " ".join(nickname.split())
    if nickname and "+" in nickname:
        raise LeagueError(
            "invalid", _("“+” stands between the names of a team; write “and”."), field="nickname"
        )
    if nickname and not is_free_nickname(nickname, of=[player]):
        raise LeagueError(
            "name_taken",
            _("Another player is called “%(name)s”.") % {"name": nickname},
            field="nickname",
        )
    if shown_as == ShownAs.NICKNAME and not nickname:
        raise LeagueError("invalid", _("Give the nickname that is to be shown."), field="nickname")
    values = {"shown_as": ShownAs(shown_as), "nickname": nickname}
    if (player.shown_as, player.nickname) == (values["shown_as"], nickname):
        return player
    places = lock_places(player)
    change_row(actor, "player.shown_as", player, values)
    stamp_places(places)
    return player


def is_free_nickname(nickname: str, *, of: Sequence[Player]) -> bool:
    """Return whether nobody else in the club has this name or nickname.

    `of` are the rows of the person who wants it, the one kept first. The nicknames of the person's rows, and
    of players merged into them, do not count; names do, as sheets contain them.
    """
    rows = [player.pk for player in of]
    others = Player.objects.filter(club=of[0].club_id).exclude(pk=of[0].pk)
    is_own = Q(pk__in=rows) | Q(merged_into__in=rows)
    return not others.filter(Q(name__iexact=nickname) | (Q(nickname__iexact=nickname) & ~is_own)).exists()


def _name_taken(username: str) -> LeagueError:
    return LeagueError(
        "name_taken",
        _("Somebody has the user name “%(name)s” already.") % {"name": username},
        field="username",
    )
