"""What comments and tests cite of RULES.md and INTERFACES.md stands there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = {"RULES": ROOT / "docs" / "RULES.md", "INTERFACES": ROOT / "docs" / "INTERFACES.md"}
FLOORS = ("deploy", "docs", "games", "league", "scoring", "templates", "tests")
CITED = re.compile(r"\b([A-Z]{4,}) §(\d+)(?:[-–](\d+))?")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_sections_are_numbered_without_a_gap(name: str) -> None:
    headings = re.findall(r"^## (\d+)\. ", DOCUMENTS[name].read_text(), re.MULTILINE)
    assert [int(number) for number in headings] == list(range(1, len(headings) + 1))


def test_every_section_that_is_cited_is_there() -> None:
    there = {
        (name, int(number))
        for name, path in DOCUMENTS.items()
        for number in re.findall(r"^## (\d+)\. ", path.read_text(), re.MULTILINE)
    }
    missing = []
    cited = set()
    for path in (path for floor in FLOORS for path in (ROOT / floor).rglob("*")):
        if path.suffix not in {".py", ".html", ".js", ".css", ".md"}:
            continue
        for name, first, last in CITED.findall(path.read_text()):
            for number in range(int(first), int(last or first) + 1):
                cited.add((name, number))
                if (name, number) not in there:
                    missing.append(f"{path.relative_to(ROOT)}: {name} §{number}")
    assert missing == []
    assert {name for name, _number in cited} == set(DOCUMENTS)
