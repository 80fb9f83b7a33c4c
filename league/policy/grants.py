"""What an office, a token's scope or an anonymous reader permits in a club.

`GRANTS` is the table, `can` answers for one club, and `clubs_where` selects the clubs where it would say yes.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import ApiToken, Club, Membership, Role, TableLink, TokenScope
from scoring.core.actors import Actor, ActorKind

Who: TypeAlias = User | AnonymousUser | ApiToken


class Permission(StrEnum):
    """A permission in a club."""

    # Read the club's data; anybody may read a public club's.
    VIEW = "view"
    # Enter events by oneself, withdraw, ask rounds off: as the player that one's account is linked to.
    PLAY = "play"
    # Record, stop and correct sheets, sign for both sides, accept what differs from the paper; see results
    # that are held back.
    RECORD = "record"
    # Events, entries, rounds and all that is decided in them; players, imports, voided sheets, disputes.
    DIRECT = "direct"
    # The club's settings and its offices.
    MANAGE = "manage"


_VIEW: Final = frozenset({Permission.VIEW})
_PLAY: Final = _VIEW | {Permission.PLAY}
_RECORD: Final = _PLAY | {Permission.RECORD}
_DIRECT: Final = _RECORD | {Permission.DIRECT}
_MANAGE: Final = _DIRECT | {Permission.MANAGE}

# The permissions of an office in its club. A token has those in its scope that its user has. Anybody else may
# only view public clubs.
GRANTS: Final[Mapping[Role | TokenScope, frozenset[Permission]]] = {
    Role.MEMBER: _PLAY,
    Role.SCOREKEEPER: _RECORD,
    Role.DIRECTOR: _DIRECT,
    Role.OWNER: _MANAGE,
    TokenScope.READ: _VIEW,
    TokenScope.RECORD: _RECORD,
    TokenScope.MANAGE: _MANAGE,
}

# Their callers have checked the permission of the person behind them.
TRUSTED: Final = frozenset({ActorKind.IMPORT, ActorKind.OPERATOR})

# Of active accounts. Built once, as they are queried for every recorded hand.
_OFFICES: Final = Membership.objects.filter(user__is_active=True).order_by().values_list("role", flat=True)
_TOKENS: Final = ApiToken.objects.filter(user__is_active=True).select_related("user__given_password")
_OFFICES_OF_TOKENS: Final = (
    ApiToken.objects.filter(user__is_active=True)
    .order_by()
    .only("expiry", "user_id", "scope", "club_id", "event_id", "sheet_id")
    .annotate(
        office=Membership.objects.filter(user=OuterRef("user"), club=OuterRef("club")).values("role")[:1]
    )
)
_ADMINISTRATORS: Final = User.objects.filter(is_active=True, is_superuser=True).order_by()


def can(who: Who | Actor, permission: Permission, club: Club | int | None = None) -> bool:
    """Return whether this is permitted in the club (a row or an id), or in any club if none is given.

    Anyone may view a public club, if it is given as a row. A token for one event or sheet has no permission
    for its club as a whole. Actors in `TRUSTED` were checked before.
    """
    if isinstance(club, Club):
        if permission is Permission.VIEW and club.is_public:
            return True
        club = club.pk
    match who:
        case ApiToken():
            club = who.club_id if club is None else club
            return _reaches(who, permission, club) and can(who.user, permission, club)
        case Actor(kind=ActorKind.TOKEN):
            token = live_tokens().filter(code=who.id).first()
            return token is not None and can(token, permission, club)
        case Actor(kind=ActorKind.USER):
            return _holds_office(int(who.id), permission, club) or is_operator(who)
        case Actor():
            return who.kind in TRUSTED
    if not who.is_active:
        return False
    return is_administrator(who) or (who.pk is not None and _holds_office(who.pk, permission, club))


def clubs_where(who: Who, permission: Permission) -> QuerySet[Club]:
    """The clubs in which `can` says yes."""
    allowed = allowed_in(who, permission)
    if allowed is None:
        allowed = Q(pk__in=[])
    # An empty Q already selects all clubs; combined with | it would vanish.
    if permission is Permission.VIEW and allowed:
        allowed |= Q(is_public=True)
    return Club.objects.filter(allowed)


def allowed_in(who: Who, permission: Permission) -> Q | None:
    """A condition for the clubs where an office or a token grants this: an empty Q for all, None for none."""
    if isinstance(who, ApiToken):
        granted = allowed_in(who.user, permission) if _reaches(who, permission, who.club_id) else None
        return granted if granted is None or who.club_id is None else granted & Q(pk=who.club_id)
    if not who.is_active:
        return None
    if is_administrator(who):
        return Q()
    offices = _OFFICES.filter(user=who.pk, role__in=roles_with(permission))
    return Q(pk__in=offices.values("club"))


def grants(role: str | None, permission: Permission) -> bool:
    """Return whether an office includes a permission; None is no office."""
    return role is not None and permission in GRANTS[Role(role)]


def roles_with(permission: Permission) -> list[Role]:
    """The offices that include a permission."""
    return [role for role in Role if permission in GRANTS[role]]


def require(actor: Actor, permission: Permission, club: Club) -> None:
    """Refuse (`not_allowed`) what the actor may not do in the club. Every service begins with this."""
    if not can(actor, permission, club):
        raise _not_allowed(actor, club)


def is_administrator(who: Who) -> bool:
    """Whether this is the account, in use, of somebody who looks after the whole site; a token never is."""
    return isinstance(who, User) and who.is_active and who.is_superuser


def is_operator(actor: Actor) -> bool:
    """Return whether the actor administers the whole site."""
    if actor.kind is ActorKind.OPERATOR:
        return True
    return actor.kind is ActorKind.USER and _ADMINISTRATORS.filter(pk=actor.id).exists()


def actor_of(who: User | ApiToken) -> Actor:
    """The user or the token as the author of a write."""
    if isinstance(who, ApiToken):
        name = f"{actor_of(who.user).name} ({who.name})"
        return Actor(ActorKind.TOKEN, who.code, name, account=str(who.user_id))
    return Actor(ActorKind.USER, str(who.pk), who.get_full_name() or who.get_username())


def actor_at(link: TableLink, name: str) -> Actor:
    """A side's link as the author of a write; `name` is the side's name on the sheet."""
    return Actor(ActorKind.TABLE_LINK, link.code, name)


def plays_as(
    who: Who | Actor, *, club: int | None, event: int | None = None, sheet: int | None = None
) -> int | None:
    """The account (an id) as which somebody plays in a club, in an event of it or on a sheet (all ids).

    A token plays for its user if it `reaches` there to record. None for any other token and for who has no
    account: callers refuse these like anybody without a seat or an entry; `account_in` refuses by itself.
    Whether the account plays there at all is not asked.
    """
    match who:
        case Actor(kind=ActorKind.USER):
            return int(who.id)
        case Actor(kind=ActorKind.TOKEN):
            token = live_tokens().filter(code=who.id).first()
            return None if token is None else plays_as(token, club=club, event=event, sheet=sheet)
        case Actor():
            return None
        case ApiToken():
            there = reaches(who, Permission.RECORD, club=club, event=event, sheet=sheet)
            return who.user_id if there else None
    return who.pk


def account_in(actor: Actor, club: Club) -> int | None:
    """As which account the actor `plays_as` in the whole club; refuses (`not_allowed`) a token for none."""
    account = plays_as(actor, club=club.pk)
    if account is None and actor.kind is ActorKind.TOKEN:
        raise _not_allowed(actor, club)
    return account


def reaches(
    token: ApiToken, permission: Permission, *, club: int | None, event: int | None, sheet: int | None
) -> bool:
    """Return whether the token's scope and bound permit this there, whatever its user may.

    All are ids: of the club, or the one of the evening at one table; of an event in it; of a sheet.
    """
    if permission not in GRANTS[TokenScope(token.scope)] or token.club_id is None:
        return False
    if token.sheet_id is not None:
        return bool(token.sheet_id == sheet)
    if token.event_id is not None:
        return bool(token.event_id == event)
    return bool(token.club_id == club)


def live_tokens() -> QuerySet[ApiToken]:
    """The tokens that are valid now, with their users, and whether these have a given password."""
    unexpired = Q(expiry__isnull=True) | Q(expiry__gt=timezone.now())
    return _TOKENS.filter(unexpired)


def token_with_office(code: str) -> ApiToken | None:
    """The token that is valid now, and as `office` its user's role in the club that it is bound to, if any.

    For writes: nothing else of the token and its user is loaded.
    """
    token = next(iter(_OFFICES_OF_TOKENS.filter(code=code)), None)
    return None if token is None or token.is_expired else token


def live_links() -> QuerySet[TableLink]:
    """The table links that are valid now."""
    return TableLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now())


def _not_allowed(actor: Actor, club: Club) -> LeagueError:
    sentence = _("%(name)s may not do this in %(club)s.") % {"name": actor.name, "club": club}
    return LeagueError("not_allowed", sentence)


def _holds_office(user: int, permission: Permission, club: int | None) -> bool:
    """Return whether an office of the active user grants this in the club, or in any club."""
    offices = _OFFICES.filter(user=user) if club is None else _OFFICES.filter(user=user, club=club)
    return any(grants(role, permission) for role in offices)


def _reaches(token: ApiToken, permission: Permission, club: int | None) -> bool:
    """Return whether the token's scope and bound permit this in the club, whatever its user may.

    A token bound to no club only reads; one for an event or a sheet has no permission for the whole club.
    """
    if token.event_id is not None or token.sheet_id is not None:
        return False
    bound = token.club_id == club if token.club_id is not None else permission is Permission.VIEW
    return bound and permission in GRANTS[TokenScope(token.scope)]
