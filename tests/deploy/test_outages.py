"""What passes by itself is answered 503 and may be sent again; what is a fault of ours stays one."""

import contextlib
import errno
import resource
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import time_machine
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from league.models import SweepMark
from scoring.services.outages import passes
from tests.api.programs import points, scorekeepers_program
from tests.deploy.machine import manage, until
from tests.factories import MatchFactory
from tests.faults.threads import at_once
from tests.postgres import free_port


def refused(database: sqlite3.Connection, statement: str) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as refusal:
        database.execute(statement)
    return refusal.value


def test_full_disk_and_a_file_without_writing_pass_and_a_wrong_statement_does_not(
    tmp_path: Path,
) -> None:
    file = tmp_path / "some.sqlite3"
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE some (text)")
    database.execute("PRAGMA max_page_count = 2")
    assert passes(refused(database, "INSERT INTO some VALUES (zeroblob(100000))"))
    assert passes(refused(sqlite3.connect(f"file:{file}?mode=ro", uri=True), "INSERT INTO some VALUES (1)"))
    assert not passes(refused(database, "SELECT * FROM nothing"))
    assert not passes(refused(database, "SELEKT"))


def test_server_that_is_away_passes() -> None:
    with pytest.raises(psycopg.OperationalError) as refusal:
        psycopg.connect(f"postgresql://gin@127.0.0.1:{free_port()}/league", connect_timeout=5)
    assert passes(refusal.value)


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (FileNotFoundError(errno.ENOENT, "No such file"), False),
        (ValueError("a fault"), False),
        (None, False),
    ],
)
def test_other_errors(error: BaseException | None, passing: bool) -> None:
    assert passes(error) is passing


@contextlib.contextmanager
def a_database_that_takes_no_writes() -> Iterator[None]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA query_only = 1")
            yield
            cursor.execute("PRAGMA query_only = 0")
        else:
            savepoint = transaction.savepoint()
            cursor.execute("SET TRANSACTION READ ONLY")
            yield
            transaction.savepoint_rollback(savepoint)


@pytest.fixture
def database_that_takes_no_writes(db: None) -> Iterator[None]:
    with a_database_that_takes_no_writes():
        yield


@pytest.mark.postgresql
@pytest.mark.usefixtures("database_that_takes_no_writes")
def test_readyz_says_what_cannot_be_written(client: Client) -> None:
    answer = client.get("/readyz")
    code = "SQLITE_READONLY" if connection.vendor == "sqlite" else "25006"
    assert answer.status_code == 503
    assert answer.json() == {"database": f"cannot be written ({code})", "data_dir": "ok"}


@pytest.mark.django_db
def test_readyz_when_both_can_be_written(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "data_dir": "ok"})
    assert "no-store" in answer["Cache-Control"]
    assert "Retry-After" not in answer


@pytest.mark.postgresql
@pytest.mark.django_db
def test_readyz_writes_a_row_once_a_second_whoever_asks(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with time_machine.travel(datetime(2026, 11, 6, 21, 0, 0, tzinfo=UTC), tick=False) as clock:
        client.get("/readyz")
        assert SweepMark.objects.get().tried_at == timezone.now()
        assert client.get("/healthz").json()["sweep_age_seconds"] is None
        with django_assert_num_queries(0):
            answers = [Client().get("/readyz") for _ in range(20)]
        assert {answer.status_code for answer in answers} == {200}
        clock.shift(1)
        client.get("/readyz")
        assert SweepMark.objects.get().tried_at == timezone.now()


@pytest.mark.postgresql
@pytest.mark.django_db
def test_readyz_asks_once_for_a_connection_where_there_is_none(client: Client) -> None:
    """Each time it would wait as long as the pool does."""
    asked: list[object] = []

    def refuse(execute: Callable[..., object], statement: object, *more: object) -> object:
        asked.append(statement)
        raise OperationalError("couldn't get a connection after 10.00 sec")

    with connection.execute_wrapper(refuse):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "cannot be reached")
    assert len(asked) == 1


@pytest.mark.django_db(transaction=True)
def test_readyz_does_not_wait_for_who_writes_long(client: Client) -> None:
    SweepMark.objects.create(pk=1)
    with transaction.atomic():
        SweepMark.objects.update(swept_at=timezone.now())  # nobody else writes this row, or in SQLite any
        began = time.monotonic()
        answers = at_once([lambda: Client().get("/readyz")] * 16)
        # One of them alone waits 30 seconds for its turn, where the wait is the usual one.
        assert time.monotonic() - began < 20
    for answer in answers:
        assert (answer.status_code, answer.json()["database"]) == (503, "busy")
        assert answer["Retry-After"] == "5"
    until(lambda: client.get("/readyz").status_code == 200, what="a row written")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("swept", [False, True])
def test_what_readyz_writes_reaches_the_disk(client: Client, swept: bool) -> None:
    if swept:
        SweepMark.objects.create(pk=1, swept_at=timezone.now())
    if connection.vendor == "postgresql":
        versions = set()
        for _ in range(2):
            client.get("/readyz")
            caches["looks"].clear()
            with connection.cursor() as cursor:
                versions.add(cursor.execute("SELECT xmin FROM league_sweepmark").fetchone())
        assert len(versions) == 2
        return
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))  # as little room as on a full disk
    try:
        answer = client.get("/readyz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert answer.status_code == 503
    assert answer.json()["database"].startswith("cannot be written (SQLITE_")
    assert answer.json()["data_dir"] == "cannot be written (File too large)"


def test_readyz_when_no_file_can_be_written(client: Client, db: None, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["data_dir"] == "cannot be written (No such file or directory)"
    assert str(tmp_path) not in answer.content.decode()


@pytest.mark.postgresql
@pytest.mark.usefixtures("database_that_takes_no_writes")
def test_page_that_cannot_write_says_when_to_come_again() -> None:
    client = Client(raise_request_exception=False)
    answer = client.post("/login/", {"login": "ann", "password": "wrong"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "try again in a minute" in answer.content.decode()


@pytest.mark.postgresql
@pytest.mark.django_db
def test_api_that_cannot_write_answers_a_problem_that_says_when_to_come_again() -> None:
    match = MatchFactory.create()
    program = scorekeepers_program(match)
    assert program.get().status_code == 200
    program.client.raise_request_exception = False
    with a_database_that_takes_no_writes():
        answer = program.record("one", points(match.entry_a.name, 5))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "unavailable"


def test_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = manage("check", DATA_DIR=str(tmp_path / "file" / "data"))
    assert done.returncode == 1
    assert done.stderr == (
        f"The data cannot be kept in {tmp_path}/file/data (Not a directory). "
        "Name a folder that can be written in DATA_DIR.\n"
    )


@pytest.mark.usefixtures("database_that_takes_no_writes")
def test_up_on_data_that_cannot_be_written_is_a_sentence(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with pytest.raises(CommandError, match=f"The data in {tmp_path} cannot be written: .*read-?only"):
        call_command("up", "--port", str(free_port()))
