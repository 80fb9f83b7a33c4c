"""Events: rules, the order of the table, who is entered, and the draw."""

import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminDateWidget
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import formats
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.acts import Act, ActForm, ActingAdmin, Data, Link, Preview
from league.admin.criteria import CriteriaField
from league.admin.names import NameField, NamesField
from league.admin.scope import ClubsOwnFilter, actor, choose_only, club_time, count_of
from league.errors import LeagueError
from league.models import Adjustment, ClubRules, Entry, Event, EventKind, Player, Round, usual_criteria
from league.services import adjustments, entries, events, matches, rounds
from league.services.standings import request_standings
from league.standings import CRITERIA
from scoring.actors import Actor
from scoring.models import HouseRules


class EventForm(forms.ModelForm[Event]):
    """An event; the order of its table is chosen, not typed."""

    criteria = CriteriaField(
        label=gettext_lazy("Order of the table"),
        initial=usual_criteria,
        help_text=gettext_lazy("Each splits the ties that those before it left."),
    )

    class Meta:
        model = Event
        fields = (
            "club",
            "name",
            "slug",
            "season",
            "kind",
            "team_size",
            "rules",
            "criteria",
            "restart_criteria",
            "points_scheme",
            "win_points",
            "draw_points",
            "loss_points",
            "column_points",
            "sheet_points",
            "bye_points",
            "lot_seed",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in self.initial.items():
            if isinstance(value, Decimal):
                # As it was typed: 2, not 2.00.
                self.initial[name] = Decimal(f"{value.normalize():f}")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        club, rules = cleaned.get("club"), cleaned.get("rules")
        if club is not None and rules is not None:
            try:
                events.check_rules(club, rules)
            except LeagueError as refusal:
                self.add_error("rules", refusal.message)
        return cleaned


class EnterForm(ActForm):
    """Who is to be entered, of the players not entered yet."""

    players = NamesField(
        queryset=Player.objects.none(),
        label=gettext_lazy("Players"),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "many"}),
        error_messages={"required": gettext_lazy("Choose at least one player.")},
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        players = cast("forms.ModelMultipleChoiceField[Any]", self.fields["players"])
        free = Player.objects.filter(club=row.club, merged_into=None).exclude(
            memberships_in_entries__event=row
        )
        players.queryset = free


class DrawForm(ActForm):
    """How a round robin is drawn."""

    double = forms.BooleanField(
        label=gettext_lazy("Everybody meets everybody twice"),
        required=False,
        help_text=gettext_lazy("The second half repeats the first with the sides turned over."),
    )
    first_date = forms.DateField(label=gettext_lazy("First night"), required=False, widget=AdminDateWidget())
    days_between = forms.IntegerField(
        label=gettext_lazy("Days from one round to the next"), min_value=0, max_value=366, initial=7
    )


class PointsForm(ActForm):
    """Points given or taken, and why."""

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
        help_text=gettext_lazy("Stands as a footnote under the table."),
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def __init__(self, row: Event, data: Any = None) -> None:
        super().__init__(row, data)
        entry = cast("forms.ModelChoiceField[Any]", self.fields["entry"])
        entry.queryset = row.entries.all()


def _enter(by: Actor, event: Event, data: Data) -> str:
    made = entries.enter_players(actor=by, event=event, players=list(data["players"]))
    said = ngettext("%d player was entered.", "%d players were entered.", len(made)) % len(made)
    if event.rounds.exists():
        said += " " + _("The draw stands as it is: those entered now have no matches in it.")
    return said


def _day(date: datetime.date) -> str:
    return formats.date_format(date, "j F Y")


def _preview_draw(event: Event, data: Data) -> Preview:
    plan = rounds.plan_round_robin(event=event, **data)
    first, last = plan.rounds[0].date, plan.rounds[-1].date
    said = [
        ngettext("%d entry,", "%d entries,", len(plan.entries)) % len(plan.entries)
        + " "
        + ngettext("%d round,", "%d rounds,", len(plan.rounds)) % len(plan.rounds)
        + " "
        + ngettext("%d match.", "%d matches.", plan.matches) % plan.matches,
        _("From %(first)s to %(last)s.") % {"first": _day(first), "last": _day(last)}
        if first and last
        else _("The rounds have no dates yet."),
        _("One entry has a bye in each round.") if plan.byes else _("Nobody has a bye."),
    ]
    unseated = len(plan.entries) - len(matches.usual_line_ups(event))
    if event.kind == EventKind.TEAM and unseated > 0:
        said.append(
            _("Teams with more members than play on a side get their sheets once their line-ups are set.")
        )
    return Preview(
        said,
        [_("Round"), _("Date"), _("Matches"), _("Bye")],
        [
            [
                planned.number,
                _day(planned.date) if planned.date else "",
                " · ".join(f"{first} – {second}" for first, second in planned.pairs),
                planned.bye or "",
            ]
            for planned in plan.rounds
        ],
    )


