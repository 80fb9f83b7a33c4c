"""What formats with a bracket share."""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, passes
from league.acts.fields import DayField
from league.core.lifecycle import Doing
from league.core.pairing.elimination import Bracket, bracket
from league.draws import advancing, bracket_rounds, brackets
from league.draws.formats import (
    BracketFormat,
    FormatPage,
    Unsettled,
    bracket_format_of,
    first_round_unless_drawn,
)
from league.draws.missing import results_missing
from league.draws.plans import RoundPlan
from league.draws.qualifying import missing_in_groups
from league.draws.round_writing import check_untouched
from league.draws.tie_tree import bracket_now
from league.models import BracketPart, Entry, Event, Round, traits_of
from league.tables.placings import placings
from scoring.core.actors import Actor


class BracketForm(ActForm):
    """The date of the first round; after groups, whether to draw despite missing results."""

    date = DayField(label=gettext_lazy("First night"), required=False)
    despite_missing = forms.BooleanField(
        label=gettext_lazy("Draw although results are missing"), required=False
    )

    def prepare(self, row: Event) -> None:
        missing = missing_in_groups(row) if traits_of(row).has_groups else []
        if missing:
            self.fields["despite_missing"].help_text = results_missing(missing)
        else:
            del self.fields["despite_missing"]


def _preview_bracket(event: Event, data: Data) -> Preview:
    plan = brackets.plan_bracket(event, despite_missing=data.get("despite_missing", False))
    fed = plan.feeders
    lines = list(plan.notes)
    if event.ties.exists():
        lines.append(_("The bracket drawn before will be replaced; nothing of it was played."))
    byes = 2 ** (len(plan.entries) - 1).bit_length() - len(plan.entries)
    lines += [
        ngettext("%d entry.", "%d entries.", len(plan.entries)) % len(plan.entries),
        ngettext(
            "%(byes)d entry will have a bye: the first seed.",
            "%(byes)d entries will have a bye: the first seeds.",
            byes,
        )
        % {"byes": byes}
        if byes
        else _("Nobody will have a bye."),
        _(
            "The first round will be a draft until it is published: until then nobody else will see it, "
            "and no sheets will be opened."
        ),
    ]

    def side(number: int, side: int, seed: int | None) -> str:
        if (entry := plan.entry(seed)) is not None:
            return f"{seed}. {entry}"
        feeder = fed.get((number, side))
        if feeder is None:
            return _("bye")
        words = _("winner of %(number)s") if feeder.won else _("loser of %(number)s")
        return words % {"number": feeder.match}

    drawn = plan.drawn.matches
    ties = Counter((match.part, match.level) for match in drawn)
    losers = max((match.level for match in drawn if match.part == BracketPart.LOSERS), default=0)
    own = bracket_format_of(event)
    return Preview(
        lines,
        [_("Stage"), _("Match"), _("Part"), _("First side"), _("Second side")],
        [
            [
                match.stage,
                match.number,
                own.stage_heading(match.part.value, match.level, ties[match.part, match.level], losers),
                *(side(match.number, place, match.slots[place]) for place in (0, 1)),
            ]
            for match in drawn
        ],
    )


def _draw_bracket(by: Actor, event: Event, data: Data) -> str:
    round_ = brackets.draw_bracket(actor=by, event=event, **data)
    return _("The bracket is drawn; round %(number)d is a draft. Look at it and publish it.") % {
        "number": round_.number
    }


DRAW_BRACKET: Final[Act[Event]] = Act(
    slug="draw-bracket",
    title=gettext_lazy("Draw the bracket"),
    doing=Doing.PAIR,
    intro=gettext_lazy(
        "Entries take their places by seed, then by name; after groups those who go on do. The next page "
        "shows the bracket; nothing is stored before you say yes. It can be drawn again until its first hand."
    ),
    form=BracketForm,
    preview=_preview_bracket,
    run=_draw_bracket,
    submit=gettext_lazy("Show the bracket"),
    again=(lambda event: event.ties.exists(), gettext_lazy("Draw the bracket again")),
    offered=lambda event: (
        (event.rounds.exists() or not traits_of(event).has_groups)
        and passes(check_untouched, brackets.bracket_matches(event))
    ),
)


class WithBracket(BracketFormat):
    """A bracket drawn from the seeds, with a round for each stage. Other formats derive from it."""

    leading_criteria: ClassVar[tuple[str, ...]] = ("place",)
    first_act = "draw-bracket"
    acts: ClassVar[tuple[Act[Event], ...]] = (DRAW_BRACKET,)
    pages = (FormatPage(name="event_bracket", title=gettext_lazy("Bracket")),)
    settings: ClassVar[frozenset[str]] = frozenset({"best_of", "tie_decider", "check_in"})
    takes_added_matches = False
    takes_foreign_matches = False

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        return max(rounds, before + stages) if stages else None

    def first_round_of_late(self, event: Event) -> int:
        return first_round_unless_drawn(event)

    def asks_who_is_here(self, number: int) -> bool:
        """Only the first: after the draw the bracket waits for its entries."""
        return number == 1

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        """Plan the next stage, regardless of who is present."""
        return bracket_rounds.plan_stage(event, number)

    def is_left_to_pair(self, event: Event, number: int) -> bool:
        now = bracket_now(event)
        return now is not None and bool(bracket_rounds.waiting_ties(now))

    def has_more(self, event: Event, number: int) -> bool:
        return not event.ties.exists() or self.is_left_to_pair(event, number)

    def draw_ahead(self, *, actor: Actor, event: Event, date: datetime.date) -> Round | None:
        """The bracket, with its first round as a draft."""
        return None if event.ties.exists() else brackets.draw_bracket(actor=actor, event=event, date=date)

    def between_rounds(self, event: Event) -> Unsettled:
        told, now = super().between_rounds(event), bracket_now(event)
        if now is None:
            return told
        asked = bracket_rounds.for_the_director(now)
        follows = any(sentence not in asked for sentence in bracket_rounds.open_ties(now))
        return Unsettled([*told.for_director, *asked], by_itself=follows)

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
