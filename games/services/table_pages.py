"""A table of members as a reader may see it: the sheet, his own hand in play, and how the others stand."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from games.gin.actions import Action
from games.gin.cards import cards_of
from games.gin.one_pack import OnePackHand
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction
from games.models import TableHand, TableMatch, TablePhrase, TableSeat
from games.services.asides import Asides, asides_for
from games.services.hands import (
    UnreadableHand,
    deal_in_play,
    hands_over,
    seats_of,
    sides_to_agree,
    state_of,
)
from games.services.hints import gives_hints, hint
from games.services.matches import SeatedBot, meeting_words
from games.services.members import stop_for_hand
from games.services.own_hands import OwnHand, own_hand, shown_moves
from games.services.packs import is_withheld
from games.services.rummy_pages import MeldDown, OwnRummy, own_rummy
from games.services.seen_tables import SeenTable
from games.services.shown_hands import bots_of, dear_choices, replay_of
from games.services.telling import clock_document
from games.tables.laid import LaidHand
from games.tables.replaying import (
    SeatTurn,
    Snapshot,
    Weighed,
    lines_of,
    turns_of,
    weighed_of,
)
from games.tables.reports import DearChoice
from scoring.core.sheet_state import players_by_seat
from scoring.models import SheetStatus
from scoring.paper.layout import HandLine, SheetTable, TableLine, sheet_table
from scoring.services.records import KeptSheet

_NO_SEAT: Final = -1
_NONE: Final = Asides()


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
    """A hand of the deal in play: who play it, in the order of its seats, bots marked, and who is to move.

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
    told: SeatTurn | None
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
    asked for. While its hands are withheld, as other tables play the same packs, none is `over`, and the end
    of the latest is for those who have played it.
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
    last: Snapshot | None
    last_hand: TableHand | None
    lines_beside: tuple[HandLine | TableLine, ...]
    over: tuple[TableHand, ...]
    clocks: tuple[SeatClock, ...] = ()
    dear: tuple[DearChoice, ...] = ()
    gives_hints: bool = False
    asides: Asides = _NONE
    sides_to_agree: frozenset[int] = frozenset()
    is_withheld: bool = False

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
        may = self.gives_hints and not self.match.stands_still
        return may and self.own is not None and self.own.is_turn and not self.own.replies

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
    def told(self) -> list[tuple[str, SeatTurn]]:
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
        told: dict[int, SeatTurn] = {turn.seat: turn for turn in turns_of(shown_moves(game.moves, game.laid))}
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
        """The side that has lost by the clock, or has given up; "" if none."""
        lost = self.match.forfeited_by
        return "" if lost is None else self.sides[lost]

    @property
    def winner(self) -> str:
        """The side to which the game goes thereby; "" as long as its sheet is open for others to go on."""
        lost = self.match.forfeited_by
        return "" if lost is None or self.match.sheet.status == SheetStatus.OPEN else self.sides[1 - lost]

    @property
    def is_given_up(self) -> bool:
        """Whether who has lost so still had time."""
        return self.match.forfeited_by is not None and not self.match.is_lost_by_time

    @property
    def is_thinking(self) -> bool:
        """Whether a bot that weighs samples is to move."""
        return self.match.bot_asked_at is not None and bool(self.tables)

    @property
    def is_between_hands(self) -> bool:
        """Whether the latest hand is still to be looked at: its reader has not moved since."""
        return self.own is None or not self.own.has_moved

    @property
    def latest(self) -> tuple[str, SeatTurn] | None:
        """The latest turn of the hand in play, for those who hear it; None before the first."""
        return self.told[-1] if self.told else None

    @property
    def last_laid(self) -> list[tuple[str, LaidHand]]:
        """The players of the latest hand with their cards at its end."""
        if self.last is None or self.last_hand is None:
            return []
        names = [self.players[seat] for seat in self.last_hand.seats]
        laid = list(zip(names, self.last.hands, strict=True))
        # After a dead hand nobody lays his cards down, and after one that is lost by time who has lost it.
        out_of_time = set(self.last.endings) if set(self.last.endings.values()) <= {"time_out"} else None
        if self.is_withheld and out_of_time is not None and self.seat in self.last_hand.seats:
            shown = out_of_time | {self.last_hand.seats.index(self.seat)}
            return [laid[place] for place in sorted(shown)]
        return laid

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
class ShownHint:
    """What a hint advises, what was weighed for it, and by how much two of these are off (`Advice.error`)."""

    action: Action | RummyAction
    weighed: tuple[Weighed, ...]
    error: float


