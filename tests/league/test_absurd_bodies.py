"""No body of a request is a fault of ours: whatever stands in any field, it is refused or taken."""

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.core.cache import cache

from tests.league.permission_rows_api import API
from tests.league.permission_world import World, make_world

pytestmark = pytest.mark.django_db

# As text, since some of them are no JSON or nothing that Python would write.
ABSURD: Final = (
    r'"\ud800"',
    r'"\u0007\u202e"',
    "1e999",
    "9" * 400,
    "null",
    '[{"": []}]',
    '"' + "x" * 5000 + '"',
)


@pytest.fixture
def world() -> World:
    return make_world()


def _replaced(body: Any, path: tuple[Any, ...] = ()) -> Iterator[Any]:
    """The body with one thing in it replaced by `…`, for each thing in it."""
    yield "…"
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, inner in items:
        for changed in _replaced(inner):
            copy = dict(body) if isinstance(body, dict) else list(body)
            copy[name] = changed
            yield copy
    if isinstance(body, dict):
        yield {**body, "external_id": "…"}


@pytest.mark.dear("asks every route that writes with every absurd value in every field")
def test_nothing_in_a_body_is_a_fault_of_ours(world: World) -> None:
    client = world.clients["manage token"]
    client.raise_request_exception = False
    wrong = []
    for route, row in API.items():
        for method in row.cells:
            if method == "GET":
                continue
            address = world.place(route, row.names)
            for body in _replaced(row.body(world.values)):
                text = json.dumps(body)
                for absurd in ABSURD:
                    cache.clear()
                    sent = text.replace('"\\u2026"', absurd)
                    answer = client.generic(
                        method, address, sent, content_type="application/json", headers={"If-Match": "*"}
                    )
                    if answer.status_code >= 500:
                        wrong.append(f"{method} {route} {sent[:200]}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)
