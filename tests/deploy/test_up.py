"""`manage.py up` as a person uses it: real processes, a real terminal, a real port."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command

from tests.deploy.machine import PATIENCE, Machine, processes, running, until
from tests.postgres import free_port

pytestmark = [
    pytest.mark.xdist_group("up"),
    pytest.mark.dear("starts the whole product as its own processes"),
]


ASKS = "1 or 2, then Enter"

WAYS_TO_END: dict[str, Callable[[Machine], object]] = {
    "Ctrl-C": lambda machine: machine.press(b"\x03"),
    "SIGTERM": lambda machine: machine.process.send_signal(signal.SIGTERM),
    "closed terminal": lambda machine: machine.close_terminal(),
    "kill -9": lambda machine: machine.process.kill(),
}


def end_by(way: str, machine: Machine) -> None:
    """Ends it in one of the ways: nothing of it is left, and its port is free.

    Each way ends one of the starts here that have something else to show.
    """
    WAYS_TO_END[way](machine)
    until(machine.all_gone, what=f"the end of everything, left: {processes(machine.data)}")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", machine.port))
    assert machine.process.returncode == (-signal.SIGKILL if way == "kill -9" else 0)


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A data folder after the very first start, `--demo`, ended by SIGTERM, and what was printed at it."""
    data = tmp_path_factory.mktemp("first") / "data"
    with running(data, "--demo") as machine:
        machine.wait_for("Ctrl-C ends it", seconds=300)
        machine.wait_until_complete()
        end_by("SIGTERM", machine)
    return data, machine.output


@pytest.fixture
def data(first_start: tuple[Path, str], tmp_path: Path) -> Path:
    """A data folder that has been started once, for one test."""
    return Path(shutil.copytree(first_start[0], tmp_path / "data"))


@dataclass
class SecondStart:
    """A machine that runs, started for the second time, and the rows it had once it said so."""

    machine: Machine
    rows: dict[str, int]


@pytest.fixture(scope="module")
def second_start(
    first_start: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SecondStart]:
    """One for all tests that only look at it, the last ones here; the network is let in. It is killed."""
    data = Path(shutil.copytree(first_start[0], tmp_path_factory.mktemp("second") / "data"))
    with running(data, "--lan") as machine:
        machine.wait_for("Ctrl-C ends it")
        yield SecondStart(machine, rows(data))
        machine.wait_until_complete()
        end_by("kill -9", machine)


def fetch(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def age_of_sweep(machine: Machine) -> object:
    return json.loads(fetch(machine.port, "/healthz"))["sweep_age_seconds"]


def rows(data: Path) -> dict[str, int]:
    """How many rows each table has, but for those that keep the time of day."""
    with sqlite3.connect(data / "league.sqlite3") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        passing = ("django_session", "axes_", "league_sweepmark", "sqlite_sequence")
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for name in tables
            if not name.startswith(passing)
        }


def test_children_end_when_up_is_killed_while_it_starts_them(data: Path) -> None:
    with running(data) as machine:
        until(lambda: "deploy.web_server" in machine.children(), what="the first child")
        machine.process.kill()
        until(machine.all_gone, what="the end of everything")
        assert machine.process.returncode == -signal.SIGKILL


def test_nobody_else_reads_the_data(first_start: tuple[Path, str]) -> None:
    data = first_start[0]
    assert data.stat().st_mode & 0o777 == 0o700
    open_to_others = [path.name for path in data.rglob("*") if path.stat().st_mode & 0o077]
    assert open_to_others == []
    assert (data / "league.sqlite3").exists()


def test_port_in_use_is_said_before_anything_starts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with running(data, port=port) as machine:
            until(machine.ended, what="the refusal")
            machine.wait_for(f"Port {port} is in use")
        assert machine.process.returncode == 2
        assert not (data / "league.sqlite3").exists()


def test_a_child_that_dies_is_started_again(data: Path) -> None:
    with running(data) as machine:
        machine.wait_until_complete()
        said_of = {"deploy.web_server": "web server", "worker": "worker"}
        said_of |= {"bots": "worker for bots", "beat": "clock"}
        for name, said in said_of.items():
            killed = machine.pid_of(name)
            os.kill(killed, signal.SIGKILL)
            machine.wait_for(f"The {said} has ended .by signal 9.; starting it again")
            machine.wait_until_complete()
            assert killed not in processes(data)
        until(lambda: "ok" in fetch(machine.port, "/healthz"), what="an answer")
        end_by("Ctrl-C", machine)


def folder_in_which_dies(data: Path, condition: str) -> Path:
    """Python looks for a `sitecustomize` before all else: here it ends programs with such arguments."""
    folder = data.parent / "broken"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        f"import os, sys\narguments = sys.orig_argv\nif {condition}:\n    os._exit(3)\n"
    )
    return folder


