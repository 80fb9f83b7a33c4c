"""`POST /api/v1/score/`: the answer, and every refusal as problem+json (RFC 9457)."""

import json
from typing import Any

import pytest
import time_machine
from django.test import Client
from jsonschema import Draft4Validator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from scoring.documents.sheets import score_document
from tests.scoring.test_documents import EXAMPLE

URL = "/api/v1/score/"
PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code", "deal", "hand", "field"}


def post(body: str | bytes, content_type: str = "application/json", **headers: str) -> Any:
    # A client that checks CSRF as a browser's request would be, and lets faults become a 500.
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    return client.post(URL, body, content_type=content_type, headers=headers)


def problem(response: Any) -> dict[str, Any]:
    assert response.headers["Content-Type"] == "application/problem+json"
    data: dict[str, Any] = json.loads(response.content)
    assert data.keys() == PROBLEM_MEMBERS
    assert (data["type"], data["status"]) == ("about:blank", response.status_code)
    assert data["title"]
    assert data["detail"]
    return data


def test_sheet_is_scored_without_an_account_or_a_token() -> None:
    response = post(json.dumps(EXAMPLE))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == score_document(EXAMPLE)


@pytest.mark.django_db
def test_sheet_is_scored_for_somebody_who_is_logged_in(django_user_model: Any) -> None:
    guarded = Client(enforce_csrf_checks=True)
    guarded.force_login(django_user_model.objects.create_user("ann"))
    assert guarded.post(URL, json.dumps(EXAMPLE), content_type="application/json").status_code == 200


def test_names_are_answered_as_written() -> None:
    sheet = {"sides": [{"name": "Zoë"}, {"name": "Łukasz"}], "deals": []}
    assert "Łukasz" in post(json.dumps(sheet)).content.decode()


def test_refused_hand_is_422_with_its_place() -> None:
    hand = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 12, "defender_deadwood": 20}
    sheet = {**EXAMPLE, "deals": [*EXAMPLE["deals"], {"hands": [hand]}]}
    response = post(json.dumps(sheet))
    assert problem(response) == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "Ann cannot knock with 12: the limit is 10.",
        "code": "illegal_knock",
        "deal": 5,
        "hand": 1,
        "field": "knocker_deadwood",
    }


@pytest.mark.parametrize(
    ("sheet", "code", "place"),
    [
        ({**EXAMPLE, "rules": {"gin_bonuss": 1}}, "unknown_knob", (None, None, "rules.gin_bonuss")),
        ({**EXAMPLE, "rules": {"name": 1}}, "unknown_knob", (None, None, "rules.name")),
        ({**EXAMPLE, "sides": []}, "wrong_sides", (None, None, "sides")),
        ({**EXAMPLE, "\u202e": 1}, "unknown_field", (None, None, "\ufffd")),
        ({}, "wrong_sides", (None, None, "sides")),
        ([], "wrong_type", (None, None, None)),
        (None, "wrong_type", (None, None, None)),
        ("sheet", "wrong_type", (None, None, None)),
    ],
)
def test_refused_content_is_422(sheet: Any, code: str, place: tuple[Any, ...]) -> None:
    response = post(json.dumps(sheet))
    data = problem(response)
    assert (response.status_code, data["code"]) == (422, code)
    assert (data["deal"], data["hand"], data["field"]) == place


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"sides=Ann",
        b"\xff\xfe\x00",
        b'{"a": NaN}',
        b"[" * 100_000,
        b"1" * 5000,
        b'{"a":1}{"a":1}',
        b'{"a":1,"a":1}',
        b'{"a":1e999}',
        rb'{"\ud800":1}',
    ],
    ids=[
        "nothing",
        "cut off",
        "a form",
        "not text",
        "NaN",
        "nested",
        "digits",
        "two documents",
        "a name twice",
        "overflow",
        "half a name",
    ],
)
def test_what_is_not_json_is_400(body: bytes) -> None:
    response = post(body)
    assert (response.status_code, problem(response)["code"]) == (400, "not_json")


def test_large_request_is_413() -> None:
    response = post(b" " * 2_500_001)
    assert (response.status_code, problem(response)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_other_content_types_are_415(content_type: str) -> None:
    response = post(json.dumps(EXAMPLE), content_type)
    assert (response.status_code, problem(response)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_other_methods_are_405(client: Client, method: str) -> None:
    response = getattr(client, method)(URL)
    assert (response.status_code, problem(response)["code"]) == (405, "method_not_allowed")
    assert "POST" in response.headers["Allow"]


def test_answer_that_cannot_be_given_is_406() -> None:
    response = post(json.dumps(EXAMPLE), accept="text/html")
    assert (response.status_code, problem(response)["code"]) == (406, "not_acceptable")


def test_too_many_requests_are_429(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "address": "2/min"}
    with time_machine.travel("2026-11-02 12:00:01Z", tick=False):
        assert [post(json.dumps(EXAMPLE)).status_code for _ in range(2)] == [200, 200]
        response = post(json.dumps(EXAMPLE))
    assert (response.status_code, problem(response)["code"]) == (429, "throttled")
    assert 0 < int(response.headers["Retry-After"]) <= 60


# The OpenAPI document


def operation() -> dict[str, Any]:
    response = Client().get("/api/v1/schema/", headers={"accept": "application/json"})
    found: dict[str, Any] = response.json()["paths"][URL]["post"]
    return found


def plain(schema: Any) -> Any:
    """A schema of OpenAPI 3.0 as plain JSON Schema, in which null is a type like others."""
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: plain(value) for key, value in schema.items() if key != "nullable"}
    return {"anyOf": [inner, {"type": "null"}]} if schema.get("nullable") is True else inner


def test_document_describes_the_request_and_the_answer() -> None:
    content = operation()["requestBody"]["content"]["application/json"]
    (example,) = content["examples"].values()
    request = Draft4Validator(plain(content["schema"]))
    request.validate(EXAMPLE)
    request.validate(example["value"])
    assert not request.is_valid({**EXAMPLE, "rules": {"knock_limit": 99}})
    answer = operation()["responses"]["200"]["content"]["application/json"]
    Draft4Validator(plain(answer["schema"])).validate(score_document(EXAMPLE))
    (example,) = answer["examples"].values()
    assert example["value"] == score_document(EXAMPLE)


def test_document_shows_a_refusal() -> None:
    responses = operation()["responses"]
    (example,) = responses["422"]["content"]["application/problem+json"]["examples"].values()
    assert example["value"].keys() == PROBLEM_MEMBERS


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"[" * 100_000, 400, "not_json"),
        (b" " * 2_500_001, 413, "too_large"),
        (b'{"a": 1}', 200, None),
    ],
    ids=["nested", "large", "well"],
)
def test_every_view_of_the_api_reads_json_within_limits(body: bytes, status: int, code: str | None) -> None:
    """Also one that names no parser of its own."""

    class Plain(APIView):
        authentication_classes = ()
        permission_classes = ()

        def post(self, request: Request) -> Response:
            return Response({"code": request.data and None})

    request = APIRequestFactory().post("/", body, content_type="application/json")
    response = Plain.as_view()(request)
    assert (response.status_code, response.data["code"]) == (status, code)
