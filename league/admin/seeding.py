"""The act that seeds the entries of an event."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, passes
from league.admin.names import EventField
from league.core.collation import name_key
from league.events.seeding import (
    PlannedSeed,
    SeedBy,
    check_seedable,
    drawn_by_seeds,
    plan_seeds,
    seed_entries,
)
from league.models import Event
from scoring.core.actors import Actor


class SeedForm(ActForm):
    """The source of the seeds."""

    by = forms.ChoiceField(
        label=gettext_lazy("Seeds"),
        choices=SeedBy.choices,
        initial=SeedBy.HAND,
        widget=forms.RadioSelect(),
    )
    order = forms.CharField(
        label=gettext_lazy("The list"),
        required=False,
        widget=forms.Textarea(attrs={"cols": 40}),
        help_text=gettext_lazy(
            "For seeds by hand: one entry a line, the strongest first. Anyone left out has no seed and comes "
            "after all others."
        ),
    )
    earlier = EventField(
        queryset=Event.objects.none(),
        label=gettext_lazy("Earlier event"),
        required=False,
        help_text=gettext_lazy("Its entries are found again by their players."),
    )

    def prepare(self, row: Event) -> None:
        earlier = Event.objects.filter(club=row.club, standings__isnull=False).exclude(pk=row.pk)
        self.offer("earlier", earlier.select_related("season").distinct())
        entries = sorted(
            row.entries.filter(withdrawn_at=None),
            key=lambda entry: (entry.seed is None, entry.seed, name_key(entry.name)),
        )
        self.fields["order"].initial = "\n".join(entry.name for entry in entries)
        self.fields["order"].widget.attrs["rows"] = min(max(len(entries), 4), 40)

    def clean_order(self) -> list[str]:
        """The lines that are not blank."""
        return [line for line in self.cleaned_data["order"].splitlines() if line.strip()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("by") == SeedBy.EVENT and cleaned.get("earlier") is None:
            self.add_error("earlier", _("Choose an earlier event of the club."))
        return cleaned


def _preview(event: Event, data: Data) -> Preview:
    check_seedable(event)
    plan = plan_seeds(event=event, by=SeedBy(data["by"]), order=data["order"], earlier=data["earlier"])
    seeded = sum(planned.new is not None for planned in plan)
    changed = _changed(plan)
    lines = [
        ngettext("%d entry will have a seed.", "%d entries will have seeds.", seeded) % seeded,
        ngettext("%d seed will change.", "%d seeds will change.", changed) % changed,
    ]
    if changed and drawn_by_seeds(event):
        lines.append(_("The draw will stand as it is; redraw it to follow these seeds."))
    return Preview(
        lines,
        [_("Entry"), _("Seed now"), _("Seed then")],
        [[planned.entry, planned.old or "–", planned.new or "–"] for planned in plan],
    )


def _run(by: Actor, event: Event, data: Data) -> str:
    changed = _changed(
        seed_entries(
            actor=by, event=event, by=SeedBy(data["by"]), order=data["order"], earlier=data["earlier"]
        )
    )
    message = ngettext("%d seed was changed.", "%d seeds were changed.", changed) % changed
    if changed and drawn_by_seeds(event):
        message += " " + _("The draw was made with the old seeds: redraw it to follow the new ones.")
    return message


def _changed(plan: list[PlannedSeed]) -> int:
    return sum(planned.old != planned.new for planned in plan)


SEED: Final = Act(
    slug="seed",
    title=gettext_lazy("Seed the entries"),
    intro=gettext_lazy(
        "Seeds say who is held to be strong: in a bracket, in groups and in the first round of a Swiss they "
        "decide who meets whom. All seeds are assigned afresh. The next page shows them before anything is "
        "stored."
    ),
    form=SeedForm,
    preview=_preview,
    run=_run,
    submit=gettext_lazy("Show the seeds"),
    offered=lambda event: event.entries.exists() and passes(check_seedable, event),
)
