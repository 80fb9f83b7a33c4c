"""Whatever people are called, it stands on every page as text: no name is a script, an image or a style."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
from django.apps import apps
from django.db.models import CharField, TextField
from django.urls import reverse
from playwright.sync_api import Dialog, Page

from league.models import Club
from tests.league.permission_cells import READ
from tests.league.permission_rows import PAGES
from tests.league.permission_rows_admin import ADMIN
from tests.league.permission_world import World, make_world

pytestmark = pytest.mark.looks

# Ends a text, an attribute of either kind, a script and a comment; short enough for the shortest of names.
HOSTILE = "'\"><img src=x onerror=x>{{7*7}}"
# Where somebody may write what he likes, and what is printed of it somewhere.
FIELDS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "league": {
        "Club": ("name",),
        "Season": ("name",),
        "Event": ("name",),
        "Player": ("name", "nickname", "member_number", "external_id"),
        "Entry": ("name",),
        "Pyramid": ("name",),
        "SeasonTable": ("name",),
        "BotSchedule": ("name",),
        "Adjustment": ("reason", "actor_name"),
        "AuditEntry": ("object_name", "actor_name"),
        "ImportBatch": ("file_name", "event_name"),
        "Match": ("label",),
        "ApiToken": ("name",),
        "Invitation": ("email",),
    },
    "scoring": {
        "HouseRules": ("name",),
        "Side": ("name",),
        "Seat": ("name",),
        "SheetAct": ("reason", "actor_name"),
        "Scoresheet": ("label",),
    },
    "auth": {"User": ("first_name", "last_name")},
}


def call_everything_so() -> None:
    """Every text that people choose is hostile, as far as it must not be another one; a number follows it."""
    for app, models in FIELDS.items():
        for name, fields in models.items():
            model = apps.get_model(app, name)
            for number, pk in enumerate(model._default_manager.values_list("pk", flat=True).order_by("pk")):
                values = {}
                for field in fields:
                    found = model._meta.get_field(field)
                    assert isinstance(found, CharField | TextField)
                    length = found.max_length or 80
                    values[field] = f"{number}{HOSTILE}"[:length]
                model._default_manager.filter(pk=pk).update(**values)


def pages_of(world: World) -> list[str]:
    """The pages that members read, the officers', and the lists and forms of the admin."""
    read = [
        world.place(route, row.names)
        for route, row in PAGES.items()
        if row.cells.get("GET") == READ and not route.endswith((".pdf", ".svg", ".ics", ".atom"))
    ]
    officers = [
        world.place(f"clubs/<slug:club>/{page}", {})
        for page in ("audit/", "people/", "rules/new/", "events/<slug:event>/rounds/<int:number>/board/")
    ]
    admin = [
        world.place(route, row.names)
        for route, row in ADMIN.items()
        if "/league/" in route and (route.endswith("/change/") or route.count("/") == 3)
    ]
    return [*read, *officers, *admin, reverse("account"), reverse("tokens"), reverse("home")]


def test_a_hostile_name_is_text_on_every_page(page: Page, live_server: Any, transactional_db: None) -> None:
    world = make_world()
    call_everything_so()
    Club.objects.update(is_public=True)
    session = world.clients["administrator"].cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    done: list[str] = []

    def note(dialog: Dialog) -> None:
        done.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    page.expose_function("reportViolation", lambda what: done.append(what))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
    )
    seen = 0
    for where in pages_of(world):
        answer = page.goto(f"{live_server.url}{where}", wait_until="domcontentloaded")
        assert answer is not None
        assert answer.status == 200, where
        assert page.locator("img[src=x], [onerror]").count() == 0, where
        seen += HOSTILE in page.locator("body").inner_text()
        assert done == [], where
    # Most pages print some name; where none did, nothing was tested.
    assert seen > 30
