"""The hands of tables of members: read as they stand, replied to by bots, recorded when over, and dealt.

All of it is done under the lock of the sheet, but for reading.
"""

import datetime
import logging
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Q, QuerySet

from games.bots import HouseBot, Strategy
from games.errors import GameError
from games.gin.cards import CARD_COUNT
from games.gin.log import HandLog
from games.gin.playing import InPlay, Pack
from games.models import (
    SealedPack,
    TableHand,
    TableMatch,
    TableSeat,
)
from games.services.packs import packs_of
from games.services.planning import strategies
from games.services.reports import forget_reports
from games.services.waking import wake_for_report
from games.signals import seat_taken
from games.tables.dealing import hand_class
from games.tables.members import (
    NextHand,
    commitment_of,
    next_hands,
    packs_text,
    read_table_log,
    running_sheet,
    seat_sides,
    with_replies,
)
from games.tables.play import BotError
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import CodedError
from scoring.core.messages import mark
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import Deal
from scoring.documents.sheets import deal_document
from scoring.models import Scoresheet, SheetStatus
from scoring.services import record_deals
from scoring.services.records import KeptSheet, kept_sheet

# The author of deals that were played at a table: nobody keyed them in.
TABLE: Final = Actor(ActorKind.OPERATOR, "table", "the table")
_NONCE_BYTES: Final = 32
# What comes of reading a row that was changed in the database, or that another engine wrote.
_BROKEN: Final = (CodedError, ObjectDoesNotExist, LookupError, TypeError, ValueError)

logger = logging.getLogger(__name__)


class UnreadableHand(GameError):
    """A stored hand that cannot be played again, as its row was changed or is of an older engine.

    While it is in play nobody can go on with it; one that is over stays on the sheet as it was recorded.
    """

    def __init__(self, hand: TableHand) -> None:
        if hand.is_over:
            said = mark(
                "Deal %(deal)s cannot be shown: what is stored of it was changed, or is of an older version."
                " Its result stays on the sheet.",
                deal=hand.deal,
            )
        else:
            said = mark(
                "Deal %(deal)s cannot be played on: what is stored of it was changed, or is of an older"
                " version. A director redeals it, or ends play here with a reason.",
                deal=hand.deal,
            )
        super().__init__("hand_unreadable", said)


class NotRecorded(GameError):
    """A deal that is over and that its sheet does not take, with what the `refusal` says.

    So it is after a side has withdrawn or the event was finished. Nobody can play on before that is mended.
    """

    def __init__(self, deal: int, refusal: CodedError) -> None:
        super().__init__(refusal.code, refusal.message, field=refusal.field)
        self.deal = deal
        self.refusal = refusal


class HandsInPlay(NamedTuple):
    """The sheet, and the hands in play on it, each as it stands."""

    kept: KeptSheet
    turns: tuple[tuple[TableHand, InPlay], ...]


@dataclass(frozen=True, slots=True)
class Following:
    """The hands in which a turn begins; none if others are waited for, or if play `is_over`."""

    turns: tuple[tuple[TableHand, InPlay], ...]
    is_over: bool = False


def hands_at_turn(match: TableMatch, sheet: Scoresheet) -> HandsInPlay | None:
    """The hands in play on a locked sheet as it stands; None if somebody ended or changed the sheet."""
    kept = kept_sheet(sheet)
    hands = [hand for hand in deal_in_play(match) if not hand.is_over]
    if not hands or sheet.status != SheetStatus.OPEN or not fits_sheet(hands[0], kept):
        return None
    return HandsInPlay(kept, tuple([(hand, state_of(hand, kept)) for hand in hands]))


def fits_sheet(hand: TableHand, kept: KeptSheet) -> bool:
    """Whether a hand in play is of the deal that its sheet waits for, and between those who are to play it.

    Where others wait, the deals before say who plays: the correction of one may seat somebody else.
    """
    if hand.deal != len(kept.deals) + 1:
        return False
    table = kept.state.table if is_of_several(kept.seat_names) else None
    return table is None or set(table.playing) == set(hand.seats)


def seats_of(match: TableMatch) -> dict[int, TableSeat]:
    """All seats by number, with the table as it is now."""
    chairs = TableSeat.objects.filter(match=match).select_related("match")
    return {chair.number: chair for chair in chairs}


def is_against(chairs: Mapping[int, TableSeat], one: int | None, other: int) -> bool:
    """Whether there is `one`, and he plays for another side."""
    return one is not None and chairs[one].side != chairs[other].side


def sides_to_agree(chairs: Mapping[int, TableSeat]) -> frozenset[int]:
    """The sides that have not agreed to the pause that is asked for; of bots alone is none."""
    people = {chair.side for chair in chairs.values() if chair.bot is None}
    return frozenset(people - {chair.side for chair in chairs.values() if chair.agrees_pause})


