"""Every kind of game by `POST /api/v1/score/` and `manage.py score`, as the API's document describes it."""

import io
import json
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft4Validator

from scoring.documents.sheets import score_document
from tests.scoring.kinds.strategies import KINDS, sheet_of
from tests.scoring.test_score_api import operation, plain

URL = "/api/v1/score/"


@pytest.mark.parametrize("kind", KINDS)
def test_endpoint_and_command_answer_what_the_document_describes(kind: str, tmp_path: Path) -> None:
    described = operation()
    request, answer = (
        Draft4Validator(plain(part["content"]["application/json"]["schema"]))
        for part in (described["requestBody"], described["responses"]["200"])
    )
    file = tmp_path / "sheet.json"
    for seed in range(5):
        sheet = sheet_of(Random(seed), kind, 12, {"target": 9999, "deals": None})
        request.validate(sheet)
        response = Client().post(URL, json.dumps(sheet), content_type="application/json")
        assert response.status_code == 200
        assert response.json() == score_document(sheet)
        answer.validate(response.json())
        file.write_text(json.dumps(sheet))
        out = io.StringIO()
        call_command("score", str(file), stdout=out)
        assert out.getvalue() == response.content.decode() + "\n"


def test_refusal_names_deal_hand_and_field() -> None:
    hand = {"kind": "out", "winner": "Ann", "left": {"Bob": 5, "Cid": 71}}
    sheet = {
        "rules": {"preset": "basic_rummy"},
        "sides": [{"name": name} for name in ("Ann", "Bob", "Cid")],
        "deals": [{"hands": [hand]}],
    }
    response = Client().post(URL, json.dumps(sheet), content_type="application/json")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (422, "out_of_range")
    assert (problem["deal"], problem["hand"], problem["field"]) == (1, 1, "left.Cid")
    assert problem["detail"] == "Cid can have 1 to 70 left, not 71."
