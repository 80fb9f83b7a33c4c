"""Who may do what in a club, and so to its sheets. The one place where this is decided.

Whoever asks is `Who`: a user, nobody in particular, or a token, which may what its user may within its scope.
Whoever writes is an `Actor`, of which this module knows how it came to be: a user, a token, the link of one
side of a table, a bot match, or what acts for somebody who was asked already.
"""

import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final, TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import TO_PLAY, BotMatch, BotMatchState
from league.errors import LeagueError
from league.lifecycle import ALLOWED, Doing
from league.models import (
    ApiToken,
    Appearance,
    Club,
    ClubRules,
    Event,
    EventState,
    Exhibition,
    Match,
    Membership,
    Role,
    Round,
    RoundState,
    TableLink,
    TokenScope,
)
from league.releasing import withheld
from scoring.actors import Actor, ActorKind
from scoring.errors import RecordingError
from scoring.models import HouseRules, Scoresheet
from scoring.policy import Action

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

_SHEET_PERMISSIONS: Final[dict[Action, Permission]] = {
    Action.OPEN: Permission.RECORD,
    Action.RECORD: Permission.RECORD,
    Action.STOP: Permission.RECORD,
    Action.UNDO: Permission.RECORD,
    Action.SIGN: Permission.SIGN,
    Action.DISPUTE: Permission.SIGN,
    Action.SETTLE: Permission.DIRECT,
    Action.ACCEPT: Permission.RECORD,
    Action.CORRECT: Permission.CORRECT,
    Action.VOID: Permission.DIRECT,
}

_SHEET_DOINGS: Final[dict[Action, Doing]] = {
    Action.OPEN: Doing.PLAY,
    Action.RECORD: Doing.PLAY,
    Action.STOP: Doing.PLAY,
    Action.UNDO: Doing.PLAY,
    Action.SIGN: Doing.CORRECT,
    Action.DISPUTE: Doing.CORRECT,
    Action.SETTLE: Doing.CORRECT,
    Action.ACCEPT: Doing.CORRECT,
    Action.CORRECT: Doing.CORRECT,
    Action.VOID: Doing.CORRECT,
}

# What those who sit at a table may do to their own sheet.
_AT_THE_TABLE: Final = frozenset({Action.RECORD, Action.UNDO, Action.SIGN, Action.DISPUTE})

# On events by the sheet of one of their matches: bots have nothing to play on it.
_OVER: Final = [state for state in BotMatchState if state not in TO_PLAY]
_NO_BOTS: Final = Q(matches__sheet__bot_match=None) | Q(matches__sheet__bot_match__state__in=_OVER)

# Stand for the user, the sheet, the token and the time in a query that is put together once.
_USER: Final = -1
_SHEET: Final = -2
_TOKEN: Final = "token"
_NOW: Final = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)

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
    if isinstance(who, ApiToken):
        allowed = Club.objects.none()
        if not _is_narrow(who) and permission in SCOPES[TokenScope(who.scope)]:
            allowed = clubs_where(who.user, permission)
        if who.club_id is not None:
            allowed = allowed.filter(pk=who.club_id)
        if permission is Permission.VIEW:
            return Club.objects.filter(Q(is_public=True) | Q(pk__in=allowed.values("pk")))
        return allowed
    if who.is_active and who.is_superuser:
        return Club.objects.all()
    mine = Club.objects.none()
    if who.is_active and who.is_authenticated:
        held = Membership.objects.filter(user=who.pk, role__in=roles_with(permission))
        mine = Club.objects.filter(pk__in=held.values("club"))
    if permission is Permission.VIEW:
        return Club.objects.filter(Q(is_public=True) | Q(pk__in=mine.values("pk")))
    return mine


def events_seen(who: Who) -> QuerySet[Event]:
    """The events that may be read of; those that are drafts only by who directs the club."""
    hidden = Q(state=EventState.DRAFT) & ~Q(club__in=clubs_where(who, Permission.DIRECT))
    seen = Q(club__in=clubs_where(who, Permission.VIEW))
    if isinstance(who, ApiToken) and who.event_id is not None and who.sheet_id is None:
        seen |= Q(pk=who.event_id, club__in=clubs_where(who.user, Permission.VIEW))
    return Event.objects.filter(seen).exclude(hidden)


