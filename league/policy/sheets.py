"""What may be done to a sheet, and by whom: league's answer to `scoring.policy`."""

import datetime
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import TO_PLAY, BotMatch, BotMatchState
from league.core.lifecycle import ALLOWED, Doing, may
from league.models import (
    ApiToken,
    Appearance,
    ClubRules,
    Event,
    Exhibition,
    Match,
    Membership,
    Player,
    RoundState,
    TokenScope,
)
from league.policy.clubs import (
    SCOPES,
    TRUSTED,
    Permission,
    Who,
    actor_of,
    live_links,
    live_tokens,
    roles_with,
)
from league.policy.reading import rules_seen, sheets_seen
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.models import HouseRules, Scoresheet
from scoring.policy import Action

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


class ClubPolicy:
    """League's answer to `scoring.policy`: an officer of the club whose match or exhibition the sheet is, and
    for some of it those who sit at the table.
    """

    def called(self, persons: Collection[str]) -> Mapping[str, str]:
        """See `SheetPolicy`; whoever was merged into another is called as that one."""
        rows = Player.objects.filter(code__in=persons).order_by()
        named = rows.values_list("code", Coalesce("merged_into__name", "name"))
        return dict(named)

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
        if actor.kind in TRUSTED:
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
        if actor.kind in TRUSTED:
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


def _reaches_sheet(token: ApiToken, action: Action, sheet: Scoresheet | None) -> bool:
    """Whether the token's scope has this on the sheet, or on some sheet of its club."""
    if _SHEET_PERMISSIONS[action] not in SCOPES[TokenScope(token.scope)] or token.club_id is None:
        return False
    if sheet is None or token.sheet_id is not None:
        return sheet is None or token.sheet_id == sheet.pk
    of_club = Q(match__event__club=token.club_id) | Q(exhibition__club=token.club_id)
    bounded = Q(match__event=token.event_id) if token.event_id is not None else of_club
    return Scoresheet.objects.filter(bounded, pk=sheet.pk).exists()


def may_take_back(match: Match, sheet: Scoresheet) -> bool:
    """Whether those at the table may take back what they entered on the sheet of this match at all.

    For pages, of a match that is there with its round and its event; the policy asks the same of rows.
    """
    return may(match.event.state, Doing.PLAY) and not _is_settled(match, sheet)


def _is_settled(match: Match, sheet: Scoresheet) -> bool:
    """Whether the result stands: the round is complete, or the director has confirmed it."""
    return match.round.state == RoundState.COMPLETE or match.confirmed_version == sheet.version


def _stands(sheet: Scoresheet) -> bool:
    match = Match.objects.select_related("round").filter(sheet=sheet).first()
    return match is not None and _is_settled(match, sheet)


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
