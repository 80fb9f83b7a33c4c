"""A table of members as a reader may see it: the sheet, one's own hand in play, and hands that are over."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from games.errors import GameError
from games.gin.actions import DRAW, TAKE, Action, ActionKind
from games.gin.cards import Hand, cards_of, mask_of
from games.gin.hand import HandState
from games.gin.judging import fixed_arrangement
from games.gin.log import HandLog
from games.gin.offering import knock_choices, lay_off_choices
from games.gin.view import View
from games.models import TableHand, TableMatch, TableSeat
from games.services.asides import Asides, asides_for
from games.services.matches import HandPage, SeatedBot
from games.services.members import (
    clock_document,
    hand_in_play,
    hands_over,
    seats_of,
    settle_time,
    state_of,
    verified_hand,
)
from games.tables.laid import LaidHand
from games.tables.replaying import Frame, Replay, ShownMove, Turn, replayed, turns_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence
from scoring.models import Scoresheet, SheetStatus
from scoring.paper.layout import SheetTable, sheet_table
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet

# The latest turns of a hand that are told in words.
_TURNS_TOLD: Final = 2
_NONE: Final = Asides()
_PLAIN: Final = frozenset({ActionKind.PASS, ActionKind.GIN, ActionKind.BIG_GIN})


@dataclass(frozen=True, slots=True)
class KnockChoice:
    """A way to knock: the action, the card put down, and the hand as it would lie."""

    action: Action
    card: int
    laid: LaidHand


@dataclass(frozen=True, slots=True)
class ReplyChoice:
    """A way to lay off: the action, the cards laid off, and the hand as it would lie."""

    action: Action
    laid_off: tuple[int, ...]
    laid: LaidHand


@dataclass(frozen=True, slots=True)
class OwnHand:
    """The hand in play as its player sees it.

    `laid` is the hand in its best arrangement. `drawn` is the card that has just come from the stock or the
    pile. `told` are the latest turns. `knocks` are the ways to knock, and
    `replies` those to lay off after one, what is offered first.
    """

    view: View
    laid: LaidHand
    drawn: int | None
    told: tuple[Turn, ...]
    knocks: tuple[KnockChoice, ...]
    replies: tuple[ReplyChoice, ...]

    @property
    def is_turn(self) -> bool:
        """Whether its player is to move."""
        return self.view.turn == self.view.seat

    @property
    def against(self) -> LaidHand | None:
        """The knocker's cards as he has laid them down."""
        return None if self.view.laid is None else LaidHand.of(self.view.laid)

    @property
    def top(self) -> int | None:
        """The top of the discard pile."""
        return self.view.pile[-1] if self.view.pile else None

    @property
    def buried(self) -> tuple[int, ...]:
        """The pile below its top, the latest first."""
        return tuple(reversed(self.view.pile[:-1]))

    @property
    def known(self) -> list[int]:
        """The cards that the other took openly and still holds."""
        return cards_of(self.view.known)

    @property
    def may_discard(self) -> frozenset[int]:
        """The cards that may be discarded now."""
        cards = [action.card for action in self.view.legal if action.kind is ActionKind.DISCARD]
        return frozenset([card for card in cards if card is not None])

    @property
    def may_draw(self) -> bool:
        """Whether a card may be drawn from the stock."""
        return DRAW in self.view.legal

    @property
    def may_take(self) -> bool:
        """Whether the top of the pile may be taken."""
        return TAKE in self.view.legal

    @property
    def has_moved(self) -> bool:
        """Whether its player has moved in this hand."""
        return any(move.seat == self.view.seat for move in self.view.moves)

    @property
    def bar(self) -> tuple[Action, ...]:
        """The legal actions for which neither a pile nor a card is tapped, nor melds are chosen."""
        return tuple([action for action in self.view.legal if action.kind in _PLAIN])

    @property
    def needs_bar(self) -> bool:
        """Whether anything is done by a button below the hand."""
        return bool(self.bar or self.knocks or self.replies or self.may_discard)


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a seat: whole seconds left of its bank, and when its time is over if it runs."""

    bank_left: int
    deadline: datetime.datetime | None

    @property
    def bank_words(self) -> str:
        """What is left of the bank, as 4:05."""
        return f"{self.bank_left // 60}:{self.bank_left % 60:02}"


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table: its sheet, who sits there, the number of the hand in play, and the hands that are over.

    `seat` is the reader's, None for a spectator, who gets no `own`. `bots` are the bots by seat, None for a
    member. `turn` is the seat to move. `last` is the end of the latest hand, laid open.
    `clocks` are by seat, none where there is no clock. `asides` is what the reader is told beside play.
    """

    match: TableMatch
    table: SheetTable
    players: tuple[str, str]
    bots: tuple[SeatedBot | None, ...]
    seat: int | None
    deal: TableHand | None
    turn: int | None
    own: OwnHand | None
    last: Frame | None
    deals: tuple[int, ...]
    clocks: tuple[SeatClock, ...] = ()
    asides: Asides = _NONE

    @property
    def may_speak(self) -> bool:
        """Whether the reader may send the other one set phrases."""
        return self.match.has_phrases and self.match.is_live and self.seat is not None

    @property
    def other(self) -> str:
        """Who sits across from the reader."""
        return self.players[1 - (self.seat or 0)]

    @property
    def own_clock(self) -> SeatClock | None:
        """The reader's clock."""
        return self.clocks[self.seat or 0] if self.clocks else None

    @property
    def other_clock(self) -> SeatClock | None:
        """The clock of who sits across."""
        return self.clocks[1 - (self.seat or 0)] if self.clocks else None

    @property
    def is_pause_asked_by_other(self) -> bool:
        """Whether the reader is asked for a pause."""
        asks = self.match.pause_asked_by
        return asks is not None and self.seat is not None and asks != self.seat

    @property
    def loser(self) -> str:
        """Who has lost by the clock; "" if nobody."""
        lost = self.match.forfeited_by
        return "" if lost is None else self.players[lost]

    @property
    def other_bot(self) -> SeatedBot | None:
        """The bot across from the reader."""
        return self.bots[1 - (self.seat or 0)]

    @property
    def is_between_hands(self) -> bool:
        """Whether the latest hand is still to be looked at: its reader has not moved since."""
        return self.own is None or not self.own.has_moved

    @property
    def last_deal(self) -> int:
        """The number of the latest hand that is over."""
        return self.deals[-1]

    @property
    def last_laid(self) -> list[tuple[str, LaidHand]]:
        """Both players with their hands at the end of the latest."""
        return [] if self.last is None else list(zip(self.players, self.last.hands, strict=True))

    @property
    def standing(self) -> list[tuple[str, int, int]]:
        """Both players with the games they have won and their total so far."""
        if not self.table.rows:
            return [(name, 0, 0) for name in self.players]
        return list(zip(self.players, self.table.columns_won, self.table.totals, strict=True))

    @property
    def to_move(self) -> str:
        """The name of who is to move; "" if nobody is."""
        return "" if self.turn is None else self.players[self.turn]


