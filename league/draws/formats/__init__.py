"""The formats an event may have. Each is one object, and nothing else compares formats with one another.

`Format` says what a format answers, with the answers most formats give; `league.models.Traits`, which it
builds on, is the part that models, matches and tables ask. `format_of` is the format of an event.

A new format:

1. Who meets whom, and what follows from a result, in plain Python under `league.core.pairing`, with tests.
2. One module here, with a class that derives from `Format` (from `WithBracket` where it has ties), sets `key`
   and `title`, and answers otherwise where it differs: `plan_round` and `is_left_to_pair` if rounds are
   paired one after another, `next_draw` for what its director does next, `check_start` for what it needs to
   begin, `settings` and `fixed_by_draw` for the fields of an event that belong to it, `acts` for what is done
   on the event's page (form, what it will do, service, permission), `pages` for those it has, each with its
   template. Its last line makes it known: `register(Mine())`.
3. Its name in `MODULES`, at the place where it is to be offered.
4. Tests that play it through the services. `tests/league/test_formats.py` asks every format the questions
   that all must answer, and the demo has an event of each.

Fields that only it has are fields of `Event` with a migration, and stand in `own_settings` with what the form
says beside them. The doors render what is declared here: no line of theirs knows a format.
"""

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple, cast

from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.acts import Act
from league.core.pairing.elimination import Bracket
from league.draws.plans import RoundPlan
from league.errors import LeagueError
from league.models import (
    Entry,
    Event,
    Match,
    Round,
    RoundState,
    Traits,
    register,
    registered,
    traits,
    traits_of,
)
from league.policy.naming import Names
from scoring.core.actors import Actor

MODULES: Final = (
    "round_robin",
    "swiss",
    "single_elimination",
    "double_elimination",
    "consolation",
    "groups",
    "rotation",
    "ladder",
    "tables",
    "tables_swiss",
    "tables_cup",
)

# A sentence, and the act on the event's page that does it.
Due = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatPage:
    """A page of an event that its format has.

    `name` is that of its address, which ends in `path`. One without a path takes the place of the page of
    this name that every event has, or is shown by a view of its own. `tell` answers what its template is told
    about the event, by the names the reader knows people by and what the query of the address asks; None
    where it asks for what there is not.
    """

    name: str
    title: StrOrPromise
    path: str = ""
    template: str = ""
    tell: Callable[[Event, Names, Mapping[str, str]], Mapping[str, Any] | None] = lambda *_asked: {}


class Unsettled(NamedTuple):
    """What keeps the next round from following: sentences for a director, and whether some of it settles."""

    for_director: list[str]
    by_itself: bool


