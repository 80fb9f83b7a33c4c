"""The formats an event may have. Each is one object, and nothing else compares formats with one another.

`Format` says what a format answers, with the answers most formats give; `league.models.Traits`, which it
builds on, is the part that models, matches and tables ask. `format_of` is the format of an event.

A new format:

1. Who meets whom, and what follows from a result, in plain Python under `league.core.pairing`, with tests.
2. One module here, with a class that derives from `Format` (from `WithBracket` where it has ties), sets `key`
   and `title`, and answers otherwise where it differs: `plan_round` and `is_left_to_pair` if rounds are
   paired one after another, `next_draw` for what its director does next, `check_start` for what it needs to
   begin, `settings` and `fixed_by_draw` for the fields of an event that belong to it, `acts` for what is done
   on the event's page, `tabs` for the pages it has. Its last line makes it known: `register(Mine())`.
3. Its name in `MODULES`, at the place where it is to be offered.
4. Tests that play it through the services. `tests/league/test_formats.py` asks every format the questions
   that all must answer, and the demo has an event of each.

Fields that only it has are fields of `Event` with a migration, and stand in a section of the event's form.
An act of its own is an `Act` of the admin under the slug it names in `acts`; a page of its own is a view
under the name it gives in `tabs`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import ClassVar, Final, cast

from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from league.core.pairing.elimination import Bracket
from league.draws.plans import RoundPlan
from league.errors import LeagueError
from league.models import Entry, Event, Match, Traits, register, registered, traits, traits_of

__all__ = [
    "MODULES",
    "BracketFormat",
    "Format",
    "bracket_format_of",
    "format_called",
    "format_of",
    "load",
    "register",
    "registered",
]

MODULES: Final = (
    "round_robin",
    "swiss",
    "single_elimination",
    "double_elimination",
    "consolation",
    "groups",
    "rotation",
    "ladder",
)

# A sentence, and the act of the event's page by which it is done.
Due = tuple[str, str]


class Format(Traits):
    """A format, with the answers that most of them give: rounds paired one after another, for everybody."""

    # The act of the event's page that makes the first round, and all acts that belong to the format.
    first_act: ClassVar[str]
    acts: ClassVar[frozenset[str]] = frozenset()
    # The pages of an event besides its table, its rounds and its crosstable: name of the address and title.
    tabs: ClassVar[tuple[tuple[str, StrOrPromise], ...]] = ()
    # The fields of an event that belong to some formats only, this among them.
    settings: ClassVar[frozenset[str]] = frozenset()
    # Those that a draw fixes, besides what it fixes in every format.
    fixed_by_draw: ClassVar[frozenset[str]] = frozenset({"lot_seed"})
    # Every round is paired from those who are there then.
    night_by_night: ClassVar[bool] = False
    # Rounds are paired one by one, so that the last can be paired anew; else all are drawn at once.
    pairs_rounds: ClassVar[bool] = True
    # Who is entered after the draw has missed rounds; else there are no matches for him at all.
    takes_late_entries: ClassVar[bool] = True
    # Pairs that are kept apart are heeded.
    keeps_apart: ClassVar[bool] = False
    drawn_by_seeds: ClassVar[bool] = True
    # A director may add matches to a round; an import may bring matches that were not drawn.
    takes_added_matches: ClassVar[bool] = True
    takes_foreign_matches: ClassVar[bool] = True
    # What a file of its hands should say about it.
    export_note: ClassVar[StrOrPromise] = ""

    # --- to begin

    def fewest_entries(self, event: Event) -> int:
        """Fewer cannot be paired at all; refused where the settings do not say enough to know."""
        return 2

    def check_start(self, event: Event, count: int) -> None:
        """Refuses (`too_few_entries`) to start with so many entries, and settings that do not fit them."""
        fewest = self.fewest_entries(event)
        if count < fewest:
            raise LeagueError(
                "too_few_entries",
                _("%(format)s needs at least %(fewest)d entries; there are %(count)d.")
                % {"format": str(self.title).capitalize(), "fewest": fewest, "count": count},
            )

    def first_round_of_late(self, event: Event) -> int:
        """The round from which somebody plays who is entered now; refused where nobody comes in any more."""
        last = event.rounds.aggregate(last=Max("number"))["last"] or 0
        return int(last) + 1

    def seeded_matches(self, event: Event) -> QuerySet[Match]:
        """The matches that were drawn by the seeds as they are: once one has begun, seeds are fixed."""
        return event.matches.all()

    # --- to draw

    def last_round(self, event: Event) -> int | None:
        """The number of the last round that may be paired, None where that is open."""
        return event.rounds_planned if self.night_by_night else None

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        """Round `number` for those who are present; refused (`drawn_at_once`) where all is drawn at once."""
        raise LeagueError(
            "drawn_at_once",
            _("%(format)s: all rounds are drawn at once.") % {"format": self.title},
        )

    def is_left_to_pair(self, event: Event, number: int) -> bool:
        """Whether round `number` would be paired next, once the results before it are in."""
        last = self.last_round(event)
        return self.pairs_rounds and (last is None or number <= last)

    def asks_who_is_here(self, number: int) -> bool:
        """Whether round `number` depends on who is here."""
        return self.night_by_night

    # --- what comes next

    def next_draw(self, event: Event, last: int, open_ties: int) -> Due | None:
        """What follows round `last` once all results are in, None where everything is played."""
        if not self.is_left_to_pair(event, last + 1):
            return None
        return (
            _("All results of round %(number)d are in: pair round %(next)d.")
            % {"number": last, "next": last + 1},
            "pair",
        )

    def under_way(self, event: Event) -> Due | None:
        """What a running event waits for, where rounds do not say it."""
        return None

    def left_behind(self, event: Event) -> Due | tuple[()]:
        """What withdrawals have left to be done in rounds that are drawn already; () where nothing."""
        return ()

    def settle(self, event: Event) -> bool:
        """Writes what follows from results, withdrawals and entries; True if anything was to be written.

        Called before a table is made anew, without locks; what it refuses is tried again later.
        """
        return False

    def unsettled(self, event: Event) -> list[str]:
        """A sentence for everything that `settle` would write."""
        return []


class BracketFormat(Format, ABC):
    """A format with a bracket, at its end at least; `with_bracket` answers what such formats share."""

    has_bracket = True

    @abstractmethod
    def bracket(self, event: Event, entries: int) -> Bracket:
        """The bracket of so many entries, in which they have the seeds 1 … n."""

    @abstractmethod
    def bracket_entries(
        self, event: Event, *, despite_missing: bool = False
    ) -> tuple[list[Entry], list[str]]:
        """The entries of the bracket in order of their seeds there, and sentences on who they are."""

    @abstractmethod
    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """What a round of a bracket is called: `ties` in this level of the part, `losers` levels below."""


def load() -> None:
    """Makes all formats known, in the order of `MODULES`."""
    for name in MODULES:
        import_module(f"{__name__}.{name}")


def format_called(key: str) -> Format:
    """The format with this key; refused (`invalid`) where there is none."""
    return cast("Format", traits(key))


def format_of(event: Event) -> Format:
    """The format of an event."""
    return cast("Format", traits_of(event))


def bracket_format_of(event: Event) -> BracketFormat:
    """The format of an event that has a bracket; refused (`no_bracket`) where it has none."""
    own = format_of(event)
    if not isinstance(own, BracketFormat):
        raise LeagueError(
            "no_bracket",
            _("“%(event)s” is not a knockout: %(format)s.") % {"event": event, "format": own.title},
        )
    return own
