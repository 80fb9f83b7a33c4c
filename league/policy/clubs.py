"""What an office, a token's scope or nobody in particular may do in a club, and whoever writes there."""

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
    """What can be allowed in a club."""

    VIEW = "view"
    # Record and stop sheets, accept what differs from the paper.
    RECORD = "record"
    CORRECT = "correct"
    # For both sides, having seen the paper.
    SIGN = "sign"
    # Draft rounds, move pairs, draw anew.
    PAIR = "pair"
    # Rounds, results held back, the end of a round.
    PUBLISH = "publish"
    # Events, entries, adjustments, merging players, imports, voiding a sheet, deciding disputes.
    DIRECT = "direct"
    # The club's settings and who holds which office.
    MANAGE = "manage"


_KEEPING: Final = frozenset({Permission.VIEW, Permission.RECORD, Permission.CORRECT, Permission.SIGN})
# Whoever holds no office is a guest: may view a public club, and nothing else.
GRANTS: Final[dict[Role, frozenset[Permission]]] = {
    Role.MEMBER: frozenset({Permission.VIEW}),
    Role.SCOREKEEPER: _KEEPING,
    Role.DIRECTOR: frozenset(Permission) - {Permission.MANAGE},
    Role.OWNER: frozenset(Permission),
}
SCOPES: Final[dict[TokenScope, frozenset[Permission]]] = {
    TokenScope.READ: frozenset({Permission.VIEW}),
    TokenScope.RECORD: _KEEPING,
    TokenScope.MANAGE: frozenset(Permission),
}

# Their callers have asked already whether the person behind them may.
TRUSTED: Final = frozenset({ActorKind.IMPORT, ActorKind.OPERATOR})


def roles_with(permission: Permission) -> list[Role]:
    """The offices that include a permission."""
    return [role for role, granted in GRANTS.items() if permission in granted]


def role_of(user: User | AnonymousUser, club: Club) -> Role | None:
    """The user's office in the club."""
    if not user.is_authenticated:
        return None
    role = Membership.objects.filter(user=user, club=club).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def can(who: Who, permission: Permission, club: Club) -> bool:
    """Whether this may be done in the club; anyone may view a public one.

    A token for one event or sheet may nothing in its club as a whole.
    """
    if permission is Permission.VIEW and club.is_public:
        return True
    user = who
    if isinstance(who, ApiToken):
        if _is_narrow(who) or not _reaches(who, permission, club.pk):
            return False
        user = who.user
    if not user.is_active:
        return False
    if user.is_superuser:
        return True
    role = role_of(user, club)
    return role is not None and permission in GRANTS[role]


def clubs_where(who: Who, permission: Permission) -> QuerySet[Club]:
    """The clubs in which `can` says yes."""
    allowed = _allowed_in(who, permission)
    if allowed is None:
        public = Club.objects.filter(is_public=True)
        return public if permission is Permission.VIEW else Club.objects.none()
    # What holds of all clubs needs no other way in: to join "or" to it would take most of them away.
    if permission is Permission.VIEW and allowed:
        allowed |= Q(is_public=True)
    return Club.objects.filter(allowed)


def _allowed_in(who: Who, permission: Permission) -> Q | None:
    """Of which clubs an office, or a token, gives this to who asks: empty of all, None of none.

    As flat as it can be: it stands several times over in the questions of what may be read.
    """
    if isinstance(who, ApiToken):
        if _is_narrow(who) or permission not in SCOPES[TokenScope(who.scope)]:
            return None
        granted = _allowed_in(who.user, permission)
        return granted if granted is None or who.club_id is None else granted & Q(pk=who.club_id)
    if not who.is_active or not who.is_authenticated:
        return None
    if who.is_superuser:
        return Q()
    held = Membership.objects.filter(user=who.pk, role__in=roles_with(permission))
    return Q(pk__in=held.values("club"))


def actor_of(who: User | ApiToken) -> Actor:
    """The user, or the token, as the author of a write."""
    if isinstance(who, ApiToken):
        return Actor(ActorKind.TOKEN, who.code, f"{actor_of(who.user).name} ({who.name})")
    return Actor(ActorKind.USER, str(who.pk), who.get_full_name() or who.get_username())


def actor_at(link: TableLink, name: str) -> Actor:
    """A side's link as the author of a write; `name` is what stands on the sheet for the side."""
    return Actor(ActorKind.TABLE_LINK, link.code, name)


def live_tokens() -> QuerySet[ApiToken]:
    """The tokens that open anything now."""
    unexpired = Q(expiry__isnull=True) | Q(expiry__gt=timezone.now())
    return ApiToken.objects.filter(unexpired, user__is_active=True).select_related("user")


def live_links() -> QuerySet[TableLink]:
    """The table links that open anything now."""
    return TableLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now())


def actor_can(actor: Actor, permission: Permission, club: Club) -> bool:
    """Whether whoever is writing may do this in the club; what acts for somebody has been asked already."""
    if actor.kind in TRUSTED:
        return True
    who: User | ApiToken | None = None
    if actor.kind is ActorKind.USER:
        who = User.objects.filter(pk=actor.id).first()
    elif actor.kind is ActorKind.TOKEN:
        who = live_tokens().filter(code=actor.id).first()
    return who is not None and can(who, permission, club)


def is_operator(actor: Actor) -> bool:
    """Whether the actor looks after the whole site."""
    if actor.kind is ActorKind.OPERATOR:
        return True
    administrators = User.objects.filter(is_active=True, is_superuser=True)
    return actor.kind is ActorKind.USER and administrators.filter(pk=actor.id).exists()


def require(actor: Actor, permission: Permission, club: Club) -> None:
    """Refuses (`not_allowed`) what the actor may not do in the club. Every service begins with this."""
    if not actor_can(actor, permission, club):
        raise LeagueError(
            "not_allowed", _("%(name)s may not do this in %(club)s.") % {"name": actor.name, "club": club}
        )


def _is_narrow(token: ApiToken) -> bool:
    """Whether the token is for one event or sheet, so that of its club as a whole it is given nothing."""
    return token.event_id is not None or token.sheet_id is not None


def _reaches(token: ApiToken, permission: Permission, club: int) -> bool:
    """Whether the token's scope has this in the club; what its user may is another question."""
    granted = permission in SCOPES[TokenScope(token.scope)]
    return granted and (token.club_id == club or (token.club_id is None and permission is Permission.VIEW))
