"""PostgreSQL restarts while the README's client records a night: nothing lost, nothing doubled."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.api.test_readme import blocks
from tests.faults.workers import ROOT, Process, free_port, until
from tests.postgres import Server, running_server

DEALS = 60
RESTARTS = {10: signal.SIGINT, 25: signal.SIGQUIT, 40: signal.SIGINT}
NIGHT = 'night = {"R1-T1": [("Ann", 12), ("Bob", 44), ("Ann", 60)], "R1-T2": [("Cid", 27)]}'
# Two tables long enough for the whole night, and the program that records at them.
WORLD = """
import json
from tests.api.programs import scorekeepers_program
from tests.factories import EntryFactory, EventFactory, MatchFactory, RoundFactory, house_rules

event = EventFactory.create(rules=house_rules(columns=1, target=10_000))
first = RoundFactory.create(event=event, number=1)
for table, names in enumerate([("Ann", "Bob"), ("Cid", "Dot")], start=1):
    a, b = (EntryFactory.create(event=event, name=name) for name in names)
    match = MatchFactory.create(
        event=event, round=first, table=table, label=f"R1-T{table}", entry_a=a, entry_b=b
    )
token = scorekeepers_program(match).authorization.removeprefix("Token ")
print(json.dumps({"EVENT": event.code, "TOKEN": token}))
"""

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


def ask(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)


def test_night_of_the_readme_survives_three_restarts(
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
        program = blocks()[1]
        assert program.count(NIGHT) == 1
        deals = {
            f"R1-T{table}": [("Ann" if table == 1 else "Cid", n + 1) for n in range(DEALS)]
            for table in (1, 2)
        }
        client = subprocess.Popen(
            [sys.executable, "-u", "-c", program.replace(NIGHT, f"night = {deals}")],
            env=environment | told | {"SITE": site}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert client.stdout is not None
        said = []
        for line in client.stdout:
            said.append(line.split())
            if how := RESTARTS.get(len(said)):
                postgresql.stop(how)
                postgresql.start()
        assert client.wait() == 0, client.stderr and client.stderr.read()
        # Every deal was answered with its own number, and the sheets hold these and no others.
        numbers = [str(n + 1) for n in range(DEALS)]
        for label in deals:
            assert [number for table, number, _ in said if table == label] == numbers
        for sheet in ask(f"{site}/api/v1/sheets/?event={told['EVENT']}")["results"]:
            whole = ask(f"{site}/api/v1/sheets/{sheet['code']}/")
            figures = [deal["hands"][0]["points"] for deal in whole["deals"]]
            assert figures == [n + 1 for n in range(DEALS)]
        assert "internal_error" not in log.read_text()
        assert "Internal Server Error" not in log.read_text()
    finally:
        web.kill()
