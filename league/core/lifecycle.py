"""The states of events, rounds and matches, the steps between them, and what each state of an event allows.

An event goes draft -> entries open -> running -> finished -> archived; a round drafted -> published ->
complete. Every step can be taken back as long as nothing is lost. The tables below are the only place that
decides this; services call `check_event_step`, `check_round_step` and `check_doing` before they write.
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
    """The matches of a drafted round have no sheets yet, and only directors see them."""

    DRAFTED = "drafted"
    PUBLISHED = "published"
    COMPLETE = "complete"


class MatchState(StrEnum):
    """The first four follow from the match's sheet; the others are awarded by a director or by the draw, or
    taken over from another program.
    """

    SCHEDULED = "scheduled"
    PLAYING = "playing"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Time was called; what is on the sheet counts in full (RULES §5)."""
    BYE = "bye"
    FORFEIT = "forfeit"
    """Given up, before or after it began; whatever is on the sheet does not count."""
    WALKOVER = "walkover"
    """A side did not come."""
    ABSENT = "absent"
    """An entry sits the round out at its own request; scored like a bye, with an award of its own."""
    TAKEN_OVER = "taken_over"
    """Played elsewhere: who won is known from another program's file, and no deal of it (RULES §18)."""


# Without a result: not in the table.
UNFINISHED: Final = (MatchState.SCHEDULED, MatchState.PLAYING)
# Decided by play, with a sheet.
PLAYED: Final = (MatchState.FINISHED, MatchState.STOPPED)
# Decided by play, here or elsewhere: without a winner it is drawn.
CONTESTED: Final = (*PLAYED, MatchState.TAKEN_OVER)
# Decided without regard to a sheet.
AWARDED: Final = (
    MatchState.BYE,
    MatchState.FORFEIT,
    MatchState.WALKOVER,
    MatchState.ABSENT,
    MatchState.TAKEN_OVER,
)
# Of which nothing that is on a sheet decides; a bye may be played against a bot in place of an opponent.
OFF_SHEET: Final = tuple(state for state in AWARDED if state != MatchState.BYE)
# One entry without an opponent.
SAT_OUT: Final = (MatchState.BYE, MatchState.ABSENT)


class Doing(StrEnum):
    """Kinds of activity that depend on the state of an event."""

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
    # Who has paid the fee.
    FEES = "fees"


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
    EventState.DRAFT: frozenset({Doing.SETTINGS, Doing.ENTER, Doing.SEED, Doing.FEES}),
    EventState.OPEN: frozenset(
        {Doing.SETTINGS, Doing.ENTER, Doing.SEED, Doing.CHECK_IN, Doing.WITHDRAW, Doing.FEES}
    ),
    EventState.RUNNING: frozenset(Doing),
    EventState.FINISHED: frozenset({Doing.CORRECT, Doing.ADJUST, Doing.FEES}),
    EventState.ARCHIVED: frozenset(),
}

_EVENT_IS: Final[Mapping[EventState, Message]] = {
    EventState.DRAFT: mark("“%(name)s” is a draft; open its entries or start it first.", name=""),
    EventState.OPEN: mark("“%(name)s” has not started; start it first.", name=""),
    EventState.RUNNING: mark("“%(name)s” is running.", name=""),
    EventState.FINISHED: mark("“%(name)s” is finished; reopen it first.", name=""),
    EventState.ARCHIVED: mark("“%(name)s” is archived; take it out of the archive first.", name=""),
}
# Values of the two enums do not overlap.
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
    """Return whether an event in this state allows the activity."""
    return doing in ALLOWED[EventState(state)]


def check_doing(name: object, state: str, doing: Doing) -> None:
    """Refuse (`wrong_state`) what the state of the event called `name` does not allow."""
    if not may(state, doing):
        raise LeagueError("wrong_state", _EVENT_IS[EventState(state)].filled(name=str(name)))


def check_event_step(name: object, state: str, to: EventState) -> None:
    """Refuse (`wrong_state`) a step that the table does not have."""
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
    """Refuse (`wrong_state`) a step that the table does not have."""
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
