"""Any legal play of any kind: the cards stay together, nobody sees too much, and a referee says the same."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from games.errors import GameError
from games.gin.cards import CARD_COUNT, cards_of
from games.gin.hand import shuffled
from games.gin.log import HandLog
from games.gin.playing import InPlay
from games.gin.view import Phase, View
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.documents.sheets import hand_document
from tests.games.kinds.sheets import NAMES, any_rules
from tests.games.tables import Anybody

# More than any hand has.
MOST_ACTIONS = 30_000
# How often the referee is asked what is legal: he is slow.
ASKED = 0.03


class Referee(Protocol):
    turn: int

    @property
    def over(self) -> bool: ...
    def legal(self) -> set[str]: ...
    def act(self, action: str) -> None: ...


StateT = TypeVar("StateT", bound=InPlay)
# Replays a log, as far as it goes.
Deal = Callable[[Rules, HandLog[Any], tuple[str, ...]], StateT]
Chooser = Callable[[Any], Any]


def anybody(random: Random) -> Chooser:
    """A player of gin who does anything legal."""
    return Anybody(
        random.randrange(1 << 32),
        take=random.choice([0.1, 0.5, 0.9]),
        end=random.choice([0.0, 0.3, 1.0]),
        sensible=random.random() < 0.7,
    ).choose


def begun(kind: str, seed: int, deal: Deal[StateT], seats: int, packs: int = 1, **fixed: Any) -> StateT:
    """A hand as dealt, under rules that follow from the seed as the cards do."""
    rules = any_rules(Random(seed), kind, **fixed)
    deck, *orders = (shuffled(seed * 16 + number) for number in range(packs))
    return deal(rules, HandLog(deck, seed % seats, (), tuple(orders)), NAMES[:seats])


def played(state: StateT, choosers: Sequence[Chooser], most: int = MOST_ACTIONS) -> StateT:
    """The hand after so many actions, or at its end."""
    for _ in range(most):
        if state.is_over:
            break
        state.act(choosers[state.turn](state.view(state.turn)))
    return state


def followed(
    state: StateT,
    choosers: Sequence[Chooser],
    referee: Referee,
    places: Callable[[StateT], list[int]],
    random: Random,
) -> None:
    """Plays the hand to its end beside a referee, who now and then is asked what is legal."""
    for _ in range(MOST_ACTIONS):
        assert sorted(places(state)) == list(range(CARD_COUNT))
        assert state.is_over == referee.over
        if state.is_over:
            break
        assert state.turn == referee.turn
        legal = [str(action) for action in state.legal_actions()]
        assert legal
        if random.random() < ASKED:
            assert sorted(legal) == sorted(referee.legal())
        action = choosers[state.turn](state.view(state.turn))
        state.act(action)
        referee.act(str(action))
    assert state.is_over
    assert state.legal_actions() == ()


def check_results(state: InPlay, said: Sequence[dict[str, Any]]) -> None:
    """What is handed to the sheet is what the referee says, and the kind takes it."""
    for result, document in zip(state.results, said, strict=True):
        assert hand_document(result) in document.get("one of", [document])
        kind_of(state.rules).score_hand(state.rules, result)


def check_replay(state: StateT, deal: Deal[StateT]) -> None:
    """The log leads to the same state, as far as anybody can see."""
    again = deal(state.rules, state.log, state.players)
    assert again.results == state.results
    for seat in range(len(state.players)):
        assert again.view(seat) == state.view(seat)


def check_view(
    state: StateT, seat: int, deal: Deal[StateT], random: Random, mixed: frozenset[int] = frozenset()
) -> None:
    """The view is the same whatever the hidden cards are.

    `mixed` are the cards of the stock that was last shuffled again: of those that are hidden it is known that
    they were in it, and no more. Of others that lay open some time players may know what they like.
    """
    try:
        other = with_other_cards(state, seat, deal, random, mixed)
    except GameError:
        # What another may still do can tell something of his cards: he takes the last discard only to knock.
        assert state.turn != seat
        assert tells_by_taking(state)
        return
    if not (tells_by_taking(state) and state.turn != seat):
        assert other.view(seat) == state.view(seat)


def with_other_cards(
    state: StateT, seat: int, deal: Deal[StateT], random: Random, mixed: frozenset[int] = frozenset()
) -> StateT:
    """The hand with the cards exchanged that this seat has never seen; refuses what cannot be played so."""
    log, unseen = state.log, set(state.view(seat).unseen)
    hidden = sorted(unseen - came_open(state, deal))
    swap = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    again = sorted(unseen & mixed - set(hidden))
    swap_last = {**swap, **dict(zip(again, random.sample(again, len(again)), strict=True))}
    last = getattr(state, "renewed", 0) - 1
    other_log = HandLog(
        tuple(swap.get(card, card) for card in log.deck),
        log.dealer,
        log.actions,
        tuple(
            tuple((swap_last if number == last else swap).get(card, card) for card in order)
            for number, order in enumerate(log.orders)
        ),
    )
    return deal(state.rules, other_log, state.players)


def came_open(state: StateT, deal: Deal[StateT]) -> set[int]:
    """All cards that lay open some time."""
    again = deal(state.rules, HandLog(state.deck, state.dealer, (), state.log.orders), state.players)
    opened: set[int] = set()
    for action in (*state.actions, None):
        for seat in range(len(state.players)):
            opened |= lying_open(again.view(seat))
        if action is not None:
            again.act(action)
    return opened


def lying_open(view: Any) -> set[int]:
    """The cards on piles and on the table."""
    laid = [card for one in getattr(view, "melds", ()) for card in cards_of(one.meld.mask)]
    return {*view.pile, *laid, *cards_of(getattr(view, "elsewhere", 0))}


def last_mixed(state: StateT, deal: Deal[StateT]) -> frozenset[int]:
    """The cards of the stock when it was last renewed."""
    again: Any = deal(state.rules, HandLog(state.deck, state.dealer, (), state.log.orders), state.players)
    mixed: frozenset[int] = frozenset()
    for action in state.actions:
        renewed, before = again.renewed, list(again.hands)
        again.act(action)
        if again.renewed > renewed:
            drawn = [now & ~then for now, then in zip(again.hands, before, strict=True)]
            mixed = frozenset([*again.stock, *(card for mask in drawn for card in cards_of(mask))])
    return mixed


def tells_by_taking(state: InPlay) -> bool:
    return getattr(state, "phase", None) is Phase.LAST_KNOCK


def check_knowledge(view: View, hands: Sequence[int], pile: Sequence[int]) -> None:
    """A player is shown his own cards, what lies open, and what he has seen others take."""
    assert view.mask == hands[view.seat]
    assert view.pile == tuple(pile)
    assert not view.known & view.mask
    others = 0
    for seat, mask in enumerate(hands):
        if seat != view.seat:
            others |= mask
    assert view.known & ~others == 0
