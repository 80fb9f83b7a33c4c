"""Acts on an event: enter players, draw a round robin, give points, recalculate the table."""

from decimal import Decimal
from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, passes
from league.acts.fields import NameField, NamesField, day_words
from league.core.lifecycle import Doing
from league.draws import rounds
from league.draws.drawn import is_drawn
from league.draws.formats import format_of
from league.events import entries, waiting
from league.models import Entry, Event, EventKind, Player, RoundState
from league.record.requests import request_standings
from league.tables import adjustments
from league.tables.results import plain
from scoring.core.actors import Actor


class EnterForm(ActForm):
    """The players to enter, of those not yet entered."""

    players = NamesField(
        queryset=Player.objects.none(),
        label=gettext_lazy("Players"),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "many"}),
        error_messages={"required": gettext_lazy("Choose at least one player.")},
    )
    is_guest = forms.BooleanField(
        label=gettext_lazy("They are guests"),
        required=False,
        help_text=gettext_lazy("A guest plays and is not ranked."),
    )

    def prepare(self, row: Event) -> None:
        free = Player.objects.filter(club=row.club, merged_into=None)
        self.offer("players", free.exclude(memberships_in_entries__event=row))


class PointsForm(ActForm):
    """Points given or deducted, and the reason."""

    entry = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Entry"))
    points = forms.DecimalField(
        label=gettext_lazy("Points"),
        max_digits=6,
        decimal_places=2,
        help_text=gettext_lazy("Below 0 to take points away."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        help_text=gettext_lazy("Shown as a footnote under the table."),
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def prepare(self, row: Event) -> None:
        self.offer("entry", row.entries.all())


class DaysForm(ActForm):
    """How many days the players of a round have."""

    days = forms.IntegerField(
        label=gettext_lazy("Days for each round"),
        min_value=2,
        max_value=rounds.MOST_DAYS,
        initial=14,
        help_text=gettext_lazy("From its date on, which is the first of them."),
    )


def points_words(points: Decimal) -> str:
    """A number of points in words: 1 point, 0.5 points."""
    words = ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2)
    return words % {"points": plain(points)}


def _is_late(event: Event) -> bool:
    """Return whether players entered now have missed rounds. In a round robin they would get no matches."""
    return format_of(event).takes_late_entries and is_drawn(event)


def _preview_enter(event: Event, data: Data) -> Preview:
    players = list(data["players"])
    lines = [
        ngettext(
            "%(count)d player will be entered: %(names)s.",
            "%(count)d players will be entered: %(names)s.",
            len(players),
        )
        % {"count": len(players), "names": ", ".join(map(str, players))}
    ]
    if data["is_guest"]:
        lines.append(_("As guests: they will play and not be ranked."))
    if _is_late(event):
        late = entries.late_entry(event)
        lines.append(_("They will play from round %d on.") % late.first_round)
        for number in event.rounds.filter(state=RoundState.DRAFTED).values_list("number", flat=True):
            lines.append(_("Round %(number)d is a draft: pair it again.") % {"number": number})
        if late.points:
            lines.append(
                _("For the rounds they missed each will get %(points)s.")
                % {"points": points_words(late.points)}
            )
    elif event.rounds.exists():
        lines.append(_("The draw will stand as it is: those entered now will have no matches in it."))
    return Preview(lines)


def _may_enter(event: Event) -> bool:
    """Return whether players can be entered and the draw does not leave them out."""
    if event.kind != EventKind.INDIVIDUAL:
        return False
    return not _is_late(event) or passes(entries.late_entry, event)


def _enter(by: Actor, event: Event, data: Data) -> str:
    service = entries.enter_late if _is_late(event) else entries.enter_players
    made = service(actor=by, event=event, players=list(data["players"]), is_guest=data["is_guest"])
    return ngettext("%d player was entered.", "%d players were entered.", len(made)) % len(made)


def _preview_delete_draw(event: Event, data: Data) -> Preview:
    rounds.check_draw_deletable(event)
    count = event.matches.count()
    return Preview(
        [
            _("%(rounds)d rounds with %(matches)d matches and their blank sheets will be deleted.")
            % {"rounds": event.rounds.count(), "matches": count},
            _("Sheets printed already will be useless: new ones will have other codes."),
        ]
    )


def _delete_draw(by: Actor, event: Event, data: Data) -> str:
    count = waiting.delete_draw(actor=by, event=event)
    return ngettext("The draw of %d match was deleted.", "The draw of %d matches was deleted.", count) % count


def _preview_last_days(event: Event, data: Data) -> Preview:
    found = rounds.plan_last_days(event, data["days"])
    return Preview(
        [_("The players will arrange their matches themselves, within these days.")],
        [_("Round"), _("From"), _("Last day")],
        [
            [str(round_.number), "" if round_.date is None else day_words(round_.date), day_words(last_day)]
            for round_, last_day in found
        ],
    )


def _set_last_days(by: Actor, event: Event, data: Data) -> str:
    count = rounds.set_last_days(actor=by, event=event, days=data["days"])
    return (
        ngettext(
            "The players of %d round arrange their matches.",
            "The players of %d rounds arrange their matches.",
            count,
        )
        % count
    )


def _preview_points(event: Event, data: Data) -> Preview:
    adjustments.check_adjustment(event, data["points"])
    return Preview(
        [
            _("%(entry)s: %(points)s points.") % {"entry": data["entry"], "points": f"{data['points']:+}"},
            _("A footnote under the table will say: %(reason)s") % {"reason": data["reason"]},
        ]
    )


def _give_points(by: Actor, event: Event, data: Data) -> str:
    made = adjustments.add_adjustment(actor=by, **data)
    return _("%(entry)s: %(points)s points.") % {"entry": made.entry, "points": f"{made.points:+}"}


def _recalculate(by: Actor, event: Event, data: Data) -> str:
    request_standings(event.pk)
    return _("The table is being recalculated.")


ENTER: Final = Act(
    slug="enter",
    title=gettext_lazy("Enter players"),
    form=EnterForm,
    preview=_preview_enter,
    run=_enter,
    doing=Doing.ENTER,
    offered=_may_enter,
)

DELETE_DRAW: Final[Act[Event]] = Act(
    slug="delete-draw",
    title=gettext_lazy("Delete the draw"),
    intro=gettext_lazy("A draw can be deleted until something is recorded on one of its sheets."),
    preview=_preview_delete_draw,
    run=_delete_draw,
    submit=gettext_lazy("Show what will be deleted"),
    doing=Doing.PAIR,
    offered=lambda event: event.rounds.exists() and passes(rounds.check_draw_deletable, event),
)

ARRANGE: Final = Act[Event](
    slug="arrange",
    title=gettext_lazy("Let the players arrange their matches"),
    intro=gettext_lazy("A single round is changed on its own page: a round without a last day is one night."),
    form=DaysForm,
    preview=_preview_last_days,
    run=_set_last_days,
    doing=Doing.SETTINGS,
    offered=lambda event: (
        event.counts_rounds and not event.has_tables and rounds.rounds_to_arrange(event).exists()
    ),
)

AFTERWARDS: Final[tuple[Act[Event], ...]] = (
    Act(
        slug="points",
        title=gettext_lazy("Give or take points"),
        form=PointsForm,
        preview=_preview_points,
        run=_give_points,
        doing=Doing.ADJUST,
        offered=lambda event: event.entries.exists(),
    ),
    Act(
        slug="recalculate",
        title=gettext_lazy("Recalculate the table"),
        intro=gettext_lazy("The table follows every sheet by itself; this only makes sure that it does."),
        run=_recalculate,
        submit=gettext_lazy("Recalculate"),
    ),
)
