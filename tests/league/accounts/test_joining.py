"""Making an account by oneself, and becoming a member: by request or at once, as the club says."""

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Club,
    Invitation,
    Joining,
    JoinRequest,
    Membership,
    RemovedMember,
    Role,
    SignUp,
)
from league.people.clubs import remove_member, set_role
from league.people.invitations import accept_invitation, invite
from league.people.joining import approve_request, join
from league.policy import actor_of
from league.upkeep.retention import forget_what_is_over
from tests.clients import logged_in
from tests.factories import ClubFactory, UserFactory
from tests.league.accounts.conftest import PASSWORD
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

DOOR = "/account/new/"
JOIN = "/clubs/quay/join/"
ANN = {
    "first_name": "Ann Archer",
    "username": "ann",
    "email": "ann@archer.test",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture
def quay() -> Club:
    return ClubFactory.create(slug="quay", name="Quayside", joining=Joining.OPEN)


@pytest.fixture
def posts(settings: Any) -> None:
    """A site that sends mail."""
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]


def link_in(letter: Any) -> str:
    (link,) = re.findall(r"http://testserver(/account/address/\S+/)", str(letter.body))
    return str(link)


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def signs_in(**typed: str) -> bool:
    client = Client()
    client.post(reverse("login"), {"login": "ann", "password": PASSWORD, **typed})
    return is_in(client)


def test_who_signs_up_verifies_the_address_and_is_led_to_the_club(
    client: Client, quay: Club, posts: None
) -> None:
    page = client.get("/clubs/quay/").content.decode()
    assert f'href="{JOIN}"' in page
    assert f'href="{DOOR}?next={JOIN}"' in client.get(JOIN).content.decode()
    sent = client.post(DOOR, {**ANN, "next": JOIN})
    assert sent.headers["Location"] == "/account/address/sent/"
    assert not is_in(client)
    assert not signs_in()
    assert not signs_in(login="ann@archer.test")
    link = link_in(mail.outbox[0])
    assert "Confirm" in client.get(link).content.decode()
    assert not signs_in()
    assert client.post(link).headers["Location"] == JOIN
    assert is_in(client)
    assert client.post(JOIN).headers["Location"] == "/clubs/quay/me/"
    office = Membership.objects.get(user__username="ann")
    assert (office.club, office.role, office.user.is_staff) == (quay, Role.MEMBER, False)
    made = AuditEntry.objects.get(action="account.create")
    assert (made.club, made.after) == (None, {"username": "ann"})
    # The button is for who does not belong to the club.
    assert JOIN not in client.get("/clubs/quay/").content.decode()


@pytest.mark.parametrize("joining", Joining)
def test_who_is_asked_to_sign_in_finds_the_way_to_sign_up_where_there_is_one(
    client: Client, quay: Club, joining: Joining
) -> None:
    """With the page that he came for; where every club invites its members there is no such link."""
    Club.objects.filter(pk=quay.pk).update(joining=joining)
    page = client.get(f"{reverse('login')}?next={JOIN}").content.decode()
    link = f'href="{DOOR}?next={JOIN.replace("/", "%2F")}"'
    assert (link in page) == (joining != Joining.INVITED)
    assert (DOOR in page) == (joining != Joining.INVITED)
    assert f'href="{DOOR}?next' not in client.get(reverse("login")).content.decode()


def test_nobody_takes_an_account_with_the_address_of_another(client: Client, quay: Club, posts: None) -> None:
    client.post(DOOR, {**ANN, "username": "mallory"})
    mail.outbox.clear()
    cache.clear()  # an address is sent one such mail in three minutes
    ann = Client()
    assert ann.post(DOOR, ANN).headers["Location"] == "/account/address/sent/"
    assert not User.objects.filter(username="ann").exists()
    (letter,) = mail.outbox
    assert letter.to == ["ann@archer.test"]
    assert "/account/address/" not in letter.body
    assert not signs_in(login="mallory")
    # What nobody verifies is gone, name and address.
    forget_what_is_over(timezone.now() + datetime.timedelta(days=4))
    assert not User.objects.filter(username="mallory").exists()
    cache.clear()
    ann.post(DOOR, ANN)
    assert ann.post(link_in(mail.outbox[-1])).status_code == 302
    forget_what_is_over(timezone.now() + datetime.timedelta(days=4))
    assert signs_in()


