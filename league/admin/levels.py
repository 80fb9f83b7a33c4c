"""Who comes first of entries that are level at a line: asked on the event's page, listed here, taken back."""

from typing import Any, Final

from django import forms
from django.contrib import admin
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, Preview, ReasonForm, does, reason_field
from league.acts.fields import DayField, NameField
from league.admin.acts import ActingAdmin
from league.admin.names import ShowsAuthor, names_for
from league.admin.scope import NewestFilter, club_time
from league.core.lifecycle import Doing
from league.draws import levels
from league.draws.levels import LevelAt
from league.draws.missing import results_missing
from league.models import CutDecision, CutHow, Entry, Event, traits_of
from scoring.core.actors import Actor


class LevelForm(ActForm):
    """One tie at a line, and how it is decided; further ties are asked one after another."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=16)
    how = forms.ChoiceField(
        label=gettext_lazy("Decided by"), choices=CutHow.choices, widget=forms.RadioSelect
    )
    reason = reason_field(
        told=gettext_lazy("For the director’s decision; members read it below the table."), required=False
    )
    date = DayField(label=gettext_lazy("Night of the play-off"), required=False)
    despite_missing = forms.BooleanField(
        label=gettext_lazy("Decide although results are missing"), required=False
    )

    def prepare(self, row: Event) -> None:
        asked = levels.undecided(row)
        wanted = self.data.get("key")
        self.level: LevelAt | None = next((level for level in asked if wanted in (None, level.cut.key)), None)
        if self.level is None:
            self.asks = _("Nobody is level where it matters, or somebody has decided it already.")
            del self.fields["despite_missing"]
            return
        self.fields["key"].initial = self.level.cut.key
        self.asks = self.level.state
        if not levels.may_play_off(row, self.level.cut):
            self.fields["how"].choices = [  # type: ignore[attr-defined]
                choice for choice in CutHow.choices if choice[0] != CutHow.PLAY_OFF
            ]
            del self.fields["date"]
        missing = levels.missing_for(row, self.level.cut)
        if missing:
            self.fields["despite_missing"].help_text = results_missing(missing)
        else:
            del self.fields["despite_missing"]
        own = Entry.objects.filter(pk__in=self.level.cut.entries)
        for number in range(1, len(self.level.entries) + 1):
            self.fields[f"place_{number}"] = NameField(
                queryset=own,
                label=_("Place %(place)d") % {"place": self.level.cut.above + number},
                required=False,
                help_text=_("For the director’s decision.") if number == 1 else "",
            )
        places = [name for name in self.fields if name.startswith("place_")]
        self.order_fields(["key", "how", *places, "reason", "date", "despite_missing"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        order = [cleaned[name] for name in self.fields if name.startswith("place_") and cleaned.get(name)]
        return {
            "key": cleaned.get("key", ""),
            "how": CutHow(cleaned["how"]) if cleaned.get("how") else None,
            "reason": cleaned.get("reason", ""),
            "date": cleaned.get("date"),
            "despite_missing": cleaned.get("despite_missing", False),
            "order": order,
        }


def _preview(event: Event, data: Data) -> Preview:
    level = levels.check_level(event, data["key"], data["how"], despite_missing=data["despite_missing"])
    names = [str(entry) for entry in level.entries]
    lines = [level.words]
    if data["how"] is CutHow.LOT:
        lines.append(
            _(
                "A number will be drawn when you say yes, and kept with your name: anybody can draw the lot "
                "again with it."
            )
        )
    elif data["how"] is CutHow.PLAY_OFF:
        lines.append(
            _("A match will be made: %(a)s v %(b)s.") % {"a": names[0], "b": names[1]}
            if len(names) == 2
            else _("They will play at one table: the places at it will decide.")
            if traits_of(event).has_tables
            else _("They will play all against all: points will decide, then the net.")
        )
        lines.append(_("It will count for this order only, not in the table."))
    else:
        lines += [
            _("Place %(place)d: %(entry)s.") % {"place": level.cut.above + number, "entry": entry}
            for number, entry in enumerate(data["order"], start=1)
        ]
    return Preview(lines)


def _decide(by: Actor, event: Event, data: Data) -> str:
    decision = levels.decide_level(actor=by, event=event, **data)
    level = next((each for each in levels.levels_at_cuts(event) if each.cut.key == decision.key), None)
    return level.state if level is not None else _("It is decided.")


DECIDE: Final[Act[Event]] = Act(
    slug="decide-level",
    title=gettext_lazy("Decide who comes first"),
    doing=Doing.CORRECT,
    intro=gettext_lazy(
        "The order of the table leaves entries level where it is decided who goes on, up or down, or who has "
        "a prize. Neither names nor the order of entries decide it."
    ),
    form=LevelForm,
    preview=_preview,
    run=_decide,
    offered=levels.is_asked,
)


def _preview_back(decision: CutDecision, data: Data) -> Preview:
    lines = [_("The decision will be taken back, and asked for again if they are still level.")]
    if decision.how == CutHow.PLAY_OFF:
        lines.append(_("The play-off will be deleted with it; nothing of it was played."))
    return Preview(lines)


@admin.register(CutDecision)
class CutDecisionAdmin(ShowsAuthor, ActingAdmin[CutDecision]):
    """Decisions between entries that are level: who, when, how, and whether they still hold."""

    list_display = ("line", "event", "how", "decided", "author", "when")
    list_filter = (("event", NewestFilter), "how")
    list_select_related = ("event__club",)
    search_fields = ("reason",)
    fields = ("event", "line", "how", "between", "decided", "lot", "reason", "author", "when", "holds")
    readonly_fields = ("line", "between", "decided", "holds")
    acts = (
        Act(
            slug="take-back",
            title=gettext_lazy("Take the decision back"),
            doing=Doing.CORRECT,
            form=ReasonForm,
            preview=_preview_back,
            run=does(levels.take_back_decision, "decision", gettext_lazy("The decision is taken back.")),
            leads_to=lambda decision: levels_page(decision.event),
        ),
    )

    @admin.display(description=gettext_lazy("line"))
    def line(self, decision: CutDecision) -> str:
        """What is cut for, with the group, or the round and table."""
        said = str(decision.get_kind_display())
        if decision.round:
            at = _("round %(round)d, table %(table)d")
            return f"{said}, {at % {'round': decision.round, 'table': decision.table}}"
        return f"{said} {decision.group}" if decision.group else said

    @admin.display(description=gettext_lazy("between"))
    def between(self, decision: CutDecision) -> str:
        """Who is level."""
        return _listed(decision, decision.entries)

    @admin.display(description=gettext_lazy("order"))
    def decided(self, decision: CutDecision) -> str:
        """The order decided, from the first; that of a play-off is in the table of its event."""
        return _listed(decision, decision.order)

    @admin.display(description=gettext_lazy("when"), ordering="id")
    def when(self, decision: CutDecision) -> str:
        """The time, by the club's clock."""
        return club_time(decision.at, decision.event.club)

    @admin.display(description=gettext_lazy("state"))
    def holds(self, decision: CutDecision) -> str:
        """Whether they are still level as they were."""
        for level in levels.levels_at_cuts(decision.event):
            if level.cut.key == decision.key:
                return level.state
        return _("Void: the results no longer leave them level as they were.")


def _listed(decision: CutDecision, ids: list[int]) -> str:
    entries = {entry.pk: entry for entry in Entry.objects.filter(pk__in=ids)}
    names = names_for(decision)
    return ", ".join(names.marked(entries[pk]) for pk in ids if pk in entries)


def levels_page(event: Event) -> str:
    """Return the address of an event's page, where a tie is asked again."""
    return reverse("admin:league_event_change", args=[event.pk])
