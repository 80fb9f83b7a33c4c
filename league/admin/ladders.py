"""A director's acts on a ladder: write and call off challenges, note absences."""

import datetime
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.acts import Act, ActForm, Data, Preview, ReasonForm
from league.admin.days import DayField, day_words
from league.admin.names import NameField
from league.core.lifecycle import Doing
from league.draws import challenges, ladders
from league.draws.formats import format_of
from league.models import Challenge, Entry, Event, LadderAbsence
from league.tables.ladders import ladder_places
from scoring.core.actors import Actor


class RungField(forms.ModelChoiceField[Entry]):
    """An entry of the ladder, from the top."""

    def __init__(self, label: Any) -> None:
        super().__init__(queryset=Entry.objects.none(), label=label)
        self.places: dict[int, int] = {}

    def label_from_instance(self, obj: Entry) -> str:
        return f"{self.places[obj.pk]}. {obj}"


class ChallengeForm(ActForm):
    """The challenger and the challenged."""

    challenger = RungField(gettext_lazy("Challenger"))
    challenged = RungField(gettext_lazy("Challenged"))

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        places = dict(ladder_places(row))
        for name in ("challenger", "challenged"):
            cast("RungField", self.fields[name]).places = places
            self.offer(name, row.entries.filter(pk__in=places).order_by("standing__position"))


class CallOffForm(ReasonForm):
    """The challenge to call off, and the reason."""

    challenge = forms.ModelChoiceField(queryset=Challenge.objects.none(), label=gettext_lazy("Challenge"))
    field_order = ("challenge", "reason")

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        self.offer("challenge", _open(row))


class AbsenceForm(ActForm):
    """The absent entry and its first and last day."""

    entry = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Who"))
    first_day = DayField(label=gettext_lazy("First day"))
    last_day = DayField(
        label=gettext_lazy("Last day"), required=False, help_text=gettext_lazy("Empty: until further notice.")
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        self.offer("entry", row.entries.filter(withdrawn_at=None))


class AbsenceField(forms.ModelChoiceField[LadderAbsence]):
    """A recorded absence."""

    def label_from_instance(self, obj: LadderAbsence) -> str:
        return f"{obj.entry}: {_span(obj.first_day, obj.last_day)}"


class EndAbsenceForm(ActForm):
    """The absence to end, and its last day."""

    absence = AbsenceField(queryset=LadderAbsence.objects.none(), label=gettext_lazy("Absence"))
    last_day = DayField(
        label=gettext_lazy("Last day"),
        help_text=gettext_lazy("A day before the first takes the absence back."),
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        self.offer("absence", _absences(row))


def _open(event: Event) -> Any:
    rows = Challenge.objects.filter(event=event, called_off_at=None, decided_at=None)
    return rows.select_related("challenger", "challenged").order_by("number")


def _absences(event: Event) -> Any:
    return LadderAbsence.objects.filter(entry__event=event).select_related("entry").order_by("-first_day")


def _span(first_day: datetime.date, last_day: datetime.date | None) -> str:
    if last_day is None:
        return _("from %(day)s on") % {"day": day_words(first_day)}
    return f"{day_words(first_day)} – {day_words(last_day)}"


def _preview_challenge(event: Event, data: Data) -> Preview:
    plan = challenges.plan_challenge(event, **data)
    return Preview(
        [
            _("%(challenger)s, place %(from)s, challenges %(challenged)s, place %(to)s.")
            % {
                "challenger": plan.challenger,
                "from": plan.from_place,
                "challenged": plan.challenged,
                "to": plan.to_place,
            },
            _("To be played by %(day)s; after that the place is lost.") % {"day": day_words(plan.deadline)},
        ]
    )


def _challenge(by: Actor, event: Event, data: Data) -> str:
    made = challenges.make_challenge(actor=by, event=event, **data)
    return _("Written: %(challenge)s.") % {"challenge": made}


def _preview_call_off(event: Event, data: Data) -> Preview:
    return Preview(
        [
            _("%(challenge)s: it is called off, and its blank sheet is deleted.") % data,
            _("Nobody moves. If one of them is to blame, state a walkover on the match instead."),
        ]
    )


def _call_off(by: Actor, event: Event, data: Data) -> str:
    challenges.call_off_challenge(actor=by, **data)
    return _("The challenge is called off.")


def _preview_absence(event: Event, data: Data) -> Preview:
    lines = [
        _("%(entry)s is away: %(days)s.")
        % {"entry": data["entry"], "days": _span(data["first_day"], data["last_day"])},
        _("Nobody challenges them then, and these days do not count for a challenge that is open."),
    ]
    if event.absence_days is not None:
        lines.append(_("An absence counts for %(count)d days at most.") % {"count": event.absence_days})
    return Preview(lines)


def _absent(by: Actor, event: Event, data: Data) -> str:
    made = ladders.add_absence(actor=by, **data)
    return _("Noted: %(entry)s is away.") % {"entry": made.entry}


def _end_absence(by: Actor, event: Event, data: Data) -> str:
    left = ladders.end_absence(actor=by, **data)
    if left is None:
        return _("The absence is taken back.")
    return _("%(entry)s is away until %(day)s.") % {"entry": left.entry, "day": day_words(data["last_day"])}


CLIMBING: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="challenge",
        title=gettext_lazy("Write a challenge"),
        form=ChallengeForm,
        preview=_preview_challenge,
        run=_challenge,
        doing=Doing.PLAY,
        offered=lambda event: "challenge" in format_of(event).acts,
    ),
    Act(
        slug="call-off",
        title=gettext_lazy("Call a challenge off"),
        form=CallOffForm,
        preview=_preview_call_off,
        run=_call_off,
        doing=Doing.PLAY,
        offered=lambda event: "call-off" in format_of(event).acts and _open(event).exists(),
    ),
    Act(
        slug="away",
        title=gettext_lazy("Note an absence"),
        form=AbsenceForm,
        preview=_preview_absence,
        run=_absent,
        doing=Doing.WITHDRAW,
        offered=lambda event: "away" in format_of(event).acts and event.entries.exists(),
    ),
    Act(
        slug="end-absence",
        title=gettext_lazy("End an absence"),
        form=EndAbsenceForm,
        run=_end_absence,
        doing=Doing.WITHDRAW,
        offered=lambda event: "end-absence" in format_of(event).acts and _absences(event).exists(),
    ),
)
