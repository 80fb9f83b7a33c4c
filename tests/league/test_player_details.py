"""What is known of a player beside the name: at every door, for whom it is meant, shared and forgotten."""

import csv
import datetime
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import localize

from league.models import DETAILS, AuditEntry, Club, Detail, Membership, Player, Role
from league.people import records
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import change_player, create_player, merge_players
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.league.api.world import Asking

pytestmark = pytest.mark.django_db

each_detail = pytest.mark.parametrize("detail", DETAILS, ids=lambda detail: detail.name)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="harbour", is_public=True)


def value_of(detail: Detail) -> Any:
    """Its example, as a player has it."""
    return detail.field.to_python(detail.example)


def other_value_of(detail: Detail) -> Any:
    """Another; of days an earlier one, as the later of two holds until which somebody is under age."""
    value = value_of(detail)
    return value - datetime.timedelta(days=1) if isinstance(value, datetime.date) else f"1{value}"


def known(club: Club, detail: Detail) -> Player:
    """Ann, of whom this alone is known."""
    return create_player(actor=OPERATOR, club=club, name="Ann", **{detail.name: value_of(detail)})


def shown(detail: Detail) -> str:
    """What her page says of it."""
    return f"<dt>{detail.title.capitalize()}</dt><dd>{localize(value_of(detail))}</dd>"


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


@each_detail
def test_nothing_need_be_known(detail: Detail) -> None:
    assert detail.field.null
    assert detail.field.blank
    assert not detail.field.has_default()


@each_detail
def test_detail_is_emptied(detail: Detail, club: Club) -> None:
    assert detail.of(change_player(actor=OPERATOR, player=known(club, detail), **{detail.name: None})) is None


def test_text_is_tidied(club: Club) -> None:
    ann = create_player(actor=OPERATOR, club=club, name="Ann", member_number=" 17 ")
    assert ann.member_number == "17"
    assert change_player(actor=OPERATOR, player=ann, member_number="  ").member_number is None


def test_unknown_detail_is_a_fault_of_ours(club: Club) -> None:
    with pytest.raises(TypeError, match="a player has no colour"):
        create_player(actor=OPERATOR, club=club, name="Ann", colour="red")
    assert not Player.objects.exists()


@each_detail
def test_page_and_api_tell_directors_alone_unless_it_is_public(detail: Detail, club: Club) -> None:
    ann = known(club, detail)
    director, member, guest = client_of(club, Role.DIRECTOR), client_of(club, Role.MEMBER), Client()
    for client in (director, member, guest):
        tells = client is director or detail.is_public
        assert (shown(detail) in page_of(client, ann)) == tells
        told = client.get(f"/api/v1/players/{ann.code}/").json()[detail.name]
        assert told == (detail.example if tells else None)


@each_detail
def test_page_tells_everybody_what_is_public(
    detail: Detail, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = Detail(detail.name, detail.example, is_public=True)
    monkeypatch.setattr(records, "DETAILS", (public,))
    assert shown(detail) in page_of(Client(), known(club, detail))


@each_detail
def test_api_and_register_write_it(detail: Detail, club: Club) -> None:
    director = Asking(client_of(club, Role.DIRECTOR))
    said = {detail.name: detail.example}
    made = director.send("POST", "players/", {"club": club.slug, "name": "Ann", **said})
    assert (made.status_code, made.json()[detail.name]) == (201, detail.example)
    emptied = director.change(f"players/{made.json()['code']}/", {detail.name: None})
    assert (emptied.status_code, emptied.json()[detail.name]) == (200, None)
    listed = director.send("PUT", f"clubs/{club.slug}/register/17/", {"name": "Bob", **said})
    assert (listed.status_code, listed.json()[detail.name]) == (201, detail.example)


@each_detail
def test_audit_notes_it(detail: Detail, club: Club) -> None:
    change_player(actor=OPERATOR, player=known(club, detail), **{detail.name: other_value_of(detail)})
    changed = AuditEntry.objects.get(action="player.change")
    before, after = changed.before or {}, changed.after or {}
    assert before[detail.name] == detail.example
    assert after[detail.name] == str(other_value_of(detail))


@each_detail
def test_file_of_players_has_it(detail: Detail, club: Club) -> None:
    known(club, detail)
    (row,) = rows_of(client_of(club, Role.DIRECTOR), club)
    assert {each.name: row[each.name] for each in DETAILS} == {
        each.name: detail.example if each is detail else "" for each in DETAILS
    }


def test_file_of_players_is_for_directors(club: Club) -> None:
    ann = create_player(actor=OPERATOR, club=club, name="Ann", member_number="17")
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


@each_detail
def test_admin_lists_and_asks_it(detail: Detail, club: Club, admin_client: Client) -> None:
    ann = known(club, detail)
    listed = admin_client.get(reverse("admin:league_player_changelist")).content.decode()
    asked = admin_client.get(reverse("admin:league_player_change", args=[ann.pk])).content.decode()
    assert f"field-{detail.name}" in listed
    assert f'name="{detail.name}"' in asked


@each_detail
def test_one_who_is_merged_leaves_what_the_other_has_not(detail: Detail, club: Club) -> None:
    ann = known(club, detail)
    keep = PlayerFactory.create(club=club, name="Anna", member_number=None)
    assert detail.of(merge_players(actor=OPERATOR, keep=keep, drop=ann)) == value_of(detail)
    other = {detail.name: other_value_of(detail)}
    third = create_player(actor=OPERATOR, club=club, name="Annie", **other)
    assert detail.of(merge_players(actor=OPERATOR, keep=keep, drop=third)) == value_of(detail)


@each_detail
def test_own_data_have_it_and_erasing_empties_it(detail: Detail, club: Club) -> None:
    user: Any = UserFactory.create()
    ann = change_player(actor=OPERATOR, player=known(club, detail), user=user)
    assert own_data(user)["players"][0][detail.name] == value_of(detail)
    erase_person(actor=OPERATOR, player=ann)
    ann.refresh_from_db()
    assert detail.of(ann) is None
