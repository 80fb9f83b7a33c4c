"""A table of members as a reader may see it: the sheet, one's own hand in play, and hands that are over."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots.appraising import Appraisal
from games.errors import GameError
from games.gin.actions import DRAW, TAKE, Action, ActionKind
from games.gin.cards import Hand, cards_of, mask_of
from games.gin.hand import HandState
from games.gin.judging import fixed_arrangement
from games.gin.log import HandLog
from games.gin.offering import knock_choices, lay_off_choices
from games.gin.view import View
from games.models import TableHand, TableMatch, TablePhrase, TableSeat
from games.services.asides import Asides, asides_for
from games.services.hands import deal_in_play, hands_over, players_of, seats_of, state_of
from games.services.hints import gives_hints, hint
from games.services.matches import HandPage, SeatedBot
from games.services.members import settle_time
from games.services.reports import dearest_of, is_told, report_on
from games.services.telling import clock_document, verified_hand
from games.tables.laid import LaidHand
from games.tables.replaying import (
    Frame,
    Replay,
    ShownMove,
    Turn,
    Weighed,
    line_of,
    replayed,
    turns_of,
)
from games.tables.reports import DearChoice, dearest
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence
from scoring.core.sheet_state import players_by_seat
from scoring.models import Scoresheet, SheetStatus
from scoring.paper.layout import HandLine, SheetTable, sheet_table
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet

# The latest turns of a hand that are told in words.
_TURNS_TOLD: Final = 2
_NO_SEAT: Final = -1
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
class TableInPlay:
    """A hand of the deal in play: who play it, first side's player first, and who is to move.

    `turn` is None once it is over, and then `line` is what it came to.
    """

    hand: TableHand
    players: tuple[str, str]
    turn: int | None
    line: HandLine | None

    @property
    def to_move(self) -> str:
        """The name of who is to move; "" once the hand is over."""
        return "" if self.turn is None else self.players[self.hand.seats.index(self.turn)]


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table: its sheet, who sits there, the hands of the deal in play, and the hands that are over.

    `sides` are named as on the sheet, and `side_of` has the side of every seat. `seat` is the reader's, None
    for a spectator, who gets no `own`, nor does whoever waits for others. `bots` are the bots by seat, None
    for a member. `tables` are the hands of the deal in play, with `clocks` by seat, none where there is no
    clock. `last_hand` is the latest of the reader's own, or of all for a spectator, and `last` its end, laid
    open; `lines_beside` is what the other hands of its deal came to. `dear` are the reader's choices that
    cost most, `asides` is what he is told beside play.
    """

    match: TableMatch
    table: SheetTable
    sides: tuple[str, ...]
    side_of: tuple[int, ...]
    players: tuple[str, ...]
    bots: tuple[SeatedBot | None, ...]
    seat: int | None
    tables: tuple[TableInPlay, ...]
    own: OwnHand | None
    last: Frame | None
    last_hand: TableHand | None
    lines_beside: tuple[HandLine, ...]
    over: tuple[TableHand, ...]
    clocks: tuple[SeatClock, ...] = ()
    dear: tuple[DearChoice, ...] = ()
    gives_hints: bool = False
    asides: Asides = _NONE

    @property
    def may_speak(self) -> bool:
        """Whether the reader may send the others set phrases."""
        return self.match.has_phrases and self.match.is_live and self.seat is not None

    @property
    def said(self) -> list[tuple[str, TablePhrase]]:
        """The latest phrases, each with the name of who sent it, "" for the reader's own."""
        return [
            ("" if each.seat == self.seat else self.players[each.seat], each) for each in self.asides.phrases
        ]

    @property
    def may_ask_hint(self) -> bool:
        """Whether the reader may ask for a hint now."""
        return self.gives_hints and self.own is not None and self.own.is_turn and not self.own.replies

    @property
    def is_of_several(self) -> bool:
        """Whether more than two play."""
        return len(self.players) > 2

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays against whom: the sides, or the two."""
        return self.sides if self.is_of_several else self.players

    @property
    def title(self) -> str:
        """The same in words: “Ann v Bob”."""
        return f" {_('v')} ".join(self.names)

    @property
    def is_of_tables(self) -> bool:
        """Whether a deal has several hands."""
        return any(hand.table for hand in (*self.over, *[one.hand for one in self.tables]))

    @property
    def deal(self) -> int | None:
        """The number of the deal in play."""
        return self.tables[0].hand.deal if self.tables else None

    @property
    def own_table(self) -> TableInPlay | None:
        """The hand of the deal that the reader plays, or has played; of a table of two its only one."""
        if len(self.tables) == 1 and not self.is_of_several:
            return self.tables[0]
        return next((one for one in self.tables if self.seat in one.hand.seats), None)

    @property
    def other_tables(self) -> tuple[TableInPlay, ...]:
        """The hands of the deal that others play."""
        return tuple([one for one in self.tables if one is not self.own_table])

    @property
    def other_hands_live(self) -> int:
        """How many hands of others are not over."""
        return sum(one.turn is not None for one in self.other_tables)

    @property
    def waits(self) -> bool:
        """Whether the reader has nothing to play until others have played their hands."""
        return self.seat is not None and self.own is None and bool(self.tables)

    @property
    def _across(self) -> int:
        """The seat across from the reader, in the hand in play."""
        own = self.own_table
        if own is None or self.seat not in own.hand.seats:
            return 1
        return own.hand.seats[1 - own.hand.seats.index(self.seat)]

    @property
    def other(self) -> str:
        """Who sits across from the reader."""
        return self.players[self._across]

    @property
    def own_clock(self) -> SeatClock | None:
        """The reader's clock."""
        return self.clocks[self.seat or 0] if self.clocks else None

    @property
    def other_clock(self) -> SeatClock | None:
        """The clock of who sits across."""
        return self.clocks[self._across] if self.clocks else None

    @property
    def is_pause_asked_by_other(self) -> bool:
        """Whether the reader is asked for a pause."""
        asks = self.match.pause_asked_by
        return asks is not None and self.seat is not None and self.side_of[asks] != self.side_of[self.seat]

    @property
    def asks_pause(self) -> str:
        """Who asks for a pause; "" if nobody."""
        asks = self.match.pause_asked_by
        return "" if asks is None else self.players[asks]

    @property
    def loser(self) -> str:
        """The side that has lost by the clock; "" if none."""
        lost = self.match.forfeited_by
        return "" if lost is None else self.sides[lost]

    @property
    def other_bot(self) -> SeatedBot | None:
        """The bot across from the reader."""
        return self.bots[self._across]

    @property
    def is_thinking(self) -> bool:
        """Whether a bot that weighs samples is to move."""
        return self.match.bot_asked_at is not None and bool(self.tables)

    @property
    def is_between_hands(self) -> bool:
        """Whether the latest hand is still to be looked at: its reader has not moved since."""
        return self.own is None or not self.own.has_moved

    @property
    def latest(self) -> Turn | None:
        """The latest turn of the hand in play, for those who hear it; None before the first."""
        return self.own.told[-1] if self.own is not None and self.own.told else None

    @property
    def last_laid(self) -> list[tuple[str, LaidHand]]:
        """Both players with their hands at the end of the latest."""
        if self.last is None or self.last_hand is None:
            return []
        names = [self.players[seat] for seat in self.last_hand.seats]
        return list(zip(names, self.last.hands, strict=True))

    @property
    def standing(self) -> list[tuple[str, int, int]]:
        """Who play against each other, with the games they have won and their total so far."""
        if not self.table.rows:
            return [(name, 0, 0) for name in self.names]
        return list(zip(self.names, self.table.columns_won, self.table.totals, strict=True))

    @property
    def to_move(self) -> str:
        """The name of who is to move in the reader's hand, or the only one; "" if nobody is."""
        return "" if self.own_table is None else self.own_table.to_move


