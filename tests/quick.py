"""A run of a minute: which tests with a database are near to what was changed, and an end in time."""

import re
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import pytest

from tests.notes import named

# What pytest says of tests that were not run for want of time.
LATE = re.compile(r"^(\d+) begun too late$")


class Deadline:
    """The plugin that passes over whatever would begin too late, and counts it.

    `end` is a time of the clock.
    """

    def __init__(self, end: float) -> None:
        self._end = end
        self._late = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        if time.time() < self._end:
            return None
        self._late += 1
        return True

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["late"] = self._late

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._late += getattr(node, "workeroutput", {}).get("late", 0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._late:
            terminalreporter.write_line(f"{self._late} begun too late")


def changed(root: Path) -> list[str]:
    """The files changed since the branch left main, committed or not; none where git does not tell."""
    files: set[str] = set()
    for main in ("origin/main", "main"):
        base = _git(root, "merge-base", "HEAD", main)
        if base:
            files.update(_git(root, "diff", "--name-only", base[0]))
            files.update(_git(root, "ls-files", "--others", "--exclude-standard"))
            break
    return sorted(file for file in files if file.endswith((".py", ".html")))


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def nearest_first(
    items: Sequence[pytest.Item], paths: Iterable[str], root: Path, seconds: Mapping[str, float]
) -> list[pytest.Item]:
    """All without a database, then those with one that belong to any of the paths, the nearest first.

    The cheapest come first among those that are equal in this, by the `seconds` that an earlier run has noted
    of a test: a few dear ones take as long as thousands of others.
    """
    asked = [PurePath(path) for path in paths]
    near: dict[Path, int] = {}
    for item in items:
        if item.path not in near:
            test = PurePath(item.path).relative_to(root)
            near[item.path] = max((nearness(test, path) for path in asked), default=0)
    plain = [item for item in items if not item.get_closest_marker("db")]
    with_one = [item for item in items if item.get_closest_marker("db") and near[item.path]]

    def cost(item: pytest.Item) -> float:
        return seconds.get(named(item), 0.0)

    return sorted(plain, key=cost) + sorted(with_one, key=lambda item: (-near[item.path], cost(item)))


def nearness(test: PurePath, path: PurePath) -> int:
    """How near a module of tests is to a file or folder of the product or of tests; 0 is not at all.

    It is near to itself, to its folder, and to the app of its folder: the nearer the more words of the file's
    path are in its name.
    """
    if path == test or path in test.parents:
        return 100
    tested = path.parts[1:] if path.parts[:1] == ("tests",) else path.parts
    if not tested or tested[0] not in test.parts:
        return 0
    return 1 + len(_words(test.parts[1:]) & _words(tested))


def _words(parts: Sequence[str]) -> set[str]:
    return {word for part in parts for word in part.removesuffix(".py").split("_")} - {"test"}