class SeenTable(NamedTuple):
    """A table, its sheet and rules loaded, its reader, and the reader's seat, None for a spectator."""

    match: TableMatch
    reader: Actor
    seat: int | None

    @property
    def kept(self) -> KeptSheet:
        """The sheet, with the names that the reader may see."""
        sheet = self.match.sheet
        return kept_sheet(sheet).called(policy().shown(self.reader, sheet))


@dataclass(frozen=True, slots=True)
class Proof:
    """A hand that is over, its pack and nonce; `problem` says why they do not give what was promised."""

    hand: TableHand
    problem: Sentence | None


def table_seen(reader: Actor, code: str) -> SeenTable | None:
    """The table with this code, if the reader sits there or may see its sheet.

    A time-out that is due is carried out first.
    """
    account = int(reader.id) if reader.kind is ActorKind.USER else 0
    own = TableSeat.objects.filter(match=OuterRef("pk"), account=account).order_by("number")
    rows = TableMatch.objects.filter(code=code).select_related("sheet__rules")
    found = rows.annotate(own_seat=Subquery(own.values("number")[:1])).first()
    if found is None:
        return None
    now = timezone.now()
    if found.deadline is not None and found.deadline <= now:
        settle_time(found, now)
        found = rows.annotate(own_seat=Subquery(own.values("number")[:1])).get()
    if found.own_seat is None:
        shown = policy().visible(reader, Scoresheet.objects.filter(pk=found.sheet_id))
        if not shown.exists():
            return None
    return SeenTable(found, reader, found.own_seat)


def table_page(seen: SeenTable) -> TablePage:
    """The page of a table."""
    match, kept = seen.match, seen.kept
    players = tuple([side.players[0] for side in kept.sides])
    hand = hand_in_play(match) if match.sheet.status == SheetStatus.OPEN else None
    state = None if hand is None else state_of(hand, kept)
    over = list(hands_over(match))
    return TablePage(
        match,
        sheet_table(kept.state, left_side=match.sheet.left_side),
        (players[0], players[1]),
        _bots(match, players),
        seen.seat,
        hand,
        None if state is None else state.turn,
        None if state is None or seen.seat is None else _own_hand(state, seen.seat),
        _replay(over[-1], kept).frames[-1] if over else None,
        tuple([one.deal for one in over]),
        _clocks(match, None if state is None else state.turn),
        asides_for(match, seen.seat),
    )


