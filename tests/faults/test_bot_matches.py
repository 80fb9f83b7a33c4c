"""Bot matches with real workers on real brokers: every one is played once, whatever dies on the way."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.bots import HouseBot, house_bot
from games.models import BotMatch, BotMatchState
from games.services import play_bot_match
from games.tasks import play_bot_match as play_task
from scoring.models import SheetAct
from tests.deploy.machine import processes
from tests.faults.workers import BROKERS, FILES, Machine, Valkey, speaking_to, until
from tests.games import bad_bots
from tests.games.bot_matches import blank_sheet, documents, planned
from tests.kept import assert_derived

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("workers"),
    pytest.mark.dear("starts real workers"),
]

QUICK = {
    "BOT_LEASE_SECONDS": "2",
    "BOT_MOVE_SECONDS": "3",
    "BOT_STRATEGIES": ",".join(bad_bots.PATHS),
}
PACED = HouseBot.of(bad_bots.PACED)


@pytest.fixture(autouse=True)
def _bad_bots_play_here(settings: object) -> None:
    settings.BOT_STRATEGIES = bad_bots.PATHS  # type: ignore[attr-defined]


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def files(transactional_db: None, tmp_path: Path) -> Iterator[Machine]:
    """A machine whose broker is a folder; messages of this thread go to it."""
    machine = Machine(tmp_path, FILES, **QUICK)
    with speaking_to(FILES, tmp_path):
        yield machine
    machine.close()


@pytest.fixture(params=BROKERS)
def machine(request: pytest.FixtureRequest, transactional_db: None, tmp_path: Path) -> Iterator[Machine]:
    """A machine with a broker that works; messages of this thread go to it."""
    if request.param == "files":
        yield request.getfixturevalue("files")
        return
    url = request.getfixturevalue("valkey").url
    machine = Machine(tmp_path, url, **QUICK)
    with speaking_to(url, tmp_path):
        yield machine
    machine.close()


def twins(*, columns: int = 1, target: int = 100) -> tuple[BotMatch, BotMatch]:
    """Two matches of the same seed: one played already, undisturbed, by bots that choose the same at once."""
    sheets = [blank_sheet(columns=columns, target=target) for _ in range(2)]
    undisturbed, match = planned(sheets[0], house_bot("simple")), planned(sheets[1], PACED)
    play_bot_match(undisturbed.pk)
    return undisturbed, match


def state_of(match: BotMatch) -> str:
    return BotMatch.objects.get(pk=match.pk).state


def deals_of(match: BotMatch) -> int:
    return match.sheet.deal_versions.count()


def is_over(*matches: BotMatch) -> bool:
    return all(match.is_over for match in BotMatch.objects.filter(pk__in=[one.pk for one in matches]))


def assert_same(match: BotMatch, undisturbed: BotMatch) -> None:
    """To the last move, and no deal twice."""
    match.refresh_from_db()
    assert (match.state, match.note) == (BotMatchState.FINISHED, "")
    assert documents(match) == documents(undisturbed)
    assert SheetAct.objects.filter(sheet=match.sheet).count() == deals_of(match) == match.sheet.deal_count
    assert_derived(match.sheet)


def test_killed_at_any_moment_the_match_ends_in_the_same_sheet(machine: Machine, long: bool) -> None:
    """Every other time a deal was stored since the last kill; moments are drawn from a fixed seed."""
    kills, chances = (20 if long else 3), random.Random(4)
    undisturbed, match = twins(columns=3, target=400 if long else 100)
    machine.start_quick_clock()
    for kill in range(kills):
        worker, before = machine.start_worker(), deals_of(match)
        if kill % 2:
            until(lambda: state_of(match) == BotMatchState.PLAYING, what="the match is taken up")
        else:
            until(lambda before=before: deals_of(match) > before, what="another deal is stored")  # type: ignore[misc]
        threading.Event().wait(chances.random() * 0.5)
        assert not is_over(match)
        worker.kill()
    machine.start_worker()
    until(lambda: is_over(match), what="the match is played")
    assert_same(match, undisturbed)
    until(lambda: not tables(machine), what="no table is left")


def tables(machine: Machine) -> list[str]:
    return [command for command in processes(machine.data).values() if "games.tables.table" in command]


def test_two_workers_never_play_one_match_twice(files: Machine) -> None:
    pairs = [twins(), twins()]
    for _ in range(3):
        for _undisturbed, match in pairs:
            play_task.delay(match.pk)
    messages = files.data / "broker" / "messages"
    assert len(list(messages.glob("*.bots.msg"))) == 6
    for _ in range(2):
        files.start_worker(queues="bots")
    until(lambda: is_over(*[match for _, match in pairs]), what="both are played")
    for undisturbed, match in pairs:
        assert_same(match, undisturbed)
    # Nor do they, who take no sweeps, send any.
    assert not list(messages.glob("*.celery.msg"))


@pytest.mark.elsewhere
def test_broker_down_for_a_while_everything_is_played_in_the_end(
    valkey: Valkey, transactional_db: None, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, valkey.url, **QUICK)
    try:
        undisturbed, match = twins(columns=3)
        machine.start_worker()
        machine.start_quick_clock()
        until(lambda: deals_of(match) > 0, what="the first deal")
        valkey.kill()
        until(lambda: deals_of(match) > 2, what="who plays needs no broker")
        late = planned(None, PACED)
        valkey.start()
        until(lambda: is_over(match, late), what="everything is played")
        assert_same(match, undisturbed)
    finally:
        machine.close()


def test_bots_that_fail_forfeit_and_the_next_match_is_played_by_the_same_worker(files: Machine) -> None:
    """The next one is found by the sweep, as its message was lost."""
    bad = [
        planned(None, HouseBot.of(one))
        for one in (bad_bots.RAISING, bad_bots.HANGING, bad_bots.CHEATING, bad_bots.CRASHING)
    ]
    for match in bad:
        play_task.delay(match.pk)
    undisturbed, good = twins()
    files.start_worker()
    files.start_quick_clock()
    until(lambda: is_over(*bad, good), what="all are over")
    for match, said in zip(bad, ("no idea", "did not answer", "It chose", "by signal 11"), strict=True):
        match.refresh_from_db()
        assert match.state == BotMatchState.FORFEITED
        assert match.loser_side in (0, 1)
        assert said in match.note
    assert_same(good, undisturbed)


def test_workers_that_are_asked_to_stop_give_their_match_back(files: Machine) -> None:
    undisturbed, match = twins(columns=3)
    for pool in ("solo", "threads", "prefork"):
        worker, before = files.start_worker(pool), deals_of(match)
        play_task.delay(match.pk)
        until(lambda before=before: deals_of(match) > before, what="another deal is stored")  # type: ignore[misc]
        worker.ask_to_stop()
        assert state_of(match) == BotMatchState.DUE
    files.start_worker()
    until(lambda: is_over(match), what="the match is played")
    assert_same(match, undisturbed)
