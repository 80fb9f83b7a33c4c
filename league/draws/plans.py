"""Planned rounds before anything is stored: matches, and entries that sit out."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.core.pairing_reasons import Because, reason_words
from league.core.standings import Number
from league.errors import LeagueError
from league.models import Entry, Event, MatchState, Tie

# Two, or three to six of one entry each at a table of many.
Sides = tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMatch:
    """A match of one entry per side, or two where partners rotate. The first named deals first.

    A table of many has three sides or more.

    `reasons` say why they meet (`core.pairing_reasons`). A match of a bracket is sheet `leg` of its `tie`.
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
        return "; ".join(reason_words(self.reasons, called, str, _))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBye:
    """An entry that sits out: `state` is BYE by the draw, ABSENT at its own request."""

    entry: Entry
    state: MatchState = MatchState.BYE
    reasons: tuple[Because, ...] = ()

    @property
    def why(self) -> str:
        """The reasons in words."""
        return "; ".join(reason_words(self.reasons, {self.entry.pk: str(self.entry)}, str, _))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """A round as it would be drawn, with matches in order of tables.

    `warnings` are what a director should read before agreeing: missing results, an unavoidable rematch.
    `notes` are other remarks. `scores` are the points by which a Swiss is paired, by the entries' ids.
    """

    number: int
    matches: tuple[PlannedMatch, ...]
    byes: tuple[PlannedBye, ...] = ()
    date: datetime.date | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scores: Mapping[int, Number] | None = None


class NoRoundPlanError(LeagueError):
    """No pairing meets all conditions (`no_pairing`); `offer` is the nearest one."""

    def __init__(self, message: str, offer: RoundPlan) -> None:
        super().__init__("no_pairing", message)
        self.offer = offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Several rounds drawn at once, with notes on all of them."""

    event: Event
    entries: tuple[Entry, ...]
    rounds: tuple[RoundPlan, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def matches(self) -> int:
        """The number of matches."""
        return sum(len(planned.matches) for planned in self.rounds)

    @property
    def byes(self) -> int:
        """The number of byes and absences over all rounds."""
        return sum(len(planned.byes) for planned in self.rounds)


def check_days_between(days: int) -> None:
    """Refuse (`out_of_range`) what cannot lie between two rounds."""
    if not 0 <= days <= 366:
        raise LeagueError("out_of_range", _("Between rounds are 0 to 366 days."), field="days_between")


def date_after(first: datetime.date | None, days: int) -> datetime.date | None:
    """The date so many days after the first round, None if that has none; refuses `out_of_range`."""
    try:
        return first and first + datetime.timedelta(days=days)
    except OverflowError as error:
        raise LeagueError("out_of_range", _("There is no such date."), field="first_date") from error
