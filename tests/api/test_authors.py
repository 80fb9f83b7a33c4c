"""Who wrote on a sheet is told like any player's name: as he chose, but to those of the club in full."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.events.leaving import leave_club
from league.models import Club, Match, Player, Role, ShownAs, TokenScope
from league.people.players import change_player, merge_players
from league.people.tokens import issue_token
from league.policy import actor_of
from scoring.services import correct_deals
from tests.api.programs import Program, points
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory, play, sheet_of, won

pytestmark = pytest.mark.django_db

FULL = "Bob Brown"
# All that he is called: as a player, as an account, by the name of that.
CALLED = ('"Bob"', FULL, "bobbrown")
READ = ("corrections/", "deals/1/", "signatures/", "disputes/")


@pytest.fixture
def bob(match: Match) -> Program:
    """Bob, who keeps scores, is shown by initials and has corrected, signed, disputed and withdrawn it."""
    club = match.event.club
    user = UserFactory.create(
        club=club, role=Role.SCOREKEEPER, username="bobbrown", first_name="Bob", last_name="Brown"
    )
    Player.objects.filter(club=club, name="Bob").update(user=user, shown_as=ShownAs.INITIALS)
    program = Program(match, user)
    play(match, 200)
    for what, body in (
        ("corrections/", {"deals": {"1": points("Ann", 201)}, "reason": f"{FULL} had counted 200"}),
        ("signatures/", {}),
        ("disputes/", {"sentence": f"{FULL} won deal 1."}),
        ("disputes/1/settlement/", {"reason": f"{FULL} was wrong."}),
    ):
        answer = program.post(what, body)
        assert answer.status_code == 201, answer.content
    Club.objects.filter(pk=club.pk).update(is_public=True)
    return program


def named_in(told: Any) -> list[str]:
    """By whom, wherever that is said."""
    if isinstance(told, dict):
        own = [told["by"]] if "by" in told else []
        return own + [name for value in told.values() for name in named_in(value)]
    return [name for value in told for name in named_in(value)] if isinstance(told, list) else []


@pytest.mark.parametrize("what", READ)
def test_author_is_told_to_the_public_as_he_chose(bob: Program, what: str) -> None:
    stranger = UserFactory.create(club=ClubFactory.create(), role=Role.OWNER)
    signed_in = logged_in(stranger)
    for client in (Client(), signed_in):
        answer = client.get(f"{bob.address}{what}")
        assert answer.status_code == 200
        for name in CALLED:
            assert name not in answer.content.decode()
        assert "B. (program)" in named_in(answer.json())


@pytest.mark.parametrize("way", ["leaves", "is merged", "loses the account"])
def test_author_who_is_no_longer_a_player_is_told_to_no_guest(match: Match, way: str) -> None:
    """Nothing says any more that the account was a covered player's; those of the club read its name on."""
    club = match.event.club
    Club.objects.filter(pk=club.pk).update(is_public=True)
    kim = UserFactory.create(club=club, role=Role.SCOREKEEPER, first_name="Bob", last_name="Brown")
    bob = Player.objects.get(club=club, name="Bob")
    Player.objects.filter(pk=bob.pk).update(user=kim, shown_as=ShownAs.INITIALS)
    bob.refresh_from_db()
    play(match, 200)
    sheet = sheet_of(match)
    correct_deals(
        actor=actor_of(kim), sheet=sheet, changes={1: won("Ann", "Bob", 201)}, reason="So it was written."
    )
    places = (
        f"/api/v1/sheets/{sheet.code}/corrections/",
        reverse("match", args=[club.slug, match.event.slug, match.code]),
    )
    owner = logged_in(UserFactory.create(club=club, role=Role.OWNER))
    if way == "leaves":
        leave_club(user=kim, club=club)
    else:
        if way == "is merged":
            account = UserFactory.create(club=club, role=Role.MEMBER)
            keep = PlayerFactory.create(club=club, name="Robert", user=account)
            merge_players(actor=OPERATOR, keep=keep, drop=bob)
        else:
            change_player(actor=OPERATOR, player=bob, user=None)
        club.memberships.filter(user=kim).update(role=Role.MEMBER)
    for place in places:
        guest = Client().get(place).content.decode()
        assert "somebody" in guest
        assert FULL not in guest
        assert FULL in owner.get(place).content.decode()


def test_director_who_does_not_play_is_told_to_guests(match: Match) -> None:
    club = match.event.club
    Club.objects.filter(pk=club.pk).update(is_public=True)
    Player.objects.filter(club=club, name="Bob").update(shown_as=ShownAs.INITIALS)
    kim = UserFactory.create(club=club, role=Role.DIRECTOR, first_name="Kim", last_name="Keller")
    chief = UserFactory.create(is_superuser=True, first_name="Ada", last_name="Chief")
    play(match, 200)
    for points_won, user in ((201, kim), (202, chief)):
        correct_deals(
            actor=actor_of(user),
            sheet=sheet_of(match),
            changes={1: won("Ann", "Bob", points_won)},
            reason="So it was written.",
        )
    answer = Client().get(f"/api/v1/sheets/{sheet_of(match).code}/corrections/")
    assert set(named_in(answer.json())) == {"Kim Keller", "Ada Chief"}


@pytest.mark.parametrize("what", READ)
def test_author_is_told_to_those_of_the_club_in_full(bob: Program, what: str) -> None:
    assert f"{FULL} (Program)" in named_in(bob.get(what).json())
    member = Program(bob.match, UserFactory.create(club=bob.match.event.club, role=Role.MEMBER))
    assert member.get(what).content == bob.get(what).content


def test_token_for_another_club_is_told_names_like_anybody(bob: Program) -> None:
    """It is Bob's own, and for the club in which he holds another office."""
    other = ClubFactory.create()
    other.memberships.create(user=bob.user, role=Role.OWNER)
    _, secret = issue_token(user=bob.user, name="x", scope=TokenScope.READ, club=other, days=1)
    elsewhere = Client(headers={"Authorization": f"Token {secret}"})
    for what in ("", *READ):
        address = f"{bob.address}{what}"
        assert elsewhere.get(address).json() == Client().get(address).json()
    # Once the club is private there is nothing for it to read.
    Club.objects.filter(pk=bob.match.event.club_id).update(is_public=False)
    for what in ("", *READ):
        assert elsewhere.get(f"{bob.address}{what}").status_code == 404
    for where in ("players/", "matches/", "sheets/", "entries/"):
        assert elsewhere.get(f"/api/v1/{where}").json()["results"] == []
    assert sheet_of(bob.match).code not in elsewhere.get("/api/v1/sheets/").content.decode()
