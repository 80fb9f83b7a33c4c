"""A password that an administrator gave opens nothing but the choice of another one, at every door."""

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Club, GivenPassword, Match, Role, TokenScope
from league.people.accounts import make_password_link
from league.people.clubs import add_member
from league.people.tokens import issue_token
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import OPERATOR, EventFactory, MatchFactory, UserFactory
from tests.league.admin_pages import page, text

pytestmark = pytest.mark.django_db

OWN = "quince-marmalade-7"
CHOOSE = "Somebody else has given you this password."


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club))


@pytest.fixture
def cora(club: Club) -> tuple[User, str]:
    """Cora, who keeps scores, and the password she was given."""
    made = add_member(
        actor=OPERATOR, club=club, username="cora", role=Role.SCOREKEEPER, make_account=True, name="Cora"
    )
    assert made.password is not None
    return made.membership.user, made.password


def signed_in(user: User, password: str) -> Client:
    client = Client()
    answer = client.post(reverse("login"), {"login": user.username, "password": password})
    assert answer.status_code == 302
    return client


def change(client: Client, old: str, new: str) -> Any:
    data = {"oldpassword": old, "password1": new, "password2": new}
    return client.post(reverse("password_change"), data)


def doors(match: Match) -> list[str]:
    """Pages, the administration, typing, the telephone."""
    event = match.event
    return [
        reverse("home"),
        reverse("account"),
        reverse("own_data"),
        reverse("tokens"),
        reverse("event", args=[event.club.slug, event.slug]),
        reverse("admin:index"),
        page("match", match),
        "/admin/night/",
        reverse("phone:match_page", args=[match.code]),
    ]


def test_nothing_opens_until_another_is_chosen(cora: tuple[User, str], match: Match) -> None:
    user, given = cora
    client = signed_in(user, given)
    for door in doors(match):
        for ask in (client.get, client.post):
            answer = ask(door)
            assert (answer.status_code, answer.get("Location")) == (302, reverse("password_change")), door
    assert CHOOSE in text(client.get(reverse("password_change")))
    assert client.get(reverse("admin:password_change")).status_code == 200
    assert client.get(reverse("privacy")).status_code == 200
    same = change(client, given, given)
    assert "Choose another password than the one you were given." in text(same)
    assert GivenPassword.objects.filter(user=user).exists()
    assert change(client, given, OWN).status_code == 302
    for door in doors(match):
        answer = client.get(door)
        assert answer.get("Location") != reverse("password_change"), door
    assert CHOOSE not in text(client.get(reverse("password_change")))
    assert signed_in(user, OWN).get(reverse("account")).status_code == 200


def test_signing_out_is_open(cora: tuple[User, str]) -> None:
    client = signed_in(*cora)
    assert client.post(reverse("logout")).get("Location") == reverse("home")
    assert client.get(reverse("login")).status_code == 200


def test_api_says_why_to_the_signed_in_and_to_programs(
    cora: tuple[User, str], club: Club, match: Match
) -> None:
    user, given = cora
    _token, secret = issue_token(user=user, name="Clock", scope=TokenScope.READ, club=club, days=7)
    program = Client(headers={"Authorization": f"Token {secret}"})
    address = f"/api/v1/matches/{match.code}/"
    browser = signed_in(user, given)
    for asking in (program, browser):
        for answer in (asking.get(address), asking.patch(address, {}, content_type="application/json")):
            problem = json.loads(answer.content)
            assert answer["Content-Type"] == "application/problem+json"
            assert (answer.status_code, problem["status"], problem["code"]) == (403, 403, "password_given")
            assert problem["detail"].startswith("Somebody else has given this account its password")
    change(browser, given, OWN)
    assert program.get(address).status_code == 200
    assert browser.get(address).status_code == 200
    # Others are not asked.
    assert Client().get(address).status_code == 200


def test_a_link_chooses_another_one_too(cora: tuple[User, str], club: Club) -> None:
    user, given = cora
    link = make_password_link(actor=OPERATOR, club=club, user=user)
    client = Client()
    form = client.get(reverse("password_link", args=[link.uid, link.token]), follow=True)
    address = form.redirect_chain[-1][0]
    same = client.post(address, {"password1": given, "password2": given})
    assert "Choose another password than the one you were given." in text(same)
    client.post(address, {"password1": OWN, "password2": OWN})
    assert not GivenPassword.objects.exists()
    assert signed_in(user, OWN).get(reverse("account")).status_code == 200


@pytest.fixture
def root() -> Client:
    return logged_in(User.objects.create_superuser("root", password="shelf-of-nine-hats"))


def test_administrator_gives_a_password_to_a_new_account(root: Client) -> None:
    data = {"username": "dora", "usable_password": "true", "password1": OWN, "password2": OWN}
    assert root.post(reverse("admin:auth_user_add"), data).status_code == 302
    user = User.objects.get(username="dora")
    answer = signed_in(user, OWN).get(reverse("home"))
    assert answer.get("Location") == reverse("password_change")
    noted = AuditEntry.objects.get(action="account.password_given")
    assert (noted.actor_name, noted.object_name) == ("root", "dora")


def test_administrator_gives_another_password(root: Client, club: Club) -> None:
    user = UserFactory.create(username="dora", club=club)
    client = logged_in(user)
    assert client.get(reverse("account")).status_code == 200
    where = reverse("admin:auth_user_password_change", args=[user.pk])
    weak = {"usable_password": "true", "password1": OWN, "password2": "another"}
    assert root.post(where, weak).status_code == 200
    assert not GivenPassword.objects.exists()
    root.post(where, weak | {"password2": OWN, "set-password": "1"})
    # The session begun with the earlier one is over, and the next begins with the choice.
    assert client.get(reverse("account")).status_code == 302
    assert signed_in(user, OWN).get(reverse("account")).get("Location") == reverse("password_change")
    assert root.get(reverse("admin:auth_user_password_change", args=["nobody"])).status_code in (302, 404)


def test_ones_own_password_is_not_given(root: Client, club: Club) -> None:
    me = User.objects.get(username="root")
    where = reverse("admin:auth_user_password_change", args=[me.pk])
    root.post(where, {"usable_password": "true", "password1": OWN, "password2": OWN, "set-password": "1"})
    assert not GivenPassword.objects.exists()
    assert signed_in(me, OWN).get(reverse("account")).status_code == 200


def test_who_chose_is_in_the_audit(cora: tuple[User, str]) -> None:
    user, given = cora
    change(signed_in(user, given), given, OWN)
    actions = list(
        AuditEntry.objects.filter(object_type="user").order_by("pk").values_list("action", flat=True)
    )
    assert actions == ["account.create", "account.password_given", "account.password"]
    assert AuditEntry.objects.get(action="account.password").actor_id == actor_of(user).id


@pytest.mark.parametrize(("words", "is_given"), [((), True), (("--own",), False)])
def test_a_password_changed_on_the_command_line_is_given_unless_it_is_ones_own(
    cora: tuple[User, str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], is_given: bool
) -> None:
    user, given = cora
    change(signed_in(user, given), given, OWN)
    assert not GivenPassword.objects.filter(user=user).exists()
    monkeypatch.setattr("getpass.getpass", lambda prompt: "walnut-and-fig-9")
    call_command("changepassword", "cora", *words, stdout=io.StringIO())
    assert GivenPassword.objects.filter(user=user).exists() is is_given
    client = signed_in(user, "walnut-and-fig-9")
    assert client.get(reverse("account")).status_code == (302 if is_given else 200)
