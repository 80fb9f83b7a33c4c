"""Round robins in groups, then a knockout of the best of each."""

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from league.acts import Act, ActForm, Data, Preview, ReasonForm, does, passes
from league.acts.fields import DayField, day_words
from league.core.lifecycle import Doing
from league.draws import brackets, group_rounds
from league.draws.formats import Due, Unsettled, register
from league.draws.formats.round_robin import RoundRobin
from league.draws.formats.with_bracket import WithBracket
from league.draws.qualifying import (
    bracket_in_doubt,
    check_group_sizes,
    level_in_groups,
    missing_in_groups,
    qualified,
    wanted_groups,
)
from league.draws.round_writing import check_untouched
from league.matches.matches import usual_line_ups
from league.models import Entry, Event, EventKind, Round
from scoring.core.actors import Actor


class GroupsForm(ActForm):
    """The dates of the group rounds."""

    first_date = DayField(label=gettext_lazy("First night"), required=False)
    days_between = forms.IntegerField(
        label=gettext_lazy("Days from one round to the next"), min_value=0, max_value=366, initial=7
    )


def _preview_groups(event: Event, data: Data) -> Preview:
    plan = group_rounds.plan_groups(event, **data)
    first, last = plan.draw.rounds[0].date, plan.draw.rounds[-1].date
    lines = list(plan.draw.notes)
    if event.rounds.exists():
        lines.append(_("The draw made before will be replaced; nothing of it was played."))
    lines += [
        ngettext("%d entry,", "%d entries,", len(plan.draw.entries)) % len(plan.draw.entries)
        + " "
        + ngettext("%d group,", "%d groups,", len(plan.groups)) % len(plan.groups)
        + " "
        + ngettext("%d round,", "%d rounds,", len(plan.draw.rounds)) % len(plan.draw.rounds)
        + " "
        + ngettext("%d match.", "%d matches.", plan.draw.matches) % plan.draw.matches,
        _("From %(first)s to %(last)s.") % {"first": day_words(first), "last": day_words(last)}
        if first and last
        else _("The rounds have no dates yet."),
        ngettext(
            "%d of each group will go on.", "The best %d of each group will go on.", event.qualifiers or 1
        )
        % (event.qualifiers or 1),
    ]
    if event.best_next:
        lines.append(
            ngettext(
                "So will the best of place %(place)d.",
                "So will the best %(count)d of place %(place)d.",
                event.best_next,
            )
            % {"count": event.best_next, "place": (event.qualifiers or 0) + 1}
        )
    if event.kind == EventKind.TEAM and len(plan.draw.entries) > len(usual_line_ups(event)):
        lines.append(
            _(
                "Teams with more members than play on a side will get their sheets once their "
                "line-ups are set."
            )
        )
    return Preview(
        lines,
        [_("Group"), _("Entries")],
        [[number, ", ".join(map(str, group))] for number, group in enumerate(plan.groups, start=1)],
    )


def _draw_groups(by: Actor, event: Event, data: Data) -> str:
    made = group_rounds.draw_groups(actor=by, event=event, **data)
    return ngettext(
        "The groups are drawn, with %d round.", "The groups are drawn, with %d rounds.", len(made)
    ) % len(made)


def _preview_keep(event: Event, data: Data) -> Preview:
    return Preview([bracket_in_doubt(event), _("The bracket will stay as it was drawn.")])


