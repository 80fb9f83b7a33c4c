"""How often one may ask and guess, and what is answered to who does it more often."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from deploy.broker import with_patience
from deploy.limits import Limit, check_limits
from league.models import Club, TokenScope
from league.people.beginning import begin_club, new_code, read_code
from league.people.invitations import NewAccount
from league.people.tokens import issue_token
from tests.clients import logged_in
from tests.deploy.machine import manage
from tests.factories import UserFactory

HERE, THERE = "203.0.113.1", "198.51.100.2"
ASKED = "/api/v1/asked/"


class Asked(APIView):
    """Whatever programs ask."""

    permission_classes = ()

    def get(self, request: Request) -> Response:
        return Response({})


def opened(request: HttpRequest, secret: str) -> HttpResponse:
    """A door that one secret opens, and that answers with a status to the secret of that name."""
    if secret.isdecimal() and len(secret) == 3:
        return HttpResponse(status=int(secret))
    if secret != "right":
        raise Http404
    return HttpResponse("open")


def sent(request: HttpRequest) -> HttpResponse:
    """A form that has a mail sent."""
    return HttpResponse("sent")


urlpatterns = [
    path("api/v1/asked/", Asked.as_view()),
    path("table/<str:secret>/", opened, name="table_open"),
    path("invitations/<str:secret>/", opened, name="invitation"),
    path("reset/", sent, name="password_reset"),
    path("other/<str:secret>/", opened, name="other"),
    path("", include("deploy.urls")),
]

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


@pytest.fixture(autouse=True)
def clock(settings: Any) -> Iterator[time_machine.Traveller]:
    """Small ones, and a clock that stands a second after the minute began."""
    settings.BEHIND_PROXY = True
    settings.LIMITS = {
        "token": "3/min",
        "user": "3/min",
        "address": "2/min",
        "guess": "2/min",
        "mail": "2/hour",
    }
    with time_machine.travel("2026-11-02 12:00:01Z", tick=False) as traveller:
        yield traveller


def ask(address: str = ASKED, *, of: str = HERE, client: Client | None = None, **headers: str) -> int:
    """The status of a question from that address."""
    return (client or Client()).get(address, headers={"X-Forwarded-For": of, **headers}).status_code


def test_strangers_are_counted_by_address(clock: time_machine.Traveller) -> None:
    assert [ask() for _ in range(3)] == [200, 200, 429]
    assert ask(of=THERE) == 200
    clock.shift(59)
    assert ask() == 200


def test_refusal_is_a_problem_that_says_when() -> None:
    for _ in range(2):
        ask()
    answer = Client().get(ASKED, headers={"X-Forwarded-For": HERE})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "59")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "throttled"


def test_who_asks_and_who_guesses_too_often_are_answered_alike(clock: time_machine.Traveller) -> None:
    clock.shift(58)

    def refused(**headers: str) -> Any:
        return [Client().get(ASKED, headers={"X-Forwarded-For": HERE, **headers}) for _ in range(3)][-1]

    # A minute is counted, of which a second is left.
    asked, guessed = refused(), refused(Authorization="Token gin_1")
    assert asked.json() == guessed.json()
    for name in ("Content-Type", "Retry-After"):
        assert asked[name] == guessed[name]


def test_addresses_of_one_network_of_the_sixth_version_are_one() -> None:
    assert [ask(of=f"2001:db8:1:2::{last}") for last in (1, 2, 3)] == [200, 200, 429]
    assert ask(of="2001:db8:1:3::1") == 200


def test_tokens_are_counted_each_by_itself_wherever_they_ask_from() -> None:
    user = UserFactory.create()
    first, second = (issue_token(user=user, name="Clock", scope=TokenScope.READ, days=1)[1] for _ in range(2))
    statuses = [ask(of=of, Authorization=f"Token {first}") for of in (HERE, THERE, HERE, THERE)]
    assert statuses == [200, 200, 200, 429]
    assert ask(Authorization=f"Token {second}") == 200
    assert ask() == 200


def test_people_are_counted_by_account() -> None:
    browser = logged_in(UserFactory.create())
    assert [ask(client=browser) for _ in range(4)] == [200, 200, 200, 429]
    assert ask() == 200


def test_no_limit_is_written_as_nought(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "address": "0"}
    assert {ask() for _ in range(20)} == {200}


def test_wrong_tokens_are_told_to_wait_and_right_ones_open() -> None:
    _token, secret = issue_token(user=UserFactory.create(), name="x", scope=TokenScope.READ, days=1)
    assert [ask(Authorization=f"Token gin_{n}") for n in range(3)] == [401, 401, 429]
    assert ask(Authorization=f"Token {secret}") == 200
    assert ask(of=THERE, Authorization="Token gin_0") == 401


@pytest.mark.parametrize("door", ["table", "invitations"])
def test_wrong_secrets_are_told_to_wait_and_right_ones_open(door: str) -> None:
    assert [ask(f"/{door}/{n}/") for n in range(3)] == [404, 404, 429]
    assert ask(f"/{door}/right/") == 200
    assert ask(f"/{door}/wrong/", of=THERE) == 404


@pytest.mark.parametrize("status", [400, 403, 409, 422, 429, 500, 503])
def test_other_refusals_at_a_door_are_no_guesses(status: int) -> None:
    """An outage, or a form filled in wrongly behind a right secret, shuts nobody's network out."""
    assert [ask(f"/table/{status}/") for _ in range(9)] == [status] * 9
    assert [ask(f"/table/wrong{n}/") for n in range(3)] == [404, 404, 429]


