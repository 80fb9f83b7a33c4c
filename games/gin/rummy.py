"""A hand of basic rummy in play: two to six, who lay melds down in the course of play (RULES §8).

    DRAW   draw from the stock, or take the top of the pile -> PLAY. The pile becomes the stock when somebody
           draws who finds none left. Where that is not to be had any more: take the top of the pile -> PLAY,
           or pass -> OVER, blocked
    PLAY   lay down a meld, lay a card off -> PLAY, or the turn ends, as below, if no card is left; discard ->
           DRAW of the next. Who has no card left is out -> OVER, or, where he floats, the next draws

Of two, the clock may end it in any phase: time-out -> OVER. Seats are numbered from 0, and turns go up.
"""

from typing import ClassVar, cast

from games.errors import GameError
from games.gin.cards import CARD_TEXTS, CARD_VALUES, RANK_COUNT, Hand, cards_of
from games.gin.melds import fitting, meld_of, melds_in
from games.gin.playing import Reshuffled, Stock, dealt
from games.gin.refusals import MOST_TAKES_RUNNING
from games.gin.rummy_actions import (
    DISCARDS,
    DRAW,
    PASS,
    TAKE,
    TIME_OUT,
    RummyAction,
    RummyActionKind,
    RummyMove,
    lay_off,
    meld_down,
)
from games.gin.rummy_view import MeldOnTable, RummyPhase, RummyView
from scoring.core.kinds import kind_of
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import RummyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import Blocked, Out, TableScore