def test_a_code_opens_no_account_that_somebody_else_has_made_with_the_address(
    client: Client, quay: Club, posts: None
) -> None:
    client.post(DOOR, {**ANN, "username": "mallory"})
    Client().post(reverse("account_request_login_code"), {"email": "ann@archer.test"})
    assert "No account there has it" in mail.outbox[-1].body
    assert SignUp.objects.get().user.username == "mallory"


def test_nobody_takes_a_name_that_looks_like_that_of_another(client: Client, quay: Club) -> None:
    UserFactory.create(username="ann")
    answer = client.post(DOOR, {**ANN, "username": "\uff41\uff4e\uff4e"})
    assert "already exists" in answer.content.decode()
    assert User.objects.filter(first_name="Ann Archer").count() == 0


def test_signing_up_tells_nobody_whether_an_address_has_an_account(quay: Club, posts: None) -> None:
    UserFactory.create(email="bea@archer.test")
    UserFactory.create(email="dora@archer.test")
    answers = [
        Client().post(DOOR, {**ANN, "username": f"new{number}", "email": email})
        for number, email in enumerate(("bea@archer.test", "DORA@archer.test", "cora@archer.test"))
    ]
    assert {(one.status_code, one.headers["Location"]) for one in answers} == {
        (302, "/account/address/sent/")
    }
    assert len(mail.outbox) == 3


def test_without_mail_an_account_opens_at_once_and_no_address_is_asked(client: Client, quay: Club) -> None:
    assert 'name="email"' not in client.get(DOOR).content.decode()
    assert client.post(DOOR, {**ANN, "next": JOIN}).headers["Location"] == JOIN
    assert is_in(client)
    assert not SignUp.objects.exists()
    assert User.objects.get(username="ann").email == ""


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another long way 8"}, "same password"),
        ({"username": "OWNER"}, "already exists"),
        ({"username": "a b!"}, "valid username"),
        ({"first_name": "  "}, "required"),
        ({"first_name": "Ann\u202eArcher"}, ""),
    ],
)
def test_what_cannot_be_is_said_and_makes_nothing(
    client: Client, quay: Club, owner: User, wrong: dict[str, str], says: str
) -> None:
    before = User.objects.count()
    page = client.post(DOOR, ANN | wrong)
    assert page.status_code == 200
    assert says in page.content.decode()
    assert 'role="alert"' in page.content.decode()
    assert User.objects.count() == before


def test_signing_up_leads_nowhere_else(client: Client, quay: Club) -> None:
    assert client.post(DOOR, {**ANN, "next": "https://evil.example/"}).headers["Location"] == "/me/"


@pytest.mark.parametrize(
    "settings_of_club", [{"joining": Joining.INVITED}, {"joining": Joining.OPEN, "is_public": False}]
)
def test_a_club_that_invites_or_is_private_is_joined_by_nobody(
    client: Client, quay: Club, settings_of_club: dict[str, Any]
) -> None:
    Club.objects.filter(pk=quay.pk).update(**settings_of_club)
    quay.refresh_from_db()
    assert "invite their members" in client.get(DOOR).content.decode()
    client.post(DOOR, ANN)
    assert not User.objects.exists()
    user = UserFactory.create()
    client.force_login(user)
    assert [client.get(JOIN).status_code, client.post(JOIN).status_code] == [404, 404]
    with refuses(LeagueError, "not_open"):
        join(user=user, club=quay)
    assert not Membership.objects.exists()


@pytest.mark.parametrize("approves", [True, False])
def test_an_officer_answers_who_asks(client: Client, quay: Club, approves: bool) -> None:
    Club.objects.filter(pk=quay.pk).update(joining=Joining.ASKED)
    kim, director = UserFactory.create(username="kim"), Client()
    director.force_login(UserFactory.create(club=quay, role=Role.DIRECTOR))
    client.force_login(kim)
    for _ in range(2):
        assert client.post(JOIN).headers["Location"] == JOIN
    assert "nobody has answered" in client.get(JOIN).content.decode()
    waiting = JoinRequest.objects.get(user=kim, club=quay)
    assert not Membership.objects.filter(user=kim).exists()
    answer = "join_approve" if approves else "join_refuse"
    address = reverse(answer, args=["quay", waiting.code])
    assert address in director.get("/clubs/quay/people/").content.decode()
    keeper = logged_in(UserFactory.create(club=quay, role=Role.SCOREKEEPER))
    assert [each.post(address).status_code for each in (client, keeper)] == [404, 404]
    assert director.post(address).status_code == 302
    assert Membership.objects.filter(user=kim, role=Role.MEMBER).exists() is approves
    assert not JoinRequest.objects.exists()
    assert director.post(address).status_code == 404
    done = AuditEntry.objects.filter(action__startswith="join.").values_list("action", flat=True)
    assert set(done) == {"join.ask", "join.approve" if approves else "join.refuse"}


