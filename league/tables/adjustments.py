"""Point adjustments by directors; the reason is printed as a footnote of the table."""

from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import Adjustment, Entry, Event
from league.policy import Permission, require
from league.record.audit import add_row, given_reason, locked, remove_row
from league.record.requests import request_standings
from scoring.core.actors import Actor


@transaction.atomic
def add_adjustment(*, actor: Actor, entry: Entry, points: Decimal, reason: str) -> Adjustment:
    """Add `points`, or deduct negative ones, to an entry's match points."""
    require(actor, Permission.DIRECT, entry.event.club)
    event = locked(entry.event)
    reason = given_reason(reason)
    check_adjustment(event, points)
    adjustment = Adjustment(
        event=event, entry=entry, points=points, reason=reason, **Adjustment.actor_fields(actor)
    )
    add_row(actor, "adjustment.add", adjustment, reason=reason)
    request_standings(event.pk)
    return adjustment


def check_adjustment(event: Event, points: Decimal) -> None:
    """Refuse whatever `add_adjustment` refuses: zero points, an event that takes none."""
    check_doing(event.name, event.state, Doing.ADJUST)
    if not points:
        raise LeagueError("no_points", _("Give or take some points: + or −."), field="points")


@transaction.atomic
def remove_adjustment(*, actor: Actor, adjustment: Adjustment) -> None:
    """Remove an adjustment."""
    require(actor, Permission.DIRECT, adjustment.event.club)
    event = locked(adjustment.event)
    check_doing(event.name, event.state, Doing.ADJUST)
    adjustment = locked(adjustment)
    remove_row(actor, "adjustment.remove", adjustment, reason=adjustment.reason)
    request_standings(event.pk)
