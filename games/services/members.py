"""Tables at which members play card by card: beginning one, acting, and what a seat may know.

The sheet is locked first. All that is known of a table is in its rows, so any process may take the next
action. So is its clock: a deadline is an instant, and whoever looks after it carries the time-out out.
"""

import datetime
import logging
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import HouseBot, Strategy
from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import CARD_COUNT, text_of
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.models import (
    SEED_LIMIT,
    BotMatch,
    SealedPack,
    TableAct,
    TableHand,
    TableMatch,
    TableSeat,
    kept_note,
)
from games.services.asides import asides_document
from games.services.outages import is_site_silent, mend_outage, silent
from games.services.planning import strategies
from games.signals import table_adjourned, table_forfeited
from games.tables.clocks import Clock, TimeOut, play_by_default
from games.tables.members import (
    commitment_of,
    laid_by_player,
    next_hand,
    running_sheet,
    seat_document,
    with_replies,
)
from games.tables.play import BotError
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence, mark
from scoring.core.sheets import Deal
from scoring.documents.sheets import deal_document
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import SheetAction, policy
from scoring.services import record_deals
from scoring.services.acts import ask, check_key, key_reused, locked_sheet
from scoring.services.records import KeptSheet, kept_sheet

logger = logging.getLogger(__name__)

