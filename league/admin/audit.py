"""The club's audit log, read-only."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.admin.names import AuthoredRows, ShowsAuthor, names_for
from league.admin.scope import ClubFilter, ReadOnlyAdmin, club_time
from league.models import AuditEntry
from league.policy import Permission
from league.policy.authors import OF_ROW, authored_by
from league.policy.naming import Names
from league.record.audit_words import action_words, fact_list
from league.upkeep.audit_lists import object_key


class _Lines(AuthoredRows):
    """A change list that looks up the changed objects too, once per club."""

    def learn(self, names: Names, rows: Sequence[Any]) -> None:
        super().learn(names, rows)
        names.learn(map(object_key, rows))


@admin.register(AuditEntry)
class AuditEntryAdmin(ShowsAuthor, ReadOnlyAdmin[AuditEntry]):
    """The club's audit, for its directors."""

    read = Permission.DIRECT
    list_display = ("when", "club", "author", "what", "object_shown", "reason")
    list_display_links = ("when", "what")
    list_filter = (("club", ClubFilter), "at")
    list_select_related = ("club",)
    search_fields = ("object_name", "action", "reason")
    fields = (
        "club",
        "when",
        "author",
        "actor_kind",
        "what",
        "object_shown",
        "facts_before",
        "facts_after",
        "reason",
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        return found | queryset.filter(authored_by(search_term, OF_ROW)), may_repeat

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _Lines

    @admin.display(description=gettext_lazy("when, by the club’s clock"), ordering="id")
    def when(self, note: AuditEntry) -> str:
        """The time, by the club's clock."""
        return club_time(note.at, note.club)

    @admin.display(description=gettext_lazy("what"), ordering="action")
    def what(self, note: AuditEntry) -> str:
        """The action in words."""
        return action_words(note.action)

    @admin.display(description=gettext_lazy("of what"), ordering="object_name")
    def object_shown(self, note: AuditEntry) -> str:
        """The current name of the changed object."""
        return names_for(note).person(object_key(note), note.object_name)

    @admin.display(description=gettext_lazy("before"))
    def facts_before(self, note: AuditEntry) -> SafeString:
        """The values before the change."""
        return fact_list(note.object_type, note.before, names_for(note))

    @admin.display(description=gettext_lazy("after"))
    def facts_after(self, note: AuditEntry) -> SafeString:
        """The values after the change."""
        return fact_list(note.object_type, note.after, names_for(note))
