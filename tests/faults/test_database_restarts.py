"""PostgreSQL restarts or is killed while the README's client records: nothing lost, nothing doubled."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest

from tests.faults.night import record_night
from tests.faults.workers import ROOT, Process, free_port, until
from tests.postgres import NotStarted, Server, running_server

RESTARTS = {10: signal.SIGINT, 25: signal.SIGQUIT, 40: signal.SIGKILL, 70: signal.SIGKILL}
WORLD = "import json\nfrom tests.faults.night import two_tables\nprint(json.dumps(two_tables()))"

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.dear("a PostgreSQL, a web server and a program of their own"),
]


@pytest.fixture
def postgresql() -> Iterator[Server]:
    with running_server() as server:
        with psycopg.connect(server.url.rpartition("/")[0] + "/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE league")
        yield server


@pytest.fixture
def environment(postgresql: Server, tmp_path: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))}
    return kept | {
        "DATABASE_URL": postgresql.url,
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
    }


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
    manage(environment, "migrate", "-v0")
    told = json.loads(manage(environment, "shell", "-v0", "-c", WORLD))
    port = free_port()
    site = f"http://127.0.0.1:{port}"
    serve = ["gunicorn", "deploy.wsgi:application", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    serve += ["--worker-class", "gthread", "--threads", "4"]
    log = tmp_path / "web.log"
    web = Process(serve, log=log, environment=environment)
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