def is_of_several(chairs: Collection[object]) -> bool:
    """Whether several hands can be in play at once, or others than all players at one."""
    return len(chairs) > 2


def waits(match: TableMatch, chairs: Collection[object]) -> bool:
    """Whether other hands of the deal in play go on."""
    return is_of_several(chairs) and TableHand.objects.filter(match=match, is_over=False).exists()


def reply_and_deal(
    match: TableMatch,
    hands: Iterable[TableHand],
    kept: KeptSheet,
    chairs: Collection[TableSeat],
    *,
    version: int,
    now: datetime.datetime,
) -> Following:
    """Has the bots reply in these hands, and deals, until in every hand a member is to move, or a slow bot.

    `version` is that of the table after it, and the next moves can be made from `now` on. A bot that is dealt
    gin may end a hand in which nobody else has moved. Raises `BotError`, and `NotRecorded` where the sheet
    does not take a deal.
    """
    bots = quick_bots(chairs, len(kept.deals) + 1)
    while hands:
        going_on = []
        for hand in hands:
            state = _with_replies(hand, kept, bots)
            hand.actions, hand.version = [str(one) for one in state.actions], version
            hand.moved_at = now
            if state.is_over:
                _lay_open(hand)
            else:
                hand.save(update_fields=["actions", "version", "moved_at"])
                going_on.append((hand, state))
        if going_on or waits(match, chairs):
            return Following(tuple(going_on))
        number = len(kept.deals) + 1
        over = TableHand.objects.filter(match=match, deal=number) if is_of_several(chairs) else [hand]
        results = [result for one in over for result in state_of(one, kept).results]
        try:
            entry = kept.reader.read(deal_document(Deal(tuple(results))), number)
            record_deals(actor=TABLE, sheet=kept.sheet, deals=[entry], expected_version=kept.sheet.version)
        except CodedError as refusal:
            raise NotRecorded(number, refusal) from refusal
        _give_seats(match, chairs, number + 1)
        kept = kept_sheet(Scoresheet.objects.select_related("rules").get(pk=kept.sheet.pk))
        bots = quick_bots(chairs, number + 1)
        hands = dealt(match, kept)
    return Following((), is_over=True)


def _give_seats(match: TableMatch, chairs: Iterable[TableSeat], deal: int) -> None:
    """Gives bots' seats to those who have arrived, from this deal on; does nothing once the sheet has ended.

    No report is made of what the bot has played there. Signals `seat_taken`.
    """
    arrived = [chair for chair in chairs if chair.arrived_id is not None]
    if not arrived or not Scoresheet.objects.filter(pk=match.sheet_id, status=SheetStatus.OPEN).exists():
        return
    for chair in arrived:
        chair.sat_in = {**(chair.bot or {}), "until": deal - 1}
        chair.account_id, chair.arrived_id, chair.bot = chair.arrived_id, None, None
        chair.save(update_fields=["account", "arrived", "bot", "sat_in"])
        forget_reports(TableSeat.objects.filter(pk=chair.pk))
        seat_taken.send(TableMatch, match=match, chair=chair, from_deal=deal)


def _lay_open(hand: TableHand) -> None:
    """Keeps the pack and nonce of a hand that is over with it, as it is told (but see `is_withheld`)."""
    sealed = hand.sealed_pack
    hand.is_over, hand.pack, hand.nonce = True, sealed.pack, sealed.nonce
    hand.turn_since = hand.deadline = hand.moved_at = None
    hand.save(
        update_fields=[
            "actions",
            "version",
            "is_over",
            "pack",
            "nonce",
            "turn_since",
            "deadline",
            "moved_at",
        ]
    )
    sealed.delete()
    transaction.on_commit(partial(wake_for_report, hand.pk))


def dealt(match: TableMatch, kept: KeptSheet, *, over: Collection[int] = ()) -> list[TableHand]:
    """The hands of the next deal, each dealt from packs of its own; none if the sheet has ended.

    At a table of duplicate they are dealt from that of the round, refused as `FromPacks` does. At the tables
    that are `over` it has been played.
    """
    if kept.sheet.status != SheetStatus.OPEN:
        return []
    packs = packs_of(kept.sheet) if match.is_duplicate else ()
    following = next_hands(kept.sheet.rules.rules, kept.sides, kept.deals, match.cut_seed, packs)
    return [_dealt_hand(match, one) for one in following if one.table not in over]