class Format(Traits):
    """A format, with the answers most formats give: rounds paired one after another, for everyone."""

    # The act on the event's page that makes the first round, by its slug; the acts of the format.
    first_act: ClassVar[str]
    acts: ClassVar[tuple[Act[Event], ...]] = ()
    # The pages of an event besides those that every event has, or in their place.
    pages: ClassVar[tuple[FormatPage, ...]] = ()
    # The fields of an event that only some formats use, this one among them; of these the ones that no other
    # format uses, in order, with their help texts.
    settings: ClassVar[frozenset[str]] = frozenset()
    own_settings: ClassVar[Mapping[str, StrOrPromise]] = {}
    # The fields of every event that mean nothing in this format.
    idle_settings: ClassVar[frozenset[str]] = frozenset()
    # Fields fixed by a draw, besides those fixed in every format.
    fixed_by_draw: ClassVar[frozenset[str]] = frozenset()
    # Every round is paired from those present.
    night_by_night: ClassVar[bool] = False
    # Rounds are paired one by one, so the last can be paired again; otherwise all are drawn at once.
    pairs_rounds: ClassVar[bool] = True
    # Late entries have missed the rounds before; otherwise they have no matches at all.
    takes_late_entries: ClassVar[bool] = True
    # Pairs to be kept apart are respected.
    keeps_apart: ClassVar[bool] = False
    drawn_by_seeds: ClassVar[bool] = True
    # Directors may add matches to a round, and imports matches that were not drawn.
    takes_added_matches: ClassVar[bool] = True
    takes_foreign_matches: ClassVar[bool] = True
    # Whether other programs know it, as a file of FIDE's.
    writes_trf: ClassVar[bool] = False
    # All results of who withdrew can be annulled, and by the usual rule are where less than half was played.
    may_annul: ClassVar[bool] = False
    annuls_by_half: ClassVar[bool] = False
    # Why an evening of it cannot run itself (`league.events.evenings`); "" if it can.
    no_evening: ClassVar[StrOrPromise] = ""
    # What is drawn as an evening begins, before anything is.
    evening_begins: ClassVar[StrOrPromise] = gettext_lazy("Round 1 will be drawn now and published.")
    # A note for files of its hands.
    export_note: ClassVar[StrOrPromise] = ""

    def page_called(self, name: str) -> FormatPage | None:
        """Its own page of this name; None where it has none that a template shows."""
        return next((page for page in self.pages if page.name == name and page.template), None)

    # --- starting

    def fewest_entries(self, event: Event) -> int:
        """Return the minimum number of entries; refuses settings that do not determine it."""
        return 2

    def check_start(self, event: Event, count: int) -> None:
        """Refuse (`too_few_entries`) to start with this many entries, and settings that do not fit them."""
        fewest = self.fewest_entries(event)
        if count < fewest:
            raise LeagueError(
                "too_few_entries",
                _("At least %(fewest)d entries are needed, not %(count)d.")
                % {"fewest": fewest, "count": count},
            )

    def first_round_of_late(self, event: Event) -> int:
        """Return the first round of an entry made now; refuses if late entries are impossible.

        It is the one that is drafted, if one is: that is paired again, or published without who came late.
        """
        published = event.rounds.exclude(state=RoundState.DRAFTED)
        last = published.aggregate(last=Max("number"))["last"] or 0
        return int(last) + 1

    def check_seeds_count(self, event: Event) -> None:
        """Refuse seeds that no longer decide anything, beside those of matches that have begun."""

    def seeded_matches(self, event: Event) -> QuerySet[Match]:
        """Return the matches drawn by the present seeds; once one has begun, seeds are fixed."""
        return event.matches.all()

    # --- drawing

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        if not self.night_by_night:
            return rounds
        return event.rounds_planned and max(rounds, event.rounds_planned)

    def rounds_to_pair(self, event: Event, paired: Collection[int]) -> Sequence[int] | None:
        """Those up to the number planned, if rounds are paired night by night; None without one."""
        if not self.night_by_night or event.rounds_planned is None:
            return None
        return [number for number in range(1, event.rounds_planned + 1) if number not in paired]

    def last_round(self, event: Event) -> int | None:
        """Return the number of the last round that may be paired, None if open."""
        return event.rounds_planned if self.night_by_night else None

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        """Plan round `number` for those present; refused (`drawn_at_once`) if all are drawn at once."""
        raise LeagueError(
            "drawn_at_once",
            _("%(format)s: all rounds are drawn at once.") % {"format": self.title},
        )

    def drawn(self, event: Event, number: int) -> None:
        """Write what is fixed once round `number` is drawn."""

    def accelerated_by(self, event: Event, number: int) -> str:
        """Return what virtual points a round is paired with, as a text that changes with them."""
        return ""

    def is_left_to_pair(self, event: Event, number: int) -> bool:
        """True if round `number` comes next, once earlier results are in."""
        last = self.last_round(event)
        return self.pairs_rounds and (last is None or number <= last)

    def asks_who_is_here(self, number: int) -> bool:
        """True if round `number` depends on who is present."""
        return self.night_by_night

    # --- an evening that runs itself

    def has_more(self, event: Event, number: int) -> bool:
        """True if an evening is not over once all rounds before `number` are played."""
        return self.is_left_to_pair(event, number)

    def draw_ahead(self, *, actor: Actor, event: Event, date: datetime.date) -> Round | None:
        """Draw what is not paired as the next round is: all rounds, or a bracket. Returns its first round.

        None where nothing of that kind is due. The caller holds the event. Refused: as by the act of the
        format that a director draws with.
        """
        return None

    def between_rounds(self, event: Event) -> Unsettled:
        """Return what is to be settled before a round is drawn, once the results before it are in."""
        left = self.left_behind(event)
        return Unsettled([left[0]] if left else [], by_itself=False)

    # --- what comes next

    def next_draw(self, event: Event, last: int) -> Due | None:
        """Return what follows round `last` once all results are in, None if everything is played."""
        if not self.is_left_to_pair(event, last + 1):
            return None
        return (
            _("All results of round %(number)d are in: pair round %(next)d.")
            % {"number": last, "next": last + 1},
            "pair",
        )

    def under_way(self, event: Event) -> Due | None:
        """Return what a running event waits for, apart from its rounds."""
        return None

    def left_behind(self, event: Event) -> Due | tuple[()]:
        """Return what withdrawals require in rounds already drawn; () if nothing."""
        return ()

    def settle(self, event: Event) -> bool:
        """Write what follows from results, withdrawals and entries; True if anything was to be written.

        Called before the table is recalculated, without locks; if it refuses, it is tried again later.
        """
        return False

    def unsettled(self, event: Event) -> list[str]:
        """Return a sentence for everything that `settle` would write."""
        return []

    def deadlines(self, event: Event, matches: Sequence[Match]) -> Mapping[int, datetime.date | None]:
        """Return by id the last day to play these matches of an event without a result; None: no deadline."""
        return {match.pk: match.deadline for match in matches}

    def sweep(self) -> None:
        """Apply deadlines in all events of this format; called every few minutes."""


