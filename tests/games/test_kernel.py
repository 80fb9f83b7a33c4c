"""The kernel against the game itself, and compiled against plain: the same deadwood, ends and hands."""

import subprocess
import sys
from itertools import cycle
from typing import Any

import pytest

from games.bots.base import completes_meld
from games.bots.inference import History
from games.bots.kernel import kernel
from games.bots.kernel_ends import DEAD, DIFFERENCES, ENDS, GIN, KINDS, KNOCKED
from games.bots.kernel_play import DISCARD, GOES_ON
from games.bots.kernel_policy import POLICY_SIZE, STATE_SIZE, TURN
from games.bots.kernel_rollouts import CARDS, KNOCKS, TAKES_TOP
from games.bots.policies import POLICIES
from games.bots.rehearsal import OUTCOMES, rules_of, state_of
from games.gin.actions import BIG_GIN, DISCARDS, GINS, PASS, TAKE, Action
from games.gin.actions import KNOCKS as KNOCK_WITH
from games.gin.cards import ALL_CARDS, Hand
from games.gin.hand import HandState, shuffled
from games.gin.judging import judge
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import Phase, View
from scoring.core.rules import Rules
from tests.games.hands import random_hands

PLAIN = kernel(compiled=False)
ACES = [("low", 0), ("low_or_high", 1 << 13)]


@pytest.mark.parametrize(("ace", "table"), ACES)
def test_deadwood_is_that_of_the_game(ace: str, table: int) -> None:
    after = [0] * 52
    for (hand,) in random_hands(1, 3_000, 11):
        PLAIN.weigh_discards(hand.mask, table, after)
        assert {card: after[card] for card in hand} == deadwood_without_each(hand.mask, ace)
        assert PLAIN.least_left(hand.mask, table) == deadwood_of(hand.mask, ace)


@pytest.mark.parametrize(("ace", "table"), ACES)
def test_melds_and_outs_are_those_of_the_game(ace: str, table: int) -> None:
    for hand, live in random_hands(2, 1_000, 10, 20):
        makes = [card for card in live if completes_meld(hand.mask, card, ace)]
        assert [card for card in live if PLAIN.melds_with(hand.mask, card, table)] == makes
        assert PLAIN.outs_of(hand.mask, live.mask, table) == len(makes)
        assert PLAIN.count_of(live.mask) == 20


@pytest.mark.parametrize(("ace", "table"), ACES)
def test_defender_is_left_with_what_the_referee_says(ace: str, table: int) -> None:
    """Lay-offs and own melds together, against the best of the knocker's arrangements."""
    rules = Rules(knock_limit=98, ace=ace)
    for knocker, defender in _close_hands(4_000):
        ruling = judge(rules, knocker=knocker, defender=defender)
        if ruling.knocker.deadwood:
            left = PLAIN.defended(knocker.mask, defender.mask, table)
            assert left == ruling.defender.deadwood, f"{knocker} against {defender}"


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules.preset("tournament"),
        Rules.preset("continental", discard_taken_card="fiftieth_card", stock_end="fiftieth_card"),
        Rules(knock_limit=5, undercut_on_tie=False, discard_taken_card="always", zero_knock="gin"),
        Rules(deal="elder_eleven", knock_limit=0),
        Rules.preset("oklahoma"),
    ],
    ids=["standard", "tournament", "continental", "ties", "elder eleven", "oklahoma"],
)
def test_hands_end_as_the_game_plays_them(rules: Rules) -> None:
    """The same pack, the same players: the kernel plays it alone, the game asks the kernel card by card."""
    policies = PLAIN.ints_of(POLICIES)
    blocks = cycle(range(0, len(POLICIES), POLICY_SIZE))
    for seed in range(60):
        one, other = next(blocks), next(blocks)
        next(blocks)
        deck = list(shuffled(seed))
        state = HandState(rules, tuple(deck), dealer=seed % 2)
        in_play, after, chances = [0] * STATE_SIZE, [0] * 52, [seed]
        PLAIN.deal(in_play, deck, seed % 2, int(rules.deal == "elder_eleven"))
        by = rules_of(rules, state.view(0).limit)
        end = PLAIN.play_on(in_play, deck, by, policies, one, other, after, chances)
        chances = [seed]
        while not state.is_over:
            view = state.view(state.turn)
            state.act(_advised(view, by, policies, other if state.turn else one, after, chances))
        score = state.score()
        if score.winner is None:
            assert end == DEAD
            continue
        winner, rest = divmod(end, KINDS * DIFFERENCES)
        kind, difference = divmod(rest, DIFFERENCES)
        assert (str(winner), OUTCOMES[kind]) == (score.winner, score.outcome)
        bonus = (0, rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus, rules.undercut_bonus)
        doubled = 2 if rules.spades_double and (state.upcard or 0) >= 39 else 1
        assert (difference + bonus[kind]) * doubled == score.points