def _dealt_hand(match: TableMatch, dealt: NextHand) -> TableHand:
    # Of a pack that others play too each hand has a nonce of its own: equal seals would tell which it is.
    packs = [_shuffled() for _time in range(dealt.packs)] if dealt.pack is None else [dealt.pack]
    pack, nonce = packs_text(packs), secrets.token_hex(_NONCE_BYTES)
    first, second, *more = dealt.seats
    hand = TableHand.objects.create(
        match=match,
        deal=dealt.deal,
        table=dealt.table,
        first_seat=first,
        second_seat=second,
        more_seats=more or None,
        version=match.version,
        dealer=dealt.dealer,
        commitment=commitment_of(pack, nonce),
    )
    hand.sealed_pack = SealedPack.objects.create(hand=hand, pack=pack, nonce=nonce)
    return hand


def _shuffled() -> Pack:
    cards = list(range(CARD_COUNT))
    secrets.SystemRandom().shuffle(cards)
    return tuple(cards)


def hand_in_play(match: TableMatch, seat: int) -> TableHand | None:
    """The hand that this seat has in play, with its sealed pack."""
    rows = of_seat(TableHand.objects.filter(match=match, is_over=False), seat)
    return rows.select_related("sealed_pack").order_by("-deal").first()


def deal_in_play(match: TableMatch) -> list[TableHand]:
    """All hands of the deal in play by table, also those that are over; none if nothing is in play.

    Where somebody has acted since the table was read, it is read again: it is as its hands are.
    """
    rows = TableHand.objects.filter(match=match).select_related("sealed_pack")
    live = TableHand.objects.filter(match=match, is_over=False)
    hands = rows.filter(deal__in=live.values("deal")).order_by("table")
    while any(hand.version > match.version for hand in hands):
        match.refresh_from_db()
        hands = hands.all()
    return list(hands)


def hands_over(match: TableMatch) -> QuerySet[TableHand]:
    """The hands that are over, in their order, told or not (`is_withheld`)."""
    rows = TableHand.objects.filter(match=match, is_over=True).select_related("match")
    return rows.order_by("deal", "table")


def of_seat(hands: QuerySet[TableHand], seat: int | None) -> QuerySet[TableHand]:
    """The hands that this seat plays or has played; all for None."""
    if seat is None:
        return hands
    return hands.filter(Q(first_seat=seat) | Q(second_seat=seat) | Q(more_seats__isnull=False))


def state_of(hand: TableHand, kept: KeptSheet) -> InPlay:
    """The hand as it stands; raises `UnreadableHand`."""
    with readable(hand):
        return _played(hand, kept, log_of(hand, kept))


@contextmanager
def readable(hand: TableHand) -> Iterator[None]:
    """Raises `UnreadableHand` where the hand as it is stored cannot be read, and tells the log once why."""
    try:
        yield
    except _BROKEN as fault:
        if cache.add(f"unreadable-hand-{hand.commitment}", value=True, timeout=None):
            where = f"table {hand.match.code}, deal {hand.deal}.{hand.table_number}"
            # Its words may name a card of a hand in play.
            why = fault.code if isinstance(fault, CodedError) else type(fault).__name__
            logger.error("A stored hand cannot be read (%s): %s", where, why)
        raise UnreadableHand(hand) from fault


def _played(hand: TableHand, kept: KeptSheet, log: HandLog[Any]) -> InPlay:
    rules = kept.sheet.rules.rules
    kind = hand_class(rules, len(kept.sides[0].players))
    return kind.replay(rules, log, players=players_of(hand, kept))


def _with_replies(hand: TableHand, kept: KeptSheet, bots: Mapping[int, HouseBot]) -> InPlay:
    sheet = running_sheet(kept.sheet.rules.rules, kept.sides, kept.deals)
    sides = seat_sides(kept.sides)
    log = log_of(hand, kept)
    seated = {place: bots[seat] for place, seat in enumerate(hand.seats) if seat in bots}
    return with_replies(
        _played(hand, kept, replace(log, actions=())),
        log.actions,
        seated,
        sheet,
        hand.sealed_pack.nonce,
        [sides[seat] for seat in hand.seats],
    )


def log_of(hand: TableHand, kept: KeptSheet) -> HandLog[Any]:
    """The log of a hand, in play or over."""
    return read_table_log(
        kept.sheet.rules.rules,
        len(kept.sides[0].players),
        pack=hand.pack or hand.sealed_pack.pack,
        dealer=hand.dealer,
        actions=hand.actions,
    )


def players_of(hand: TableHand, kept: KeptSheet) -> tuple[str, ...]:
    """The names of those who play a hand."""
    names = players_by_seat(kept.sides, hand.deal)
    return tuple([names[seat] for seat in hand.seats])


def seated_bots(chairs: Iterable[TableSeat], deal: int) -> dict[int, HouseBot]:
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


def quick_bots(chairs: Iterable[TableSeat], deal: int) -> dict[int, HouseBot]:
    """The bots by seat that reply at once; those that weigh samples would hold the lock meanwhile.

    Raises as `seated_bots`.
    """
    return {seat: bot for seat, bot in seated_bots(chairs, deal).items() if not bot.weighs}
