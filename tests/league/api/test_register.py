"""A club's own register writes its people by the ids that it has for them."""

import errno
from typing import Any

import pytest
from django.db.models.signals import pre_save

from league.models import Player, Role, ShownAs, TokenScope
from league.people.players import merge_players
from tests.factories import OPERATOR, PlayerFactory
from tests.kept import contents
from tests.league.api.world import ANYBODY, Asking, World

pytestmark = pytest.mark.django_db

REGISTER = "clubs/harbour/register/"


@pytest.fixture
def manager(world: World) -> Asking:
    return world.program(TokenScope.MANAGE, role=Role.DIRECTOR)


def test_person_is_made_and_changed_by_the_registers_id(world: World, manager: Asking) -> None:
    made = manager.send("PUT", f"{REGISTER}2093/", {"name": "Eve Lund", "member_number": "5"})
    assert (made.status_code, made.json()["external_id"]) == (201, "2093")
    same = manager.send("PUT", f"{REGISTER}2093/", {"name": "Eve Lund", "member_number": "5"})
    assert (same.status_code, same.json()) == (200, made.json())
    renamed = manager.send("PUT", f"{REGISTER}2093/", {"name": "Eve Berg", "shown_as": "initials"})
    assert (renamed.status_code, renamed.json()["code"]) == (200, made.json()["code"])
    player = Player.objects.get(external_id="2093")
    assert (player.name, player.member_number, player.shown_as) == ("Eve Berg", "5", ShownAs.INITIALS)
    assert manager.get(f"{REGISTER}2093/") == renamed.json()
    assert manager.read(f"{REGISTER}2094/").status_code == 404


@pytest.mark.parametrize("said", ["77", "78", None])
def test_id_is_said_in_the_address_alone(world: World, manager: Asking, said: str | None) -> None:
    before = contents()
    response = manager.send("PUT", f"{REGISTER}77/", {"name": "Eve", "external_id": said})
    assert (response.status_code, response.json()["code"]) == (422, "unknown_field")
    assert {**contents(), "ApiToken": []} == {**before, "ApiToken": []}


@pytest.mark.parametrize("field", ["name", "member_number", "nickname", "external_id"])
@pytest.mark.parametrize("text", ["Eve\u202e", "Eve\u200b", "Eve\x07", "\u3164"])
def test_nobody_is_called_what_cannot_be_seen(world: World, manager: Asking, field: str, text: str) -> None:
    before = contents()
    for address in ("players/", REGISTER):
        person = {"external_id": "1", "name": "Eve", field: text}
        body = {"club": "harbour", **person} if address == "players/" else {"players": [person]}
        response = manager.send("POST", address, body)
        problem = response.json() if address == "players/" else response.json()["outcomes"][0]["problem"]
        told = (problem["status"], problem["code"], problem["field"])
        assert told in [(422, "invalid", field)], address
    assert {**contents(), "ApiToken": []} == {**before, "ApiToken": []}


def test_version_is_asked_for_where_it_is_named(world: World, manager: Asking) -> None:
    etag = manager.send("PUT", f"{REGISTER}2093/", {"name": "Eve"})["ETag"]
    assert manager.send("PUT", f"{REGISTER}2093/", {"name": "Eva"}, etag=etag).status_code == 200
    assert manager.send("PUT", f"{REGISTER}2093/", {"name": "Evi"}, etag=etag).status_code == 412
    assert Player.objects.get(external_id="2093").name == "Eva"
    # Who has read somebody does not make him anew once he is gone.
    for known in (etag, "*"):
        refused = manager.send("PUT", f"{REGISTER}2094/", {"name": "Fay"}, etag=known)
        assert (refused.status_code, refused.json()["code"]) == (412, "stale_version")
    assert not Player.objects.filter(external_id="2094").exists()


