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
from games.services.hands import (
    UnreadableHand,
    deal_in_play,
    dealt,
    hands_at_turn,
    reply_and_deal,
    seats_of,
)
from games.services.members import break_off, check_goes_on, next_turns, table_over, write, write_adjourned
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

    A pause that was agreed on stays one. Everybody who plays is told the reason. Refuses `table_over`,
    `adjourned` (already), and with `ScoringError` `not_allowed` and a reason that is missing or too long.
    """
    held = _directed(actor, match)
    check_goes_on(held.match)
    write_adjourned(held.match, checked_reason(reason), timezone.now())


def let_go_on(*, actor: Actor, match: TableMatch) -> None:
    """Lets play and clocks go on where they stopped, after `adjourn` or the failure of a bot.

    Hands that no longer fit the sheet are dealt anew. Refuses `table_over`, `not_adjourned`, `bot_failed`
    (it fails again), `hand_unreadable` (it has to be dealt anew), `same_pack` as `deal_anew`, and with
    `ScoringError` `not_allowed`.
    """
    now = timezone.now()
    # An outage meanwhile is part of the time that play stood still, and not given back a second time.
    mend_outage(now)
    with transaction.atomic():
        held = _directed(actor, match)
        stopped = held.match
        if stopped.adjourned_at is None:
            raise GameError("not_adjourned", _("Play is not adjourned."))
        in_play = hands_at_turn(stopped, held.sheet)
        if in_play is None:
            _deal_anew(held)
            return
        changes = {"adjourned_at": None, "adjourned_why": None}
        # Of a pause in which it was adjourned `resume` takes care.
        if stopped.paused_at is None:
            changes |= later(in_play, held.chairs, stopped.adjourned_at, now)
        write(stopped, **changes)


@transaction.atomic
def deal_anew(*, actor: Actor, match: TableMatch) -> None:
    """Breaks off the hands in play, which are told to nobody, and deals those that the sheet is waiting for.

    For a sheet on which a director entered a deal during them, which their results no longer fit, and for a
    table that is adjourned: then play goes on. A hand of teams that is over stays so, if its deal still fits.

    Refuses `table_over`, `hand_stands` (they can go on), `bot_failed` (it fails in the new ones too),
    `same_pack` (of duplicate the deal would have the pack of which its players have seen cards; if it was
    entered meanwhile the next one is dealt), and with `ScoringError` `not_allowed`.
    """
    held = _directed(actor, match)
    if held.match.adjourned_at is None and hand_stands(held.match):
        raise GameError("hand_stands", _("The hand in play can go on: adjourn play first."))
    _deal_anew(held)


@transaction.atomic
def warn(*, actor: Actor, match: TableMatch, seat: int, reason: str) -> TableWarning:
    """Warns the member in this seat, who is shown the reason at the table; nobody else is.

    Refuses `table_over`, `unknown_seat` (none, or a bot's or a guest's), and with `ScoringError`
    `not_allowed` and a reason that is missing or too long.
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
    """Whether the hands in play fit the sheet and can be read, so that they can be played on."""
    try:
        return hands_at_turn(match, match.sheet) is not None
    except UnreadableHand:
        return False


def _deal_anew(held: _Directed) -> None:
    match = held.match
    kept = kept_sheet(held.sheet)
    now = timezone.now()
    chairs = held.chairs.values()
    number = len(kept.deals) + 1
    _check_unseen(match, number)
    over = {hand.table for hand in deal_in_play(match) if hand.is_over and hand.deal == number}
    if over:
        TableHand.objects.filter(match=match, is_over=False).delete()
    else:
        break_off(match)
    try:
        hands = dealt(match, kept, over=over)
        following = reply_and_deal(match, hands, kept, chairs, version=match.version + 1, now=now)
    except BotError as failure:
        message = _("%(bot)s fails in this hand too: deal again, or end the play on this site.")
        raise GameError("bot_failed", message % {"bot": failure.bot}) from failure
    gone_on = {"adjourned_at": None, "adjourned_why": None, "paused_at": None, "pause_asked_by": None}
    write(match, **gone_on | next_turns(match, chairs, following, now))


def _check_unseen(match: TableMatch, deal: int) -> None:
    if match.is_duplicate and TableHand.objects.filter(match=match, deal__gte=deal).exists():
        raise GameError(
            "same_pack",
            _(
                "Every table plays the same packs, and cards of this one were seen. Let play go on, or end it"
                " on this site."
            ),
        )


def _directed(actor: Actor, match: TableMatch) -> _Directed:
    sheet = locked_sheet(match.sheet)
    ask(actor, SheetAction.VOID, sheet)
    chairs = seats_of(match)
    held = chairs[0].match
    if not held.is_live:
        raise table_over()
    return _Directed(sheet, held, chairs)
