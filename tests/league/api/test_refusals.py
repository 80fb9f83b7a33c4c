"""What is refused is said in a sentence that helps, and that does not repeat all that was sent."""

from typing import Any

import pytest

from league.models import Role
from tests.league.api.world import World

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["", "king", "k" * 5000])
def test_choice_is_refused_with_those_there_are(world: World, role: str) -> None:
    body = {"club": "harbour", "username": "no", "role": role}
    told = world.as_user(Role.OWNER).send("POST", "memberships/", body).json()
    assert (told["code"], told["field"]) == ("invalid_choice", "role")
    assert told["detail"] == "It is one of these: " + ", ".join(Role.values) + "."


def test_choice_of_a_setting_is_refused_with_those_there_are(world: World) -> None:
    owner = world.as_user(Role.OWNER)
    told = owner.change(f"events/{world.event.code}/", {"counts_when": "never"}).json()
    assert (told["code"], told["field"]) == ("invalid_choice", "counts_when")
    assert told["detail"].startswith("It is one of these: ")
    assert "never" not in told["detail"]


def test_list_that_is_empty_is_refused_in_a_sentence(world: World) -> None:
    owner = world.as_user(Role.OWNER)
    told = owner.send("POST", "entries/", {"event": world.event.code, "players": []}).json()
    assert (told["code"], told["field"]) == ("min_length", "players")
    assert told["detail"] == "Name one at least."


@pytest.mark.parametrize("query", [{"x" * 5000: "1"}, {"role": "y" * 5000}])
def test_what_was_sent_is_not_repeated_whole(world: World, query: dict[str, Any]) -> None:
    response = world.as_user(Role.OWNER).read("memberships/", **query)
    assert response.status_code == 422
    assert len(response.content) < 2000
