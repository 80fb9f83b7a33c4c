"""The clock of a table as arithmetic: documents, deadlines, banks, and the turn that is played by default."""

import datetime
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gin.actions import DISCARDS, ActionKind
from games.gin.hand import HandState, shuffled
from games.gin.offering import knock_choices, offered_lay_off
from games.gin.view import Phase
from games.tables.clocks import (
    LONGEST_BANK,
    LONGEST_TURN,
    PRESETS,
    SHORTEST_TURN,
    Clock,
    TimeOut,
    default_action,
    play_by_default,
)
from scoring.core.errors import CodedError
from scoring.core.rules import Rules
from tests.games.conftest import EIGHT
from tests.refusals import refuses
from tests.scoring.strategies import rules

CLOCKS = st.builds(
    Clock,
    st.integers(SHORTEST_TURN, LONGEST_TURN),
    st.integers(0, LONGEST_BANK),
    st.sampled_from(TimeOut),
)
ENDINGS = (ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN)
SPANS = st.timedeltas(datetime.timedelta(0), datetime.timedelta(days=70))


def seconds(count: float) -> datetime.timedelta:
    return datetime.timedelta(seconds=count)


def test_the_time_of_the_turn_runs_first_and_then_the_bank() -> None:
    """Of half a minute and five: after 29 s nothing is used, after 40 s ten, after 5 min 30 s all."""
    lively, bank = PRESETS["lively"], seconds(300)
    for after, used in ((0, 0), (29, 0), (30, 0), (40, 10), (330, 300), (1000, 300)):
        reading = lively.read(bank, EIGHT, EIGHT + seconds(after))
        assert reading == (EIGHT + seconds(330), seconds(used))
    assert lively.read(seconds(0), EIGHT, EIGHT).deadline == EIGHT + seconds(30)
    three_days = PRESETS["correspondence"]
    assert three_days.read(three_days.bank, EIGHT, EIGHT).deadline == EIGHT + datetime.timedelta(days=3)


@given(clock=CLOCKS, spans=st.lists(SPANS, min_size=1, max_size=8))
def test_a_bank_is_never_filled_again_and_is_used_up_at_the_deadline(
    clock: Clock, spans: list[datetime.timedelta]
) -> None:
    bank, at = clock.bank, EIGHT
    for span in spans:
        reading = clock.read(bank, at, at + span)
        is_over = at + span >= reading.deadline
        assert seconds(0) <= reading.used <= bank
        assert is_over == (span >= seconds(clock.turn_seconds) + bank)
        assert not is_over or reading.used == bank
        assert reading.deadline == clock.read(bank, at, at).deadline, "a deadline does not move"
        bank, at = bank - reading.used, at + span


@given(clock=CLOCKS)
def test_a_clock_is_read_as_it_was_written(clock: Clock) -> None:
    assert Clock.from_document(clock.to_document()) == clock


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("out_of_range", {"turn_seconds": SHORTEST_TURN - 1}),
        ("out_of_range", {"turn_seconds": LONGEST_TURN + 1}),
        ("out_of_range", {"bank_seconds": -1}),
        ("out_of_range", {"bank_seconds": LONGEST_BANK + 1}),
        ("wrong_type", {"turn_seconds": 30.5}),
        ("wrong_type", {"bank_seconds": True}),
        ("missing_field", {"turn_seconds": None}),
        ("unknown_time_out", {"time_out": "lose_game"}),
        ("unknown_time_out", {"time_out": None}),
        ("unknown_time_out", {"time_out": ["default_action"]}),
        ("unknown_field", {"increment": 3}),
    ],
)
def test_what_is_no_clock_is_refused(code: str, changes: dict[str, Any]) -> None:
    with pytest.raises(CodedError) as refusal:
        Clock.from_document(PRESETS["relaxed"].to_document() | changes)
    assert (refusal.value.code, refusal.value.field) == (code, *changes)


def test_a_clock_is_an_object() -> None:
    with refuses(CodedError, "wrong_type"):
        Clock.from_document([30, 300, "default_action"])


@given(by=rules(), seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_a_turn_by_default_is_over_with_the_least_that_is_legal(by: Rules, seed: int, steps: int) -> None:
    chances = random.Random(seed)
    state = HandState(by, shuffled(seed), dealer=seed % 2)
    while not state.is_over and len(state.actions) < steps:
        state.act(chances.choice(state.legal_actions()))
    if state.is_over:
        return
    seat, before = state.turn, len(state.actions)
    held = state.hands[seat]
    must_knock = all(action.kind in ENDINGS for action in state.legal_actions())
    play_by_default(state)
    played = [action.kind for action in state.actions[before:]]
    assert state.is_over or state.turn != seat
    assert played in (
        [ActionKind.PASS],
        [ActionKind.DRAW, ActionKind.DISCARD],
        [ActionKind.DISCARD],
        *([[kind] for kind in ENDINGS] if must_knock else []),
    )
    if played[0] in (ActionKind.PASS, ActionKind.DRAW):
        assert state.hands[seat] == held, "the cards are those of before"


def test_who_has_drawn_puts_that_card_back_and_who_has_taken_one_leaves_least() -> None:
    state = HandState(Rules(), shuffled(3), dealer=0)
    held = state.hands[1]
    state.act(default_action(state))
    state.act(default_action(state))
    assert [str(action) for action in state.actions] == ["pass", "pass"]
    state.act(default_action(state))
    (drawn,) = [card for card in range(52) if (state.hands[1] & ~held) >> card & 1]
    assert default_action(state) == DISCARDS[drawn]
    state = HandState(Rules(), shuffled(3), dealer=0)
    state.act(state.legal_actions()[0])
    assert state.actions[0].kind is ActionKind.TAKE
    thrown, after = default_action(state), state.view(1).after
    assert thrown in state.legal_actions()
    assert thrown.card is not None
    legal = [action.card for action in state.legal_actions() if action.card is not None]
    assert after[thrown.card] == min(after[card] for card in legal)


def test_who_is_to_lay_off_takes_what_is_offered() -> None:
    for seed in range(60):
        state = HandState(Rules(), shuffled(seed), dealer=0)
        while not state.is_over and state.phase is not Phase.LAY_OFF:
            view = state.view(state.turn)
            knocks = knock_choices(view)
            discards = [one for one in view.legal if one.kind is ActionKind.DISCARD]
            least = min(view.after, key=view.after.__getitem__, default=None)
            thrown = [one for one in discards if one.card == least] or discards or list(view.legal)
            state.act(knocks[0] if knocks else thrown[0])
        if state.phase is Phase.LAY_OFF:
            offered = offered_lay_off(state.view(state.turn))
            assert default_action(state) == offered
            return
    pytest.fail("Nobody has knocked.")
