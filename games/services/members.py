"""Tables at which members play card by card: acting, and what time does.

How one begins is in `opening_tables`, their hands are in `hands`, what is told of them in `telling`.

Who plays in which seat, and which hands are in play at once, is in `games.tables.members`: of teams each
member has a hand of his own, and a deal is recorded once all its hands are over.

The sheet is locked first. All that is known of a table is in its rows, so any process may take the next
action. So is its clock: a deadline is an instant, and whoever looks after it carries the time-out out.
"""

import datetime
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.gin.playing import InPlay
from games.models import TableAct, TableHand, TableMatch, TableSeat, kept_note
from games.services.hands import (
    Following,
    NotRecorded,
    UnreadableHand,
    fits_sheet,
    hand_in_play,
    hands_at_turn,
    is_of_several,
    reply_and_deal,
    seats_of,
    sides_to_agree,
    state_of,
    waits,
)
from games.services.outages import is_site_silent, mend_outage, silent
from games.services.waking import wake_for_thinking
from games.signals import table_adjourned, table_forfeited
from games.tables.clocks import Clock, TimeOut, end_turn
from games.tables.members import laid_by_player
from games.tables.play import BotError
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence, mark
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import SheetAction, policy
from scoring.services.acts import ask, check_key, locked_sheet
from scoring.services.records import kept_sheet

logger = logging.getLogger(__name__)

LONGEST_KEY: Final = 64
# What is written of a table at which nobody plays any more.
_OVER: Final[Mapping[str, Any]] = MappingProxyType(
    {"is_live": False, "turn_since": None, "deadline": None, "paused_at": None, "pause_asked_by": None}
    | {"bot_asked_at": None, "adjourned_at": None, "adjourned_why": None}
)


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """The version that an action led to; `repeated` if it had been carried out before."""

    version: int
    repeated: bool = False


def act(*, actor: Actor, match: TableMatch, seat: int, version: int, action: str, key: str) -> ActionAnswer:
    """Carries out an action of this seat on this version, and the replies of a bot.

    The same key with the same content is answered as it was, also when that is long past. The end of a hand
    is recorded on the sheet by `TABLE`, and the next hand is dealt; of teams once all hands of the deal are
    over. What a turn took beyond its time goes off the bank. Acting declines a pause that another side has
    asked for, unless one's own has agreed to it. A token acts for its user (`plays_as`). Where several hands
    are in play, a version holds as long as nothing has happened in the seat's own.

    Refuses `not_your_seat`, `wrong_key`, `key_reused` (with other content), `time_over` (after carrying out
    the time-out), `table_over`, `stale_version`, `paused`, `sheet_changed` (somebody else entered or took
    back a deal), `not_your_turn`, what is no action (`Playing.parsed`) or not legal now, and whatever
    `record_deals` refuses. Then the action changes nothing. `adjourned` says that play is stopped, and
    `bot_failed` that a bot's failure has just stopped it, before this action, as does `hand_unreadable` of a
    stored hand that cannot be played on. Where the sheet does not take a deal that is over play is stopped,
    too.
    """
    now = timezone.now()
    is_late = seat in settle_time(match, now)
    sent = TableAct(seat=seat, version=version, action=action, key=key)
    try:
        return _act(actor, match, sent, now, is_late)
    except UnreadableHand as failure:
        stop_for_hand(match, failure)
        raise
    except NotRecorded as failure:
        stop_for_sheet(match, failure)
        raise failure.refusal from failure
    except BotError as failure:
        # Its reason may name a card of the bot's.
        stop_for_bot(match, failure, now)
        raise GameError(
            "bot_failed", _("The bot at this table has failed. A director says how play goes on.")
        ) from failure


