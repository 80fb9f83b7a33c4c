"""Hands of gin in play: of any seats (`GinHand`), and of two with a pack of their own (RULES §3).

    UPCARD_ELDER   who may take the upcard before the dealer takes it -> DISCARD, or passes to the next
    UPCARD_DEALER  the dealer takes it -> DISCARD, or passes -> STOCK
    STOCK          who has the first turn draws from the stock -> DISCARD
    DRAW           stock or pile -> DISCARD
    DISCARD        discard -> DRAW of the next, or knock, gin, big gin -> OVER; with elder's eleven cards the
                   hand begins here. After the last card that may be drawn a discard leads to OVER, or to
                   LAST_OFFER
    LAST_OFFER     take the last discard and knock with it -> LAST_KNOCK, or pass to the next; at last -> OVER
    LAST_KNOCK     knock, gin, big gin -> OVER
    LAY_OFF        after a knock of two that names its melds: the defender melds and lays off -> OVER

Of two, the clock may end it in any phase: time-out -> OVER.

Seats are numbered from 0, and turns go up.
"""

import random
from abc import abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

from games.errors import GameError
from games.gin.actions import (
    ALL_ACTIONS,
    BIG_GIN,
    DISCARDS,
    DRAW,
    GINS,
    KNOCKS,
    LAY_OFF,
    PASS,
    TAKE,
    TIME_OUT,
    Action,
    ActionKind,
    Move,
)
from games.gin.cards import ALL_CARDS, CARD_COUNT, CARD_TEXTS, Hand
from games.gin.judging import best_laid_down, fixed_arrangement, fixed_reply
from games.gin.layoffs import LayOff, Reply, reply
from games.gin.melds import Arrangement, deadwood_of, deadwood_without_each
from games.gin.playing import Pack, Playing, Stock, dealt, shuffle
from games.gin.refusals import MOST_TAKES_RUNNING, above_limit, refusal
from games.gin.view import Phase, View
from scoring.core.hands import BigGin, Dead, Gin, HandResult, HandScore, Knock, hand_limit, score_hand
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.table_hands import TableKnock

# The last two cards of the stock are never drawn.
NEVER_DRAWN: Final = 2
# Cards for each of two.
HAND_SIZE: Final = 10
_KNOWN: Final = {action: action for action in ALL_ACTIONS}
# What carries an action out, by its kind.
Steps = Mapping[ActionKind, Callable[[Any, Action], None]]
# Read-only, so that a view cannot change the hand.
_NOTHING: Final[Mapping[int, int]] = MappingProxyType({})


def shuffled(seed: int) -> Pack:
    """The pack shuffled with this seed, the same in every version of Python."""
    draw = random.Random(seed).random  # noqa: S311 (a game that can be played again, not a secret)
    deck = list(range(CARD_COUNT))
    shuffle(deck, draw)
    return tuple(deck)


