"""The admin's site, with the most used models first in its index and side bar."""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.main import ERROR_FLAG
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

# Order of the apps, and of league's models; others follow alphabetically.
APPS: Final = ("league", "scoring", "games", "auth", "axes")
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
    "CutDecision",
    "ClubRules",
    "ImportBatch",
    "AuditEntry",
    "Club",
)

# What libraries call otherwise, by app and by model.
_TITLES: Final[Mapping[str, StrOrPromise]] = {
    "auth": gettext_lazy("Accounts"),
    "auth.Group": gettext_lazy("Groups of accounts"),
    "axes": gettext_lazy("Attempts to sign in"),
}

# Filters that Django would pass on to the database, or to `int`, which refuse them with an exception.
_UNREADABLE: Final = re.compile(r"\0|^(?!q=).*\d{20}|__(year|month|day)=.*\d{5}", re.DOTALL)


class LeagueAdminSite(AdminSite):
    """The stock admin, with models ordered by subject, and the accounts' own page for a new password."""

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """The stock one; a filter of a list that cannot be read leads to the whole list, as others do."""

        @wraps(view)
        def filtered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            said = (f"{name}={value}" for name, values in request.GET.lists() for value in values)
            match = request.resolver_match
            is_list = match is not None and (match.url_name or "").endswith("_changelist")
            if is_list and any(_UNREADABLE.search(each) for each in said):
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
            answer: HttpResponseBase = view(request, *args, **kwargs)
            return answer

        return super().admin_view(filtered, cacheable)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # Imported here, since models are not loaded when the site is made.
        from league.pages.accounts import ChangePassword

        return ChangePassword.as_view()(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["name"] = _TITLES.get(app["app_label"], app["name"])
            for model in app["models"]:
                model["name"] = _TITLES.get(f"{app['app_label']}.{model['object_name']}", model["name"])
            app["models"].sort(key=lambda model: _place(MODELS, model["object_name"]))
        return sorted(apps, key=lambda app: _place(APPS, app["app_label"]))


class LeagueAdminConfig(AdminConfig):
    """Replaces the stock site with this module's."""

    default_site = "league.admin_site.LeagueAdminSite"


def _place(order: tuple[str, ...], name: str) -> int:
    return order.index(name) if name in order else len(order)