@transaction.atomic
def _act(
    actor: Actor, match: TableMatch, sent: TableAct, now: datetime.datetime, is_late: bool
) -> ActionAnswer:
    seat, key = sent.seat, sent.key
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    check_seat(actor, sheet, chairs.get(seat))
    check_act_key(key)
    earlier = TableAct.objects.filter(match=match, seat=seat, key=key).first()
    if earlier is not None:
        if (earlier.version, earlier.action) != (sent.version, sent.action):
            raise GameError("key_reused", _("This key was sent with another action."), field="key")
        return ActionAnswer(earlier.answered, repeated=True)
    if is_late:
        raise GameError("time_over", _("Your time was over."))
    hand = hand_in_play(match, seat)
    match = chairs[seat].match
    if sheet.status != SheetStatus.OPEN or (hand is None and not waits(match, chairs)):
        raise table_over()
    if hand is None:
        raise GameError("not_your_turn", _("It is not your turn: others play their hands to the end first."))
    since = hand.version if is_of_several(chairs) else match.version
    if not since <= sent.version <= match.version:
        raise _stale()
    check_goes_on(match)
    if match.paused_at is not None:
        raise GameError("paused", _("This table is paused; go on first."))
    kept = kept_sheet(sheet)
    if not fits_sheet(hand, kept):
        raise GameError(
            "sheet_changed",
            _("Somebody changed the sheet during this hand. A director has the next one dealt."),
        )
    state = state_of(hand, kept)
    own = hand.seats.index(seat)
    if state.turn != own:
        raise turn_error()
    state.act(laid_by_player(state, state.parsed(sent.action)))
    hand.actions = [str(one) for one in state.actions]
    is_turn_over = state.is_over or state.turn != own
    if is_turn_over:
        _charge(match, hand, chairs[seat], now)
    sent.took = None if hand.moved_at is None else max(now - hand.moved_at, datetime.timedelta(0))
    following = reply_and_deal(match, [hand], kept, chairs.values(), version=match.version + 1, now=now)
    changes = next_turns(match, chairs.values(), following, now) if is_turn_over else {}
    if match.pause_asked_by is not None and chairs[seat].side in sides_to_agree(chairs):
        changes["pause_asked_by"] = None
    write(match, **changes)
    sent.match, sent.answered = match, match.version + 1
    sent.save(force_insert=True)
    return ActionAnswer(sent.answered)


@transaction.atomic
def end_table(*, actor: Actor, match: TableMatch) -> None:
    """Ends the play at a table: what is recorded stays, and the sheet is free for other doors.

    The deal in play is broken off and told to nobody. Asks for permission to void the sheet. Refuses
    `table_over`, and with `ScoringError` `not_allowed`.
    """
    sheet = locked_sheet(match.sheet)
    ask(actor, SheetAction.VOID, sheet)
    if not TableMatch.objects.filter(pk=match.pk, is_live=True).update(version=F("version") + 1, **_OVER):
        raise table_over()
    break_off(match)


def give_up(*, actor: Actor, match: TableMatch, seat: int) -> None:
    """Gives the match up for the seat's side, which loses it by forfeit; the deal in play is told to nobody.

    A time-out that is due is carried out first. Signals `table_forfeited`. Refuses `not_your_seat`,
    `table_over`, `adjourned`, and `no_forfeit` where more than two sides play.
    """
    settle_time(match, timezone.now())
    with transaction.atomic():
        sheet = locked_sheet(match.sheet)
        chairs = seats_of(match)
        check_seat(actor, sheet, chairs.get(seat))
        match = chairs[seat].match
        if not match.is_live or sheet.status != SheetStatus.OPEN:
            raise table_over()
        check_goes_on(match)
        if len(kept_sheet(sheet).sides) > 2:
            raise no_forfeit("seat")
        _forfeit(match, chairs[seat].side)


def _forfeit(match: TableMatch, side: int) -> None:
    """Ends play under the lock of the sheet: this side has lost."""
    write(match, **_OVER, forfeited_by=side)
    break_off(match)
    match.refresh_from_db()
    table_forfeited.send(TableMatch, match=match)


def wait_for_seat(*, actor: Actor, match: TableMatch, seat: int) -> None:
    """Has an account take this seat from its bot with the next deal; the one in play is the bot's to its end.

    The caller has checked that the seat is his. Again it changes nothing. Locks the sheet. Refuses
    `table_over`, and `unknown_seat` where no bot sits.
    """
    locked_sheet(match.sheet)
    chairs = seats_of(match)
    if not chairs[0].match.is_live:
        raise table_over()
    chair = chairs.get(seat)
    if chair is None or chair.bot is None:
        raise GameError("unknown_seat", _("No bot sits in this seat."), field="seat")
    if chair.arrived_id != int(actor.id):
        chair.arrived_id = int(actor.id)
        chair.save(update_fields=["arrived"])
        TableMatch.objects.filter(pk=match.pk).update(asides=F("asides") + 1)


def settle_time(match: TableMatch, now: datetime.datetime) -> tuple[int, ...]:
    """Brings the clock of a table up to date before it is read or acted on; one query if nothing is due.

    Time of an outage is given back; then time-outs that are due are carried out, and their seats returned.
    """
    running = TableMatch.objects.filter(pk=match.pk, deadline__isnull=False)
    found = running.annotate(is_silent=silent(now)).values_list("deadline", "is_silent").first()
    if found is None:
        return ()
    deadline, is_silent = found
    if is_silent:
        mend_outage(now)
        deadline = running.values_list("deadline", flat=True).first()
    late = []
    while deadline is not None and deadline <= now:
        seat = time_out(match, now)
        if seat is None:
            break
        late.append(seat)
        deadline = running.values_list("deadline", flat=True).first()
    return tuple(late)


