"""Score sheets and house rules in the admin, with what `scoring` does not know: their club."""

import datetime
import zoneinfo
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from league.admin.scope import NewestFilter, ReadOnlyAdmin, signed_in
from league.models import ClubRules, Event
from league.policy import sheets_seen
from scoring.admin import HouseRulesAdmin, ScoresheetAdmin
from scoring.models import HouseRules, Scoresheet

admin.site.unregister([HouseRules, Scoresheet])


@admin.register(HouseRules)
class ClubHouseRulesAdmin(HouseRulesAdmin):
    """All house rules, each by the clock of a club that lists or plays them."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[HouseRules]:
        listed = ClubRules.objects.filter(rules__code=OuterRef("code")).order_by("pk")
        played = Event.objects.filter(rules__code=OuterRef("code")).order_by("pk")
        zones = (Subquery(rows.values("club__time_zone")[:1]) for rows in (listed, played))
        return super().get_queryset(request).annotate(zone_name=Coalesce(*zones))

    def zone_of(self, row: Any) -> datetime.tzinfo:
        return zoneinfo.ZoneInfo(row.zone_name) if row.zone_name else super().zone_of(row)


@admin.register(Scoresheet)
class ClubScoresheetAdmin(ReadOnlyAdmin[Scoresheet], ScoresheetAdmin):
    """The admin of `scoring`, with each sheet's event."""

    list_select_related = ("match__event__club", "former__event", "former__club", "exhibition__club", "rules")
    change_form_template = "admin/scoring/scoresheet.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scoresheet]:
        return sheets_seen(signed_in(request), super().get_queryset(request))

    def get_list_display(self, request: HttpRequest) -> Any:
        return ("__str__", "event", "sides_in_words", "status", "deal_count", "result", "paper_state")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return [("match__event", NewestFilter), "status", "paper_state"]

    @admin.display(description="event")
    def event(self, sheet: Scoresheet) -> str:
        """The event the sheet belongs to, or belonged to before it was replaced."""
        event = getattr(getattr(sheet, "match", None) or getattr(sheet, "former", None), "event", None)
        return "" if event is None else str(event)

    def zone_of(self, row: Any) -> datetime.tzinfo:
        match = getattr(row, "match", None)
        other = getattr(row, "former", None) or getattr(row, "exhibition", None)
        club = match.event.club if match else other.club if other else None
        return club.zone if club else super().zone_of(row)
