"""The rule sheet on paper: how its pages are filled."""

import datetime
from typing import Any

import pytest

from league.pages.printing.house_rules import rules_pdf
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.words.knob_words import GIN_PRESET_WORDS, PRESET_WORDS
from tests.pdf_text import pages, texts

# Most knobs turned, so that the sheet is as long as it gets.
TURNED: dict[str, Any] = {
    "target": 150,
    "gin_bonus": 30,
    "undercut_bonus": 15,
    "game_bonus": 150,
    "box_bonus": 30,
    "extra_boxes": {"gin": 2, "big_gin": 3, "undercut": 1, "gin_off": 1},
    "double_if_loser_boxless": True,
    "last_column_double": True,
    "team_scoring": "sum",
    "packs": "shared",
    "first_dealer": "low",
    "next_dealer": "winner",
    "discard_taken_card": "always",
    "stock_end": "fiftieth_card",
    "undercut_penalty": "bonus",
}


def sheet_of(rules: Rules) -> bytes:
    when = datetime.datetime(2026, 1, 7, 20, 0, tzinfo=datetime.UTC)
    kept = HouseRules(name="Ours", code="ours", version=1, created_at=when, knobs=rules.to_document())
    return rules_pdf(kept, newest=kept, club="Harbour", address="https://gin.example/r/ours/")


@pytest.mark.parametrize("columns", [1, 3, 12])
@pytest.mark.parametrize("preset", GIN_PRESET_WORDS)
def test_what_is_longer_than_a_page_shares_the_next_with_the_whole_sheet(preset: str, columns: int) -> None:
    sheet = sheet_of(Rules.preset(preset, columns=columns))
    said = texts(sheet)
    assert pages(sheet) == 2
    # Whatever the text before it takes, all of the whole sheet is there, down to its last line.
    assert "A whole sheet by these rules" in said
    assert said[-1].startswith("Ada wins the sheet by")


@pytest.mark.parametrize("preset", sorted(PRESET_WORDS.keys() - GIN_PRESET_WORDS.keys()))
def test_a_sheet_of_another_kind_tells_its_name_and_what_its_example_comes_to(preset: str) -> None:
    sheet = sheet_of(Rules.preset(preset))
    said = texts(sheet)
    assert pages(sheet) == 2
    assert any(str(kind_of(Rules.preset(preset)).title) in words for words in said)
    assert said[-1].startswith(("Each settles with each: Ada", "Ada wins the sheet by", "Ada + Ben wins"))


def test_many_knobs_turned_take_no_page_more() -> None:
    assert pages(sheet_of(Rules.preset("oklahoma", columns=3, **TURNED))) == 2


def test_a_match_of_deals_is_told_on_a_sheet() -> None:
    sheet = sheet_of(Rules(deals=8, undercut_penalty="all"))
    said = " ".join(texts(sheet))
    assert pages(sheet) == 2
    assert "8 deals" in said
    assert "Not in force" not in said
    assert "points wins the game" not in said


def test_no_line_of_what_a_sheet_comes_to_is_cut_short() -> None:
    said = texts(sheet_of(Rules.preset("oklahoma", columns=12, **TURNED)))
    settled = [words for words in said if words.startswith("Game ")]
    assert len(settled) == 12
    assert not [words for words in settled if words.endswith("…")]