# The author of deals that were played at a table: nobody keyed them in.
TABLE: Final = Actor(ActorKind.OPERATOR, "table", "the table")
LONGEST_KEY: Final = 64
_NONCE_BYTES: Final = 32
_TABLES: Final = TableMatch.objects.select_related("sheet__rules")
# What is written of a table at which nobody plays any more.
_OVER: Final[Mapping[str, Any]] = MappingProxyType(
    {"is_live": False}
    | dict.fromkeys(
        (
            "turn_since",
            "deadline",
            "paused_at",
            "pause_asked_by",
            "moved_at",
            "adjourned_at",
            "adjourned_why",
        )
    )
)


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The version that an action led to; `repeated` if it had been carried out before."""

    version: int
    repeated: bool = False


@transaction.atomic
def open_table(
    *,
    sheet: Scoresheet,
    seats: Mapping[int, Actor | HouseBot],
    clock: Clock | None = None,
    has_phrases: bool = False,
) -> TableMatch:
    """Begins a table on this sheet and deals its next hand; `seats` has an account or a bot for 0 and for 1.

    A `clock` runs from now on for whoever is to move. With `has_phrases` two members may send each other set
    phrases; a bot is told none. The caller has checked permission; every account is asked for its own to
    record. Locks the sheet.

    Refuses `sheet_over`, `already_planned`, `unknown_seat` (other seats than 0 and 1), `no_member` (bots
    only, or an actor who is no account), `same_member`, `slow_bot` (a bot that weighs samples), `not_two`,
    whatever `HouseBot.from_document` refuses, and with `ScoringError` `not_allowed`.
    """
    locked = locked_sheet(sheet)
    if locked.status != SheetStatus.OPEN:
        raise GameError("sheet_over", _("This sheet has ended; one plays on open ones."), field="sheet")
    if BotMatch.objects.filter(sheet=locked).exists() or TableMatch.objects.filter(sheet=locked).exists():
        raise GameError("already_planned", _("This sheet is played at a table already."), field="sheet")
    if seats.keys() != {0, 1}:
        raise GameError("unknown_seat", _("A table has the seats 0 and 1."), field="seats")
    members = [one for one in seats.values() if isinstance(one, Actor)]
    if not members or any(one.kind is not ActorKind.USER for one in members):
        raise GameError("no_member", _("A member plays at this table."), field="seats")
    if len({one.id for one in members}) < len(members):
        raise GameError("same_member", _("Nobody plays against himself."), field="seats")
    for one in members:
        ask(one, SheetAction.RECORD, locked)
    match = TableMatch.objects.create(
        sheet=locked,
        cut_seed=secrets.randbelow(SEED_LIMIT),
        clock=None if clock is None else clock.to_document(),
        has_phrases=has_phrases and len(members) == 2,
    )
    chairs = [_seat(match, number, who) for number, who in sorted(seats.items(), key=itemgetter(0))]
    if clock is not None:
        for chair in chairs:
            chair.bank = clock.bank
    TableSeat.objects.bulk_create(chairs)
    kept = kept_sheet(locked)
    running_sheet(locked.rules.rules, kept.sides, kept.deals)
    state = go_on(match, dealt(match, kept), kept, bots_at(chairs, len(kept.deals) + 1))
    begun = next_turn(match, chairs, state, timezone.now())
    for name, value in begun.items():
        setattr(match, name, value)
    match.save(update_fields=list(begun))
    return match


def begun_with(*, sheet: Scoresheet, account: str, key: str, asked: str) -> TableMatch | None:
    """The table that this account began with this key, None if it began none; asked while it is locked.

    `asked` is what was asked for, in up to 120 characters. Refuses `wrong_key`, and `key_reused`: what the
    key began was something else, or on another sheet.
    """
    _check_key(key)
    begun = TableAct.objects.filter(
        key=key, version=0, match__seats__number=F("seat"), match__seats__account=int(account)
    )
    earlier = begun.select_related("match").first()
    if earlier is None:
        return None
    if (earlier.match.sheet_id, earlier.action) != (sheet.pk, asked):
        raise key_reused()
    return earlier.match


def keep_beginning(*, match: TableMatch, seat: int, key: str, asked: str) -> None:
    """Keeps with which key the account in this seat began the table, for `begun_with`."""
    TableAct.objects.create(match=match, seat=seat, key=key, version=0, action=asked, answered=match.version)


def act(*, actor: Actor, match: TableMatch, seat: int, version: int, action: str, key: str) -> TableAnswer:
    """Carries out an action of this seat on this version, and the replies of a bot.

    The same key with the same content is answered as it was, also when that is long past. The end of a hand
    is recorded on the sheet by `TABLE`, and the next hand is dealt. What a turn took beyond its time goes off
    the bank. Acting declines a pause that the other seat has asked for. A token acts for its user
    (`plays_as`).

    Refuses `not_your_seat`, `wrong_key`, `key_reused` (with other content), `time_over` (after carrying out
    the time-out), `table_over`, `stale_version`, `paused`, `sheet_changed` (somebody else entered or took
    back a deal), `not_your_turn`, what is no action (`Action.parse`) or not legal now, and whatever
    `record_deals` refuses. Then the action changes nothing. `adjourned` says that play is stopped, and
    `bot_failed` that a bot's failure has just stopped it, before this action.
    """
    now = timezone.now()
    is_late = settle_time(match, now) == seat
    sent = TableAct(seat=seat, version=version, action=action, key=key)
    try:
        return _act(actor, match, sent, now, is_late)
    except BotError as failure:
        # Its reason may name a card of the bot's.
        stop_for_bot(match, failure, now)
        raise GameError(
            "bot_failed", _("The bot at this table has failed. A director says how play goes on.")
        ) from failure


@transaction.atomic
def _act(
    actor: Actor, match: TableMatch, sent: TableAct, now: datetime.datetime, is_late: bool
) -> TableAnswer:
    seat, key = sent.seat, sent.key
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    check_seat(actor, sheet, chairs.get(seat))
    _check_key(key)
    earlier = TableAct.objects.filter(match=match, seat=seat, key=key).first()
    if earlier is not None:
        if (earlier.version, earlier.action) != (sent.version, sent.action):
            raise GameError("key_reused", _("This key was sent with another action."), field="key")
        return TableAnswer(earlier.answered, repeated=True)
    if is_late:
        raise GameError("time_over", _("Your time was over."))
    hand = hand_in_play(match)
    if hand is None or sheet.status != SheetStatus.OPEN:
        raise table_over()
    match = chairs[seat].match
    if match.version != sent.version:
        raise _stale()
    check_goes_on(match)
    if match.paused_at is not None:
        raise GameError("paused", _("This table is paused; go on first."))
    kept = kept_sheet(sheet)
    if hand.deal != len(kept.deals) + 1:
        raise GameError(
            "sheet_changed",
            _("Somebody changed the sheet during this hand. A director has the next one dealt."),
        )
    state = state_of(hand, kept)
    if state.turn != seat:
        raise GameError("not_your_turn", _("It is not your turn."))
    state.act(laid_by_player(state, Action.parse(sent.action)))
    hand.actions = [str(one) for one in state.actions]
    is_turn_over = state.is_over or state.turn != seat
    if is_turn_over:
        _charge(match, chairs[seat], now)
    following = go_on(match, hand, kept, bots_at(chairs.values(), hand.deal))
    changes = next_turn(match, chairs.values(), following, now) if is_turn_over else {}
    if match.pause_asked_by == 1 - seat:
        changes["pause_asked_by"] = None
    sent.took = None if match.moved_at is None else max(now - match.moved_at, datetime.timedelta(0))
    write(match, **{"moved_at": now} | changes)
    sent.match, sent.answered = match, match.version + 1
    sent.save(force_insert=True)
    return TableAnswer(sent.answered)


@transaction.atomic
def end_table(*, actor: Actor, match: TableMatch) -> None:
    """Ends the play at a table: what is recorded stays, and the sheet is free for other doors.

    The hand in play is broken off and told to nobody. Asks for permission to void the sheet. Refuses
    `table_over`, and with `ScoringError` `not_allowed`.
    """
    sheet = locked_sheet(match.sheet)
    ask(actor, SheetAction.VOID, sheet)
    if not TableMatch.objects.filter(pk=match.pk, is_live=True).update(version=F("version") + 1, **_OVER):
        raise table_over()
    TableHand.objects.filter(match=match, is_over=False).delete()


def table_state(*, actor: Actor, match: TableMatch, seat: int) -> dict[str, Any]:
    """What this seat may know now, as JSON: as `watched_state`, and with the hand in play as it sees it.

    `hand` is None when play is over, `forfeited_by` the seat that lost by its clock. `clock` is None without
    one: its times are ISO instants or None, and `bank_left` is what each seat has at `now`, in seconds.
    `adjourned_at` is when play was stopped, and `adjourned_why` why; `phrases` and `warnings` are as in
    `asides_document`. A time-out that is due is carried out first. Refuses `not_your_seat`.
    """
    settle_time(match, timezone.now())
    found = _TABLES.get(pk=match.pk)
    check_seat(actor, found.sheet, TableSeat.objects.filter(match=found, number=seat).first())
    return _told(found, seat)


def watched_state(*, match: TableMatch) -> dict[str, Any]:
    """What everybody may know who may see the sheet, as JSON.

    That is `version`, `clock`, `adjourned_at` and `forfeited_by` as in `table_state`; of the hand in play
    `deal`, `commitment`, whose `turn` it is and how many moves were made (`move_count`), None when play is
    over; `last_hand`, the last that is over (`hand_document`). Nothing in it depends on a card of the hand in
    play: `seat` and `hand` are None, and of what is told beside play there is nothing. A time-out that is due
    is carried out first.
    """
    settle_time(match, timezone.now())
    return _told(_TABLES.get(pk=match.pk), None)


def hand_document(hand: TableHand) -> dict[str, Any]:
    """A hand that is over, as JSON: all that it takes to check it. Refuses `not_over`."""
    _check_over(hand)
    return {
        "deal": hand.deal,
        "dealer": hand.dealer,
        "actions": hand.actions,
        "commitment": hand.commitment,
        "pack": hand.pack,
        "nonce": hand.nonce,
    }


def judge_refusal(actor: Actor) -> GameError | None:
    """The refusal `at_table` for an account that plays against another member now; None for all others."""
    if actor.kind is not ActorKind.USER:
        return None
    own = TableSeat.objects.filter(
        account=int(actor.id), match__is_live=True, match__sheet__status=SheetStatus.OPEN
    )
    other = TableSeat.objects.filter(match=OuterRef("match"), account__isnull=False).exclude(
        pk=OuterRef("pk")
    )
    if not own.filter(Exists(other)).exists():
        return None
    return GameError("at_table", _("You play at a table now: until that is over nothing is judged for you."))


def verified_hand(hand: TableHand) -> HandState:
    """The hand played again from its pack, which is the one that its commitment was made of.

    Refuses `not_over`, `other_pack` (pack and nonce do not give the commitment), `hand_not_over` (its actions
    do not end it), and, as `Playing.replay`, a pack that is none and an illegal action.
    """
    _check_over(hand)
    if commitment_of(hand.pack, hand.nonce) != hand.commitment:
        raise GameError("other_pack", _("Pack and nonce do not give the commitment."), field="pack")
    document = {"deck": hand.pack, "dealer": hand.dealer, "actions": hand.actions}
    state = HandState.replay(
        hand.match.sheet.rules.rules, HandLog.from_document(document), players=("0", "1")
    )
    if not state.is_over:
        raise GameError("hand_not_over", _("The actions do not end the hand."), field="actions")
    return state


def _told(match: TableMatch, seat: int | None) -> dict[str, Any]:
    told: dict[str, Any] = dict.fromkeys(("deal", "commitment", "turn", "move_count", "hand"))
    turn: int | None = None
    live = hand_in_play(match)
    if live is not None and match.sheet.status == SheetStatus.OPEN:
        state = state_of(live, kept_sheet(match.sheet))
        told |= {"deal": live.deal, "commitment": live.commitment}
        told |= {"turn": state.turn, "move_count": len(live.actions)}
        told["hand"] = None if seat is None else seat_document(state.view(seat))
        turn = state.turn
    told["adjourned_at"] = _instant(match.adjourned_at)
    told["adjourned_why"] = None if seat is None else match.adjourned_note or None
    told |= asides_document(match, seat)
    told["clock"] = clock_document(match, seats_of(match), turn, timezone.now())
    last = hands_over(match).last()
    told["forfeited_by"] = match.forfeited_by
    return {"version": match.version, "seat": seat, **told, "last_hand": last and hand_document(last)}


def _check_over(hand: TableHand) -> None:
    if not hand.is_over:
        raise GameError("not_over", _("The hand is not over yet."))


def settle_time(match: TableMatch, now: datetime.datetime) -> int | None:
    """Brings the clock of a table up to date before it is read or acted on; one query if nothing is due.

    Time of an outage is given back; then a time-out that is due is carried out, and its seat returned.
    """
    running = TableMatch.objects.filter(pk=match.pk, deadline__isnull=False)
    found = running.annotate(is_silent=silent(now)).values_list("deadline", "is_silent").first()
    if found is None:
        return None
    deadline, is_silent = found
    if is_silent:
        mend_outage(now)
        deadline = running.values_list("deadline", flat=True).first()
    return None if deadline is None or now < deadline else time_out(match, now)


def time_out(match: TableMatch, now: datetime.datetime) -> int | None:
    """Carries out what the clock says about a seat whose time is over; returns it, None if none is.

    The turn is played by default, or the match is forfeited and the hand in play told to nobody. Of several
    at once the first does it. Nothing is decided while an outage is still to be mended; where somebody
    changed or ended the sheet the clock stops, and so it does where a bot fails to reply (`stop_for_bot`).
    Signals `table_forfeited`.
    """
    try:
        return _time_out(match, now)
    except BotError as failure:
        stop_for_bot(match, failure, now)
        return None


@transaction.atomic
def stop_for_bot(match: TableMatch, failure: BotError, now: datetime.datetime) -> None:
    """Adjourns a table whose bot has failed, once, for a director to say how it goes on.

    Players and directors are told that it failed and in which deal; how stands in the log alone, as a refused
    action names cards. Signals `table_adjourned`.
    """
    logger.error("The bot at table %s failed: %s", match.code, failure)
    locked_sheet(match.sheet)
    found = TableMatch.objects.get(pk=match.pk)
    if found.is_live and found.adjourned_at is None:
        why = mark("%(bot)s failed in deal %(deal)s.", bot=failure.bot, deal=failure.deal)
        write_adjourned(found, why, now)
        table_adjourned.send(TableMatch, match=found)


def write_adjourned(match: TableMatch, why: Sentence, now: datetime.datetime) -> None:
    """Stops play under the lock of the sheet; a pause that was agreed on stays one."""
    stopped = {"adjourned_at": now, "adjourned_why": kept_note(why)}
    write(match, **stopped, deadline=None, pause_asked_by=None)
    match.refresh_from_db()


@transaction.atomic
def _time_out(match: TableMatch, now: datetime.datetime) -> int | None:
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    match = chairs[0].match
    if match.deadline is None or now < match.deadline or is_site_silent(now):
        return None
    in_play = in_play_on(match, sheet)
    if in_play is None:
        write(match, turn_since=None, deadline=None)
        return None
    hand, kept, state = in_play
    seat = state.turn
    chair = chairs[seat]
    chair.bank, chair.time_outs = datetime.timedelta(0), chair.time_outs + 1
    chair.save(update_fields=["bank", "time_outs"])
    if Clock.from_document(match.clock).time_out is TimeOut.FORFEIT_MATCH:
        write(match, **_OVER, forfeited_by=seat)
        TableHand.objects.filter(match=match, is_over=False).delete()
        match.refresh_from_db()
        table_forfeited.send(TableMatch, match=match)
        return seat
    play_by_default(state)
    hand.actions = [str(one) for one in state.actions]
    following = go_on(match, hand, kept, bots_at(chairs.values(), hand.deal))
    write(match, **next_turn(match, chairs.values(), following, now))
    return seat


def write(match: TableMatch, **changes: Any) -> None:
    """Writes the next version of a table as it was read; refuses `stale_version` if it was changed since."""
    rows = TableMatch.objects.filter(pk=match.pk, version=match.version)
    if not rows.update(version=match.version + 1, **changes):
        raise _stale()


def turn_at(match: TableMatch, sheet: Scoresheet) -> int | None:
    """The seat to move on a locked sheet; None if play cannot go on there."""
    in_play = in_play_on(match, sheet)
    return None if in_play is None else in_play[-1].turn


def seats_of(match: TableMatch) -> dict[int, TableSeat]:
    """Both seats by number, with the table as it is now."""
    chairs = TableSeat.objects.filter(match=match).select_related("match")
    return {chair.number: chair for chair in chairs}


def check_goes_on(match: TableMatch) -> None:
    """Refuse (`adjourned`) a table at which play is stopped."""
    if match.adjourned_at is not None:
        raise GameError("adjourned", _("Play is adjourned: a director says how it goes on."))


def table_over() -> GameError:
    return GameError("table_over", _("The play at this table is over."))


def _stale() -> GameError:
    return GameError(
        "stale_version", _("The table was changed meanwhile; look at it again."), field="version"
    )


def _charge(match: TableMatch, chair: TableSeat, now: datetime.datetime) -> None:
    """Takes off the seat's bank what its turn, which ends now, took longer than its time."""
    if match.turn_since is None:
        return
    used = Clock.from_document(match.clock).read(chair.bank, match.turn_since, now).used
    if used:
        chair.bank -= used
        chair.save(update_fields=["bank"])