def settle_times(tables: Iterable[TableMatch], now: datetime.datetime) -> bool:
    """`settle_time` for all of these tables; returns whether anything was due, so that they are read anew.

    One query if nothing is, and none where no clock runs.
    """
    running = [(table, table.deadline) for table in tables if table.deadline is not None]
    is_silent = bool(running) and is_site_silent(now)
    due = [table for table, deadline in running if is_silent or deadline <= now]
    for table in due:
        settle_time(table, now)
    return bool(due)


def time_out(match: TableMatch, now: datetime.datetime) -> int | None:
    """Carries out what the clock says about a seat whose time is over; returns it, None if none is.

    The turn is played by default, the hand is lost and recorded as at any end, or the match is forfeited by
    its side and the deal in play told to nobody.
    Of several at once the first does it; of several hands it is that whose time was over first. Nothing is
    decided while an outage is still to be mended; where somebody changed or ended the sheet the clock stops,
    and so it does where a bot fails to reply (`stop_for_bot`), the hand cannot be read (`stop_for_hand`), or
    the sheet does not take it (`stop_for_sheet`). Signals `table_forfeited`.
    """
    try:
        return _time_out(match, now)
    except UnreadableHand as failure:
        stop_for_hand(match, failure)
        return None
    except NotRecorded as failure:
        stop_for_sheet(match, failure)
        return None
    except BotError as failure:
        stop_for_bot(match, failure, now)
        return None


@transaction.atomic
def stop_for_bot(
    match: TableMatch, failure: BotError, now: datetime.datetime, *, version: int | None = None
) -> None:
    """Adjourns a table whose bot has failed, once, for a director to say how it goes on.

    With a `version` only if the table still has it. Players and directors are told that it failed and in
    which deal; how stands in the log alone, as a refused action names cards. Signals `table_adjourned`.
    """
    logger.error("The bot at table %s failed: %s", match.code, failure)
    why = mark("%(bot)s failed in deal %(deal)s.", bot=failure.bot, deal=failure.deal)
    _stop(match, why, now, version)


@transaction.atomic
def stop_for_hand(match: TableMatch, failure: UnreadableHand) -> None:
    """Adjourns a table whose hand in play cannot be read, once, as `stop_for_bot`."""
    _stop(match, failure.message, timezone.now(), None)


@transaction.atomic
def stop_for_sheet(match: TableMatch, failure: NotRecorded) -> None:
    """Adjourns a table whose sheet does not take what was played, once, as `stop_for_bot`.

    Otherwise its clock would run out again and again, and nobody would be told.
    """
    why = mark("Deal %(deal)s cannot be recorded: %(why)s", deal=failure.deal, why=failure.message)
    _stop(match, why, timezone.now(), None)


def _stop(match: TableMatch, why: Sentence, now: datetime.datetime, version: int | None) -> None:
    locked_sheet(match.sheet)
    found = TableMatch.objects.get(pk=match.pk)
    if found.is_live and found.adjourned_at is None and version in (None, found.version):
        write_adjourned(found, why, now)
        table_adjourned.send(TableMatch, match=found)


def write_adjourned(match: TableMatch, why: Sentence, now: datetime.datetime) -> None:
    """Stops play in all hands under the lock of the sheet; a pause that was agreed on stays one."""
    match.hands.filter(deadline__isnull=False).update(deadline=None)
    stopped = {"adjourned_at": now, "adjourned_why": kept_note(why), "bot_asked_at": None}
    write(match, **stopped, deadline=None, pause_asked_by=None)
    match.refresh_from_db()


@transaction.atomic
def _time_out(match: TableMatch, now: datetime.datetime) -> int | None:
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    match = chairs[0].match
    if match.deadline is None or now < match.deadline or is_site_silent(now):
        return None
    in_play = hands_at_turn(match, sheet)
    if in_play is None:
        write(match, turn_since=None, deadline=None)
        return None
    # The table has the clock itself where there is one hand; else it is that which runs out first.
    due = match.deadline
    hand, state = min(in_play.turns, key=lambda one: one[0].deadline or due)
    seat = hand.seats[state.turn]
    chair = chairs[seat]
    chair.bank, chair.time_outs = datetime.timedelta(0), chair.time_outs + 1
    chair.save(update_fields=["bank", "time_outs"])
    consequence = Clock.from_document(match.clock).time_out
    if consequence is TimeOut.FORFEIT_MATCH:
        _forfeit(match, chair.side)
        return seat
    end_turn(state, consequence)
    hand.actions = [str(one) for one in state.actions]
    version, kept = match.version + 1, in_play.kept
    following = reply_and_deal(match, [hand], kept, chairs.values(), version=version, now=now)
    write(match, **next_turns(match, chairs.values(), following, now))
    return seat


