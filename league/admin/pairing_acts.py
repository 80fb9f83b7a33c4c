"""Acts on an event between rounds: pair the next round, keep two entries apart."""

from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.acts.fields import DayField, NameField
from league.admin.acts import change_link
from league.core.lifecycle import Doing
from league.draws import kept_apart, missing, planning, round_life
from league.draws.plans import PlannedMatch, RoundPlan
from league.models import MATCH_STATES, Entry, Event, MatchState, traits_of
from scoring.core.actors import Actor


class MissingForm(ActForm):
    """Asks for confirmation if results are missing."""

    despite_missing = forms.BooleanField(
        label=gettext_lazy("Pair although results are missing"), required=False
    )

    def ask_despite(self, event: Event, *, before: int) -> None:
        """Drop the question if no result before this round is missing, else list the missing ones."""
        without = missing.missing_results(event, before=before)
        if without:
            self.fields["despite_missing"].help_text = missing.results_missing(without)
        else:
            del self.fields["despite_missing"]

    def clean_despite_missing(self) -> bool:
        """Require the confirmation."""
        if not self.cleaned_data["despite_missing"]:
            raise forms.ValidationError(_("Tick this, or wait for the results."))
        return True


class PairForm(MissingForm):
    """The round to pair, and its date."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    date = DayField(label=gettext_lazy("Night"), required=False)

    field_order = ("date", "despite_missing", "number")

    def prepare(self, row: Event) -> None:
        number = round_life.next_round_number(row) or 1
        self.fields["number"].initial = number
        self.ask_despite(row, before=number)


class ApartForm(ActForm):
    """Two entries that must not meet."""

    one = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Entry"))
    other = NameField(queryset=Entry.objects.none(), label=gettext_lazy("not with"))
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("The same family, the same car; only officers see it."),
    )

    def prepare(self, row: Event) -> None:
        for name in ("one", "other"):
            self.offer(name, Entry.objects.filter(event=row, withdrawn_at=None))


def pairing_preview(plan: RoundPlan) -> Preview:
    """A planned round: warnings, then the matches with their reasons, and who sits out."""
    counted = ngettext("%d match", "%d matches", len(plan.matches)) % len(plan.matches)
    drawn = sum(bye.state == MatchState.BYE for bye in plan.byes)
    asked = len(plan.byes) - drawn
    lines = [
        *plan.warnings,
        _("Round %(number)d: %(matches)s.") % {"number": plan.number, "matches": counted},
    ]
    if drawn:
        lines.append(ngettext("%d entry will have a bye.", "%d entries will have a bye.", drawn) % drawn)
    if asked:
        lines.append(ngettext("%d entry asked to sit out.", "%d entries asked to sit out.", asked) % asked)
    lines += plan.notes
    lines.append(
        _("It will be a draft until it is published: nobody else will see it, and no sheets will be opened.")
    )
    rows: list[list[object]] = [
        [
            match.table or place,
            *_sides(match),
            match.why,
        ]
        for place, match in enumerate(plan.matches, start=1)
    ]
    rows += [["", str(bye.entry), MATCH_STATES[bye.state], bye.why] for bye in plan.byes]
    head = [_("Table"), _("First side"), _("Second side"), _("Why")]
    if not any(row[-1] for row in rows):
        # Pairings of a movement have no reasons.
        return Preview(lines, head[:-1], [row[:-1] for row in rows])
    return Preview(lines, head, rows)


def _sides(match: PlannedMatch) -> tuple[str, ...]:
    """Both sides in two cells; all who are to sit at a table are in the first."""
    sides = tuple(" + ".join(map(str, side)) for side in match.sides)
    return sides if len(sides) == 2 else (", ".join(sides), "")


def _preview_pair(event: Event, data: Data) -> Preview:
    plan = planning.plan_next_round(
        event,
        despite_missing=data.get("despite_missing", False),
        accept_offer=True,
        date=data["date"],
    )
    return pairing_preview(plan)


def _pair(by: Actor, event: Event, data: Data) -> str:
    # Violated rules were shown as warnings in the preview.
    made = round_life.draft_round(
        actor=by,
        event=event,
        number=data["number"],
        date=data["date"],
        despite_missing=data.get("despite_missing", False),
        accept_offer=True,
    )
    return _("Round %(number)d is paired, and a draft until you publish it.") % {"number": made.number}


def _last_round(event: Event) -> str:
    last = event.rounds.order_by("-number").first()
    return change_link("", last or event).url


def _preview_apart(event: Event, data: Data) -> Preview:
    two = {"a": data["one"], "b": data["other"]}
    if traits_of(event).has_groups:
        lines = [_("%(a)s and %(b)s will be drawn into different groups.") % two]
    else:
        lines = [_("%(a)s and %(b)s will not be paired with each other from the next round on.") % two]
    met = event.matches.filter(entry_a__in=two.values(), entry_b__in=two.values())
    if met.exists():
        lines.append(_("They have been paired already; that will stand."))
    return Preview(lines)


def _keep_apart(by: Actor, event: Event, data: Data) -> str:
    return _("%(pair)s.") % {"pair": kept_apart.keep_apart(actor=by, event=event, **data)}


def _may_keep_apart(event: Event) -> bool:
    """Return whether pairs can be kept apart; not once groups are drawn, as the bracket follows the seeds."""
    if traits_of(event).has_groups and event.rounds.exists():
        return False
    return kept_apart.keeps_apart(event)


PAIR: Final = Act(
    slug="pair",
    title=gettext_lazy("Pair the next round"),
    intro=gettext_lazy("The next page shows who meets whom, and why; nothing is stored before you say yes."),
    form=PairForm,
    preview=_preview_pair,
    run=_pair,
    leads_to=_last_round,
    submit=gettext_lazy("Show the pairing"),
    doing=Doing.PAIR,
    offered=planning.is_left_to_pair,
)

KEEP_APART: Final = Act(
    slug="keep-apart",
    title=gettext_lazy("Keep two entries apart"),
    intro=gettext_lazy(
        "They are not paired with each other from the next round on; in groups they are drawn into different "
        "ones."
    ),
    form=ApartForm,
    preview=_preview_apart,
    run=_keep_apart,
    doing=Doing.SEED,
    offered=_may_keep_apart,
)