def _draw(by: Actor, event: Event, data: Data) -> str:
    made = rounds.draw_round_robin(actor=by, event=event, **data)
    return ngettext("%d round was drawn.", "%d rounds were drawn.", len(made)) % len(made)


def _preview_delete_draw(event: Event, data: Data) -> Preview:
    rounds.check_draw_deletable(event)
    count = event.matches.count()
    return Preview(
        [
            _("%(rounds)d rounds with %(matches)d matches and their blank sheets will be deleted.")
            % {"rounds": event.rounds.count(), "matches": count},
            _("Sheets printed already are worth nothing then: new ones have other codes."),
        ]
    )


def _delete_draw(by: Actor, event: Event, data: Data) -> str:
    count = rounds.delete_draw(actor=by, event=event)
    return ngettext("The draw of %d match was deleted.", "The draw of %d matches was deleted.", count) % count


def _give_points(by: Actor, event: Event, data: Data) -> str:
    made = adjustments.add_adjustment(actor=by, **data)
    return _("%(entry)s: %(points)s points.") % {"entry": made.entry, "points": f"{made.points:+}"}


def _recalculate(by: Actor, event: Event, data: Data) -> str:
    request_standings(event.pk)
    return _("The table is being made anew.")


@admin.register(Event)
class EventAdmin(ActingAdmin[Event]):
    """An event from its rules to its draw."""

    form = EventForm
    list_display = ("name", "club", "season", "kind", "entered", "drawn")
    list_filter = (
        ("club", admin.RelatedOnlyFieldListFilter),
        ("season", ClubsOwnFilter),
        "kind",
    )
    search_fields = ("name",)
    radio_fields = {"points_scheme": admin.VERTICAL}
    acts = (
        Act(
            slug="enter",
            title=gettext_lazy("Enter players"),
            form=EnterForm,
            run=_enter,
            submit=gettext_lazy("Enter them"),
            offered=lambda event: event.kind == EventKind.INDIVIDUAL,
        ),
        Act(
            slug="draw",
            title=gettext_lazy("Draw a round robin"),
            intro=gettext_lazy(
                "Everybody meets everybody. Entries take their places by seed, then by name. The next page "
                "shows the draw; nothing is stored before you say yes."
            ),
            form=DrawForm,
            preview=_preview_draw,
            run=_draw,
            long=True,
            submit=gettext_lazy("Show the draw"),
            offered=lambda event: not event.rounds.exists(),
        ),
        Act(
            slug="delete-draw",
            title=gettext_lazy("Delete the draw"),
            intro=gettext_lazy("A draw can be deleted until something is recorded on one of its sheets."),
            preview=_preview_delete_draw,
            run=_delete_draw,
            submit=gettext_lazy("Show what goes"),
            offered=lambda event: event.rounds.exists(),
        ),
        Act(
            slug="points",
            title=gettext_lazy("Give or take points"),
            form=PointsForm,
            run=_give_points,
            submit=gettext_lazy("Note it"),
            offered=lambda event: event.entries.exists(),
        ),
        Act(
            slug="recalculate",
            title=gettext_lazy("Make the table anew"),
            intro=gettext_lazy("The table follows every sheet by itself; this only makes sure."),
            run=_recalculate,
            submit=gettext_lazy("Make it anew"),
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        rows = super().get_queryset(request).select_related("club", "season")
        return rows.annotate(entry_count=count_of(Entry, "event"), round_count=count_of(Round, "event"))

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        frozen = obj is not None and events.rules_in_use(obj)
        shown_only = obj is not None and not self.has_change_permission(request, obj)
        rules = "own_rules" if frozen or shown_only else "rules"
        order = "order" if shown_only else "criteria"
        return [
            (None, {"fields": ["club", "name", "slug", "season", "kind", "team_size", rules]}),
            (_("The table"), {"fields": [order, "restart_criteria"]}),
            (
                _("Points"),
                {
                    "description": _(
                        "What a match won, drawn or lost is worth counts in the first way; what a column and "
                        "a sheet are worth counts in the second."
                    ),
                    "fields": [
                        "points_scheme",
                        ("win_points", "draw_points", "loss_points"),
                        ("column_points", "sheet_points"),
                        "bye_points",
                        "lot_seed",
                    ],
                },
            ),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        if obj is None:
            return ()
        fixed = ["club", "own_rules", "order"]
        if obj.entries.exists():
            fixed += ["kind", "team_size"]
        return fixed

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Event | None = None
    ) -> dict[str, Sequence[str]]:
        return {"slug": ("name",)} if obj is None else {}

    def choices(self, db_field: Any, request: HttpRequest) -> QuerySet[Any]:
        rows = super().choices(db_field, request)
        match = request.resolver_match
        if db_field.name == "rules" and match is not None and "object_id" in match.kwargs:
            # The version the event has may no longer be the newest.
            kept = HouseRules.objects.filter(events=match.kwargs["object_id"])
            rows = HouseRules.objects.filter(pk__in=rows) | HouseRules.objects.filter(pk__in=kept)
        return rows

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "rules" and field is not None:
            choose_only(field)
            field.help_text = format_html(
                '<a href="{}">{}</a>',
                reverse("admin:league_clubrules_add"),
                _("Make other house rules"),
            )
        return field

    def links(self, request: HttpRequest, row: Event) -> Sequence[Link]:
        way = [row.club.slug, row.slug]
        of_event = f"?event__id__exact={row.pk}"
        links = [
            Link(_("Standings"), reverse("event", args=way)),
            Link(_("Standings as PDF"), reverse("event_standings_pdf", args=way)),
            Link(_("Hands as CSV"), reverse("admin:league_importbatch_export", args=[row.pk])),
            Link(_("Rounds"), reverse("admin:league_round_changelist") + of_event),
            Link(_("Matches"), reverse("admin:league_match_changelist") + of_event),
            Link(_("Entries"), reverse("admin:league_entry_changelist") + of_event),
            Link(_("Adjustments"), reverse("admin:league_adjustment_changelist") + of_event),
        ]
        if row.kind == EventKind.TEAM and self.has_change_permission(request, row):
            links.append(Link(_("Enter a team"), f"{reverse('admin:league_entry_add')}?event={row.pk}"))
        return links

    @admin.display(description=gettext_lazy("rules"))
    def own_rules(self, event: Event) -> str:
        """The version the event plays by, with a way to the club's list where it is on it."""
        own = ClubRules.objects.filter(club=event.club, rules__code=event.rules.code).first()
        if own is None:
            return str(event.rules)
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:league_clubrules_change", args=[own.pk]), event.rules
        )

    @admin.display(description=gettext_lazy("order of the table"))
    def order(self, event: Event) -> str:
        """The criteria by their titles."""
        return ", ".join(CRITERIA[name].title for name in event.criteria if name in CRITERIA)

    @admin.display(description=gettext_lazy("entries"), ordering="entry_count")
    def entered(self, event: Event) -> int:
        """How many are entered; counted for the list."""
        return int(event.entry_count)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("rounds"), ordering="round_count")
    def drawn(self, event: Event) -> int:
        """How many rounds there are; counted for the list."""
        return int(event.round_count)  # type: ignore[attr-defined]

    def add_row(self, request: HttpRequest, data: dict[str, Any], formsets: Sequence[Any]) -> Event:
        return events.create_event(actor=actor(request), **data)

    def change_row(
        self, request: HttpRequest, row: Event, data: dict[str, Any], formsets: Sequence[Any]
    ) -> Event:
        return events.change_event(actor=actor(request), event=row, **data)

    def remove_row(self, request: HttpRequest, row: Event) -> None:
        events.remove_event(actor=actor(request), event=row)


@admin.register(Adjustment)
class AdjustmentAdmin(ActingAdmin[Adjustment]):
    """Points given and taken. They are given from the event's page, and may be taken back here."""

    list_display = ("entry", "event", "points", "reason", "actor_name", "when")
    list_filter = (("event", ClubsOwnFilter),)
    list_select_related = ("entry", "event__club")
    search_fields = ("entry__name", "reason")
    fields = ("event", "entry", "points", "reason", "actor_name", "when")

    @admin.display(description=gettext_lazy("when"), ordering="id")
    def when(self, adjustment: Adjustment) -> str:
        """The time, by the club's clock."""
        return club_time(adjustment.at, adjustment.event.club)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Adjustment | None = None) -> bool:
        return False

    def remove_row(self, request: HttpRequest, row: Adjustment) -> None:
        adjustments.remove_adjustment(actor=actor(request), adjustment=row)
