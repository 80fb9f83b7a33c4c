"""Runs a few child processes and ends them when it ends itself.

A child that dies is restarted. One that keeps dying right after its start, or cannot be started, ends
everything, with a message, unless it is optional: then the pauses before restarts grow. Children have process
groups of their own, so that Ctrl-C reaches only the supervisor, which ends them in order. If the supervisor
itself is killed, `deploy.tether` ends them.
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

from django.utils.translation import gettext as _

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STOP_SECONDS = 10
# Longer than a slow, busy machine needs to load the code that fails.
QUICK_DEATH_SECONDS = 60
QUICK_DEATHS = 3
# Seconds before the first, second … restart of an optional child that keeps dying right after its start.
PAUSES = (0, 5, 15, 60, 300)
# At least, after a start for which the machine had no process, memory or descriptor left: it needs the time.
PAUSE_WITHOUT_ROOM = 5


class GaveUp(Exception):
    """A child does not stay up; the message names it."""


class Stopped(Exception):
    """The supervisor was asked to stop."""


@dataclass(frozen=True, slots=True)
class Program:
    """A Python module to keep running, its arguments, and the file descriptors it inherits.

    An `optional` one never ends everything, however often it dies.
    """

    name: str
    arguments: Sequence[str]
    descriptors: Sequence[int] = ()
    optional: bool = False


class Child:
    """A program and its current process, or the time of its next start."""

    def __init__(self, program: Program, *, folder: Path, environment: Mapping[str, str]) -> None:
        self.program = program
        self.next_start: float | None = None
        self._folder = folder
        self._environment = environment
        self._quick_deaths = 0
        self._tether: int | None = None
        self.start()

    def start(self) -> None:
        # The write end is not inheritable, so only this process has it.
        reading_end, writing_end = os.pipe()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deploy.tether", str(reading_end), *self.program.arguments],
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                pass_fds=[reading_end, *self.program.descriptors],
                start_new_session=True,
            )
        except BaseException:
            os.close(writing_end)
            raise
        finally:
            os.close(reading_end)
        self._tether = writing_end
        self._started = time.monotonic()
        self.next_start = None

    def has_died(self) -> bool:
        return self.process.poll() is not None

    def plan_next_start(self, fault: OSError | None = None) -> int:
        """Plans the restart of a dead process and returns the pause before it, in seconds.

        `fault` is why it could not be started just now. `GaveUp` if it keeps dying right after its start, or
        cannot be started, and is not optional.
        """
        self.finish()
        now = time.monotonic()
        quick = fault is not None or now - self._started < QUICK_DEATH_SECONDS
        self._quick_deaths = self._quick_deaths + 1 if quick else 0
        pause = 0 if fault is None else PAUSE_WITHOUT_ROOM
        if self.program.optional:
            pause = max(pause, PAUSES[min(max(self._quick_deaths, 1), len(PAUSES)) - 1])
        elif self._quick_deaths >= QUICK_DEATHS:
            if fault is not None:
                said = _("The %(program)s cannot be started (%(reason)s).")
                raise GaveUp(said % {"program": self.program.name, "reason": fault.strerror})
            raise GaveUp(
                _("The %(program)s ended %(count)d times right after its start.")
                % {"program": self.program.name, "count": QUICK_DEATHS}
            )
        self.next_start = now + pause
        return pause

    def ask_to_stop(self) -> None:
        if not self.has_died():
            self.process.terminate()

    def finish(self) -> None:
        """Ends the process and everything it started."""
        if self._tether is None:
            return  # done already; the pid and the descriptor may be somebody else's by now
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._tether)
        self._tether = None


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
            times = [child.next_start for child in self._children if child.next_start is not None]
            next_time = min(times if end is None else [*times, end], default=None)
            rest = None if next_time is None else max(0.0, next_time - time.monotonic())
            ready, _writable, _broken = select.select([self._wakeups], [], [], rest)
            if ready and set(os.read(self._wakeups, 256)) & set(STOP_SIGNALS):
                raise Stopped
            for child in self._children:
                self._look_after(child)
            if end is not None and time.monotonic() >= end:
                return

    def _look_after(self, child: Child) -> None:
        """Reports a child that has died and plans its restart; starts one that is due."""
        if child.next_start is None and child.has_died():
            pause = child.plan_next_start()
            said = _("The %(program)s has ended (%(how)s); starting it again.")
            if pause:
                said = _("The %(program)s has ended (%(how)s); starting it again in %(pause)d s.")
            self._say(said % {"program": child.program.name, "how": _how(child), "pause": pause})
        if child.next_start is not None and child.next_start <= time.monotonic():
            try:
                child.start()
            except OSError as fault:
                pause = child.plan_next_start(fault)
                said = _("The %(program)s cannot be started (%(reason)s); trying again in %(pause)d s.")
                named = {"program": child.program.name, "reason": fault.strerror, "pause": pause}
                self._say(said % named)

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
    if status < 0:
        return _("by signal %(signal)d") % {"signal": -status}
    return _("with status %(status)d") % {"status": status}
