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
from games.gin.actions import DRAW, TAKE, TAKE_BELOW, Action, ActionKind, Move
from games.gin.cards import Hand, cards_of, mask_of
from games.gin.judging import fixed_arrangement
from games.gin.melds import Arrangement
from games.gin.offering import knock_choices, lay_off_choices
from games.gin.one_pack import OnePackHand, OpenGame
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.gin.view import Phase, View
from games.models import TableHand, TableMatch, TablePhrase, TableSeat
from games.services.asides import Asides, asides_for
from games.services.hands import (
    deal_in_play,
    hands_over,
    log_of,
    players_of,
    seats_of,
    sides_to_agree,
    state_of,
)
from games.services.hints import gives_hints, hint
from games.services.matches import HandPage, SeatedBot, meeting_words
from games.services.members import settle_time
from games.services.reports import dearest_of, is_told, report_on
from games.services.rummy_pages import MeldDown, OwnRummy, own_rummy
from games.services.telling import clock_document, verified_hand
from games.tables.dealing import hand_class
from games.tables.laid import LaidHand
from games.tables.members import drawn_card
from games.tables.replaying import (
    Frame,
    Replay,
    ShownMove,
    Turn,
    Weighed,
    lines_of,
    replayed,
    turns_of,
)
from games.tables.reports import DearChoice, dearest
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence
from scoring.core.sheet_state import players_by_seat
from scoring.models import Scoresheet, SheetStatus
from scoring.paper.layout import HandLine, SheetTable, TableLine, sheet_table
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet

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

    `turn` is who is to move, `dealer` who has dealt, and `counts` how many cards each holds, by what they are
    called inside the hand; so is `place`, his own. `laid` is the hand in its best arrangement. `drawn` is the
    card that has just come from the stock or the pile. `told` are the latest turns, one of each. `knocks` are
    the ways to knock, and `replies` those to lay off after one, what is offered first. Of two games from one
    pack `view` is of his own, and `beside` is the other; `line` is what his came to if the other goes on.
    """

    place: int
    turn: int
    dealer: int
    counts: tuple[int, ...]
    view: View
    laid: LaidHand
    drawn: int | None
    told: tuple[Turn, ...]
    knocks: tuple[KnockChoice, ...]
    replies: tuple[ReplyChoice, ...]
    beside: OpenGame | None = None
    line: HandLine | TableLine | None = None
    is_rummy = False

    @property
    def is_turn(self) -> bool:
        """Whether its player is to move."""
        return self.turn == self.place

    @property
    def others(self) -> tuple[int, ...]:
        """The others whom he plays against in his game, in turn from his left."""
        if self.beside is not None:
            return (self.base + 1 - self.view.seat,)
        seats = len(self.counts)
        return tuple([(self.place + step) % seats for step in range(1, seats)])

    @property
    def base(self) -> int:
        """What who is 0 in his game is called inside the hand."""
        return self.place - self.view.seat

    @property
    def is_over(self) -> bool:
        """Whether his game is over, while the other goes on."""
        return self.view.phase is Phase.OVER

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
        """The cards that the others took openly and still hold."""
        return cards_of(self.view.known)

    def known_of(self, place: int) -> list[int]:
        """Those of this one of the others."""
        return cards_of(self.view.known_by[place]) if self.view.known_by else self.known

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
    def below(self) -> int | None:
        """The card below the top of the pile, if it may be taken."""
        return self.view.pile[-2] if TAKE_BELOW in self.view.legal else None

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
    """A hand of the deal in play: who play it, in the order of its seats, and who is to move.

    `turn` is None once it is over, and then `lines` are what it came to. From one pack it is two `games`.
    """

    hand: TableHand
    players: tuple[str, ...]
    turn: int | None
    lines: tuple[HandLine | TableLine, ...]
    games: int = 1

    @property
    def title(self) -> str:
        """Who play against each other, in words: “Ann v Bob”."""
        return meeting_words(self.players, self.games)

    @property
    def to_move(self) -> str:
        """The name of who is to move; "" once the hand is over."""
        return "" if self.turn is None else self.players[self.hand.seats.index(self.turn)]


@dataclass(frozen=True, slots=True)
class Across:
    """One of the others in the reader's hand: what he knows of him.

    `count` is how many cards he holds, None where two play gin, whose hands are always full; `known` are
    those that he took openly.
    """

    name: str
    bot: SeatedBot | None
    is_dealer: bool
    is_turn: bool
    known: list[int]
    count: int | None = None
    clock: SeatClock | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """One of the two who play the other game from the reader's pack, as everybody may know it.

    `known` are cards that he took openly, `laid` is his hand once it lies open, `told` his latest turn.
    """

    name: str
    bot: SeatedBot | None
    is_partner: bool
    is_turn: bool
    count: int
    known: list[int]
    laid: LaidHand | None
    told: Turn | None
    clock: SeatClock | None


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table: its sheet, who sits there, the hands of the deal in play, and the hands that are over.

    `sides` are named as on the sheet, and `side_of` has the side of every seat. `seat` is the reader's, None
    for a spectator, who gets no `own`, nor does whoever waits for others. `bots` are the bots by seat, None
    for a member. `tables` are the hands of the deal in play, with `clocks` by seat, none where there is no
    clock. `last_hand` is the latest of the reader's own, or of all for a spectator, and `last` its end, laid
    open; `lines_beside` is what the other hands of its deal came to. `dear` are the reader's choices that
    cost most, `asides` is what he is told beside play. `sides_to_agree` have not agreed to the pause that is
    asked for.
    """

    match: TableMatch
    table: SheetTable
    sides: tuple[str, ...]
    side_of: tuple[int, ...]
    players: tuple[str, ...]
    bots: tuple[SeatedBot | None, ...]
    seat: int | None
    tables: tuple[TableInPlay, ...]
    own: OwnHand | OwnRummy | None
    last: Frame | None
    last_hand: TableHand | None
    lines_beside: tuple[HandLine | TableLine, ...]
    over: tuple[TableHand, ...]
    clocks: tuple[SeatClock, ...] = ()
    dear: tuple[DearChoice, ...] = ()
    gives_hints: bool = False
    asides: Asides = _NONE
    sides_to_agree: frozenset[int] = frozenset()

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
        seats = own.hand.seats
        if self.own is not None:
            return seats[self.own.others[0]]
        return seats[(seats.index(self.seat) + 1) % len(seats)]

    @property
    def other(self) -> str:
        """Who sits across from the reader; of several who is next."""
        return self.players[self._across]

    @property
    def across(self) -> list[Across]:
        """The others in the reader's hand, from his left."""
        if self.own is None or self.own_table is None:
            return []
        own, seats = self.own, self.own_table.hand.seats
        return [
            Across(
                self.players[seats[place]],
                self.bots[seats[place]],
                own.dealer == place,
                own.turn == place,
                own.known_of(place),
                own.counts[place] if len(seats) > 2 or own.is_rummy else None,
                self.clocks[seats[place]] if self.clocks else None,
            )
            for place in own.others
        ]

    @property
    def dealer(self) -> str:
        """Who has dealt the reader's hand; "" for himself."""
        own, hand = self.own, self.own_table
        if own is None or hand is None or own.dealer == own.place:
            return ""
        return self.players[hand.hand.seats[own.dealer]]

    @property
    def told(self) -> list[tuple[str, Turn]]:
        """The latest turns of the reader's hand, each with the name of whose it was, "" for his own."""
        if self.own is None or self.own_table is None:
            return []
        seats = self.own_table.hand.seats
        return [
            ("" if turn.seat == self.own.view.seat else self.players[seats[self.own.base + turn.seat]], turn)
            for turn in self.own.told
        ]

    @property
    def melds(self) -> list[tuple[str, MeldDown]]:
        """In rummy the melds on the table, each with the name of who laid it down, "" for the reader."""
        if not isinstance(self.own, OwnRummy) or self.own_table is None:
            return []
        seats = self.own_table.hand.seats
        return [
            ("" if meld.place == self.own.place else self.players[seats[meld.place]], meld)
            for meld in self.own.melds
        ]

    @property
    def beside(self) -> list[Beside]:
        """Who play the other game from the same pack: the reader's partner first."""
        if not isinstance(self.own, OwnHand) or self.own.beside is None or self.own_table is None:
            return []
        own, game, seats = self.own, self.own.beside, self.own_table.hand.seats
        told: dict[int, Turn] = {turn.seat: turn for turn in turns_of(_shown_moves(game.moves, game.laid))}
        found = []
        for place in (0, 1):
            seat = seats[2 - own.base + place]
            shown = game.shown[place]
            found.append(
                Beside(
                    self.players[seat],
                    self.bots[seat],
                    self.side_of[seat] == self.side_of[seats[own.place]],
                    own.turn == 2 - own.base + place,
                    own.counts[2 - own.base + place],
                    cards_of(game.known[place]),
                    None if shown is None else LaidHand.best(shown, ace=own.view.rules.ace),
                    told.get(place),
                    self.clocks[seat] if self.clocks else None,
                )
            )
        return sorted(found, key=lambda one: not one.is_partner)

    @property
    def beside_pile(self) -> tuple[int, ...]:
        """The pile of that game, the latest card first."""
        game = None if self.own is None else self.own.beside
        return () if game is None else tuple(reversed(game.pile))

    @property
    def own_clock(self) -> SeatClock | None:
        """The reader's clock."""
        return self.clocks[self.seat or 0] if self.clocks else None

    @property
    def is_pause_asked_by_other(self) -> bool:
        """Whether the reader is asked for a pause that his side has not agreed to."""
        return (
            self.match.pause_asked_by is not None
            and self.seat is not None
            and self.side_of[self.seat] in self.sides_to_agree
        )

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
    def is_thinking(self) -> bool:
        """Whether a bot that weighs samples is to move."""
        return self.match.bot_asked_at is not None and bool(self.tables)

    @property
    def is_between_hands(self) -> bool:
        """Whether the latest hand is still to be looked at: its reader has not moved since."""
        return self.own is None or not self.own.has_moved

    @property
    def latest(self) -> tuple[str, Turn] | None:
        """The latest turn of the hand in play, for those who hear it; None before the first."""
        return self.told[-1] if self.told else None

    @property
    def last_laid(self) -> list[tuple[str, LaidHand]]:
        """The players of the latest hand with their cards at its end."""
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
        None if own is None or own[0].is_over else _own(own[1], own[0].seats.index(seen.seat or 0)),
        None if last is None else _replay(last, kept).frames[-1],
        last,
        tuple([line for hand in beside for line in lines_of(state_of(hand, kept))]),
        over,
        _clocks(match, chairs, tables),
        _dear(seen) if over else (),
        seen.seat is not None and bool(hands) and gives_hints(match),
        asides_for(match, seen.seat),
        sides_to_agree(chairs),
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


