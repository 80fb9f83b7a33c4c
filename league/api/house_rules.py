"""House rules; they are immutable, and a change makes their next version."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.acts.services import Services
from league.api.answers import Operation, described
from league.api.fields import OneOf, ordering
from league.api.resources import Followed, Input, Resource, Written
from league.events.house_rules import drop_club_rules, make_club_rules, next_version, share_club_rules
from league.models import Club, ClubRules
from league.policy import Permission, Who, clubs_where, rules_seen
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.documents import schemas as openapi
from scoring.models import HouseRules

_KNOBS: Final = Rules().to_document()
RULES: Final = {
    "code": "b7kxr2qwmt",
    "club": "harbour",
    "version": 2,
    "name": "Ours",
    "is_shared": False,
    "rules": _KNOBS,
    "updated_at": "2026-01-05T18:00:00Z",
}
VERSION: Final = {
    "code": "b7kxr2qwmt",
    "version": 1,
    "name": "Ours",
    "rules": _KNOBS,
    "created_at": "2026-01-05T18:00:00Z",
}


@extend_schema_field(openapi.ANSWER["properties"]["rules"])
class KnobsTold(serializers.DictField):
    """Every knob with its value."""


@extend_schema_field(openapi.SHEET["properties"]["rules"])
class KnobsSaid(serializers.JSONField):
    """A preset, and knobs that differ from it."""


class RulesTold(serializers.ModelSerializer[ClubRules]):
    """Rules that a club calls its own, in their newest version."""

    code = serializers.CharField(source="rules.code")
    club = serializers.SerializerMethodField(help_text="Null where a private club shares them.")
    version = serializers.IntegerField(source="rules.version")
    name = serializers.CharField(source="rules.name")
    rules = KnobsTold(source="rules.rules.to_document")

    class Meta:
        model = ClubRules
        fields = ("code", "club", "version", "name", "is_shared", "rules", "updated_at")

    def get_club(self, row: ClubRules) -> str | None:
        return row.club.slug if row.__dict__["is_viewed"] else None


class VersionTold(serializers.ModelSerializer[HouseRules]):
    """One version of house rules."""

    rules = KnobsTold(source="rules.to_document")

    class Meta:
        model = HouseRules
        fields = ("code", "version", "name", "rules", "created_at")


class RulesChanged(Input):
    """Changes to house rules: knobs that are not named stay, unless a preset is named."""

    name = serializers.CharField(max_length=80, required=False)
    rules = KnobsSaid(required=False)
    is_shared = serializers.BooleanField(
        required=False, help_text="Anyone with the link may read them, even if the club is private."
    )


class RulesSaid(Input):
    """New house rules of a club."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")
    name = serializers.CharField(max_length=80)
    rules = KnobsSaid()


class RulesFilter(filters.FilterSet):  # type: ignore[misc]
    """Filter of house rules: club."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    ordering = ordering("updated_at", name="rules__name")


@described(
    "house rules",
    RULES,
    lists=Operation("List house rules", "The rules of clubs."),
    reads=Operation("Read house rules", "Rules of a club in their newest version."),
    makes=Operation(
        "Make house rules",
        "The rules of clubs.",
        {"club": "harbour", "name": "Ours", "rules": {"preset": "standard", "columns": 3}},
    ),
    changes=Operation(
        "Make the next version of house rules",
        "Events and sheets keep the version they have.",
        {"rules": {"columns": 1}},
    ),
    deletes=Operation("Take house rules off the club's list", "Events and sheets that use them keep them."),
)
class ListedRules(Followed[ClubRules], Written[ClubRules]):
    """The house rules on the lists of clubs, in their newest version."""

    resource = "house-rules"
    serializer_class = RulesTold
    services = Services("club_rules", remove=drop_club_rules)
    made_from = RulesSaid
    changed_from = RulesChanged
    filterset_class = RulesFilter
    lookup_field = "rules__code"
    lookup_url_kwarg = "code"

    def seen(self, who: Who) -> QuerySet[ClubRules]:
        viewed = Q(club__in=clubs_where(who, Permission.VIEW).values("pk"))
        rows = ClubRules.objects.select_related("club", "rules").annotate(is_viewed=viewed).order_by("pk")
        # Whoever has the code may read the rules that a private club shares.
        return rows.filter(viewed | Q(is_shared=True)) if "code" in self.kwargs else rows.filter(viewed)

    def club_of(self, row: ClubRules) -> Club:
        return row.club

    def make(self, actor: Actor, **values: Any) -> ClubRules:
        values["rules"] = Rules.from_document(values["rules"])
        return make_club_rules(actor=actor, **values)

    def change(self, actor: Actor, row: ClubRules, **values: Any) -> None:
        if "is_shared" in values:
            share_club_rules(actor=actor, club_rules=row, is_shared=values["is_shared"])
        if {"name", "rules"} & values.keys():
            rules = _changed(row.rules.rules, values.get("rules", {}))
            name = values.get("name", row.rules.name)
            if (rules, name) != (row.rules.rules, row.rules.name):
                next_version(actor=actor, club_rules=row, name=name, rules=rules)


@described(
    "house rules",
    VERSION,
    name="house_rules_versions",
    lists=Operation("List the versions", "All versions of house rules, the newest first."),
    reads=Operation("Read a version", "A version of house rules."),
)
class Versions(Resource[HouseRules]):
    """All versions of house rules that the reader may see, the newest first."""

    serializer_class = VersionTold
    lookup_field = "version"
    lookup_value_converter = "int"

    def seen(self, who: Who) -> QuerySet[HouseRules]:
        return rules_seen(who).filter(code=self.kwargs.get("code")).order_by("-version")

    def list(self, request: Request, **kwargs: Any) -> Response:
        if not self.get_queryset().exists():
            raise Http404
        return super().list(request, **kwargs)

    def told(self, rows: Any) -> Any:
        # They belong to no club and name no persons.
        return VersionTold(rows, many=True).data


def _changed(rules: Rules, said: object) -> Rules:
    """Return the rules with the knobs in `said` changed, or those of the preset it names.

    Refuses what `Rules.from_document` refuses.
    """
    if not isinstance(said, Mapping) or "preset" in said:
        return Rules.from_document(said)
    knobs = rules.to_document()
    boxes = said.get("extra_boxes")
    if isinstance(boxes, Mapping):
        said = {**said, "extra_boxes": {**knobs["extra_boxes"], **boxes}}
    return Rules.from_document({**knobs, **said})
