"""A rebuild in several processes, killed half-way: another one goes on, and all is found and written."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from league.draws.recalculating import recalculate
from league.models import Event, Match
from league.tables import ratings
from league.upkeep.rebuilding_ratings import repair_ratings
from scoring.models import Scoresheet, SheetAct
from scoring.services import record_deals
from tests.deploy.machine import processes
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, won
from tests.faults.workers import ROOT, database_url, until
from tests.kept import contents

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.dear("starts processes that are killed"),
]

EVENTS = 6
# Nothing is wrong with the first two events; the fourth is where a rebuild is held up.
WRONG, HELD = (2, 3, 4, 5), 3


@pytest.fixture
def events(transactional_db: None) -> list[Event]:
    """Events of two clubs, two matches each, all derived as they should be."""
    clubs = [ClubFactory.create(slug="harbour"), ClubFactory.create(slug="old-town")]
    events = [EventFactory.create(club=clubs[number % 2], name=f"Cup {number}") for number in range(EVENTS)]
    for event in events:
        round_ = RoundFactory.create(event=event)
        for table in range(2):
            a, b = EntryFactory.create(event=event), EntryFactory.create(event=event)
            label = f"{event.name} T{table}"
            match = MatchFactory.create(event=event, round=round_, label=label, entry_a=a, entry_b=b)
            assert match.sheet is not None
            deals = [won(a.name, b.name, 300), won(b.name, a.name, 40)]
            record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, stopped=True)
        recalculate(event.pk)
    for club in clubs:
        ratings.recalculate(club.pk)
    return events


def tamper(events: list[Event]) -> None:
    """Every wrong event has a sheet and a match that differ."""
    for number in WRONG:
        Scoresheet.objects.filter(match__label=f"Cup {number} T0").update(nets=[999, -999])
        Match.objects.filter(label=f"Cup {number} T1").update(net=5)


TABLES = ("Scoresheet", "Match", "Standing", "Rating", "RatingStep", "DealVersion")
# Rows that are written anew have other ids, and every write moves the times.
MOVED = ("id", "updated_at", "calculation")


def derived() -> dict[str, object]:
    """The rows that follow from the deals, and the deals."""
    return {
        table: [{name: value for name, value in row.items() if name not in MOVED} for row in rows]
        for table, rows in contents().items()
        if table in TABLES
    }


class Rebuild:
    """A `manage.py rebuild` with two processes, on the test's database."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "rebuild", "--jobs", "2", *words],
            cwd=ROOT,
            env=kept | {"DATABASE_URL": database_url(), "DATA_DIR": str(folder), "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def done(self) -> int:
        """How many parts are noted as done."""
        with contextlib.suppress(FileNotFoundError):
            return sum("found" in json.loads(line) for line in self._lines())
        return 0

    def _lines(self) -> list[str]:
        text = (self.folder / "rebuild.jsonl").read_text()
        return [line for line in text.splitlines(keepends=True) if line.endswith("\n") and line.strip()]

    def children(self) -> list[int]:
        """The processes that do the parts."""
        return [pid for pid, command in processes(self.folder).items() if "spawn_main" in command]

    def ended(self) -> tuple[list[str], int]:
        """What it said of differences and its status, once it has ended; then all its processes have."""
        said, errors = self.process.communicate(timeout=60)
        until(lambda: not processes(self.folder), what="all processes have ended")
        assert "Traceback" not in errors or self.process.returncode == 3, errors
        return said.splitlines(), self.process.returncode


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for pid in processes(tmp_path):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture(autouse=True)
def _journals_are_here(settings: object, folder: Path) -> None:
    settings.DATA_DIR = folder  # type: ignore[attr-defined]


def here(*words: str) -> tuple[list[str], int]:
    """What a rebuild in this process says of differences, and its status."""
    said = io.StringIO()
    status = 0
    try:
        call_command("rebuild", "--jobs", "1", *words, stdout=said, stderr=io.StringIO())
    except CommandError as ended:
        status = ended.returncode
    return said.getvalue().splitlines(), status


@contextlib.contextmanager
def held_up(event: Event) -> Iterator[int]:
    """No rebuild gets past this event; on SQLite past none that differs. Yields how many parts it does."""
    with transaction.atomic():  # on SQLite nobody else writes
        list(Scoresheet.objects.select_for_update().filter(match__event=event))
        # The sheets of no match, the events without a difference, on PostgreSQL all other events.
        yield EVENTS if connection.vendor == "postgresql" else 1 + EVENTS - len(WRONG)


def test_rebuild_goes_on_where_it_was_killed(events: list[Event], folder: Path) -> None:
    right = derived()
    tamper(events)
    expected = here("--apply")
    assert expected[0][-1].startswith("Differences written: ")
    assert derived() == right
    tamper(events)

    with held_up(events[HELD]) as parts:
        killed = Rebuild(folder, "--apply")
        until(lambda: killed.done() == parts, what="all that can be done is done")
        killed.process.kill()
        killed.process.communicate()
        until(lambda: not processes(folder), what="its processes end with it")

    assert here("--resume") == ([], 2), "it is another rebuild that was killed"
    assert here("--apply", "--resume") == expected
    assert derived() == right
    assert here() == (["No differences."], 0)
    assert not list(folder.glob("*.jsonl"))


def test_rebuild_whose_process_dies_says_so(events: list[Event], folder: Path) -> None:
    tamper(events)
    expected = here()
    with held_up(events[HELD]) as parts:
        broken = Rebuild(folder)
        until(lambda: broken.done() == parts, what="all that can be done is done")
        os.kill(broken.children()[0], signal.SIGKILL)
        assert broken.ended()[1] == 3
    assert here("--resume") == expected


def test_ratings_are_done_once_the_event_is_that_failed(events: list[Event]) -> None:
    """The match that differs had changed the ratings, and its event fails before it is repaired."""
    right = derived()
    wrong = events[HELD]
    Match.objects.filter(label=f"{wrong.name} T1").update(winner_side=1, net=-900)
    repair_ratings(wrong.club)
    assert derived()["Rating"] != right["Rating"]
    act = SheetAct.objects.get(sheet__match__label=f"{wrong.name} T0")
    SheetAct.objects.filter(pk=act.pk).update(body=[])  # which nobody can read
    assert here("--apply")[1] == 3
    SheetAct.objects.filter(pk=act.pk).update(body=act.body)
    assert here("--apply", "--resume")[1] == 0
    assert derived() == right
    assert here() == (["No differences."], 0)
