"""Who may do what in a club, and so to its sheets. The one place where this is decided."""

from enum import StrEnum
from functools import cache
from typing import Final

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Exists, Q, QuerySet
from django.utils.translation import gettext as _

from games.models import TO_PLAY, BotMatch, BotMatchState
from league.errors import LeagueError
from league.lifecycle import ALLOWED, Doing
from league.models import Club, Event, EventState, Exhibition, Membership, Role, Round, RoundState
from scoring.actors import Actor, ActorKind
from scoring.errors import RecordingError
from scoring.models import Scoresheet
from scoring.policy import Action


class Permission(StrEnum):
    """What can be allowed in a club."""

    VIEW = "view"
    # Record, sign and stop sheets, accept what differs from the paper.
    RECORD = "record"
    CORRECT = "correct"
    # Events, entries, rounds, draws, adjustments, merging players, imports, voiding a sheet.
    DIRECT = "direct"
    # The club's settings and who holds which office.
    MANAGE = "manage"


GRANTS: Final[dict[Role, frozenset[Permission]]] = {
    Role.MEMBER: frozenset({Permission.VIEW}),
    Role.SCOREKEEPER: frozenset({Permission.VIEW, Permission.RECORD, Permission.CORRECT}),
    Role.DIRECTOR: frozenset({Permission.VIEW, Permission.RECORD, Permission.CORRECT, Permission.DIRECT}),
    Role.OWNER: frozenset(Permission),
}

_SHEET_PERMISSIONS: Final[dict[Action, Permission]] = {
    Action.OPEN: Permission.RECORD,
    Action.RECORD: Permission.RECORD,
    Action.STOP: Permission.RECORD,
    Action.SIGN: Permission.RECORD,
    Action.ACCEPT: Permission.RECORD,
    Action.CORRECT: Permission.CORRECT,
    Action.VOID: Permission.DIRECT,
}

_SHEET_DOINGS: Final[dict[Action, Doing]] = {
    Action.OPEN: Doing.PLAY,
    Action.RECORD: Doing.PLAY,
    Action.STOP: Doing.PLAY,
    Action.SIGN: Doing.CORRECT,
    Action.ACCEPT: Doing.CORRECT,
    Action.CORRECT: Doing.CORRECT,
    Action.VOID: Doing.CORRECT,
}

# On events by the sheet of one of their matches: bots have nothing to play on it.
_OVER: Final = [state for state in BotMatchState if state not in TO_PLAY]
_NO_BOTS: Final = Q(matches__sheet__bot_match=None) | Q(matches__sheet__bot_match__state__in=_OVER)

# Stand for the user and the sheet in a query that is put together once.
_USER: Final = -1
_SHEET: Final = -2

# Their callers have asked already whether the person behind them may.
_TRUSTED: Final = frozenset({ActorKind.IMPORT, ActorKind.OPERATOR})


def roles_with(permission: Permission) -> list[Role]:
    """The offices that include a permission."""
    return [role for role, granted in GRANTS.items() if permission in granted]


def role_of(user: User | AnonymousUser, club: Club) -> Role | None:
    """The user's office in the club."""
    if not user.is_authenticated:
        return None
    role = Membership.objects.filter(user=user, club=club).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def can(user: User | AnonymousUser, permission: Permission, club: Club) -> bool:
    """Whether the user may do this in the club; anyone may view a public one."""
    if permission is Permission.VIEW and club.is_public:
        return True
    if not user.is_active:
        return False
    if user.is_superuser:
        return True
    role = role_of(user, club)
    return role is not None and permission in GRANTS[role]


def clubs_where(user: User | AnonymousUser, permission: Permission) -> QuerySet[Club]:
    """The clubs in which `can` says yes."""
    if user.is_active and user.is_superuser:
        return Club.objects.all()
    mine = Club.objects.none()
    if user.is_active and user.is_authenticated:
        held = Membership.objects.filter(user=user, role__in=roles_with(permission))
        mine = Club.objects.filter(pk__in=held.values("club"))
    if permission is Permission.VIEW:
        return Club.objects.filter(Q(is_public=True) | Q(pk__in=mine.values("pk")))
    return mine


def events_seen(user: User | AnonymousUser) -> QuerySet[Event]:
    """The events whose pages the user may read; those that are drafts only who directs the club."""
    hidden = Q(state=EventState.DRAFT) & ~Q(club__in=clubs_where(user, Permission.DIRECT))
    return Event.objects.filter(club__in=clubs_where(user, Permission.VIEW)).exclude(hidden)


def rounds_seen(user: User | AnonymousUser) -> QuerySet[Round]:
    """The rounds the user may read of: those only drafted where the user directs the club."""
    directed = Q(event__club__in=clubs_where(user, Permission.DIRECT))
    return Round.objects.filter(~Q(state=RoundState.DRAFTED) | directed)


def actor_of(user: User) -> Actor:
    """The user as the author of a write."""
    return Actor(ActorKind.USER, str(user.pk), user.get_full_name() or user.get_username())


def actor_can(actor: Actor, permission: Permission, club: Club) -> bool:
    """Whether whoever is writing may do this in the club; what acts for somebody has been asked already."""
    if actor.kind in _TRUSTED:
        return True
    if actor.kind is not ActorKind.USER:
        return False
    user = User.objects.filter(pk=actor.id).first()
    return user is not None and can(user, permission, club)


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


