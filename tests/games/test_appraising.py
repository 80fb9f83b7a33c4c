"""What choices cost: bots come in the order of their strength, and blunders planted in their games are found.

Everything is weighed with the compiled kernel where numba works. All figures come from seeds.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice
from statistics import fmean

import pytest

from games.bots import house_bot
from games.bots.appraising import Appraisal, Appraiser, ChoiceKind
from games.bots.base import Chances, best_ending
from games.bots.judges import JudgeOfTwo
from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_TEXTS
from games.gin.hand import HandState, shuffled
from games.gin.view import View
from games.tables.dealing import derived_seed
from games.tables.play import choose, game_views, play_deals, sit_down
from games.tables.reports import appraisal_document, dearest, read_appraisal, weighed_hand
from scoring.core.sheets import RunningSheet
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED

pytestmark = pytest.mark.dear("loads the compiled kernel and weighs every choice of some hands")

# In the order of the arena's ratings.
WEAKEST_FIRST = ("novice", "simple", "steady", "expert")
PLAYERS = ("Ann", "Bob")
ANN = 0
# What a blunderer would do with this view; None if that would be no blunder.
Blunder = Callable[[View], Action | None]


def hands_of_ann(strategy: str, sheets: int, deals: int) -> Iterator[HandState]:
    """Hands of Ann, who plays like this, against a steady Bob."""
    bots = {"Ann": house_bot(strategy, 2 if strategy == "expert" else None), "Bob": house_bot("steady")}
    for seed in range(sheets):
        for played in islice(play_deals(PUBLISHED, ANN_AND_BOB, bots, seed), deals):
            yield played.two_handed[0]


def weighed(hand: HandState, seed: int) -> tuple[Appraisal | None, ...]:
    """What each choice of Ann cost."""
    dealt = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    return weighed_hand(dealt, hand.actions, hand.players.index("Ann"), JudgeOfTwo(seed))


def mean_cost(strategy: str, sheets: int, deals: int) -> float:
    """What a choice of the strategy costs on average."""
    hands = [weighed(hand, seed) for seed, hand in enumerate(hands_of_ann(strategy, sheets, deals))]
    return fmean([one.cost for hand in hands for one in hand if one is not None])


def test_bots_cost_less_the_stronger_they_are(*, long: bool) -> None:
    """Their mean costs have the order of the arena's ratings; briefly, those of two alone."""
    if long:
        costs = [mean_cost(strategy, 12, 6) for strategy in WEAKEST_FIRST]
    else:
        costs = [mean_cost(strategy, 1, 3) for strategy in ("novice", "steady")]
    assert costs == sorted(costs, reverse=True), costs
    assert len(set(costs)) == len(costs)


def breaks_a_meld(view: View) -> Action | None:
    """The discard that leaves by far most deadwood; None where none is a blunder."""
    discards = [action for action in view.legal if action.kind is ActionKind.DISCARD]
    if not discards:
        return None
    worst = max(discards, key=lambda action: view.after[action.card or 0])
    return worst if view.after[worst.card or 0] >= min(view.after.values()) + 15 else None


def overlooks_gin(view: View) -> Action | None:
    """Breaking a meld instead of saying gin; None where there is no gin."""
    ending = best_ending(view, Chances(0)) if view.after else None
    if ending is None or ending.kind is not ActionKind.GIN:
        return None
    return breaks_a_meld(view)


def with_blunder(blunder: Blunder, seed: int) -> tuple[HandState, int] | None:
    """A hand of experts in which Ann blunders once, as soon as she can, and the number of that move.

    None if she never can.
    """
    (game, _other), expert = game_views(RunningSheet(PUBLISHED, ANN_AND_BOB)), house_bot("expert", 1)
    state = HandState(PUBLISHED, shuffled(seed), dealer=seed % 2, players=PLAYERS)
    seated = [sit_down(expert, None, name, 1, derived_seed(seed, name)) for name in PLAYERS]
    at = None
    while not state.is_over:
        action = choose(seated[state.turn], state, game, 1)
        planted = blunder(state.view(ANN)) if at is None and state.turn == ANN else None
        if planted is not None:
            action, at = planted, len(state.actions) + 1
        state.act(action)
    return None if at is None else (state, at)