def next_turn(
    match: TableMatch, chairs: Iterable[TableSeat], state: HandState | None, now: datetime.datetime
) -> dict[str, Any]:
    """What is written of a table at which a turn begins now, in this hand; None if play is over."""
    if state is None:
        return dict(_OVER)
    if match.clock is None:
        return {"moved_at": now}
    (bank,) = [chair.bank for chair in chairs if chair.number == state.turn]
    deadline = Clock.from_document(match.clock).read(bank, now, now).deadline
    return {"moved_at": now, "turn_since": now, "deadline": deadline}


def clock_document(
    match: TableMatch, chairs: Mapping[int, TableSeat], turn: int | None, now: datetime.datetime
) -> dict[str, Any] | None:
    """The clock as JSON for both seats, as it is now; None without one."""
    if match.clock is None:
        return None
    clock = Clock.from_document(match.clock)
    seats = []
    for number, chair in sorted(chairs.items()):
        left = chair.bank
        if number == turn and match.turn_since is not None:
            left -= clock.read(left, match.turn_since, match.paused_at or now).used
        seats.append(
            {
                "bank_left": left.total_seconds(),
                "deadline": _instant(match.deadline) if number == turn else None,
                "time_outs": chair.time_outs,
            }
        )
    return clock.to_document() | {
        "now": _instant(now),
        "turn_since": _instant(match.turn_since),
        "paused_at": _instant(match.paused_at),
        "pause_asked_by": match.pause_asked_by,
        "seats": seats,
    }