def table_page(seen: SeenTable) -> TablePage:
    """The page of a table; raises `UnreadableHand`, after stopping play, where one in play cannot be read.

    Of hands that are over and cannot be read the end is not shown.
    """
    try:
        return _table_page(seen)
    except UnreadableHand as failure:
        stop_for_hand(seen.match, failure)
        raise


def _table_page(seen: SeenTable) -> TablePage:
    match = seen.match
    hands = deal_in_play(match) if match.sheet.status == SheetStatus.OPEN else []
    kept = seen.kept
    states = [state_of(hand, kept) for hand in hands]
    chairs = seats_of(match)
    tables = tuple([_in_play(hand, state, chairs) for hand, state in zip(hands, states, strict=True)])
    own = next((each for each in zip(hands, states, strict=True) if seen.seat in each[0].seats), None)
    over, withheld = tuple(hands_over(match)), is_withheld(match)
    seen_over = [hand for hand in over if seen.seat in hand.seats or (seen.seat is None and not withheld)]
    last = seen_over[-1] if seen_over else None
    # While the deal is in play they are told with its tables.
    in_play = {hand.deal for hand in hands}
    beside = (
        []
        if last is None or last.deal in in_play
        else [hand for hand in over if hand.deal == last.deal and hand.table != last.table]
    )
    return TablePage(
        match,
        sheet_table(kept.state, left_side=match.sheet.left_side),
        tuple([side.name for side in kept.sides]),
        tuple([chair.side for _number, chair in sorted(chairs.items())]),
        players_by_seat(kept.sides, len(kept.deals) + 1),
        bots_of(chairs, kept, len(kept.deals) + 1),
        seen.seat,
        tables,
        None if own is None or own[0].is_over else _own(match, own[1], own[0].seats.index(seen.seat or 0)),
        None if last is None else _end_of(last, kept),
        last,
        tuple([line for hand in beside if (end := _end_of(hand, kept)) for line in end.lines]),
        () if withheld else over,
        _clocks(match, chairs, tables),
        dear_choices(seen) if over else (),
        seen.seat is not None and bool(hands) and gives_hints(match),
        asides_for(match, seen.seat),
        sides_to_agree(chairs),
        withheld,
    )


def shown_hint(seen: SeenTable) -> ShownHint:
    """A hint for the reader's seat; refuses as `hint`."""
    advice = hint(
        actor=seen.reader, match=seen.match, seat=_NO_SEAT if seen.seat is None else seen.seat
    ).advice
    return ShownHint(advice.action, weighed_of(advice.estimates, advice.action), advice.error)


def _end_of(hand: TableHand, kept: KeptSheet) -> Snapshot | None:
    """How a hand that is over lies in the end; None if it cannot be read."""
    try:
        return replay_of(hand, kept).frames[-1]
    except UnreadableHand:
        return None


def _own(match: TableMatch, state: InPlay, seat: int) -> OwnHand | OwnRummy:
    """The reader's hand; while play stands still there is nothing to be done with it."""
    own = own_rummy(state, seat) if isinstance(state, RummyHand) else own_hand(state, seat)
    return own.standing_still() if match.stands_still else own


def _in_play(hand: TableHand, state: InPlay, chairs: Mapping[int, TableSeat]) -> TableInPlay:
    players = tuple(
        [
            name if chairs[seat].bot is None else _("%(name)s (bot)") % {"name": name}
            for seat, name in zip(hand.seats, state.players, strict=True)
        ]
    )
    turn = None if hand.is_over else hand.seats[state.turn]
    games = len(state.games) if isinstance(state, OnePackHand) else 1
    return TableInPlay(hand, players, turn, lines_of(state), games)


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
