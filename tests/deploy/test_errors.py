"""What is answered where no view answers: at addresses that lead nowhere, and after a fault."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client


def answer(client: Client, method: str, address: str) -> Any:
    return client.generic(method, address)


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "OPTIONS"])
@pytest.mark.parametrize(
    "address", ["/api/", "/api/v1/", "/api/v1/nothing/", "/api/v2/score/", "/api/v1/score/1/"]
)
def test_api_answers_a_problem_document(client: Client, method: str, address: str) -> None:
    response = answer(client, method, address)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at this address.",
        "code": "not_found",
        "deal": None,
        "hand": None,
        "field": None,
    }


def test_address_without_its_last_slash_leads_on(client: Client) -> None:
    assert client.get("/api/v1/docs")["Location"] == "/api/v1/docs/"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/nowhere/", "/apis/", "/clubs/nobody/"])
def test_people_are_answered_a_page(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_request_to_a_foreign_host_is_a_problem_under_the_api(client: Client) -> None:
    response = client.get("/api/v1/clubs/", headers={"host": "elsewhere.example"})
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert response.json()["code"] == "bad_request"
    assert "elsewhere" not in response.content.decode()


# Faults


class Broken:
    """Middleware that fails, as one of another library's might."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        raise ValueError("a secret thing")


def fault_answered(terminal: io.StringIO, address: str) -> str:
    """What the log says once the address has been answered with a fault that tells nothing but its name."""
    response = Client(raise_request_exception=False).get(address)
    assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
    told = response.json()
    instance = told.pop("instance")
    assert told == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": "The fault is ours, not yours. What had been saved is saved; try again in a minute.",
        "code": "internal_error",
        "deal": None,
        "hand": None,
        "field": None,
    }
    logged = terminal.getvalue()
    assert instance.startswith("urn:uuid:")
    assert f"{address} ({instance})" in logged
    return logged


@pytest.mark.django_db
def test_fault_in_a_view_of_the_api_is_a_problem_that_the_log_names(terminal: io.StringIO) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_club RENAME TO league_mislaid")
    logged = fault_answered(terminal, "/api/v1/clubs/")
    assert "league_club" in logged
    assert "Traceback" in logged


def test_fault_outside_of_views_is_a_problem_too(terminal: io.StringIO, settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Broken"]
    logged = fault_answered(terminal, "/api/v1/score/")
    assert "ValueError: a secret thing" in logged


def test_every_fault_has_a_name_of_its_own(terminal: io.StringIO, settings: Any) -> None:
    settings.MIDDLEWARE = [f"{__name__}.Broken", *settings.MIDDLEWARE]
    asking = Client(raise_request_exception=False)
    first, second = (asking.get("/api/v1/clubs/").json()["instance"] for _ in range(2))
    assert first != second
    assert terminal.getvalue().count("urn:uuid:") == 2


def test_fault_on_a_page_is_a_page(terminal: io.StringIO, settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Broken"]
    response = Client(raise_request_exception=False).get("/")
    assert response.status_code == 500
    assert "Something went wrong here" in response.content.decode()
    assert "a secret thing" not in response.content.decode()
    assert "urn:uuid:" not in terminal.getvalue()
