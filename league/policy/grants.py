"""What an office, a token's scope or nobody in particular may do in a club, and whoever writes there.

`GRANTS` is the one table of it, `can` the one question, and `clubs_where` the rows for which it says yes.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import ApiToken, Club, Membership, Role, TableLink, TokenScope
from scoring.core.actors import Actor, ActorKind

Who: TypeAlias = User | AnonymousUser | ApiToken


class Permission(StrEnum):
    """What can be allowed in a club: as many as there are different sets of people to whom it is."""

    # Read what the club keeps; of a public one anybody may.
    VIEW = "view"
    # Record, stop and correct sheets, sign for both sides, accept what differs from the paper; see results
    # that are held back.
    RECORD = "record"
    # Events, entries, rounds and all that is decided in them; players, imports, voided sheets, disputes.
    DIRECT = "direct"
    # The club's settings and its offices.
    MANAGE = "manage"


_VIEW: Final = frozenset({Permission.VIEW})
_RECORD: Final = _VIEW | {Permission.RECORD}
_DIRECT: Final = _RECORD | {Permission.DIRECT}
_MANAGE: Final = _DIRECT | {Permission.MANAGE}

# An office grants this in its club. A token grants no more than its scope, nor than its user has. Whoever
# holds no office is a guest: may view a public club, and nothing else.
GRANTS: Final[Mapping[Role | TokenScope, frozenset[Permission]]] = {
    Role.MEMBER: _VIEW,
    Role.SCOREKEEPER: _RECORD,
    Role.DIRECTOR: _DIRECT,
    Role.OWNER: _MANAGE,
    TokenScope.READ: _VIEW,
    TokenScope.RECORD: _RECORD,
    TokenScope.MANAGE: _MANAGE,
}

# Their callers have asked already whether the person behind them may.
TRUSTED: Final = frozenset({ActorKind.IMPORT, ActorKind.OPERATOR})

# Of accounts in use. Put together once, as it is asked for every hand that is recorded.
_OFFICES: Final = Membership.objects.filter(user__is_active=True).order_by().values_list("role", flat=True)
_ADMINISTRATORS: Final = User.objects.filter(is_active=True, is_superuser=True).order_by()


def can(who: Who | Actor, permission: Permission, club: Club | int | None = None) -> bool:
    """Whether this may be done in the club (its row, or its id), or in any club where none is named.

    Anyone may view a public club, known by its row. A token for one event or sheet may nothing in its club as
    a whole. Whoever acts for somebody (`TRUSTED`) has asked already.
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
    return who.is_superuser or (who.pk is not None and _holds_office(who.pk, permission, club))


def clubs_where(who: Who, permission: Permission) -> QuerySet[Club]:
    """The clubs in which `can` says yes."""
    allowed = allowed_in(who, permission)
    if allowed is None:
        allowed = Q(pk__in=[])
    # What holds of all clubs needs no other way in: to join "or" to it would take most of them away.
    if permission is Permission.VIEW and allowed:
        allowed |= Q(is_public=True)
    return Club.objects.filter(allowed)


def allowed_in(who: Who, permission: Permission) -> Q | None:
    """As a condition on clubs: where an office, or a token, gives this. Empty of all, None of none."""
    if isinstance(who, ApiToken):
        granted = allowed_in(who.user, permission) if _reaches(who, permission, who.club_id) else None
        return granted if granted is None or who.club_id is None else granted & Q(pk=who.club_id)
    if not who.is_active:
        return None
    if who.is_superuser:
        return Q()
    offices = _OFFICES.filter(user=who.pk, role__in=roles_with(permission))
    return Q(pk__in=offices.values("club"))


def roles_with(permission: Permission) -> list[Role]:
    """The offices that include a permission."""
    return [role for role in Role if permission in GRANTS[role]]


def require(actor: Actor, permission: Permission, club: Club) -> None:
    """Refuses (`not_allowed`) what the actor may not do in the club. Every service begins with this."""
    if not can(actor, permission, club):
        raise LeagueError(
            "not_allowed", _("%(name)s may not do this in %(club)s.") % {"name": actor.name, "club": club}
        )


def is_operator(actor: Actor) -> bool:
    """Whether the actor looks after the whole site."""
    if actor.kind is ActorKind.OPERATOR:
        return True
    return actor.kind is ActorKind.USER and _ADMINISTRATORS.filter(pk=actor.id).exists()


def actor_of(who: User | ApiToken) -> Actor:
    """The user, or the token, as the author of a write."""
    if isinstance(who, ApiToken):
        return Actor(ActorKind.TOKEN, who.code, f"{actor_of(who.user).name} ({who.name})")
    return Actor(ActorKind.USER, str(who.pk), who.get_full_name() or who.get_username())


def actor_at(link: TableLink, name: str) -> Actor:
    """A side's link as the author of a write; `name` is what stands on the sheet for the side."""
    return Actor(ActorKind.TABLE_LINK, link.code, name)


def live_tokens() -> QuerySet[ApiToken]:
    """The tokens that open anything now, with their users."""
    unexpired = Q(expiry__isnull=True) | Q(expiry__gt=timezone.now())
    return ApiToken.objects.filter(unexpired, user__is_active=True).select_related("user")


def live_links() -> QuerySet[TableLink]:
    """The table links that open anything now."""
    return TableLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now())


def _holds_office(user: int, permission: Permission, club: int | None) -> bool:
    """Whether an office of the user, whose account is in use, gives this in the club, or in any club."""
    offices = _OFFICES.filter(user=user) if club is None else _OFFICES.filter(user=user, club=club)
    return any(permission in GRANTS[Role(role)] for role in offices)


def _reaches(token: ApiToken, permission: Permission, club: int | None) -> bool:
    """Whether the token has this in the club; what its user may is another question.

    One that is bound to no club only reads; of its club as a whole one for an event or a sheet has nothing.
    """
    if token.event_id is not None or token.sheet_id is not None:
        return False
    bound = token.club_id == club if token.club_id is not None else permission is Permission.VIEW
    return bound and permission in GRANTS[TokenScope(token.scope)]
