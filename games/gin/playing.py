"""What all hands in play have in common (RULES §3, §8): cards, seats, turns, and the record of what was done.

A hand in play knows all cards; a player gets a view. It is changed by `act`, and by `lose_by_time` for the
clock. Replaying its log leads to the same end.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, ClassVar, Generic, Self, TypeVar

from games.errors import GameError
from games.gin.cards import ALL_CARDS, CARD_COUNT, cards_of, mask_of
from games.gin.log import HandLog
from scoring.core.messages import mark
from scoring.core.rules import Rules

ActionT = TypeVar("ActionT")
ViewT = TypeVar("ViewT")
Pack = tuple[int, ...]
# Of a hand (a mask) with the card just drawn, that card, and those that may go (a mask): which one goes.
PutBack = Callable[[int, int, int], int]


class Stock:
    """The face-down cards, the next one first, of which the last `kept` are not drawn.

    `left` is how many there are, with those that are not drawn.
    """

    __slots__ = ("_cards", "kept", "left")

    def __init__(self, cards: Pack, kept: int = 0) -> None:
        self.kept = kept
        self.renew(cards)

    @property
    def cards(self) -> Pack:
        """All that are left."""
        return self._cards[len(self._cards) - self.left :]

    @property
    def is_finished(self) -> bool:
        """Whether no card may be drawn any more."""
        return self.left <= self.kept

    def draw(self) -> int:
        """Takes the next card."""
        card = self._cards[len(self._cards) - self.left]
        self.left -= 1
        return card

    def renew(self, cards: Pack) -> None:
        """Replaces what is left by these cards."""
        self._cards = cards
        self.left = len(cards)


class Playing(ABC, Generic[ActionT, ViewT]):
    """A hand being played by its `players`, in order of seats from 0."""

    __slots__ = ("_legal", "actions", "dealer", "deck", "players", "rules", "turn")
    _stock: Stock
    # What was done, with the seat and the kind of each.
    _moves: tuple[Any, ...]
    # What the clock does.
    _TIME_OUT: ClassVar[Any]

    def __init__(self, rules: Rules, deck: Pack, *, dealer: int, players: tuple[str, ...]) -> None:
        """Refuses `not_a_deck` and `unknown_seat`."""
        check_pack(deck, "deck")
        if not 0 <= dealer < len(players):
            raise GameError(
                "unknown_seat",
                mark("The dealer sits at a seat from 0 to %(last)s.", last=len(players) - 1),
                field="dealer",
            )
        self.rules = rules
        self.deck = deck
        self.dealer = dealer
        self.players = players
        self.turn = self.after(dealer)
        self.actions: list[ActionT] = []
        self._legal: tuple[ActionT, ...] | None = None

    @classmethod
    def replay(cls, rules: Rules, log: HandLog[ActionT], *, players: tuple[str, ...]) -> Self:
        """The hand as far as the log goes; an illegal action is refused, with its number as the field."""
        state = cls._of_log(rules, log, players)
        for number, action in enumerate(log.actions):
            try:
                state.act_again(action)
            except GameError as error:
                error.field = f"actions.{number}"
                raise
        return state

    @classmethod
    def _of_log(cls, rules: Rules, log: HandLog[ActionT], players: tuple[str, ...]) -> Self:
        """The hand as it was dealt."""
        return cls(rules, log.deck, dealer=log.dealer, players=players)

    @staticmethod
    @abstractmethod
    def parsed(text: str) -> ActionT:
        """The action from its text; refuses what is none."""

    @staticmethod
    def orders_needed(rules: Rules) -> int:
        """How often there may be a new stock."""
        return 0

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @property
    @abstractmethod
    def hands(self) -> list[int]:
        """By seat, as masks."""

    @property
    def stock(self) -> Pack:
        """The rest of the stock, the next card first."""
        return self._stock.cards

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each holds, by seat."""
        return tuple([mask.bit_count() for mask in self.hands])

    @property
    def draws(self) -> tuple[int, ...]:
        """How often each seat has drawn from the stock, as everybody has seen."""
        drew = [move.seat for move in self._moves if move.kind == "draw"]
        return tuple([drew.count(seat) for seat in range(len(self.players))])

    @property
    @abstractmethod
    def results(self) -> tuple[Any, ...]:
        """The results for the sheet, as many as the deal has hands; none before the end."""

    @property
    def log(self) -> HandLog[ActionT]:
        return HandLog(self.deck, self.dealer, tuple(self.actions))

    def legal_actions(self) -> tuple[ActionT, ...]:
        """Every action the player to move may take; empty when the hand is over.

        Of a knock there is one for each card, whose melds are still to be chosen.
        """
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def act(self, action: ActionT) -> None:
        """Carries out the action of the player to move; refuses an illegal one with the reason."""
        self._do(self.checked(action))

    def lose_by_time(self) -> None:
        """Ends the hand, which the player to move has lost as his time is over (RULES §11).

        Refuses `hand_over`, and `no_forfeit` where more than two sides play.
        """
        if self.is_over:
            raise GameError("hand_over", mark("The hand is over."))
        if len(set(self.sides)) > 2:
            raise GameError("no_forfeit", mark("At a table of three or more nobody loses a hand by time."))
        self._do(self._TIME_OUT)

    def act_again(self, action: ActionT) -> None:
        """Carries out an action of a log, which may be the clock's; refuses as `act` and `lose_by_time`."""
        if action == self._TIME_OUT:
            self.lose_by_time()
        else:
            self.act(action)

    def _do(self, action: ActionT) -> None:
        self.actions.append(action)
        self._legal = None
        self._carry_out(action)

    def checked(self, action: ActionT) -> ActionT:
        """The legal action that is meant; refuses an illegal one."""
        legal = self.legal_actions()
        try:
            # The given action may merely be equal, with a plain string as its kind or a card that is no int.
            return legal[legal.index(action)]
        except ValueError:
            pass
        return self._checked_unlisted(action)

    def after(self, seat: int) -> int:
        """The seat to the left."""
        return (seat + 1) % len(self.players)

    def follows(self, seat: int) -> int:
        """The seat of who may take what this one discards."""
        return self.after(seat)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of every seat."""
        return tuple(range(len(self.players)))

    def _from(self, seat: int) -> tuple[int, ...]:
        """All seats in turn, this one first."""
        return (*range(seat, len(self.players)), *range(seat))

    @abstractmethod
    def view(self, seat: int) -> ViewT:
        """What the player in this seat may know."""

    def copied(self) -> Self:
        """The hand as it stands, to be played on by itself."""
        other = copy(self)
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                value = getattr(self, name)
                if isinstance(value, list | Stock):
                    setattr(other, name, copy(value))
        return other

    def guessed(self, seed: int, draws: Sequence[int] = (), put_back: PutBack | None = None) -> Self:
        """A copy that the player to move cannot tell from the hand: what he has not seen lies by chance.

        Each hand keeps what was taken openly, and all else may be anywhere that is possible by what he saw.
        Then each seat of `draws` takes one more card of the stock by chance, and `put_back` says which goes
        there instead. Equal seeds give equal cards to equal views. The copy has no log.
        """
        draw = random.Random(seed).random  # noqa: S311 (a guess that can be made again, not a secret)
        unseen = self._unseen_by(self.turn)
        other = self.copied()
        other._deal_unseen(unseen, draw)
        if put_back is not None:
            other._draw_again(unseen, draw, draws, put_back)
        other._legal = None
        other.actions = []
        other.deck = ()
        return other

    def _unseen_by(self, seat: int) -> int:
        """The cards whose place this seat does not know, as a mask."""
        view: Any = self.view(seat)
        return int(view.unseen.mask)

    def _deal_unseen(self, unseen: int, draw: Callable[[], float]) -> None:
        """Deals these cards anew to where they lie, in hands or in the stock."""
        known = [mask & ~unseen for mask in self.hands]
        stock = list(self._stock.cards)
        free = [place for place, card in enumerate(stock) if unseen >> card & 1]
        again, since, others_left = self._again(unseen)
        hidden = [(mask & unseen).bit_count() for mask in self.hands]
        late = [min(count, drawn) for count, drawn in zip(hidden, since, strict=True)]
        shuffle(free, draw)
        open_places = [
            *[~seat for seat, count in enumerate(late) for _card in range(count)],
            *free[:others_left],
        ]
        shuffle(open_places, draw)
        early = [~seat for seat, count in enumerate(hidden) for _card in range(count - late[seat])]
        cards, last = cards_of(unseen & ~again), cards_of(again)
        shuffle(cards, draw)
        shuffle(last, draw)
        for place, card in zip([*early, *open_places, *free[others_left:]], [*cards, *last], strict=True):
            if place < 0:
                known[~place] |= 1 << card
            else:
                stock[place] = card
        self._stock.renew(tuple(stock))
        self._hold(known)

    def _draw_again(
        self, unseen: int, draw: Callable[[], float], seats: Iterable[int], put_back: PutBack
    ) -> None:
        """Each of these seats in turn exchanges a card with the stock, but none that was shuffled again."""
        again, _since, _others = self._again(unseen)
        fresh = unseen & ~again
        hands, stock = list(self.hands), list(self._stock.cards)
        free = [place for place, card in enumerate(stock) if fresh >> card & 1]
        for seat in seats if free else ():
            place = free[int(draw() * len(free))]
            held = hands[seat] | 1 << stock[place]
            card = put_back(held, stock[place], held & fresh)
            hands[seat], stock[place] = held & ~(1 << card), card
        self._stock.renew(tuple(stock))
        self._hold(hands)

    def _again(self, unseen: int) -> tuple[int, Sequence[int], int]:
        """Which of the unseen were seen to go into the last stock, and how many of it each seat drew at most.

        And how many others may lie in it. Nothing is known of a stock that was never shuffled again.
        """
        return 0, [CARD_COUNT] * len(self.players), CARD_COUNT

    def _hold(self, hands: list[int]) -> None:
        """Each seat holds these cards, as masks."""
        self.hands[:] = hands

    @abstractmethod
    def known(self, action: object) -> ActionT | None:
        """What equals this action and is one of the game, legal or not; None if there is none."""

    @abstractmethod
    def _find_legal(self) -> tuple[ActionT, ...]: ...

    def _checked_unlisted(self, action: ActionT) -> ActionT:
        """The legal action that is meant by one that is not listed; refuses an illegal one."""
        raise self.refusal(action)

    @abstractmethod
    def _carry_out(self, action: ActionT) -> None:
        """Does what is legal here."""

    @abstractmethod
    def refusal(self, action: ActionT) -> GameError:
        """Why this action is not legal, from what the player to move may know."""


def check_pack(deck: Sequence[int], field: str) -> None:
    """Refuse (`not_a_deck`) what is not the whole pack."""
    if len(deck) != CARD_COUNT or mask_of(deck) != ALL_CARDS:
        raise GameError("not_a_deck", mark("A hand is dealt from 52 different cards."), field=field)


class Reshuffled(Playing[ActionT, ViewT]):
    """A hand whose stock is made anew, `renewed` times so far.

    Each of `orders` is a pack that gives the order of a new stock, once.
    """

    __slots__ = ("_drawn_since", "_shuffled_again", "orders", "renewed")
    # How many cards that nobody has seen may be among those that are shuffled again.
    _UNSEEN_AGAIN: ClassVar[int] = 0

    def __init__(
        self,
        rules: Rules,
        deck: Pack,
        *,
        dealer: int,
        players: tuple[str, ...],
        orders: Sequence[Pack] = (),
    ) -> None:
        """Refuses `not_a_deck`, also for fewer `orders` than there may be new stocks, and `unknown_seat`."""
        super().__init__(rules, deck, dealer=dealer, players=players)
        check_orders(orders, self.orders_needed(rules))
        self.orders = tuple(orders)
        self.renewed = 0
        # What everybody saw go into the last stock that was shuffled again, as a mask, and how many cards of
        # it each seat has drawn.
        self._shuffled_again = 0
        self._drawn_since = [0] * len(players)
        self._deal()

    @abstractmethod
    def _deal(self) -> None:
        """Deals the pack and begins."""

    @classmethod
    def _of_log(cls, rules: Rules, log: HandLog[ActionT], players: tuple[str, ...]) -> Self:
        return cls(rules, log.deck, dealer=log.dealer, players=players, orders=log.orders)

    @property
    def log(self) -> HandLog[ActionT]:
        return HandLog(self.deck, self.dealer, tuple(self.actions), self.orders)

    def _shuffle_again(self, stock: Stock, pile: Iterable[int]) -> None:
        """What is left of the stock and these cards, which lay open, become the stock in the next order."""
        again = tuple(pile)
        stock.renew(in_order_of(self.orders[self.renewed], [*stock.cards, *again]))
        self._shuffled_again = mask_of(again)
        self._drawn_since = [0] * len(self.players)

    def _deal_unseen(self, unseen: int, draw: Callable[[], float]) -> None:
        super()._deal_unseen(unseen, draw)
        packs = [list(range(CARD_COUNT)) for _order in self.orders]
        for pack in packs:
            shuffle(pack, draw)
        self.orders = tuple([tuple(pack) for pack in packs])

    def _again(self, unseen: int) -> tuple[int, Sequence[int], int]:
        if not self._shuffled_again:
            return super()._again(unseen)
        return unseen & self._shuffled_again, self._drawn_since, self._UNSEEN_AGAIN


def shuffle(cards: list[int], draw: Callable[[], float]) -> None:
    """Puts these into an order by chance; `draw` gives numbers from 0 to 1."""
    for last in range(len(cards) - 1, 0, -1):
        other = int(draw() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]


def check_orders(orders: Sequence[Pack], needed: int) -> None:
    """Refuse (`not_a_deck`) orders that are no packs, or fewer than may be needed."""
    for order in orders:
        check_pack(order, "orders")
    if len(orders) < needed:
        message = mark("A stock is shuffled again up to %(times)s times.", times=needed)
        raise GameError("not_a_deck", message, field="orders")


def dealt(deck: Pack, seats: Sequence[int], size: int) -> list[int]:
    """The hands by seat, as masks, of so many cards each, dealt singly to these seats in order."""
    hands = [0] * len(seats)
    for place, seat in enumerate(seats):
        hands[seat] = mask_of(deck[place : size * len(seats) : len(seats)])
    return hands


def in_order_of(pack: Pack, cards: Iterable[int]) -> Pack:
    """These cards in the order in which they lie in the pack: how a stock that is shuffled again comes."""
    held = mask_of(cards)
    return tuple([card for card in pack if held >> card & 1])


# Any hand in play.
InPlay = Playing[Any, Any]
