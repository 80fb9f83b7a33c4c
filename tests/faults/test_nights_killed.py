"""`kill -9` under the README's client that records a night: nothing lost, nothing doubled, no fault."""

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.models import Event
from tests.deploy.machine import Machine as Up
from tests.deploy.machine import processes, running
from tests.faults.night import record_night, two_tables
from tests.faults.test_workers import table_is_right
from tests.faults.workers import Machine, Process, Valkey, database_url, until
from tests.postgres import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def told(transactional_db: None) -> dict[str, str]:
    return two_tables()


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path)
    yield server
    server.kill()


def assert_no_fault(said: str) -> None:
    assert not re.search("internal_error|Internal Server Error|Traceback", said), said


@pytest.mark.elsewhere
@pytest.mark.xdist_group("workers")
@pytest.mark.dear("a Valkey, two web servers, two workers, a clock and a program of their own")
def test_valkey_web_server_and_worker_are_killed(
    told: dict[str, str], valkey: Valkey, tmp_path: Path
) -> None:
    """Valkey is the broker and the cache: back at once, with nothing in it, and after a while.

    While it is away the web server is killed too.
    """
    machine = Machine(
        tmp_path,
        valkey.url,
        CACHE_URL=valkey.url.replace("redis://", "rediscache://").removesuffix("0") + "1",
    )
    port = free_port()
    webs = list[Process]()

    def start_web() -> None:
        serve = ["gunicorn", "deploy.wsgi:application", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
        webs.append(machine.start("web", [*serve, "--worker-class", "gthread", "--threads", "4"]))
        until(lambda: webs[-1].said("Booting worker"), what="the web server")

    def web_again() -> None:
        webs[-1].kill()
        start_web()

    def worker_again() -> None:
        worker.kill()
        machine.begin_worker()  # the client would run on while it gets ready

    def valkey_again() -> None:
        valkey.kill()
        valkey.start()

    try:
        start_web()
        worker = machine.start_worker()
        machine.start_quick_clock()
        killings = {
            10: valkey_again,
            20: worker_again,
            30: valkey.kill,
            45: web_again,
            90: valkey.start,
            100: web_again,
            110: valkey_again,
        }
        record_night(f"http://127.0.0.1:{port}", {**os.environ, **told}, killings)
        event = Event.objects.get(code=told["EVENT"])
        until(lambda: table_is_right(event), what="worker, clock and broker found each other again")
        said = "".join(web.log.read_text() for web in webs)
        # It was away for the web server too.
        assert "the cache does not answer" in said
        assert "No worker can be woken up" in said
        assert_no_fault(said)
    finally:
        machine.close()


@pytest.mark.looks
@pytest.mark.xdist_group("up")
@pytest.mark.dear("starts the whole product as its own processes, three times")
def test_up_is_killed(told: dict[str, str], tmp_path: Path) -> None:
    """Once alone, so that its children end by themselves, and once with them; then it is started again."""
    data, port = tmp_path / "data", free_port()
    with contextlib.ExitStack() as stack:
        started: list[Up] = []

        def start() -> None:
            up = stack.enter_context(running(data, port=port, DATABASE_URL=database_url()))
            up.wait_until_complete()
            started.append(up)

        def kill_it() -> None:
            started[-1].process.kill()
            until(started[-1].all_gone, what="its children have ended")
            start()

        def kill_all() -> None:
            for pid in processes(data):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            kill_it()

        start()
        record_night(f"http://127.0.0.1:{port}", {**os.environ, **told}, {25: kill_it, 70: kill_all})
        event = Event.objects.get(code=told["EVENT"])
        until(lambda: table_is_right(event), what="the worker has caught up")
        for up in started:
            up.read()
            assert_no_fault(up.output)
