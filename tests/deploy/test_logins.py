"""Guessing of passwords: a limit for one account, one for an address, and both by the right address."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, RequestFactory

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
        data = {"username": username, "password": password}
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
