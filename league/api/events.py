"""Events and their settings."""

from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.generics import get_object_or_404

from league.acts.services import Services
from league.api.answers import Operation, described
from league.api.asking import who_of
from league.api.fields import OneOf, ordering
from league.api.resources import Followed, Input, Resource, Written
from league.events import events
from league.models import EVENT_STATES, Club, Event, EventKind, Player, Season, format_choices
from league.policy import Permission, Who, clubs_where, events_seen, rules_seen

# The settings that are fields of the model, in the order of its form.
SETTINGS: Final = (
    "name",
    "slug",
    "kind",
    "team_size",
    "format",
    "rounds_planned",
    "group_count",
    "table_size",
    "qualifiers",
    "best_next",
    "groups_compared",
    "third_place",
    "best_of",
    "tie_decider",
    "challenge_reach",
    "challenge_days",
    "protected_days",
    "absence_days",
    "accelerated",
    "is_duplicate",
    "packs_played",
    "check_in",
    "absent_member",
    "venue",
    "played",
    "online_clock",
    "online_time_out",
    "sits_in_counts",
    "odd_table",
    "starts_at",
    "round_minutes",
    "about",
    "fee",
    "contact",
    "places",
    "who_enters",
    "approves_entries",
    "entries_open_at",
    "entries_close_at",
    "lowest_rating",
    "highest_rating",
    "criteria",
    "restart_criteria",
    "net_cap",
    "best_nights",
    "prizes",
    "bot_matches_count",
    "lot_seed",
    "counts_when",
    "holds_results",
    "bye_net",
    "bye_strength",
    "forfeit_net",
    "forfeit_strength",
    "absent_net",
    "absent_strength",
    "bye_points",
    "late_points",
    "absent_points",
    "points_scheme",
    "win_points",
    "draw_points",
    "loss_points",
    "column_points",
    "sheet_points",
    "place_points",
)
EVENT: Final = {
    "code": "w3zkq7hmtp",
    "club": "harbour",
    "season": "q4tzn8wvxc",
    "state": "running",
    "is_taken_over": False,
    "sits_in": None,
    "rules": {"code": "b7kxr2qwmt", "version": 1, "name": "Ours"},
    "name": "Winter league",
    "slug": "winter-league",
    "kind": "individual",
    "team_size": 1,
    "format": "swiss",
    "rounds_planned": 6,
    "group_count": None,
    "table_size": 4,
    "qualifiers": None,
    "best_next": 0,
    "groups_compared": "per_match",
    "third_place": False,
    "best_of": 1,
    "tie_decider": "extra_sheet",
    "challenge_reach": 3,
    "challenge_days": 14,
    "protected_days": 0,
    "absence_days": 28,
    "accelerated": False,
    "is_duplicate": False,
    "packs_played": "twice",
    "check_in": False,
    "absent_member": "substitute",
    "venue": "The old library",
    "played": "at_table",
    "online_clock": "none",
    "online_time_out": "clock",
    "sits_in_counts": "played",
    "odd_table": "played",
    "starts_at": "2026-01-12T18:30:00Z",
    "round_minutes": 50,
    "about": "Bring a *pen*.",
    "fee": "10 €",
    "contact": "",
    "places": 16,
    "who_enters": "members",
    "approves_entries": False,
    "entries_open_at": None,
    "entries_close_at": "2026-01-11T18:00:00Z",
    "lowest_rating": None,
    "highest_rating": None,
    "criteria": ["match_points", "buchholz", "net", "lot"],
    "restart_criteria": False,
    "net_cap": None,
    "best_nights": None,
    "prizes": 0,
    "bot_matches_count": True,
    "lot_seed": 1,
    "counts_when": "both",
    "holds_results": False,
    "bye_net": "zero",
    "bye_strength": "zero",
    "forfeit_net": "zero",
    "forfeit_strength": "zero",
    "absent_net": "zero",
    "absent_strength": "zero",
    "bye_points": "2.00",
    "late_points": "0.00",
    "absent_points": "1.00",
    "points_scheme": "match",
    "win_points": "2.00",
    "draw_points": "1.00",
    "loss_points": "0.00",
    "column_points": "1.00",
    "sheet_points": "1.00",
    "place_points": "3 1 0",
    "created_at": "2026-01-05T18:00:00Z",
    "updated_at": "2026-01-12T21:40:00Z",
}


class RulesNamed(serializers.Serializer[Any]):
    """A version of house rules."""

    code = serializers.CharField()
    version = serializers.IntegerField()
    name = serializers.CharField()


