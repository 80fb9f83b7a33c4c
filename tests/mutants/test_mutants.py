"""The measure of the tests' strength: faults that are made, the draw, and verdicts on a small project."""

import ast
import subprocess
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.__main__ import ROOT, comparison, main, read_results, report, sampled
from tests.mutants.faults import Fault, drawn, faults_in, room_of
from tests.mutants.judging import Verdict, run_tests


def made(source: str) -> set[str]:
    """Every version of a line or two that one fault makes."""
    text = textwrap.dedent(source)
    return {fault.applied_to(text.encode()).decode() for fault in faults_in("league/a.py", text.encode())}


@pytest.mark.parametrize(
    ("source", "versions"),
    [
        ("a <= b < c", {"a < b < c", "a <= b <= c"}),
        ("a is not b", {"a is b"}),
        ("x = 'ß' if a == b else c", {"x = 'ß' if a != b else c", "x = 'ß' if not (a == b) else c"}),
        ("a and (b) and c", {"a or (b) and c", "a and (b) or c"}),
        ("a + 'b'", set()),
        ("a - b % c", {"a + b % c", "a - b * c"}),
        ("a += b", {"a -= b"}),
        ("not a", {"bool(a)"}),
        ("[x for x in y if x not in z]", {"[x for x in y if True]", "[x for x in y if x in z]"}),
        ("max(a, 0)", {"pass", "min(a, 0)", "max(a, 1)"}),
        ("f(on=True)", {"pass", "f(on=False)"}),
        ("logger.info(a)", set()),
        ("'a docstring'", set()),
        ("if TYPE_CHECKING:\n    a(1)", set()),
        ("x: Annotated[int, 3] = 4", {"x: Annotated[int, 3] = 5"}),
        ("(a  # not < but\n <= b)", {"(a  # not < but\n < b)"}),
    ],
)
def test_faults(source: str, versions: set[str]) -> None:
    assert made(source) == versions


def test_fault_outside_of_functions_has_none() -> None:
    source = b"class A:\n    x = 1\n    def f(self, y=2):\n        return 3\n"
    found = {fault.before: fault.function for fault in faults_in("league/a.py", source)}
    assert found == {"1": "", "2": "", "3": "A.f"}


def test_fault_is_not_made_in_a_module_that_has_changed() -> None:
    (fault,) = faults_in("league/a.py", b"a = 1")
    with pytest.raises(ValueError, match="has changed"):
        fault.applied_to(b"ab = 1")


def test_every_drawn_fault_of_the_product_leaves_valid_python() -> None:
    sample = sampled(ROOT, 60, "1", ["scoring", "deploy"])
    assert len({(fault.path, fault.key) for fault in sample}) == 60
    for fault in sample:
        source = (ROOT / fault.path).read_bytes()
        assert fault.applied_to(source) != source
        ast.parse(fault.applied_to(source))


def some_faults(path: str, number: int) -> list[Fault]:
    source = "\n".join(f"x{name} = 1" for name in range(number))
    return faults_in(path, source.encode())


def test_every_room_has_its_share_of_the_sample() -> None:
    rooms = {"league/a": some_faults("league/a/m.py", 60), "scoring": some_faults("scoring/m.py", 30)}
    rooms["games"] = some_faults("games/m.py", 10)
    sample = drawn(rooms, 11, "1")
    counts = {room: sum(room_of(fault.path) == room for fault in sample) for room in rooms}
    assert counts == {"league/a": 7, "scoring": 3, "games": 1}
    assert sample == drawn(rooms, 11, "1")
    assert sample != drawn(rooms, 11, "2")


def test_fault_that_was_moved_is_drawn_again() -> None:
    before, after = some_faults("league/a/m.py", 50), some_faults("league/b/n.py", 50)
    keys = [{fault.key for fault in drawn({"r": faults}, 10, "1")} for faults in (before, after)]
    assert keys[0] == keys[1]


PRODUCT = """
BOUND = 18


def older(age):
    noted(age)
    return age > BOUND


def noted(age):
    pass


def doubled(number):
    return number * 2


def unused(a, b):
    return a + b
"""
TESTS = """
import pytest
from league.ages import doubled, older


@pytest.mark.parametrize("age", [40, 4])
def test_older(age):
    assert older(age) == (age == 40)


def test_doubled():
    assert doubled(3) == 6
"""


@pytest.mark.dear("runs pytest for every fault")
@pytest.mark.long
def test_small_project_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its tests look neither at the bound itself nor at what is called in passing."""
    checkout, folder = tmp_path / "checkout", tmp_path / "run"
    (checkout / "league").mkdir(parents=True)
    (checkout / "league" / "ages.py").write_text(PRODUCT)
    (checkout / "test_ages.py").write_text(TESTS)
    (checkout / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["bench"]\npythonpath = "."\n'
    )
    subprocess.run(["git", "init", "-q", str(checkout)], check=True)

    arguments = ["--checkout", str(checkout), "--folder", str(folder)]
    main([*arguments, "--number", "1", "--tests", "-n", "0"])
    main(arguments)

    rows = read_results(folder / "results.jsonl").values()
    verdicts = {(row["before"], row["after"]): row["verdict"] for row in rows}
    assert verdicts == {
        ("18", "19"): Verdict.UNNOTICED,
        (">", ">="): Verdict.UNNOTICED,
        ("noted(age)", "pass"): Verdict.UNNOTICED,
        ("*", "+"): Verdict.NOTICED,
        ("2", "3"): Verdict.NOTICED,
        ("+", "-"): Verdict.NO_TEST,
    }
    said = capsys.readouterr().out
    assert "1/1 league/ages.py" in said
    assert "5/5 league/ages.py" in said  # the one judged first is not judged again
    assert "league/ages.py:19 unused (no test executes it; 0 tests)\n    +  →  -" in said
    assert "league/ages.py:7 older (unnoticed; 2 tests)\n    >  →  >=" in said
    assert "Noticed: 2 of 6 (33.3 %)" in said
    assert (folder / "copy-0" / "league" / "ages.py").read_text() == PRODUCT
    assert (checkout / "league" / "ages.py").read_text() == PRODUCT


def test_tests_without_an_end_are_ended(tmp_path: Path) -> None:
    (tmp_path / "test_waiting.py").write_text(
        "import threading\n\n\ndef test_waits():\n    threading.Event().wait()\n"
    )
    assert run_tests(tmp_path, ["test_waiting.py::test_waits"], 0.5) == (None, "")


def test_runs_are_compared_by_the_faults_they_share() -> None:
    (fault,) = faults_in("league/a.py", b"a = 1")
    other = replace(fault, key="other")

    def row(fault: Fault, verdict: Verdict) -> dict[str, object]:
        return {"path": fault.path, "line": 1, "function": "", "before": fault.before, "after": fault.after,
                "key": fault.key, "verdict": str(verdict), "given": 3, "left": 2}  # fmt: skip

    before = [row(fault, Verdict.NOTICED), row(other, Verdict.NOTICED)]
    after = [row(fault, Verdict.UNNOTICED)]
    told = comparison(before, after)
    assert "Before: 100.0 %, now: 0.0 %" in told
    assert "Of the 1 faults that are the same: 100.0 %, now 0.0 %" in told
    assert "No longer noticed: league/a.py:1 1 → 2" in told
    assert "unnoticed; 3 tests, 2 left out" in report(after)
