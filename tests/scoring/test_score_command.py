"""`manage.py score FILE`: the endpoint's own bytes, or a sentence and exit 2."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings

from tests.deploy.machine import PATIENCE
from tests.scoring.strategies import sheets
from tests.scoring.test_documents import EXAMPLE, document_of

ROOT = Path(__file__).resolve().parents[2]


def score(file: Path | str) -> str:
    out = io.StringIO()
    call_command("score", str(file), stdout=out)
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sheet.json"


def endpoint(document: Any) -> str:
    response = Client().post("/api/v1/score/", json.dumps(document), content_type="application/json")
    assert response.status_code == 200
    return response.content.decode()


def test_command_prints_what_the_endpoint_answers(file: Path) -> None:
    document = {**EXAMPLE, "sides": [{"name": "Zoë"}, {"name": "Ł"}], "deals": [None]}
    for sheet in (EXAMPLE, document):
        file.write_text(json.dumps(sheet))
        assert score(file) == endpoint(sheet) + "\n"


@given(sheet=sheets(most=8))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_command_prints_what_the_endpoint_answers_for_any_sheet(file: Path, sheet: Any) -> None:
    document = document_of(sheet)
    file.write_text(json.dumps(document))
    assert score(file) == endpoint(document) + "\n"


def test_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(EXAMPLE).encode())))
    assert json.loads(score("-"))["totals"] == {"Ann": 137, "Bob": 81}


def refusal(file: Path | str) -> str:
    with pytest.raises(CommandError) as refused:
        score(file)
    assert refused.value.returncode == 2
    return str(refused.value)


def test_refusal_says_what_and_where(file: Path) -> None:
    hand = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 12, "defender_deadwood": 20}
    file.write_text(json.dumps({**EXAMPLE, "deals": [{"hands": [hand]}]}))
    assert refusal(file) == "deal 1, hand 1, knocker_deadwood: Ann cannot knock with 12: the limit is 10."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"Ann 12", "not JSON"),
        (b"\x7fELF\x02\xff", "not text in UTF-8"),
        (b'{"rules": NaN}', "NaN is not a number"),
        (b"[" * 200_000, "nested too deep"),
        (b"9" * 5000, "too many digits"),
        (b"[" + b" " * 2_500_000 + b"]", "larger than 2,500,000 bytes"),
        (b"[]", "an object with rules, sides and deals"),
    ],
    ids=["nothing", "text", "a program", "NaN", "nested", "digits", "size", "a list"],
)
def test_file_is_refused_with_a_sentence(file: Path, data: bytes, words: str) -> None:
    file.write_bytes(data)
    assert words in refusal(file)


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert (
        refusal(tmp_path / "none.json")
        == f"{tmp_path / 'none.json'} cannot be read: No such file or directory."
    )
    assert refusal(tmp_path) == f"{tmp_path} cannot be read: Is a directory."


def run(*arguments: str, data: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "score", *arguments],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.dear("starts a program of its own")
def test_program_prints_json_in_utf_8_whatever_the_terminal_speaks() -> None:
    sheet = {"sides": [{"name": "Łukasz"}, {"name": "♠"}], "deals": []}
    done = run("-", data=json.dumps(sheet).encode(), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == endpoint(sheet) + "\n"


@pytest.mark.dear("starts a program of its own")
def test_program_exits_2_with_the_sentence_on_standard_error() -> None:
    done = run("-", data=b'{"sides": [{"name": "Ann"}, {"name": "Ann"}]}')
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "CommandError: sides: Two sides are called “Ann”.\n"


@pytest.mark.dear("starts a program of its own")
def test_program_exits_2_without_a_file() -> None:
    assert run().returncode == 2
