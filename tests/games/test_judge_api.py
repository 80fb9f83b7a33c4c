"""`POST /api/v1/judge/`: the ruling, and every refusal as problem+json (RFC 9457)."""

import json
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft4Validator

from games.gin.documents import judge_document
from tests.games.test_judge_documents import EXAMPLE
from tests.scoring.test_score_api import plain, problem

URL = "/api/v1/judge/"


def post(body: str | bytes, content_type: str = "application/json") -> Any:
    # A client that checks CSRF as a browser's request would be, and lets faults become a 500.
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    return client.post(URL, body, content_type=content_type)


def test_hand_is_judged_without_an_account_or_a_token() -> None:
    response = post(json.dumps(EXAMPLE))
    assert response.status_code == 200
    assert response.json() == judge_document(EXAMPLE)


def test_refused_hand_is_422_with_the_field() -> None:
    response = post(json.dumps(EXAMPLE | {"knocker": "AS 2S 3S 7C 7D 7H JC JD 8H 4D"}))
    assert problem(response) == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "The knocker cannot knock with 32: the limit is 10.",
        "code": "illegal_knock",
        "deal": None,
        "hand": None,
        "field": "knocker",
    }


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (b"", "application/json", 400, "not_json"),
        (b"AS 2S", "application/json", 400, "not_json"),
        (b"[]", "application/json", 422, "wrong_type"),
        (b'{"rules": {"ace": "high"}}', "application/json", 422, "unknown_value"),
        (b'{"knocker": "' + b"AS " * 800_000 + b'"}', "application/json", 422, "card_twice"),
        (b" " * 2_500_001, "application/json", 413, "too_large"),
        (b"knocker=AS", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
    ],
    ids=["nothing", "text", "a list", "rules", "a long hand", "too large", "a form"],
)
def test_request_is_refused(body: bytes, content_type: str, status: int, code: str) -> None:
    response = post(body, content_type)
    assert (response.status_code, problem(response)["code"]) == (status, code)


def test_other_methods_are_405(client: Client) -> None:
    assert client.get(URL).status_code == 405


def test_document_describes_the_request_and_the_ruling() -> None:
    schema = Client().get("/api/v1/schema/", headers={"accept": "application/json"}).json()
    operation = schema["paths"][URL]["post"]
    request = operation["requestBody"]["content"]["application/json"]
    Draft4Validator(plain(request["schema"])).validate(EXAMPLE)
    (example,) = request["examples"].values()
    answer = operation["responses"]["200"]["content"]["application/json"]
    ruling = Draft4Validator(plain(answer["schema"]))
    ruling.validate(judge_document(EXAMPLE))
    dead = EXAMPLE | {
        "rules": {"undercut_on_tie": False},
        "knocker": "AS 2S 3S 7C 7D 7H JC JD JH 8D",
        "defender": "4C 4D 4H QC QD QH KC KD KH 8S",
    }
    ruling.validate(judge_document(dead))
    jersey = {
        "rules": {"preset": "jersey"},
        "knocker": EXAMPLE["knocker"],
        "others": [EXAMPLE["defender"], "2C 3C 4C 2D 3D 5D 6D 7S 8S 8H"],
    }
    rummy = {"rules": {"preset": "basic_rummy"}, "left": ["KC 2D", "8H"]}
    for document in (jersey, rummy):
        Draft4Validator(plain(request["schema"])).validate(document)
        response = post(json.dumps(document))
        assert (response.status_code, response.json()) == (200, judge_document(document))
        ruling.validate(response.json())
    assert [one["value"] for one in answer["examples"].values()] == [judge_document(example["value"])]
    assert operation["responses"].keys() == {"200", "400", "406", "413", "415", "422", "429", "500", "503"}
    (refusal,) = operation["responses"]["422"]["content"]["application/problem+json"]["examples"].values()
    assert refusal["value"]["code"] == "illegal_knock"
