"""The club's audit log, read-only."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.admin.scope import ReadOnlyAdmin, club_time
from league.models import AuditEntry
from league.policy import Permission
from league.policy.naming import Names
from league.upkeep.audit_lists import object_key
from league.upkeep.audit_words import action_words, fact_list


class _Lines(ChangeList):
    """A change list that looks up the names of a page's people once per club."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        clubs: dict[int | None, Names] = {}
        notes: list[AuditEntry] = list(self.result_list)
        for note in notes:
            note.names = clubs.setdefault(note.club_id, Names(note.club_id, covered=False))  # type: ignore[attr-defined]
        for club, names in clubs.items():
            names.learn(object_key(note) for note in notes if note.club_id == club)
        self.result_list = notes


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """The club's audit, for its directors."""

    read = Permission.DIRECT
    list_display = ("when", "club", "author", "what", "object_shown", "reason")
    list_display_links = ("when", "what")
    list_filter = (("club", admin.RelatedOnlyFieldListFilter), "at")
    list_select_related = ("club",)
    search_fields = ("actor_name", "object_name", "action", "reason")
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

    @admin.display(description=gettext_lazy("who"), ordering="actor_name")
    def author(self, note: AuditEntry) -> str:
        """The author's current name."""
        return _names(note).author(note)

    @admin.display(description=gettext_lazy("of what"), ordering="object_name")
    def object_shown(self, note: AuditEntry) -> str:
        """The current name of the changed object."""
        return _names(note).person(object_key(note), note.object_name)

    @admin.display(description=gettext_lazy("before"))
    def facts_before(self, note: AuditEntry) -> SafeString:
        """The values before the change."""
        return fact_list(note.before, _names(note))

    @admin.display(description=gettext_lazy("after"))
    def facts_after(self, note: AuditEntry) -> SafeString:
        """The values after the change."""
        return fact_list(note.after, _names(note))


def _names(note: AuditEntry) -> Names:
    """The names loaded for the whole list; on a single entry's page, loaded for it alone."""
    found: Names | None = note.__dict__.get("names")
    return found or Names(note.club_id, covered=False)
