"""Rotating partners: four to a table, everyone playing with and against everyone."""

from collections.abc import Sequence
from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.acts.fields import DayField
from league.core.collation import name_key
from league.core.lifecycle import Doing
from league.draws import movements, rotation_rounds
from league.draws.formats import Due, Format, register
from league.draws.plans import Draw, RoundPlan
from league.draws.previews import preview_of
from league.errors import LeagueError
from league.models import Appearance, Entry, Event, Match, MatchState
from scoring.core.actors import Actor


class RestForm(ActForm):
    """The choice whether to publish the rounds at once."""

    publish = forms.BooleanField(
        label=gettext_lazy("Publish all rounds now"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Everybody sees them and their sheets are opened. If not, they are drafts, published one by one."
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

    def prepare(self, row: Event) -> None:
        self.fields["rounds"].initial = row.rounds_planned


def _preview(draw: Draw, *, publish: bool) -> Preview:
    players = ngettext("%d player", "%d players", len(draw.entries)) % len(draw.entries)
    seen = (
        _("All rounds will be published, and their sheets opened.")
        if publish
        else _("The rounds will be drafts until they are published: nobody else will see them.")
    )
    return preview_of(draw, players, [*draw.notes, seen], matches=_("Tables"), byes=_("Sitting out"))


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
    gone = _(
        "What was drawn from round %(number)d on will go, and its blank sheets; new ones "
        "will have other codes."
    )
    return Preview([gone % {"number": start}, *shown.sentences], shown.head, shown.rows)


def _draw_rest(by: Actor, event: Event, data: Data) -> str:
    made = movements.draw_rest(actor=by, event=event, **data)
    return ngettext("%d round was redrawn.", "%d rounds were redrawn.", len(made)) % len(made)


def _has_rest(event: Event) -> bool:
    last = event.rounds.order_by("-number").values_list("number", flat=True).first()
    if last is None:
        return False
    return rotation_rounds.first_open_round(event) <= max(last, event.rounds_planned or 0)


ACTS: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="draw-movement",
        title=gettext_lazy("Draw the movement"),
        doing=Doing.PAIR,
        intro=gettext_lazy(
            "Who sits with whom in every round, so that everybody plays with everybody and against everybody "
            "as evenly as possible. The next page shows it and says how even it is; nothing is stored before "
            "you say yes."
        ),
        form=MovementForm,
        preview=_preview_movement,
        run=_draw_movement,
        long=True,
        submit=gettext_lazy("Show the movement"),
        offered=lambda event: not event.rounds.exists(),
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
        offered=_has_rest,
    ),
)


class Rotation(Format):
    """See `league.core.pairing.rotation`. Players are entered; two of them form a side for a round.

    The number of rounds determines all seating from the first round on; the lot decides it, not seeds.
    """

    key = "rotation"
    title = gettext_lazy("partners that rotate")
    partners_rotate = True
    usual_order = ("match_points", "net", "hands_won", "lot")
    first_act = "draw-movement"
    acts = ACTS
    settings = frozenset(
        {"rounds_planned", "check_in", "late_points", "absent_points", "absent_net", "absent_strength"}
    )
    fixed_by_draw = frozenset({"rounds_planned"})
    night_by_night = True
    opens_in_turn = True
    drawn_by_seeds = False
    takes_foreign_matches = False
    export_note = gettext_lazy(
        "Partners rotate here: an import into another event makes a team of each pair."
    )

    def fewest_entries(self, event: Event) -> int:
        return 4

    def first_round_of_late(self, event: Event) -> int:
        """The first round that can be drawn again; refused (`already_drawn`) if all have begun."""
        first = rotation_rounds.first_open_round(event)
        if first > (event.rounds_planned or first):
            raise LeagueError(
                "already_drawn",
                _("Something has happened in the last round of “%(event)s”; nobody comes in after it.")
                % {"event": event},
            )
        return first

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return rotation_rounds.plan(event, number, present)

    def left_behind(self, event: Event) -> Due | tuple[()]:
        """Players who have withdrawn and still sit in future matches."""
        waiting = _left_behind(event)
        if not waiting:
            return ()
        seated = event.entries.exclude(withdrawn_at=None).filter(
            members__player__appearances__match__in=waiting
        )
        gone = sorted(map(str, seated.distinct()), key=name_key)
        said = ngettext(
            "%(names)s has withdrawn and still sits in %(labels)s:",
            "%(names)s have withdrawn and still sit in %(labels)s:",
            len(gone),
        ) % {"names": ", ".join(gone), "labels": ", ".join(match.label for match in waiting)}
        if rotation_rounds.first_open_round(event) <= min(match.round.number for match in waiting):
            return f"{said} " + _("redraw the rest, or name substitutes in the line-ups."), "draw-rest"
        return f"{said} " + _("name substitutes in the line-ups; some of it can no longer be redrawn."), ""


def _left_behind(event: Event) -> list[Match]:
    """Return matches not begun with a withdrawn player in their line-ups."""
    seated = Appearance.objects.filter(
        match__event=event,
        match__state=MatchState.SCHEDULED,
        player__memberships_in_entries__entry__event=event,
        player__memberships_in_entries__entry__withdrawn_at__isnull=False,
    )
    waiting = Match.objects.filter(pk__in=seated.values("match")).select_related("round")
    return list(waiting.order_by("round__number", "table", "pk"))


register(Rotation())
