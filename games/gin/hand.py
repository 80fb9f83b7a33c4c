"""A hand in play, under any house rules (RULES §3).

    UPCARD_ELDER   the non-dealer takes the upcard -> DISCARD, or passes -> UPCARD_DEALER
    UPCARD_DEALER  the dealer takes it -> DISCARD, or passes -> STOCK
    STOCK          the non-dealer draws from the stock -> DISCARD
    DRAW           stock or top discard -> DISCARD
    DISCARD        discard -> DRAW of the other, or knock, gin, big gin -> OVER; with elder's eleven cards the
                   hand begins here. After the 50th card a discard leads to OVER, or to LAST_OFFER
    LAST_OFFER     take the last discard and knock with it -> LAST_KNOCK, or pass -> OVER
    LAST_KNOCK     knock, gin, big gin -> OVER

Seats are 0 and 1. `HandState` knows all cards; a player gets a `View`. Replaying the log of a hand
reaches the same end.
"""

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.errors import GameError
from games.gin.actions import BIG_GIN, DISCARDS, DRAW, GINS, KNOCKS, PASS, TAKE, Action, ActionKind, Move
from games.gin.cards import ALL_CARDS, CARD_COUNT, CARD_TEXTS, Hand, mask_of
from games.gin.judging import best_laid_down
from games.gin.layoffs import Reply, reply
from games.gin.log import HandLog
from games.gin.melds import Arrangement, deadwood_of, deadwood_without_each
from games.gin.refusals import MOST_TAKES_RUNNING, refusal
from games.gin.view import Phase, View
from scoring.core.hands import BigGin, Dead, Gin, HandResult, HandScore, Knock, hand_limit, score_hand
from scoring.core.messages import mark
from scoring.core.rules import Rules

SEATS: Final = (0, 1)
DEALT: Final = 20
# The last two cards of the stock are never drawn.
LAST_DRAWN: Final = CARD_COUNT - 2
# Read-only, so that a view cannot change the hand.
_NOTHING: Final[Mapping[int, int]] = MappingProxyType({})


