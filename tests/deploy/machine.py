"""A `manage.py up` in a terminal of its own, and a look at every process it leaves behind."""

import contextlib
import http.client
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.postgres import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 180.0
# One of the two workers of Celery is for bots.
CHILDREN = {"deploy.web_server": 1, "worker": 2, "bots": 1, "beat": 1}

# The database of this run is not theirs, and what a browser test needs is none of their business.
NOT_FOR_PROGRAMS = {"DATABASE_URL", "BROKER_URL", "DJANGO_ALLOW_ASYNC_UNSAFE"}

# Makes the terminal on standard input the controlling one, as a shell's window is, then becomes `up`.
IN_TERMINAL = """
import fcntl, os, signal, sys, termios
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)  # whatever started the tests may ignore them
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def until(true: Callable[[], bool], *, what: str, seconds: float = PATIENCE) -> None:
    """Return as soon as `true()` is; fail after `seconds`."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        pause.wait(0.2)


def processes(data: Path) -> dict[int, str]:
    """Pid and command of every process started for this data folder, whoever its parent is now."""
    if sys.platform != "linux":
        listing = subprocess.run(
            ["ps", "axeww", "-o", "pid=,command="], capture_output=True, text=True, check=True
        )
        lines = [line.split(None, 1) for line in listing.stdout.splitlines() if f"DATA_DIR={data} " in line]
        return {int(pid): command for pid, command in lines}
    found = {}
    mark = f"DATA_DIR={data}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(folder.name)] = command
    return found


def program_environment(data: Path, **variables: str) -> dict[str, str]:
    """The environment of a program with that data folder: not of this run's database."""
    usual = {key: value for key, value in os.environ.items() if key not in NOT_FOR_PROGRAMS}
    return {**usual, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "deploy.settings", **variables}


@contextlib.contextmanager
def gunicorn(environment: dict[str, str], *, workers: int) -> Iterator[int]:
    """The site as PRODUCTION.md has it, without a proxy; yields its port once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        handed = listener.fileno()
        command = [sys.executable, "-m", "gunicorn", "deploy.wsgi:application", "--bind", f"fd://{handed}"]
        command += ["--config", "python:deploy.web_workers"]
        command += ["--workers", str(workers), "--worker-class", "gthread", "--threads", "4"]
        command += ["--log-level", "warning"]
        with subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[handed]) as server:
            try:
                # It waits in the listener's queue until a worker takes it.
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                with contextlib.closing(connection):
                    connection.request("GET", "/healthz")
                    connection.getresponse().read()
                yield port
            finally:
                server.terminate()


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    usual = {key: value for key, value in os.environ.items() if key not in NOT_FOR_PROGRAMS}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *arguments],
        env={**usual, "DJANGO_SETTINGS_MODULE": "deploy.settings", **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip


class Machine:
    """One run of `up`. What it prints is read all the time, so that it never waits for its reader."""

    def __init__(self, data: Path, port: int, *arguments: str, **variables: str) -> None:
        self.data = data
        self.port = port
        self.output = ""
        environment = program_environment(data, **variables)
        self._screen, terminal = pty.openpty()
        command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port), *arguments]
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", IN_TERMINAL, *command],
                cwd=data.parent, env=environment, start_new_session=True,
                stdin=terminal, stdout=terminal, stderr=terminal,
            )  # fmt: skip
        finally:
            os.close(terminal)

    def read(self, seconds: float = 0.0) -> bool:
        """Take in what has been printed; false at the end of the output."""
        if self._screen < 0 or not select.select([self._screen], [], [], seconds)[0]:
            return True
        try:
            chunk = os.read(self._screen, 65536)
        except OSError:
            return False
        self.output += chunk.decode(errors="replace").replace("\r\n", "\n")
        return bool(chunk)

    def wait_for(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.output)):
            assert self.read(0.2), f"up ended before it printed {pattern!r}:\n{self.output}"
            assert time.monotonic() < end, f"not printed within {seconds} s: {pattern!r}:\n{self.output}"
        return match

    def wait_until_complete(self) -> None:
        """Until the address is printed and all children are there."""
        self.wait_for("Ctrl-C ends it")
        until(lambda: self.children() == CHILDREN, what=f"the children of up: {self.children()}")

    def children(self) -> dict[str, int]:
        commands = [command for pid, command in processes(self.data).items() if pid != self.process.pid]
        counted = {name: sum(f" {name} " in command for command in commands) for name in CHILDREN}
        return {name: count for name, count in counted.items() if count}

    def pid_of(self, name: str) -> int:
        return next(pid for pid, command in sorted(processes(self.data).items()) if f" {name} " in command)

    def press(self, key: bytes) -> None:
        os.write(self._screen, key)

    def close_terminal(self) -> None:
        os.close(self._screen)
        self._screen = -1

    def ended(self) -> bool:
        self.read()
        return self.process.poll() is not None

    def all_gone(self) -> bool:
        return self.ended() and not processes(self.data)

    def clean_up(self) -> None:
        for pid in processes(self.data):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        if self._screen >= 0:
            self.close_terminal()


@contextlib.contextmanager
def running(data: Path, *arguments: str, port: int | None = None, **variables: str) -> Iterator[Machine]:
    machine = Machine(data, port or free_port(), *arguments, **variables)
    try:
        yield machine
    finally:
        machine.clean_up()
