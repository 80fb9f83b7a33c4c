"""Round robin, single or double, with all rounds drawn at once."""

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.acts.fields import DayField, day_words
from league.core.lifecycle import Doing
from league.core.standings import CountsAs
from league.draws import rounds
from league.draws.formats import Format, register
from league.draws.previews import preview_of
from league.matches import matches
from league.models import DEFAULT_FORMAT, Event, EventKind, Round
from scoring.core.actors import Actor


class DrawForm(ActForm):
    """The settings of a round robin."""

    double = forms.BooleanField(
        label=gettext_lazy("Everybody meets everybody twice"),
        required=False,
        help_text=gettext_lazy("The second half repeats the first with the sides turned over."),
    )
    first_date = DayField(label=gettext_lazy("First night"), required=False)
    days_between = forms.IntegerField(
        label=gettext_lazy("Days from one round to the next"), min_value=0, max_value=366, initial=7
    )


def _preview_draw(event: Event, data: Data) -> Preview:
    plan = rounds.plan_round_robin(event=event, **data)
    first, last = plan.rounds[0].date, plan.rounds[-1].date
    notes = [
        _("From %(first)s to %(last)s.") % {"first": day_words(first), "last": day_words(last)}
        if first and last
        else _("The rounds have no dates yet."),
        _("One entry will have a bye in each round.") if plan.byes else _("Nobody will have a bye."),
    ]
    unseated = len(plan.entries) - len(matches.usual_line_ups(event))
    if event.kind == EventKind.TEAM and unseated > 0:
        notes.append(
            _(
                "Teams with more members than play on a side will get their sheets once their "
                "line-ups are set."
            )
        )
    entries = ngettext("%d entry", "%d entries", len(plan.entries)) % len(plan.entries)
    return preview_of(plan, entries, notes, matches=_("Matches"), byes=_("Bye"))


def _draw(by: Actor, event: Event, data: Data) -> str:
    made = rounds.draw_round_robin(actor=by, event=event, **data)
    return ngettext("%d round was drawn.", "%d rounds were drawn.", len(made)) % len(made)


DRAW: Final[Act[Event]] = Act(
    slug="draw",
    title=gettext_lazy("Draw a round robin"),
    intro=gettext_lazy(
        "Everybody meets everybody. Entries take their places by seed, then by name. The next page "
        "shows the draw; nothing is stored before you say yes."
    ),
    form=DrawForm,
    preview=_preview_draw,
    run=_draw,
    long=True,
    submit=gettext_lazy("Show the draw"),
    doing=Doing.PAIR,
    offered=lambda event: not event.rounds.exists(),
)


class RoundRobin(Format):
    """See `league.core.pairing.round_robin`."""

    key = DEFAULT_FORMAT
    plays_duplicate = True
    title = gettext_lazy("round robin")
    meets_all = True
    may_annul = True
    annuls_by_half = True
    # Nobody stands above who has played for having rested early; who did not come was met all the same.
    usual_settings: ClassVar[Mapping[str, Any]] = {
        "bye_points": 0,
        **dict.fromkeys(("bye_strength", "forfeit_strength", "absent_strength"), CountsAs.OPPONENT),
    }
    first_act = "draw"
    acts = (DRAW,)
    settings = frozenset({"pyramid", "level"})
    pairs_rounds = False
    takes_late_entries = False
    opens_in_turn = True
    evening_begins = gettext_lazy("All rounds will be drawn now and published, to be played one by one.")

    def has_more(self, event: Event, number: int) -> bool:
        """Only before the draw."""
        return not event.rounds.exists()

    def draw_ahead(self, *, actor: Actor, event: Event, date: datetime.date) -> Round:
        """Everybody meets everybody once; a director draws a double one before the evening."""
        return rounds.draw_round_robin(actor=actor, event=event, first_date=date, days_between=0)[0]

    def rounds_to_pair(self, event: Event, paired: Collection[int]) -> Sequence[int]:
        return ()

    def first_round_of_late(self, event: Event) -> int:
        """Always the first: entries outside the draw have no matches and have missed none."""
        return 1


register(RoundRobin())
