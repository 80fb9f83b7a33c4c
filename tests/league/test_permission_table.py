"""Every route of the URL configuration, every method, everybody who may ask: answered as the table says.

The table is in `permission_rows…`, a module for each door; a new route without a row there fails here.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Final

import pytest

from league.models import Club
from tests.league.permission_askers import Drawing
from tests.league.permission_cells import NARROW, READ, TOKENS, Row
from tests.league.permission_rows import LED_TO_SIGN_IN, PAGES, TABLE
from tests.league.permission_rows_admin import ADMIN
from tests.league.permission_rows_api import API
from tests.league.permission_world import World, make_world, routes

pytestmark = pytest.mark.dear("asks at every door as everybody")

DOORS: Mapping[str, Mapping[str, Row]] = {"pages": PAGES, "admin": ADMIN, "api": API, "table": TABLE}
# A door is asked in so many tests, each about as long as the others.
PARTS: Mapping[str, int] = {"pages": 2, "admin": 3, "api": 2, "table": 1}

# The pages know no tokens: there the mightiest asks for all of them, unless `--long` is given.
SPOKEN_FOR: Final = (TOKENS | NARROW) - {"manage token"}

# A method that a route does not know is refused before it is asked who is let through: one who is nobody, one
# who may little and the mightiest ask for all, unless `--long` is given.
ASK_IN_VAIN: Final = frozenset({"anonymous", "player", "administrator"})

# Whoever has the secret is let through, whatever cookie he has: asked by mail programs (RFC 8058).
BY_SECRET: Final = {"notices/stop/<str:secret>/"}


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch, long: bool) -> World:
    return make_world(Drawing(monkeypatch, anywhere=long))


def test_every_route_has_one_row() -> None:
    there = set(routes())
    rows = [route for table in DOORS.values() for route in table]
    assert {"without a row": there - set(rows), "gone": set(rows) - there} == {
        "without a row": set(),
        "gone": set(),
    }
    assert len(rows) == len(set(rows))


@pytest.mark.parametrize(("door", "part"), [(door, part) for door in DOORS for part in range(PARTS[door])])
def test_every_door_answers_as_the_table_says(door: str, part: int, world: World, *, long: bool) -> None:
    silent = frozenset() if long or door == "api" else SPOKEN_FOR
    wrong = []
    for route, row in islice(DOORS[door].items(), part, None, PARTS[door]):
        address = world.place(route, row.names)
        for method in row.methods:
            expected = row.cell(method)
            is_known = long or method in row.cells
            for actor in row.asked_by:
                if actor in silent or not (is_known or actor in ASK_IN_VAIN):
                    continue
                status = world.ask(actor, method, address, row.body(world.values))
                if status != expected[actor]:
                    wrong.append(f"{method} {route} as {actor}: {status}, not {expected[actor]}")
    assert not wrong, "\n".join(wrong)


def test_what_members_read_of_a_private_club_anybody_reads_of_a_public_one(world: World) -> None:
    Club.objects.filter(pk=world.club.pk).update(is_public=True)
    wrong = []
    for route, row in PAGES.items():
        if row.cells.get("GET") != READ:
            continue
        address = world.place(route, row.names)
        for actor in ("anonymous", "stranger"):
            status = world.ask(actor, "GET", address)
            if status != (302 if actor == "anonymous" and route in LED_TO_SIGN_IN else 200):
                wrong.append(f"{route} as {actor}: {status}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.looks
def test_no_form_is_taken_from_another_site(world: World) -> None:
    """Whoever is let through by his cookie alone is refused without the token of the form."""
    wrong = []
    for door in ("pages", "admin", "table"):
        for route, row in DOORS[door].items():
            if "POST" not in row.methods or route in BY_SECRET:
                continue
            address = world.place(route, row.names)
            for actor in ("administrator", "owner", "player", "table link"):
                client = world.clients[actor]
                client.handler.enforce_csrf_checks = True
                status = world.ask(actor, "POST", address)
                if status != 403:
                    wrong.append(f"{route} as {actor}: {status}")
    assert not wrong, "\n".join(wrong)
