"""The admin's site, with the most used models first in its index and side bar."""

from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest

# Order of the apps, and of league's models; others follow alphabetically.
APPS: Final = ("league", "scoring", "games", "auth")
MODELS: Final = (
    "Event",
    "Entry",
    "Round",
    "Match",
    "Tie",
    "Player",
    "Season",
    "SeasonTable",
    "Pyramid",
    "BotSchedule",
    "Exhibition",
    "ForbiddenPair",
    "Adjustment",
    "ClubRules",
    "ImportBatch",
    "AuditEntry",
    "Club",
)


class LeagueAdminSite(AdminSite):
    """The stock admin, with models ordered by subject, and the accounts' own page for a new password."""

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # Imported here, since models are not loaded when the site is made.
        from league.pages.accounts import ChangePassword

        return ChangePassword.as_view()(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["models"].sort(key=lambda model: _place(MODELS, model["object_name"]))
        return sorted(apps, key=lambda app: _place(APPS, app["app_label"]))


class LeagueAdminConfig(AdminConfig):
    """Replaces the stock site with this module's."""

    default_site = "league.admin_site.LeagueAdminSite"


def _place(order: tuple[str, ...], name: str) -> int:
    return order.index(name) if name in order else len(order)