def _instant(at: datetime.datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def go_on(
    match: TableMatch,
    hand: TableHand | None,
    kept: KeptSheet,
    bots: Mapping[int, HouseBot],
) -> HandState | None:
    """Has the bots reply, and deals, until somebody without a bot is to move; None if play is over.

    A bot that is dealt gin may end a hand in which nobody else has moved.
    """
    while hand is not None:
        state = _with_replies(hand, kept, bots)
        hand.actions = [str(one) for one in state.actions]
        if not state.is_over:
            hand.save(update_fields=["actions"])
            return state
        sealed = hand.sealed_pack
        hand.is_over, hand.pack, hand.nonce = True, sealed.pack, sealed.nonce
        hand.save(update_fields=["actions", "is_over", "pack", "nonce"])
        sealed.delete()
        entry = kept.reader.read(deal_document(Deal(state.results)), hand.deal)
        record_deals(actor=TABLE, sheet=kept.sheet, deals=[entry], expected_version=kept.sheet.version)
        kept = kept_sheet(Scoresheet.objects.select_related("rules").get(pk=kept.sheet.pk))
        hand = dealt(match, kept)
    return None


def dealt(match: TableMatch, kept: KeptSheet) -> TableHand | None:
    """The next hand, dealt from a pack of its own; None if the sheet has ended."""
    if kept.sheet.status != SheetStatus.OPEN:
        return None
    following = next_hand(kept.sheet.rules.rules, kept.sides, kept.deals, match.cut_seed)
    if following is None:
        return None
    cards = list(range(CARD_COUNT))
    secrets.SystemRandom().shuffle(cards)
    pack, nonce = text_of(cards), secrets.token_hex(_NONCE_BYTES)
    hand = TableHand.objects.create(
        match=match, deal=following.deal, dealer=following.dealer, commitment=commitment_of(pack, nonce)
    )
    hand.sealed_pack = SealedPack.objects.create(hand=hand, pack=pack, nonce=nonce)
    return hand


def hand_in_play(match: TableMatch) -> TableHand | None:
    """The hand in play with its sealed pack."""
    rows = TableHand.objects.filter(match=match, is_over=False).select_related("sealed_pack")
    return rows.order_by("-deal").first()


def hands_over(match: TableMatch) -> QuerySet[TableHand]:
    """The hands that are over, in their order."""
    return TableHand.objects.filter(match=match, is_over=True).order_by("deal")


def in_play_on(match: TableMatch, sheet: Scoresheet) -> tuple[TableHand, KeptSheet, HandState] | None:
    """The hand in play on a locked sheet as it stands; None if somebody ended or changed the sheet."""
    hand, kept = hand_in_play(match), kept_sheet(sheet)
    if hand is None or sheet.status != SheetStatus.OPEN or hand.deal != len(kept.deals) + 1:
        return None
    return hand, kept, state_of(hand, kept)


def state_of(hand: TableHand, kept: KeptSheet) -> HandState:
    """The hand in play as it stands."""
    return HandState.replay(kept.sheet.rules.rules, _log(hand), players=_players(hand, kept))


def _with_replies(hand: TableHand, kept: KeptSheet, bots: Mapping[int, HouseBot]) -> HandState:
    sheet = running_sheet(kept.sheet.rules.rules, kept.sides, kept.deals)
    return with_replies(_log(hand), _players(hand, kept), bots, sheet, hand.sealed_pack.nonce)


def _log(hand: TableHand) -> HandLog[Action]:
    """The log of a hand in play."""
    document = {"deck": hand.sealed_pack.pack, "dealer": hand.dealer, "actions": hand.actions}
    return HandLog.from_document(document)


def _players(hand: TableHand, kept: KeptSheet) -> tuple[str, str]:
    (one,), (other,) = [side.seated(hand.deal) for side in kept.sides]
    return one, other


def check_seat(actor: Actor, sheet: Scoresheet, chair: TableSeat | None) -> None:
    """Refuse (`not_your_seat`) whoever does not sit there."""
    account = None if chair is None else chair.account_id
    if account is None or policy().plays_as(actor, sheet) != str(account):
        raise GameError("not_your_seat", _("You do not sit in this seat."), field="seat")


def _check_key(key: str) -> None:
    """Refuse (`wrong_key`) a key that is empty, longer than is kept here, or not storable."""
    if not 0 < len(key) <= LONGEST_KEY:
        message = _("A key has 1 to %(most)d characters.") % {"most": LONGEST_KEY}
        raise GameError("wrong_key", message, field="key")
    check_key(key)


def _seat(match: TableMatch, number: int, who: Actor | HouseBot) -> TableSeat:
    """The seat as stored; refuses `slow_bot`, and a bot that is not available here."""
    if isinstance(who, Actor):
        return TableSeat(match=match, number=number, account_id=int(who.id))
    bot = HouseBot.from_document(who.to_document(), strategies())
    if bot.samples:
        message = _("%(strategy)s thinks too long for a table; choose one without levels.")
        raise GameError("slow_bot", message % {"strategy": bot.strategy.name}, field="seats")
    return TableSeat(match=match, number=number, bot=bot.to_document())


def bots_at(chairs: Iterable[TableSeat], deal: int) -> dict[int, HouseBot]:
    """The bots by seat; raises `BotError` for one that is not available here, as failed in this deal."""
    seated = [chair for chair in chairs if chair.bot is not None]
    known = strategies() if seated else {}
    return {chair.number: _bot_of(chair.bot, known, deal) for chair in seated}


def _bot_of(document: Any, known: Mapping[str, Strategy], deal: int) -> HouseBot:
    try:
        return HouseBot.from_document(document, known)
    except GameError as refusal:
        # The site has it no longer: to whoever plays that is a bot that fails.
        raise BotError(document["strategy"], deal, refusal.message) from refusal
