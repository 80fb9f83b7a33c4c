"""Runs a few child processes and ends them when it ends itself.

A child that dies is restarted; one that keeps dying right after its start ends everything, with a message.
Children have process groups of their own, so that Ctrl-C reaches only the supervisor, which ends them in
order. If the supervisor itself is killed, `deploy.tether` ends them.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STOP_SECONDS = 10
# Longer than a slow, busy machine needs to load the code that fails.
QUICK_DEATH_SECONDS = 60
QUICK_DEATHS = 3


class GaveUp(Exception):
    """A child does not stay up; the message names it."""


class Stopped(Exception):
    """The supervisor was asked to stop."""


@dataclass(frozen=True, slots=True)
class Program:
    """A Python module to keep running, its arguments, and the file descriptors it inherits."""

    name: str
    arguments: Sequence[str]
    descriptors: Sequence[int] = ()


class Child:
    """A program and its current process."""

    def __init__(self, program: Program, *, folder: Path, environment: Mapping[str, str]) -> None:
        self.program = program
        self._folder = folder
        self._environment = environment
        self._quick_deaths = 0
        self.start()

    def start(self) -> None:
        # The write end is not inheritable, so only this process has it.
        reading_end, self._tether = os.pipe()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deploy.tether", str(reading_end), *self.program.arguments],
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                pass_fds=[reading_end, *self.program.descriptors],
                start_new_session=True,
            )
        finally:
            os.close(reading_end)
        self._started = time.monotonic()

    def has_died(self) -> bool:
        return self.process.poll() is not None

    def start_again(self) -> None:
        """Restarts a dead process; `GaveUp` if it keeps dying right after its start."""
        self.finish()
        quick = time.monotonic() - self._started < QUICK_DEATH_SECONDS
        self._quick_deaths = self._quick_deaths + 1 if quick else 0
        if self._quick_deaths >= QUICK_DEATHS:
            raise GaveUp(f"The {self.program.name} ended {QUICK_DEATHS} times right after its start.")
        self.start()

    def ask_to_stop(self) -> None:
        if not self.has_died():
            self.process.terminate()

    def finish(self) -> None:
        """Ends the process and everything it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(OSError):
            os.close(self._tether)


class Supervisor:
    """A context in which `wait` raises `Stopped` on a stop signal; leaving it ends all children."""

    def __init__(
        self,
        programs: Iterable[Program],
        *,
        folder: Path,
        environment: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        self._programs = list(programs)
        self._folder = folder
        self._environment = environment
        self._say = say
        self._children: list[Child] = []

    def __enter__(self) -> "Supervisor":
        self._context = contextlib.ExitStack()
        self._wakeups = self._context.enter_context(_signals_as_bytes())
        self._context.callback(self._stop_children)
        try:
            for program in self._programs:
                self._children.append(Child(program, folder=self._folder, environment=self._environment))
        except BaseException:
            self._context.close()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._context.close()

    def wait(self, seconds: float | None = None) -> None:
        """Waits `seconds`, or for ever, and restarts children that die; ends with `Stopped` or `GaveUp`."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            rest = None if end is None else max(0.0, end - time.monotonic())
            ready, _, _ = select.select([self._wakeups], [], [], rest)
            if not ready:
                return
            if set(os.read(self._wakeups, 256)) & set(STOP_SIGNALS):
                raise Stopped
            for child in self._children:
                if child.has_died():
                    self._say(f"The {child.program.name} has ended ({_how(child)}); starting it again.")
                    child.start_again()

    def _stop_children(self) -> None:
        """Signals all, waits for all, then kills."""
        end = time.monotonic() + STOP_SECONDS
        for child in self._children:
            child.ask_to_stop()
        for child in self._children:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(timeout=max(0.0, end - time.monotonic()))
            child.finish()


@contextlib.contextmanager
def _signals_as_bytes() -> Iterator[int]:
    """A file descriptor that gets a byte for every stop signal and every end of a child."""
    reading_end, writing_end = os.pipe()
    os.set_blocking(reading_end, False)
    os.set_blocking(writing_end, False)
    before_wakeup = signal.set_wakeup_fd(writing_end, warn_on_full_buffer=False)
    # Signals ignored from the start stay ignored, as `nohup` wants.
    heard = [number for number in STOP_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda *_: None) for number in (*heard, signal.SIGCHLD)}
    try:
        yield reading_end
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before_wakeup)
        os.close(reading_end)
        os.close(writing_end)


def _how(child: Child) -> str:
    status = child.process.returncode
    return f"by signal {-status}" if status < 0 else f"with status {status}"
