"""What was changed, by whom and why; to be read only."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.admin.scope import ReadOnlyAdmin, club_time
from league.models import AuditEntry
from league.policy import Permission
from league.upkeep.audit_words import action_words, fact_list


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """The club's audit, for its directors."""

    read = Permission.DIRECT
    list_display = ("when", "club", "actor_name", "what", "object_name", "reason")
    list_display_links = ("when", "what")
    list_filter = (("club", admin.RelatedOnlyFieldListFilter), "at")
    list_select_related = ("club",)
    search_fields = ("actor_name", "object_name", "action", "reason")
    fields = (
        "club",
        "when",
        "actor_name",
        "actor_kind",
        "what",
        "object_name",
        "facts_before",
        "facts_after",
        "reason",
    )

    @admin.display(description=gettext_lazy("when, by the club’s clock"), ordering="id")
    def when(self, note: AuditEntry) -> str:
        """The time, by the club's clock."""
        return club_time(note.at, note.club)

    @admin.display(description=gettext_lazy("what"), ordering="action")
    def what(self, note: AuditEntry) -> str:
        """The action in words."""
        return action_words(note.action)

    @admin.display(description=gettext_lazy("before"))
    def facts_before(self, note: AuditEntry) -> SafeString:
        """What it was."""
        return fact_list(note.before)

    @admin.display(description=gettext_lazy("after"))
    def facts_after(self, note: AuditEntry) -> SafeString:
        """What it is since."""
        return fact_list(note.after)
