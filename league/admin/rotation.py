"""Acts on an event with rotating partners: draw the movement, redraw the rest of it."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.acts import Act, ActForm, Data, Preview
from league.admin.days import DayField, day_words
from league.core.lifecycle import Doing
from league.draws import movements
from league.draws.formats import format_of
from league.draws.plans import Draw
from league.draws.rotation_rounds import first_open_round
from league.models import Event
from scoring.core.actors import Actor


class RestForm(ActForm):
    """Whether to publish the rounds at once."""

    publish = forms.BooleanField(
        label=gettext_lazy("Publish all rounds now"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Everybody sees them and their sheets are opened. Else they are drafts, published one by one."
        ),
    )


class MovementForm(RestForm):
    """The number of rounds and their dates."""

    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        required=False,
        min_value=1,
        max_value=200,
        help_text=gettext_lazy("Without a number as many as it takes for everybody to partner everybody."),
    )
    first_date = DayField(label=gettext_lazy("First night"), required=False)
    days_between = forms.IntegerField(
        label=gettext_lazy("Days from one round to the next"),
        min_value=0,
        max_value=366,
        initial=0,
        help_text=gettext_lazy("0 where all are played on one evening."),
    )

    field_order = ("rounds", "first_date", "days_between", "publish")

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        self.fields["rounds"].initial = row.rounds_planned


def _preview(draw: Draw, *, publish: bool) -> Preview:
    lines = [
        ngettext("%d player,", "%d players,", len(draw.entries)) % len(draw.entries)
        + " "
        + ngettext("%d round,", "%d rounds,", len(draw.rounds)) % len(draw.rounds)
        + " "
        + ngettext("%d match.", "%d matches.", draw.matches) % draw.matches,
        *draw.notes,
        _("All rounds are published, and their sheets opened.")
        if publish
        else _("The rounds are drafts until they are published: nobody else sees them."),
    ]
    return Preview(
        lines,
        [_("Round"), _("Date"), _("Tables"), _("Sitting out")],
        [
            [
                planned.number,
                day_words(planned.date) if planned.date else "",
                " · ".join(map(str, planned.matches)),
                ", ".join(str(bye.entry) for bye in planned.byes),
            ]
            for planned in draw.rounds
        ],
    )


def _preview_movement(event: Event, data: Data) -> Preview:
    settings = {name: value for name, value in data.items() if name != "publish"}
    return _preview(movements.plan_movement(event=event, **settings), publish=data["publish"])


def _draw_movement(by: Actor, event: Event, data: Data) -> str:
    made = movements.draw_movement(actor=by, event=event, **data)
    return ngettext("%d round was drawn.", "%d rounds were drawn.", len(made)) % len(made)


def _preview_rest(event: Event, data: Data) -> Preview:
    draw = movements.plan_rest(event=event)
    shown = _preview(draw, publish=data["publish"])
    start = draw.rounds[0].number
    gone = _("What was drawn from round %(number)d on goes, and its blank sheets; new ones have other codes.")
    return Preview([gone % {"number": start}, *shown.sentences], shown.head, shown.rows)


def _draw_rest(by: Actor, event: Event, data: Data) -> str:
    made = movements.draw_rest(actor=by, event=event, **data)
    return ngettext("%d round was redrawn.", "%d rounds were redrawn.", len(made)) % len(made)


def _has_rest(event: Event) -> bool:
    last = event.rounds.order_by("-number").values_list("number", flat=True).first()
    return last is not None and first_open_round(event) <= max(last, event.rounds_planned or 0)


DRAWING: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="draw-movement",
        title=gettext_lazy("Draw the movement"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "Who sits with whom in every round, so that everybody plays with everybody and against everybody "
            "as evenly as can be. The next page shows it and says how even it is; nothing is stored before "
            "you say yes."
        ),
        form=MovementForm,
        preview=_preview_movement,
        run=_draw_movement,
        long=True,
        submit=gettext_lazy("Show the movement"),
        offered=lambda event: "draw-movement" in format_of(event).acts and not event.rounds.exists(),
    ),
    Act(
        slug="draw-rest",
        title=gettext_lazy("Redraw the rest"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "For whoever comes late, has withdrawn or sits a round out: the rounds in which nothing has "
            "happened are drawn again, and who has sat with whom before counts."
        ),
        form=RestForm,
        preview=_preview_rest,
        run=_draw_rest,
        long=True,
        submit=gettext_lazy("Show the rest"),
        offered=lambda event: "draw-rest" in format_of(event).acts and _has_rest(event),
    ),
)