def test_a_request_is_taken_back_and_then_cannot_be_approved(client: Client, quay: Club) -> None:
    Club.objects.filter(pk=quay.pk).update(joining=Joining.ASKED)
    quay.refresh_from_db()
    kim = UserFactory.create()
    client.force_login(kim)
    join(user=kim, club=quay)
    waiting = JoinRequest.objects.get()
    assert client.post("/clubs/quay/join/withdraw/").status_code == 302
    assert not JoinRequest.objects.exists()
    with refuses(LeagueError, "settled"):
        approve_request(actor=actor_of(UserFactory.create(club=quay, role=Role.OWNER)), request=waiting)
    assert not Membership.objects.filter(user=kim).exists()


def test_a_member_joins_once(quay: Club) -> None:
    kim = UserFactory.create(club=quay, role=Role.OWNER)
    with refuses(LeagueError, "member"):
        join(user=kim, club=quay)
    assert Membership.objects.get(user=kim).role == Role.OWNER


def test_a_club_says_how_members_join_through_the_api_too(client: Client, quay: Club) -> None:
    client.force_login(UserFactory.create(club=quay, role=Role.OWNER))
    address, how = "/api/v1/clubs/quay/", {"content_type": "application/json", "headers": {"If-Match": "*"}}
    assert client.patch(address, {"joining": "anyhow"}, **how).status_code == 422  # type: ignore[arg-type]
    assert client.patch(address, {"joining": "asked"}, **how).json()["joining"] == "asked"  # type: ignore[arg-type]
    change = AuditEntry.objects.get(action="club.change")
    assert (change.before, change.after) == ({"joining": "open"}, {"joining": "asked"})


def test_who_was_removed_from_an_open_club_asks_and_an_officer_lets_him_in_again(
    client: Client, quay: Club
) -> None:
    """Neither the page nor an invitation of before opens the club to him; a later one does, and a yes."""
    owner = UserFactory.create(club=quay, role=Role.OWNER)
    officer, kim = actor_of(owner), UserFactory.create(username="kim")
    client.force_login(kim)
    officers = logged_in(owner)
    invitation, old = invite(actor=officer, club=quay)
    before = timezone.now() - datetime.timedelta(hours=1)
    Invitation.objects.filter(pk=invitation.pk).update(created_at=before)
    for _time in range(2):
        membership = Membership.objects.filter(user=kim).first() or join(user=kim, club=quay)
        assert membership is not None
        remove_member(actor=officer, membership=membership)
        front = client.get("/clubs/quay/").content.decode()
        assert "Ask to join the club" in front
        page = client.get(JOIN).content.decode()
        assert "An officer of the club has ended your membership." in page
        assert client.post(JOIN).headers["Location"] == JOIN
        assert not Membership.objects.filter(user=kim).exists()
        with refuses(LeagueError, "invitation_over"):
            accept_invitation(secret=old, user=kim)
        assert "was removed" in officers.get(reverse("members", args=["quay"])).content.decode()
        approve_request(actor=officer, request=JoinRequest.objects.get(user=kim))
    # Taken in again he is a member as any other: who leaves by himself comes back when he likes.
    remove_member(actor=officer, membership=Membership.objects.get(user=kim))
    RemovedMember.objects.update(removed_at=before)
    accept_invitation(secret=invite(actor=officer, club=quay)[1], user=kim)
    set_role(actor=officer, club=quay, user=kim, role=Role.OWNER)
    remove_member(actor=actor_of(kim), membership=Membership.objects.get(user=kim))
    assert join(user=kim, club=quay) is not None