def test_each_door_is_counted_by_itself() -> None:
    assert [ask(f"/table/{n}/") for n in range(3)] == [404, 404, 429]
    assert ask("/invitations/wrong/") == 404


def test_other_addresses_that_lead_nowhere_are_not_counted() -> None:
    assert {ask(f"/other/{n}/") for n in range(9)} == {404}
    assert {ask(f"/nothing/{n}/") for n in range(9)} == {404}


def test_doors_that_take_a_secret_are_those_that_are_limited() -> None:
    secret = "x" * 43
    doors = [f"/table/{secret}/", f"/invitations/{secret}/", f"/account/forgotten/MQ/{secret}/"]
    with override_settings(ROOT_URLCONF="deploy.urls"):
        for door in doors:
            assert [ask(door) for _ in range(3)] == [404, 404, 429], door
        mail = Client(headers={"X-Forwarded-For": HERE})
        asked = [mail.post("/account/forgotten/", {"email": "a@example.org"}) for _ in range(3)]
        assert [answer.status_code == 429 for answer in asked] == [False, False, True]


def test_wrong_codes_of_a_beginning_are_guesses_and_nothing_else_is() -> None:
    """The code of the first start: told apart from mistakes in a form, and from what is over."""
    visitor = Client(headers={"X-Forwarded-For": HERE})
    code = new_code()

    def asked(address: str, data: dict[str, str] | None = None) -> int:
        return (visitor.get(address) if data is None else visitor.post(address, data)).status_code

    with override_settings(ROOT_URLCONF="deploy.urls"):
        assert [asked("/begin/") for _ in range(4)] == [200] * 4
        assert [asked("/begin/", {"code": ""}) for _ in range(4)] == [422] * 4
        assert [asked(f"/begin/{code}/", {"club": "Quayside"}) for _ in range(4)] == [422] * 4
        assert [asked("/begin/", {"code": f"wrong{n}"}) for n in range(3)] == [422, 422, 429]
        assert [asked(f"/begin/wrong{n}/") for n in range(3)] == [404, 404, 429]
        assert [asked("/begin/demo/", {"code": f"wrong{n}"}) for n in range(3)] == [404, 404, 429]
        assert asked("/begin/", {"code": code}) == 302
        opened = read_code(code)
        assert opened is not None
        bea = NewAccount("bea", "a rather long secret", "Bea Berg")
        begin_club(by=opened, name="Quay", place="", time_zone="UTC", is_public=False, account=bea)
        Club.objects.update(is_guided=False)
        for address, data in (
            ("/begin/", None),
            ("/begin/", {"code": code}),
            (f"/begin/{code}/", None),
            ("/begin/demo/", {"code": code}),
        ):
            caches["default"].clear()
            assert [asked(address, data) for _ in range(4)] == [404] * 4, address


def test_page_of_the_refusal_says_when(client: Client) -> None:
    for _ in range(2):
        client.get("/table/wrong/")
    answer = client.get("/table/wrong/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "59")
    assert "Try again in a minute." in answer.content.decode()


def test_mail_is_not_sent_again_and_again() -> None:
    client = Client(headers={"X-Forwarded-For": HERE})
    assert [client.post("/reset/").status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/reset/").status_code == 200
    answer = client.post("/reset/")
    assert answer.headers["Retry-After"] == "3599"
    assert "Try again in 60 minutes." in answer.content.decode()


def test_locked_out_password_is_answered_by_the_page(settings: Any) -> None:
    UserFactory.create(username="kim", password="a quiet night")
    settings.AXES_FAILURE_LIMIT = 2
    data = {"login": "kim", "password": "wrong"}
    for _ in range(2):
        answer = Client().post("/login/", data, headers={"X-Forwarded-For": HERE})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "900")
    assert "Try again in 15 minutes." in answer.content.decode()


def test_threads_lose_no_count() -> None:
    limit = Limit("threads", 1000, 3600)
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: limit.count("x"), range(1200)))
    assert sum(1 for wait in waits if not wait) == 1000


def test_cache_that_is_away_limits_nothing(caplog: pytest.LogCaptureFixture) -> None:
    away = {
        "default": {
            "BACKEND": "deploy.caches.ServerCache",
            "LOCATION": "redis://127.0.0.1:1/1",
        }
    }
    with override_settings(CACHES=away), caplog.at_level(logging.WARNING, "deploy.limits"):
        assert [ask() for _ in range(3)] == [200, 200, 200]
    assert "the cache does not answer" in caplog.text
    assert caches["default"].get("x") is None


def test_cache_that_is_silent_costs_a_second_unless_the_address_says_else() -> None:
    server = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/1"}
    assert with_patience(server)["OPTIONS"] == {"socket_connect_timeout": 1, "socket_timeout": 1}
    assert with_patience(server | {"OPTIONS": {"socket_timeout": 3}})["OPTIONS"]["socket_timeout"] == 3


@pytest.mark.parametrize("written", ["", "many", "300", "300/", "300/fortnight", "-1/min", "0/min", "1.5/s"])
def test_limit_that_cannot_be_read_is_told_at_the_start(settings: Any, written: str) -> None:
    settings.LIMITS = {"token": written, "user": "1/s"}
    (error,) = check_limits(None)
    assert error.id == "deploy.E001"
    assert f"LIMIT_TOKEN is “{written}”." == error.msg


@pytest.mark.dear("starts a program of its own")
def test_limits_of_the_environment_are_checked(tmp_path: Any) -> None:
    checked = manage("check", DATA_DIR=str(tmp_path), LIMIT_TOKEN="ten a minute")
    assert checked.returncode == 1
    assert "deploy.E001" in checked.stderr
