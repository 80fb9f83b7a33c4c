"""What is known of a player beside the name: at every door, for whom it is meant, shared and forgotten."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import DETAILS, Club, Detail, Membership, Player, Role
from league.people import records
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import change_player, create_player, merge_players
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="harbour", is_public=True)


@pytest.fixture
def ann(club: Club) -> Player:
    return create_player(actor=OPERATOR, club=club, name="Ann", member_number=" 17 ")


def client_of(club: Club, role: Role) -> Client:
    client = Client()
    user = UserFactory.create()
    Membership.objects.create(club=club, user=user, role=role)
    client.force_login(user)
    return client


def page_of(client: Client, player: Player) -> str:
    return client.get(reverse("player", args=[player.club.slug, player.code])).content.decode()


def rows_of(client: Client, club: Club) -> list[dict[str, str]]:
    answer = client.get(reverse("players_csv", args=[club.slug]))
    assert answer["Content-Type"] == "text/csv"
    assert answer["Content-Disposition"] == 'attachment; filename="harbour-players.csv"'
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.mark.parametrize("detail", DETAILS, ids=lambda detail: detail.name)
def test_nothing_need_be_known(detail: Detail) -> None:
    assert detail.field.null
    assert detail.field.blank
    assert not detail.field.has_default()


def test_detail_is_tidied_and_emptied(ann: Player) -> None:
    assert ann.member_number == "17"
    assert change_player(actor=OPERATOR, player=ann, member_number="  ").member_number is None


def test_unknown_detail_is_a_fault_of_ours(club: Club) -> None:
    with pytest.raises(TypeError, match="a player has no colour"):
        create_player(actor=OPERATOR, club=club, name="Ann", colour="red")
    assert not Player.objects.exists()


def test_page_and_api_tell_directors_alone(ann: Player, club: Club) -> None:
    director, member, guest = client_of(club, Role.DIRECTOR), client_of(club, Role.MEMBER), Client()
    assert "<dt>Member number</dt><dd>17</dd>" in page_of(director, ann)
    assert director.get(f"/api/v1/players/{ann.code}/").json()["member_number"] == "17"
    for client in (member, guest):
        assert "Member number" not in page_of(client, ann)
        assert client.get(f"/api/v1/players/{ann.code}/").json()["member_number"] is None


def test_page_tells_everybody_what_is_public(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "DETAILS", (Detail("member_number", "17", is_public=True),))
    assert "<dt>Member number</dt><dd>17</dd>" in page_of(Client(), ann)


def test_file_of_players_is_for_directors(ann: Player, club: Club) -> None:
    PlayerFactory.create(club=club, name="=Bob", member_number=None)
    assert [(row["name"], row["code"], row["member_number"], row["matches"], row["last_played"])
            for row in rows_of(client_of(club, Role.DIRECTOR), club)] == [
        ("'=Bob", Player.objects.get(name="=Bob").code, "", "0", ""),
        ("Ann", ann.code, "17", "0", ""),
    ]  # fmt: skip
    address = reverse("players_csv", args=[club.slug])
    for client in (client_of(club, Role.SCOREKEEPER), Client()):
        assert client.get(address).status_code == 404
        assert address not in client.get(reverse("players", args=[club.slug])).content.decode()
    assert address in client_of(club, Role.OWNER).get(reverse("players", args=[club.slug])).content.decode()


def test_admin_lists_and_asks_every_detail(ann: Player, admin_client: Client) -> None:
    listed = admin_client.get(reverse("admin:league_player_changelist")).content.decode()
    asked = admin_client.get(reverse("admin:league_player_change", args=[ann.pk])).content.decode()
    for detail in DETAILS:
        assert f"field-{detail.name}" in listed
        assert f'name="{detail.name}"' in asked


def test_one_who_is_merged_leaves_what_the_other_has_not(ann: Player, club: Club) -> None:
    other = PlayerFactory.create(club=club, name="Anna", member_number=None)
    assert merge_players(actor=OPERATOR, keep=other, drop=ann).member_number == "17"
    third = create_player(actor=OPERATOR, club=club, name="Annie", member_number="18")
    assert merge_players(actor=OPERATOR, keep=other, drop=third).member_number == "17"


def test_own_data_have_it_and_erasing_empties_it(ann: Player) -> None:
    user: Any = UserFactory.create()
    change_player(actor=OPERATOR, player=ann, user=user)
    assert own_data(user)["players"][0]["member_number"] == "17"
    erase_person(actor=OPERATOR, player=ann)
    ann.refresh_from_db()
    assert ann.member_number is None