def rules_seen(who: Who) -> QuerySet[HouseRules]:
    """The house rules that may be read, in all their versions: of the clubs that may be, those that a private
    club shares, and what an event goes by that may be read of.
    """
    listed = ClubRules.objects.filter(Q(is_shared=True) | Q(club__in=clubs_where(who, Permission.VIEW)))
    played = events_seen(who).values("rules__code")
    return HouseRules.objects.filter(Q(code__in=listed.values("rules__code")) | Q(code__in=played))


def rounds_seen(who: Who) -> QuerySet[Round]:
    """The rounds that may be read of: those only drafted by who directs the club."""
    directed = Q(event__club__in=clubs_where(who, Permission.DIRECT))
    return Round.objects.filter(~Q(state=RoundState.DRAFTED) | directed)


def results_seen(who: Who) -> QuerySet[Event]:
    """The events of which also those results may be read that are held back: who may record there may."""
    if isinstance(who, ApiToken) and who.event_id is not None:
        if who.sheet_id is not None or Permission.RECORD not in SCOPES[TokenScope(who.scope)]:
            return Event.objects.none()
        return Event.objects.filter(pk=who.event_id, club__in=clubs_where(who.user, Permission.RECORD))
    return Event.objects.filter(club__in=clubs_where(who, Permission.RECORD))


def sees_results(who: Who, event: Event) -> bool:
    """Whether also those results of the event may be read that are held back."""
    return not event.holds_results or results_seen(who).filter(pk=event.pk).exists()


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
    if actor.kind in _TRUSTED:
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


