"""The fee of an event: who has paid it, and who owes it.

What it is is a text of the event, and who pays what is agreed outside; here officers tick who has paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import Entry, Event
from league.policy import Permission, require
from league.record.audit import change_row, locked
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class FeeList:
    """The entries of an event by name, without bots: those who have paid, and those who owe the fee.

    Who has withdrawn owes nothing, and is listed if he has paid.
    """

    paid: Sequence[Entry]
    owing: Sequence[Entry]


def fee_list(event: Event) -> FeeList:
    """Return who has paid the fee and who owes it, in one query."""
    entries = sorted(event.entries.filter(is_bot=False), key=lambda entry: name_key(entry.name))
    return FeeList(
        [entry for entry in entries if entry.paid_at is not None],
        [entry for entry in entries if entry.paid_at is None and entry.withdrawn_at is None],
    )


@transaction.atomic
def note_fee(*, actor: Actor, entry: Entry, is_paid: bool) -> Entry:
    """Note that an entry has paid the fee, now, or has not after all; nothing where that is noted already.

    Refused: an event without a fee (`no_fee`), and one in the archive (`wrong_state`).
    """
    require(actor, Permission.RECORD, entry.event.club)
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.FEES)
    if not event.fee:
        raise LeagueError("no_fee", _("“%(event)s” has no fee.") % {"event": event})
    entry = locked(entry)
    if (entry.paid_at is not None) != is_paid:
        values = {"paid_at": timezone.now() if is_paid else None}
        change_row(actor, "entry.paid", entry, values)
    return entry
