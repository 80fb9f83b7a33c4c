"""What all tests share: which of them need a database or a browser, how long proofs run, and chromium."""

import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.runner import runtestprotocol
from django.conf import settings
from django.core.cache import cache, caches
from django.db import connection
from django.test import TransactionTestCase
from django.test.client import ClientHandler
from kombu.transport.memory import Channel as InMemory
from playwright.sync_api import expect
from pytest_django.plugin import DjangoDbBlocker

from tests.chromium import chromium_program
from tests.notes import NOTES, Noting, named, read
from tests.prepared import copy_on_sqlite, name_template_on_postgresql
from tests.quick import Deadline, nearest_first

# A machine may be busy with other tests; a page that has saved tries again after up to 8 s.
expect.set_options(timeout=20_000)

DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
    "live_server",
}
# Everything that Django and the tests are made of lives as long as the run. Whoever looks through it for
# garbage every 700 objects spends a tenth of the run on that.
GARBAGE = 100_000

CHOSEN_FILES = pytest.StashKey[set[str]]()

# Slots of a frame: half a megabyte, and as much is left for the frames of what it calls.
WIDE_FRAME = 70_000

# A run by hand or in CI always tries the same examples; `--long` looks for new ones.
hypothesis.settings.register_profile("short", max_examples=40, deadline=None, derandomize=True)
hypothesis.settings.register_profile("long", max_examples=500, deadline=None, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run long proofs whole, not reduced")
    parser.addoption("--note", type=Path, help="note in this folder what each test costs and asks")
    parser.addoption("--chosen", type=Path, help="only the tests that this file lists")
    parser.addoption("--near", action="append", help="of tests with a database, only those near to this path")
    parser.addoption("--end", type=float, help="the time of the clock after which no more tests begin")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile("long" if config.getoption("--long") else "short")
    if folder := config.getoption("--note"):
        config.pluginmanager.register(Noting(folder))
    if end := config.getoption("--end"):
        config.pluginmanager.register(Deadline(end))


def _chosen(config: pytest.Config) -> set[str]:
    """The tests that are to be run; none if all are."""
    file: Path | None = config.getoption("--chosen")
    return set(json.loads(file.read_text())) if file else set()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file in which nothing is chosen is not even imported: collecting all takes a process many seconds."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    if CHOSEN_FILES not in config.stash:
        config.stash[CHOSEN_FILES] = {name.split("::")[0] for name in _chosen(config)}
    files = config.stash[CHOSEN_FILES]
    return True if files and collection_path.relative_to(config.rootpath).as_posix() not in files else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs a database or a browser, before `-m` selects by it, and put what is dear first.

    Browser tests share one group, so that only one chromium runs however many workers there are. What runs
    in several transactions is of those that PostgreSQL sees whatever else covers their statements.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        owner = getattr(item, "cls", None)
        if (
            item.get_closest_marker("django_db")
            or fixtures & DATABASE_FIXTURES
            or (owner is not None and issubclass(owner, TransactionTestCase))
        ):
            item.add_marker(pytest.mark.db)
        if "page" in fixtures:
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))
        elif fixtures & {"transactional_db", "live_server"} or any(
            mark.kwargs.get("transaction") for mark in item.iter_markers("django_db")
        ):
            item.add_marker(pytest.mark.postgresql)
    # A worker that came to one of these last would keep the others waiting.
    items.sort(key=lambda item: item.get_closest_marker("dear") is None)
    if chosen := _chosen(config):
        items[:] = [item for item in items if named(item) in chosen]
    if config.getoption("--end"):
        seconds = {note.test: note.seconds for note in read(NOTES)}
        items[:] = nearest_first(items, config.getoption("--near") or [], config.rootpath, seconds)


def pytest_sessionstart() -> None:
    gc.set_threshold(GARBAGE, 10, 10)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, in a frame with room for all frames of the test.

    CPython keeps frames in chunks of 16 KB, and gives one back as soon as nothing is in it. What is called
    again and again at the edge of a chunk, deep under pytest, costs two system calls and fresh memory each
    time (https://github.com/python/cpython/issues/142183): up to two fifths of a test. A frame larger than a
    chunk gets one with as much room again.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runtestprotocol(item, nextitem=nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


pytest_runtest_protocol.__code__ = pytest_runtest_protocol.__code__.replace(co_stacksize=WIDE_FRAME)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have recorded as `measured`."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "measured":
                terminalreporter.write_line(f"{report.nodeid}: {value}")


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's test database is a copy, made before each run and gone with its folder after it."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest,
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """The test database is copied from a prepared one, and `migrate` finds little to do."""
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            copy_on_sqlite(request.config.cache.mkdir("database"))
        else:
            name_template_on_postgresql()


@pytest.fixture(autouse=True, scope="session")
def _rows_are_deleted_after_transactions() -> Iterator[None]:
    from tests.emptied import delete_rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", delete_rows)
        yield


@pytest.fixture(autouse=True, scope="session")
def _middleware_is_made_once() -> Iterator[None]:
    """All clients share it, as all requests to a site do, unless the test has settings of its own.

    Each would make it anew, and so look for all static files.
    """
    usual, load = vars(settings)["_wrapped"], ClientHandler.load_middleware
    made: list[ClientHandler] = []

    def shared(handler: ClientHandler, is_async: bool = False) -> None:
        if vars(settings)["_wrapped"] is not usual:
            load(handler, is_async)
            return
        if not made:
            load(handler, is_async)
            made.append(handler)
        vars(handler)["_middleware_chain"] = vars(made[0])["_middleware_chain"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", shared)
        yield


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether a long proof is to be run whole."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(autouse=True)
def _forget_the_last_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that did not answer is left alone for half a minute, and one in memory keeps what was asked."""
    from games.services import waking

    monkeypatch.setattr(waking, "_paused_until", 0.0)
    InMemory.queues.clear()


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """Throttles and cached pages of one test must not reach the next."""
    cache.clear()
    caches["looks"].clear()
    yield
    cache.clear()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's chromium, kept from calling home; without a sandbox only where root leaves no choice."""
    chromium = chromium_program()
    if chromium is None:
        pytest.fail("Browser tests need chromium on the path.")
    # Playwright runs an event loop in this thread, where Django would refuse the test's own queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    flags = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if sys.platform == "linux" and os.geteuid() == 0:
        flags.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": chromium, "args": flags}
