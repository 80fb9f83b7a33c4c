"""What a director does about the play at a table: adjourns it, lets it go on, has a hand dealt anew, warns.

Ending it is in `members`. All ask for permission to void the sheet, as for ending it, and lock the sheet.
"""

from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.models import TableHand, TableMatch, TableSeat, TableWarning
from games.services.clocks import later
from games.services.members import (
    bots_at,
    check_goes_on,
    dealt,
    go_on,
    in_play_on,
    next_turn,
    seats_of,
    table_over,
    write,
    write_adjourned,
)
from games.services.outages import mend_outage
from games.tables.play import BotError
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.policy import SheetAction
from scoring.services.acts import ask, checked_reason, locked_sheet
from scoring.services.records import kept_sheet


class _Directed(NamedTuple):
    """A table under the lock of its sheet, as it is now."""

    sheet: Scoresheet
    match: TableMatch
    chairs: dict[int, TableSeat]


@transaction.atomic
def adjourn(*, actor: Actor, match: TableMatch, reason: str) -> None:
    """Stops play with its state kept: nobody moves, and no clock runs, until `let_go_on`.

    A pause that was agreed on stays one. Both players are told the reason. Refuses `table_over`, `adjourned`
    (already), and with `ScoringError` `not_allowed` and a reason that is missing or too long.
    """
    held = _directed(actor, match)
    check_goes_on(held.match)
    write_adjourned(held.match, checked_reason(reason), timezone.now())


def let_go_on(*, actor: Actor, match: TableMatch) -> None:
    """Lets play and clocks go on where they stopped, after `adjourn` or the failure of a bot.

    A hand that no longer fits the sheet is dealt anew. Refuses `table_over`, `not_adjourned`, `bot_failed`
    (it fails again), and with `ScoringError` `not_allowed`.
    """
    now = timezone.now()
    # An outage meanwhile is part of the time that play stood still, and not given back a second time.
    mend_outage(now)
    with transaction.atomic():
        held = _directed(actor, match)
        stopped = held.match
        if stopped.adjourned_at is None:
            raise GameError("not_adjourned", _("Play is not adjourned."))
        in_play = in_play_on(stopped, held.sheet)
        if in_play is None:
            _deal_anew(held)
            return
        changes = {"adjourned_at": None, "adjourned_why": None}
        # Of a pause in which it was adjourned `resume` takes care.
        if stopped.paused_at is None:
            bank = held.chairs[in_play[-1].turn].bank
            changes |= later(stopped, stopped.adjourned_at, bank, now)
        write(stopped, **changes)


@transaction.atomic
def deal_anew(*, actor: Actor, match: TableMatch) -> None:
    """Breaks off the hand in play, which is told to nobody, and deals the one that the sheet is waiting for.

    For a sheet on which a director entered a deal during the hand, which its result no longer fits, and for a
    table that is adjourned: then play goes on.

    Refuses `table_over`, `hand_stands` (the hand can go on), `bot_failed` (it fails in the new one too), and
    with `ScoringError` `not_allowed`.
    """
    held = _directed(actor, match)
    if held.match.adjourned_at is None and in_play_on(held.match, held.sheet) is not None:
        raise GameError("hand_stands", _("The hand in play can go on: adjourn play first."))
    _deal_anew(held)


@transaction.atomic
def warn(*, actor: Actor, match: TableMatch, seat: int, reason: str) -> TableWarning:
    """Warns the member in this seat, who is shown the reason at the table; the other one is not.

    Refuses `table_over`, `unknown_seat` (none, or a bot's), and with `ScoringError` `not_allowed` and a
    reason that is missing or too long.
    """
    held = _directed(actor, match)
    if seat not in held.chairs or held.chairs[seat].account_id is None:
        raise GameError("unknown_seat", _("No member sits in this seat."), field="seat")
    warning = TableWarning.objects.create(
        match=held.match, seat=seat, reason=checked_reason(reason), warned_at=timezone.now()
    )
    TableMatch.objects.filter(pk=match.pk).update(asides=F("asides") + 1)
    return warning


def hand_stands(match: TableMatch) -> bool:
    """Whether the hand in play fits the sheet, so that it can be played on."""
    return in_play_on(match, match.sheet) is not None


def _deal_anew(held: _Directed) -> None:
    match = held.match
    TableHand.objects.filter(match=match, is_over=False).delete()
    kept = kept_sheet(held.sheet)
    now = timezone.now()
    chairs = held.chairs.values()
    try:
        state = go_on(match, dealt(match, kept), kept, bots_at(chairs, len(kept.deals) + 1))
    except BotError as failure:
        message = _("%(bot)s fails in this hand too: deal again, or end the play on this site.")
        raise GameError("bot_failed", message % {"bot": failure.bot}) from failure
    gone_on = {"adjourned_at": None, "adjourned_why": None, "paused_at": None, "pause_asked_by": None}
    write(match, **gone_on | next_turn(match, chairs, state, now))


def _directed(actor: Actor, match: TableMatch) -> _Directed:
    sheet = locked_sheet(match.sheet)
    ask(actor, SheetAction.VOID, sheet)
    chairs = seats_of(match)
    held = chairs[0].match
    if not held.is_live:
        raise table_over()
    return _Directed(sheet, held, chairs)
