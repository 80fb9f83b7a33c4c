"""A hand of basic rummy in play as its player sees it: his cards, the melds on the table, what he may do."""

from dataclasses import dataclass, replace
from typing import Self

from games.gin.cards import CARD_VALUES, RANK_COUNT, Hand, cards_of
from games.gin.melds import meld_of
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import PASS, RummyAction, RummyActionKind
from games.gin.rummy_view import RummyPhase, RummyView
from games.services.own_hands import OwnCards
from games.tables.laid import LaidHand
from games.tables.members import drawn_card
from games.tables.replaying import ShownMove, rummy_move, turns_of
from scoring.core.own_knobs import RummyKnobs


@dataclass(frozen=True, slots=True)
class MeldDown:
    """A meld on the table: its cards in order, and what whoever laid it down is called in the hand."""

    cards: tuple[int, ...]
    place: int


@dataclass(frozen=True, slots=True)
class ToLayDown:
    """A meld that may be laid down: the action, and the cards in order."""

    action: RummyAction
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ToLayOff:
    """A card that may be laid off: the action, the card, and the meld that it fits."""

    action: RummyAction
    card: int
    meld: MeldDown


@dataclass(frozen=True, slots=True)
class OwnRummy(OwnCards[RummyView]):
    """A hand of rummy in play as its player sees it; it is laid out with what could be melded together."""

    is_rummy = True
    is_over = False
    against = None
    below = None
    # Nobody knocks, and nobody lays off after a knock.
    knocks = ()
    replies = ()

    def standing_still(self) -> Self:
        """The hand with nothing to be done."""
        return replace(self, view=self.view._replace(legal=()))

    def known_of(self, place: int) -> list[int]:
        """The cards that this one of the others took openly and still holds."""
        return cards_of(self.view.known[place])

    @property
    def may_discard(self) -> frozenset[int]:
        """The cards that may be discarded now."""
        found = [one.cards for one in self.view.legal if one.kind is RummyActionKind.DISCARD]
        return frozenset([card for cards in found for card in cards_of(cards)])

    @property
    def may_pass(self) -> bool:
        """Whether no card can be drawn any more, and he may pass."""
        return PASS in self.view.legal

    @property
    def bar(self) -> tuple[RummyAction, ...]:
        """The legal actions for which neither a pile nor a card is tapped, nor a meld chosen."""
        return (PASS,) if self.may_pass else ()

    @property
    def needs_bar(self) -> bool:
        """Whether anything is done by a button below the hand."""
        return bool(self.bar or self.may_discard or self.to_lay_down or self.to_lay_off)

    @property
    def is_drawing(self) -> bool:
        """Whether a card is to be drawn or taken."""
        return self.view.phase is RummyPhase.DRAW

    @property
    def melds(self) -> list[MeldDown]:
        """The melds on the table, in the order in which they were laid down."""
        return [MeldDown(laid.meld.cards, laid.seat) for laid in self.view.melds]

    @property
    def to_lay_down(self) -> list[ToLayDown]:
        """What may be laid down, the longest first."""
        ace = _knobs(self.view).ace
        found = []
        for action in self.view.legal:
            meld = meld_of(Hand(action.cards), ace=ace) if action.kind is RummyActionKind.MELD else None
            if meld is not None:
                found.append(ToLayDown(action, meld.cards))
        return sorted(found, key=lambda one: -len(one.cards))

    @property
    def to_lay_off(self) -> list[ToLayOff]:
        """What may be laid off."""
        melds = self.melds
        return [
            ToLayOff(action, action.cards.bit_length() - 1, melds[action.meld])
            for action in self.view.legal
            if action.kind is RummyActionKind.LAY_OFF and action.meld is not None
        ]

    @property
    def count(self) -> int:
        """What his cards count, melded or not."""
        ace = _knobs(self.view).ace_points
        return sum([CARD_VALUES[card] if card % RANK_COUNT else ace for card in cards_of(self.view.mask)])


def own_rummy(state: RummyHand, seat: int) -> OwnRummy:
    """A hand in play as this seat may see it."""
    view = state.view(seat)
    moves: list[ShownMove] = [rummy_move(number, move) for number, move in enumerate(view.moves, start=1)]
    return OwnRummy(
        seat,
        state.turn,
        state.dealer,
        state.counts,
        view,
        LaidHand.best(view.mask, ace=_knobs(view).ace),
        drawn_card(state) if state.turn == seat else None,
        turns_of(moves)[-len(state.players) :],
        None,
    )


def _knobs(view: RummyView) -> RummyKnobs:
    assert isinstance(view.rules.own, RummyKnobs)  # noqa: S101 (they are rules of rummy)
    return view.rules.own
