"""Every act that is noted has words in which the history of a row tells it."""

import ast
import re
from pathlib import Path

import pytest

from league.models import Role, ShownAs
from league.policy.naming import AS_WRITTEN
from league.record.audit_words import ACTIONS, action_words, fact_list
from league.record.fact_words import fact_title, fact_words

LEAGUE = Path(__file__).parents[2] / "league"
ACTION = re.compile(r"[a-z_]{2,}\.[a-z_]+")


def noted() -> set[str]:
    """The actions that are written, as they stand in the code of the rooms that write."""
    found = set()
    for folder in ("people", "events", "draws", "matches", "tables", "bots", "record", "files"):
        for path in sorted((LEAGUE / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    return {text for text in found if ACTION.fullmatch(text)}


def test_every_action_has_words() -> None:
    assert len(noted()) > 50
    assert noted() - set(ACTIONS) == set()


@pytest.mark.parametrize("action", ["event.start", "round.publish", "match.forfeit"])
def test_words_are_not_the_code(action: str) -> None:
    assert action_words(action) != action


@pytest.mark.parametrize(
    ("of", "name", "title"),
    [
        ("player", "shown_as", "shown to the public as"),
        ("event", "counts_when", "a match counts"),
        ("clubrules", "gin_bonus", "Gin"),
        ("invitation", "invited_by", "invited by"),
        ("player", "no_such_field", "no such field"),
    ],
)
def test_facts_have_the_titles_of_their_fields(of: str, name: str, title: str) -> None:
    assert fact_title(of, name).casefold() == title.casefold()


@pytest.mark.parametrize(
    ("of", "name", "value", "words"),
    [
        ("player", "office", "director", str(Role.DIRECTOR.label)),
        ("membership", "role", "director", str(Role.DIRECTOR.label)),
        ("entry", "state", "bye", "asked for a bye"),
        ("clubrules", "shutout", "double_total", "the whole total again"),
        ("player", "name", "Ann", "Ann"),
        ("player", "user", None, "–"),
        ("match", "held", True, "yes"),
        ("match", "state", "a state of yore", "a state of yore"),
    ],
)
def test_choices_are_told_by_their_labels(of: str, name: str, value: object, words: str) -> None:
    assert fact_words(of, name, value) == words


def test_facts_are_listed_by_title_with_labels() -> None:
    shown = fact_list("player", {"shown_as": "initials"}, AS_WRITTEN)
    label = ShownAs.INITIALS.label
    assert shown == f'<dl class="facts"><dt>shown to the public as</dt><dd>{label}</dd></dl>'
