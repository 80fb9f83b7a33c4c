"""`manage.py movement`: cards as text, the schedule as JSON, cards to cut as PDF; what it refuses."""

import datetime
import io
import json
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.core.pairing.movements import Unevenness
from league.core.pairing.rotation import schedule
from league.draws.movement_words import unevenness_words
from league.pages.printing.movements import movement_pdf
from tests.pdf_text import pages, texts

MADE_AT = datetime.datetime(2026, 1, 7, tzinfo=datetime.UTC)
ROOT = Path(__file__).resolve().parent.parent.parent


def run(*arguments: object) -> str:
    out = io.StringIO()
    call_command("movement", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_text_has_a_card_for_each_table() -> None:
    lines = run("--players", 5).splitlines()
    assert lines[0] == "5 players, 5 rounds, 1 table."
    assert lines[1] == (
        "Everybody partners everybody once. Everybody opposes everybody twice. Everybody sits out once."
    )
    assert [line for line in lines if line and not line.startswith(" ")][2:] == ["Table 1", "Sitting out"]
    assert sum(line.startswith("  round") for line in lines) == 10


def test_json_has_the_rounds_and_their_unevenness() -> None:
    said = json.loads(run("--players", 12, "--format", "json"))
    partners = Counter(
        frozenset(pair) for each in said["rounds"] for table in each["tables"] for pair in table
    )
    assert partners == {frozenset(pair): 1 for pair in combinations(range(1, 13), 2)}
    assert said["unevenness"] == {
        "partner_repeats": 0,
        "opponents_apart": 0,
        "sit_outs_apart": 0,
        "partners": {"1": 66},
        "opponents": {"2": 66},
        "sit_outs": {"0": 12},
    }


def test_rounds_and_seed_are_taken() -> None:
    said = json.loads(run("--players", 10, "--rounds", 3, "--format", "json", "--seed", 4))
    assert [each["number"] for each in said["rounds"]] == [1, 2, 3]
    assert [len(each["sit_out"]) for each in said["rounds"]] == [2, 2, 2]


def test_pdf_goes_to_standard_output() -> None:
    command = [sys.executable, "manage.py", "movement", "--players", "8", "--format", "pdf"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.startswith(b"%PDF")
    # Two tables and eight players, four cards to a page.
    assert pages(done.stdout) == 3


def test_cards_number_the_players() -> None:
    said = texts(movement_pdf(schedule(5), title="An evening", made_at=MADE_AT))
    assert {"Table 1", "Sitting out", *(f"Player {number}" for number in range(1, 6))} <= set(said)
    assert said.count("sits out") == 5
    assert said.count("An evening") == 7


@pytest.mark.parametrize(("players", "rounds", "count"), [(8, 30, 5), (4, 60, 5), (4, 20, 2)])
def test_many_rounds_get_longer_cards(players: int, rounds: int, count: int) -> None:
    # Up to 20 rounds four cards to a page, up to 46 two; then a card goes on on another.
    pdf = movement_pdf(schedule(players, rounds, budget=1_000), title="Many", made_at=MADE_AT)
    assert pages(pdf) == count


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", 3], "A table has four players, and there are 3."),
        (["--players", 100_000], "A movement has at most 512 players, not 100000."),
        (["--players", 8, "--rounds", 0], "A movement has at least one round, not 0."),
        (["--players", 400], "Ask for fewer rounds."),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(arguments: list[object], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        run(*arguments)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("uneven", "sentences"),
    [
        (
            Unevenness((0, 4, 2), (0, 0, 0, 3, 3), (2, 2)),
            [
                "Any two are partners 1 or 2 times.",
                "Any two are opponents 3 to 4 times.",
                "Everybody is without a table in 0 to 1 rounds.",
            ],
        ),
        (
            Unevenness((3, 3), (2, 4), (0, 4)),
            [
                "Nobody has the same partner twice.",
                "Nobody has the same opponent twice.",
                "Everybody sits out once.",
            ],
        ),
        (
            Unevenness((1, 4, 1), (0, 0, 6), (4,)),
            [
                "1 partnership comes again while others come more rarely: any two are partners 0 to 2 times.",
                "Everybody opposes everybody twice.",
                "Nobody sits out.",
            ],
        ),
    ],
)
def test_unevenness_is_said_in_sentences(uneven: Unevenness, sentences: list[str]) -> None:
    assert unevenness_words(uneven) == sentences