@dataclass(frozen=True, slots=True)
class OwnReport:
    """What the reader's choices in a hand cost, parallel to its moves, and those that cost most.

    `choice` is that of the move that is shown. None were weighed yet if it `is_waited_for`.
    """

    choices: tuple[Appraisal | None, ...]
    dear: tuple[DearChoice, ...]
    choice: Appraisal | None
    is_waited_for: bool


@dataclass(frozen=True, slots=True)
class ShownHint:
    """What a hint advises, and what was weighed for it."""

    action: Action
    weighed: tuple[Weighed, ...]


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
    if reader.kind is ActorKind.TABLE_LINK:
        sides = policy().own_sides(reader, found.sheet)
        own_guest = found.seats.filter(is_guest=True, side__in=sides)
        found.own_seat = own_guest.values_list("number", flat=True).first()
    if found.own_seat is None:
        shown = policy().visible(reader, Scoresheet.objects.filter(pk=found.sheet_id))
        if not shown.exists():
            return None
    return SeenTable(found, reader, found.own_seat)


def table_page(seen: SeenTable) -> TablePage:
    """The page of a table."""
    match, kept = seen.match, seen.kept
    hands = deal_in_play(match) if match.sheet.status == SheetStatus.OPEN else []
    states = [state_of(hand, kept) for hand in hands]
    tables = tuple([_in_play(hand, state) for hand, state in zip(hands, states, strict=True)])
    own = next((each for each in zip(hands, states, strict=True) if seen.seat in each[0].seats), None)
    over = tuple(hands_over(match))
    seen_over = [hand for hand in over if seen.seat is None or seen.seat in hand.seats]
    last = seen_over[-1] if seen_over else None
    # While the deal is in play they are told with its tables.
    in_play = {hand.deal for hand in hands}
    beside = (
        []
        if last is None or last.deal in in_play
        else [hand for hand in over if hand.deal == last.deal and hand.table != last.table]
    )
    chairs = seats_of(match)
    return TablePage(
        match,
        sheet_table(kept.state, left_side=match.sheet.left_side),
        tuple([side.name for side in kept.sides]),
        tuple([chair.side for _number, chair in sorted(chairs.items())]),
        players_by_seat(kept.sides, len(kept.deals) + 1),
        _bots(chairs, kept, len(kept.deals) + 1),
        seen.seat,
        tables,
        None if own is None or own[0].is_over else own_hand(own[1], own[0].seats.index(seen.seat or 0)),
        None if last is None else _replay(last, kept).frames[-1],
        last,
        tuple([line for hand in beside if (line := line_of(state_of(hand, kept))) is not None]),
        over,
        _clocks(match, chairs, tables),
        _dear(seen) if over else (),
        seen.seat is not None and bool(hands) and gives_hints(match),
        asides_for(match, seen.seat),
    )


