"""What is told of a table of members: to a seat, to who looks on, and of hands that are over."""

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.gin.playing import InPlay
from games.models import (
    TableHand,
    TableMatch,
    TableSeat,
    on_now,
)
from games.services.asides import asides_document
from games.services.hands import (
    UnreadableHand,
    deal_in_play,
    hands_over,
    of_seat,
    seats_of,
    state_of,
)
from games.services.members import check_seat, settle_time, stop_for_hand
from games.services.packs import check_told, is_withheld
from games.tables.clocks import Clock
from games.tables.members import (
    commitment_of,
    seat_document,
)
from scoring.core.actors import Actor, ActorKind
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet, kept_sheets

_TABLES: Final = TableMatch.objects.select_related("sheet__rules")


def table_state(*, actor: Actor, match: TableMatch, seat: int) -> dict[str, Any]:
    """What this seat may know now, as JSON: as `watched_state`, and with its hand in play as it sees it.

    `hand` is None when play is over, or its own hand of the deal is. Inside it the players are called 0 and 1
    and so on, in the order of the `seats` of its table. `forfeited_by` is the side that lost by a clock or
    gave up. `clock` is None without one: its times are ISO instants or None, and `bank_left` is what each
    seat has at `now`, in seconds. `adjourned_at` is when play was stopped, and `adjourned_why` why; `phrases`
    and `warnings` are as in `asides_document`. A time-out that is due is carried out first. Refuses
    `not_your_seat`, and `hand_unreadable` after stopping play.
    """
    settle_time(match, timezone.now())
    found = _TABLES.get(pk=match.pk)
    check_seat(actor, found.sheet, TableSeat.objects.filter(match=found, number=seat).first())
    return _told(found, seat)


def watched_state(*, match: TableMatch) -> dict[str, Any]:
    """What everybody may know who may see the sheet, as JSON.

    That is `version`, `clock`, `adjourned_at` and `forfeited_by` as in `table_state`; of the hand in play
    `deal`, `commitment`, whose `turn` it is and how many moves were made (`move_count`), None when play is
    over; `last_hand`, the last that is over (`hand_document`), None while hands are withheld. `tables` has
    for every hand of the deal in play its `table`, from 1, its `seats`, the same three, and whether it
    `is_over`: where there are several, the three beside `deal` are those of the reader's own, and None for
    others. Nothing in it depends on a card of a hand in play: `seat` and `hand` are None, and of what is told
    beside play there is nothing. A time-out that is due is carried out first. Refuses `hand_unreadable` after
    stopping play.
    """
    settle_time(match, timezone.now())
    return _told(_TABLES.get(pk=match.pk), None)


def seats_to_move(tables: Sequence[TableMatch]) -> dict[int, frozenset[int]]:
    """The seats that are to move at each of these tables, by its id, in two or three queries for all of them.

    None at a table at which nothing is in play or play stands still, as it does where a hand cannot be read.
    Load their `sheet__rules` along; what is due by the clock is settled before (`settle_times`).
    """
    found: dict[int, frozenset[int]] = {table.pk: frozenset() for table in tables}
    playing = [one for one in tables if not one.stands_still and one.sheet.status == SheetStatus.OPEN]
    hands: dict[int, list[TableHand]] = defaultdict(list)
    for hand in TableHand.objects.filter(match__in=playing, is_over=False).select_related("sealed_pack"):
        hands[hand.match_id].append(hand)
    for table, kept in zip(playing, kept_sheets([one.sheet for one in playing]), strict=True):
        try:
            found[table.pk] = frozenset([_seat_at_turn(hand, table, kept) for hand in hands[table.pk]])
        except UnreadableHand as failure:
            stop_for_hand(table, failure)
            table.refresh_from_db(fields=["adjourned_at", "adjourned_why"])
    return found


def _seat_at_turn(hand: TableHand, table: TableMatch, kept: KeptSheet) -> int:
    hand.match = table
    return hand.seats[state_of(hand, kept).turn]


def hand_document(hand: TableHand) -> dict[str, Any]:
    """A hand that is over, as JSON: all that it takes to check it. Refuses `not_over` and `withheld`."""
    _check_over(hand)
    return {
        "deal": hand.deal,
        "table": hand.table_number,
        "seats": list(hand.seats),
        "dealer": hand.dealer,
        "actions": hand.actions,
        "commitment": hand.commitment,
        "pack": hand.pack,
        "nonce": hand.nonce,
    }


