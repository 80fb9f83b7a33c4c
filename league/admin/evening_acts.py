"""The acts on an event that runs itself for an evening: say how, begin, pause, let go on, and no longer."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, Preview, does, passes
from league.core.evening import MOST_BREAK, MOST_WAIT, EveningState
from league.core.lifecycle import Doing
from league.draws.formats import format_of
from league.draws.planning import attendance_of
from league.events import evenings
from league.events.evening_words import evening_of_event, for_directors, rules_words
from league.models import AbsentAt, Event, RoundState
from scoring.core.actors import Actor


class EveningForm(ActForm):
    """The break between rounds, and who has not come to his table."""

    break_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes between rounds"), min_value=0, max_value=MOST_BREAK, initial=5
    )
    wait_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes to come to the table"),
        min_value=1,
        max_value=MOST_WAIT,
        initial=10,
        help_text=gettext_lazy(
            "Once the round is drawn. Players say “I am here” on the page of their match."
        ),
    )
    absent = forms.ChoiceField(
        label=gettext_lazy("If somebody has not come by then"),
        choices=AbsentAt.choices,
        initial=AbsentAt.FORFEIT,
        widget=forms.RadioSelect,
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        evening = evening_of_event(row)
        if evening is not None:
            for name in ("break_minutes", "wait_minutes", "absent"):
                self.fields[name].initial = getattr(evening, name)


def _is(*states: EveningState) -> Any:
    def stands(event: Event) -> bool:
        evening = evening_of_event(event)
        return evening is not None and evening.state in states

    return stands


def _is_set(event: Event) -> bool:
    return evening_of_event(event) is not None


def _set(by: Actor, event: Event, data: Data) -> str:
    chosen = {**data, "absent": AbsentAt(data["absent"])}
    return rules_words(evenings.set_evening(actor=by, event=event, **chosen))


def _preview_begin(event: Event, data: Data) -> Preview:
    evenings.check_beginnable(event)
    evening = evening_of_event(event)
    last = event.rounds.order_by("-number").first()
    lines = [] if evening is None else [rules_words(evening)]
    if last is None:
        attendance = attendance_of(event, 1)
        here = ", ".join(map(str, attendance.present))
        lines += [f"{format_of(event).evening_begins} " + _("Here are: %(names)s.") % {"names": here}]
        lines += attendance.sentences()
    elif last.state == RoundState.DRAFTED:
        lines.append(_("Round %(number)d, a draft, will be published now.") % {"number": last.number})
    else:
        lines.append(_("It will go on with round %(number)d.") % {"number": last.number})
    lines.append(_("You may pause it, or do anything by hand, at any time."))
    return Preview(lines)


def _begin(by: Actor, event: Event, data: Data) -> str:
    return for_directors(evenings.begin_evening(actor=by, event=event))


def _pause(by: Actor, event: Event, data: Data) -> str:
    return for_directors(evenings.pause_evening(actor=by, event=event))


ACTS: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="begin-evening",
        title=gettext_lazy("Begin the evening"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "From now on each round begins by itself once the one before it is played. It stops and tells"
            " you if something needs you."
        ),
        preview=_preview_begin,
        run=_begin,
        submit=gettext_lazy("Show what will be done"),
        offered=_is(EveningState.SET),
    ),
    Act(
        slug="resume-evening",
        title=gettext_lazy("Let the evening go on"),
        doing=Doing.PAIR,
        preview=_preview_begin,
        run=_begin,
        submit=gettext_lazy("Show what will be done"),
        offered=_is(EveningState.PAUSED, EveningState.STOPPED, EveningState.OVER),
    ),
    Act(
        slug="pause-evening",
        title=gettext_lazy("Pause the evening"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "Nothing is drawn or forfeited by itself until you let it go on. Matches that are being played"
            " are played on, and no time to come to a table runs."
        ),
        run=_pause,
        submit=gettext_lazy("Pause it now"),
        offered=_is(EveningState.GOING),
    ),
    Act(
        slug="set-evening",
        title=gettext_lazy("Have it run itself"),
        doing=Doing.SETTINGS,
        intro=gettext_lazy(
            "An evening online at which no director needs to be there: each round begins after a break, and"
            " tables wait only so long for their players. The event’s page tells them what you say here."
        ),
        form=EveningForm,
        run=_set,
        submit=gettext_lazy("Save"),
        again=(_is_set, gettext_lazy("How it runs itself")),
        offered=lambda event: passes(evenings.check_settable, event),
    ),
    Act(
        slug="drop-evening",
        title=gettext_lazy("Run it by hand again"),
        doing=Doing.SETTINGS,
        intro=gettext_lazy("The rounds are yours to draw again. All that was drawn and played stays."),
        run=does(
            evenings.drop_evening,
            "event",
            gettext_lazy("The event no longer runs itself. All that was drawn and played stays."),
        ),
        offered=_is_set,
    ),
)
