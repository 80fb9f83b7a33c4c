"""Invitations: links by which members of a club make their accounts."""

import re
import time
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.services import waking
from league.core.secrets import digest_of
from league.errors import LeagueError
from league.models import AuditEntry, Club, Invitation, Membership, Player, Role
from league.people.invitations import (
    NewAccount,
    accept_invitation,
    invite,
    open_invitation,
    revoke_invitation,
)
from league.people.players import merge_players
from league.policy import Permission, actor_of, clubs_where
from tests.factories import ClubFactory, PlayerFactory, UserFactory
from tests.league.accounts.conftest import NEW, PASSWORD
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


_MIGRATION = import_module("league.migrations.0038_accounts_of_merged_players")


def test_an_invitation_makes_an_account_with_its_office_and_player(club: Club, owner: User) -> None:
    player = PlayerFactory.create(club=club, name="Ann Archer")
    invitation, secret = invite(actor=actor_of(owner), club=club, role=Role.DIRECTOR, player=player)
    assert invitation.digest == digest_of(secret)
    assert secret not in str(AuditEntry.objects.values())
    user = accept_invitation(secret=secret, account=NEW)
    assert user.check_password(PASSWORD)
    assert user.is_staff
    assert Membership.objects.get(user=user).role == Role.DIRECTOR
    assert Player.objects.get(user=user) == player
    assert open_invitation(secret) is None
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"invitation.create", "account.create", "membership.add", "invitation.accept"} <= actions


def test_what_else_is_open_for_the_player_ends_with_his_account(club: Club, owner: User) -> None:
    ann, bob = (PlayerFactory.create(club=club, name=name) for name in ("Ann Archer", "Bob Baker"))
    actor = actor_of(owner)
    _taken, secret = invite(actor=actor, club=club, player=ann)
    other, lost = invite(actor=actor, club=club, player=ann)
    kept = [invite(actor=actor, club=club, player=bob)[1], invite(actor=actor, club=club)[1]]
    accept_invitation(secret=secret, account=NEW)
    assert open_invitation(lost) is None
    other.refresh_from_db()
    assert other.revoked_at is not None
    assert AuditEntry.objects.filter(action="invitation.revoke", object_id=str(other.pk)).exists()
    assert all(open_invitation(each) is not None for each in kept)


@pytest.mark.parametrize(
    ("held", "offered", "then"), [("owner", "member", "owner"), ("member", "owner", "owner")]
)
def test_an_office_that_is_held_is_never_made_smaller(
    club: Club, owner: User, held: str, offered: str, then: str
) -> None:
    user = UserFactory.create(club=club, role=Role(held))
    _invitation, secret = invite(actor=actor_of(owner), club=club, role=Role(offered))
    accept_invitation(secret=secret, user=user)
    assert Membership.objects.get(user=user, club=club).role == then


def _revoked(invitation: Invitation, owner: User) -> None:
    revoke_invitation(actor=actor_of(owner), invitation=invitation)


