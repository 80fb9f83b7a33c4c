"""Any legal play under any rules: the cards stay together, nobody sees too much, legal means legal."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, ActionKind
from games.gin.cards import ALL_CARDS, CARD_TEXTS, Hand, cards_of, mask_of
from games.gin.hand import HandState, shuffled
from games.gin.judging import judge
from games.gin.log import HandLog
from games.gin.view import Phase
from scoring.core.hands import Dead, score_hand
from scoring.core.rules import Rules
from scoring.documents.sheets import hand_document
from tests.games.tables import Anybody, Table, said
from tests.scoring.strategies import rules

SEEDS = st.integers(0, 2**32)
# 29 cards of the stock, each followed by twenty turns from the pile; the beginning and the end.
MOST_TURNS = 29 * 21 + 22


@st.composite
def players(draw: st.DrawFn) -> tuple[Anybody, Anybody]:
    def one() -> Anybody:
        return Anybody(
            draw(SEEDS),
            take=draw(st.sampled_from([0.1, 0.5, 0.9, 1.0])),
            end=draw(st.sampled_from([0.0, 0.0, 0.3, 1.0])),
            sensible=draw(st.booleans()),
        )

    return one(), one()


def started(by: Rules, seed: int) -> HandState:
    return HandState(by, shuffled(seed), dealer=seed % 2, players=("Ann", "Bob"))


def play(state: HandState, pair: tuple[Anybody, Anybody], most: int = MOST_TURNS * 2) -> HandState:
    for _ in range(most):
        if state.is_over:
            break
        state.act(pair[state.turn].choose(state.view(state.turn)))
    return state


@given(by=rules(), seed=SEEDS, pair=players())
def test_every_hand_ends_with_a_result_the_scorer_takes(
    by: Rules, seed: int, pair: tuple[Anybody, Anybody]
) -> None:
    state = play(started(by, seed), pair)
    assert state.is_over
    assert state.legal_actions() == ()
    assert state.result is not None
    score = state.score()
    assert score == score_hand(by, state.result)
    assert hand_document(state.result)["kind"] in {"knock", "gin", "big_gin", "dead"}
    if isinstance(state.result, Dead):
        assert (score.winner, state.laid, state.answer) == (None, None, None)
        return
    # What was played is judged from the cards alike; except that a player may hold his tongue about gin.
    knocker = Hand(state.hands[state.turn])
    defender = Hand(state.hands[1 - state.turn])
    ruling = judge(by, knocker=knocker, defender=defender, upcard=state.result.upcard)
    assert state.laid is not None
    assert ruling.knocker.deadwood == state.laid.deadwood
    if ruling.knocker.deadwood or state.actions[-1].kind is not ActionKind.KNOCK:
        assert (ruling.outcome, ruling.points) == (score.outcome, score.points)
        winner = {"knocker": state.turn, "defender": 1 - state.turn}.get(ruling.winner or "")
        assert score.winner == (None if winner is None else ("Ann", "Bob")[winner])


@given(by=rules(), seed=SEEDS, pair=players())
def test_all_cards_are_there_and_legal_is_what_the_rules_say(
    by: Rules, seed: int, pair: tuple[Anybody, Anybody]
) -> None:
    state, table = started(by, seed), Table(by, shuffled(seed), seed % 2)
    for _ in range(150):
        assert said(state) == table.legal()
        assert len(said(state)) == len(state.legal_actions())
        places = [*cards_of(state.hands[0]), *cards_of(state.hands[1]), *state.pile, *state.stock]
        assert sorted(places) == list(range(52))
        for seat in (0, 1):
            assert {CARD_TEXTS[card] for card in cards_of(state.hands[seat])} == table.hands[seat]
            extra = seat == state.turn and state.phase in (Phase.DISCARD, Phase.LAST_KNOCK)
            big_gin = state.is_over and seat == state.turn and state.actions[-1].kind is ActionKind.BIG_GIN
            assert len(table.hands[seat]) == (11 if extra or big_gin else 10)
        assert [CARD_TEXTS[card] for card in state.pile] == table.pile
        assert state.is_over == table.over
        if state.is_over:
            break
        action = pair[state.turn].choose(state.view(state.turn))
        state.act(action)
        table.act(str(action))


@given(by=rules(), seed=SEEDS, pair=players(), steps=st.integers(0, 80))
def test_exactly_the_listed_actions_are_accepted(
    by: Rules, seed: int, pair: tuple[Anybody, Anybody], steps: int
) -> None:
    state = play(started(by, seed), pair, steps)
    before = state.view(0), state.view(1), state.log
    for action in ALL_ACTIONS:
        if action in state.legal_actions():
            after = HandState.replay(by, state.log, players=("0", "1"))
            after.act(action)
            assert after.actions == [*state.actions, action]
            continue
        with pytest.raises(GameError, match=r"\.$") as refused:
            state.act(action)
        assert refused.value.code != "unknown_action"
        assert (state.view(0), state.view(1), state.log) == before


@given(by=rules(), seed=SEEDS, pair=players(), steps=st.integers(0, 1300))
def test_log_leads_to_the_same_state(by: Rules, seed: int, pair: tuple[Anybody, Anybody], steps: int) -> None:
    state = play(started(by, seed), pair, steps)
    log = HandLog.from_document(state.log.to_document())
    assert log == state.log
    again = HandState.replay(by, log, players=("Ann", "Bob"))
    assert [again.view(seat) for seat in (0, 1)] == [state.view(seat) for seat in (0, 1)]
    assert (again.result, again.laid, again.answer) == (state.result, state.laid, state.answer)


@given(by=rules(), seed=SEEDS, pair=players(), steps=st.integers(0, 120), seat=st.integers(0, 1))
def test_view_is_the_same_whatever_the_hidden_cards_are(
    by: Rules, seed: int, pair: tuple[Anybody, Anybody], steps: int, seat: int
) -> None:
    state = play(started(by, seed), pair, steps)
    view = state.view(seat)
    hidden = list(view.unseen)
    shuffled_hidden = random.Random(seed).sample(hidden, len(hidden))
    swap = dict(zip(hidden, shuffled_hidden, strict=True))
    deck = tuple(swap.get(card, card) for card in state.deck)
    if state.phase is Phase.LAST_KNOCK and state.turn != seat:
        return  # that he took the last discard tells that he can knock, which other cards may not
    other = HandState.replay(by, HandLog(deck, state.dealer, state.log.actions), players=("Ann", "Bob"))
    assert other.view(seat) == view
    # And it does tell everything that lay open: the rest is exactly what is not in it.
    assert (other.hands[1 - seat] ^ state.hands[1 - seat]) & ~mask_of(hidden) == 0
    assert view.known & ~state.hands[1 - seat] == 0
    assert view.hand == Hand(state.hands[seat])
    own_and_open = state.hands[seat] | view.known | mask_of(state.pile)
    assert view.unseen == Hand(ALL_CARDS & ~(own_and_open | (view.shown or 0)))


@given(by=rules(), seed=SEEDS)
def test_players_who_only_take_from_the_pile_come_to_an_end(by: Rules, seed: int) -> None:
    taker: dict[str, Any] = {"take": 1.0, "end": 0.0, "sensible": False}
    state = play(started(by, seed), (Anybody(seed, **taker), Anybody(seed + 1, **taker)))
    assert state.is_over
    assert len(state.actions) > 1000
