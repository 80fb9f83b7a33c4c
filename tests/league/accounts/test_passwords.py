"""Passwords: forgotten, reset by an owner, changed by whose they are."""

import datetime
import re
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.models import ApiToken, AuditEntry, Club, Membership, Role, TokenScope
from league.people.accounts import make_password_link, may_reset_password
from league.people.clubs import add_member
from league.people.invitations import accept_invitation, invite
from league.people.tokens import issue_token
from league.policy import actor_of
from league.tasks import mail_password_link
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.league.accounts.conftest import NEW, PASSWORD
from tests.refusals import refuses
from tests.tasks import run_tasks

pytestmark = pytest.mark.django_db


SENT = "/account/forgotten/sent/"


def test_a_forgotten_password_is_mailed_a_link_that_opens_once(client: Client, settings: Any) -> None:
    settings.SENDS_MAIL = True
    user = UserFactory.create(email="ann@archer.test", password="the old one 5")
    other = client.post(reverse("password_reset"), {"email": "nobody@archer.test"})
    known = client.post(reverse("password_reset"), {"email": "ann@archer.test"})
    assert (other.status_code, other["Location"]) == (known.status_code, known["Location"]) == (302, SENT)
    # Whether anybody has it, only the worker looks up: the answers take the same time.
    assert not mail.outbox
    assert run_tasks(mail_password_link) == 2
    (letter,) = mail.outbox
    (link,) = re.findall(r"http://testserver(/account/forgotten/\S+)", str(letter.body))
    form = client.get(link, follow=True)
    assert form.status_code == 200
    answer = client.post(form.request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD})
    assert answer.status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert Client().get(link).status_code == 404


def test_without_mail_nothing_is_sent_and_the_sign_in_page_says_who_helps(client: Client) -> None:
    assert client.get(reverse("password_reset")).status_code == 404
    assert "An owner of your club can make you a link" in client.get(reverse("login")).content.decode()


def _invited(club: Club, owner: User) -> User:
    """A member whose account was made for the club, by an invitation to it."""
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    return accept_invitation(secret=secret, account=NEW)


def test_an_owner_makes_a_link_to_a_new_password(club: Club, owner: User, client: Client) -> None:
    user = _invited(club, owner)
    client.force_login(owner)
    code = Membership.objects.get(user=user).code
    page = client.post(reverse("password_for", args=["harbour", code])).content.decode()
    (link,) = re.findall(r"http://testserver(/account/forgotten/[^<]+)</code>", page)
    with time_machine.travel(datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)):
        assert Client().get(link).status_code == 404
    assert Client().get(link[:-3] + "abc/").status_code == 404
    newcomer = Client()
    form = newcomer.get(link, follow=True)
    newcomer.post(form.request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD})
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    entry = AuditEntry.objects.get(action="account.password_link")
    assert (entry.actor_name, entry.object_name) == ("owner", user.username)


@pytest.mark.parametrize(
    ("whose", "may"),
    [
        ("a member", True),
        ("a member who brought his account along", False),
        ("a member of another club too", False),
        ("a player of another club too", False),
        ("an administrator", False),
        ("a closed account", False),
        ("nobody of the club", False),
    ],
)
def test_whose_password_an_owner_may_reset(club: Club, owner: User, whose: str, may: bool) -> None:
    user = _invited(club, owner)
    if whose == "nobody of the club":
        Membership.objects.filter(user=user).delete()
    if whose == "a member who brought his account along":
        user = UserFactory.create()
        accept_invitation(secret=invite(actor=actor_of(owner), club=club)[1], user=user)
    elif whose == "a member of another club too":
        Membership.objects.create(club=ClubFactory.create(), user=user, role=Role.MEMBER)
    elif whose == "a player of another club too":
        PlayerFactory.create(user=user)
    elif whose == "an administrator":
        user.is_superuser = True
    elif whose == "a closed account":
        user.is_active = False
    user.save()
    assert may_reset_password(actor_of(owner), user) is may
    if not may:
        with refuses(LeagueError, "not_allowed"):
            make_password_link(actor=actor_of(owner), club=club, user=user)


def test_an_owner_lets_in_whose_account_he_made(club: Club, owner: User) -> None:
    actor = actor_of(owner)
    made = add_member(
        actor=actor, club=club, username="cora", role=Role.MEMBER, make_account=True, name="Cora Cole"
    )
    assert may_reset_password(actor, made.membership.user)


def test_a_director_lets_nobody_in(club: Club, director: User) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER)
    assert not may_reset_password(actor_of(director), user)


def test_a_password_is_changed_by_who_knows_it_and_ends_other_sessions(client: Client) -> None:
    user = UserFactory.create(password="the old one 5")
    other = Client()
    client.force_login(user)
    other.force_login(user)
    sent = {"oldpassword": "the old one 5", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("password_change"), sent | {"oldpassword": "wrong"}).status_code == 200
    assert client.post(reverse("password_change"), sent).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert other.get(reverse("account")).status_code == 302


@pytest.mark.parametrize("door", ["password_change", "admin:password_change", "password_link"])
@pytest.mark.parametrize("ends", [True, False])
def test_a_new_password_is_on_the_record_and_ends_tokens_if_asked(
    club: Club, client: Client, door: str, ends: bool
) -> None:
    user = UserFactory.create(username="annarcher", password="the old one 5", club=club, role=Role.OWNER)
    issue_token(user=user, name="till", scope=TokenScope.READ, days=5)
    address = reverse(door) if door != "password_link" else ""
    if address:
        client.force_login(user)
    else:
        link = make_password_link(actor=OPERATOR, club=club, user=user)
        first = client.get(reverse(door, args=[link.uid, link.token]), follow=True)
        address = first.request["PATH_INFO"]
    assert 'name="ends_tokens"' in client.get(address).content.decode()
    sent = {"oldpassword": "the old one 5", "password1": PASSWORD, "password2": PASSWORD}
    # One of the most common, one like the user's name, and one of figures are refused at every door.
    for weak in ("password123", "annarcher7", "31415926535"):
        answer = client.post(address, sent | {"password1": weak, "password2": weak})
        assert answer.status_code == 200, weak
    assert not AuditEntry.objects.filter(action="account.password").exists()
    assert client.post(address, sent | ({"ends_tokens": "on"} if ends else {})).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    noted = AuditEntry.objects.get(action="account.password")
    assert (noted.actor_id, noted.object_id) == (str(user.pk), str(user.pk))
    assert noted.after == {"tokens_ended": int(ends)}
    assert ApiToken.objects.filter(user=user).exists() is not ends


def test_who_has_no_token_is_not_asked_about_tokens(club: Club, client: Client) -> None:
    user = UserFactory.create(password="the old one 5", club=club)
    client.force_login(user)
    address = reverse("password_change")
    assert "ends_tokens" not in client.get(address).content.decode()
    sent = {"oldpassword": "the old one 5", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(address, sent).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_an_administrator_lets_anybody_in(club: Club) -> None:
    user = UserFactory.create(club=club, role=Role.OWNER)
    link = make_password_link(actor=OPERATOR, club=club, user=user)
    assert link.uid
    assert link.token
