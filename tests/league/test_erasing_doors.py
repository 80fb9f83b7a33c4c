"""No door stays open to who was erased: no token, invitation or session; those of others stay as they are."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.models import ApiToken, AuditEntry, Club, Event, Invitation, Player, Role, ShownAs, TokenScope
from league.people.accounts import choose_shown_name
from league.people.erasing import erase_person
from league.people.invitations import accept_invitation, invite
from league.people.players import change_player, create_player
from league.people.tokens import issue_token
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour", is_public=False)


@pytest.fixture
def owner(club: Club) -> Actor:
    return actor_of(UserFactory.create(club=club, role=Role.OWNER))


@pytest.fixture
def event(club: Club) -> Event:
    return EventFactory.create(club=club)


@pytest.fixture
def ann(club: Club) -> Player:
    """A scorekeeper who plays."""
    user = UserFactory.create(username="ann", club=club, role=Role.SCOREKEEPER)
    return PlayerFactory.create(club=club, name="Ann Archer", user=user)


def token_of(player: Player, **bounds: Any) -> Client:
    """A program with a token of the player's account."""
    assert player.user is not None
    _, secret = issue_token(user=player.user, name="x", scope=TokenScope.READ, days=5, **bounds)
    return Client(headers={"Authorization": f"Token {secret}"})


def asks(program: Client) -> int:
    return program.get("/api/v1/clubs/").status_code


def test_account_that_is_closed_has_no_tokens_and_no_session(
    club: Club, event: Event, ann: Player, owner: Actor
) -> None:
    programs = [token_of(ann), token_of(ann, club=club), token_of(ann, event=event)]
    bob = PlayerFactory.create(club=club, user=UserFactory.create(club=club, role=Role.MEMBER))
    others = token_of(bob, club=club)
    browser = Client()
    assert ann.user is not None
    browser.force_login(ann.user)
    assert browser.get(reverse("account")).status_code == 200
    assert [asks(program) for program in (*programs, others)] == [200] * 4

    erase_person(actor=owner, player=ann)

    assert [asks(program) for program in (*programs, others)] == [401, 401, 401, 200]
    assert not ApiToken.objects.filter(user=ann.user).exists()
    assert browser.get(reverse("account")).status_code == 302
    assert browser.get(reverse("club", args=["harbour"])).status_code == 404


def test_account_that_goes_on_elsewhere_keeps_its_tokens_for_there(
    club: Club, event: Event, ann: Player, owner: Actor
) -> None:
    assert ann.user is not None
    quay = ClubFactory.create(slug="quay", is_public=False)
    quay.memberships.create(user=ann.user, role=Role.MEMBER)
    for_here = [token_of(ann, club=club), token_of(ann, event=event)]
    for_there, for_all = token_of(ann, club=quay), token_of(ann)

    erase_person(actor=OPERATOR, player=ann)

    assert [asks(program) for program in for_here] == [401, 401]
    assert [asks(program) for program in (for_there, for_all)] == [200, 200]
    for program in (for_there, for_all):
        clubs = [row["slug"] for row in program.get("/api/v1/clubs/").json()["results"]]
        assert clubs == ["quay"]


def test_invitations_for_the_person_open_nothing_and_name_no_address(club: Club, owner: Actor) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    bob = PlayerFactory.create(club=club, name="Bob Baker")
    _, first = invite(actor=owner, club=club, player=ann, email="ann@archer.test")
    merged = PlayerFactory.create(club=club, name="Nan Archer", merged_into=ann)
    invitation, second = invite(actor=owner, club=club, email="nan@archer.test")
    Invitation.objects.filter(pk=invitation.pk).update(player=merged)
    _, bobs = invite(actor=owner, club=club, player=bob, email="bob@baker.test")

    erase_person(actor=owner, player=ann)

    for secret in (first, second):
        assert Client().get(reverse("invitation", args=[secret])).status_code == 404
        with refuses(LeagueError, "invitation_over"):
            accept_invitation(secret=secret, user=UserFactory.create())
    stored = Invitation.objects.select_related("player")
    assert {(row.email, str(row.player), row.revoked_at is None) for row in stored} == {
        ("", "None", False),
        ("bob@baker.test", "Bob Baker", True),
    }
    assert Client().get(reverse("invitation", args=[bobs])).status_code == 200


def test_invitation_that_was_accepted_says_no_more_to_which_address_it_went(club: Club, owner: Actor) -> None:
    """It was no player's, and the account has another address by now."""
    user = UserFactory.create(username="ann", email="ann@new.test")
    _, secret = invite(actor=owner, club=club, email="ann@old.test")
    accept_invitation(secret=secret, user=user)
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    _, others = invite(actor=owner, club=club, email="bob@baker.test")
    accept_invitation(secret=others, user=UserFactory.create(username="bob"))

    erase_person(actor=owner, player=ann)

    assert set(Invitation.objects.values_list("accepted_by__username", "email")) == {
        (f"erased-{ann.code}", ""),
        ("bob", "bob@baker.test"),
    }


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_account_with_an_office_is_disposed_of_by_who_manages_all_its_clubs_or_is_its_person(
    club: Club, owner: Actor, role: Role, where: str
) -> None:
    """Neither erased nor called a player by anybody else, whose links would open everything of it."""
    quay = ClubFactory.create(slug="quay")
    user = UserFactory.create(username="ann", club=club, role=role)
    player = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    spare = PlayerFactory.create(club=club, name="Spare")
    tried = owner
    if where == "here":
        tried = actor_of(UserFactory.create(club=club, role=Role.DIRECTOR))
    else:
        quay.memberships.create(user=user, role=role)
    for write in (
        lambda: erase_person(actor=tried, player=player),
        lambda: change_player(actor=tried, player=spare, user=user),
        lambda: create_player(actor=tried, club=club, name="New", user=user),
    ):
        with refuses(LeagueError, "not_allowed"):
            write()
    assert not AuditEntry.objects.filter(action__startswith="player.").exists()
    manager = User.objects.get(pk=owner.id)
    if where == "elsewhere":
        quay.memberships.create(user=manager, role=Role.OWNER)
    assert change_player(actor=owner, player=spare, user=user).user == user
    assert change_player(actor=owner, player=spare, user=None).user is None
    assert erase_person(actor=owner, player=player).player.erased_at is not None


def test_anybody_erases_himself_and_the_audit_knows_whose_account_it_was(club: Club, owner: Actor) -> None:
    user = UserFactory.create(username="ann", club=club, role=Role.MEMBER)
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    change_player(actor=owner, player=ann, user=user)
    erase_person(actor=actor_of(user), player=ann)
    linked, erased = AuditEntry.objects.filter(object_type="player").order_by("pk")
    assert linked.after == {"user": str(user.pk)}
    assert erased.after is not None
    assert (erased.after["account"], erased.actor_id) == (str(user.pk), str(user.pk))


def test_account_that_goes_on_is_known_in_the_audit_by_what_stands_for_it(club: Club, owner: Actor) -> None:
    user = UserFactory.create(username="ann", club=club, role=Role.MEMBER)
    ClubFactory.create(slug="quay").memberships.create(user=user, role=Role.MEMBER)
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    choose_shown_name(actor=actor_of(user), player=ann, shown_as=ShownAs.INITIALS)
    erase_person(actor=OPERATOR, player=ann)
    chosen, erased = AuditEntry.objects.filter(object_type="player").order_by("pk")
    assert erased.after is not None
    assert chosen.actor_id == erased.after["account"] != str(user.pk)
