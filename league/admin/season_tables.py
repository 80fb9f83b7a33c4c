"""Tables over several events. Changes to their order are made by an act with a preview of the table."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.acts.services import Services
from league.admin.acts import ActingAdmin
from league.admin.names import EventsField
from league.admin.scope import ClubFilter
from league.core.standings import Number
from league.errors import LeagueError
from league.models import Event, SeasonTable
from league.policy import Permission
from league.tables import season_tables
from league.tables.season_tables import points_of, ranking_over, read_points
from scoring.core.actors import Actor
from scoring.words.messages import translated

_USUAL = "25 18 15 12 10 8 6 4 2 1"


class PointsField(forms.CharField):
    """Points for the places, from the first, as numbers separated by spaces."""

    widget = forms.TextInput(attrs={"size": 60})

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return read_points(text or "")
        except LeagueError as refusal:
            raise forms.ValidationError(translated(refusal.message)) from refusal

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(str, value)) if isinstance(value, list) else value


def points_field() -> PointsField:
    return PointsField(
        label=gettext_lazy("Points for the places"),
        help_text=gettext_lazy(
            "From the first place on, with spaces between them. Those who share a place share the points of "
            "their places."
        ),
    )


class NewSeasonTableForm(forms.ModelForm[SeasonTable]):
    """A new table; its points and events are changed later by an act with a preview."""

    place_points = points_field()

    class Meta:
        model = SeasonTable
        fields = ("club", "season", "name", "slug", "place_points", "best")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["place_points"] = _USUAL


class MakingForm(ActForm):
    """The points, the number of events that count, and the events."""

    place_points = points_field()
    best = forms.IntegerField(
        label=gettext_lazy("Only the best … events count"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Empty: all of them count."),
    )

    def prepare(self, row: SeasonTable) -> None:
        own = Event.objects.filter(club=row.club).select_related("season").order_by("-created_at", "name")
        self.fields["events"] = EventsField(queryset=own)
        self.initial = {
            "place_points": points_of(row),
            "best": row.best,
            "events": list(row.events.values_list("pk", flat=True)),
        }


def _preview(table: SeasonTable, data: Data) -> Preview:
    return preview_of(data["events"], place_points=data["place_points"], best=data["best"])


def preview_of(events: Iterable[Event], *, place_points: Sequence[Number], best: int | None) -> Preview:
    """The table that these events would give."""
    ranking = ranking_over(events, place_points=place_points, best=best)
    sentences = [
        _("Nothing will count yet: an event counts once it is finished.")
        if not ranking.events
        else ngettext("%(count)s event will count.", "%(count)s events will count.", len(ranking.events))
        % {"count": len(ranking.events)}
    ]
    if ranking.open_events:
        names = ", ".join(event.name for event in ranking.open_events)
        sentences.append(_("Not finished yet, and to be counted when they are: %s.") % names)
    if ranking.lines:
        sentences.append(_("This will be the table; results in brackets will not count."))
    return Preview(
        sentences,
        ["#", _("Player"), *(event.name for event in ranking.events), _("Points")],
        [[line.rank, str(line.player), *map(_result, line.results), line.points] for line in ranking.lines],
    )


def _result(result: season_tables.SeasonResult | None) -> str:
    if result is None:
        return "–"
    return str(result.points) if result.counts else f"({result.points})"


def _make(by: Actor, table: SeasonTable, data: Data) -> str:
    season_tables.change_season_table(
        actor=by,
        table=table,
        place_points=data["place_points"],
        best=data["best"],
        events=data["events"],
    )
    return _("The table is made of %(events)s events.") % {"events": len(data["events"])}


@admin.register(SeasonTable)
class SeasonTableAdmin(ActingAdmin[SeasonTable]):
    """A table over several events."""

    services = Services(
        "table",
        add=season_tables.create_season_table,
        change=season_tables.change_season_table,
        remove=season_tables.remove_season_table,
    )
    list_display = ("name", "club", "season")
    list_filter = (("club", ClubFilter),)
    list_select_related = ("club", "season")
    search_fields = ("name",)
    fixed = ("club",)
    prepopulated_fields = {"slug": ("name",)}
    acts = (
        Act(
            slug="make",
            title=gettext_lazy("Points and events"),
            intro=gettext_lazy("Nothing is changed before you have seen the table that comes of it."),
            form=MakingForm,
            preview=_preview,
            run=_make,
            submit=gettext_lazy("Show the table"),
            permission=Permission.DIRECT,
        ),
    )

    def get_fields(self, request: HttpRequest, obj: SeasonTable | None = None) -> Any:
        fields = ["club", "season", "name", "slug"]
        return fields if obj else [*fields, "place_points", "best"]

    def get_form(
        self, request: HttpRequest, obj: SeasonTable | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm[SeasonTable]]:
        if obj is None:
            kwargs["form"] = NewSeasonTableForm
        return super().get_form(request, obj, change=change, **kwargs)
