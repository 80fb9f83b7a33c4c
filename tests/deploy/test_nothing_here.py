"""Addresses that lead nowhere."""

from typing import Any

import pytest
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
