"""What is compiled is kept, for every copy of the program, and loaded before anybody waits for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from games.bots import kernel
from games.tables import warming
from tests.deploy.machine import ROOT


def test_where_the_user_has_no_folder_it_is_kept_in_that_of_the_site(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    numba = SimpleNamespace(config=SimpleNamespace(CACHE_DIR=""))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("GINLEAGUE_CACHE", str(tmp_path / "site"))
    monkeypatch.setenv("HOME", str(tmp_path / "own"))
    assert kernel._cache_folder(numba, "1") == tmp_path / "own/.cache/ginleague/kernel-1"
    # As the users of services often have it; it holds for root, too.
    monkeypatch.setenv("HOME", "/dev/null")
    assert kernel._cache_folder(numba, "1") == tmp_path / "site/ginleague/kernel-1"
    monkeypatch.delenv("GINLEAGUE_CACHE")
    assert kernel._cache_folder(numba, "1") is None


@pytest.mark.dear("loads the compiled kernel in a program of its own")
def test_a_copy_of_the_program_elsewhere_finds_what_was_compiled(tmp_path: Path) -> None:
    """As where it is installed again, in a folder that nobody may write in: nothing is left there."""
    kernel.kernel(compiled=True)
    assert kernel.is_kept()
    for app in ("games", "scoring"):
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__", "static"))
    before = sorted(tmp_path.rglob("*"))
    program = (
        "from games.bots import kernel\n"
        "assert kernel.is_kept()\n"
        "made = kernel.kernel(compiled=True)\n"
        "entries = [getattr(made, name).stats for name in kernel._ENTRIES]\n"
        "found = [(sum(one.cache_hits.values()), len(one.cache_misses)) for one in entries]\n"
        "print(kernel.__file__, *found)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == f"{tmp_path / 'games/bots/kernel.py'} (1, 0) (1, 0) (1, 0) (1, 0)\n"
    assert sorted(tmp_path.rglob("*")) == before


def test_without_numba_nothing_is_warmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "find_spec", lambda name: None)
    monkeypatch.setattr(warming, "play_deals", None)
    warming.warm_up()
    assert warming.warm_up_beside() is None


def test_numba_that_does_not_work_keeps_no_process_from_starting(tmp_path: Path) -> None:
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text('raise ImportError("Numba needs NumPy 2.2 or less.")')
    program = "from games.tables.warming import *\nwarm_up_beside().join()\nwarm_up()\nprint(is_warm())\n"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "False"
    assert run.stderr.count("Numba needs NumPy 2.2 or less.") == run.stderr.count("\n") == 2
