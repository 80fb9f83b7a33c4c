"""The admin's site: a workplace as its first page, and its lists by what one does with them."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

# The lists by what one does with them. `SITE` is for who looks after the whole site.
SITE: Final = "site"
GROUPS: Final[Sequence[tuple[str, StrOrPromise, Sequence[str]]]] = (
    (
        "events",
        gettext_lazy("Events"),
        (
            "league.Event",
            "league.Entry",
            "league.Round",
            "league.Match",
            "scoring.Scoresheet",
            "league.EntryRequest",
            "league.Season",
            "league.SeasonTable",
            "league.Pyramid",
            "league.BotSchedule",
        ),
    ),
    ("members", gettext_lazy("Members"), ("league.Player", "league.Club")),
    ("rules", gettext_lazy("House rules"), ("league.ClubRules",)),
    ("files", gettext_lazy("Files"), ("league.ImportBatch",)),
    (
        SITE,
        gettext_lazy("Site"),
        (
            "auth.User",
            "auth.Group",
            "axes.AccessAttempt",
            "axes.AccessFailureLog",
            "axes.AccessLog",
            "league.AuditEntry",
            "scoring.HouseRules",
            "games.BotMatch",
        ),
    ),
)
# What is reached from the row that it belongs to, and is in no list of lists.
UNLISTED: Final = frozenset(
    {"league.Tie", "league.ForbiddenPair", "league.Adjustment", "league.CutDecision", "league.Exhibition"}
)

# What libraries call otherwise, by app and by model.
_TITLES: Final[Mapping[str, StrOrPromise]] = {
    "auth": gettext_lazy("Accounts"),
    "auth.User": gettext_lazy("Accounts"),
    "auth.Group": gettext_lazy("Groups of accounts"),
    "axes": gettext_lazy("Attempts to sign in"),
    "scoring.HouseRules": gettext_lazy("House rules, every version"),
}

# Filters that Django would pass on to the database, or to `int`, which refuse them with an exception.
_UNREADABLE: Final = re.compile(r"\0|^(?!q=).*\d{20}|__(year|month|day)=.*\d{5}", re.DOTALL)


class LeagueAdminSite(AdminSite):
    """The stock admin with a workplace as its index, and the accounts' own page for a new password."""

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

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Lead to the site's own form, and back; whoever is signed in and no officer is told so (403)."""
        # Imported here, since models are not loaded when the site is made.
        from django.contrib.auth.views import redirect_to_login

        after = request.GET.get(REDIRECT_FIELD_NAME, "")
        if not url_has_allowed_host_and_scheme(after, {request.get_host()}, request.is_secure()):
            after = reverse("admin:index", current_app=self.name)
        if self.has_permission(request):
            return HttpResponseRedirect(after)
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(after)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        # Imported here, since models are not loaded when the site is made.
        from league.pages.accounts import ChangePassword

        return ChangePassword.as_view()(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The lists by what one does with them (`GROUPS`); asked for one app, all of its lists."""
        apps = super().get_app_list(request, app_label)
        found = {}
        for app in apps:
            app["name"] = _TITLES.get(app["app_label"], app["name"])
            for model in app["models"]:
                label = f"{app['app_label']}.{model['object_name']}"
                model["name"] = _TITLES.get(label, model["name"])
                found[label] = model
        if app_label is not None:
            return apps
        index = reverse("admin:index", current_app=self.name)
        groups = []
        for name, title, labels in GROUPS:
            models = [found[label] for label in labels if label in found]
            if models and (name != SITE or request.user.is_superuser):
                groups.append(
                    {
                        "name": title,
                        "app_label": name,
                        "app_url": f"{index}#{name}",
                        "has_module_perms": True,
                        "models": models,
                    }
                )
        return groups

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The workplace (`league.admin.workplace`)."""
        from league.admin.workplace import workplace

        return super().index(request, {**workplace(request), **(extra_context or {})})


class LeagueAdminConfig(AdminConfig):
    """Replaces the stock site with this module's."""

    default_site = "league.admin_site.LeagueAdminSite"