def _accepted(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(accepted_at=invitation.expires_at)


def _expired(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at="2020-01-01T00:00Z")


def _inviter_gone(invitation: Invitation, owner: User) -> None:
    Membership.objects.filter(user=owner).update(role=Role.SCOREKEEPER)


def _tampered(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(digest=digest_of("another"))


@pytest.mark.parametrize("done", [_revoked, _accepted, _expired, _inviter_gone, _tampered])
def test_an_invitation_that_is_over_opens_nothing(
    club: Club, owner: User, done: Callable[[Invitation, User], None]
) -> None:
    invitation, secret = invite(actor=actor_of(owner), club=club)
    done(invitation, owner)
    before = User.objects.count()
    with refuses(LeagueError, "invitation_over"):
        accept_invitation(secret=secret, account=NEW)
    assert User.objects.count() == before


@pytest.mark.parametrize(
    ("account", "code", "field"),
    [
        (NewAccount("OWNER", PASSWORD, "New Comer"), "name_taken", "username"),
        (NewAccount("newcomer", "newcomer1", "New Comer"), "weak_password", "password"),
        (NewAccount("newcomer", "1234", "New Comer"), "weak_password", "password"),
        (NewAccount("newcomer", "password123", "New Comer"), "weak_password", "password"),
        (NewAccount("", PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("<script>", PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("x" * 151, PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("newcomer", PASSWORD, " "), "invalid", "name"),
        (None, "invalid", None),
    ],
)
def test_an_account_that_cannot_be_made_is_refused_and_the_invitation_stays_open(
    club: Club, owner: User, account: NewAccount | None, code: str, field: str | None
) -> None:
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    with refuses(LeagueError, code, field=field):
        accept_invitation(secret=secret, account=account)
    assert open_invitation(secret) is not None


@pytest.mark.parametrize(
    ("role", "offered", "may"),
    [
        (Role.OWNER, Role.OWNER, True),
        (Role.DIRECTOR, Role.MEMBER, True),
        (Role.DIRECTOR, Role.SCOREKEEPER, False),
        (Role.SCOREKEEPER, Role.MEMBER, False),
        (Role.MEMBER, Role.MEMBER, False),
    ],
)
def test_who_may_invite_to_what(club: Club, role: Role, offered: Role, may: bool) -> None:
    actor = actor_of(UserFactory.create(club=club, role=role))
    if may:
        assert invite(actor=actor, club=club, role=offered)[0].role == offered
        return
    with refuses(LeagueError, "not_allowed"):
        invite(actor=actor, club=club, role=offered)


def _bad_invitations(club: Club) -> dict[str, tuple[dict[str, Any], str]]:
    has_account = PlayerFactory.create(club=club, user=UserFactory.create())
    return {
        "email": ({"email": "nobody"}, "invalid"),
        "no day": ({"days": 0}, "invalid"),
        "too long": ({"days": 91}, "invalid"),
        "other club": ({"player": PlayerFactory.create()}, "other_club"),
        "has account": ({"player": has_account}, "has_account"),
        "bot": ({"player": PlayerFactory.create(club=club, strategy="knocker")}, "has_account"),
    }


@pytest.mark.parametrize("case", ["email", "no day", "too long", "other club", "has account", "bot"])
def test_an_invitation_that_makes_no_sense_is_refused(club: Club, owner: User, case: str) -> None:
    values, code = _bad_invitations(club)[case]
    with refuses(LeagueError, code):
        invite(actor=actor_of(owner), club=club, **values)
    assert not Invitation.objects.exists()


def test_one_account_is_not_two_players_of_a_club(club: Club, owner: User) -> None:
    user = UserFactory.create()
    PlayerFactory.create(club=club, name="Ann Archer", user=user)
    _invitation, secret = invite(
        actor=actor_of(owner), club=club, player=PlayerFactory.create(club=club, name="Bob Baker")
    )
    with refuses(LeagueError, "other_player"):
        accept_invitation(secret=secret, user=user)


@pytest.mark.parametrize("kept_before", [False, True])
def test_account_of_a_player_who_was_merged_is_free_for_another(
    club: Club, owner: User, kept_before: bool
) -> None:
    """Also where the merger was made by a version that left it with the player who is no more."""
    ann, bob = UserFactory.create(username="ann"), UserFactory.create(username="bob")
    keep = PlayerFactory.create(club=club, name="Bob Baker", user=bob)
    drop = PlayerFactory.create(club=club, name="Rob Baker", user=ann)
    merge_players(actor=actor_of(owner), keep=keep, drop=drop)
    if kept_before:
        Player.objects.filter(pk=drop.pk).update(user=ann)
        _MIGRATION.let_accounts_go(apps, SimpleNamespace(connection=connection))
    assert not ann.players.exists()
    assert keep in bob.players.all()
    assert not clubs_where(ann, Permission.VIEW).exists()
    other = PlayerFactory.create(club=club, name="Ann Archer")
    _invitation, secret = invite(actor=actor_of(owner), club=club, player=other)
    accept_invitation(secret=secret, user=ann)
    assert list(ann.players.all()) == [other]


def test_the_page_of_members_makes_a_link_that_makes_an_account(club: Club, owner: User) -> None:
    officer, newcomer = Client(), Client()
    officer.force_login(owner)
    player = PlayerFactory.create(club=club, name="Ann Archer")
    address = reverse("members", args=["harbour"])
    sent = {"role": "member", "player": player.code, "email": "", "days": "14"}
    answer = officer.post(address, sent)
    (link,) = re.findall(r"http://testserver(/invitations/[^<]+)</code>", answer.content.decode())
    assert link not in officer.get(address).content.decode()
    page = newcomer.get(link)
    assert page.status_code == 200
    assert "Ann Archer" in page.content.decode()
    assert "Others read it beside what you enter" in page.content.decode()
    sent = {"username": "ann", "name": "Ann Archer", "password": PASSWORD, "again": PASSWORD + "!"}
    assert newcomer.post(link, sent).status_code == 422
    assert newcomer.post(link, sent | {"name": " ", "again": PASSWORD}).status_code == 422
    answer = newcomer.post(link, sent | {"again": PASSWORD})
    assert answer.status_code == 302
    assert "Ann Archer" in newcomer.get(reverse("account")).content.decode()
    assert newcomer.get(link).status_code == 404
    assert newcomer.post(link, sent).status_code == 404


def test_a_club_without_members_says_so(client: Client) -> None:
    ClubFactory.create(slug="empty")
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    assert "Nobody yet." in client.get(reverse("members", args=["empty"])).content.decode()


def test_who_is_signed_in_accepts_with_that_account(club: Club, owner: User, client: Client) -> None:
    user = UserFactory.create()
    client.force_login(user)
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    link = reverse("invitation", args=[secret])
    assert user.get_username() in client.get(link).content.decode()
    assert not Membership.objects.filter(user=user).exists()
    assert client.post(link).status_code == 302
    assert Membership.objects.get(user=user).role == Role.MEMBER


def test_a_link_is_revoked_on_the_page(club: Club, owner: User, client: Client) -> None:
    client.force_login(owner)
    invitation, secret = invite(actor=actor_of(owner), club=club)
    revoke = reverse("invitation_revoke", args=["harbour", invitation.code])
    assert client.post(revoke).status_code == 302
    assert open_invitation(secret) is None
    assert client.post(revoke).status_code == 404


@pytest.mark.parametrize("role", [None, Role.MEMBER, Role.SCOREKEEPER, "owner of another club"])
def test_the_page_of_members_is_not_there_for_others(
    club: Club, owner: User, client: Client, role: Role | str | None
) -> None:
    invitation, _secret = invite(actor=actor_of(owner), club=club)
    if role == "owner of another club":
        client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    elif role is not None:
        client.force_login(UserFactory.create(club=club, role=Role(role)))
    status = 302 if role is None else 404
    assert client.get(reverse("members", args=["harbour"])).status_code == status
    assert client.post(reverse("members", args=["harbour"]), {"role": "owner"}).status_code == status
    revoke = reverse("invitation_revoke", args=["harbour", invitation.code])
    assert client.post(revoke).status_code == status
    code = Membership.objects.get(user=owner).code
    assert client.post(reverse("password_for", args=["harbour", code])).status_code == status
    assert client.get(reverse("members", args=["nowhere"])).status_code == status


def test_an_invitation_is_mailed_where_the_site_sends_mail(
    club: Club, owner: User, client: Client, settings: Any
) -> None:
    settings.SENDS_MAIL = True
    client.force_login(owner)
    sent = {"role": "member", "player": "", "email": "ann@archer.test", "days": "3"}
    page = client.post(reverse("members", args=["harbour"]), sent).content.decode()
    (letter,) = mail.outbox
    assert letter.to == ["ann@archer.test"]
    (link,) = re.findall(r"http://testserver/invitations/\S+", str(letter.body))
    assert link in page
    assert "It was sent to ann@archer.test" in page


def test_nobody_is_told_that_a_link_was_sent_while_there_is_no_broker(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SENDS_MAIL = True
    UserFactory.create(email="ann@archer.test")
    monkeypatch.setattr(waking, "_paused_until", time.monotonic() + 60)
    for email in ("ann@archer.test", "nobody@archer.test"):
        answer = client.post(reverse("password_reset"), {"email": email})
        assert answer.status_code == 200
        assert "try again in a minute" in answer.content.decode()