def write(match: TableMatch, **changes: Any) -> None:
    """Writes the next version of a table as it was read; refuses `stale_version` if it was changed since."""
    rows = TableMatch.objects.filter(pk=match.pk, version=match.version)
    if not rows.update(version=match.version + 1, **changes):
        raise _stale()


def check_goes_on(match: TableMatch) -> None:
    """Refuse (`adjourned`) a table at which play is stopped."""
    if match.adjourned_at is not None:
        raise GameError("adjourned", _("Play is adjourned: a director says how it goes on."))


def table_over() -> GameError:
    return GameError("table_over", _("The play at this table is over."))


def turn_error() -> GameError:
    return GameError("not_your_turn", _("It is not your turn."))


def no_forfeit(field: str) -> GameError:
    """What is said where more than two sides play, and one would lose to all others."""
    return GameError("no_forfeit", _("At a table of three or more nobody forfeits."), field=field)


def _stale() -> GameError:
    return GameError(
        "stale_version", _("The table was changed meanwhile; look at it again."), field="version"
    )


def break_off(match: TableMatch) -> None:
    """Deletes the hands of the deal in play, also those of it that are over."""
    live = TableHand.objects.filter(match=match, is_over=False)
    TableHand.objects.filter(match=match, deal__in=list(live.values_list("deal", flat=True))).delete()


def _charge(match: TableMatch, hand: TableHand, chair: TableSeat, now: datetime.datetime) -> None:
    """Takes off the seat's bank what its turn, which ends now, took longer than its time."""
    since = hand.turn_since or match.turn_since
    if since is None:
        return
    used = Clock.from_document(match.clock).read(chair.bank, since, now).used
    if used:
        chair.bank -= used
        chair.save(update_fields=["bank"])


def next_turns(
    match: TableMatch, chairs: Collection[TableSeat], following: Following, now: datetime.datetime
) -> dict[str, Any]:
    """What is written of a table at which turns begin now, in these hands.

    A bot that is to move is one that weighs, against one member: a worker is woken for it on commit, and no
    clock runs meanwhile.
    """
    if following.is_over:
        return dict(_OVER)
    if is_bots_turn(chairs, following.turns):
        return {"turn_since": None, "deadline": None} | ask_bot(match, now)
    if match.clock is None:
        return {"bot_asked_at": None}
    clock = Clock.from_document(match.clock)
    banks = {chair.number: chair.bank for chair in chairs}
    begun = [
        (hand, clock.read(banks[hand.seats[state.turn]], now, now).deadline)
        for hand, state in following.turns
    ]
    if not is_of_several(chairs):
        ((_hand, deadline),) = begun
        return {"turn_since": now, "deadline": deadline, "bot_asked_at": None}
    for hand, deadline in begun:
        hand.turn_since, hand.deadline = now, deadline
        hand.save(update_fields=["turn_since", "deadline"])
    return first_to_run_out(match)


def is_bots_turn(chairs: Iterable[TableSeat], turns: Iterable[tuple[TableHand, InPlay]]) -> bool:
    """Whether a bot is to move in one of these hands: then it is one that weighs."""
    bots = {chair.number for chair in chairs if chair.bot is not None}
    return any(hand.seats[state.turn] in bots for hand, state in turns)


def ask_bot(match: TableMatch, now: datetime.datetime) -> dict[str, Any]:
    """What is written of a table at which a bot that weighs is to move; wakes a worker for it on commit."""
    transaction.on_commit(partial(wake_for_thinking, match.pk))
    return {"bot_asked_at": now}


def first_to_run_out(match: TableMatch) -> dict[str, Any]:
    """What is written of a table whose hands have the clocks: that of which the time is over first."""
    running = TableHand.objects.filter(match=match, is_over=False, deadline__isnull=False)
    first = running.order_by("deadline", "table").values("turn_since", "deadline").first()
    return {"turn_since": None, "deadline": None, **(first or {})}


def check_seat(actor: Actor, sheet: Scoresheet, chair: TableSeat | None) -> None:
    """Refuse (`not_your_seat`) whoever does not sit there."""
    is_by_link = chair is not None and chair.is_guest and actor.kind is ActorKind.TABLE_LINK
    if chair is not None and is_by_link and chair.side in policy().own_sides(actor, sheet):
        return
    account = None if chair is None else chair.account_id
    if account is None or policy().plays_as(actor, sheet) != account:
        raise GameError("not_your_seat", _("You do not sit in this seat."), field="seat")


def check_act_key(key: str) -> None:
    """Refuse (`wrong_key`) a key that is empty, longer than is kept here, or not storable."""
    if not 0 < len(key) <= LONGEST_KEY:
        message = _("A key has 1 to %(most)d characters.") % {"most": LONGEST_KEY}
        raise GameError("wrong_key", message, field="key")
    check_key(key)
