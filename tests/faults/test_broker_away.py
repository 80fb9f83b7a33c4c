"""The broker is away: hands are recorded as before, nobody waits for it, and the row stays for the sweep."""

import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from games.services import hand_out, waking
from league import tasks
from league.bots.bot_matches import play_now
from league.models import Event, Standing, StandingsRequest
from scoring.services import record_deals
from tests.clock import waited
from tests.factories import OPERATOR, EventFactory, MatchFactory, won
from tests.faults.workers import FILES, speaking_to
from tests.kept import assert_derived
from tests.league.bot_cases import bot_match
from tests.postgres import free_port

pytestmark = pytest.mark.django_db(transaction=True)

# For a hand at a keyboard. A second more for the one that finds out that a broker does not answer.
PATIENCE_SECONDS = [2.5, 1.5, 1.5]


@pytest.fixture
def event(transactional_db: None) -> Event:
    return EventFactory.create()


@pytest.fixture
def mute_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(params=["folder gone", "port closed", "port mute"])
def broker_away(request: pytest.FixtureRequest, tmp_path: Path, mute_port: int) -> Iterator[None]:
    """Messages of this thread go to a broker that is not there."""
    if request.param == "folder gone":
        with speaking_to(FILES, tmp_path):
            shutil.rmtree(tmp_path / "broker")
            # Not even root writes into a folder that is a file.
            (tmp_path / "broker").write_text("in the way")
            yield
    else:
        port = mute_port if request.param == "port mute" else free_port()
        with speaking_to(f"redis://127.0.0.1:{port}/0", tmp_path):
            yield


def finish(event: Event) -> float:
    """Records the end of one more match; how long that had to wait, in seconds."""
    match = MatchFactory.create(event=event)
    assert match.sheet is not None
    deals = [won(match.entry_a.name, str(match.entry_b), 100)] * 3
    start = waited()
    receipt = record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, key="save")
    elapsed = waited() - start
    assert receipt.status == "finished"
    assert_derived(match.sheet)
    return elapsed


@pytest.mark.usefixtures("broker_away")
def test_hand_is_recorded_as_before_and_quickly(event: Event) -> None:
    for patience in PATIENCE_SECONDS:
        assert finish(event) < patience
    assert StandingsRequest.objects.filter(event=event).count() == 3
    assert not Standing.objects.exists()


@pytest.mark.usefixtures("broker_away")
def test_broker_that_is_away_is_asked_once_in_a_while(
    event: Event, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        finish(event)
    assert [record.name for record in caplog.records if record.name.startswith(("league", "games"))] == [
        "games.services.waking"
    ]
    monkeypatch.setattr(waking, "_paused_until", time.monotonic() - 1)
    finish(event)
    assert [record.name for record in caplog.records if record.name.startswith(("league", "games"))] == [
        "games.services.waking"
    ] * 2


def test_standings_catch_up_by_the_sweep(event: Event, tmp_path: Path) -> None:
    with speaking_to(f"redis://127.0.0.1:{free_port()}/0", tmp_path):
        finish(event)
    sent: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        # What a worker does with the sweep's messages.
        patch.setattr(tasks.recalculate_standings, "delay", sent.append)
        tasks.sweep()
    for event_id in sent:
        tasks.recalculate_standings(event_id)
    assert sent == [event.pk]
    assert not StandingsRequest.objects.exists()
    assert Standing.objects.filter(event=event).count() == 2


def test_broker_that_is_there_gets_the_message(event: Event, tmp_path: Path) -> None:
    with speaking_to(FILES, tmp_path):
        finish(event)
    (message,) = (tmp_path / "broker" / "messages").iterdir()
    assert "league.tasks.recalculate_standings" in message.read_text()


def test_no_message_leaves_before_the_hand_is_kept(event: Event, tmp_path: Path) -> None:
    with speaking_to(FILES, tmp_path):
        with transaction.atomic():
            finish(event)
            assert not list((tmp_path / "broker" / "messages").iterdir())
            transaction.set_rollback(True)
        assert not list((tmp_path / "broker" / "messages").iterdir())


@pytest.mark.usefixtures("broker_away")
def test_bots_are_planted_all_the_same_and_found_by_the_sweep() -> None:
    match = bot_match()
    start = waited()
    planted = play_now(actor=OPERATOR, match=match)
    assert waited() - start < PATIENCE_SECONDS[0]
    assert hand_out(timezone.now()) == [planted.pk]


def test_worker_is_called_once_a_bot_match_is_kept(transactional_db: None, tmp_path: Path) -> None:
    with speaking_to(FILES, tmp_path):
        with transaction.atomic():
            play_now(actor=OPERATOR, match=bot_match())
            assert not list((tmp_path / "broker" / "messages").iterdir())
            transaction.set_rollback(True)
        assert not list((tmp_path / "broker" / "messages").iterdir())
        play_now(actor=OPERATOR, match=bot_match())
    (message,) = (tmp_path / "broker" / "messages").iterdir()
    assert "games.tasks.play_bot_match" in message.read_text()