class ClubPolicy:
    """League's answer to `scoring.policy`: an officer of the club whose match or exhibition the sheet is, and
    for some of it those who sit at the table.
    """

    def allows(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> bool:
        """See `SheetPolicy`. A sheet that belongs to no club is nobody's but the administrator's.

        What the state of the event does not allow, nobody may: a finished one takes no more deals. While a
        bot match is to be played on a sheet nobody else records on it; to correct, stop and void it stays as
        it is. Bots record on the sheet of their match, of an event or of none, and may nothing else. The link
        of a side, and a user who sits on it, record, take back their own last deal, sign and dispute. Once
        the round is complete or the director has confirmed the result, nobody takes anything back.
        """
        if actor.kind is ActorKind.BOT:
            return action is Action.RECORD and sheet is not None and _is_played_by(actor, sheet)
        if actor.kind in _TRUSTED:
            return action is not Action.RECORD or sheet is None or not _bots_on(sheet).exists()
        if action is Action.UNDO and sheet is not None and _stands(sheet):
            return False
        if actor.kind is ActorKind.TABLE_LINK:
            return action in _AT_THE_TABLE and sheet is not None and _is_linked(actor, action, sheet)
        if actor.kind is ActorKind.TOKEN:
            if sheet is not None and _is_officers_token(actor.id, action, sheet):
                return True
            token = live_tokens().filter(code=actor.id).first()
            if token is None or not _reaches_sheet(token, action, sheet):
                return False
            actor = actor_of(token.user)
        if actor.kind is not ActorKind.USER:
            return False
        user = int(actor.id)
        if _officers(user, action).exists() if sheet is None else _is_officer(user, action, sheet):
            return True
        if sheet is not None and action in _AT_THE_TABLE and _is_seated(user, action, sheet):
            return True
        administrators = User.objects.filter(pk=actor.id, is_active=True, is_superuser=True)
        if sheet is not None:
            closed = Event.objects.filter(matches__sheet=sheet).exclude(pk__in=_open_to(action).values("pk"))
            administrators = administrators.filter(~Exists(closed), _is_free(action, sheet))
        return administrators.exists()

    def refusal(self, actor: Actor, action: Action, sheet: Scoresheet | None) -> RecordingError | None:
        """See `SheetPolicy`: `bots_play`, for who might record otherwise; `result_stands` at the table."""
        if action is Action.UNDO and sheet is not None and _stands(sheet):
            if not self.allows(actor, Action.DISPUTE, sheet):
                return None
            return RecordingError(
                "result_stands", _("The result stands; what is wrong with it the director corrects.")
            )
        if action is not Action.RECORD or sheet is None or actor.kind is ActorKind.BOT:
            return None
        # What needs no freedom of the sheet, and is open where recording is.
        if not _bots_on(sheet).exists() or not self.allows(actor, Action.STOP, sheet):
            return None
        return RecordingError(
            "bots_play", _("Bots play sheet %(sheet)s; cancel the bot match first.") % {"sheet": sheet}
        )

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """See `SheetPolicy`: what `sheets_seen` says, and to a link its own and what is public."""
        if actor.kind in _TRUSTED:
            return queryset
        if actor.kind is ActorKind.TABLE_LINK:
            linked = live_links().filter(code=actor.id).values("sheet")
            public = sheets_seen(AnonymousUser(), Scoresheet.objects.all()).values("pk")
            return queryset.filter(Q(pk__in=linked) | Q(pk__in=public))
        return sheets_seen(_reader(actor), queryset)

    def readable(self, actor: Actor, queryset: QuerySet[HouseRules]) -> QuerySet[HouseRules]:
        """See `SheetPolicy`: what `rules_seen` says, rules of a sheet that is seen, and those of no club."""
        who = _reader(actor)
        sheets = Scoresheet.objects.filter(rules__in=queryset)
        on_sheets = sheets_seen(who, sheets).values("rules__code")
        clubs_own = ClubRules.objects.values("rules__code")
        played = Event.objects.values("rules__code")
        written_by = sheets.values("rules__code")
        nobodys = HouseRules.objects.exclude(
            Q(code__in=clubs_own) | Q(code__in=played) | Q(code__in=written_by)
        )
        return queryset.filter(
            Q(pk__in=rules_seen(who).values("pk")) | Q(code__in=on_sheets) | Q(pk__in=nobodys.values("pk"))
        )

    def own_sides(self, actor: Actor, sheet: Scoresheet) -> frozenset[int]:
        """See `SheetPolicy`: a link has its side, a user and his tokens the sides on which he sits."""
        if actor.kind is ActorKind.TABLE_LINK:
            sides = live_links().filter(code=actor.id, sheet=sheet).values_list("side", flat=True)
            return frozenset(sides)
        if actor.kind is ActorKind.USER:
            return frozenset(_seats(int(actor.id), sheet).values_list("side", flat=True))
        if actor.kind is ActorKind.TOKEN:
            token = live_tokens().filter(code=actor.id).first()
            if token is not None and _reaches_sheet(token, Action.SIGN, sheet):
                return frozenset(_seats(token.user_id, sheet).values_list("side", flat=True))
        return frozenset()


def _reader(actor: Actor) -> Who:
    """Who stands behind an actor that reads: a user or a token in use, else anybody."""
    who: Who | None = None
    if actor.kind is ActorKind.USER:
        who = User.objects.filter(pk=actor.id, is_active=True).first()
    elif actor.kind is ActorKind.TOKEN:
        who = live_tokens().filter(code=actor.id).first()
    return who or AnonymousUser()


def sheets_seen(who: Who, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
    """The sheets among these that may be read: of the events and clubs that may be, former ones and
    exhibitions too; while results are held back by officers and those who sit at the table alone. A token for
    one sheet sees, of what is not public, that sheet, as far as its user does.
    """
    if isinstance(who, User) and who.is_active and who.is_superuser:
        return queryset
    clubs = clubs_where(who, Permission.VIEW)
    bound = isinstance(who, ApiToken) and who.sheet_id is not None
    events = events_seen(AnonymousUser() if bound else who).values("pk")
    # A former sheet is as open as the match it was played for; one whose event is gone as its club.
    seen = Q(match__event__in=events) | Q(former__event__in=events) | Q(exhibition__club__in=clubs)
    seen |= Q(former__event=None, former__club__in=clubs)
    # It does not tell any more in which round it was, where its match is gone: then all of it waits.
    unknown = Q(former__match=None, former__event__holds_results=True)
    unknown &= ~Q(former__event__in=results_seen(who).values("pk"))
    hidden = _is_not_out(who, "match__") | _is_not_out(who, "former__match__") | unknown
    open_ = queryset.filter(seen).exclude(hidden)
    if isinstance(who, ApiToken) and who.sheet_id is not None:
        own = sheets_seen(who.user, Scoresheet.objects.filter(pk=who.sheet_id))
        return queryset.filter(Q(pk__in=open_.values("pk")) | Q(pk__in=own.values("pk")))
    return open_


def _is_not_out(who: Who, prefix: str) -> Q:
    """As a condition on sheets, `prefix` leading to their match: it is drafted, or what came of it is held
    back, and the reader is none of those who know.
    """
    directed = Q(**{f"{prefix}event__club__in": clubs_where(who, Permission.DIRECT).values("pk")})
    told = Q(**{f"{prefix}event__in": results_seen(who).values("pk")})
    if isinstance(who, User):
        sat = Appearance.objects.filter(player__user=who.pk).values("match")
        told |= Q(**{f"{prefix}in": sat})
    return (Q(**{f"{prefix}round__state": RoundState.DRAFTED}) & ~directed) | (withheld(prefix) & ~told)


def _is_narrow(token: ApiToken) -> bool:
    """Whether the token is for one event or sheet, so that of its club as a whole it is given nothing."""
    return token.event_id is not None or token.sheet_id is not None


def _reaches(token: ApiToken, permission: Permission, club: int) -> bool:
    """Whether the token's scope has this in the club; what its user may is another question."""
    granted = permission in SCOPES[TokenScope(token.scope)]
    return granted and (token.club_id == club or (token.club_id is None and permission is Permission.VIEW))


def _reaches_sheet(token: ApiToken, action: Action, sheet: Scoresheet | None) -> bool:
    """Whether the token's scope has this on the sheet, or on some sheet of its club."""
    if _SHEET_PERMISSIONS[action] not in SCOPES[TokenScope(token.scope)] or token.club_id is None:
        return False
    if sheet is None or token.sheet_id is not None:
        return sheet is None or token.sheet_id == sheet.pk
    of_club = Q(match__event__club=token.club_id) | Q(exhibition__club=token.club_id)
    bounded = Q(match__event=token.event_id) if token.event_id is not None else of_club
    return Scoresheet.objects.filter(bounded, pk=sheet.pk).exists()


def _stands(sheet: Scoresheet) -> bool:
    """Whether the result of the sheet is settled: its round is complete, or the director has confirmed it."""
    said = Q(round__state=RoundState.COMPLETE) | Q(confirmed_version=sheet.version)
    return Match.objects.filter(said, sheet=sheet).exists()


def _is_linked(actor: Actor, action: Action, sheet: Scoresheet) -> bool:
    """Whether the actor is a live link of this sheet, its event allows this, and no bot plays there."""
    events = _open_to(action).filter(_NO_BOTS) if action is Action.RECORD else _open_to(action)
    return live_links().filter(code=actor.id, sheet=sheet, sheet__match__event__in=events).exists()


def _is_seated(user: int, action: Action, sheet: Scoresheet) -> bool:
    """Whether the user, his account being in use, sits at this sheet's table, and its event allows this."""
    events = _open_to(action).filter(_NO_BOTS) if action is Action.RECORD else _open_to(action)
    return _seats(user, sheet).filter(match__event__in=events).exists()


def _seats(user: int, sheet: Scoresheet) -> QuerySet[Appearance]:
    """Where the user sits on the sheet."""
    return Appearance.objects.filter(match__sheet=sheet, player__user=user, player__user__is_active=True)


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


def _is_officers_token(code: str, action: Action, sheet: Scoresheet) -> bool:
    """Whether this is a live token that reaches the sheet, of a user whose office allows this there.

    What `_reaches_sheet` and `_is_officer` say, in one question: programs ask it for every hand.
    """
    sql, parameters = _is_officers_token_query(action)
    at = connection.ops.adapt_datetimefield_value
    given: dict[Any, Any] = {_TOKEN: code, _SHEET: sheet.pk, at(_NOW): at(timezone.now())}
    with connection.cursor() as cursor:
        cursor.execute(sql, [given.get(parameter, parameter) for parameter in parameters])
        return cursor.fetchone() is not None


@cache
def _is_officers_token_query(action: Action) -> tuple[str, tuple[Any, ...]]:
    """That question about `_TOKEN` and `_SHEET` at `_NOW`."""
    permission = _SHEET_PERMISSIONS[action]
    scopes = [scope for scope, granted in SCOPES.items() if permission in granted]
    whole_club = Q(sheet=None, event=None, club=OuterRef("club"))
    of_event = Q(sheet=None, event__matches__sheet=_SHEET)
    tokens = ApiToken.objects.filter(
        Q(expiry=None) | Q(expiry__gt=_NOW),
        Q(sheet=_SHEET) | of_event | whole_club,
        code=_TOKEN,
        scope__in=scopes,
        user=OuterRef("user"),
    )
    held = Membership.objects.filter(
        Exists(tokens), _own_open(action, _SHEET), user__is_active=True, role__in=roles_with(permission)
    )
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