@pytest.mark.parametrize("blunder", [breaks_a_meld, overlooks_gin])
def test_a_planted_blunder_is_among_the_three_dearest_choices(blunder: Blunder, *, long: bool) -> None:
    """Of many nine in ten, briefly two of three: an early card of a small meld may cost hardly anything."""
    planted = filter(None, (with_blunder(blunder, seed) for seed in count()))
    found = [
        at in [one.move for one in dearest({1: weighed(hand, number)})]
        for number, (hand, at) in enumerate(islice(planted, 25 if long else 3))
    ]
    assert fmean(found) >= (0.9 if long else 0.6), found


def test_only_what_the_player_saw_is_used() -> None:
    """With all cards exchanged that were not seen, the other's and the stock's, the figures are equal."""
    hand = next(hand for hand in hands_of_ann("novice", 1, 1))
    at = next(
        number for number, action in enumerate(hand.actions, start=1) if action.kind is ActionKind.DISCARD
    )
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    for action in hand.actions[: at - 1]:
        state.act(action)
    view, chosen = state.view(state.turn), hand.actions[at - 1]
    unseen = view.unseen.mask
    other = [card for card in range(52) if unseen >> card & 1]
    swapped = dict(zip(other, reversed(other), strict=True))
    deck = tuple([swapped.get(card, card) for card in hand.deck])
    again = HandState(hand.rules, deck, dealer=hand.dealer, players=hand.players)
    for action in hand.actions[: at - 1]:
        again.act(action)
    assert again.hands[1 - state.turn] != state.hands[1 - state.turn]
    assert Appraiser(5).appraise(again.view(state.turn), chosen) == Appraiser(5).appraise(view, chosen)


def test_the_choice_is_always_weighed_and_equal_seeds_give_equal_figures() -> None:
    (hand,) = hands_of_ann("novice", 1, 1)
    seat = hand.players.index("Ann")
    found = weighed(hand, 3)
    assert len(found) == len(hand.actions)
    assert found == weighed(hand, 3)
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    for action, one in zip(hand.actions, found, strict=True):
        view = state.view(state.turn)
        assert (one is None) == (state.turn != seat or len(view.legal) < 2)
        if one is not None:
            assert one.chosen == action.plain
            assert not one.options or one.chosen in [option.action for option in one.options]
            assert one.better is None or one.better in view.legal
            assert read_appraisal(appraisal_document(one)) == _rounded(one)
        state.act(action)
    assert {one.kind for one in found if one} >= {ChoiceKind.DISCARD, ChoiceKind.TAKE}


def _rounded(one: Appraisal) -> Appraisal:
    options = [
        option._replace(
            points=round(option.points, 2), risk=None if option.risk is None else round(option.risk, 2)
        )
        for option in one.options
    ]
    return one._replace(cost=round(one.cost, 2), error=round(one.error, 2), options=tuple(options))


def test_what_is_told_of_a_discard_follows_from_the_cards() -> None:
    """The ten of spades is drawn to two melds and 3H, 2S, 4D, KC; one knocks with ten.

    Without the king 19 are left. One could knock next with any ace, and with what goes on the melds: 3C, 7C
    and 9C.
    """
    state = HandState(PUBLISHED, _pack("4C 5C 6C 9D 9H 9S KC 3H 2S 4D"), dealer=1, players=PLAYERS)
    for kind in (ActionKind.PASS, ActionKind.PASS, ActionKind.DRAW):
        state.act(Action(kind))
    told = Appraiser(1, samples=64).appraise(state.view(ANN), Action(ActionKind.DISCARD, _card("3H")))
    assert told is not None
    assert told.kind is ChoiceKind.DISCARD
    by_action = {str(option.action): option for option in told.options}
    king, three = by_action["discard KC"], by_action["discard 3H"]
    assert (king.deadwood, king.knocking) == (19, 4 + 3)
    assert (three.deadwood, three.knocking) == (26, 0)
    assert all(option.risk is not None and 0 <= option.risk <= 1 for option in told.options)


def _card(text: str) -> int:
    return CARD_TEXTS.index(text)


def _pack(hand: str) -> tuple[int, ...]:
    """A pack in which seat 0, who does not deal, gets these ten cards, then draws the ten of spades."""
    own = [_card(text) for text in hand.split()]
    rest = [card for card in range(52) if card not in own and card != _card("TS")]
    dealt = [card for pair in zip(own, rest[:10], strict=True) for card in pair]
    upcard, *stock = rest[10:]
    return (*dealt, upcard, _card("TS"), *stock)
