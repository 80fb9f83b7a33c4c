"""A plugin of pytest that records which test executes which line, and how long each takes.

It is copied out of here and loaded into the tests of any checkout, so it imports nothing of this project.
`MUTANTS_FOLDER` names the folder for what is recorded, with coverage's configuration in it.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

FOLDER = Path(os.environ["MUTANTS_FOLDER"])
CONFIGURATION = FOLDER / "coveragerc"


class Lines:
    """Coverage in the process that runs tests: the context is the test, and whether it was being set up."""

    def __init__(self) -> None:
        self._coverage = coverage.Coverage(config_file=str(CONFIGURATION), data_suffix=True)

    def pytest_sessionstart(self) -> None:
        self._coverage.start()
        # Python programs that a test starts record in its name, each into a file of its own.
        os.environ["COVERAGE_PROCESS_START"] = str(CONFIGURATION)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self._switch(f"{_plain(item.nodeid)}|setup")
        yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self._switch(f"{_plain(item.nodeid)}|call")
        yield

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()

    def _switch(self, context: str) -> None:
        self._coverage.switch_context(context)
        os.environ["MUTANTS_CONTEXT"] = context


class Durations:
    """In the process that collects the reports: seconds of every test that passed, by its id."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._not_passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test = _plain(report.nodeid)
        self._seconds[test] = self._seconds.get(test, 0.0) + report.duration
        if not report.passed:
            self._not_passed.add(test)

    def pytest_sessionfinish(self) -> None:
        passed = {test: took for test, took in self._seconds.items() if test not in self._not_passed}
        told = {"seconds": passed, "not_passed": sorted(self._not_passed)}
        (FOLDER / "durations.json").write_text(json.dumps(told))


def _plain(nodeid: str) -> str:
    """The id without the group's name, which pytest-xdist appends to those it keeps together."""
    before, at, tail = nodeid.rpartition("@")
    return before if at and "]" not in tail else nodeid


def pytest_configure(config: pytest.Config) -> None:
    worker = hasattr(config, "workerinput")
    if not worker:
        config.pluginmanager.register(Durations())
    if worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Lines())
