"""`manage.py judge FILE`: the endpoint's own bytes, or a sentence and exit 2."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.deploy.machine import PATIENCE
from tests.games.test_judge_api import post
from tests.games.test_judge_documents import EXAMPLE

ROOT = Path(__file__).resolve().parents[2]


def judged(file: Path) -> str:
    out = StringIO()
    call_command("judge", str(file), stdout=out)
    return out.getvalue()


def test_command_prints_what_the_endpoint_answers(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(EXAMPLE))
    assert judged(file) == post(json.dumps(EXAMPLE)).content.decode() + "\n"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"AS 2S", "not JSON"),
        (b"[]", "an object with rules and hands"),
        (b'{"knocker": "AX"}', "knocker: “AX” is not a card"),
        (b'{"rules": {"ace": "high"}}', "rules.ace: ace is one of"),
    ],
)
def test_file_is_refused_with_a_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    file = tmp_path / "hand.json"
    file.write_bytes(data)
    with pytest.raises(CommandError) as refused:
        judged(file)
    assert refused.value.returncode == 2
    assert sentence in str(refused.value)


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read: Is a directory") as refused:
        judged(tmp_path)
    assert refused.value.returncode == 2


def run(data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "judge", "-"],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.dear("starts a program of its own")
def test_program_reads_standard_input() -> None:
    done = run(json.dumps(EXAMPLE).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["points"] == 38


def test_program_exits_2_with_the_sentence_on_standard_error() -> None:
    done = run(json.dumps(EXAMPLE | {"knocker": EXAMPLE["knocker"][3:]}).encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("CommandError: knocker: The knocker has 10 cards")
