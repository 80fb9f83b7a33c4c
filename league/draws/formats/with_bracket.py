"""What formats with a bracket share."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.core.pairing.elimination import Bracket, bracket
from league.draws import advancing, bracket_rounds, brackets
from league.draws.formats import BracketFormat, Due
from league.draws.plans import RoundPlan
from league.draws.tie_tree import bracket_now
from league.errors import LeagueError
from league.models import BracketPart, Entry, Event
from league.tables.placings import placings


class WithBracket(BracketFormat):
    """A bracket drawn from the seeds, with a round for each stage. Other formats derive from it."""

    leading_criteria: ClassVar[tuple[str, ...]] = ("place",)
    first_act = "draw-bracket"
    acts: ClassVar[frozenset[str]] = frozenset({"draw-bracket"})
    tabs: ClassVar[tuple[tuple[str, StrOrPromise], ...]] = (("event_bracket", gettext_lazy("Bracket")),)
    settings: ClassVar[frozenset[str]] = frozenset({"best_of", "tie_decider", "check_in"})
    takes_added_matches = False
    takes_foreign_matches = False

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        return max(rounds, before + stages) if stages else None

    def first_round_of_late(self, event: Event) -> int:
        if event.rounds.exists() or event.ties.exists():
            raise LeagueError(
                "already_drawn",
                _("“%(event)s” is drawn; nobody can be entered until its draw is deleted.")
                % {"event": event},
            )
        return 1

    def asks_who_is_here(self, number: int) -> bool:
        """Only the first: after the draw the bracket waits for its entries."""
        return number == 1

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        """Plan the next stage, regardless of who is present."""
        return bracket_rounds.plan_stage(event, number)

    def is_left_to_pair(self, event: Event, number: int) -> bool:
        now = bracket_now(event)
        return now is not None and bool(bracket_rounds.waiting_ties(now))

    def next_draw(self, event: Event, last: int, open_ties: int) -> Due | None:
        if not open_ties:
            return None
        return (
            _("All results of round %(number)d are in: pair round %(next)d.")
            % {"number": last, "next": last + 1},
            "pair",
        )

    def bracket(self, event: Event, entries: int) -> Bracket:
        return bracket(entries, third_place=event.third_place)

    def bracket_entries(
        self, event: Event, *, despite_missing: bool = False
    ) -> tuple[list[Entry], list[str]]:
        return brackets.draw_order(event)

    def places(self, event: Event, *, until: int | None = None) -> Mapping[int, int]:
        return placings(event, until=until)

    def settle(self, event: Event) -> bool:
        return advancing.settle_ties(event)

    def unsettled(self, event: Event) -> list[str]:
        return advancing.unsettled(event)

    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """Named by the number of ties left."""
        if part == BracketPart.FINAL:
            return _("Final")
        if part == BracketPart.THIRD:
            return _("For third place")
        return {2: _("Semifinals"), 4: _("Quarterfinals")}.get(ties) or _("Round of %s") % (2 * ties)
