"""House rules, which are never changed: a change makes their next version."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import changes, deletes, lists, makes, tells
from league.api.asking import actor_for
from league.api.fields import OneOf, ordering
from league.api.resources import Followed, Input, Resource, Rows
from league.events.house_rules import drop_club_rules, make_club_rules, next_version, share_club_rules
from league.models import Club, ClubRules
from league.policy import Permission, Who, clubs_where, rules_seen
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
    rules = KnobsTold(source="rules.knobs")

    class Meta:
        model = ClubRules
        fields = ("code", "club", "version", "name", "is_shared", "rules", "updated_at")

    def get_club(self, row: ClubRules) -> str | None:
        return row.club.slug if row.__dict__["is_viewed"] else None


class VersionTold(serializers.ModelSerializer[HouseRules]):
    """One version of house rules."""

    rules = KnobsTold(source="knobs")

    class Meta:
        model = HouseRules
        fields = ("code", "version", "name", "rules", "created_at")


class RulesChanged(Input):
    """What of house rules changes: knobs that are not named stay, unless a preset is."""

    name = serializers.CharField(max_length=80, required=False)
    rules = KnobsSaid(required=False)
    is_shared = serializers.BooleanField(
        required=False, help_text="Whoever has the link may read them, though the club is private."
    )


class RulesSaid(Input):
    """New house rules of a club."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")
    name = serializers.CharField(max_length=80)
    rules = KnobsSaid()


class RulesFilter(filters.FilterSet):  # type: ignore[misc]
    """House rules by club."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    ordering = ordering("updated_at", name="rules__name")


class _OfRules(Resource[ClubRules]):
    """The rules on the lists of clubs."""

    serializer_class = RulesTold
    lookup_field = "rules__code"
    lookup_url_kwarg = "code"

    def seen(self, who: Who) -> QuerySet[ClubRules]:
        viewed = Q(club__in=clubs_where(who, Permission.VIEW).values("pk"))
        rows = ClubRules.objects.select_related("club", "rules").annotate(is_viewed=viewed).order_by("pk")
        # Those that a private club shares are for whoever has their code.
        return rows.filter(viewed | Q(is_shared=True)) if "code" in self.kwargs else rows.filter(viewed)

    def club_of(self, row: ClubRules) -> Club:
        return row.club


class ListedRules(_OfRules, Followed[ClubRules]):
    """The rules of clubs."""

    resource = "house-rules"
    filterset_class = RulesFilter

    @lists("house rules", "house_rules_list", "List house rules", RulesTold, RULES)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "house rules",
        "house_rules_create",
        "Make house rules",
        RulesSaid,
        RulesTold,
        RULES,
        {"club": "harbour", "name": "Ours", "rules": {"preset": "standard", "columns": 3}},
    )
    def post(self, request: Request) -> Response:
        said = self.said(RulesSaid)
        own = make_club_rules(
            actor=actor_for(request),
            club=said["club"],
            name=said["name"],
            rules=Rules.from_document(said["rules"]),
        )
        return self.answer_new(own, reverse("api-rules", args=[own.rules.code]))


class OneRules(_OfRules):
    """Rules of a club in their newest version."""

    @tells("house rules", "house_rules_read", "Read house rules", RulesTold, RULES)
    def get(self, request: Request, code: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "house rules",
        "house_rules_change",
        "Make the next version of house rules",
        RulesChanged,
        RulesTold,
        RULES,
        {"rules": {"columns": 1}},
        "Events and sheets keep the version they have.",
    )
    def patch(self, request: Request, code: str) -> Response:
        with self.changing() as own:
            said = self.said(RulesChanged, partial=True)
            actor = actor_for(request)
            if "is_shared" in said:
                share_club_rules(actor=actor, club_rules=own, is_shared=said["is_shared"])
            if {"name", "rules"} & said.keys():
                rules = _changed(own.rules.rules, said.get("rules", {}))
                name = said.get("name", own.rules.name)
                if (rules, name) != (own.rules.rules, own.rules.name):
                    next_version(actor=actor, club_rules=own, name=name, rules=rules)
        return self.answer_again(own)

    @deletes(
        "house rules",
        "house_rules_delete",
        "Take house rules off the club's list",
        "Events and sheets that go by them keep them.",
    )
    def delete(self, request: Request, code: str) -> Response:
        with self.changing() as own:
            drop_club_rules(actor=actor_for(request), club_rules=own)
        return Response(status=204)


class _OfVersions(Resource[HouseRules]):
    """The versions of house rules that may be read."""

    serializer_class = VersionTold
    lookup_field = "version"

    def seen(self, who: Who) -> QuerySet[HouseRules]:
        return rules_seen(who).filter(code=self.kwargs.get("code")).order_by("-version")

    def told(self, rows: Any) -> Any:
        # They are of no club, and no person is named in them.
        return VersionTold(rows, many=True).data


class Versions(_OfVersions, Rows[HouseRules]):
    """All versions of house rules, the newest first."""

    @lists("house rules", "house_rules_versions_list", "List the versions", VersionTold, VERSION)
    def get(self, request: Request, **kwargs: Any) -> Response:
        if not self.get_queryset().exists():
            raise Http404
        return super().get(request, **kwargs)


class OneVersion(_OfVersions):
    """A version of house rules."""

    @tells("house rules", "house_rules_versions_read", "Read a version", VersionTold, VERSION)
    def get(self, request: Request, code: str, version: int) -> Response:
        return self.answer(self.get_object())


def _changed(rules: Rules, said: object) -> Rules:
    """The rules with what is said of them; refuses what `Rules` does."""
    if not isinstance(said, Mapping) or "preset" in said:
        return Rules.from_document(said)
    knobs = rules.to_document()
    boxes = said.get("extra_boxes")
    if isinstance(boxes, Mapping):
        said = {**said, "extra_boxes": {**knobs["extra_boxes"], **boxes}}
    return Rules.from_document({**knobs, **said})
