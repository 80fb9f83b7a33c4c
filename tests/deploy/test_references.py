"""What comments and tests cite of RULES.md and INTERFACES.md stands there."""

import re
from inspect import Parameter, signature
from pathlib import Path
from pkgutil import resolve_name

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


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
QUOTED = re.compile(r"`([^`\n]+)`")
# Folders that a page leaves out where it speaks of what is in them.
UNDERSTOOD = ("", "league", "games", "scoring", "league/core", "league/draws", "docs")
# What other programs call so.
FOREIGN = {".venv/bin", "BH/C1", "BH/M1", "local_part_suffix_optional"}


@pytest.fixture(scope="module")
def quoted() -> set[tuple[str, str]]:
    """What stands in backticks on the pages, with its page."""
    return {
        (path.name, each)
        for path in PAGES
        for each in QUOTED.findall(path.read_text(encoding="utf-8"))
        if each not in FOREIGN
    }


def test_files_and_folders_of_the_pages_are_there(quoted: set[tuple[str, str]]) -> None:
    relative = re.compile(r"[\w.-]+(/[\w.-]+)*/?\Z")
    paths = {(page, each) for page, each in quoted if "/" in each and relative.match(each)}
    # Of an address of the API a page says the end.
    routes = (ROOT / "deploy" / "openapi.json").read_text(encoding="utf-8")
    assert len(paths) > 60
    assert not [
        (page, each)
        for page, each in sorted(paths)
        if not any((ROOT / folder / each).exists() for folder in UNDERSTOOD)
        and not any((ROOT / folder / f"{each}.py").exists() for folder in UNDERSTOOD)
        and f"/{each}" not in routes
    ]


def test_names_of_the_pages_are_those_of_the_code(quoted: set[tuple[str, str]]) -> None:
    words = set[str]()
    for path in [
        ROOT / "deploy/openapi.json",
        *(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")),
    ]:
        words.update(re.findall(r"[a-z]\w*_\w+", path.read_text(encoding="utf-8")))
    name = re.compile(r"([a-z]\w*_\w+)(\(.*\))?\Z")
    named = {(page, found[1]) for page, each in quoted if (found := name.match(each))}
    assert len(named) > 60
    assert not [(page, each) for page, each in sorted(named) if each not in words]


def test_functions_that_other_programs_call_are_where_the_contract_says() -> None:
    """With the arguments that it names (INTERFACES §5)."""
    (block,) = re.findall(
        r"^## 5\. .*?```python\n(.*?)```",
        DOCUMENTS["INTERFACES"].read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    offered = []
    for line in block.splitlines():
        module, colon, names = re.fullmatch(r"(?:([\w.]+)(:) +)?(.*)", line).groups()  # type: ignore[union-attr]
        for name, arguments in re.findall(r"([\w.]+)\(((?:[^()\"]|\"[^\"]*\")*)\)", names):
            function = resolve_name(f"{module}{colon}{name}" if colon else name)
            said = {part for each in arguments.split(", ") if (part := each.partition("=")[0]).isidentifier()}
            taken = signature(function).parameters
            takes_any = any(each.kind is Parameter.VAR_KEYWORD for each in taken.values())
            assert takes_any or said <= set(taken), name
            offered.append(name)
    assert len(offered) > 15


def test_links_of_the_pages_lead_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:)([^)#\s]+)")
    links = [(path, each) for path in PAGES for each in link.findall(path.read_text(encoding="utf-8"))]
    assert len(links) > 30
    assert not [(path.name, each) for path, each in links if not (path.parent / each).exists()]


def test_a_class_name_stands_for_one_thing() -> None:
    """But for what Django asks to be called so, and what no other module sees."""
    places: dict[str, list[str]] = {}
    for floor in ("deploy", "games", "league", "scoring"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            for name in re.findall(r"^class ([A-Z]\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
                places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    of_django = {"Command", "Migration"}
    assert not {name: paths for name, paths in places.items() if len(paths) > 1 and name not in of_django}
