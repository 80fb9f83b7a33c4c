"""Pages of other sites read what anybody may read, and do nothing else."""

import pytest

from league.models import Role
from tests.league.api.world import ANYBODY, World

pytestmark = pytest.mark.django_db

ELSEWHERE = {"Origin": "https://club.example"}


def test_reading_is_open_to_every_origin(world: World) -> None:
    etag = ANYBODY.read("players/")["ETag"]
    for address, headers, status in (
        ("players/", ELSEWHERE, 200),
        ("players/", {**ELSEWHERE, "If-None-Match": etag}, 304),
        ("players/nobody/", ELSEWHERE, 404),
        ("nothing/", ELSEWHERE, 404),
    ):
        response = ANYBODY.read(address, headers=headers)
        assert response.status_code == status
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "ETag" in response["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in response
    assert "Access-Control-Allow-Origin" not in ANYBODY.client.get("/", headers=ELSEWHERE)


def test_browser_is_told_that_it_may_read_and_nothing_else(world: World) -> None:
    asked = {
        **ELSEWHERE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    response = ANYBODY.client.options("/api/v1/players/", headers=asked)
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "authorization" not in response["Access-Control-Allow-Headers"].lower()


def test_writing_is_open_to_no_origin(world: World) -> None:
    owner = world.as_user(Role.OWNER)
    response = owner.client.post(
        "/api/v1/players/",
        {"club": "harbour", "name": "Eve"},
        content_type="application/json",
        headers=ELSEWHERE,
    )
    assert "Access-Control-Allow-Origin" not in response