def _clocks(match: TableMatch, turn: int | None) -> tuple[SeatClock, ...]:
    told = clock_document(match, seats_of(match), turn, timezone.now()) if match.clock else None
    if told is None or not match.is_live:
        return ()
    return tuple(
        [
            SeatClock(
                int(seat["bank_left"]),
                match.deadline if seat["deadline"] is not None else None,
            )
            for seat in told["seats"]
        ]
    )


def table_hand_page(seen: SeenTable, deal: int) -> tuple[HandPage, Proof] | None:
    """A hand that is over, move by move, and what proves its pack; None if there is none."""
    match = seen.match
    over = list(hands_over(match))
    hand = next((one for one in over if one.deal == deal), None)
    if hand is None:
        return None
    kept = seen.kept
    players = [side.players[0] for side in kept.sides]
    one, other = [
        bot or SeatedBot(name, "", None) for bot, name in zip(_bots(match, players), players, strict=True)
    ]
    numbers = [each.deal for each in over]
    at = numbers.index(deal)
    hand.match = match
    page = HandPage(
        match,
        deal,
        1,
        (1,),
        (one, other),
        _replay(hand, kept),
        numbers[at - 1] if at else None,
        numbers[at + 1] if at + 1 < len(numbers) else None,
    )
    return page, Proof(hand, _problem(hand))


def _problem(hand: TableHand) -> Sentence | None:
    try:
        verified_hand(hand)
    except GameError as error:
        return error.message
    return None


def _replay(hand: TableHand, kept: KeptSheet) -> Replay:
    log = HandLog.from_document({"deck": hand.pack, "dealer": hand.dealer, "actions": hand.actions})
    one, other = [side.seated(hand.deal)[0] for side in kept.sides]
    return replayed(kept.sheet.rules.rules, log, players=(one, other))


def _bots(match: TableMatch, players: Sequence[str]) -> tuple[SeatedBot | None, ...]:
    """The bots by seat."""
    seated: dict[int, Any] = {chair.number: chair.bot for chair in match.seats.all()}
    return tuple(
        [
            SeatedBot(name, seated[number]["strategy"], None) if seated.get(number) else None
            for number, name in enumerate(players)
        ]
    )


def _own_hand(state: HandState, seat: int) -> OwnHand:
    view = state.view(seat)
    # What a knock leaves is the only deadwood that is known before the end.
    left = None if view.laid is None else view.laid.deadwood
    moves = [
        ShownMove(number, move.seat, move.kind, move.card, left)
        for number, move in enumerate(view.moves, start=1)
    ]
    return OwnHand(
        view,
        LaidHand.best(view.mask, ace=view.rules.ace),
        _drawn(state, seat),
        turns_of(moves)[-_TURNS_TOLD:],
        tuple([_knock_choice(view, action) for action in knock_choices(view)]),
        tuple([_reply_choice(view, action) for action in lay_off_choices(view)]),
    )


def _drawn(state: HandState, seat: int) -> int | None:
    """The card that came into the hand with the last action, if that was this seat's."""
    if not state.actions or state.actions[-1].kind not in (ActionKind.DRAW, ActionKind.TAKE):
        return None
    if state.turn != seat:
        return None
    before = HandState(state.rules, state.deck, dealer=state.dealer, players=state.players)
    for action in state.actions[:-1]:
        before.act(action)
    (card,) = cards_of(state.hands[seat] & ~before.hands[seat])
    return card


def _knock_choice(view: View, action: Action) -> KnockChoice:
    card, melds = action.card, action.melds
    assert card is not None  # noqa: S101 (a knock has a card)
    assert melds is not None  # noqa: S101 (a choice names its melds)
    held = Hand(view.mask & ~(1 << card))
    laid = fixed_arrangement(held, [Hand(meld) for meld in melds], ace=view.rules.ace)
    return KnockChoice(action, card, LaidHand.of(laid))


def _reply_choice(view: View, action: Action) -> ReplyChoice:
    lay_offs, melds = action.lay_offs, action.melds
    assert lay_offs is not None  # noqa: S101 (a choice names what it lays off)
    assert melds is not None  # noqa: S101 (a choice names its melds)
    laid_off = tuple([one.card for one in lay_offs])
    held = view.hand - Hand(mask_of(laid_off))
    laid = fixed_arrangement(held, [Hand(meld) for meld in melds], ace=view.rules.ace)
    return ReplyChoice(action, laid_off, LaidHand.of(laid))
