"""Guessing of passwords: a limit for one account, one for an address, and both by the right address; of the
old password too, where a new one is chosen.
"""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from axes.models import AccessAttempt, AccessFailureLog
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse

from deploy import logins
from deploy.logins import client_address
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

Login = Callable[..., int]
HERE, THERE = "203.0.113.1", "2001:db8::2"


@pytest.fixture
def proxy(settings: Any) -> None:
    """One that speaks to all browsers; REMOTE_ADDR is its own address."""
    settings.BEHIND_PROXY = True


@pytest.fixture
def login() -> Login:
    """Tries a password; answers the status: 302 is in, 200 is wrong, 429 is too many."""
    UserFactory.create(username="kim", password="a quiet night")

    def attempt(password: str, *, forwarded: str, username: str = "kim") -> int:
        data = {"login": username, "password": password}
        return Client().post("/login/", data, headers={"X-Forwarded-For": forwarded}).status_code

    return attempt


def test_guesses_from_elsewhere_lock_nobody_out(proxy: None, login: Login) -> None:
    for _ in range(9):
        assert login("wrong", forwarded=HERE) == 200
    assert login("wrong", forwarded=HERE) == 429
    assert login("a quiet night", forwarded=HERE) == 429
    assert login("a quiet night", forwarded=THERE) == 302


def test_an_invented_address_does_not_help(proxy: None, login: Login) -> None:
    for number in range(10):
        login("wrong", forwarded=f"198.51.100.{number}, {HERE}")
    assert login("a quiet night", forwarded=f"{THERE}, {HERE}") == 429


def test_many_accounts_from_one_address(proxy: None, login: Login, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logins, "MOST_FROM_ONE_ADDRESS", 20)
    for number in range(19):
        assert login("gin", forwarded=HERE, username=f"member{number}") == 200
    assert login("gin", forwarded=HERE, username="member19") == 429
    assert login("a quiet night", forwarded=HERE) == 429
    assert login("a quiet night", forwarded=THERE) == 302


NEW = "another night at the harbour"
DOORS = ("password_change", "admin:password_change")


def change(client: Client, door: str, old: str) -> int:
    """Asks for a new password; answers the status: 302 is done, 200 is wrong, 429 is too many."""
    data = {"oldpassword": old, "password1": NEW, "password2": NEW}
    return client.post(reverse(door), data).status_code


def sign_in(password: str, address: str) -> int:
    data = {"login": "kim", "password": password}
    return Client().post("/login/", data, REMOTE_ADDR=address).status_code


@pytest.mark.parametrize("door", DOORS)
def test_an_open_session_does_not_let_the_old_password_be_guessed(client: Client, door: str) -> None:
    client.force_login(UserFactory.create(username="kim", password="a quiet night"))
    assert [change(client, door, f"guess {number}") for number in range(9)] == [200] * 9
    assert change(client, door, "guess 9") == 429
    # Neither the right one nor another door opens now, and nothing was changed.
    for other in DOORS:
        assert change(client, other, "a quiet night") == 429
    assert sign_in("a quiet night", "127.0.0.1") == 429
    assert sign_in("a quiet night", THERE) == 302


@pytest.mark.parametrize("door", DOORS)
def test_who_knows_the_old_password_has_a_new_one(client: Client, door: str) -> None:
    client.force_login(UserFactory.create(username="kim", password="a quiet night"))
    assert change(client, door, "a quiet nihgt") == 200
    assert change(client, door, "a quiet night") == 302
    assert sign_in(NEW, THERE) == 302


def test_nothing_that_was_typed_as_a_password_is_kept(client: Client) -> None:
    client.force_login(UserFactory.create(username="kim", password="a quiet night"))
    change(client, "password_change", "almost my password")
    client.post("/login/", {"login": "kim", "password": "almost my password"})
    attempts = [str(row) for model in (AccessAttempt, AccessFailureLog) for row in model.objects.values()]
    assert attempts
    assert not any(secret in row for row in attempts for secret in ("almost", NEW))


@pytest.mark.parametrize(
    ("behind_proxy", "forwarded", "address"),
    [
        (False, HERE, "127.0.0.1"),
        (True, HERE, HERE),
        (True, f"{THERE}, {HERE}", HERE),
        (True, THERE, THERE),
        (True, "unknown", "127.0.0.1"),
        (True, "", "127.0.0.1"),
    ],
)
def test_client_address(
    settings: Any, rf: RequestFactory, behind_proxy: bool, forwarded: str, address: str
) -> None:
    settings.BEHIND_PROXY = behind_proxy
    assert client_address(rf.get("/", headers={"X-Forwarded-For": forwarded})) == address


def test_no_address_on_a_socket_file(rf: RequestFactory) -> None:
    assert client_address(rf.get("/", REMOTE_ADDR="")) is None