def shuffled(seed: int) -> tuple[int, ...]:
    """The pack shuffled with this seed, the same in every version of Python."""
    draw = random.Random(seed).random  # noqa: S311 (a game that can be played again, not a secret)
    deck = list(range(CARD_COUNT))
    for last in range(CARD_COUNT - 1, 0, -1):
        other = int(draw() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def replay(rules: Rules, log: HandLog, *, players: tuple[str, str] = ("0", "1")) -> "HandState":
    """The hand as far as the log goes; an illegal action is refused, with its number as the field."""
    state = HandState(rules, log.deck, dealer=log.dealer, players=players)
    for number, action in enumerate(log.actions):
        try:
            state.act(action)
        except GameError as error:
            error.field = f"actions.{number}"
            raise
    return state


class HandState:
    """A hand being played; only `act` changes it."""

    __slots__ = (
        "_after",
        "_drawn",
        "_known",
        "_legal",
        "_limit",
        "_moves",
        "_pile",
        "_taken",
        "_takes_running",
        "actions",
        "answer",
        "dealer",
        "deck",
        "hands",
        "laid",
        "phase",
        "players",
        "result",
        "rules",
        "turn",
        "upcard",
    )

    def __init__(
        self, rules: Rules, deck: tuple[int, ...], *, dealer: int, players: tuple[str, str] = ("0", "1")
    ) -> None:
        """Deals one card at a time, the non-dealer first. Refuses `not_a_deck` and `unknown_seat`."""
        if len(deck) != CARD_COUNT or mask_of(deck) != ALL_CARDS:
            raise GameError("not_a_deck", mark("A hand is dealt from 52 different cards."), field="deck")
        if dealer not in SEATS:
            raise GameError("unknown_seat", mark("The dealer sits at seat 0 or 1."), field="dealer")
        self.rules = rules
        self.deck = deck
        self.dealer = dealer
        self.players = players
        # By seat, as masks.
        self.hands = [0, 0]
        elder = 1 - dealer
        self.hands[elder] = mask_of(deck[0:DEALT:2])
        self.hands[dealer] = mask_of(deck[1:DEALT:2])
        self.turn = elder
        self.upcard: int | None = None
        self._pile: tuple[int, ...] = ()
        if rules.deal == "upcard":
            self.upcard = deck[DEALT]
            self._pile = (self.upcard,)
            self.phase = Phase.UPCARD_ELDER
        else:
            self.hands[elder] |= 1 << deck[DEALT]
            self.phase = Phase.DISCARD
        self._drawn = DEALT + 1
        self._limit = hand_limit(rules, self._upcard_text)
        self._taken: int | None = None
        self._takes_running = 0
        self._known = [0, 0]
        self._moves: tuple[Move, ...] = ()
        self._legal: tuple[Action, ...] | None = None
        self._after = _NOTHING
        self.actions: list[Action] = []
        # At the end: the result, and after a knock or gin the ruling.
        self.result: HandResult | None = None
        self.laid: Arrangement | None = None
        self.answer: Reply | None = None

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def pile(self) -> tuple[int, ...]:
        """The discard pile from bottom to top; at the end with the card of the knock."""
        return self._pile

    @property
    def stock(self) -> tuple[int, ...]:
        """The rest of the stock, the next card first."""
        return self.deck[self._drawn :]

    @property
    def log(self) -> HandLog:
        return HandLog(self.deck, self.dealer, tuple(self.actions))

    def score(self) -> HandScore:
        """The score of the hand, by the scorer of paper sheets; refuses `not_over` before its end."""
        if self.result is None:
            raise GameError("not_over", mark("The hand is not over yet."))
        return score_hand(self.rules, self.result)

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action the player to move may take; empty when the hand is over."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def view(self, seat: int) -> View:
        """What the player in this seat may know."""
        in_turn = seat == self.turn and self.phase is not Phase.OVER
        legal = self.legal_actions() if in_turn else ()
        return View(
            self.rules,
            seat,
            self.dealer,
            self.phase,
            self.turn,
            self.hands[seat],
            self.upcard,
            self._pile,
            CARD_COUNT - self._drawn,
            self._taken if in_turn else None,
            self._known[1 - seat],
            self._moves,
            legal,
            self._after if in_turn else _NOTHING,
            self._limit,
            None if self.laid is None else self.hands[1 - seat],
            self.result,
        )

    def act(self, action: Action) -> None:
        """Carries out the action of the player to move; refuses an illegal one with the reason."""
        legal = self.legal_actions()
        try:
            # The given action may merely be equal, with a plain string as its kind or a card that is no int.
            done = legal[legal.index(action)]
        except ValueError:
            raise refusal(self.view(self.turn), action) from None
        self.actions.append(done)
        self._legal = None
        self._after = _NOTHING
        _STEPS[done.kind](self, done)

    # Effects of actions, which are legal here.

    def _pass(self, action: Action) -> None:
        self._note(action.kind, None)
        if self.phase is Phase.LAST_OFFER:
            self._end_dead()
        else:
            self.turn = 1 - self.turn
            self.phase = Phase.UPCARD_DEALER if self.phase is Phase.UPCARD_ELDER else Phase.STOCK

    def _take(self, action: Action) -> None:
        card = self._pile[-1]
        self._pile = self._pile[:-1]
        self.hands[self.turn] |= 1 << card
        self._known[self.turn] |= 1 << card
        self._taken = card
        self._takes_running += 1
        self._note(action.kind, card)
        self.phase = Phase.LAST_KNOCK if self.phase is Phase.LAST_OFFER else Phase.DISCARD

    def _draw(self, action: Action) -> None:
        self.hands[self.turn] |= 1 << self.deck[self._drawn]
        self._drawn += 1
        self._takes_running = 0
        self._note(action.kind, None)
        self.phase = Phase.DISCARD

    def _discard(self, action: Action) -> None:
        self._put_down(action)
        self.turn = 1 - self.turn
        if self._drawn < LAST_DRAWN:
            self.phase = Phase.DRAW
        elif self.rules.stock_end == "fiftieth_card":
            self.phase = Phase.LAST_OFFER
        else:
            self._end_dead()

    def _lay_down(self, action: Action) -> None:
        if action.card is not None:
            self._put_down(action)
        else:
            self._note(action.kind, None)
        knocker, ace = self.turn, self.rules.ace
        defender = Hand(self.hands[1 - knocker])
        laid = best_laid_down(Hand(self.hands[knocker]), defender, ace=ace)
        # There are no lay-offs against gin.
        answer = reply(laid.melds if action.kind is ActionKind.KNOCK else (), defender, ace=ace)
        names = self.players[knocker], self.players[1 - knocker]
        if action.kind is ActionKind.KNOCK:
            self.result = Knock(*names, laid.deadwood, answer.deadwood, self._upcard_text)
        elif action.kind is ActionKind.GIN:
            self.result = Gin(*names, answer.deadwood, self._upcard_text)
        else:
            self.result = BigGin(*names, answer.deadwood, self._upcard_text)
        self.laid, self.answer = laid, answer
        self.phase = Phase.OVER

    def _put_down(self, action: Action) -> None:
        card = action.card
        assert card is not None  # noqa: S101 (an action of this kind has one)
        bit = 1 << card
        self.hands[self.turn] ^= bit
        self._known[self.turn] &= ~bit
        self._pile += (card,)
        self._taken = None
        self._note(action.kind, card)

    def _end_dead(self) -> None:
        self.result = Dead(self.players, self._upcard_text)
        self.phase = Phase.OVER

    def _note(self, kind: ActionKind, card: int | None) -> None:
        self._moves += (Move(self.turn, kind, card),)

    # Legal actions.

    def _find_legal(self) -> tuple[Action, ...]:
        match self.phase:
            case Phase.DRAW:
                return _ONLY_STOCK if self._takes_running >= MOST_TAKES_RUNNING else _EITHER
            case Phase.DISCARD:
                after = deadwood_without_each(self.hands[self.turn], self.rules.ace)
                self._after = MappingProxyType(after)
                kept = self._taken if self.rules.discard_taken_card != "always" else None
                discards = [DISCARDS[card] for card in after if card != kept]
                return (*discards, *self._endings(self.hands[self.turn], after, kept))
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
        return ()

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


_ONLY_STOCK: Final = (DRAW,)
_EITHER: Final = (DRAW, TAKE)
_TAKE_OR_PASS: Final = (TAKE, PASS)

_STEPS: Final = {
    ActionKind.PASS: HandState._pass,
    ActionKind.TAKE: HandState._take,
    ActionKind.DRAW: HandState._draw,
    ActionKind.DISCARD: HandState._discard,
    ActionKind.KNOCK: HandState._lay_down,
    ActionKind.GIN: HandState._lay_down,
    ActionKind.BIG_GIN: HandState._lay_down,
}
