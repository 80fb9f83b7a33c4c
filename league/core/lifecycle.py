"""What may be done when: the steps of an event and of a round, and what each state allows. Pure.

An event lives draft -> entries open -> running -> finished -> archived; a round drafted -> published ->
complete. Every step has a way back as long as nothing is lost by it. The tables below are the only place
where this is decided; services ask `check_step` and `check_doing` before they write.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from league.errors import LeagueError


class EventState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ARCHIVED = "archived"


class RoundState(StrEnum):
    DRAFTED = "drafted"
    PUBLISHED = "published"
    COMPLETE = "complete"


class Doing(StrEnum):
    """What one does in an event, as far as its state matters."""

    SETTINGS = "settings"
    ENTER = "enter"
    SEED = "seed"
    CHECK_IN = "check_in"
    PAIR = "pair"
    # Line-ups, substitutes, matches added, postponed, given away; sheets begun.
    PLAY = "play"
    CORRECT = "correct"
    ADJUST = "adjust"
    WITHDRAW = "withdraw"


EVENT_STEPS: Final[Mapping[EventState, frozenset[EventState]]] = {
    EventState.DRAFT: frozenset({EventState.OPEN, EventState.RUNNING}),
    EventState.OPEN: frozenset({EventState.DRAFT, EventState.RUNNING}),
    EventState.RUNNING: frozenset({EventState.FINISHED}),
    EventState.FINISHED: frozenset({EventState.RUNNING, EventState.ARCHIVED}),
    EventState.ARCHIVED: frozenset({EventState.FINISHED}),
}

ROUND_STEPS: Final[Mapping[RoundState, frozenset[RoundState]]] = {
    RoundState.DRAFTED: frozenset({RoundState.PUBLISHED}),
    RoundState.PUBLISHED: frozenset({RoundState.DRAFTED, RoundState.COMPLETE}),
    RoundState.COMPLETE: frozenset({RoundState.PUBLISHED}),
}

ALLOWED: Final[Mapping[EventState, frozenset[Doing]]] = {
    EventState.DRAFT: frozenset({Doing.SETTINGS, Doing.ENTER, Doing.SEED}),
    EventState.OPEN: frozenset({Doing.SETTINGS, Doing.ENTER, Doing.SEED, Doing.CHECK_IN, Doing.WITHDRAW}),
    EventState.RUNNING: frozenset(Doing),
    EventState.FINISHED: frozenset({Doing.CORRECT, Doing.ADJUST}),
    EventState.ARCHIVED: frozenset(),
}

_EVENT_IS: Final[Mapping[EventState, str]] = {
    EventState.DRAFT: "is a draft; open its entries or start it first",
    EventState.OPEN: "has not started; start it first",
    EventState.RUNNING: "is running",
    EventState.FINISHED: "is finished; take the finish back first",
    EventState.ARCHIVED: "is archived; take it out of the archive first",
}


def may(state: str, doing: Doing) -> bool:
    """Whether an event in this state allows it."""
    return doing in ALLOWED[EventState(state)]


def check_doing(name: object, state: str, doing: Doing) -> None:
    """Refuses (`wrong_state`) what the state of the event called `name` does not allow."""
    if not may(state, doing):
        raise LeagueError("wrong_state", f"“{name}” {_EVENT_IS[EventState(state)]}.")


def check_event_step(name: object, state: str, to: EventState) -> None:
    """Refuses (`wrong_state`) a step that the table does not have."""
    if to not in EVENT_STEPS[EventState(state)]:
        raise LeagueError("wrong_state", f"“{name}” is {state} and cannot become {to.value} from there.")


def check_round_step(name: object, state: str, to: RoundState) -> None:
    """Refuses (`wrong_state`) a step that the table does not have."""
    if to not in ROUND_STEPS[RoundState(state)]:
        raise LeagueError("wrong_state", f"{name} is {state} and cannot become {to.value} from there.")
