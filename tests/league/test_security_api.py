"""A session writes by the API with the token of a page alone; a program, which has no cookie, needs none."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from tests.kept import contents
from tests.league.permission_rows_api import API
from tests.league.permission_world import World, make_world

pytestmark = pytest.mark.django_db

# Nobody's: what is sent is answered, and nothing kept.
STATELESS = ("api/v1/score/", "api/v1/judge/")
PEOPLE = ("administrator", "owner", "scorekeeper", "player")


@pytest.fixture
def world() -> World:
    """The world of the permission table, in which forms of other sites are refused as they are outside."""
    world = make_world()
    for client in world.clients.values():
        client.handler.enforce_csrf_checks = True
    return world


def writes(world: World) -> Iterator[tuple[str, str, str, Any]]:
    """Every way of writing: its route, its method, its address in the world and what is sent."""
    for route, row in API.items():
        for method in row.cells:
            if method != "GET" and route not in STATELESS:
                yield route, method, world.place(route, row.names), row.body(world.values)


def test_no_session_writes_without_the_token_of_a_page(world: World) -> None:
    before = contents()
    wrong = []
    ways = list(writes(world))
    for route, method, address, body in ways:
        for actor in PEOPLE:
            cache.clear()
            answer = world.clients[actor].generic(
                method,
                address,
                json.dumps(body),
                content_type="application/json",
                headers={"If-Match": "*", "Idempotency-Key": "once"},
            )
            told = answer.headers["Content-Type"], answer.status_code
            if told != ("application/problem+json", 403) or b"CSRF" not in answer.content:
                wrong.append(f"{method} {route} as {actor}: {told}")
    assert not wrong, "\n".join(wrong)
    assert len(ways) > 30
    assert contents() == before


@pytest.mark.dear("hashes passwords as a site does")
@pytest.mark.parametrize("actor", ["owner", "manage token"])
def test_who_sends_the_token_or_is_a_program_is_not_refused_for_it(world: World, actor: str) -> None:
    """Every way of writing is answered as where nobody looks at the token of a page."""
    client = world.clients[actor]
    if actor == "owner":
        client.get("/account/")
        client.defaults["HTTP_X_CSRFTOKEN"] = client.cookies["csrftoken"].value
    wrong, written = [], 0
    for route, method, address, body in writes(world):
        statuses = []
        for checked in (True, False):
            client.handler.enforce_csrf_checks = checked
            statuses.append(world.ask(actor, method, address, body))
        if len(set(statuses)) > 1:
            wrong.append(f"{method} {route}: {statuses}")
        written += statuses[0] in (200, 201, 204)
    assert not wrong, "\n".join(wrong)
    assert written > 20


def test_a_made_up_token_is_none(world: World) -> None:
    client = world.clients["owner"]
    client.get("/account/")
    own = client.cookies["csrftoken"].value
    before = contents()
    for sent in ("", "x" * len(own), own[::-1], own[:-1]):
        answer = client.post(
            "/api/v1/players/",
            {"club": world.club.slug, "name": "Eve"},
            content_type="application/json",
            headers={"X-CSRFToken": sent},
        )
        assert answer.status_code == 403, sent
    # Nor does it help that the form is sent from elsewhere with the token.
    answer = client.post(
        "/api/v1/players/",
        {"club": world.club.slug, "name": "Eve"},
        content_type="application/json",
        headers={"X-CSRFToken": own, "Origin": "https://evil.example"},
    )
    assert answer.status_code == 403
    assert contents() == before
