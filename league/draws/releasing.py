"""Releases the held results of a round to everyone, and withholds them again."""

import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import Event, Round, RoundState
from league.notices.causes import results_released, table_shown
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor


@transaction.atomic
def release_round(*, actor: Actor, round_: Round) -> Round:
    """Release the results of a round; later results of it are visible at once.

    Refused: an event that holds nothing back (`nothing_held`), a draft (`round_drafted`), a round already
    released (`nothing_changed`).
    """
    event, round_ = _lock_round(actor, round_)
    check_releasable(event, round_)
    round_ = _write(actor, event, round_, timezone.now(), "round.release")
    results_released(event, round_)
    return round_


@transaction.atomic
def withhold_round(*, actor: Actor, round_: Round) -> Round:
    """Take a release back; whoever has read the results keeps what they know."""
    event, round_ = _lock_round(actor, round_)
    if not event.holds_results or round_.released_at is None:
        raise LeagueError("nothing_changed", _("%(round)s is not released.") % {"round": round_})
    round_ = _write(actor, event, round_, None, "round.withhold")
    table_shown(event)
    return round_


def check_releasable(event: Event, round_: Round) -> None:
    """Refuse whatever `release_round` refuses."""
    if not event.holds_results:
        raise LeagueError("nothing_held", _("“%(event)s” hides no results.") % {"event": event})
    if round_.state == RoundState.DRAFTED:
        raise LeagueError("round_drafted", _("%(round)s is a draft: publish it first.") % {"round": round_})
    if round_.released_at is not None:
        raise LeagueError("nothing_changed", _("%(round)s is released already.") % {"round": round_})


def _lock_round(actor: Actor, round_: Round) -> tuple[Event, Round]:
    """Lock the matches of a round, whose change date is set, then the event; returns both as they are now."""
    require(actor, Permission.DIRECT, round_.event.club)
    lock_matches(round_.matches.all())
    event = locked(round_.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    round_ = locked(round_)
    round_.event = event
    return event, round_


def _write(actor: Actor, event: Event, round_: Round, at: datetime.datetime | None, action: str) -> Round:
    before = round_.released_at
    round_.released_at = at
    round_.save(update_fields=["released_at"])
    record_audit(
        actor,
        action,
        round_,
        before={"released_at": before and before.isoformat()},
        after={"released_at": at and at.isoformat()},
    )
    request_standings(event.pk)
    return round_