class RummyHand(Reshuffled[RummyAction, RummyView]):
    """A hand of rummy being played.

    Where the pile becomes the stock shuffled, each of `orders` is a pack that gives its order, once.
    """

    hands: list[int]
    _TIME_OUT: ClassVar[RummyAction] = TIME_OUT

    __slots__ = (
        "_committed",
        "_known",
        "_laid_before",
        "_melds_in_turn",
        "_moves",
        "_pile",
        "_stock",
        "_taken",
        "_takes_running",
        "_takes_without_stock",
        "hands",
        "has_laid",
        "has_melded",
        "knobs",
        "melds",
        "phase",
        "result",
    )

    def _deal(self) -> None:
        """Deals one card at a time from the dealer's left, and turns one up."""
        self.knobs = cast("RummyKnobs", self.rules.own)
        size = kind_of(self.rules).hand_size(self.rules, len(self.players))
        number = size * len(self.players)
        # By seat, as masks.
        self.hands = dealt(self.deck, self._from(self.turn), size)
        self._known = [0] * len(self.players)
        self._pile: tuple[int, ...] = (self.deck[number],)
        self._stock = Stock(self.deck[number + 1 :])
        self.melds: list[MeldOnTable] = []
        # Who has laid down a meld of his own, and who has laid down or off anything at all.
        self.has_melded = [False] * len(self.players)
        self.has_laid = [False] * len(self.players)
        self.phase = RummyPhase.DRAW
        self.result: Out | Blocked | None = None
        # How many turns running have begun with the pile, and how many of them when no card could be drawn
        # any more.
        self._takes_running = 0
        self._takes_without_stock = 0
        self._moves: tuple[RummyMove, ...] = ()
        # In this turn: the card taken from the pile, melds laid down, whether anything was laid before it,
        # and whether the whole hand must be laid down, as a second meld was.
        self._taken: int | None = None
        self._melds_in_turn = 0
        self._laid_before = False
        self._committed = False

    @staticmethod
    def parsed(text: str) -> RummyAction:
        return RummyAction.parse(text)

    @staticmethod
    def orders_needed(rules: Rules) -> int:
        knobs = cast("RummyKnobs", rules.own)
        return knobs.turnovers if knobs.stock == "shuffled" else 0

    @property
    def is_over(self) -> bool:
        return self.phase is RummyPhase.OVER

    @property
    def results(self) -> tuple[Out | Blocked, ...]:
        return () if self.result is None else (self.result,)

    @property
    def pile(self) -> tuple[int, ...]:
        """The discard pile from bottom to top."""
        return self._pile

    def score(self) -> TableScore:
        """The score of the hand, by the scorer of paper sheets; refuses `not_over` before its end."""
        if self.result is None:
            raise GameError("not_over", mark("The hand is not over yet."))
        return cast("TableScore", kind_of(self.rules).score_hand(self.rules, self.result))

    def view(self, seat: int) -> RummyView:
        in_turn = seat == self.turn and self.phase is not RummyPhase.OVER
        is_open = bool(self.renewed) and self.knobs.stock == "turned_over"
        return RummyView(
            self.rules,
            seat,
            self.dealer,
            self.phase,
            self.turn,
            self.hands[seat],
            tuple([mask.bit_count() for mask in self.hands]),
            tuple(self._known),
            tuple(self.melds),
            self._pile,
            self._stock.left,
            self.stock if is_open else (),
            self.renewed,
            self._taken if in_turn else None,
            self._moves,
            self.legal_actions() if in_turn else (),
            None if self.result is None else tuple(self.hands),
            self.result,
        )

    def known(self, action: object) -> RummyAction | None:
        if not isinstance(action, RummyAction):
            return None
        try:
            return RummyAction.parse(str(action))
        except GameError:
            return None

    # Effects of actions, which are legal here.

    def _carry_out(self, action: RummyAction) -> None:
        match action.kind:
            case RummyActionKind.DRAW:
                self._draw()
            case RummyActionKind.TAKE:
                self._take()
            case RummyActionKind.PASS:
                self._note(action)
                self._block()
            case RummyActionKind.MELD:
                self._meld(action)
            case RummyActionKind.LAY_OFF:
                self._lay_off(action)
            case RummyActionKind.TIME_OUT:
                self._run_out()
            case _:
                self._discard(action)

    def _draw(self) -> None:
        if not self._stock.left:
            self._turn_over()
        self._note(DRAW)
        card = self._stock.draw()
        self._drawn_since[self.turn] += 1
        self.hands[self.turn] |= 1 << card
        if self.renewed and self.knobs.stock == "turned_over":
            # Everybody saw it in the pile.
            self._known[self.turn] |= 1 << card
        self._takes_running = 0
        self._begin_play()

    def _turn_over(self) -> None:
        """The pile becomes the stock."""
        if self.knobs.stock == "turned_over":
            self._stock.renew(self._pile)
            self._pile = ()
        else:
            self._shuffle_again(self._stock, self._pile[:-1])
            self._pile = self._pile[-1:]
        self.renewed += 1

    def _take(self) -> None:
        if not self._can_draw:
            self._takes_without_stock += 1
        card = self._pile[-1]
        self._pile = self._pile[:-1]
        self.hands[self.turn] |= 1 << card
        self._known[self.turn] |= 1 << card
        self._taken = card
        self._takes_running += 1
        self._moves += (RummyMove(self.turn, RummyActionKind.TAKE, 1 << card),)
        self._begin_play()

    def _begin_play(self) -> None:
        self.phase = RummyPhase.PLAY
        self._laid_before = self.has_laid[self.turn]

    def _meld(self, action: RummyAction) -> None:
        meld = meld_of(Hand(action.cards), ace=self.knobs.ace)
        assert meld is not None  # noqa: S101 (it is legal)
        self.melds.append(MeldOnTable(meld, self.turn))
        self._melds_in_turn += 1
        self._committed = self.knobs.melds == "one" and self._melds_in_turn > 1
        self.has_melded[self.turn] = True
        self._put_down(action)

    def _lay_off(self, action: RummyAction) -> None:
        assert action.meld is not None  # noqa: S101 (it is legal)
        laid = self.melds[action.meld]
        longer = meld_of(Hand(laid.meld.mask | action.cards), ace=self.knobs.ace)
        assert longer is not None  # noqa: S101 (it is legal)
        self.melds[action.meld] = MeldOnTable(longer, laid.seat)
        self._put_down(action)

    def _put_down(self, action: RummyAction) -> None:
        """The cards leave the hand for the table; without any left the turn ends."""
        self._let_go(action)
        self.has_laid[self.turn] = True
        if not self.hands[self.turn]:
            if self.knobs.last_discard:
                self._end_turn()
            else:
                self._go_out()

    def _discard(self, action: RummyAction) -> None:
        self._let_go(action)
        self._pile += (action.cards.bit_length() - 1,)
        if not self.hands[self.turn]:
            self._go_out()
        else:
            self._end_turn()

    def _let_go(self, action: RummyAction) -> None:
        self.hands[self.turn] ^= action.cards
        self._known[self.turn] &= ~action.cards
        self._note(action)

    def _end_turn(self) -> None:
        if self._takes_without_stock == len(self.players):
            self._block()
            return
        self.turn = self.after(self.turn)
        self.phase = RummyPhase.DRAW
        self._taken = None
        self._melds_in_turn = 0
        self._committed = False

    def _go_out(self) -> None:
        others = self._from(self.after(self.turn))[:-1]
        left = tuple([(self.players[seat], self._count(seat)) for seat in others])
        self.result = Out(self.players[self.turn], left, not self._laid_before and self.has_laid[self.turn])
        self.phase = RummyPhase.OVER

    def _run_out(self) -> None:
        """The other wins as if he had gone out; of a card too many the dearest goes that may be discarded.

        The last stays: nobody goes out by time.
        """
        late = self.turn
        may_go = [one.cards for one in self.legal_actions() if one.kind is RummyActionKind.DISCARD]
        gone = max(may_go, key=self._worth) if self.hands[late].bit_count() > 1 and may_go else 0
        self.hands[late] ^= gone
        self._known[late] &= ~gone
        self._pile += tuple(cards_of(gone))
        self._note(RummyAction(RummyActionKind.TIME_OUT, gone))
        left = ((self.players[late], self._count(late)),)
        self.result = Out(self.players[self.after(late)], left, by_time=True)
        self._legal = None
        self.phase = RummyPhase.OVER

    def _block(self) -> None:
        self.result = Blocked(tuple([(self.players[seat], self._count(seat)) for seat in self._from(0)]))
        self.phase = RummyPhase.OVER

    def _count(self, seat: int) -> int:
        """What is left in a hand, matched or not."""
        return self._worth(self.hands[seat])

    def _worth(self, mask: int) -> int:
        """What these cards count."""
        ace = self.knobs.ace_points
        return sum([CARD_VALUES[card] if card % RANK_COUNT else ace for card in cards_of(mask)])

    def _note(self, action: RummyAction) -> None:
        self._moves += (RummyMove(self.turn, action.kind, action.cards, action.meld),)

    # Legal actions.

    def _find_legal(self) -> tuple[RummyAction, ...]:
        match self.phase:
            case RummyPhase.DRAW:
                return self._ways_to_draw()
            case RummyPhase.PLAY:
                return tuple(self._ways_to_play())
        return ()

    @property
    def _can_draw(self) -> bool:
        """Whether there is a stock, or the pile becomes one."""
        if self._stock.left:
            return True
        least = 1 if self.knobs.stock == "turned_over" else 2
        return self.renewed < self.knobs.turnovers and len(self._pile) >= least

    def _ways_to_draw(self) -> tuple[RummyAction, ...]:
        can_take = bool(self._pile) and self._can_use(self._pile[-1])
        if not self._can_draw:
            return (TAKE, PASS) if can_take else (PASS,)
        can_take = can_take and self._takes_running < MOST_TAKES_RUNNING
        return (DRAW, TAKE) if can_take else (DRAW,)

    def _can_use(self, card: int) -> bool:
        """Whether a turn can end that takes this card: who has no other must lay it off."""
        return bool(self.hands[self.turn]) or bool(self._places_for(card))

    def _ways_to_play(self) -> list[RummyAction]:
        seat, mask = self.turn, self.hands[self.turn]
        found = []
        if self.knobs.melds == "any" or not self._melds_in_turn:
            found += [
                meld_down(meld) for meld in melds_in(mask, self.knobs.ace) if self._may_put_down(meld, meld)
            ]
        elif melds := melds_in(mask, self.knobs.ace):
            # A second meld only if the whole hand goes.
            found += [meld_down(meld) for meld in melds if self._goes_whole(mask ^ meld, meld)]
        if self.melds and (self.has_melded[seat] or self.knobs.lay_off == "always"):
            for card in cards_of(mask & self._open_ends()):
                found += [
                    lay_off(card, place)
                    for place in self._places_for(card)
                    if self._may_put_down(1 << card, self.melds[place].meld.mask | 1 << card, place)
                ]
        return found + [
            DISCARDS[card]
            for card in cards_of(mask)
            if card != self._taken and (not self._committed or mask == 1 << card)
        ]

    def _open_ends(self) -> int:
        """The cards that fit some meld on the table."""
        ends = 0
        for laid in self.melds:
            ends |= fitting(laid.meld.mask, self.knobs.ace)
        return ends

    def _places_for(self, card: int) -> list[int]:
        """The melds that the card fits."""
        ace = self.knobs.ace
        return [place for place, laid in enumerate(self.melds) if fitting(laid.meld.mask, ace) >> card & 1]

    def _may_put_down(self, cards: int, meld: int, place: int | None = None) -> bool:
        """Whether the turn can be ended after these cards have become this meld, a new one or at `place`."""
        left = self.hands[self.turn] ^ cards
        if self._committed:
            return self._goes_whole(left, meld, place)
        if not left:
            return self._may_have_none
        taken = self._taken
        if taken is None or left != 1 << taken:
            # One card at least can be discarded.
            return True
        # What was just taken must go on a meld.
        return self._may_have_none and any(
            fitting(mask, self.knobs.ace) >> taken & 1 for mask in self._table(meld, place)
        )

    @property
    def _may_have_none(self) -> bool:
        """Whether all cards may be laid down and off, so that none is discarded."""
        return not self.knobs.last_discard or self.knobs.floating

    def _goes_whole(self, left: int, meld: int, place: int | None = None) -> bool:
        """Whether all these cards can go in this turn, after the meld was laid down, or made at `place`."""
        return _can_go(
            left,
            tuple(self._table(meld, place)),
            self.knobs.ace,
            0 if self._taken is None else 1 << self._taken,
            needs_discard=not self._may_have_none,
        )

    def _table(self, meld: int, place: int | None) -> list[int]:
        """The melds on the table with this one, new or in the place of another."""
        table = [laid.meld.mask for laid in self.melds]
        if place is None:
            return [*table, meld]
        table[place] = meld
        return table

    def refusal(self, action: RummyAction) -> GameError:
        code, reason = _why_not(self.view(self.turn), action)
        return GameError(code, reason, field="action")