DRAW_GROUPS: Final[Act[Event]] = Act(
    slug="draw-groups",
    title=gettext_lazy("Draw the groups"),
    doing=Doing.PAIR,
    intro=gettext_lazy(
        "Pots follow the seeds, and each group gets one of each pot by lot. In a group everybody meets "
        "everybody. The next page shows the groups; nothing is stored before you say yes."
    ),
    form=GroupsForm,
    preview=_preview_groups,
    run=_draw_groups,
    submit=gettext_lazy("Show the groups"),
    again=(lambda event: event.rounds.exists(), gettext_lazy("Draw the groups again")),
    long=True,
    offered=lambda event: passes(check_untouched, event.matches.all()),
)
KEEP_BRACKET: Final[Act[Event]] = Act(
    slug="keep-bracket",
    title=gettext_lazy("Let the bracket stand"),
    intro=gettext_lazy(
        "The results of the groups have changed since the bracket was drawn. It stays as it was drawn, and "
        "this is not asked again."
    ),
    form=ReasonForm,
    preview=_preview_keep,
    run=does(brackets.keep_bracket, "event", gettext_lazy("The bracket stands.")),
    doing=Doing.CORRECT,
    offered=lambda event: bracket_in_doubt(event) != "",
)


class Groups(WithBracket):
    """The table is one per group; places in the knockout come before it (`placings.final_places`)."""

    key = "groups"
    title = gettext_lazy("groups, then a knockout")
    has_groups = True
    opens_in_turn = True
    evening_begins = gettext_lazy(
        "The groups and all their rounds will be drawn now and published, to be played one by one."
    )
    meets_all = True
    may_annul = True
    annuls_by_half = True
    usual_settings = RoundRobin.usual_settings
    leading_criteria = ()
    first_act = "draw-groups"
    acts = (DRAW_GROUPS, *WithBracket.acts, KEEP_BRACKET)
    settings = WithBracket.settings | {
        "group_count",
        "qualifiers",
        "best_next",
        "groups_compared",
        "third_place",
    }
    own_settings: ClassVar[Mapping[str, StrOrPromise]] = {
        "best_next": gettext_lazy(
            "This many of those who come next in their groups go on too, the best of them: 2 of each of 3 "
            "groups and the 2 best thirds are 8."
        ),
        "groups_compared": gettext_lazy(
            "For the best of the next places, and for seeds, where groups are not equally large."
        ),
    }
    keeps_apart = True
    takes_added_matches = True

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        """The number of qualifiers determines the knockout while the groups are still playing."""
        if not stages:
            stages = ((event.group_count or 0) * (event.qualifiers or 0) + event.best_next - 1).bit_length()
        return super().rounds_in_all(event, rounds, stages=stages, before=before)

    def draw_ahead(self, *, actor: Actor, event: Event, date: datetime.date) -> Round | None:
        """The groups, and once they are played the bracket of who goes on."""
        if event.rounds.exists():
            return super().draw_ahead(actor=actor, event=event, date=date)
        return group_rounds.draw_groups(actor=actor, event=event, first_date=date, days_between=0)[0]

    def between_rounds(self, event: Event) -> Unsettled:
        told = super().between_rounds(event)
        asked = not event.ties.exists() and not missing_in_groups(event) and level_in_groups(event)
        return told._replace(for_director=[*told.for_director, asked]) if asked else told

    def rounds_to_pair(self, event: Event, paired: Collection[int]) -> Sequence[int]:
        return ()

    def fewest_entries(self, event: Event) -> int:
        """Two per group; refused (`groups`) if the number of groups is not set."""
        return max(2, 2 * wanted_groups(event))

    def check_start(self, event: Event, count: int) -> None:
        """Check the number of entries, the groups and the qualifiers.

        Also refused: no number of qualifiers (`no_qualifiers`), more than the smallest group has
        (`group_too_small`).
        """
        super().check_start(event, count)
        groups = wanted_groups(event)
        check_group_sizes(event, [count // groups] * groups)

    def next_draw(self, event: Event, last: int) -> Due | None:
        if not event.ties.exists():
            if level := level_in_groups(event):
                return _("All results of the groups are in.") + " " + level, "decide-level"
            return _("All results of the groups are in: draw the bracket."), "draw-bracket"
        return super().next_draw(event, last)

    def bracket_entries(
        self, event: Event, *, despite_missing: bool = False
    ) -> tuple[list[Entry], list[str]]:
        return qualified(event, despite_missing=despite_missing)


register(Groups())
