"""Two games of partners from one pack in play (RULES §8, `partners_one_pack`).

Each is a hand of two as ever, with an upcard and a pile of its own; they share the stock. Turns go round the
table from the dealer's left, and who has finished is passed over; who has to lay off does so before anybody
else moves. When the stock has run out, all but the top cards of both piles are shuffled with what is left as
a new stock, so often as the rules say; after that both games end when who drew the last card has discarded,
or the last discard of each is offered.
"""

from typing import ClassVar, Final, NamedTuple, Self

from games.errors import GameError
from games.gin.actions import TIME_OUT, Action, ActionKind, Move
from games.gin.cards import mask_of
from games.gin.hand import NEVER_DRAWN, HandState
from games.gin.melds import Arrangement
from games.gin.playing import Pack, Reshuffled, Stock, dealt
from games.gin.view import Phase, View
from scoring.core.hands import HandResult
from scoring.core.kinds import kind_of
from scoring.core.own_knobs import OnePackKnobs
from scoring.core.rules import Rules

SEATS: Final = 4
# The seats of the two games.
PAIRS: Final = ((0, 1), (2, 3))
_SIDES: Final = (0, 1, 0, 1)


class OpenGame(NamedTuple):
    """What everybody at the table may know of one of the two games; masks and seats are by its two players.

    `known` are cards that they took openly and still hold, `shown` their hands once they lie open.
    """

    phase: Phase
    pile: Pack
    known: tuple[int, ...]
    moves: tuple[Move, ...]
    laid: Arrangement | None
    shown: tuple[int | None, ...]
    result: HandResult | None


class PackGame(HandState):
    """One of the two games. The table deals, and says what happens when the stock has run out."""

    __slots__ = ()

    def _deal(self) -> None:
        """Waits for the table."""

    def take_up(self, hands: list[int], card: int, stock: Stock) -> None:
        """Begins with these cards, as `HandState` does."""
        self._take_up(hands, card, stock)

    def draw_from(self, stock: Stock) -> None:
        """Draws from this stock."""
        self._stock = stock

    def hold(self, hands: list[int]) -> None:
        """Goes on with these cards; nothing is left of how it was dealt."""
        self.hands, self.deck, self.actions, self._legal = hands, (), [], None

    @property
    def is_between_turns(self) -> bool:
        """Whether nobody has a card too many, or has to lay off."""
        return self.phase not in (Phase.DISCARD, Phase.LAST_KNOCK, Phase.LAY_OFF)

    @property
    def seen_by_all(self) -> int:
        """The cards that everybody at the table knows: the pile, those taken from it, hands laid down."""
        seen = self.open
        return mask_of(seen.pile) | seen.known[0] | seen.known[1] | sum([hand or 0 for hand in seen.shown])

    @property
    def open(self) -> OpenGame:
        """What everybody at the table may know of it."""
        return OpenGame(
            self.phase,
            self._pile,
            tuple(self._known),
            self._moves,
            self.laid,
            tuple([hand if self._sees_others(1 - seat) else None for seat, hand in enumerate(self.hands)]),
            self.result,
        )

    def leave_top(self) -> Pack:
        """Gives away all of the pile but its top card."""
        given, self._pile = self._pile[:-1], self._pile[-1:]
        return given

    def _stock_ended(self, seat: int) -> None:
        """Leaves it to the table."""