def test_up_ends_saying_so_when_what_it_cannot_do_without_does_not_stay_up(data: Path) -> None:
    folder = folder_in_which_dies(data, "'worker' in arguments and 'bots' not in arguments")
    with running(data, PYTHONPATH=str(folder)) as machine:
        until(machine.ended, what="giving up")
        machine.wait_for("The worker ended 3 times right after its start")
        assert machine.output.count("The worker has ended (with status 3); starting it again.") == 2
        assert machine.process.returncode == 1
        until(machine.all_gone, what="the end of everything")


def test_what_the_evening_can_do_without_is_started_again_after_longer_and_longer_pauses(data: Path) -> None:
    folder = folder_in_which_dies(data, "'bots' in arguments or 'beat' in arguments")
    with running(data, PYTHONPATH=str(folder)) as machine:
        for said in ("worker for bots", "clock"):
            for pause in (".", " in 5 s.", " in 15 s."):
                machine.wait_for(re.escape(f"The {said} has ended (with status 3); starting it again{pause}"))
        assert json.loads(fetch(machine.port, "/healthz"))["database"] == "ok"
        (folder / "sitecustomize.py").unlink()
        machine.wait_until_complete()
        end_by("closed terminal", machine)


def test_port_out_of_range_is_refused() -> None:
    with pytest.raises(CommandError, match="--port is a number from 1 to 65535") as refusal:
        call_command("up", "--port", "70000")
    assert refusal.value.returncode == 2


def test_first_start_loads_the_demo_and_prints_a_password_that_works(
    first_start: tuple[Path, str], second_start: SecondStart
) -> None:
    data, printed = first_start
    assert ASKS not in printed
    password = re.search(r"Password\s+(\S+)", printed)
    assert password is not None
    assert rows(data)["league_club"] == 1
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar := CookieJar()))
    login = f"http://127.0.0.1:{second_start.machine.port}/login/?next=/admin/"
    browser.open(login, timeout=PATIENCE).read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {"login": "admin", "password": password[1], "csrfmiddlewaretoken": token}
    request = urllib.request.Request(login, urlencode(form).encode(), {"Referer": login})
    answer = browser.open(request, timeout=PATIENCE)
    assert answer.url.endswith("/admin/")
    assert "Log out" in answer.read().decode()


def assert_it_waits_for_a_club(machine: Machine) -> None:
    """Nothing is there, and the link that is shown opens."""
    way = machine.wait_for(r"Begin a club\s+http://127.0.0.1:\d+(/begin/\S+)")[1]
    machine.wait_until_complete()
    assert "Begin your club" in fetch(machine.port, way)
    assert "Password" not in machine.output
    assert (rows(machine.data)["league_club"], rows(machine.data)["auth_user"]) == (0, 0)
    end_by("SIGTERM", machine)


def test_an_empty_site_asks_at_every_start_unless_it_is_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, "--empty") as machine:
        assert_it_waits_for_a_club(machine)
        assert ASKS not in machine.output
    with running(data) as machine:
        machine.wait_for(ASKS)
        machine.press(b"\n")
        # What Enter means; the demo is there as a whole, or not at all.
        machine.wait_for("loading the demo club")
        end_by("kill -9", machine)
    with running(data) as machine:
        machine.wait_for(ASKS)
        machine.press(b"2\n")
        machine.wait_for("Begin a club")
        end_by("SIGTERM", machine)


def test_second_start_keeps_all_data_and_the_secret_key(
    first_start: tuple[Path, str], second_start: SecondStart
) -> None:
    before, printed = first_start
    after = second_start.machine.data
    assert (before / "secret-key").stat().st_mode & 0o777 == 0o600
    assert second_start.rows == rows(before)
    assert (after / "secret-key").read_text() == (before / "secret-key").read_text()
    assert "Password" not in second_start.machine.output
    assert "Password" in printed


def test_second_up_on_the_same_data_is_refused(second_start: SecondStart) -> None:
    machine = second_start.machine
    second = Machine(machine.data, free_port())
    until(second.ended, what="the refusal")
    second.wait_for("already running")
    second.close_terminal()
    assert second.process.returncode == 2
    assert machine.process.poll() is None
    assert fetch(machine.port, "/healthz")


def test_everything_runs_once_the_address_is_shown(second_start: SecondStart) -> None:
    """The page's style is served with nothing collected, and the worker sweeps at once."""
    machine = second_start.machine
    assert "body" in fetch(machine.port, "/static/admin/css/base.css")
    until(lambda: age_of_sweep(machine) is not None, what="the first sweep")


def test_lan_binds_the_network_and_prints_its_address(second_start: SecondStart) -> None:
    machine = second_start.machine
    with socket.socket() as probe, pytest.raises(OSError, match="in use"):
        probe.bind(("0.0.0.0", machine.port))  # noqa: S104
    for address in re.findall(r"On the network http://(\d[\d.]+):", machine.output):
        there = f"http://{address}:{machine.port}/healthz"
        with urllib.request.urlopen(there, timeout=PATIENCE) as answer:
            assert answer.status == 200
