"""Formats are objects: every one answers what is asked, and nothing else compares formats."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.template.loader import get_template

import league
from league.admin.events import EventAdmin
from league.checks import check_formats
from league.core.pairing.elimination import MOST_ENTRIES
from league.draws.formats import MODULES, Format, bracket_format_of, format_called, register
from league.errors import LeagueError
from league.events.events import change_event, create_event
from league.models import ClubRules, Event, Traits, registered, traits
from league.urls import urlpatterns
from tests.factories import OPERATOR, EventFactory, house_rules
from tests.refusals import refuses

ROOT = Path(league.__file__).parents[1]
FORMATS = list(registered())


def _sources() -> Iterator[Path]:
    own = ROOT / "league" / "draws" / "formats"
    for app in ("deploy", "league", "games", "scoring"):
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts and own not in path.parents:
                yield path


def _is_key(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in FORMATS


def _named_keys(node: ast.AST) -> bool:
    return _is_key(node) or (
        isinstance(node, ast.Tuple | ast.List | ast.Set) and any(_is_key(each) for each in node.elts)
    )


def _is_format(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("format", "key")


def _compared(tree: ast.AST) -> Iterator[int]:
    """The lines where something is compared with a format's key, or an event's format with anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_named_keys(side) for side in sides) or any(
                isinstance(side, ast.Attribute) and side.attr == "format" for side in sides
            ):
                yield node.lineno
        elif isinstance(node, ast.Match):
            if _is_format(node.subject) or any(
                isinstance(each, ast.MatchValue) and _is_key(each.value) for each in ast.walk(node)
            ):
                yield node.lineno
        elif isinstance(node, ast.Dict) and sum(key is not None and _is_key(key) for key in node.keys) > 1:
            yield node.lineno
        elif isinstance(node, ast.Call):
            # What a query compares.
            yield from (word.value.lineno for word in node.keywords if word.arg in ("format__in",))


@pytest.mark.parametrize(
    "line",
    [
        "event.format == 'swiss'",
        "wanted != row.event.format",
        "'groups' in (event.format,)",
        "event_format in ('single', 'double')",
        "{'swiss': 1, 'rotation': 2}[event.format]",
        "match event.format:\n    case 'swiss':\n        pass",
        "match key:\n    case 'swiss' | 'groups':\n        pass",
        "Event.objects.filter(format__in=['swiss'])",
    ],
)
def test_a_comparison_is_found(line: str) -> None:
    assert list(_compared(ast.parse(line)))


def test_nothing_else_compares_formats() -> None:
    # The check of stored events asks whether their format is known at all.
    allowed = {ROOT / "league" / "checks.py"}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in _sources()
        if path not in allowed
        for line in _compared(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found


def test_no_template_compares_formats() -> None:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        words = path.read_text(encoding="utf-8")
        assert "event.format ==" not in words, path
        assert "event.format in" not in words, path


def test_doors_do_not_know_the_formats_that_came_last() -> None:
    """What they show of them is declared beside their rules; templates are named there.

    The API has challenges and absences as resources of their own.
    """
    known = re.compile(r"ladder|\bplate|consolation|\brung", re.IGNORECASE)
    own = ROOT / "league"
    doors = [own / door for door in ("admin", "api", "pages", "phone", "urls.py", "tasks.py")]
    paths = {path for door in doors for path in (door.rglob("*.py") if door.is_dir() else [door])}
    assert len(paths) > 100
    knowing = {path for path in paths if known.search(path.read_text(encoding="utf-8"))}
    assert knowing == {own / "api" / "ladders.py", own / "api" / "urls.py"}


def test_modules_and_formats_are_the_same() -> None:
    package = ROOT / "league" / "draws" / "formats"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "with_bracket", "at_tables"}
    assert modules == set(MODULES)
    assert len(FORMATS) == len(MODULES)
    assert all(isinstance(each, Format) for each in registered().values())


@pytest.mark.parametrize("key", FORMATS)
def test_acts_and_pages_that_a_format_names_are_there(key: str) -> None:
    own = format_called(key)
    slugs = [act.slug for act in EventAdmin.acts]
    assert own.first_act in slugs
    assert {act.slug for act in own.acts} <= set(slugs)
    assert len(set(slugs)) == len(slugs)
    assert {page.name for page in own.pages} <= {getattr(pattern, "name", "") for pattern in urlpatterns}
    for page in own.pages:
        assert not page.template or get_template(page.template)
    assert own.own_settings.keys() <= own.settings
    assert str(own.title)


@pytest.mark.parametrize("key", FORMATS)
def test_brackets_are_drawn_where_there_are_some(key: str) -> None:
    event = Event(name="Cup", format=key)
    if not format_called(key).has_bracket:
        with refuses(LeagueError, "no_bracket"):
            bracket_format_of(event)
        return
    own = bracket_format_of(event)
    for size in (2, 3, 4, 5, 8, 13, MOST_ENTRIES):
        drawn = own.bracket(event, size)
        seeds = [seed for match in drawn.matches for seed in match.slots if seed is not None]
        assert sorted(seeds) == list(range(1, size + 1))
        levels: dict[tuple[str, int], int] = {}
        for match in drawn.matches:
            place = (match.part.value, match.level)
            levels[place] = levels.get(place, 0) + 1
        losers = max((level for part, level in levels if part == "losers"), default=0)
        headings = [own.stage_heading(part, level, ties, losers) for (part, level), ties in levels.items()]
        assert len(set(headings)) == len(headings), "each round of a bracket has a name of its own"


def test_key_of_another_format_is_refused() -> None:
    class Other(Traits):
        key = "swiss"

    with pytest.raises(ValueError, match="swiss"):
        register(Other())
    assert registered()["swiss"].title == traits("swiss").title


def test_setting_and_criterion_that_are_none_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_formats(None) == []
    monkeypatch.setattr(type(registered()["swiss"]), "settings", frozenset({"colour"}))
    monkeypatch.setattr(type(registered()["groups"]), "usual_order", ("beauty",))
    assert [found.id for found in check_formats(None)] == ["league.E001", "league.E002"]


@pytest.mark.django_db
def test_stored_event_of_an_unknown_format_is_said_at_the_start() -> None:
    event = EventFactory.create(name="Old Cup")
    call_command("check", databases=["default"])
    Event.objects.filter(pk=event.pk).update(format="marathon")
    with pytest.raises(SystemCheckError, match="No format is called “marathon”, and Old Cup"):
        call_command("check", databases=["default"])


def _made(own: ClubRules, key: str) -> Event:
    return create_event(actor=OPERATOR, club=own.club, name="Cup", slug="cup", rules=own.rules, format=key)


@pytest.mark.django_db
def test_event_of_an_unknown_format_is_not_made(own_rules: ClubRules) -> None:
    with refuses(LeagueError, "invalid", field="format"):
        create_event(
            actor=OPERATOR,
            club=own_rules.club,
            name="Cup",
            slug="cup",
            rules=own_rules.rules,
            format="marathon",
        )
    assert not Event.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("key", FORMATS)
def test_players_of_a_side_are_those_of_the_format(own_rules: ClubRules, key: str) -> None:
    rules = house_rules("jersey", columns=1) if traits(key).has_tables else own_rules.rules
    own_rules.rules = rules
    own_rules.save()
    event = create_event(actor=OPERATOR, club=own_rules.club, name="Cup", slug="cup", rules=rules, format=key)
    assert event.team_size == traits(key).players_of_a_side
    with pytest.raises(LeagueError, match="two a side where partners rotate"):
        change_event(actor=OPERATOR, event=event, team_size=3 - event.team_size)
