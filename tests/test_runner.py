"""The test command's own verdict."""

from pathlib import Path

import pytest

from tests import __main__ as runner
from tests.__main__ import NO_TESTS_COLLECTED, Run, _memory, _names_a_path, _report

PASSED = Run("SQLite", 0, "==== 3 passed in 1.00s ====")
FAILED = Run("PostgreSQL", 1, "==== 1 failed, 2 passed in 1.00s ====")
NOTHING = Run("Without a database", NO_TESTS_COLLECTED, "==== no tests ran in 0.10s ====")
KILLED = Run("PostgreSQL", -9, "pytest ended without a closing line")
NO_SERVER = ["the run on PostgreSQL: no initdb"]


@pytest.mark.parametrize(
    ("runs", "left_out", "complete", "status"),
    [
        ([PASSED, PASSED], [], True, 0),
        ([PASSED, FAILED], [], False, 1),
        ([FAILED, PASSED], [], False, 1),
        ([NOTHING, PASSED], [], False, 0),
        ([NOTHING, NOTHING], [], False, NO_TESTS_COLLECTED),
        ([PASSED, KILLED], [], False, 9),
        ([PASSED], NO_SERVER, False, 0),
        ([PASSED], NO_SERVER, True, 1),
    ],
)
def test_verdict_is_the_worst_status(
    runs: list[Run], left_out: list[str], complete: bool, status: int
) -> None:
    assert _report(runs, left_out, complete=complete) == status


def test_report_names_what_was_left_out_and_ends_with_a_closing_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _report([PASSED, FAILED], NO_SERVER, complete=False)
    lines = capsys.readouterr().out.strip().split("\n")
    assert lines[0] == f"Left out: {NO_SERVER[0]}"
    assert lines[-1] == FAILED.closing_line


def test_folder_in_memory_is_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MEMORY", tmp_path)
    monkeypatch.setattr(runner, "ROOM", 0)
    with _memory() as folder:
        assert folder is not None
        (folder / "written").touch()
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "room"), [("", 2**62), ("missing", 0)])
def test_without_room_nothing_is_kept_in_memory(
    name: str, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MEMORY", tmp_path / name)
    monkeypatch.setattr(runner, "ROOM", room)
    with _memory() as folder:
        assert folder is None


@pytest.mark.parametrize(
    ("arguments", "names_one"),
    [
        ([], False),
        (["--long", "-k", "swiss"], False),
        (["tests/scoring"], True),
        (["-x", "tests/test_runner.py::test_verdict_is_the_worst_status"], True),
    ],
)
def test_benchmarks_are_looked_for_where_they_are_unless_a_path_is_named(
    arguments: list[str], names_one: bool
) -> None:
    assert _names_a_path(arguments) is names_one