def test_each_of_a_batch_has_its_own_outcome(world: World, manager: Asking) -> None:
    people: list[Any] = [
        {"external_id": "1", "name": "Eve"},
        {"external_id": "2", "name": "Ann"},
        {"external_id": "1", "name": "Eva"},
        {"external_id": "3"},
        {"external_id": "4", "name": "Fay", "nick": "F"},
        {"external_id": "5", "name": "Gus", "shown_as": "nickname"},
        "nobody",
        {"external_id": "6", "name": "Hal"},
    ]
    outcomes = manager.send("POST", REGISTER, {"players": people}).json()["outcomes"]
    told = [(row["external_id"], row["status"], row.get("problem", {}).get("code")) for row in outcomes]
    assert told == [
        ("1", 201, None),
        ("2", 422, "name_taken"),
        ("1", 200, None),
        ("3", 422, "invalid"),
        ("4", 422, "unknown_field"),
        ("5", 422, "invalid"),
        (None, 422, "invalid"),
        ("6", 201, None),
    ]
    assert outcomes[0]["code"] == outcomes[2]["code"] == Player.objects.get(name="Eva").code
    # Refused as a whole, with what its first half would have written.
    assert not Player.objects.filter(name="Gus").exists()


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [
        (RuntimeError("not thought of"), [201, 500, 201]),
        (OSError(errno.ENOSPC, "disk full"), [201, 503, 503]),
    ],
)
def test_batch_that_stops_in_the_middle_tells_what_was_written(
    world: World, manager: Asking, fault: Exception, statuses: list[int]
) -> None:
    def fail(instance: Player, **told: Any) -> None:
        if instance.name == "Fay":
            raise fault

    people = [{"external_id": name, "name": name} for name in ("Eve", "Fay", "Gus")]
    pre_save.connect(fail, sender=Player)
    try:
        response = manager.send("POST", REGISTER, {"players": people})
    finally:
        pre_save.disconnect(fail, sender=Player)
    assert response.status_code == 200
    outcomes = response.json()["outcomes"]
    assert [(one["external_id"], one["status"]) for one in outcomes] == [
        (name, status) for name, status in zip(("Eve", "Fay", "Gus"), statuses, strict=True)
    ]
    written = Player.objects.filter(name__in=["Eve", "Fay", "Gus"])
    assert written.count() == sum(status < 300 for status in statuses)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"players": []}, "min_length"),
        ({"players": [{"external_id": "1", "name": "Eve"}] * 201}, "max_length"),
        ({"players": {"1": "Eve"}}, "not_a_list"),
        ({}, "required"),
        ({"people": []}, "unknown_field"),
    ],
)
def test_batch_that_is_none_is_refused_whole(world: World, manager: Asking, body: Any, code: str) -> None:
    before = contents()
    response = manager.send("POST", REGISTER, body)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert {**contents(), "ApiToken": []} == {**before, "ApiToken": []}


def test_whoever_was_merged_is_written_as_who_he_is(world: World, manager: Asking) -> None:
    manager.send("PUT", f"{REGISTER}1/", {"name": "Eve"})
    manager.send("PUT", f"{REGISTER}2/", {"name": "Eva"})
    eve, eva = Player.objects.get(name="Eve"), Player.objects.get(name="Eva")
    merge_players(actor=OPERATOR, keep=eve, drop=eva)
    response = manager.send("PUT", f"{REGISTER}2/", {"member_number": "8"})
    assert (response.status_code, response.json()["code"]) == (200, eve.code)
    other = PlayerFactory.create(club=world.club, name="Evi", member_number=None)
    merge_players(actor=OPERATOR, keep=other, drop=Player.objects.get(pk=eve.pk))
    assert Player.objects.get(pk=other.pk).external_id == "1"


def test_register_is_the_directors_alone(world: World) -> None:
    for asking, status in (
        (ANYBODY, 401),
        (world.as_user(Role.SCOREKEEPER), 403),
        (world.program(TokenScope.RECORD), 403),
    ):
        assert asking.send("PUT", f"{REGISTER}1/", {"name": "Eve"}).status_code == status
        assert asking.send("POST", REGISTER, {"players": [{}]}).status_code == status
    assert world.as_user(Role.MEMBER).read(f"{REGISTER}1/").status_code == 403
    assert world.as_user(Role.OWNER).send("PUT", "clubs/none/register/1/", {}).status_code == 404


@pytest.mark.postgresql
def test_id_of_who_was_merged_is_that_of_whoever_was_given_it_since(world: World, manager: Asking) -> None:
    """Databases sort what is empty first, or last."""
    keep, drop = (PlayerFactory.create(club=world.club, name=name) for name in ("Una Ek", "Zoe Ek"))
    keep.external_id = "4"
    drop.external_id = "5"
    keep.save()
    drop.save()
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    assert manager.get(f"{REGISTER}5/")["name"] == "Una Ek"
    given = PlayerFactory.create(club=world.club, name="Vic Ek", external_id="5")
    assert manager.get(f"{REGISTER}5/")["name"] == "Vic Ek"
    changed = manager.send("PUT", f"{REGISTER}5/", {"name": "Vic Berg"})
    assert changed.json()["code"] == given.code
    assert Player.objects.get(pk=keep.pk).name == "Una Ek"
