"""API tokens: issued and revoked by the users they act for, with the time of their last use."""

import datetime
import logging
from typing import Final

from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.crypto import create_token_string, hash_token
from knox.settings import CONSTANTS, knox_settings

from league.errors import LeagueError
from league.models import ApiToken, Club, Event, TokenScope
from league.policy import (
    Permission,
    actor_of,
    can,
    clubs_where,
    events_seen,
    is_administrator,
    live_tokens,
    sheets_seen,
)
from league.record.audit import add_row, remove_row
from scoring.models import Scoresheet
from scoring.services import waiting_anywhere_at_most

logger = logging.getLogger(__name__)

LONGEST_LIFE: Final = 366
MOST_TOKENS: Final = 100
# Programs make many requests a minute; record their use only this often.
_NOTED_EVERY: Final = datetime.timedelta(minutes=1)
# A request does not wait for this write.
_NOTED_WITHIN_SECONDS: Final = 0.01


@transaction.atomic
def issue_token(
    *,
    user: User,
    name: str,
    scope: TokenScope,
    club: Club | None = None,
    event: Event | None = None,
    sheet: Scoresheet | None = None,
    days: int,
) -> tuple[ApiToken, str]:
    """Issue a token for the user; returns it and its secret, which is not stored.

    The narrowest bound given determines the wider ones. Refuses a bound that the user may not see
    (`unknown_club`, `unknown_event`, `unknown_sheet`) or that lies outside another (`other_event`), a writing
    token without a bound (`bound_missing`), a managing one where the user directs nothing (`not_allowed`), a
    life outside 1 to 366 days (`out_of_range`), and more than 100 live tokens (`too_many`).
    """
    if not 1 <= days <= LONGEST_LIFE:
        raise LeagueError(
            "out_of_range",
            _("A token lives for 1 to %(most)s days.") % {"most": LONGEST_LIFE},
            field="days",
        )
    club, event = _bounds(user, club, event, sheet)
    _check_scope(user, scope, club)
    if live_tokens().filter(user=user).count() >= MOST_TOKENS:
        raise LeagueError(
            "too_many",
            _("You have %(most)s tokens already; revoke what is not used.") % {"most": MOST_TOKENS},
        )
    secret: str = knox_settings.TOKEN_PREFIX + create_token_string()
    token = ApiToken(
        digest=hash_token(secret),
        token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH],
        user=user,
        name=" ".join(name.split()),
        scope=scope,
        club=club,
        event=event,
        sheet=sheet,
        expiry=timezone.now() + datetime.timedelta(days=days),
    )
    add_row(actor_of(user), "token.issue", token)
    return token, secret


@transaction.atomic
def revoke_token(*, user: User, token: ApiToken) -> None:
    """End a token at once. Its user may, a manager of the club it is bound to, and administrators."""
    manages = token.club is not None and can(user, Permission.MANAGE, token.club)
    if token.user_id != user.pk and not manages and not is_administrator(user):
        raise LeagueError("not_allowed", _("This token is somebody else's."))
    remove_row(actor_of(user), "token.revoke", token)


def token_of(secret: str) -> ApiToken | None:
    """The live token with this secret, with its user; None if there is none."""
    return next(iter(live_tokens().order_by().filter(digest=hash_token(secret))), None)


def note_use(token: ApiToken) -> None:
    """Record that the token is used now, unless that was recorded within the last minute.

    While another writer holds the database, it is left to the next request.
    """
    now = timezone.now()
    stale = now - _NOTED_EVERY
    if token.last_used_at is not None and token.last_used_at > stale:
        return
    # Checked again in the UPDATE: of concurrent requests only one writes.
    unnoted = Q(last_used_at=None) | Q(last_used_at__lte=stale)
    try:
        with waiting_anywhere_at_most(_NOTED_WITHIN_SECONDS), transaction.atomic():
            ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)
    except OperationalError as error:
        logger.info("the use of token %s is not noted: %s", token.code, error)


def _bounds(
    user: User, club: Club | None, event: Event | None, sheet: Scoresheet | None
) -> tuple[Club | None, Event | None]:
    """The club and event that contain what is given; refuses what the user may not see."""
    if sheet is not None:
        if not sheets_seen(user, Scoresheet.objects.filter(pk=sheet.pk)).exists():
            raise LeagueError("unknown_sheet", _("There is no such sheet."), field="sheet")
        around_event = Event.objects.filter(matches__sheet=sheet).select_related("club").first()
        around_club = (
            around_event.club if around_event else Club.objects.filter(exhibitions__sheet=sheet).first()
        )
        if around_club is None:
            raise LeagueError("unknown_sheet", _("This sheet belongs to no match."), field="sheet")
        if (event or around_event) != around_event or (club or around_club) != around_club:
            raise LeagueError("other_event", _("That sheet is one of another event."), field="sheet")
        return around_club, around_event
    if event is not None:
        if not events_seen(user).filter(pk=event.pk).exists():
            raise LeagueError("unknown_event", _("There is no such event."), field="event")
        if (club or event.club) != event.club:
            raise LeagueError("other_event", _("That event is one of another club."), field="event")
        return event.club, event
    if club is not None and not clubs_where(user, Permission.VIEW).filter(pk=club.pk).exists():
        raise LeagueError("unknown_club", _("There is no such club."), field="club")
    return club, None


def _check_scope(user: User, scope: TokenScope, club: Club | None) -> None:
    if scope == TokenScope.READ:
        return
    if club is None:
        raise LeagueError(
            "bound_missing",
            _("A token that writes is for a club, an event or a sheet: say for which."),
            field="bound",
        )
    if scope == TokenScope.MANAGE and not can(user, Permission.DIRECT, club):
        raise LeagueError(
            "not_allowed",
            _("A token can never do more than you may, and you direct nothing in %(club)s.") % {"club": club},
            field="scope",
        )
