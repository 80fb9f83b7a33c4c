"""What is done to the clocks of tables: pausing by agreement, and what time alone brings about."""

import datetime
import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.models import TableMatch, TableSeat
from games.services.hands import HandsInPlay, hands_at_turn, is_against, seats_of, sides_to_agree
from games.services.members import (
    ask_bot,
    check_goes_on,
    check_seat,
    first_to_run_out,
    is_bots_turn,
    settle_time,
    table_over,
    write,
)
from games.services.outages import beat_site, mend_outage
from games.tables.clocks import Clock
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services.acts import locked_sheet

logger = logging.getLogger(__name__)

# The most time-outs carried out by one sweep; the next one goes on.
MOST_AT_ONCE: Final = 200


class _Held(NamedTuple):
    """A table under the lock of its sheet, as it is now."""

    sheet: Scoresheet
    match: TableMatch
    chairs: dict[int, TableSeat]


def ask_pause(*, actor: Actor, match: TableMatch, seat: int) -> int:
    """Asks the other sides to pause, and returns the table's version; bots agree at once.

    If one of them has asked already this agrees to it. Anybody of a team may ask, and answer. Refuses
    `not_your_seat`, `table_over`, `adjourned`, `no_clock` (none is running), `paused`, and `pause_asked` if
    this seat has asked already.
    """
    now = timezone.now()
    settle_time(match, now)
    with transaction.atomic():
        held = _held(actor, match, seat)
        _check_runs(held.match)
        if held.match.pause_asked_by == seat:
            raise GameError("pause_asked", _("You have asked for a pause already."))
        if is_against(held.chairs, held.match.pause_asked_by, seat):
            return _agree(held, seat, now)
        TableSeat.objects.filter(match=held.match).update(agrees_pause=False)
        for chair in held.chairs.values():
            chair.agrees_pause = False
        held.match.pause_asked_by = seat
        return _agree(held, seat, now)


def agree_pause(*, actor: Actor, match: TableMatch, seat: int) -> int:
    """Agrees to the pause that another side has asked for, and returns the table's version.

    The clocks stop once all sides have agreed. Refuses `not_your_seat`, `table_over`, `adjourned`,
    `no_clock`, `paused`, and `no_pause_asked` by another side, also if one that had not agreed has acted
    since, which declines it.
    """
    now = timezone.now()
    settle_time(match, now)
    with transaction.atomic():
        held = _held(actor, match, seat)
        _check_runs(held.match)
        waited_for = held.match.pause_asked_by is not None and held.chairs[seat].side in sides_to_agree(
            held.chairs
        )
        if not waited_for:
            raise GameError("no_pause_asked", _("Nobody asks you for a pause."))
        return _agree(held, seat, now)


def resume(*, actor: Actor, match: TableMatch, seat: int) -> int:
    """Lets the clocks go on where they stopped, and returns the table's version; either seat may.

    Refuses `not_your_seat`, `table_over`, `adjourned` and `not_paused`.
    """
    now = timezone.now()
    # An outage during the pause is part of the pause, and not given back a second time.
    mend_outage(now)
    with transaction.atomic():
        held = _held(actor, match, seat)
        paused = held.match
        check_goes_on(paused)
        if paused.paused_at is None or paused.turn_since is None:
            raise GameError("not_paused", _("This table is not paused."))
        in_play = hands_at_turn(paused, held.sheet)
        if in_play is None:
            # Somebody changed the sheet meanwhile: no clock runs while nobody can act.
            write(paused, paused_at=None, turn_since=None)
            return paused.version + 1
        write(paused, paused_at=None, **later(in_play, held.chairs, paused.paused_at, now))
        return paused.version + 1


def later(
    in_play: HandsInPlay,
    chairs: Mapping[int, TableSeat],
    stopped_at: datetime.datetime,
    now: datetime.datetime,
) -> dict[str, Any]:
    """What is written of a table that goes on now: turns and moves began as much later as it stood.

    A bot that weighs is asked again. Saves the hands.
    """
    match = chairs[0].match
    stood = max(now - stopped_at, datetime.timedelta(0))
    is_of_hands = any(hand.turn_since is not None for hand, _state in in_play.turns)
    changes: dict[str, Any] = {}
    for hand, state in in_play.turns:
        if hand.moved_at is not None:
            hand.moved_at += stood
        since = hand.turn_since if is_of_hands else match.turn_since
        if since is not None:
            since += stood
            bank = chairs[hand.seats[state.turn]].bank
            changes = {
                "turn_since": since,
                "deadline": Clock.from_document(match.clock).read(bank, since, now).deadline,
            }
        if is_of_hands:
            hand.turn_since, hand.deadline = changes["turn_since"], changes["deadline"]
        hand.version = match.version + 1
        hand.save(update_fields=["moved_at", "turn_since", "deadline", "version"])
    if is_bots_turn(chairs.values(), in_play.turns):
        return changes | ask_bot(match, now)
    return first_to_run_out(match) if is_of_hands else changes


def keep_clocks(now: datetime.datetime) -> None:
    """The sweep of clocks: mends an outage, records a sign of life, and carries out what is due.

    A table at which that fails is logged, and stops no other.
    """
    mend_outage(now)
    beat_site(now)
    due = TableMatch.objects.filter(deadline__lte=now).order_by("deadline", "pk")
    for match in list(due.select_related("sheet")[:MOST_AT_ONCE]):
        try:
            settle_time(match, now)
        except Exception:
            logger.exception("The time-out at table %s could not be carried out.", match.code)


def _held(actor: Actor, match: TableMatch, seat: int) -> _Held:
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    check_seat(actor, sheet, chairs.get(seat))
    held = chairs[seat].match
    if not held.is_live:
        raise table_over()
    return _Held(sheet, held, chairs)


def _check_runs(match: TableMatch) -> None:
    """Refuse (`adjourned`, `paused`, `no_clock`) a table at which no clock runs."""
    check_goes_on(match)
    if match.paused_at is not None:
        raise GameError("paused", _("This table is paused; go on first."))
    if match.deadline is None:
        raise GameError("no_clock", _("No clock is running at this table."))


def _agree(held: _Held, seat: int, now: datetime.datetime) -> int:
    """Has the side of this seat agree to the pause that is asked for; the last of all stops the clocks."""
    match, chairs = held.match, held.chairs
    chairs[seat].agrees_pause = True
    chairs[seat].save(update_fields=["agrees_pause"])
    if not sides_to_agree(chairs):
        return _pause(match, now)
    write(match, pause_asked_by=match.pause_asked_by)
    return match.version + 1


def _pause(match: TableMatch, now: datetime.datetime) -> int:
    match.hands.filter(deadline__isnull=False).update(deadline=None)
    write(match, paused_at=now, deadline=None, pause_asked_by=None)
    return match.version + 1