class OnePackHand(Reshuffled[Action, View]):
    """Both games of a deal, the first of seats 0 and 1, the second of 2 and 3, of whom 0 and 2 are partners.

    By time one of them is lost, and the other goes on.

    A view is of the player's own game, in which his seat is 0 or 1, with what lies open in the other.
    """

    __slots__ = ("_is_offered", "_stock", "games")
    _TIME_OUT: ClassVar[Action] = TIME_OUT
    _UNSEEN_AGAIN: ClassVar[int] = NEVER_DRAWN

    def _deal(self) -> None:
        """Deals one card at a time from the dealer's left, then one to each game, the first turn's first."""
        # Whether the last discards are offered.
        self._is_offered = False
        size = kind_of(self.rules).hand_size(self.rules, SEATS)
        round_ = self._from(self.turn)
        hands = dealt(self.deck, round_, size)
        cards = list(self.deck[SEATS * size : SEATS * size + len(PAIRS)])
        self._stock = Stock(self.deck[SEATS * size + len(PAIRS) :], NEVER_DRAWN)
        # Who has the first turn of the two counts as not dealing.
        dealers = [max((0, 1), key=lambda place: round_.index(pair[place])) for pair in PAIRS]
        self.games = [
            PackGame(self.rules, self.deck, dealer=later, players=(self.players[one], self.players[other]))
            for later, (one, other) in zip(dealers, PAIRS, strict=True)
        ]
        if self.turn in PAIRS[1]:
            cards.reverse()
        for game, (one, other), card in zip(self.games, PAIRS, cards, strict=True):
            game.take_up([hands[one], hands[other]], card, self._stock)

    @staticmethod
    def parsed(text: str) -> Action:
        return Action.parse(text)

    @staticmethod
    def orders_needed(rules: Rules) -> int:
        return reshuffles_of(rules)

    @property
    def is_over(self) -> bool:
        return all(game.is_over for game in self.games)

    @property
    def results(self) -> tuple[HandResult, ...]:
        return tuple([game.result for game in self.games if game.result is not None]) if self.is_over else ()

    @property
    def hands(self) -> list[int]:
        """By seat, as masks."""
        return [mask for game in self.games for mask in game.hands]

    @property
    def draws(self) -> tuple[int, ...]:
        """How often each seat has drawn from the stock, as everybody has seen."""
        return tuple([count for game in self.games for count in game.draws])

    def view(self, seat: int) -> View:
        game, own = self.games[seat // 2], seat % 2
        view = game.view(own)._replace(elsewhere=self.games[1 - seat // 2].seen_by_all)
        # His game may wait for him while somebody else is to move.
        return view if seat == self.turn else view._replace(legal=(), after={}, taken=None)

    def follows(self, seat: int) -> int:
        return seat ^ 1

    @property
    def sides(self) -> tuple[int, ...]:
        return _SIDES

    def copied(self) -> Self:
        other = super().copied()
        other.games = [game.copied() for game in self.games]
        for game in other.games:
            game.draw_from(other._stock)
        return other

    def _hold(self, hands: list[int]) -> None:
        for game, (one, other) in zip(self.games, PAIRS, strict=True):
            game.hold([hands[one], hands[other]])

    def beside(self, seat: int) -> OpenGame:
        """The game that this seat does not play, as it may know it."""
        return self.games[1 - seat // 2].open

    def known(self, action: object) -> Action | None:
        return self.games[0].known(action)

    def _find_legal(self) -> tuple[Action, ...]:
        return self.games[self.turn // 2].legal_actions()

    def checked(self, action: Action) -> Action:
        return self.games[self.turn // 2].checked(action)

    def refusal(self, action: Action) -> GameError:
        return self.games[self.turn // 2].refusal(action)

    def _carry_out(self, action: Action) -> None:
        number, own = divmod(self.turn, 2)
        game = self.games[number]
        game.act_again(action)
        self._drawn_since[self.turn] += action.kind is ActionKind.DRAW
        if not game.is_between_turns:
            # Who has drawn puts a card down, and who is knocked against lays off.
            self.turn = PAIRS[number][game.turn]
            return
        if self._stock.is_finished and not self._is_offered:
            self._stock_ended()
        if not self.is_over:
            # It goes on at the knocker's left.
            last = PAIRS[number][own if game.knocker is None else game.knocker]
            self.turn = next(seat for seat in self._from(self.after(last)) if self._waits_for(seat))

    def _waits_for(self, seat: int) -> bool:
        game = self.games[seat // 2]
        return not game.is_over and game.turn == seat % 2

    def _stock_ended(self) -> None:
        if self.renewed < reshuffles_of(self.rules):
            self._shuffle_again(self._stock, [card for game in self.games for card in game.leave_top()])
            self.renewed += 1
            return
        self._is_offered = True
        for game in self.games:
            if game.is_over:
                continue
            if self.rules.stock_end == "fiftieth_card":
                # The next player of each may take its top discard and knock.
                game.offer_last(1 - game.turn)
            else:
                game.end_dead()


def reshuffles_of(rules: Rules) -> int:
    """How often the piles become a new stock."""
    own = rules.own if isinstance(rules.own, OnePackKnobs) else OnePackKnobs()
    return own.reshuffles
