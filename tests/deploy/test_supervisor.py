"""Children that the machine has no room to start again."""

import errno
import os
import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy import supervisor
from deploy.supervisor import GaveUp, Program, Supervisor
from tests.deploy.machine import ROOT, until

pytestmark = pytest.mark.dear("starts programs, and waits for the pauses between")

WHY = os.strerror(errno.EMFILE)
# Says who it is, whole or not at all, and stays.
PATIENT = """
import os, pathlib, signal
pathlib.Path("new").write_text(str(os.getpid()))
os.replace("new", "pid")
while True:
    signal.pause()
"""


@contextmanager
def no_room() -> Iterator[None]:
    """This process gets no more descriptors, which is refused as a fork is."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)


class Evening:
    """A supervisor of one program, and what it said."""

    def __init__(self, folder: Path, *, optional: bool) -> None:
        (folder / "patient.py").write_text(PATIENT)
        self._pid = folder / "pid"
        self.said: list[str] = []
        self.supervisor = Supervisor(
            [Program("bots", ["patient"], optional=optional)],
            folder=folder,
            environment=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
            say=self.said.append,
        )

    def runs(self) -> bool:
        self.supervisor.wait(0.05)
        return self._pid.exists()

    def has_said(self, lines: int) -> bool:
        self.supervisor.wait(0.05)
        return len(self.said) >= lines

    def kill(self) -> None:
        pid = int(self._pid.read_text())
        self._pid.unlink()
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(autouse=True)
def _pauses_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", (0, 1))
    monkeypatch.setattr(supervisor, "PAUSE_WITHOUT_ROOM", 1)


def test_restart_for_which_there_is_no_room_is_tried_again(tmp_path: Path) -> None:
    evening = Evening(tmp_path, optional=True)
    with evening.supervisor:
        until(evening.runs, what="the first start")
        evening.kill()
        with no_room():
            until(lambda: evening.has_said(3), what="two starts that fail")
        until(evening.runs, what="the start once there is room")
    assert evening.said[0] == "The bots has ended (by signal 9); starting it again."
    assert set(evening.said[1:]) == {f"The bots cannot be started ({WHY}); trying again in 1 s."}


def test_what_is_needed_ends_everything_once_there_is_no_room_for_long(tmp_path: Path) -> None:
    evening = Evening(tmp_path, optional=False)
    with evening.supervisor:
        until(evening.runs, what="the first start")
        evening.kill()
        with no_room(), pytest.raises(GaveUp, match=re.escape(f"The bots cannot be started ({WHY}).")):
            evening.supervisor.wait()
    assert evening.said[1:] == [f"The bots cannot be started ({WHY}); trying again in 1 s."]
