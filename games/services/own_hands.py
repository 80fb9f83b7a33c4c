"""A hand in play as the seat that holds it may see it, with the ways to go on that it chooses from."""

from dataclasses import dataclass
from typing import Final

from games.gin.actions import DRAW, TAKE, Action, ActionKind
from games.gin.cards import Hand, cards_of, mask_of
from games.gin.hand import HandState
from games.gin.judging import fixed_arrangement
from games.gin.offering import knock_choices, lay_off_choices
from games.gin.view import View
from games.tables.laid import LaidHand
from games.tables.replaying import (
    ShownMove,
    Turn,
    turns_of,
)

# The latest turns of a hand that are told in words.
_TURNS_TOLD: Final = 2
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
