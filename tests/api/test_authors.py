"""Who wrote on a sheet is told like any player's name: as he chose, but to those of the club in full."""

from typing import Any

import pytest
from django.test import Client

from league.models import Club, Match, Player, Role, ShownAs, TokenScope
from league.people.tokens import issue_token
from tests.api.programs import Program, points
from tests.clients import logged_in
from tests.factories import ClubFactory, UserFactory, play, sheet_of

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
