"""Tables of their own: they tell what is played as it would be here, and no bot takes this side along."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from games.bots import HouseBot, house_bot
from games.bots.strategies import strategies_with
from games.errors import GameError
from games.tables import playing
from games.tables.play import BotError, play_deals
from games.tables.playing import TableDeal, TableFault, table_deals
from games.tables.table import request
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import deal_document
from tests.deploy.machine import ROOT, processes, until
from tests.games import bad_bots
from tests.games.bot_play import ANN_AND_BOB
from tests.games.kinds.sheets import bots_of, seats_of
from tests.refusals import refuses

SEED = 11
RULES = Rules.preset("standard", columns=1)


def asked(
    first: str = "simple",
    second: str = "simple",
    *,
    after: Sequence[Deal] = (),
    move_seconds: float = 20.0,
    **changed: Any,
) -> dict[str, Any]:
    """What a table is asked for these strategies; `changed` is put in place of what it would be."""
    known = strategies_with(tuple(bad_bots.PATHS))
    bots = {name: HouseBot.of(known[one]).to_document() for name, one in (("Ann", first), ("Bob", second))}
    made = request(
        RULES.to_document(),
        ANN_AND_BOB,
        bots,
        SEED,
        played=after,
        strategies=bad_bots.PATHS,
        move_seconds=move_seconds,
    )
    return made | changed


def told(of: Mapping[str, Any]) -> list[TableDeal]:
    return [deal for deal in table_deals(of, tick_seconds=0.2) if deal is not None]


@pytest.mark.parametrize("after", [0, 3])
def test_table_tells_what_is_played_as_it_would_be_here(after: int) -> None:
    bot = house_bot("simple")
    here = list(play_deals(RULES, ANN_AND_BOB, {"Ann": bot, "Bob": bot}, SEED))
    there = told(asked(after=[one.deal for one in here[:after]]))
    assert [one.number for one in there] == list(range(after + 1, len(here) + 1))
    for one, deal in zip(here[after:], there, strict=True):
        assert deal.deal == deal_document(one.deal)
        assert [log for log, _ in deal.hands] == [hand.log.to_document() for hand in one.hands]
        assert [len(estimates) for _, estimates in deal.hands] == [len(hand.actions) for hand in one.hands]


@pytest.mark.parametrize(
    ("preset", "sides"),
    [
        ("cutthroat", seats_of(4)),
        ("jersey", seats_of(3)),
        ("basic_rummy", seats_of(5)),
        ("partners_one_pack", (SheetSide("We", ("Ann", "Cid")), SheetSide("They", ("Bob", "Dee")))),
    ],
)
def test_table_plays_every_kind_of_game(preset: str, sides: tuple[SheetSide, ...]) -> None:
    rules, bots = Rules.preset(preset), bots_of(sides, "steady", "novice")
    here = list(play_deals(rules, sides, bots, SEED))
    there = told(
        request(
            rules.to_document(),
            sides,
            {player: bot.to_document() for player, bot in bots.items()},
            SEED,
            played=[one.deal for one in here[:1]],
            strategies=(),
            move_seconds=20.0,
        )
    )
    assert [one.deal for one in there] == [deal_document(one.deal) for one in here[1:]]
    for one, deal in zip(here[1:], there, strict=True):
        assert [log for log, _ in deal.hands] == [hand.log.to_document() for hand in one.hands]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raising", "ValueError: no idea what to do here"),
        ("unprintable", "Unprintable"),
        ("cheating", "It chose “big_gin”. "),
        ("exiting", "Its process ended with status 3."),
        ("crashing", "Its process ended by signal 11."),
        ("hoarding", "MemoryError"),
    ],
)
def test_bot_that_fails_is_named_with_what_it_did(name: str, said: str) -> None:
    with pytest.raises(BotError) as failure:
        told(asked(second=name))
    assert (failure.value.bot, failure.value.code) == ("Bob", "bot_failed")
    assert failure.value.deal > 1
    assert said in str(failure.value.reason)
    assert len(str(failure.value.reason)) < 120


@pytest.mark.parametrize("name", ["hanging", "stubborn"])
def test_bot_that_does_not_answer_is_ended(name: str) -> None:
    with pytest.raises(BotError) as failure:
        told(asked(name, move_seconds=0.7))
    assert (failure.value.bot, str(failure.value.reason)) == ("Ann", "It did not answer within 0.7 seconds.")


def test_slow_bot_is_waited_for() -> None:
    assert told(asked("slow", move_seconds=5.0))


def test_warming_up_is_not_held_against_a_bot() -> None:
    assert told(asked("cold", move_seconds=1.0))[0].number == 1


def test_bot_that_takes_too_long_to_warm_up_is_ended_and_not_to_blame() -> None:
    with pytest.raises(TableFault) as fault:
        told(asked(second="cold", prepare_seconds=0.5))
    assert str(fault.value.sentence) == (
        "The table failed while Bob got ready. It did not answer within 0.5 seconds."
    )


def test_process_that_ends_while_a_bot_gets_ready_is_not_its_doing() -> None:
    with pytest.raises(TableFault) as fault:
        told(asked(second="stillborn"))
    assert (
        str(fault.value.sentence) == "The table failed while Bob got ready. Its process ended by signal 11."
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hanging_at_once", "It did not answer within 2 seconds."),
        ("crashing_at_once", "Its process ended by signal 11."),
    ],
)
def test_bot_with_nothing_to_get_ready_fails_where_it_counts(name: str, said: str) -> None:
    """Whoever sits across: the deal that counts nothing is played by bots with levels alone."""
    with pytest.raises(BotError) as failure:
        told(asked("cold", name, move_seconds=2.0))
    assert (failure.value.bot, failure.value.deal, str(failure.value.reason)) == ("Bob", 1, said)


def test_what_cannot_be_loaded_is_no_fault_of_the_bot() -> None:
    with pytest.raises(TableFault) as fault:
        told(asked(second="unloadable"))
    assert str(fault.value.sentence) == "ImportError: a library of another version"


def test_bot_that_always_fails_does_so_where_it_counts() -> None:
    with pytest.raises(BotError) as failure:
        told(asked(second="hopeless"))
    assert (failure.value.bot, failure.value.deal) == ("Bob", 1)
    assert "no idea" in str(failure.value.reason)


def test_bots_see_no_password_and_no_key_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY", "EMAIL_URL", "PUSH_KEY"):
        monkeypatch.setenv(name, "secret")
    assert told(asked("prying"))[-1].number > 1
    monkeypatch.setenv("PRIED_AT", "secret")
    with pytest.raises(BotError, match="secret"):
        told(asked("prying"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("garbling", "The table was made to say what nobody can read."),
        ("forging", "The table was made to say what nobody can read."),
        ("endless", "The table was made to say a line without an end."),
    ],
)
def test_bot_that_speaks_for_the_table_is_named(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "LONGEST_LINE", 25_000)
    with pytest.raises(BotError) as failure:
        told(asked(second=name))
    assert (failure.value.bot, str(failure.value.reason)) == ("Bob", said)


def test_worker_of_another_version_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The code was changed under a worker that runs on: the table says what it does not know."""
    room = tmp_path / "games" / "tables"
    room.mkdir(parents=True)
    (tmp_path / "games" / "__init__.py").touch()
    (room / "__init__.py").touch()
    newer = "import sys\nsys.stdin.readline()\nprint('{\"thinking\": 1}', flush=True)\nsys.stdin.read()\n"
    (room / "table.py").write_text(newer)
    of = asked()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TableFault) as fault:
        told(of)
    assert str(fault.value.sentence) == (
        "This worker is of another version than what it plays with: restart it. It said: {'thinking': 1}"
    )