class ClubPolicy:
    """League's answer to `scoring.policy`: an officer of the club whose match or exhibition the sheet is."""

    def allows(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> bool:
        """See `SheetPolicy`. A sheet that belongs to no club is nobody's but the administrator's.

        What the state of the event does not allow, nobody may: a finished one takes no more deals. While a
        bot match is to be played on a sheet nobody else records on it; to correct, stop and void it stays as
        it is. Bots record on the sheet of their match, of an event or of none, and may nothing else.
        """
        if actor.kind is ActorKind.BOT:
            return action is Action.RECORD and sheet is not None and _is_played_by(actor, sheet)
        if actor.kind in _TRUSTED:
            return action is not Action.RECORD or sheet is None or not _bots_on(sheet).exists()
        if actor.kind is not ActorKind.USER:
            return False
        user = int(actor.id)
        if _officers(user, action).exists() if sheet is None else _is_officer(user, action, sheet):
            return True
        administrators = User.objects.filter(pk=actor.id, is_active=True, is_superuser=True)
        if sheet is not None:
            closed = Event.objects.filter(matches__sheet=sheet).exclude(pk__in=_open_to(action).values("pk"))
            administrators = administrators.filter(~Exists(closed), _is_free(action, sheet))
        return administrators.exists()

    def refusal(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> RecordingError | None:
        """See `SheetPolicy`: `bots_play`, for who might record otherwise."""
        if action is not Action.RECORD or sheet is None or actor.kind is ActorKind.BOT:
            return None
        # What needs no freedom of the sheet, and is open where recording is.
        if not _bots_on(sheet).exists() or not self.allows(actor, Action.STOP, sheet):
            return None
        return RecordingError(
            "bots_play", _("Bots play sheet %(sheet)s; cancel the bot match first.") % {"sheet": sheet}
        )

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """See `SheetPolicy`: sheets of public clubs and of one's own, former ones and exhibitions too."""
        if actor.kind in _TRUSTED:
            return queryset
        user = None
        if actor.kind is ActorKind.USER:
            user = User.objects.filter(pk=actor.id, is_active=True).first()
        if user is not None and user.is_superuser:
            return queryset
        clubs = clubs_where(user or AnonymousUser(), Permission.VIEW)
        return queryset.filter(
            Q(match__event__club__in=clubs) | Q(former__club__in=clubs) | Q(exhibition__club__in=clubs)
        )


def _officers(user: int, action: Action) -> QuerySet[Membership]:
    """The offices of the user that allow this."""
    roles = roles_with(_SHEET_PERMISSIONS[action])
    return Membership.objects.filter(user=user, user__is_active=True, role__in=roles)


def _is_officer(user: int, action: Action, sheet: Scoresheet) -> bool:
    """Whether the user holds an office that allows this on the sheet."""
    sql, parameters = _is_officer_query(action)
    given: dict[int | str, int] = {_USER: user, _SHEET: sheet.pk}
    with connection.cursor() as cursor:
        cursor.execute(sql, [given.get(parameter, parameter) for parameter in parameters])
        return cursor.fetchone() is not None


@cache
def _is_officer_query(action: Action) -> tuple[str, tuple[int | str, ...]]:
    """That question about `_USER` and `_SHEET`. To put it together for every hand takes twice the asking."""
    held = _officers(_USER, action).filter(_own_open(action, _SHEET))
    sql, parameters = held.query.exists().sql_with_params()
    return sql, tuple(parameters)


def _own_open(action: Action, sheet: int) -> Q:
    """As a condition on memberships: the sheet is of their club, its event allows this, and no bot plays.

    The club's own row tells nothing here: its events do, by a join less. People end exhibitions, and mend
    what stands on them, and begin none.
    """
    if action is Action.RECORD:
        # Asked for every hand: a join costs half of what a condition of its own does.
        events = _open_to(action).filter(_NO_BOTS, matches__sheet=sheet)
        return Q(club__in=events.values("club"))
    events = _open_to(action).filter(matches__sheet=sheet)
    shown = Exhibition.objects.filter(sheet=sheet)
    return Q(club__in=events.values("club")) | Q(club__in=shown.values("club"))


def _is_free(action: Action, sheet: Scoresheet) -> Q:
    """As a condition on anything: no bot match on the sheet stands in the way."""
    return ~Q(Exists(_bots_on(sheet))) if action is Action.RECORD else Q()


def _bots_on(sheet: Scoresheet) -> QuerySet[BotMatch]:
    """The bot match that is still to be played on the sheet, if there is one."""
    return BotMatch.objects.filter(sheet=sheet, state__in=TO_PLAY)


def _is_played_by(actor: Actor, sheet: Scoresheet) -> bool:
    """Whether the actor is the bot match of this sheet, and the event, where there is one, takes deals."""
    open_here = Q(sheet__match=None) | Q(sheet__match__event__in=_open_to(Action.RECORD))
    return BotMatch.objects.filter(open_here, code=actor.id, sheet=sheet).exists()


def _open_to(action: Action) -> QuerySet[Event]:
    """The events whose state allows this on their sheets."""
    doing = _SHEET_DOINGS[action]
    return Event.objects.filter(state__in=[state for state, allowed in ALLOWED.items() if doing in allowed])
