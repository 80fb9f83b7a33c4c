"""The date and deadline of a match, and the list of overdue ones."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminTimeWidget
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, Data, Preview, ReasonForm
from league.acts.fields import DayField, day_words
from league.admin.scope import signed_in
from league.core.lifecycle import Doing
from league.draws.overdue import club_today, deadline_of, due_on, is_overdue, overdue
from league.draws.postponing import (
    check_plan_seen,
    check_postponable,
    check_round_deadline,
    matches_to_play,
    plan_of,
    planned_time,
    postpone_match,
    set_round_deadline,
)
from league.models import UNFINISHED, Match, Round, RoundState
from league.models.matches import MOST_PLACE
from league.policy import Permission, clubs_where
from scoring.core.actors import Actor


class PostponeForm(ReasonForm):
    """The new date, the deadline, and the reason."""

    planned_on = DayField(label=gettext_lazy("Played on"), required=False)
    time = forms.TimeField(
        label=gettext_lazy("At"),
        required=False,
        widget=AdminTimeWidget,
        help_text=gettext_lazy("By the clock of the club."),
    )
    place = forms.CharField(
        label=gettext_lazy("Where"),
        required=False,
        max_length=MOST_PLACE,
        help_text=gettext_lazy(
            "Anyone who may read the match can read it. Empty: where the event is played."
        ),
    )
    deadline = DayField(
        label=gettext_lazy("To be played by"),
        required=False,
        help_text=gettext_lazy("With both days empty it is played with its round."),
    )

    # What was agreed when the page was shown.
    seen = forms.CharField(required=False, widget=forms.HiddenInput, max_length=300)

    field_order = ("planned_on", "time", "place", "deadline", "reason")

    def prepare(self, row: Match) -> None:
        self.fields["seen"].initial = plan_of(row)
        self.fields["planned_on"].initial = row.planned_on
        self.fields["deadline"].initial = row.deadline
        self.fields["place"].initial = row.planned_place
        if row.planned_at is not None:
            self.fields["time"].initial = row.planned_at.astimezone(row.event.club.zone).time()


def _preview_postponing(match: Match, data: Data) -> Preview:
    planned_on, deadline = data["planned_on"], data["deadline"]
    check_postponable(match, planned_on=planned_on, deadline=deadline)
    check_plan_seen(match, data["seen"])
    at = planned_time(match, planned_on, data["time"], data["place"])
    lines = []
    if planned_on is not None:
        day = {"match": match, "day": day_words(planned_on), "time": data["time"] and f"{data['time']:%H:%M}"}
        if at is None:
            lines.append(_("%(match)s will be played on %(day)s.") % day)
        else:
            lines.append(_("%(match)s will be played on %(day)s at %(time)s.") % day)
        if data["place"]:
            lines.append(_("Where: %(place)s.") % {"place": data["place"]})
        if match.proposed_times.exists():
            lines.append(_("What its players have proposed will be over."))
    elif deadline is None:
        lines.append(_("%(match)s will be played with its round.") % {"match": match})
    else:
        lines.append(_("%(match)s will be played on a day that is not fixed yet.") % {"match": match})
    if deadline is not None:
        lines.append(_("It will be overdue after %(day)s.") % {"day": day_words(deadline)})
    lines.append(_("It will stay a match of round %(number)d.") % {"number": match.round.number})
    return Preview(lines)


def _postpone(by: Actor, match: Match, data: Data) -> str:
    match = postpone_match(actor=by, match=match, **data)
    return _("%(label)s: %(when)s.") % {"label": match.label, "when": when_played(match)}


def when_played(match: Match) -> str:
    """The date of a match, its deadline, and whether it is overdue, in words."""
    lines = []
    if match.planned_at is not None:
        lines.append(date_format(match.planned_at.astimezone(match.event.club.zone), "j M Y, H:i"))
    elif match.planned_on is not None:
        lines.append(date_format(match.planned_on, "j M Y"))
    if (deadline := deadline_of(match)) is not None:
        lines.append(_("by %(day)s") % {"day": date_format(deadline, "j M Y")})
    due = due_on(match)
    if due is not None and is_overdue(match, today=club_today(match.event.club)):
        lines.append(_("overdue since %(day)s") % {"day": date_format(due, "j M Y")})
    return ", ".join(lines) or (
        _("with its round") if match.event.counts_rounds else _("no deadline for now")
    )


class DueFilter(admin.SimpleListFilter):
    """Filters overdue matches, and those moved to another day than their round's."""

    title = gettext_lazy("day")
    parameter_name = "due"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return (
            ("overdue", gettext_lazy("overdue")),
            ("open", gettext_lazy("still to be played")),
            ("moved", gettext_lazy("planned for another day")),
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        match self.value():
            case "overdue":
                return overdue(queryset, clubs=clubs_where(signed_in(request), Permission.RECORD))
            case "open":
                return queryset.filter(state__in=UNFINISHED)
            case "moved":
                return queryset.filter(planned_on__isnull=False)
            case _:
                return queryset


class DeadlineForm(ReasonForm):
    """The deadline, and the reason."""

    deadline = DayField(
        label=gettext_lazy("To be played by"),
        required=False,
        help_text=gettext_lazy("Empty: with the round."),
    )

    field_order = ("deadline", "reason")


def _preview_deadline(round_: Round, data: Data) -> Preview:
    deadline = data["deadline"]
    matches = check_round_deadline(round_, deadline)
    count = ngettext("%d match without a result", "%d matches without a result", len(matches)) % len(matches)
    if deadline is None:
        message = _("%(count)s will be due with the round.") % {"count": count}
    else:
        message = _("%(count)s will be due by %(day)s.") % {"count": count, "day": day_words(deadline)}
    return Preview([message], [_("Sheet"), _("Match")], [[match.label, str(match)] for match in matches])


def _set_deadline(by: Actor, round_: Round, data: Data) -> str:
    count = set_round_deadline(actor=by, round_=round_, **data)
    return ngettext("The deadline of %d match is set.", "The deadline of %d matches is set.", count) % count


DEADLINE: Final = Act[Round](
    slug="deadline",
    title=gettext_lazy("Set a deadline"),
    doing=Doing.PLAY,
    form=DeadlineForm,
    preview=_preview_deadline,
    run=_set_deadline,
    offered=lambda round_: round_.state != RoundState.DRAFTED and matches_to_play(round_).exists(),
)

POSTPONE: Final = Act[Match](
    slug="postpone",
    title=gettext_lazy("Play it on another day"),
    doing=Doing.PLAY,
    form=PostponeForm,
    preview=_preview_postponing,
    run=_postpone,
    offered=lambda match: match.state in UNFINISHED,
)