def _can_go(left: int, table: tuple[int, ...], ace: str, taken: int, *, needs_discard: bool) -> bool:
    """Whether all cards can be melded, laid off on this table, or one of them discarded at last.

    That one is not the card `taken` from the pile (a mask), and must be there if `needs_discard`.
    """
    if not left:
        return not needs_discard
    if left.bit_count() == 1 and left != taken:
        return True
    for meld in melds_in(left, ace):
        if _can_go(left ^ meld, (*table, meld), ace, taken, needs_discard=needs_discard):
            return True
    for card in cards_of(left):
        for place, meld in enumerate(table):
            if fitting(meld, ace) >> card & 1:
                after = (*table[:place], meld | 1 << card, *table[place + 1 :])
                if _can_go(left ^ 1 << card, after, ace, taken, needs_discard=needs_discard):
                    return True
    return False


def _why_not(view: RummyView, action: RummyAction) -> tuple[str, Message]:
    """Why an action is not legal, from what the player may know."""
    kind, cards, meld = action
    if view.phase is RummyPhase.OVER:
        return "hand_over", mark("The hand is over.")
    if kind is RummyActionKind.TIME_OUT:
        return "unknown_action", mark("That is not an action of a hand.")
    is_drawing = kind in (RummyActionKind.DRAW, RummyActionKind.TAKE, RummyActionKind.PASS)
    if view.phase is RummyPhase.DRAW:
        if not is_drawing:
            return "not_now", mark("Draw from the stock or take the top discard.")
        if kind is RummyActionKind.DRAW:
            return "stock_finished", mark("The stock is finished: take the top discard, or pass.")
        if kind is RummyActionKind.PASS:
            return "not_now", mark("There is a stock to draw from.")
        return "pile_closed", mark("The top discard cannot be taken now.")
    if is_drawing:
        return "not_now", mark("A card has been drawn; lay down, lay off or discard.")
    if cards & ~view.mask or not cards:
        foreign = Hand(cards & ~view.mask)
        return "not_in_hand", mark("%(cards)s is not in the hand.", cards=str(foreign))
    if kind is RummyActionKind.DISCARD:
        if view.taken is not None and cards == 1 << view.taken:
            card = CARD_TEXTS[view.taken]
            return "taken_card", mark("%(card)s was taken from the pile in this turn and is kept.", card=card)
        return "must_go_out", mark("A second meld was laid down, so the whole hand is.")
    ace = cast("RummyKnobs", view.rules.own).ace
    if kind is RummyActionKind.MELD:
        if meld_of(Hand(cards), ace=ace) is None:
            return "not_a_meld", mark("“%(cards)s” is neither a set nor a run.", cards=str(Hand(cards)))
    elif meld is None or meld >= len(view.melds) or fitting(view.melds[meld].meld.mask, ace) & cards != cards:
        return "not_a_meld", mark("%(cards)s does not go there.", cards=str(Hand(cards)))
    return "not_played", mark("Under these rules that cannot be laid down in this turn.")
