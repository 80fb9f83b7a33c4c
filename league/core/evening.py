"""An evening that runs itself: its states, what comes next in it, and who has stayed away too often.

Nothing here is decided for a person: what only a director can settle stops the evening.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from league.errors import LeagueError
from scoring.core.messages import mark

MOST_BREAK: Final = 60
MOST_WAIT: Final = 60
# Who has missed so many of his matches in a row is not paired any more. A server of chess leaves him out
# after the first, FIDE's rules for tournaments expel him after the third (RULES §26).
MISSED_IN_A_ROW: Final = 2


class EveningState(StrEnum):
    """Set up; going; paused by a director; stopped by itself, for a director; over."""

    SET = "set"
    GOING = "going"
    PAUSED = "paused"
    STOPPED = "stopped"
    OVER = "over"


EVENING_STEPS: Final[Mapping[EveningState, frozenset[EveningState]]] = {
    EveningState.SET: frozenset({EveningState.GOING}),
    EveningState.GOING: frozenset({EveningState.PAUSED, EveningState.STOPPED, EveningState.OVER}),
    EveningState.PAUSED: frozenset({EveningState.GOING}),
    EveningState.STOPPED: frozenset({EveningState.GOING}),
    EveningState.OVER: frozenset({EveningState.GOING}),
}


class EveningTurn(StrEnum):
    """What an evening does now."""

    WAIT = "wait"
    BREAK = "break"
    BREAK_OFF = "break_off"
    DRAW = "draw"
    STOP = "stop"
    END = "end"


@dataclass(frozen=True, slots=True)
class RoundsStanding:
    """How the rounds of an evening stand.

    `is_open`: something goes on that ends without a director. `is_drafted`: a director has the next round in
    hand. `needs` says what only a director can settle. `is_left`: another round is to be drawn, and `next_at`
    is when, None until the break before it has begun.
    """

    is_open: bool
    is_drafted: bool
    needs: str
    is_left: bool
    next_at: datetime.datetime | None


def turn_of(standing: RoundsStanding, break_: datetime.timedelta, now: datetime.datetime) -> EveningTurn:
    """Return what comes next in an evening that is going."""
    is_over = standing.next_at is not None and (standing.is_open or standing.next_at <= now)
    if standing.is_open or standing.is_drafted:
        # A draft ends no break; once that is over the round is waited for.
        return EveningTurn.BREAK_OFF if is_over else EveningTurn.WAIT
    if standing.needs:
        return EveningTurn.STOP
    if not standing.is_left:
        return EveningTurn.END
    if standing.next_at is None and break_:
        return EveningTurn.BREAK
    return EveningTurn.DRAW if standing.next_at is None or standing.next_at <= now else EveningTurn.WAIT


def stays_away(missed: Sequence[bool]) -> bool:
    """Return whether somebody has missed his last matches, `MISSED_IN_A_ROW` of them, of these in order."""
    return len(missed) >= MISSED_IN_A_ROW and all(missed[-MISSED_IN_A_ROW:])


def check_evening_step(state: str, to: EveningState) -> None:
    """Refuse (`wrong_state`) a step that the table does not have."""
    if to not in EVENING_STEPS[EveningState(state)]:
        raise LeagueError("wrong_state", mark("The evening has changed meanwhile. Look at it again."))
