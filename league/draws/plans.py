"""What a pairing would make, before anything is stored: rounds with matches, and who sits them out."""

import datetime
from dataclasses import dataclass, field

from league.core.pairing_reasons import Because, reason_words
from league.errors import LeagueError
from league.models import Entry, Event, MatchState, Tie

Sides = tuple[tuple[Entry, ...], tuple[Entry, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMatch:
    """Two sides of one entry each, of two where partners rotate. The first named deals first.

    `reasons` say why these meet (`core.pairing_reasons`). A match of a bracket is sheet `leg` of its `tie`.
    """

    sides: Sides
    table: int | None = None
    reasons: tuple[Because, ...] = ()
    tie: Tie | None = None
    leg: int = 1

    def __str__(self) -> str:
        return " – ".join(" + ".join(str(entry) for entry in side) for side in self.sides)

    @property
    def why(self) -> str:
        """The reasons in words."""
        called = {entry.pk: str(entry) for side in self.sides for entry in side}
        return "; ".join(reason_words(self.reasons, called, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBye:
    """An entry that sits a round out: `state` is BYE by the draw, ABSENT because it asked to."""

    entry: Entry
    state: MatchState = MatchState.BYE
    reasons: tuple[Because, ...] = ()

    @property
    def why(self) -> str:
        """The reasons in words."""
        return "; ".join(reason_words(self.reasons, {self.entry.pk: str(self.entry)}, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """A round as it would be drawn, matches in order of tables.

    `warnings` are sentences a director should read before saying yes: results that are missing, a rematch
    that could not be avoided. `notes` are what else there is to know.
    """

    number: int
    matches: tuple[PlannedMatch, ...]
    byes: tuple[PlannedBye, ...] = ()
    date: datetime.date | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class NoRoundPlanError(LeagueError):
    """No pairing keeps to all that is asked (`no_pairing`); `offer` is the one that comes nearest."""

    def __init__(self, message: str, offer: RoundPlan) -> None:
        super().__init__("no_pairing", message)
        self.offer = offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Several rounds drawn at once, with sentences on the whole of them."""

    event: Event
    entries: tuple[Entry, ...]
    rounds: tuple[RoundPlan, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def matches(self) -> int:
        """How many matches are played."""
        return sum(len(planned.matches) for planned in self.rounds)

    @property
    def byes(self) -> int:
        """How many rounds are sat out, over all entries."""
        return sum(len(planned.byes) for planned in self.rounds)