@pytest.mark.dear("plays many hands, not compiled")
def test_compiled_hands_are_the_plain_ones() -> None:
    results = []
    for made_by in (PLAIN, kernel(compiled=True)):
        chances, ends = made_by.ints_of([7]), made_by.ints(ENDS)
        deck, turns = made_by.ints(52), []
        for one, other in ((0, 0), (POLICY_SIZE, 2 * POLICY_SIZE), (3 * POLICY_SIZE, 4 * POLICY_SIZE)):
            for rules in ([10, 0, 0, 1, 0, 1, 1], [10, 1 << 13, 1, 0, 1, 1, 0]):
                turns.append(
                    made_by.play_hands(
                        100,
                        ends,
                        made_by.ints(STATE_SIZE),
                        deck,
                        made_by.ints_of(rules),
                        made_by.ints_of(POLICIES),
                        one,
                        other,
                        0,
                        made_by.ints(52),
                        chances,
                    )
                )
        results.append(([int(count) for count in ends], [int(one) for one in turns], int(chances[0])))
    assert results[0] == results[1]
    assert sum(results[0][0]) == 600


def test_plain_players_of_the_kernel_play_as_published() -> None:
    """Block 0 is `simple`: 93.5 % knocks, 4.3 % undercuts, 2 % gin (four standard errors)."""
    made_by = kernel(compiled=True)
    ends, hands = made_by.ints(ENDS), 4_000
    made_by.play_hands(
        hands,
        ends,
        made_by.ints(STATE_SIZE),
        made_by.ints(52),
        made_by.ints_of([10, 0, 0, 1, 0, 1, 1]),
        made_by.ints_of(POLICIES),
        0,
        0,
        0,
        made_by.ints(52),
        made_by.ints_of([1]),
    )
    shares = {
        kind: sum(
            [
                int(count)
                for number, count in enumerate(ends)
                if number // DIFFERENCES % KINDS == kind and number < DEAD
            ]
        )
        / hands
        for kind in (KNOCKED, GIN)
    }
    assert abs(shares[KNOCKED] - 0.935) < 4 * (0.935 * 0.065 / hands) ** 0.5
    assert abs(shares[GIN] - 0.02) < 4 * (0.02 * 0.98 / hands) ** 0.5


def test_importing_bots_brings_neither_kernel_nor_numba() -> None:
    program = (
        "import sys, games.bots; print([name for name in sys.modules if 'numba' in name or 'kernel' in name])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def _advised(view: View, by: Any, policies: Any, policy: int, after: Any, chances: Any) -> Action:
    """What that policy does, as an action of the game."""
    state = state_of(view, History(view))
    if view.phase in (Phase.LAST_OFFER, Phase.LAST_KNOCK):
        if view.phase is Phase.LAST_OFFER:
            return TAKE if TAKE in view.legal else PASS
        return _ending(view, min(view.after, key=lambda card: (_kept(view, card), view.after[card], card)))
    choice = PLAIN.advised(state, by, policies, policy, after, chances)
    if view.phase is Phase.STOCK:
        assert choice == GOES_ON
        return view.legal[0]
    kind, card = divmod(int(choice), CARDS)
    if kind == KNOCKS:
        return _ending(view, card)
    if view.phase is Phase.DISCARD:
        assert state[TURN] == 0
        assert DISCARD == 4
        return DISCARDS[card]
    return TAKE if kind == TAKES_TOP else next(one for one in view.legal if one != TAKE)


def _ending(view: View, card: int) -> Action:
    if BIG_GIN in view.legal:
        return BIG_GIN
    return KNOCK_WITH[card] if view.after[card] else GINS[card]


def _kept(view: View, card: int) -> bool:
    return view.rules.discard_taken_card == "never" and card == view.taken


def _close_hands(how_many: int) -> Any:
    """Pairs of hands from few ranks and suits, so that there are melds and lay-offs."""
    for number, (first, second, *_rest) in enumerate(random_hands(3, how_many, 10, 10)):
        yield first, second
        if number % 2:
            continue
        few = Hand(ALL_CARDS & (0b1111111 << number % 7) * (1 | 1 << 13 | 1 << 26 | 1 << 39))
        cards = [card for hand in random_hands(number, 1, 26, 26) for one in hand for card in one]
        chosen = [card for card in cards if card in few][:20]
        yield Hand.of(chosen[:10]), Hand.of(chosen[10:])
