"""What the settings make of the environment."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import environ
import pytest
from django.db import close_old_connections, connection
from django.test import Client

from deploy.database import with_options
from deploy.secret_key import kept_key, new_secret_key
from tests.deploy.machine import ROOT, manage

pytestmark = pytest.mark.postgresql


def opened(url: str) -> dict[str, Any]:
    return with_options(environ.Env.db_url_config(url), pool_size=7)


def test_postgresql_by_socket_folder() -> None:
    database = opened("postgresql://gin@/league?host=/run/postgresql&port=5433")
    assert (database["NAME"], database["USER"]) == ("league", "gin")
    assert (database["HOST"], database["PORT"]) == ("/run/postgresql", "5433")
    assert database["OPTIONS"] == {"pool": {"min_size": 1, "max_size": 7, "timeout": 10}}


@pytest.mark.django_db(transaction=True)
def test_thread_keeps_its_connection_to_sqlite_for_its_next_request() -> None:
    connection.close()
    connection.ensure_connection()
    first = connection.connection
    # As a request does when it begins and when it ends.
    close_old_connections()
    # PostgreSQL's goes back to the pool.
    assert (connection.connection is first) == (connection.vendor == "sqlite")
    assert opened("sqlite:///league.sqlite3")["CONN_MAX_AGE"] == 60


def test_postgresql_keeps_its_other_options() -> None:
    assert opened("postgresql://gin@db.example/league?sslmode=require")["OPTIONS"]["sslmode"] == "require"


def test_sqlite_waits_its_turn_instead_of_failing() -> None:
    options = opened("sqlite:////srv/league.sqlite3")["OPTIONS"]
    assert (options["timeout"], options["transaction_mode"]) == (30, "IMMEDIATE")


@pytest.mark.django_db
def test_database_is_as_durable_as_its_kind_can_be() -> None:
    """PostgreSQL's durability is the server's to say, and off in that of the tests: we change nothing."""

    def asked(statement: str) -> object:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0]

    if connection.vendor == "sqlite":
        names = ("journal_mode", "synchronous", "foreign_keys")
        full = 2
        assert [asked(f"PRAGMA {name}") for name in names] == ["wal", full, 1]
    else:
        changed = asked(
            "SELECT count(*) FROM pg_settings"
            " WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND source"
            " IN ('client', 'session', 'database', 'user', 'database user', 'interactive')"
        )
        assert changed == 0
    assert not connection.settings_dict["ATOMIC_REQUESTS"]


def test_secret_key_is_made_once_however_many_start_together(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret-key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: kept_key(path, new_secret_key), range(32)))
    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in path.parent.iterdir()] == ["secret-key"]


@pytest.mark.dear("starts a program of its own")
def test_django_finds_nothing_to_warn_of_behind_https(tmp_path: Path) -> None:
    checked = manage("check", "--deploy", "--fail-level", "WARNING", DATA_DIR=str(tmp_path), HTTPS="1")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.dear("starts a program of its own")
def test_days_that_are_no_number_are_refused_in_a_sentence(tmp_path: Path) -> None:
    refused = manage("check", DATA_DIR=str(tmp_path), KEEP_SESSIONS="abc")
    assert refused.returncode == 1
    assert refused.stderr == "KEEP_SESSIONS is a number of days, as in 14.\n"


@pytest.mark.dear("starts a program of its own")
def test_no_start_loads_what_only_some_pages_or_only_a_server_needs(tmp_path: Path) -> None:
    """PDFs and measured letters took a quarter of every start, of which `up` makes five."""
    program = (
        "import sys, deploy.wsgi, deploy.celery\n"
        "from django.urls import get_resolver\n"
        "assert get_resolver().url_patterns\n"
        "seldom = {'fpdf', 'fontTools', 'numpy', 'numba', 'redis', 'PIL.ImageFont', 'aiohttp', 'pywebpush'}\n"
        "print(*(seldom | {'league.urls'}) & set(sys.modules))\n"
    )
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["league.urls"]


@pytest.mark.dear("starts a program of its own")
def test_static_files_can_be_collected_with_hashed_names(tmp_path: Path) -> None:
    collected = manage(
        "collectstatic",
        "--noinput",
        "--ignore",
        "drf_spectacular_sidecar",
        DATA_DIR=str(tmp_path),
        STATIC_ROOT=str(tmp_path / "static"),
    )
    assert collected.returncode == 0, collected.stderr
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_unreachable_broker_costs_a_moment_only(tmp_path: Path) -> None:
    program = (
        "import deploy.celery as c, kombu.exceptions as e\n"
        "from tests.clock import waited\n"
        "start = waited()\n"
        "for _ in range(2):\n"
        "    try: c.app.send_task('league.tasks.sweep')\n"
        "    except e.OperationalError: pass\n"
        "    else: raise SystemExit('it was sent')\n"
        "assert waited() - start < 5\n"
    )
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "BROKER_URL": "redis://127.0.0.1:1/0"}
    environment["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
    sent = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert sent.returncode == 0, sent.stderr


@pytest.mark.django_db
def test_pages_carry_a_policy_that_forbids_inline_code(client: Client) -> None:
    headers = client.get("/login/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert (headers["X-Frame-Options"], headers["X-Content-Type-Options"]) == ("DENY", "nosniff")
