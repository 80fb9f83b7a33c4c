"""When a match is played: what its players propose and agree, and how far all of an event have come."""

import datetime
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from league.draws.arranged_matches import ArrangingStage, arranged_matches, away_in
from league.draws.arranging import (
    MOST_TIMES,
    accept_time,
    propose_times,
    still_arranged,
    take_back_times,
    window_of,
)
from league.errors import LeagueError
from league.models import Event, Match
from league.models.matches import MOST_PLACE
from league.pages.doors import form_page
from league.pages.events import about
from league.pages.pages import page, place_refusal, reader_of, row_id, today_in, visible_event
from league.policy import Permission, actor_of, can, rounds_seen
from league.policy.own import sides_arranged_by
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated

# As a browser writes a time that it asks for.
_WRITTEN: Final = "%Y-%m-%dT%H:%M"
_STAGES: Final = {
    ArrangingStage.LATE: _("Overdue"),
    ArrangingStage.OPEN: _("Nothing proposed"),
    ArrangingStage.PROPOSED: _("Proposed"),
    ArrangingStage.AGREED: _("Agreed"),
}


class _ClockField(forms.DateTimeField):
    """A time as the club's clock shows it, without a zone: which instant that is the service decides."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_WRITTEN)

    def to_python(self, value: Any) -> datetime.datetime | None:
        with timezone.override(datetime.UTC):
            found = super().to_python(value)
        if found is None:
            return None
        if found.utcoffset():
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return found.replace(tzinfo=None, second=0, microsecond=0)


class TimesForm(forms.Form):
    """Up to `MOST_TIMES` times, and a place."""

    place = forms.CharField(
        label=_("Where"),
        required=False,
        max_length=MOST_PLACE,
        help_text=_(
            "Anyone who may read the match can read it once it is agreed. Empty: where the event is played."
        ),
    )

    def __init__(self, match: Match, data: QueryDict | None = None) -> None:
        super().__init__(data)
        window, zone = window_of(match), match.event.club.zone
        now = timezone.localtime(timezone=zone).replace(tzinfo=None)
        first = max(now, datetime.datetime.combine(window.first or now, datetime.time()))
        bounds = {"min": first.strftime(_WRITTEN)}
        if window.last is not None:
            bounds["max"] = f"{window.last.isoformat()}T23:59"
        for number in range(1, MOST_TIMES + 1):
            label = _("When") if number == 1 else _("Or")
            field = _ClockField(label=label, required=number == 1)
            field.widget.attrs |= bounds
            self.fields[f"time_{number}"] = field
        self.order_fields([*self.times(), "place"])

    @staticmethod
    def times() -> list[str]:
        """The names of the fields of the times."""
        return [f"time_{number}" for number in range(1, MOST_TIMES + 1)]

    def chosen(self) -> list[datetime.datetime]:
        """The times that were given."""
        return [time for name in self.times() if (time := self.cleaned_data[name]) is not None]


@form_page
def match_arrange(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """When a match is played, for those who play it; a POST's `what` proposes, accepts or takes back.

    Whoever is not signed in is asked to do so first; a 404 for whoever does not play in it.
    """
    shown = visible_event(request, club, event)
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    match = _match_of(request, shown, code)
    sides = sides_arranged_by(request.user.pk, match)
    if not sides:
        raise Http404
    refused, form = "", TimesForm(match)
    if request.method == "POST":
        if request.POST.get("what") == "propose":
            form = TimesForm(match, request.POST)
        try:
            with refused_when_crossed():
                is_done = _do(request.user, match, form, request.POST)
            if is_done:
                return redirect("match_arrange", club, event, code)
        except LeagueError as refusal:
            if form.is_bound and refusal.field is not None:
                place_refusal(form, refusal)
            else:
                refused = translated(refusal.message)
        match = _match_of(request, shown, code)
    closed = still_arranged(match)
    context = about(shown) | {
        "match": match,
        **_proposal(match, sides),
        "window": window_of(match),
        "closed": closed,
        "away": [] if closed else away_in(match, window_of(match).last, today_in(shown.club)),
        "refused": refused,
        "form": None if closed else form,
    }
    is_refused = refused or form.errors
    return page(request, "league/arrange.html", context, club=shown.club, is_refused=is_refused)


@require_safe
def event_arranging(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The matches of an event that are arranged by their players; a 404 for all but its officers.

    `show` names a stage of `ArrangingStage`, of which alone they are shown.
    """
    shown = visible_event(request, club, event)
    if not can(reader_of(request), Permission.RECORD, shown.club):
        raise Http404
    lines = arranged_matches(shown, today=today_in(shown.club))
    asked = request.GET.get("show", "")
    counts = {stage: sum(line.stage is stage for line in lines) for stage in ArrangingStage}
    context = about(shown) | {
        "lines": [line for line in lines if not asked or line.stage == asked],
        "stages": [(stage.value, _STAGES[stage], counts[stage]) for stage in ArrangingStage],
        "asked": asked,
        "count": len(lines),
        "now": timezone.now(),
        "directs": can(reader_of(request), Permission.DIRECT, shown.club),
    }
    return page(request, "league/arranging.html", context, club=shown.club)


def arranged(request: HttpRequest, match: Match) -> Mapping[str, Any]:
    """What the page of a match tells of arranging it: for its players and officers what is proposed, too."""
    if still_arranged(match):
        return {}
    user = request.user if isinstance(request.user, User) else None
    sides = sides_arranged_by(user.pk, match) if user is not None else frozenset()
    told = bool(sides) or can(reader_of(request), Permission.RECORD, match.event.club)
    proposal = _proposal(match, sides) if told else {}
    return {"arranges": bool(sides), **proposal}


def _proposal(match: Match, sides: frozenset[int]) -> dict[str, Any]:
    """What is proposed and by whom; not `is_asked` if that is the one side for which the reader plays."""
    proposed = list(match.proposed_times.all())
    return {
        "proposed": proposed,
        "proposer": match.side(proposed[0].side) if proposed else (),
        "is_asked": bool(proposed) and sides != {proposed[0].side},
    }


def _match_of(request: HttpRequest, event: Event, code: str) -> Match:
    rows = Match.objects.filter(event=event, code=code, round__in=rounds_seen(reader_of(request)))
    match = rows.with_sides("round").first()
    if match is None:
        raise Http404
    match.event = event
    return match


def _do(user: User, match: Match, form: TimesForm, sent: QueryDict) -> bool:
    """Do what was asked for; returns False if the form is not right, and for what is none of the acts."""
    by, what = actor_of(user), sent.get("what", "")
    if what == "propose":
        if not form.is_valid():
            return False
        seen = [pk for pk in map(row_id, sent.getlist("seen")) if pk is not None]
        propose_times(actor=by, match=match, times=form.chosen(), place=form.cleaned_data["place"], seen=seen)
    elif what == "back":
        take_back_times(actor=by, match=match)
    elif (proposed := row_id(what)) is not None:
        accept_time(actor=by, match=match, proposed=proposed)
    else:
        return False
    return True
