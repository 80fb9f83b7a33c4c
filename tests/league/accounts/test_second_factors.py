"""Second factors, codes by mail and lists of sessions: what they open, what they keep to themselves."""

import json
import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from deploy.broker import left_out_while_away, with_patience
from league.errors import LeagueError
from league.models import AuditEntry, Club, Role
from league.people.accounts import note_given_password
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.second_factors import remove_second_factors
from league.policy import actor_of
from tests.factories import OPERATOR, PlayerFactory, UserFactory
from tests.league.accounts.conftest import PASSWORD
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

SIGNED_IN = {"login": "kim", "password": PASSWORD}


@pytest.fixture
def kim(club: Club) -> User:
    return UserFactory.create(
        username="kim", password=PASSWORD, email="kim@archer.test", club=club, role=Role.MEMBER
    )


def code_of(secret: str) -> str:
    """What an app that was given the secret shows now (RFC 6238)."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def with_app(client: Client) -> str:
    """Set an app for codes up, for whoever is signed in; the password is asked for again first."""
    address = reverse("mfa_activate_totp")
    asked = client.get(address)
    assert asked.headers["Location"].startswith(reverse("account_reauthenticate"))
    led = client.post(asked.headers["Location"], {"password": PASSWORD})
    page = client.get(led.headers["Location"]).content.decode()
    secret: str = re.findall(r'value="([A-Z2-7]{32})"', page)[0]
    assert client.post(address, {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()
    assert client.post(address, {"code": code_of(secret)}).status_code == 302
    return secret


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_who_has_a_second_factor_is_let_in_by_both_alone(client: Client, kim: User) -> None:
    client.force_login(kim)
    secret = with_app(client)
    other = Client()
    asked = other.post(reverse("login"), SIGNED_IN)
    assert asked.headers["Location"] == reverse("mfa_authenticate")
    assert not is_in(other)
    assert "Incorrect code" in other.post(asked.headers["Location"], {"code": "000000"}).content.decode()
    assert not is_in(other)
    # A code is good once, so the next one.
    later = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + 1))
    assert other.post(asked.headers["Location"], {"code": later}).headers["Location"] == "/me/"
    assert is_in(other)


def test_codes_of_a_second_factor_cannot_be_tried_on(client: Client, kim: User) -> None:
    client.force_login(kim)
    secret = with_app(client)
    other = Client()
    other.post(reverse("login"), SIGNED_IN)
    for number in range(5):
        other.post(reverse("mfa_authenticate"), {"code": f"00000{number}"})
    later = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + 1))
    assert "Too many" in other.post(reverse("mfa_authenticate"), {"code": later}).content.decode()
    assert not is_in(other)


def test_a_recovery_code_opens_once(client: Client, kim: User) -> None:
    client.force_login(kim)
    with_app(client)
    codes = client.get(reverse("mfa_download_recovery_codes")).content.decode().split()
    code = next(each for each in codes if re.fullmatch(r"\d{8}", each))
    for is_open in (True, False):
        other = Client()
        other.post(reverse("login"), SIGNED_IN)
        other.post(reverse("mfa_authenticate"), {"code": code})
        assert is_in(other) is is_open


def test_secrets_of_second_factors_are_told_nowhere(client: Client, kim: User, settings: Any) -> None:
    client.force_login(kim)
    secret = with_app(client)
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    seed = Authenticator.objects.get(type="recovery_codes").wrap().instance.data["seed"]
    told = json.dumps(own_data(kim))
    assert secret not in stored
    assert secret not in told
    assert seed not in told
    assert [one["kind"] for one in own_data(kim)["second_factors"]] == ["totp", "recovery_codes"]
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    assert client.get("/admin/mfa/authenticator/").status_code == 404
    # As where a backup is restored on a site with another key: no code fits, and none is a fault.
    settings.SECRET_KEY = "another one, of another site"
    assert not Authenticator.objects.get(type="totp").wrap().validate_code(code_of(secret))
    assert not Authenticator.objects.get(type="recovery_codes").wrap().validate_code("12345678")


def test_an_administrator_removes_what_was_lost_and_nobody_else(
    client: Client, kim: User, club: Club
) -> None:
    client.force_login(kim)
    with_app(client)
    with refuses(LeagueError, "not_allowed"):
        remove_second_factors(actor=actor_of(UserFactory.create(club=club, role=Role.OWNER)), user=kim)
    assert remove_second_factors(actor=OPERATOR, user=kim) == 2
    assert AuditEntry.objects.get(action="account.second_factors_removed").before == {"second_factors": 2}
    assert Client().post(reverse("login"), SIGNED_IN).headers["Location"] == "/me/"


def test_erasing_takes_second_factors_and_sessions_along(client: Client, kim: User, club: Club) -> None:
    player = PlayerFactory.create(club=club, user=kim)
    client.force_login(kim)
    with_app(client)
    client.get(reverse("usersessions_list"))
    EmailAddress.objects.create(user=kim, email="kim@archer.test", verified=True, primary=True)
    erase_person(actor=actor_of(UserFactory.create(club=club, role=Role.OWNER)), player=player)
    for model in (Authenticator, EmailAddress, UserSession):
        assert not model.objects.filter(user=kim).exists()


@pytest.fixture
def posts(settings: Any) -> None:
    settings.SENDS_MAIL = True


def test_a_code_by_mail_lets_in_and_tells_nobody_who_has_an_account(
    client: Client, kim: User, posts: None
) -> None:
    answers = [
        Client().post(reverse("account_request_login_code"), {"email": email})
        for email in ("nobody@archer.test", "kim@archer.test")
    ]
    assert {(one.status_code, one.headers["Location"]) for one in answers} == {(302, "/login/code/confirm/")}
    assert [letter.to for letter in mail.outbox] == [["nobody@archer.test"], ["kim@archer.test"]]
    client.post(reverse("account_request_login_code"), {"email": "kim@archer.test"})
    (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    address = reverse("account_confirm_login_code")
    assert "Incorrect code" in client.post(address, {"code": "BBBB-BBBB"}).content.decode()
    assert not is_in(client)
    assert client.post(address, {"code": code}).headers["Location"] == "/me/"
    assert is_in(client)


def test_a_code_by_mail_is_no_way_round_the_second_factor(client: Client, kim: User, posts: None) -> None:
    client.force_login(kim)
    with_app(client)
    other = Client()
    other.post(reverse("account_request_login_code"), {"email": "kim@archer.test"})
    (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    led = other.post(reverse("account_confirm_login_code"), {"code": code})
    assert led.headers["Location"] == reverse("mfa_authenticate")
    assert not is_in(other)


def test_a_given_password_is_changed_first_after_a_code_too(client: Client, kim: User, posts: None) -> None:
    note_given_password(actor=OPERATOR, user=kim)
    client.post(reverse("account_request_login_code"), {"email": "kim@archer.test"})
    (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    client.post(reverse("account_confirm_login_code"), {"code": code})
    assert client.get(reverse("mfa_index")).headers["Location"] == reverse("password_change")


def test_an_address_is_ones_own_once_it_is_verified(
    client: Client, kim: User, posts: None, settings: Any
) -> None:
    client.force_login(kim)
    asked = client.post(reverse("account_email"), {"email": "bea@archer.test", "action_add": ""})
    client.post(asked.headers["Location"], {"password": PASSWORD})
    client.post(reverse("account_email"), {"email": "bea@archer.test", "action_add": ""})
    kim.refresh_from_db()
    assert kim.email == "kim@archer.test"
    # Nobody is let into Kim's account by what is mailed to an address that Kim has only typed in.
    (letter,) = [one for one in mail.outbox if one.to == ["bea@archer.test"]]
    Client().post(reverse("account_request_login_code"), {"email": "bea@archer.test"})
    assert "No account there has it" in mail.outbox[-1].body
    (link,) = re.findall(r"http://testserver(/account/address/\S+/)", str(letter.body))
    assert Client().post(link).status_code == 302
    kim.refresh_from_db()
    assert kim.email == "bea@archer.test"


def test_where_no_mail_is_sent_nothing_offers_any(client: Client, kim: User) -> None:
    assert "mailed" not in client.get(reverse("login")).content.decode()
    for door in ("account_request_login_code", "account_email", "password_reset"):
        client.force_login(kim)
        assert client.get(reverse(door)).status_code == 404
        assert client.post(reverse(door), {"email": "kim@archer.test"}).status_code == 404
    assert reverse("account_email") not in client.get(reverse("account")).content.decode()


def test_mail_that_cannot_be_sent_is_said_to_be(
    client: Client, kim: User, posts: None, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # where nobody listens
    answer = client.post(reverse("account_request_login_code"), {"email": "kim@archer.test"})
    assert answer.status_code == 503
    assert "Nothing can be sent just now" in answer.content.decode()


def test_sessions_elsewhere_are_shown_and_ended(client: Client, kim: User) -> None:
    other = Client(headers={"User-Agent": "a telephone"})
    for each in (client, other):
        each.post(reverse("login"), SIGNED_IN)
    page = client.get(reverse("usersessions_list")).content.decode()
    assert "a telephone" in page
    assert client.post(reverse("usersessions_list")).status_code == 302
    assert is_in(client)
    assert not is_in(other)
    assert "a telephone" not in client.get(reverse("usersessions_list")).content.decode()


def with_waiting(client: Client, address: str) -> None:
    """Have another address wait for whoever is signed in."""
    asked = client.post(reverse("account_email"), {"email": address, "action_add": ""})
    client.post(asked.headers["Location"], {"password": PASSWORD})
    client.post(reverse("account_email"), {"email": address, "action_add": ""})


@pytest.mark.parametrize(
    "typed",
    [
        {"email": "bea@archer.test", "action_primary": ""},
        {"email": "kim@archer.test", "action_remove": ""},
    ],
)
def test_no_form_makes_an_address_ones_own_that_is_not_verified(
    client: Client, kim: User, posts: None, typed: dict[str, str]
) -> None:
    client.force_login(kim)
    with_waiting(client, "bea@archer.test")
    client.post(reverse("account_email"), typed)
    kim.refresh_from_db()
    assert kim.email == "kim@archer.test"
    client.post(reverse("account_email"), {"email": "bea@archer.test", "action_remove": ""})
    assert [one.email for one in EmailAddress.objects.all()] == ["kim@archer.test"]


def test_who_types_in_the_address_of_another_keeps_no_code_from_him(
    client: Client, kim: User, posts: None
) -> None:
    UserFactory.create(username="bea", password=PASSWORD, email="Bea@archer.test")
    client.force_login(kim)
    with_waiting(client, "bea@archer.test")
    other = Client()
    other.post(reverse("account_request_login_code"), {"email": "bea@archer.test"})
    (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    other.post(reverse("account_confirm_login_code"), {"code": code})
    assert other.get(reverse("account")).context["user"].username == "bea"


def test_a_former_address_opens_nothing_once_an_administrator_has_changed_it(
    client: Client, kim: User, posts: None
) -> None:
    EmailAddress.objects.create(user=kim, email="kim@archer.test", verified=True, primary=True)
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    form = client.get(f"/admin/auth/user/{kim.pk}/change/").context["adminform"].form
    typed = {name: form.initial.get(name) or "" for name in ("username", "first_name", "last_name")}
    joined = {"date_joined_0": "2026-01-05", "date_joined_1": "18:00:00", "is_active": "on"}
    data = typed | joined | {"email": "kim@harbour.test"}
    assert client.post(f"/admin/auth/user/{kim.pk}/change/", data).status_code == 302
    for address, opens in (("kim@archer.test", False), ("kim@harbour.test", True)):
        assert (
            Client().post(reverse("login"), {"login": address, "password": PASSWORD}).status_code == 302
        ) is opens
        Client().post(reverse("account_request_login_code"), {"email": address})
        assert ("No account there has it" not in mail.outbox[-1].body) is opens


def test_beyond_a_limit_of_the_library_the_page_says_so(client: Client, kim: User) -> None:
    client.force_login(kim)
    answers = [client.post(reverse("account_reauthenticate"), {"password": PASSWORD}) for _ in range(11)]
    assert [one.status_code for one in answers] == [302] * 10 + [429]
    assert "tried too often" in answers[-1].content.decode()


def test_who_has_a_second_factor_gets_in_while_the_cache_is_away(
    client: Client, kim: User, settings: Any
) -> None:
    client.force_login(kim)
    secret = with_app(client)
    server = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/1"}
    settings.CACHES = settings.CACHES | {"default": left_out_while_away(with_patience(server))}
    other = Client()
    other.post(reverse("login"), SIGNED_IN)
    later = format_hotp_value(hotp_value(secret, int(time.time()) // 30 + 1))
    assert other.post(reverse("mfa_authenticate"), {"code": later}).status_code == 302
    assert is_in(other)
    assert client.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302


def test_a_name_is_the_same_however_its_letters_are_composed(kim: User) -> None:
    UserFactory.create(username="zo\u00eb", password=PASSWORD)
    other = Client()
    other.post(reverse("login"), {"login": "zoe\u0308", "password": PASSWORD})
    assert is_in(other)