class BracketFormat(Format, ABC):
    """A format with a bracket, at least at its end; `with_bracket` has what such formats share."""

    has_bracket = True
    # A part (`BracketPart`) besides the main draw that has a winner of its own.
    second_prize: ClassVar[str] = ""

    @abstractmethod
    def bracket(self, event: Event, entries: int) -> Bracket:
        """Return the bracket of this many entries, which have the seeds 1 … n."""

    @abstractmethod
    def bracket_entries(
        self, event: Event, *, despite_missing: bool = False
    ) -> tuple[list[Entry], list[str]]:
        """Return the entries in order of their seeds in the bracket, and sentences on who they are."""

    @abstractmethod
    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """Return the name of a level: `ties` in it, `losers` levels in the losers' bracket."""


def first_round_unless_drawn(event: Event) -> int:
    """Return the first round of a late entry; refused (`already_drawn`) once it is drawn who meets whom."""
    if event.rounds.exists() or event.ties.exists():
        raise LeagueError(
            "already_drawn",
            _("“%(event)s” is drawn; nobody can be entered until its draw is deleted.") % {"event": event},
        )
    return 1


def load() -> None:
    """Register all formats, in the order of `MODULES`."""
    for name in MODULES:
        import_module(f"{__name__}.{name}")


def format_called(key: str) -> Format:
    """Return the format with this key; refused (`invalid`) if there is none."""
    return cast("Format", traits(key))


def format_of(event: Event) -> Format:
    """Return the format of an event."""
    return cast("Format", traits_of(event))


def bracket_format_of(event: Event) -> BracketFormat:
    """Return the format of an event with a bracket; refused (`no_bracket`) if it has none."""
    own = format_of(event)
    if not isinstance(own, BracketFormat):
        raise LeagueError(
            "no_bracket",
            _("“%(event)s” is not a knockout: %(format)s.") % {"event": event, "format": own.title},
        )
    return own
