"""Every act that is noted has words in which the history of a row tells it."""

import ast
import re
from pathlib import Path

import pytest

from league.upkeep.audit_words import ACTIONS, action_words

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
