"""Read-only admin for bot matches: players, seed, progress and outcome."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import BotMatch
from scoring.admin import ReadOnly, time_column


@admin.register(BotMatch)
class BotMatchAdmin(ReadOnly, admin.ModelAdmin[BotMatch]):
    """All bot matches, the newest first."""

    list_display = ("__str__", "sides", "state", "played", "due", "note")
    list_filter = ("state",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("code", "sheet__label", "sheet__code", "sheet__sides__name", "said")
    fields = (
        "sheet_in_words",
        "sides",
        "state",
        "note",
        "bots_in_words",
        "seed",
        "played",
        "due",
        "begun",
        "ended",
        "last_heard",
        "attempts",
        "page",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotMatch]:
        rows = super().get_queryset(request).select_related("sheet")
        return rows.prefetch_related("sheet__sides", "sheet__seats")

    @admin.display(description=gettext_lazy("sheet"))
    def sheet_in_words(self, match: BotMatch) -> str:
        """The sheet's printed label, or its code."""
        return str(match.sheet)

    @admin.display(description=gettext_lazy("sides"))
    def sides(self, match: BotMatch) -> str:
        """The two sides, as written on the sheet."""
        return " – ".join(side.name for side in match.sheet.sides.all())

    @admin.display(description=gettext_lazy("note"), ordering="said")
    def note(self, match: BotMatch) -> str:
        """How it ended early, or why it does not continue."""
        return match.note

    @admin.display(description=gettext_lazy("bots"))
    def bots_in_words(self, match: BotMatch) -> str:
        """The bot of each seat: “Ann: expert, level 2 (400 samples)”."""
        return "; ".join(
            f"{seat.name}: {_in_words(match.bots[str(seat.number)])}"
            for seat in match.sheet.seats.all()
            if str(seat.number) in match.bots
        )

    @admin.display(description=gettext_lazy("deals played"))
    def played(self, match: BotMatch) -> int:
        """The number of deals on the sheet."""
        return match.sheet.deal_count

    due = time_column("due_at", gettext_lazy("due"), ordering="due_at")
    begun = time_column("started_at", gettext_lazy("begun"))
    ended = time_column("ended_at", gettext_lazy("ended"))
    last_heard = time_column("heartbeat", gettext_lazy("worker last heard of"))

    @admin.display(description=gettext_lazy("page"))
    def page(self, match: BotMatch) -> SafeString:
        """A link to the live page with its hands."""
        return format_html('<a href="{}">{}</a>', reverse("bot_match", args=[match.code]), match.code)


def _in_words(bot: dict[str, Any]) -> str:
    if bot["level"] is None:
        return str(bot["strategy"])
    return _("%(strategy)s, level %(level)s (%(samples)s samples)") % bot
