"""Links that open one side of a sheet at its table: creating, opening, revoking."""

import datetime
import logging
from collections.abc import Sequence
from typing import Final, TypeAlias

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.core.secrets import digest_of, new_secret
from league.errors import LeagueError
from league.models import AWARDED, SEATED, Match, Round, RoundState, TableLink
from league.policy import Permission, live_links, require
from league.record.audit import record_audit
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.models import SheetStatus
from scoring.services import refused_when_busy, waiting_anywhere_at_most

logger = logging.getLogger(__name__)

# A match may run past midnight and be signed the next day.
_GRACE: Final = datetime.timedelta(hours=48)
# The page is not rendered yet while the link is being opened.
_NOTED_WITHIN_SECONDS: Final = 2.0

NewLink: TypeAlias = tuple[TableLink, str]


@transaction.atomic
def make_links(*, actor: Actor, match: Match) -> list[NewLink]:
    """Make a link for each side of the match; the secrets are returned once and not stored.

    Links are valid until two days after the last day to play; earlier ones stay valid. Refused: actors who
    may not record for the club, a match without a sheet (`no_sheet`), one awarded or with a voided sheet
    (`wrong_state`), an event that is not running.
    """
    event = match.event
    require(actor, Permission.RECORD, event.club)
    check_doing(event.name, event.state, Doing.PLAY)
    if match.sheet is None:
        raise LeagueError("no_sheet", _("%(match)s has no sheet yet.") % {"match": match})
    if match.state in AWARDED or match.sheet.status == SheetStatus.VOID:
        raise LeagueError("wrong_state", _("%(match)s is not played on its sheet.") % {"match": match})
    expires_at = _expiry(match)
    made = []
    for side in match.sides:
        secret, digest = new_secret()
        link = TableLink.objects.create(
            sheet=match.sheet,
            side=side,
            digest=digest,
            expires_at=expires_at,
            **TableLink.actor_fields(actor),
        )
        made.append((link, secret))
    record_audit(
        actor,
        "table_links.make",
        match,
        after={"links": [link.code for link, _secret in made], "expires_at": expires_at.isoformat()},
    )
    return made


@transaction.atomic
def make_round_links(*, actor: Actor, round_: Round) -> list[tuple[Match, Sequence[NewLink]]]:
    """Call `make_links` for every match of a published round still to be played or signed, by table.

    Also refused: a round without such matches (`nothing_to_link`).
    """
    require(actor, Permission.RECORD, round_.event.club)
    matches = matches_with_tables(round_)
    if not matches:
        raise LeagueError("nothing_to_link", _("No match of this round is played at a table."))
    return [(match, make_links(actor=actor, match=match)) for match in matches]


def matches_with_tables(round_: Round) -> list[Match]:
    """Return the matches of a round with a sheet to play on, by table."""
    if round_.state == RoundState.DRAFTED:
        return []
    return list(
        Match.objects.filter(round=round_, sheet__isnull=False, entry_b__isnull=False)
        .exclude(state__in=AWARDED)
        .exclude(sheet__status=SheetStatus.VOID)
        .select_related("event__club", "round", "sheet", *SEATED)
        .order_by("table", "id")
    )


@transaction.atomic
def revoke_links(*, actor: Actor, match: Match, code: str | None = None) -> int:
    """Revoke all links of a match, or the one with this code; returns how many were live."""
    require(actor, Permission.RECORD, match.event.club)
    live = live_links().filter(sheet=match.sheet_id)
    if code is not None:
        live = live.filter(code=code)
    codes = sorted(live.values_list("code", flat=True))
    ended = TableLink.objects.filter(code__in=codes, revoked_at=None).update(revoked_at=timezone.now())
    if ended:
        record_audit(actor, "table_links.revoke", match, before={"links": codes})
    return ended


def opened_link(secret: str) -> TableLink | None:
    """Return the live link of a secret, or None; records when it was first opened.

    If the database is busy, recording that is left to the next opening rather than keeping a phone waiting.
    """
    link = live_links().select_related("sheet").filter(digest=digest_of(secret)).first()
    if link is not None and link.opened_at is None:
        try:
            with refused_when_busy(), waiting_anywhere_at_most(_NOTED_WITHIN_SECONDS), transaction.atomic():
                TableLink.objects.filter(pk=link.pk, opened_at=None).update(opened_at=timezone.now())
        except RecordingError as refusal:
            logger.info("the opening of link %s is not noted: %s", link.code, refusal)
    return link


def _expiry(match: Match) -> datetime.datetime:
    """Return when a link expires: the end of the last day to play, or of today, plus the grace period."""
    zone = match.event.club.zone
    days = (match.planned_on, match.deadline, match.round.date, match.round.last_day)
    last = max([timezone.localdate(timezone=zone), *(day for day in days if day is not None)])
    midnight = datetime.datetime.combine(last + datetime.timedelta(days=1), datetime.time(), tzinfo=zone)
    return midnight + _GRACE