class EventTold(serializers.ModelSerializer[Event]):
    """An event with all its settings."""

    club = serializers.CharField(source="club.slug")
    season = serializers.CharField(source="season.code", default=None, allow_null=True)
    rules = RulesNamed(help_text="The version it is played by.")
    criteria = serializers.ListField(child=serializers.CharField(), help_text="The order of the table.")
    sits_in = serializers.CharField(
        source="sits_in.code",
        default=None,
        allow_null=True,
        help_text="The bot that sits in for an absent player, by its code as a player; null: none does.",
    )
    is_taken_over = serializers.BooleanField(
        source="taken_over",
        help_text="Its results come from another program's file: games without sheets, deals and net.",
    )

    class Meta:
        model = Event
        fields = (
            "code",
            "club",
            "season",
            "state",
            "is_taken_over",
            "sits_in",
            "rules",
            *SETTINGS,
            "created_at",
            "updated_at",
        )


class EventChanged(serializers.ModelSerializer[Event], Input):
    """Changes to an event; `rules` is the code of house rules, in their newest version."""

    season = OneOf(
        lambda who: Season.objects.filter(club__in=clubs_where(who, Permission.VIEW)),
        required=False,
        allow_null=True,
    )
    sits_in = OneOf(
        lambda who: Player.objects.filter(club__in=clubs_where(who, Permission.VIEW)).exclude(strategy=""),
        required=False,
        allow_null=True,
    )
    rules = OneOf(lambda who: rules_seen(who).order_by("-version"))
    rules_version = serializers.IntegerField(
        min_value=1, max_value=32767, required=False, help_text="An earlier version of `rules`."
    )
    criteria = serializers.ListField(
        child=serializers.CharField(max_length=30), required=False, max_length=30, help_text="In order."
    )

    class Meta:
        model = Event
        fields = ("season", "sits_in", "rules", "rules_version", *SETTINGS)
        # The service validates, as it knows how the settings depend on each other.
        validators: Final[list[Any]] = []

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        version = attrs.pop("rules_version", None)
        if version is None:
            return attrs
        rules = attrs.get("rules")
        wanted = rules and type(rules).objects.filter(code=rules.code, version=version).first()
        if wanted is None:
            raise serializers.ValidationError(
                {"rules_version": [_("Name rules that have such a version.")]}, code="does_not_exist"
            )
        return {**attrs, "rules": wanted}


class EventSaid(EventChanged):
    """A new event, which is a draft."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")

    class Meta(EventChanged.Meta):
        fields = ("club", *EventChanged.Meta.fields)  # type: ignore[assignment]


class EventFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of events: club, season, slug, name, state, format and kind."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    season = filters.CharFilter(field_name="season__code", label="The season's code.")
    slug = filters.CharFilter(label="As used in addresses.")
    search = filters.CharFilter(field_name="name", lookup_expr="icontains", label="Part of the name.")
    state = filters.ChoiceFilter(choices=list(EVENT_STATES.items()), label="Its state.")
    format = filters.ChoiceFilter(choices=format_choices(), label="Who meets whom.")
    kind = filters.ChoiceFilter(choices=EventKind.choices, label="Who enters.")
    ordering = ordering("name", "created_at", "updated_at")


@described(
    "events",
    EVENT,
    lists=Operation("List events", "The events."),
    reads=Operation("Read an event", "An event."),
    makes=Operation(
        "Make an event",
        (
            "Makes a draft, with the usual settings for whatever is left out. It is opened and started "
            "in the administration."
        ),
        {
            "club": "harbour",
            "name": "Winter league",
            "slug": "winter-league",
            "rules": "b7kxr2qwmt",
            "format": "swiss",
            "rounds_planned": 6,
        },
    ),
    changes=Operation(
        "Change the settings of an event",
        (
            "Settings that the draw depends on are fixed while there is a draw, and the rules once a "
            "sheet is open."
        ),
        {"rounds_planned": 7},
    ),
    deletes=Operation("Delete an event", "Only an event without rounds; its entries are deleted with it."),
)
class Events(Followed[Event], Written[Event]):
    """The events that the reader may see."""

    resource = "events"
    serializer_class = EventTold
    services = Services(
        "event", add=events.create_event, change=events.change_event, remove=events.remove_event
    )
    made_from = EventSaid
    changed_from = EventChanged
    filterset_class = EventFilter

    def seen(self, who: Who) -> QuerySet[Event]:
        return events_seen(who).select_related("club", "season", "rules").order_by("pk")

    def club_of(self, row: Event) -> Club:
        return row.club


class OfOneEvent(Resource[Any]):
    """Rows under the address of an event; `event_path` is the lookup from a row to its event."""

    event_path = "event"

    @cached_property
    def event(self) -> Event:
        """The event in the address; 404 if the reader may not see it."""
        events = events_seen(who_of(self.request)).select_related("club", "rules")
        found: Event = get_object_or_404(events, code=self.kwargs["event"])
        return found

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        # There is no event while the OpenAPI document is generated.
        return (
            rows.none()
            if getattr(self, "swagger_fake_view", False)
            else rows.filter(**{self.event_path: self.event})
        )