def verified_hand(hand: TableHand) -> InPlay:
    """The hand played again from its pack, which is the one that its commitment was made of.

    Refuses `not_over`, `withheld`, `other_pack` (pack and nonce do not give the commitment), `hand_not_over`
    (its actions do not end it), and, as `Playing.replay`, a pack that is none and an illegal action.
    """
    _check_over(hand)
    if commitment_of(hand.pack, hand.nonce) != hand.commitment:
        raise GameError("other_pack", _("Pack and nonce do not give the seal."), field="pack")
    state = state_of(hand, kept_sheet(hand.match.sheet))
    if not state.is_over:
        raise GameError("hand_not_over", _("The actions do not end the hand."), field="actions")
    return state


def judge_refusal(actor: Actor) -> GameError | None:
    """The refusal `at_table` for an account that plays a member or a guest now, or any game that counts.

    A program is refused what its account is.
    """
    account = actor.id if actor.kind is ActorKind.USER else actor.account
    if not account:
        return None
    own = TableSeat.objects.filter(on_now("match__"), account=int(account))
    people = TableSeat.objects.filter(Q(account__isnull=False) | Q(is_guest=True), match=OuterRef("match"))
    if not own.filter(Exists(people.exclude(pk=OuterRef("pk")))).exists():
        alone = Scoresheet.objects.filter(pk__in=own.values("match__sheet"))
        if not any(policy().counts(sheet) for sheet in alone):
            return None
    return GameError("at_table", _("You play at a table now: until that is over nothing is judged for you."))


def _told(match: TableMatch, seat: int | None) -> dict[str, Any]:
    try:
        return _as_it_stands(match, seat)
    except UnreadableHand as failure:
        stop_for_hand(match, failure)
        raise


def _as_it_stands(match: TableMatch, seat: int | None) -> dict[str, Any]:
    told: dict[str, Any] = dict.fromkeys(("deal", "commitment", "turn", "move_count", "hand"))
    told["tables"] = []
    turns: dict[int, TableHand] = {}
    hands = deal_in_play(match) if match.sheet.status == SheetStatus.OPEN else []
    kept = kept_sheet(match.sheet) if hands else None
    for hand in hands:
        assert kept is not None  # noqa: S101 (there is a hand)
        state = None if hand.is_over else state_of(hand, kept)
        if state is not None:
            turns[hand.seats[state.turn]] = hand
        about = _about(hand, state)
        told["deal"] = hand.deal
        told["tables"].append(
            {"table": hand.table_number, "seats": list(hand.seats), **about, "is_over": hand.is_over}
        )
        if state is not None and seat in hand.seats:
            told |= about | {"hand": seat_document(state, hand.seats.index(seat))}
        elif seat is None and len(hands) == 1:
            told |= about
    told["clock"] = clock_document(match, seats_of(match), turns, timezone.now())
    told["forfeited_by"] = match.forfeited_by
    told["adjourned_at"] = _instant(match.adjourned_at)
    told["adjourned_why"] = None if seat is None else match.adjourned_note or None
    told |= asides_document(match, seat)
    last = None if is_withheld(match) else last_hand(match, seat)
    return {"version": match.version, "seat": seat, **told, "last_hand": last and hand_document(last)}


def _about(hand: TableHand, state: InPlay | None) -> dict[str, Any]:
    """What everybody may know of a hand; without a `state` of one that is over."""
    turn = None if state is None else hand.seats[state.turn]
    return {"commitment": hand.commitment, "turn": turn, "move_count": len(hand.actions)}


def last_hand(match: TableMatch, seat: int | None) -> TableHand | None:
    """The last hand that is over, of those of this seat, or of all for None."""
    return of_seat(hands_over(match), seat).last()


def _check_over(hand: TableHand) -> None:
    if not hand.is_over:
        raise GameError("not_over", _("The hand is not over yet."))
    check_told(hand.match)


def clock_document(
    match: TableMatch,
    chairs: Mapping[int, TableSeat],
    turns: Mapping[int, TableHand],
    now: datetime.datetime,
) -> dict[str, Any] | None:
    """The clock as JSON for all seats, as it is now; None without one.

    `turns` has the seats that are to move, each with its hand.
    """
    if match.clock is None:
        return None
    clock = Clock.from_document(match.clock)
    seats = []
    for number, chair in sorted(chairs.items()):
        left = chair.bank
        hand = turns.get(number)
        since = None if hand is None else hand.turn_since or match.turn_since
        if since is not None:
            left -= clock.read(left, since, match.paused_at or now).used
        seats.append(
            {
                "bank_left": left.total_seconds(),
                "deadline": None if hand is None else _instant(hand.deadline or match.deadline),
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
