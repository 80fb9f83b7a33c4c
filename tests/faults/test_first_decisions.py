"""The first choice that a process weighs takes no longer than others: real workers, and a real web server."""

import http.client
import random
import re
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from games.bots import house_bot
from games.bots.kernel import kernel
from games.models import TableMatch
from games.services import act, table_state
from scoring.core.actors import Actor
from tests.faults.workers import FILES, Machine, Process, speaking_to, until
from tests.games.member_tables import member, table
from tests.games.test_bots_that_think import as_it_is, until_it_thinks
from tests.games.test_table_pages import address, signed_in
from tests.postgres import free_port

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("workers"),
    pytest.mark.looks,
    pytest.mark.dear("starts real workers and a web server, and loads the compiled kernel in them"),
]

# Of a processor. A quiet machine takes less than 100 (`tests.bench`, `deciding_first`), one that shares its
# memory with others somewhat more, and a process that is not warm more than a second.
MOST_MILLISECONDS = 250


@pytest.fixture
def machine(transactional_db: None, tmp_path: Path) -> Iterator[Machine]:
    # Compiled before, as it is on a machine on which a worker has run once.
    kernel(compiled=True)
    # Sessions that the test opens hold in the web server.
    machine = Machine(tmp_path, FILES, SECRET_KEY=settings.SECRET_KEY)
    with speaking_to(FILES, tmp_path):
        yield machine
    machine.close()


def first_choice(process: Process, since: str) -> float:
    """What the first choice took that was weighed since it said this, in ms of its thread's processor."""
    told: list[str] = []

    def is_told() -> bool:
        process.said(since)
        _, _, after = process.log.read_text().partition(since)
        told[:] = re.findall(r"weighed a choice in ([\d.]+) ms", after)
        return bool(told)

    until(is_told, what="a choice is weighed")
    return float(told[0])


@pytest.mark.parametrize("pool", ["solo", "prefork"])
def test_a_worker_weighs_its_first_choice_at_once(machine: Machine, pool: str) -> None:
    ann, chances = member(), random.Random(7)
    match = table(ann, house_bot("expert"), target=10_000)
    worker = machine.start_worker(pool, queues="bots", app="tests.faults.timed")
    while "weighed" not in worker.log.read_text().partition(" ready.")[2]:
        waits = until_it_thinks(match, ann, chances)
        until(partial(has_gone_on, waits), what="the worker plays its turn")
    assert first_choice(worker, since=" ready.") < MOST_MILLISECONDS


def test_a_web_server_weighs_its_first_hint_at_once(machine: Machine) -> None:
    ann, chances = member(), random.Random(8)
    match = table(ann, house_bot("simple"), target=10_000)
    port = free_port()
    server = machine.start("web", ["tests.faults.timed", str(port)])
    until(lambda: server.said("is warm."), what="the web server is warm")
    client = signed_in(ann)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    while "weighed" not in server.log.read_text().partition("is warm.")[2]:
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            connection.request("GET", address(match, "play_hint"), headers={"Cookie": cookie})
            assert connection.getresponse().status == 200
        act_by_chance(match, ann, chances)
    assert first_choice(server, since="is warm.") < MOST_MILLISECONDS


def has_gone_on(match: TableMatch) -> bool:
    return as_it_is(match).version > match.version


def act_by_chance(match: TableMatch, ann: Actor, chances: random.Random) -> None:
    legal = table_state(actor=ann, match=as_it_is(match), seat=0)["hand"]["legal"]
    version = as_it_is(match).version
    act(actor=ann, match=match, seat=0, version=version, action=chances.choice(legal), key=f"key {version}")