def _own(state: InPlay, seat: int) -> OwnHand | OwnRummy:
    return own_rummy(state, seat) if isinstance(state, RummyHand) else own_hand(state, seat)


def _in_play(hand: TableHand, state: InPlay) -> TableInPlay:
    turn = None if hand.is_over else hand.seats[state.turn]
    games = len(state.games) if isinstance(state, OnePackHand) else 1
    return TableInPlay(hand, state.players, turn, lines_of(state), games)


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
    names = players_of(hand, kept)
    bots = _bots(seats_of(match), kept, deal)
    numbers = [each.deal for each in over if each.table == hand.table]
    at = numbers.index(deal)
    hand.match = match
    page = HandPage(
        match,
        deal,
        hand.table_number,
        tuple([each.table + 1 for each in over if each.deal == deal]),
        tuple(
            [bots[seat] or SeatedBot(name, "", None) for seat, name in zip(hand.seats, names, strict=True)]
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
    rules = kept.sheet.rules.rules
    kind = hand_class(rules, len(kept.sides[0].players))
    return replayed(rules, log_of(hand, kept), players=players_of(hand, kept), kind=kind)


def _bots(chairs: Mapping[int, TableSeat], kept: KeptSheet, deal: int) -> tuple[SeatedBot | None, ...]:
    """The bots by seat."""
    seated: dict[int, Any] = {number: chair.bot for number, chair in chairs.items()}
    return tuple(
        [
            SeatedBot(name, bot["strategy"], bot["level"]) if (bot := seated.get(number)) else None
            for number, name in enumerate(players_by_seat(kept.sides, deal))
        ]
    )


def own_hand(state: InPlay, seat: int) -> OwnHand:
    """A hand in play as this seat may see it."""
    view = state.view(seat)
    return OwnHand(
        seat,
        state.turn,
        state.dealer,
        state.counts,
        view,
        LaidHand.best(view.mask, ace=view.rules.ace),
        drawn_card(state) if state.turn == seat else None,
        turns_of(_shown_moves(view.moves, view.laid))[-_told_at_once(state) :],
        tuple([_knock_choice(view, action) for action in knock_choices(view)]),
        tuple([_reply_choice(view, action) for action in lay_off_choices(view)]),
        state.beside(seat) if isinstance(state, OnePackHand) else None,
        next(iter(lines_of(state.games[seat // 2])), None) if isinstance(state, OnePackHand) else None,
    )


def _told_at_once(state: InPlay) -> int:
    """How many turns are told: as many as play one game."""
    return 2 if isinstance(state, OnePackHand) else len(state.players)


def _shown_moves(moves: Sequence[Move], laid: Arrangement | None) -> list[ShownMove]:
    """Moves of a game in play; what a knock leaves is the only deadwood that is known before the end."""
    left = None if laid is None else laid.deadwood
    return [
        ShownMove(number, move.seat, move.kind, move.card, None if move.kind is ActionKind.LAY_OFF else left)
        for number, move in enumerate(moves, start=1)
    ]


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
