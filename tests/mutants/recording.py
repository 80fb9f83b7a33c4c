"""Copies of a checkout, and which of its tests execute which line."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import coverage

from tests.mutants.faults import Fault

HERE = Path(__file__).resolve().parent
# The database of the shell is not the tests'; a fault must not be compiled where another one's bytecode lies.
_NOT_FOR_TESTS = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE", "GIN_TESTS_DATA_DIR", "MUTANTS_CONTEXT"}
_CONFIGURATION = """\
[run]
source =
    {source}
data_file = {folder}/lines/coverage
context = ${{MUTANTS_CONTEXT-}}
parallel = true
patch =
    _exit
    fork
sigterm = true
"""


def copy_checkout(checkout: Path, copy: Path) -> None:
    """Copy what git knows of a checkout, changes included, and what is new there and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=checkout,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (checkout / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, copy / name)


def environment(**more: str) -> dict[str, str]:
    """The variables of this process that tests may see, and `more`."""
    return {key: value for key, value in os.environ.items() if key not in _NOT_FOR_TESTS} | more


def record(copy: Path, folder: Path, apps: Iterable[str], arguments: Sequence[str]) -> None:
    """Run the tests of a copy once and keep in `folder` what they execute.

    Tests that do not pass are left out of all that follows. `SystemExit` if pytest could not run at all.
    """
    (folder / "lines").mkdir(parents=True)
    source = "\n    ".join(str(copy / app) for app in apps)
    (folder / "coveragerc").write_text(_CONFIGURATION.format(source=source, folder=folder))
    plugin = folder / "plugin"
    plugin.mkdir()
    shutil.copy(HERE / "recorder.py", plugin / "mutants_recorder.py")
    path = os.pathsep.join(filter(None, [str(plugin), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants_recorder", "-m", "not bench", *arguments]
    status = subprocess.run(
        command, cwd=copy, env=environment(PYTHONPATH=path, MUTANTS_FOLDER=str(folder)), check=False
    ).returncode
    if status not in (0, 1):
        raise SystemExit(f"The tests of {copy} could not be run: pytest ended with status {status}.")
    files = sorted(map(str, (folder / "lines").glob("coverage.*")))
    joined = coverage.Coverage(config_file=False, data_file=str(folder / "lines.sqlite"))
    joined.combine(files)
    joined.save()


@dataclass
class Recording:
    """What was recorded of a copy: its tests by line, and how many seconds each of them takes."""

    copy: Path
    seconds: dict[str, float]
    _data: coverage.CoverageData
    _by_path: dict[str, dict[int, set[str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, copy: Path, folder: Path) -> "Recording":
        data = coverage.CoverageData(basename=str(folder / "lines.sqlite"))
        data.read()
        return cls(copy, json.loads((folder / "durations.json").read_text())["seconds"], data)

    def tests_of(self, fault: Fault) -> list[str]:
        """The tests that execute its line, cheapest first; what is known to pass alone.

        A line that was executed while a test was set up counts for all tests of that module, which may share
        what was made. A line outside of functions is executed once, when its module is imported: it is judged
        by the tests that execute anything of the module.
        """
        by_line = self._lines_of(fault.path)
        tests = by_line.get(fault.line, set())
        if not fault.function:
            tests = tests.union(*by_line.values())
        return sorted(tests, key=lambda test: (self.seconds[test], test))

    def _lines_of(self, path: str) -> dict[int, set[str]]:
        if path not in self._by_path:
            by_line: dict[int, set[str]] = {}
            for line, contexts in self._data.contexts_by_lineno(str(self.copy / path)).items():
                tests = by_line[line] = set()
                for context in filter(None, contexts):
                    test, _, phase = context.rpartition("|")
                    tests |= self._module_of(test) if phase == "setup" else {test}
                tests &= self.seconds.keys()
            self._by_path[path] = by_line
        return self._by_path[path]

    def _module_of(self, test: str) -> set[str]:
        module = test.partition("::")[0]
        return self._modules.get(module, set())

    def __post_init__(self) -> None:
        self._modules: dict[str, set[str]] = {}
        for test in self.seconds:
            self._modules.setdefault(test.partition("::")[0], set()).add(test)
