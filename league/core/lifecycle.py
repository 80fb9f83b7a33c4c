"""What may be done when: the steps of an event and of a round, and what each state allows. Pure.

An event lives draft -> entries open -> running -> finished -> archived; a round drafted -> published ->
complete. Every step has a way back as long as nothing is lost by it. The tables below are the only place
where this is decided; services ask `check_step` and `check_doing` before they write.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from league.errors import LeagueError
from scoring.core.messages import Message, mark


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

_EVENT_IS: Final[Mapping[EventState, Message]] = {
    EventState.DRAFT: mark("“%(name)s” is a draft; open its entries or start it first.", name=""),
    EventState.OPEN: mark("“%(name)s” has not started; start it first.", name=""),
    EventState.RUNNING: mark("“%(name)s” is running.", name=""),
    EventState.FINISHED: mark("“%(name)s” is finished; reopen it first.", name=""),
    EventState.ARCHIVED: mark("“%(name)s” is archived; take it out of the archive first.", name=""),
}
# An event's and a round's: their names differ.
_STATES: Final[Mapping[str, Message]] = {
    EventState.DRAFT: mark("draft"),
    EventState.OPEN: mark("open"),
    EventState.RUNNING: mark("running"),
    EventState.FINISHED: mark("finished"),
    EventState.ARCHIVED: mark("archived"),
    RoundState.DRAFTED: mark("drafted"),
    RoundState.PUBLISHED: mark("published"),
    RoundState.COMPLETE: mark("complete"),
}


def may(state: str, doing: Doing) -> bool:
    """Whether an event in this state allows it."""
    return doing in ALLOWED[EventState(state)]


def check_doing(name: object, state: str, doing: Doing) -> None:
    """Refuses (`wrong_state`) what the state of the event called `name` does not allow."""
    if not may(state, doing):
        raise LeagueError("wrong_state", _EVENT_IS[EventState(state)].filled(name=str(name)))


def check_event_step(name: object, state: str, to: EventState) -> None:
    """Refuses (`wrong_state`) a step that the table does not have."""
    if to not in EVENT_STEPS[EventState(state)]:
        raise LeagueError(
            "wrong_state",
            mark(
                "“%(name)s” is %(state)s and cannot become %(next)s from there.",
                name=str(name),
                state=_STATES[state],
                next=_STATES[to],
            ),
        )


def check_round_step(name: object, state: str, to: RoundState) -> None:
    """Refuses (`wrong_state`) a step that the table does not have."""
    if to not in ROUND_STEPS[RoundState(state)]:
        raise LeagueError(
            "wrong_state",
            mark(
                "%(name)s is %(state)s and cannot become %(next)s from there.",
                name=str(name),
                state=_STATES[state],
                next=_STATES[to],
            ),
        )
