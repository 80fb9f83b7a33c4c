"""Score sheets in the admin, for the officers of the club whose match they are."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from league.admin.scope import ReadOnlyAdmin
from scoring.admin import ScoresheetAdmin
from scoring.models import Scoresheet

admin.site.unregister(Scoresheet)


@admin.register(Scoresheet)
class ClubScoresheetAdmin(ReadOnlyAdmin[Scoresheet], ScoresheetAdmin):
    """The pages of `scoring`, with each sheet's event."""

    list_select_related = ("match__event", "rules")
    change_form_template = "admin/scoring/scoresheet.html"

    def get_list_display(self, request: HttpRequest) -> Any:
        return ("__str__", "event", "sides_in_words", "status", "deal_count", "net", "paper_state")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return [("match__event", admin.RelatedOnlyFieldListFilter), "status", "paper_state"]

    @admin.display(description="event")
    def event(self, sheet: Scoresheet) -> str:
        """The event the sheet belongs to; a voided sheet that was replaced belongs to none any more."""
        match = getattr(sheet, "match", None)
        return "" if match is None else str(match.event)
