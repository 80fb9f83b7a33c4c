"""The tables of what leads where, and what is allowed when."""

import pytest

from league.core.lifecycle import (
    ALLOWED,
    EVENT_STEPS,
    ROUND_STEPS,
    Doing,
    EventState,
    RoundState,
    check_doing,
    check_event_step,
    check_round_step,
    may,
)
from league.errors import LeagueError


def test_every_state_has_its_steps() -> None:
    assert set(EVENT_STEPS) == set(ALLOWED) == set(EventState)
    assert set(ROUND_STEPS) == set(RoundState)


def test_every_state_is_reached_from_a_draft() -> None:
    reached, waiting = set(), [EventState.DRAFT]
    while waiting:
        state = waiting.pop()
        if state not in reached:
            reached.add(state)
            waiting += EVENT_STEPS[state]
    assert reached == set(EventState)


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
    assert may(state, doing) is allowed
    if allowed:
        check_doing("Cup", state, doing)
        return
    with pytest.raises(LeagueError, match="Cup") as refusal:
        check_doing("Cup", state, doing)
    assert refusal.value.code == "wrong_state"


def test_steps_that_the_table_lacks_are_refused() -> None:
    check_event_step("Cup", "open", EventState.RUNNING)
    with pytest.raises(LeagueError, match="cannot become archived"):
        check_event_step("Cup", "running", EventState.ARCHIVED)
    check_round_step("Round 1", "drafted", RoundState.PUBLISHED)
    with pytest.raises(LeagueError, match="cannot become complete"):
        check_round_step("Round 1", "drafted", RoundState.COMPLETE)