class GinHand(Playing[Action, View]):
    """A hand of gin being played."""

    hands: list[int]
    _TIME_OUT: ClassVar[Action] = TIME_OUT

    __slots__ = (
        "_after",
        "_known",
        "_last_seat",
        "_limit",
        "_moves",
        "_pile",
        "_stock",
        "_taken",
        "_takes_running",
        "hands",
        "knocker",
        "laid",
        "phase",
        "result",
        "upcard",
    )

    def __init__(self, rules: Rules, deck: Pack, *, dealer: int, players: tuple[str, ...]) -> None:
        """Refuses `not_a_deck` and `unknown_seat`; `_begin` says what was dealt."""
        super().__init__(rules, deck, dealer=dealer, players=players)
        # By seat, as masks.
        self.hands = [0] * len(players)
        self._known = [0] * len(players)
        self.upcard: int | None = None
        self._pile: tuple[int, ...] = ()
        self._taken: int | None = None
        self._takes_running = 0
        # Who discarded last: when all others have passed that card, the hand is dead.
        self._last_seat: int | None = None
        self._moves: tuple[Move, ...] = ()
        self._after = _NOTHING
        # After a knock or gin: who it was, and his cards; and at the end the result.
        self.knocker: int | None = None
        self.laid: Arrangement | None = None
        self.result: HandResult | TableKnock | None = None

    def _begin(self, hands: list[int], stock: Stock, *, upcard: int | None, phase: Phase) -> None:
        """The cards as dealt: without an upcard who has the first turn has a card more."""
        self.hands = hands
        self._stock = stock
        self.upcard = upcard
        self._pile = () if upcard is None else (upcard,)
        self.phase = phase
        self._limit = hand_limit(self.rules, self._upcard_text)

    @staticmethod
    def parsed(text: str) -> Action:
        return Action.parse(text)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def results(self) -> tuple[HandResult | TableKnock, ...]:
        return () if self.result is None else (self.result,)

    @property
    def pile(self) -> tuple[int, ...]:
        """The discard pile from bottom to top; at the end with the card of the knock."""
        return self._pile

    @property
    def moves(self) -> tuple[Move, ...]:
        """What was done, as everybody has seen."""
        return self._moves

    def view(self, seat: int) -> View:
        in_turn = seat == self.turn and self.phase is not Phase.OVER
        legal = self.legal_actions() if in_turn else ()
        # By place, in the order of the fields: a view is made before every choice.
        return View(
            self.rules,
            seat,
            self.dealer,
            self.phase,
            self.turn,
            self.hands[seat],
            self.upcard,
            self._pile,
            self._stock.left,
            self._taken if in_turn else None,
            self._of_others(self._known, seat),
            self._moves,
            legal,
            self._after if in_turn else _NOTHING,
            self._limit,
            self._of_others(self.hands, seat) if self._sees_others(seat) else None,
            self.result,
            (),
            0,
            self.laid,
        )

    def _sees_others(self, seat: int) -> bool:
        """Whether the others' cards lie open: the defender does not show his own before he has laid off."""
        return self.laid is not None and (self.is_over or seat != self.knocker)

    def known(self, action: object) -> Action | None:
        if not isinstance(action, Action):
            return None
        if action.melds is None and action.lay_offs is None:
            return _KNOWN.get(action)
        plain = _KNOWN.get(action.plain)
        if plain is None or not _are_masks(action.melds):
            return None
        lays_off = plain.kind is ActionKind.LAY_OFF and _are_lay_offs(action.lay_offs)
        if not lays_off and (plain.kind is not ActionKind.KNOCK or action.lay_offs is not None):
            return None
        return Action(plain.kind, plain.card, action.melds, action.lay_offs)

    def _of_others(self, masks: list[int], seat: int) -> int:
        """The cards of all other seats together."""
        if len(masks) == 2:
            return masks[1 - seat]
        together = 0
        for other, mask in enumerate(masks):
            if other != seat:
                together |= mask
        return together

    # Effects of actions, which are legal here.

    def _carry_out(self, action: Action) -> None:
        self._after = _NOTHING
        self._steps[action.kind](self, action)

    def _pass(self, action: Action) -> None:
        self._note(action.kind, None)
        following = self.after(self.turn)
        if self.phase is Phase.LAST_OFFER:
            if following == self._last_seat:
                self.end_dead()
                return
        elif self.turn == self.dealer:
            self.phase = Phase.STOCK
        elif following == self.dealer:
            self.phase = Phase.UPCARD_DEALER
        self.turn = following

    def _take(self, action: Action) -> None:
        self._pick_up(action.kind, self._pile[-1])

    def _pick_up(self, kind: ActionKind, card: int) -> None:
        """Takes this card of the pile."""
        if card == self._pile[-1]:
            self._pile = self._pile[:-1]
        else:
            self._pile = tuple([other for other in self._pile if other != card])
        self.hands[self.turn] |= 1 << card
        self._known[self.turn] |= 1 << card
        self._taken = card
        self._takes_running += 1
        self._note(kind, card)
        self.phase = Phase.LAST_KNOCK if self.phase is Phase.LAST_OFFER else Phase.DISCARD

    def _draw(self, action: Action) -> None:
        self.hands[self.turn] |= 1 << self._stock.draw()
        self._takes_running = 0
        self._note(action.kind, None)
        self.phase = Phase.DISCARD

    def _discard(self, action: Action) -> None:
        self._put_down(action)
        seat = self.turn
        self.turn = self.after(seat)
        self.phase = Phase.DRAW
        if self._stock.is_finished:
            self._stock_ended(seat)

    def _stock_ended(self, seat: int) -> None:
        """This seat has discarded, and no card may be drawn any more."""
        if self.rules.stock_end == "fiftieth_card":
            self.offer_last(seat)
        else:
            self.end_dead()

    def offer_last(self, seat: int) -> None:
        """The last discard, of this seat, is offered to the others, to knock with it."""
        self._last_seat = seat
        self._legal = None
        self.phase = Phase.LAST_OFFER

    def end_dead(self) -> None:
        """Ends the hand: nobody scores."""
        # On the sheet of a game in which all play at once a dead hand names nobody.
        self.result = Dead(self.players if len(self.players) == 2 else (), self._upcard_text)
        self._legal = None
        self.phase = Phase.OVER

    def _lay_down(self, action: Action) -> None:
        if action.card is not None:
            self._put_down(action)
        else:
            self._note(action.kind, None)
        self.knocker = self.turn
        self.phase = self._settle(
            action.kind, None if action.melds is None else self._chosen(action.melds, 0)
        )

    def _chosen(self, melds: tuple[int, ...], put_down: int) -> Arrangement:
        """What the player to move holds without `put_down` (a mask), in these melds of his choice."""
        held = Hand(self.hands[self.turn] & ~put_down)
        try:
            return fixed_arrangement(held, [Hand(meld) for meld in melds], ace=self.rules.ace)
        except GameError as error:
            error.field = "action"
            raise

    @abstractmethod
    def _settle(self, kind: ActionKind, chosen: Arrangement | None) -> Phase:
        """Lays all hands down and makes the result; who is to move has knocked, or has gin.

        With nothing `chosen` the referee lays the knocker's cards down (RULES §2). Returns the phase that
        follows: `OVER`, or `LAY_OFF` where the defender has to choose before there is a result.
        """

    def _put_down(self, action: Action) -> None:
        card = action.card
        assert card is not None  # noqa: S101 (an action of this kind has one)
        bit = 1 << card
        self.hands[self.turn] ^= bit
        self._known[self.turn] &= ~bit
        self._pile += (card,)
        self._taken = None
        self._note(action.kind, card)

    def _note(self, kind: ActionKind, card: int | None) -> None:
        self._moves += (Move(self.turn, kind, card),)

    _steps: ClassVar[Steps] = {
        ActionKind.PASS: _pass,
        ActionKind.TAKE: _take,
        ActionKind.DRAW: _draw,
        ActionKind.DISCARD: _discard,
        ActionKind.KNOCK: _lay_down,
        ActionKind.GIN: _lay_down,
        ActionKind.BIG_GIN: _lay_down,
    }

    # Legal actions.

    def refusal(self, action: Action) -> GameError:
        return refusal(self.view(self.turn), action)

    def _checked_unlisted(self, action: Action) -> Action:
        """A knock may lay down any melds that leave no more than the limit, not only the best (RULES §2).

        So who could say gin may knock with what he leaves unmelded. Refuses chosen melds with `not_in_hand`,
        `card_twice`, `not_a_meld`, `illegal_knock` and `say_gin`.
        """
        if action.melds is None:
            return super()._checked_unlisted(action)
        known = self.known(action)
        if known is None or known.melds is None:
            raise GameError("unknown_action", mark("That is not an action of a hand."), field="action")
        legal, plain = self.legal_actions(), known.plain
        if known.card is None or (plain not in legal and GINS[known.card] not in legal):
            raise self.refusal(plain)
        left = self._chosen(known.melds, 1 << known.card).deadwood
        if left > self._limit:
            raise GameError("illegal_knock", above_limit(left, self._limit), field="action")
        if not left and self._no_deadwood_is_gin:
            raise self.refusal(plain)
        return known

    def _find_legal(self) -> tuple[Action, ...]:
        # What comes most often comes first.
        if self.phase is Phase.DISCARD:
            held = self.hands[self.turn]
            after = deadwood_without_each(held, self.rules.ace)
            self._after = MappingProxyType(after)
            kept = self._taken if self.rules.discard_taken_card != "always" else None
            discards = [DISCARDS[card] for card in after if card != kept]
            return (*discards, *self._endings(held, after, kept))
        match self.phase:
            case Phase.DRAW:
                return _ONLY_STOCK if self._takes_running >= MOST_TAKES_RUNNING else self._drawing()
            case Phase.UPCARD_ELDER | Phase.UPCARD_DEALER:
                return _TAKE_OR_PASS
            case Phase.STOCK:
                return _ONLY_STOCK
            case Phase.LAST_OFFER:
                card = self._pile[-1]
                mask = self.hands[self.turn] | 1 << card
                after = deadwood_without_each(mask, self.rules.ace)
                return _TAKE_OR_PASS if self._endings(mask, after, self._card_to_keep(card)) else (PASS,)
            case Phase.LAST_KNOCK:
                after = deadwood_without_each(self.hands[self.turn], self.rules.ace)
                self._after = MappingProxyType(after)
                kept = self._card_to_keep(self._taken)
                return tuple(self._endings(self.hands[self.turn], after, kept))
            case Phase.LAY_OFF:
                return _ONLY_LAY_OFF
        return ()

    def _drawing(self) -> tuple[Action, ...]:
        """How a card may be drawn while the pile is open."""
        return _EITHER

    def _endings(self, mask: int, after: Mapping[int, int], kept: int | None) -> list[Action]:
        """All ways to end the hand with these eleven cards; `kept` may not be put down."""
        rules, limit = self.rules, self._limit
        least = min(after.values())
        if least > limit:
            return []
        endings = [
            KNOCKS[card]
            for card, deadwood in after.items()
            if deadwood <= limit and card != kept and (deadwood or not self._no_deadwood_is_gin)
        ]
        if not least:
            endings += [GINS[card] for card, deadwood in after.items() if not deadwood and card != kept]
            if rules.big_gin_bonus is not None and not deadwood_of(mask, rules.ace):
                endings.append(BIG_GIN)
        return endings

    def _card_to_keep(self, taken: int | None) -> int | None:
        """The card taken after the 50th that may not be put down again (RULES §3, `discard_taken_card`)."""
        return taken if self.rules.discard_taken_card == "never" else None

    @property
    def _no_deadwood_is_gin(self) -> bool:
        """Whether a hand without deadwood is always gin (RULES §3, `zero_knock`)."""
        return self.rules.zero_knock == "gin" or self._limit == 0

    @property
    def _upcard_text(self) -> str | None:
        return None if self.upcard is None else CARD_TEXTS[self.upcard]


