"""PostgreSQL restarts or is killed while the README's client records, mail is sent or one plays."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from tests.faults.letters import Letters, start_sender
from tests.faults.night import record_night
from tests.faults.table_night import Seat
from tests.faults.workers import ROOT, Process, until
from tests.postgres import NotStarted, Server, free_port, running_server

RESTARTS = {10: signal.SIGINT, 25: signal.SIGQUIT, 40: signal.SIGKILL, 70: signal.SIGKILL}
WORLD = "import json\nfrom tests.faults.night import two_tables\nprint(json.dumps(two_tables()))"
TABLE = "import json\nfrom tests.faults.table_night import begin\nprint(json.dumps(begin({!r})))"

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.xdist_group("restarts"),
    pytest.mark.dear("a PostgreSQL, a web server and a program of their own"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an empty club's database, from which each test's own is copied."""
    with running_server() as server:
        asked(server, "CREATE DATABASE empty")
        empty = site_on(named(server, "empty"), tmp_path_factory.mktemp("empty"))
        manage(empty, "migrate", "-v0")
        yield server


@pytest.fixture
def postgresql(server: Server) -> Iterator[Server]:
    asked(server, "CREATE DATABASE league TEMPLATE empty")
    yield server
    asked(server, "DROP DATABASE league WITH (FORCE)")


@pytest.fixture
def environment(postgresql: Server, tmp_path: Path) -> dict[str, str]:
    return site_on(postgresql.url, tmp_path)