def test_what_bots_print_is_not_taken_for_the_table() -> None:
    assert told(asked("chattering"))[-1].number > 1


def test_nothing_is_left_of_what_a_bot_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with pytest.raises(BotError):
        told(asked("leaving", move_seconds=1.0))
    until(lambda: not processes(tmp_path), what="the program has ended")


def test_table_ends_when_nobody_listens_any_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with closing(table_deals(asked("hanging"), tick_seconds=0.2)) as deals:
        assert next(filter(None, deals)).number == 1
        assert processes(tmp_path)
    assert not processes(tmp_path)


@pytest.mark.parametrize("name", ["hanging", "stubborn"])
def test_table_ends_when_whoever_asked_is_killed(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """By its input; where compiled code lets nobody see that, by the alarm a few seconds after the move."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    program = (
        "import json, sys, time\n"
        "from games.tables.playing import table_deals\n"
        "begun = time.monotonic()\n"
        "for deal in table_deals(json.loads(sys.argv[1]), tick_seconds=0.2):\n"
        "    if deal is None and time.monotonic() - begun > 0.2:\n"
        "        print('silence', flush=True)\n"
        "    begun = time.monotonic()\n"
    )
    of = json.dumps(asked(name, move_seconds=1.0))
    command = [sys.executable, "-c", program, of]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert "silence\n" in killed.stdout
        killed.kill()
    until(lambda: not processes(tmp_path), what="the table has ended")


def test_signal_to_stop_everything_is_not_the_bots_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """A service manager asks every process of a worker to stop: the table leaves that to the worker."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    deals = table_deals(asked("hanging"), tick_seconds=0.02)
    assert next(filter(None, deals)).number == 1
    (table,) = processes(tmp_path)
    os.kill(table, signal.SIGTERM)
    assert list(islice(deals, 100))[-1] is None
    os.kill(table, signal.SIGKILL)
    with pytest.raises(TableFault, match="ended from outside, by signal 9"):
        list(deals)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"bots": {}}, "no_bot"),
        ({"rules": {"gin": 1}}, "unknown_knob"),
        ({"played": [{"hands": []}]}, "wrong_hand_count"),
        ({"strategies": []}, "unknown_strategy"),
    ],
)
def test_what_cannot_be_played_is_refused(more: dict[str, Any], code: str) -> None:
    with refuses(GameError, code):
        told(asked("raising", **more))


def test_fault_that_is_no_bots_is_none_of_theirs() -> None:
    with pytest.raises(TableFault, match="KeyError"):
        told({})
    with pytest.raises(TableFault, match="has no NOBODY"):
        told(asked(strategies=["tests.games.bad_bots.NOBODY"]))