def test_a_network_of_ipv6_is_one_client(proxy: None, login: Login) -> None:
    """A subscriber has 2^64 addresses."""
    for number in range(9):
        assert login("wrong", forwarded=f"2001:db8:0:7:{number}::1") == 200
    assert login("wrong", forwarded="2001:db8:0:7:ffff::9") == 429
    assert login("a quiet night", forwarded="2001:db8:0:7::1") == 429
    assert login("a quiet night", forwarded="2001:db8:0:8::1") == 302


@pytest.mark.parametrize(
    ("told", "address"),
    [("::ffff:203.0.113.1", "203.0.113.1"), ("fe80::1%eth0", "fe80::1"), ("[2001:db8::2]", None)],
)
def test_address_as_a_listener_for_both_versions_tells_it(
    rf: RequestFactory, told: str, address: str | None
) -> None:
    assert client_address(rf.get("/", REMOTE_ADDR=told)) == address


def test_addresses_of_version_4_are_no_network_of_version_6(proxy: None, login: Login) -> None:
    for _ in range(10):
        login("wrong", forwarded="::ffff:203.0.113.1")
    assert login("a quiet night", forwarded="::ffff:203.0.113.1") == 429
    assert login("a quiet night", forwarded="::ffff:198.51.100.2") == 302


def test_who_signed_in_from_a_browser_before_still_can_in_a_flood(
    login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "MOST_FROM_ONE_ADDRESS", 10)
    known, right = Client(), {"login": "kim", "password": "a quiet night"}
    assert known.post("/login/", right).status_code == 302
    (cookie,) = (morsel for name, morsel in known.cookies.items() if name.startswith("device-"))
    assert cookie["httponly"]
    assert "kim" not in cookie.OutputString()
    known.post("/logout/")
    for number in range(12):
        login("gin", forwarded="", username=f"member{number}")
        login("gin", forwarded="")
    assert login("a quiet night", forwarded="") == 429
    assert known.post("/login/", right).status_code == 302
    # The cookie is his alone, and what is made up is none.
    UserFactory.create(username="lou", password="a quiet night")
    assert known.post("/logout/").status_code == 302
    assert known.post("/login/", {**right, "login": "lou"}).status_code == 429
    forged = Client()
    forged.cookies[cookie.key] = cookie.value[::-1]
    assert forged.post("/login/", right).status_code == 429


def test_guesses_from_a_known_browser_are_counted_for_it_alone(login: Login) -> None:
    known, right = Client(), {"login": "kim", "password": "a quiet night"}
    assert known.post("/login/", right).status_code == 302
    known.post("/logout/")
    wrong = {"login": "kim", "password": "wrong"}
    assert [known.post("/login/", wrong).status_code for _ in range(10)] == [200] * 9 + [429]
    assert known.post("/login/", right).status_code == 429
    assert login("a quiet night", forwarded="") == 302


def test_one_account_is_counted_once_however_it_is_named(login: Login) -> None:
    User.objects.filter(username="kim").update(email="kim@archer.test")
    for name in (
        "kim",
        "KIM",
        "kim@archer.test",
        "Kim@Archer.test",
        "kiM",
        " kim ",
        "KIM@ARCHER.TEST",
        "Kim",
        "kIm",
    ):
        assert login("wrong", forwarded="", username=name) == 200
    assert login("wrong", forwarded="", username="kIM") == 429
    assert login("a quiet night", forwarded="", username="kim@archer.test") == 429
    assert AccessAttempt.objects.values_list("username", flat=True).distinct().get() == "kim"


def test_the_mail_address_lets_in_as_the_user_name_does(login: Login) -> None:
    User.objects.filter(username="kim").update(email="kim@archer.test")
    assert login("a quiet night", forwarded="", username="KIM@archer.test") == 302
    assert login("a quiet night", forwarded="", username="Kim") == 302


def test_names_that_differ_in_capitals_alone_are_two_accounts(login: Login) -> None:
    UserFactory.create(username="Kim", password="a loud morning")
    client = Client()
    assert client.post("/login/", {"login": "Kim", "password": "a loud morning"}).status_code == 302
    assert client.get("/account/").context["user"].username == "Kim"
    assert login("a quiet night", forwarded="") == 302
    assert login("a loud morning", forwarded="") == 200


@pytest.mark.parametrize("way", ["a user name like the address", "an address that waits", "the same address"])
def test_nobody_begins_the_count_for_another_account_anew(login: Login, way: str) -> None:
    """Mallory signs in rightly in between, to an account that is found by the address of Kim's."""
    User.objects.filter(username="kim").update(email="kim@archer.test")
    named = "kim@archer.test" if way == "a user name like the address" else "mallory"
    own = UserFactory.create(username=named, password="a loud morning")
    if way == "an address that waits":
        EmailAddress.objects.create(user=own, email="kim@archer.test")
    elif way == "the same address":
        User.objects.filter(pk=own.pk).update(email="kim@archer.test")
    answers = []
    for number in range(12):
        answers.append(login("wrong", forwarded="", username="kim@archer.test"))
        if number % 3 == 2:
            login("a loud morning", forwarded="", username=named)
    assert answers[-2:] == [429, 429]