def site_on(url: str, data: Path) -> dict[str, str]:
    """The environment of the product's programs."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))}
    return kept | {"DATABASE_URL": url, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "deploy.settings"}


def named(server: Server, database: str) -> str:
    return f"{server.url.rpartition('/')[0]}/{database}"


def asked(server: Server, statement: LiteralString) -> None:
    with psycopg.connect(named(server, "postgres"), autocommit=True) as connection:
        connection.execute(statement)


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def has_started(server: Server) -> bool:
    """Starts it; it refuses while processes are left of one that was killed, which notice it in a while."""
    try:
        server.start()
    except NotStarted:
        return False
    return True


def test_night_of_the_readme_survives_restarts_and_kill_9(
    postgresql: Server, environment: dict[str, str], tmp_path: Path
) -> None:
    told = json.loads(manage(environment, "shell", "-v0", "-c", WORLD))
    port = free_port()
    site = f"http://127.0.0.1:{port}"
    log = tmp_path / "web.log"
    web = start_web(port, log, environment)
    try:
        until(lambda: web.said("Booting worker"), what="the web server")

        def restart(how: signal.Signals) -> None:
            postgresql.stop(how)
            until(lambda: has_started(postgresql), what="the start of PostgreSQL")

        restarts = {deals: partial(restart, how) for deals, how in RESTARTS.items()}
        record_night(site, environment | told, restarts)
        assert "internal_error" not in log.read_text()
        assert "Internal Server Error" not in log.read_text()
    finally:
        web.kill()


@pytest.mark.parametrize(
    ("bot", "kills"), [("simple", 2), pytest.param("expert", 50, marks=pytest.mark.long)]
)
def test_a_table_goes_on_when_web_servers_the_database_and_its_worker_are_killed_in_mid_hand(
    postgresql: Server, environment: dict[str, str], tmp_path: Path, bot: str, kills: int
) -> None:
    """Every action goes to two web servers at once, with one key; each is carried out once.

    The moves of an expert are those of a worker. What it was asked when it died is asked again by the sweep.
    """
    # Much longer than it takes to weigh a choice, and no longer than a test can wait each time.
    environment |= {"BOT_MOVE_SECONDS": "5"}
    told = json.loads(manage(environment, "shell", "-v0", "-c", TABLE.format(bot)))
    ports = [free_port(), free_port()]
    webs = [start_web(port, tmp_path / f"web {port}.log", environment) for port in ports]
    workers: list[Process] = []
    try:
        for web in webs:
            until(partial(web.said, "Booting worker"), what="the web server")
        seat = Seat([f"http://127.0.0.1:{port}" for port in ports], told)

        def kill_database() -> None:
            postgresql.stop(signal.SIGKILL)
            until(lambda: has_started(postgresql), what="the start of PostgreSQL")

        def kill_web(number: int) -> None:
            webs[number].kill()
            webs[number] = start_web(ports[number], tmp_path / f"web {ports[number]}.log", environment)

        disturbances: list[Callable[[], None]] = [
            partial(kill_web, 0), kill_database, partial(kill_web, 1), kill_database
        ]  # fmt: skip
        if bot == "expert":
            queues = ["worker", "--pool", "solo", "--loglevel", "WARNING", "--queues", "celery,bots"]
            of_both = [["--app", "deploy", *queues], ["--app", "tests.faults.quick_clock", "beat"]]

            def start(number: int) -> Process:
                log = tmp_path / f"celery {number}.log"
                return Process(["celery", *of_both[number]], log=log, environment=environment)

            def kill_worker() -> None:
                workers[0].kill()
                workers[0] = start(0)

            workers += [start(number) for number in range(2)]
            disturbances = [one for each in disturbances for one in (each, kill_worker)]
        acts, page = 0, ""
        # Until a hand is over at least.
        while acts < 6 * kills or "/deals/1/" not in page:
            number, step = divmod(acts, 6)
            is_killing = step == 2 and number < kills
            page = seat.act(disturbances[number % len(disturbances)] if is_killing else quiet)
            acts += 1
        asks = f"from tests.faults.table_night import verified\nprint(json.dumps(verified({told['code']!r})))"
        found = json.loads(manage(environment, "shell", "-v0", "-c", f"import json\n{asks}"))
        assert found["acts"] == acts
        assert found["over"] >= 1
    finally:
        for process in webs + workers:
            process.kill()


def quiet() -> None:
    """Nothing happens."""


def start_web(port: int, log: Path, environment: dict[str, str]) -> Process:
    serve = ["gunicorn", "deploy.wsgi:application", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    serve += ["--worker-class", "gthread", "--threads", "4"]
    return Process(serve, log=log, environment=environment)


def test_mail_goes_on_after_restarts_of_the_database_of_the_server_and_of_workers(
    postgresql: Server, environment: dict[str, str], tmp_path: Path, long: bool
) -> None:
    """Each mail arrives, and twice only what somebody held whose end of it was lost."""
    count, workers_at_once = (1000 if long else 200), 2
    manage(environment, "shell", "-v0", "-c", f"from tests.faults.letters import waiting\nwaiting({count})")
    lots = random.Random(8)

    left = "SELECT 1 FROM league_notice WHERE ended_at IS NULL"

    def rows_of(statement: LiteralString) -> int:
        with psycopg.connect(postgresql.url, autocommit=True) as connection:
            return connection.execute(statement).rowcount

    with Letters() as letters:
        workers = [start_sender(letters, tmp_path, environment) for _worker in range(workers_at_once)]

        def restart(how: signal.Signals) -> None:
            postgresql.stop(how)
            until(lambda: has_started(postgresql), what="the start of PostgreSQL")

        def kill() -> None:
            workers.pop(0).kill()
            workers.append(start_sender(letters, tmp_path, environment))

        def go_away() -> None:
            letters.stop()
            letters.start()

        disturbances: list[Callable[[], None]] = [
            partial(restart, signal.SIGINT), kill, go_away, partial(restart, signal.SIGKILL), kill, go_away,
        ]  # fmt: skip
        # Each restart, of the database or of the mail server, may meet both of them.
        held = sum(1 if each is kill else workers_at_once for each in disturbances)
        marks = sorted(lots.sample(range(count // 20, count * 3 // 4), len(disturbances)))
        try:
            for mark, disturb in zip(marks, disturbances, strict=True):
                until(partial(letters.have_arrived, mark), what=f"{mark} letters")
                disturb()
            due = f"{left} AND claimed_until IS NULL AND due_at <= now()"
            until(lambda: rows_of(due) == 0, what="all but what is held or put off")
            # As if leases and pauses were over.
            rows_of("UPDATE league_notice SET due_at = now(), claimed_until = now() WHERE ended_at IS NULL")
            until(lambda: rows_of(left) == 0, what="the rest")
        finally:
            for worker in workers:
                worker.kill()
        arrived = letters.counted()
    assert len(arrived) == count
    assert arrived.total() - count <= held
