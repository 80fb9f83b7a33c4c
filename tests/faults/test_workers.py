"""Real workers: a recorded hand is in the table within seconds; what is lost on the way only comes later."""

import os
import subprocess
import sys
from collections.abc import Iterator
from logging import getLogger
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from kombu import Message, Queue

from league.models import Event, Match, Standing, StandingsRequest, SweepMark
from league.tables.standings import current_standings
from scoring.services import record_deals
from tests.deploy.machine import processes
from tests.factories import OPERATOR, EventFactory, MatchFactory, sheet_of, won
from tests.faults.workers import BROKERS, FILES, ROOT, Machine, Valkey, speaking_to, until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("workers"),
    pytest.mark.dear("starts real workers"),
]


@pytest.fixture
def event(transactional_db: None) -> Event:
    return EventFactory.create()


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path)
    yield server
    server.kill()


@pytest.fixture(params=BROKERS)
def machine(request: pytest.FixtureRequest, event: Event, tmp_path: Path) -> Iterator[Machine]:
    """A machine with a broker that works; messages of this thread go to it."""
    url = FILES if request.param == "files" else request.getfixturevalue("valkey").url
    machine = Machine(tmp_path, url)
    with speaking_to(url, tmp_path):
        yield machine
    machine.close()


def finish(event: Event) -> Match:
    """One more match, played and finished."""
    match = MatchFactory.create(event=event)
    deals = [won(match.entry_a.name, str(match.entry_b), 100)] * 3
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals)
    return match


def table_is_right(event: Event) -> bool:
    if StandingsRequest.objects.filter(event=event).exists():
        return False
    stored = Standing.objects.filter(event=event).order_by("position")
    return [(row.entry_id, row.points, row.net) for row in stored] == [
        (row.entry_id, row.points, row.net) for row in current_standings(event)
    ]


def test_hand_is_in_the_table_within_seconds(machine: Machine, event: Event) -> None:
    machine.start_worker()
    for count in (1, 2, 3):
        finish(event)
        until(lambda: table_is_right(event), what="the hand is in the table")
        assert sum(Standing.objects.filter(event=event).values_list("wins", flat=True)) == count


def test_worker_that_was_killed_catches_up(machine: Machine, event: Event) -> None:
    worker = machine.start_worker()
    finish(event)
    until(lambda: table_is_right(event), what="the hand is in the table")
    worker.kill()
    finish(event)
    assert StandingsRequest.objects.filter(event=event).count() == 1
    assert not table_is_right(event)
    machine.start_worker()
    until(lambda: table_is_right(event), what="the second hand is in the table")


def test_lost_message_is_made_up_for_by_the_sweep(machine: Machine, event: Event) -> None:
    """The row is there, the message is not: killed with a worker, or never sent."""
    machine.start_worker()
    machine.start_quick_clock()
    until(lambda: SweepMark.objects.exists(), what="the first sweep")
    started = timezone.now()
    with speaking_to("memory://", machine.data):
        finish(event)
    until(lambda: table_is_right(event), what="the sweep found the hand")
    assert SweepMark.objects.get(swept_at__gt=started)


@pytest.mark.elsewhere
def test_broker_that_dies_and_comes_back(valkey: Valkey, event: Event, tmp_path: Path) -> None:
    machine = Machine(tmp_path, valkey.url)
    try:
        with speaking_to(valkey.url, tmp_path):
            machine.start_worker()
            machine.start_quick_clock()
            finish(event)
            until(lambda: table_is_right(event), what="the hand is in the table")
            valkey.kill()
            finish(event)
            assert StandingsRequest.objects.filter(event=event).count() == 1
            # Back with nothing in it: every message is gone.
            valkey.start()
            until(lambda: table_is_right(event), what="worker, clock and broker found each other again")
    finally:
        machine.close()


@pytest.mark.elsewhere
def test_broker_that_is_away_when_a_message_is_acknowledged(valkey: Valkey, tmp_path: Path) -> None:
    """Who takes one message at a time takes the next one once it is back."""
    with speaking_to(valkey.url, tmp_path) as app, app.connection() as connection:
        queue = Queue("one by one")
        taken: list[Message] = []
        consumer = connection.Consumer(queue, on_message=taken.append)
        consumer.qos(prefetch_count=1)
        with consumer:
            connection.Producer().publish("first", routing_key=queue.name, declare=[queue])
            connection.drain_events(timeout=10)
            valkey.kill()
            taken[0].ack_log_error(getLogger(__name__), connection.connection_errors)
            valkey.start()
            channel: Any = connection.default_channel
            assert channel.qos.can_consume()


def test_nothing_is_left_of_a_run_that_is_killed(tmp_path: Path) -> None:
    """Neither a Python module nor another program, each started as the workers and the broker are."""
    run = (
        "import os, sys, threading\n"
        "from pathlib import Path\n"
        "from tests.faults.workers import Process\n"
        "folder = Path(sys.argv[1])\n"
        "commands = ['http.server', '0'], ['tests.faults.program', 'sleep', '1000']\n"
        "for number, command in enumerate(commands):\n"
        "    Process(command, log=folder / str(number), environment=dict(os.environ))\n"
        "print('started', flush=True)\n"
        "threading.Event().wait()\n"
    )
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "killed")}
    command = [sys.executable, "-c", run, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "started\n"
        until(lambda: any(one.startswith("sleep") for one in left(tmp_path)), what="the programs run")
        assert any("http.server" in one for one in left(tmp_path))
        killed.kill()
    until(lambda: left(tmp_path) == [], what="all of them have ended")


def left(tmp_path: Path) -> list[str]:
    return list(processes(tmp_path / "killed").values())