def own_report(seen: SeenTable, hand: TableHand, move: int) -> OwnReport | None:
    """What the reader's choices in a hand that is over cost; None for whoever is not told, as is no guest."""
    is_guest = seen.reader.kind is ActorKind.TABLE_LINK
    if is_guest or seen.seat not in hand.seats or not is_told(seen.match):
        return None
    choices = report_on(hand, seen.seat)
    if choices is None:
        return OwnReport((), (), None, is_waited_for=True)
    at = choices[move - 1] if 0 < move <= len(choices) else None
    return OwnReport(choices, tuple(dearest({hand.deal: choices})), at, is_waited_for=False)


def shown_hint(seen: SeenTable) -> ShownHint:
    """A hint for the reader's seat; refuses as `hint`."""
    found = hint(actor=seen.reader, match=seen.match, seat=_NO_SEAT if seen.seat is None else seen.seat)
    weighed = [
        Weighed(one.action, one.value, one.samples, one.is_chance, one.action == found.action, one.value)
        for one in found.estimates
    ]
    return ShownHint(found.action, tuple(weighed))


def _dear(seen: SeenTable) -> tuple[DearChoice, ...]:
    if seen.seat is None or not is_told(seen.match):
        return ()
    return tuple(dearest_of(seen.match, seen.seat))


def _in_play(hand: TableHand, state: HandState) -> TableInPlay:
    one, other = state.players
    turn = None if hand.is_over else hand.seats[state.turn]
    return TableInPlay(hand, (one, other), turn, line_of(state))


def _clocks(
    match: TableMatch, chairs: Mapping[int, TableSeat], tables: Sequence[TableInPlay]
) -> tuple[SeatClock, ...]:
    turns = {one.turn: one.hand for one in tables if one.turn is not None}
    told = clock_document(match, chairs, turns, timezone.now()) if match.clock else None
    if told is None or not match.is_live:
        return ()
    return tuple(
        [
            SeatClock(
                int(seat["bank_left"]),
                None if seat["deadline"] is None else turns[number].deadline or match.deadline,
            )
            for number, seat in enumerate(told["seats"])
        ]
    )


def table_hand_page(seen: SeenTable, deal: int, table: int | None) -> tuple[HandPage, Proof] | None:
    """A hand that is over, move by move, and what proves its pack; None if there is none.

    `table` counts from 1; None is the reader's own, or the first. The hands before and after it are those of
    this table.
    """
    match = seen.match
    over = list(hands_over(match))
    of_deal = [one for one in over if one.deal == deal and table in (None, one.table_number)]
    hand = next((one for one in of_deal if seen.seat in one.seats), of_deal[0] if of_deal else None)
    if hand is None:
        return None
    kept = seen.kept
    one, other = players_of(hand, kept)
    bots = _bots(seats_of(match), kept, deal)
    numbers = [each.deal for each in over if each.table == hand.table]
    at = numbers.index(deal)
    hand.match = match
    page = HandPage(
        match,
        deal,
        hand.table_number,
        tuple([each.table + 1 for each in over if each.deal == deal]),
        (
            bots[hand.first_seat] or SeatedBot(one, "", None),
            bots[hand.second_seat] or SeatedBot(other, "", None),
        ),
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
    return replayed(kept.sheet.rules.rules, log, players=players_of(hand, kept))


def _bots(chairs: Mapping[int, TableSeat], kept: KeptSheet, deal: int) -> tuple[SeatedBot | None, ...]:
    """The bots by seat, as they play this deal."""
    seated: dict[int, Any] = {number: _bot_in(chair, deal) for number, chair in chairs.items()}
    return tuple(
        [
            SeatedBot(name, bot["strategy"], bot["level"]) if (bot := seated.get(number)) else None
            for number, name in enumerate(players_by_seat(kept.sides, deal))
        ]
    )


def _bot_in(chair: TableSeat, deal: int) -> Any:
    """The bot that plays this deal in the seat, as JSON; None for a member."""
    if chair.sat_in is not None and deal <= chair.sat_in["until"]:
        return chair.sat_in
    return chair.bot


def own_hand(state: HandState, seat: int) -> OwnHand:
    """A hand in play as this seat may see it."""
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
