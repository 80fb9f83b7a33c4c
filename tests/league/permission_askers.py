"""Who asks for statuses, and how much is drawn for them.

Whether somebody is let in is settled before a page is drawn, and drawing takes most of the time.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection
from django.template.backends.django import Template
from django.test import Client
from django.test.client import ClientHandler

from league.admin_site import LeagueAdminSite
from league.models import Role
from league.pages.printing import brackets, crosstables, house_rules, pairings, sheets, slips, standings
from league.policy import GRANTS, Permission

# What draws: where it is, its name, and what it answers that draws nothing.
_DRAWS: Final[tuple[tuple[Any, str, Any], ...]] = (
    (Template, "render", ""),
    (brackets, "bracket_pdf", b""),
    (crosstables, "crosstable_pdf", b""),
    (house_rules, "rules_pdf", b""),
    (pairings, "pairings_pdf", b""),
    (sheets, "round_sheets_pdf", b""),
    (slips, "slips_pdf", b""),
    (standings, "standings_pdf", b""),
    # What stands beside every page of the admin.
    (LeagueAdminSite, "each_context", {}),
)


def granted(permission: Permission) -> frozenset[str]:
    """Who of those with an account may do this in the club, by the one table of grants."""
    return frozenset({"administrator", *(role.value for role in Role if permission in GRANTS[role])})


class Asker(Client):
    """A client that asks for statuses: of what it is answered it keeps the cookies, and no templates.

    Those that share a `handler` share its middleware, which takes a while to make.
    """

    def __init__(self, handler: ClientHandler | None = None) -> None:
        super().__init__()
        if handler is not None:
            self.handler = handler

    def request(self, **request: Any) -> Any:
        response = self.handler(self._base_environ(**request))  # type: ignore[attr-defined]
        self.cookies.update(response.cookies)
        return response


class Drawing:
    """Pages and papers, drawn while `whole`, and empty otherwise.

    No database changes what is drawn of rows that are read, so that nothing is on another one than SQLite,
    unless `anywhere`; there every page is drawn by its own tests.
    """

    def __init__(self, patch: pytest.MonkeyPatch, *, anywhere: bool = False) -> None:
        self._draws = anywhere or connection.vendor == "sqlite"
        self.whole = True
        for place, name, nothing in _DRAWS:
            patch.setattr(place, name, self._drawn(getattr(place, name), nothing))

    def _drawn(self, whole: Callable[..., Any], nothing: Any) -> Callable[..., Any]:
        def drawn(*args: Any, **kwargs: Any) -> Any:
            return whole(*args, **kwargs) if self.whole and self._draws else nothing

        return drawn
