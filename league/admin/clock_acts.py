"""The acts on the clock of a round: start it, give more time or less, stop it."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, does, passes
from league.admin.round_acts import board_address
from league.core.lifecycle import Doing
from league.draws import round_clock
from league.models import Round
from league.models.events import MOST_MINUTES
from scoring.core.actors import Actor

# What is mostly given to a round that has begun late.
USUAL_CHANGE: Final = 5


def _minutes(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=MOST_MINUTES)


class StartForm(ActForm):
    """The minutes of the round: its event's, where these are known."""

    minutes = _minutes(gettext_lazy("Minutes"))

    def prepare(self, row: Round) -> None:
        self.fields["minutes"].initial = row.event.round_minutes


class ChangeForm(ActForm):
    """More time or less, by so many minutes."""

    way = forms.ChoiceField(
        label=gettext_lazy("Give"),
        choices=[("more", gettext_lazy("more time")), ("less", gettext_lazy("less time"))],
        initial="more",
        widget=forms.RadioSelect,
    )
    minutes = _minutes(gettext_lazy("Minutes"))
    # When the time was up as the page was shown.
    seen = forms.CharField(required=False, widget=forms.HiddenInput, max_length=40)

    def prepare(self, row: Round) -> None:
        self.fields["minutes"].initial = USUAL_CHANGE
        if row.ends_at is not None:
            self.fields["seen"].initial = row.ends_at.isoformat()
            self.asks = _says_until(row)


def _says_until(round_: Round) -> str:
    return _("The clock runs until %(time)s.") % {"time": round_clock.until(round_)}


def _start(by: Actor, round_: Round, data: Data) -> str:
    return _says_until(round_clock.start_clock(actor=by, round_=round_, minutes=data["minutes"]))


def _change(by: Actor, round_: Round, data: Data) -> str:
    minutes = data["minutes"] if data["way"] == "more" else -data["minutes"]
    changed = round_clock.change_clock(actor=by, round_=round_, minutes=minutes, seen=data["seen"])
    return _says_until(changed)


ACTS: Final[tuple[Act[Round], ...]] = (
    Act(
        slug="start-clock",
        title=gettext_lazy("Start the clock"),
        doing=Doing.PLAY,
        intro=gettext_lazy(
            "All see how much time is left: on the hall’s screen and on the telephones at the tables."
        ),
        form=StartForm,
        run=_start,
        submit=gettext_lazy("Start it now"),
        offered=lambda round_: passes(round_clock.check_startable, round_.event, round_),
        leads_to=board_address,
    ),
    Act(
        slug="change-clock",
        title=gettext_lazy("Give more time or less"),
        doing=Doing.PLAY,
        form=ChangeForm,
        run=_change,
        submit=gettext_lazy("Change it now"),
        offered=lambda round_: round_.ends_at is not None,
        leads_to=board_address,
    ),
    Act(
        slug="stop-clock",
        title=gettext_lazy("Stop the clock"),
        doing=Doing.PLAY,
        intro=gettext_lazy("The round goes on without a clock. It can be started again."),
        run=does(round_clock.stop_clock, "round_", gettext_lazy("The clock is stopped.")),
        submit=gettext_lazy("Stop it now"),
        offered=lambda round_: round_.ends_at is not None,
        leads_to=board_address,
    ),
)