class HandState(GinHand):
    """A hand of two, who are dealt 10 cards each from a pack of their own.

    At the end, after a knock or gin, `answer` is the defender's reply. After a knock that names its melds it
    is his choice (RULES §2): any that is legal, or `LAY_OFF`, by which the referee takes what leaves least.
    Where the hand is lost by time there is none, also after a knock.
    """

    __slots__ = ("answer",)

    players: tuple[str, str]
    result: HandResult | None

    def __init__(
        self, rules: Rules, deck: Pack, *, dealer: int, players: tuple[str, str] = ("0", "1")
    ) -> None:
        """Deals one card at a time, the non-dealer first. Refuses `not_a_deck` and `unknown_seat`."""
        super().__init__(rules, deck, dealer=dealer, players=players)
        self.answer: Reply | None = None
        self._deal()

    def _deal(self) -> None:
        turned = 2 * HAND_SIZE
        hands = dealt(self.deck, (self.turn, self.dealer), HAND_SIZE)
        self._take_up(hands, self.deck[turned], Stock(self.deck[turned + 1 :], NEVER_DRAWN))

    def _take_up(self, hands: list[int], card: int, stock: Stock) -> None:
        """Begins with these cards; the one more is turned up, or goes to who has the first turn."""
        if self.rules.deal == "upcard":
            self._begin(hands, stock, upcard=card, phase=Phase.UPCARD_ELDER)
        else:
            hands[self.turn] |= 1 << card
            self._begin(hands, stock, upcard=None, phase=Phase.DISCARD)

    def score(self) -> HandScore:
        """The score of the hand, by the scorer of paper sheets; refuses `not_over` before its end."""
        if self.result is None:
            raise GameError("not_over", mark("The hand is not over yet."))
        return score_hand(self.rules, self.result)

    def _checked_unlisted(self, action: Action) -> Action:
        """Also any lay-off, not only the best; refuses as `fixed_reply`, of field `action`."""
        if action.lay_offs is None:
            return super()._checked_unlisted(action)
        known = self.known(action)
        if known is None or self.phase is not Phase.LAY_OFF:
            return super()._checked_unlisted(action)
        self._reply(known)
        return known

    def _settle(self, kind: ActionKind, chosen: Arrangement | None) -> Phase:
        knocker, ace = self.turn, self.rules.ace
        if chosen is not None:
            self.laid = chosen
            self.turn = 1 - knocker
            return Phase.LAY_OFF
        defender = Hand(self.hands[1 - knocker])
        laid = best_laid_down(Hand(self.hands[knocker]), defender, ace=ace)
        # There are no lay-offs against gin.
        answer = reply(laid.melds if kind is ActionKind.KNOCK else (), defender, ace=ace)
        names = self.players[knocker], self.players[1 - knocker]
        if kind is ActionKind.KNOCK:
            self.result = Knock(*names, laid.deadwood, answer.deadwood, self._upcard_text)
        elif kind is ActionKind.GIN:
            self.result = Gin(*names, answer.deadwood, self._upcard_text)
        else:
            self.result = BigGin(*names, answer.deadwood, self._upcard_text)
        self.laid, self.answer = laid, answer
        return Phase.OVER

    def _lay_off(self, action: Action) -> None:
        assert self.laid is not None  # noqa: S101 (the knocker has laid down his cards in this phase)
        self.answer = self._reply(action)
        self._note(action.kind, None)
        self.result = Knock(
            self.players[1 - self.turn],
            self.players[self.turn],
            self.laid.deadwood,
            self.answer.deadwood,
            self._upcard_text,
        )
        self.phase = Phase.OVER

    def _run_out(self, action: Action) -> None:
        """The other wins as by gin; of eleven cards the one goes that leaves least, of those that may go."""
        late, kind = self.turn, action.kind
        may_go = {one.card for one in self.legal_actions() if one.card is not None}
        if may_go:
            after = self._after
            self._put_down(Action(kind, min(may_go, key=lambda card: (after[card], card))))
        else:
            self._note(kind, None)
        left = deadwood_of(self.hands[late], self.rules.ace)
        self.result = Gin(self.players[1 - late], self.players[late], left, self._upcard_text, by_time=True)
        self._legal, self._after = None, _NOTHING
        self.phase = Phase.OVER

    _steps: ClassVar[Steps] = {
        **GinHand._steps,
        ActionKind.LAY_OFF: _lay_off,
        ActionKind.TIME_OUT: _run_out,
    }

    def _reply(self, action: Action) -> Reply:
        """What the defender, who is to move, chose, or what leaves him least if he named nothing."""
        melds = () if self.laid is None else self.laid.melds
        held, ace = Hand(self.hands[self.turn]), self.rules.ace
        if action.melds is None or action.lay_offs is None:
            return reply(melds, held, ace=ace)
        try:
            return fixed_reply(melds, held, [Hand(one) for one in action.melds], action.lay_offs, ace=ace)
        except GameError as error:
            error.field = "action"
            raise


def _are_masks(melds: object) -> bool:
    """Whether these are sets of cards; that they are melds is not asked."""
    return isinstance(melds, tuple) and all(type(meld) is int and 0 <= meld <= ALL_CARDS for meld in melds)


def _are_lay_offs(lay_offs: object) -> bool:
    """Whether these are cards and numbers of melds; that they fit is not asked."""
    return isinstance(lay_offs, tuple) and all(
        isinstance(one, LayOff)
        and type(one.card) is int
        and 0 <= one.card < CARD_COUNT
        and type(one.meld) is int
        and one.meld >= 0
        for one in lay_offs
    )


_ONLY_STOCK: Final = (DRAW,)
_ONLY_LAY_OFF: Final = (LAY_OFF,)
_EITHER: Final = (DRAW, TAKE)
_TAKE_OR_PASS: Final = (TAKE, PASS)
