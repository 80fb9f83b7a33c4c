"""The tables of what leads where, and what is allowed when."""

import pytest

from league.core import lifecycle
from league.core.lifecycle import (
    ALLOWED,
    EVENT_STEPS,
    ROUND_STEPS,
    Doing,
    check_doing,
    check_event_step,
    check_round_step,
)
from league.errors import LeagueError
from league.models import EventState, RoundState


def test_choices_of_the_models_are_the_states_of_the_tables() -> None:
    assert set(EventState.values) == {state.value for state in lifecycle.EventState}
    assert set(RoundState.values) == {state.value for state in lifecycle.RoundState}
    assert set(EVENT_STEPS) == set(ALLOWED) == set(lifecycle.EventState)
    assert set(ROUND_STEPS) == set(lifecycle.RoundState)


def test_every_state_is_reached_from_a_draft() -> None:
    reached, waiting = set(), [lifecycle.EventState.DRAFT]
    while waiting:
        state = waiting.pop()
        if state not in reached:
            reached.add(state)
            waiting += EVENT_STEPS[state]
    assert reached == set(lifecycle.EventState)


@pytest.mark.parametrize(
    ("state", "doing", "allowed"),
    [
        ("draft", Doing.ENTER, True),
        ("draft", Doing.PLAY, False),
        ("open", Doing.PAIR, False),
        ("running", Doing.PAIR, True),
        ("running", Doing.ENTER, True),  # a late entry
        ("finished", Doing.ENTER, False),
        ("finished", Doing.CORRECT, True),
        ("archived", Doing.CORRECT, False),
        ("archived", Doing.SETTINGS, False),
    ],
)
def test_what_is_not_in_the_table_is_refused(state: str, doing: Doing, allowed: bool) -> None:
    assert lifecycle.may(state, doing) is allowed
    if allowed:
        check_doing("Cup", state, doing)
        return
    with pytest.raises(LeagueError, match="Cup") as refusal:
        check_doing("Cup", state, doing)
    assert refusal.value.code == "wrong_state"


def test_steps_that_the_table_lacks_are_refused() -> None:
    check_event_step("Cup", "open", lifecycle.EventState.RUNNING)
    with pytest.raises(LeagueError, match="cannot become archived"):
        check_event_step("Cup", "running", lifecycle.EventState.ARCHIVED)
    check_round_step("Round 1", "drafted", lifecycle.RoundState.PUBLISHED)
    with pytest.raises(LeagueError, match="cannot become complete"):
        check_round_step("Round 1", "drafted", lifecycle.RoundState.COMPLETE)
