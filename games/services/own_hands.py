"""A hand in play as the seat that holds it may see it, with the ways to go on that it chooses from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Self, TypeVar

from games.gin.actions import TAKE_BELOW, Action, ActionKind, Move
from games.gin.cards import Hand, cards_of, mask_of
from games.gin.judging import fixed_arrangement
from games.gin.melds import Arrangement
from games.gin.offering import knock_choices, lay_off_choices
from games.gin.one_pack import OnePackHand, OpenGame
from games.gin.playing import InPlay
from games.gin.rummy_view import RummyView
from games.gin.view import Phase, View
from games.tables.laid import LaidHand
from games.tables.members import drawn_card
from games.tables.replaying import (
    SeatTurn,
    ShownMove,
    lines_of,
    turns_of,
)
from scoring.paper.layout import HandLine, TableLine

_ViewT = TypeVar("_ViewT", View, RummyView)
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
class OwnCards(Generic[_ViewT]):
    """What is the same of a hand in play as its player sees it, whatever is played.

    `turn` is who is to move, `dealer` who has dealt, and `counts` how many cards each holds, by what they are
    called inside the hand; so is `place`, his own. `laid` is the hand in its best arrangement. `drawn` is the
    card that has just come from the stock or the pile. `told` are the latest turns, one of each. Of two games
    from one pack `view` is of his own, and `beside` is the other.
    """

    place: int
    turn: int
    dealer: int
    counts: tuple[int, ...]
    view: _ViewT
    laid: LaidHand
    drawn: int | None
    told: tuple[SeatTurn, ...]
    beside: OpenGame | None

    @property
    def is_turn(self) -> bool:
        """Whether its player is to move."""
        return self.turn == self.place

    @property
    def others(self) -> tuple[int, ...]:
        """The others whom he plays against in his game, in turn from his left."""
        seats = len(self.counts) if self.beside is None else 2
        return tuple([self.base + (self.view.seat + step) % seats for step in range(1, seats)])

    @property
    def base(self) -> int:
        """What who is 0 in his game is called inside the hand."""
        return self.place - self.view.seat

    @property
    def top(self) -> int | None:
        """The top of the discard pile."""
        return self.view.pile[-1] if self.view.pile else None

    @property
    def buried(self) -> tuple[int, ...]:
        """The pile below its top, the latest first."""
        return tuple(reversed(self.view.pile[:-1]))

    @property
    def may_draw(self) -> bool:
        """Whether a card may be drawn from the stock."""
        return self._may(ActionKind.DRAW)

    @property
    def may_take(self) -> bool:
        """Whether the top of the pile may be taken."""
        return self._may(ActionKind.TAKE)

    @property
    def has_moved(self) -> bool:
        """Whether its player has moved in this hand."""
        return any(move.seat == self.view.seat for move in self.view.moves)

    def _may(self, kind: str) -> bool:
        """Whether an action of this kind is legal; kinds of gin and of rummy have the same names."""
        return any(str(action.kind) == kind for action in self.view.legal)


@dataclass(frozen=True, slots=True)
class OwnHand(OwnCards[View]):
    """A hand of gin in play as its player sees it.

    `knocks` are the ways to knock, and `replies` those to lay off after one, what is offered first. `line` is
    what his game came to if the one beside it goes on.
    """

    knocks: tuple[KnockChoice, ...]
    replies: tuple[ReplyChoice, ...]
    line: HandLine | TableLine | None
    is_rummy = False

    def standing_still(self) -> Self:
        """The hand with nothing to be done."""
        return replace(self, view=self.view._replace(legal=()), knocks=(), replies=())

    @property
    def is_over(self) -> bool:
        """Whether his game is over, while the other goes on."""
        return self.view.phase is Phase.OVER

    @property
    def against(self) -> LaidHand | None:
        """The knocker's cards as he has laid them down."""
        return None if self.view.laid is None else LaidHand.of(self.view.laid)

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
    def below(self) -> int | None:
        """The card below the top of the pile, if it may be taken."""
        return self.view.pile[-2] if TAKE_BELOW in self.view.legal else None

    @property
    def bar(self) -> tuple[Action, ...]:
        """The legal actions for which neither a pile nor a card is tapped, nor melds are chosen."""
        return tuple([action for action in self.view.legal if action.kind in _PLAIN])

    @property
    def needs_bar(self) -> bool:
        """Whether anything is done by a button below the hand."""
        return bool(self.bar or self.knocks or self.replies or self.may_discard)


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
        turns_of(shown_moves(view.moves, view.laid))[-_told_at_once(state) :],
        state.beside(seat) if isinstance(state, OnePackHand) else None,
        tuple([_knock_choice(view, action) for action in knock_choices(view)]),
        tuple([_reply_choice(view, action) for action in lay_off_choices(view)]),
        next(iter(lines_of(state.games[seat // 2])), None) if isinstance(state, OnePackHand) else None,
    )


def _told_at_once(state: InPlay) -> int:
    """How many turns are told: as many as play one game."""
    return 2 if isinstance(state, OnePackHand) else len(state.players)


def shown_moves(moves: Sequence[Move], laid: Arrangement | None) -> list[ShownMove]:
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
