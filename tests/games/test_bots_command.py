"""`manage.py bots`: the list, real arenas of a few games, what is kept of them, and what is refused."""

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from games.arena.choices import ShippedChoices
from games.arena.pairs import label
from games.arena.playing import every_level
from games.arena.shipped import ShippedArena
from games.bots import STRATEGIES
from games.bots.field import FIELD
from games.models import BotMeeting, BotRating
from tests.faults.workers import PATIENCE_SECONDS, until

ROOT = Path(__file__).resolve().parents[2]


def bots(*words: str) -> str:
    out = StringIO()
    call_command("bots", *words, stdout=out)
    return out.getvalue()


def arena(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bots("arena", *words, "--processes", "1", "--format", "json"))
    return found


HOUSE = ("--bots", "novice,simple,steady")


@pytest.mark.django_db
def test_arena_prints_a_table_and_stores_what_it_says() -> None:
    lines = bots("arena", "--games", "8", *HOUSE, "--seed", "4", "--processes", "2").splitlines()
    assert lines[0] == "3 bots, 8 games between any two to 100, 24 in all; packs of seed 4."
    assert lines[2].split() == ["rating", "won", "95", "%", "points", "a", "hand", "ms", "a", "choice"]
    assert len({len(line) for line in lines[2:6]}) == 1
    said = {line.split()[0]: line for line in lines[3:6]}
    assert set(said) == {"novice", "simple", "steady"}
    assert "1500 ± " in said["simple"]
    assert lines[3].split()[0] != "novice"
    assert lines[5].split()[0] == "novice"
    assert [line.split()[:2] for line in lines[8:11]] == [
        [one.split()[0], other.split()[0]]
        for one, other in ((lines[3], lines[4]), (lines[3], lines[5]), (lines[4], lines[5]))
    ]
    assert lines[-1] == "Ratings and results were stored."
    rows = {row.strategy: row for row in BotRating.objects.all()}
    assert {name: (row.level, row.samples, row.games) for name, row in rows.items()} == dict.fromkeys(
        said, (0, 0, 16)
    )
    assert rows["simple"].mu == 25
    assert rows["novice"].mu < 25
    assert [(str(each.one), str(each.other), each.games) for each in BotMeeting.objects.order_by("pk")] == [
        ("novice", "simple", 8),
        ("novice", "steady", 8),
        ("simple", "steady", 8),
    ]


@pytest.mark.django_db
def test_json_says_the_same_as_what_is_stored() -> None:
    found = arena("--games", "6", *HOUSE)
    assert (found["games"], found["seed"], found["is_stored"]) == (6, 1, True)
    assert found["rules"]["next_dealer"] == "alternate"
    for bot in found["bots"]:
        row = BotRating.objects.get(strategy=bot["strategy"])
        assert (row.mu, row.sigma, row.games) == (bot["mu"], bot["sigma"], bot["games"])
        assert (bot["level"], bot["samples"]) == (None, None)
        assert 0 <= bot["low"] < bot["high"] <= 1
        assert bot["ms_per_choice"] > 0
    for meeting in found["meetings"]:
        stored = BotMeeting.objects.get(one__strategy=meeting["one"], other__strategy=meeting["other"])
        assert (stored.games, stored.wins, stored.hands, stored.points) == (
            meeting["games"],
            meeting["wins"],
            meeting["hands"],
            meeting["points"],
        )
        assert meeting["share"] == pytest.approx(stored.wins / stored.games, abs=1e-6)
        assert stored.error > 0


@pytest.mark.django_db
def test_who_does_not_take_part_keeps_rating_and_meetings() -> None:
    arena("--games", "6", *HOUSE)
    before = {row.strategy: row for row in BotRating.objects.all()}
    old = BotMeeting.objects.get(one__strategy="novice", other__strategy="simple")
    arena("--games", "4", "--bots", "steady,simple", "--seed", "9")
    after = {row.strategy: row for row in BotRating.objects.all()}
    assert (after["novice"].mu, after["novice"].rated_at) == (before["novice"].mu, before["novice"].rated_at)
    assert after["steady"].games == 4
    assert after["steady"].rated_at > before["steady"].rated_at
    assert after["simple"].mu == 25
    assert BotMeeting.objects.count() == 3
    assert BotMeeting.objects.get(other__strategy="steady", one__strategy="simple").games == 4
    assert BotMeeting.objects.get(pk=old.pk).games == 6


@pytest.mark.django_db
def test_without_simple_former_ratings_tell_where_the_others_stand() -> None:
    arena("--games", "6", *HOUSE)
    before = {row.strategy: row.mu for row in BotRating.objects.all()}
    arena("--games", "4", "--bots", "novice,steady,rash")
    after = {row.strategy: row.mu for row in BotRating.objects.all()}
    assert after["simple"] == 25
    assert after["novice"] + after["steady"] == pytest.approx(before["novice"] + before["steady"], abs=1e-5)
    assert after["rash"] > after["novice"]


@pytest.mark.django_db
def test_level_with_other_samples_is_another_bot() -> None:
    arena("--games", "4", *HOUSE)
    steady = BotRating.objects.get(strategy="steady")
    BotRating.objects.filter(pk=steady.pk).update(samples=7, mu=90)
    arena("--games", "4", "--bots", "steady,rash")
    again = BotRating.objects.get(pk=steady.pk)
    assert again.samples == 0
    assert again.mu < 60
    assert {str(each.other) for each in BotMeeting.objects.exclude(one__strategy="rash")} == {"simple"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--no-store"], "Nothing was stored."),
        (["--rules", "preset=standard,target=50"], "Nothing was stored, because these are other rules."),
    ],
)
def test_nothing_is_stored_when_not_to_be_or_of_other_rules(words: list[str], sentence: str) -> None:
    out = bots("arena", "--games", "4", "--bots", "simple,steady", "--processes", "1", *words)
    assert out.splitlines()[-1] == sentence
    assert not BotRating.objects.exists()


@pytest.mark.django_db
def test_rules_named_in_full_are_the_arenas_own() -> None:
    found = arena("--games", "2", "--bots", "simple,steady", "--rules", "preset=online,next_dealer=alternate")
    assert found["is_stored"]


def test_without_storing_no_database_is_asked() -> None:
    """This test has none."""
    found = arena("--games", "2", *HOUSE, "--no-store")
    assert len(found["bots"]) == 3


@pytest.mark.django_db
def test_field_takes_part_when_asked() -> None:
    found = arena("--games", "2", "--bots", "simple,hunter", "--field", "--no-store")
    assert {bot["bot"] for bot in found["bots"]} == {"simple", *FIELD}


@pytest.mark.django_db
@override_settings(BOT_STRATEGIES=["tests.games.bad_bots.RAISING"])
def test_bot_that_fails_ends_the_arena_with_its_name() -> None:
    with pytest.raises(CommandError, match=r"raising failed in deal .* Nothing was stored") as failed:
        arena("--games", "4", "--bots", "simple,raising")
    assert failed.value.returncode == 1
    assert not BotRating.objects.exists()


@pytest.mark.django_db
@override_settings(BOT_STRATEGIES=["tests.games.bad_bots.CRASHING"])
def test_bot_that_takes_its_process_along_ends_the_arena() -> None:
    with pytest.raises(CommandError, match="A process of the arena died") as failed:
        bots("arena", "--games", "40", "--bots", "simple,crashing", "--processes", "2")
    assert failed.value.returncode == 1
    assert not BotRating.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "3", "--bots", "simple,steady"], "an even number from 2 to 100000, not 3"),
        (["--games", "0", "--bots", "simple,steady"], "an even number from 2 to 100000, not 0"),
        (["--games", "-4", "--bots", "simple,steady"], "an even number from 2 to 100000, not -4"),
        (["--games", "9" * 40, "--bots", "simple,steady"], "not a number with that many digits"),
        (["--games", "many"], "invalid int value"),
        ([], "--games"),
        (["--games", "2", "--bots", "simple"], "needs two bots"),
        (["--games", "2", "--bots", ""], "There is no strategy “”"),
        (["--games", "2", "--bots", "simple,simple"], "simple is named twice"),
        (
            ["--games", "2", "--bots", "simple,steadfast"],
            "There is no strategy “steadfast”; there are: novice",
        ),
        (["--games", "2", "--bots", "simple,steady:1"], "steady has no levels"),
        (["--games", "2", "--bots", "simple,expert:0"], "expert has levels from 1 to"),
        (["--games", "2", "--bots", "simple,expert:x"], "expert has levels from 1 to"),
        (["--games", "2", "--bots", "simple,expert:"], "expert has levels from 1 to"),
        (["--games", "2", "--bots", "simple,steady", "--rules", "target=0"], "rules.target"),
        (["--games", "2", "--bots", "simple,steady", "--rules", "trumps=on"], "not a knob of the"),
        (["--games", "2", "--bots", "simple,steady", "--rules", "preset"], "not a knob with a value"),
        (["--games", "2", "--bots", "simple,steady", "--processes", "0"], "1 to 256 processes, not 0"),
    ],
)
def test_what_is_no_arena_is_refused_with_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError) as refused:
        bots("arena", *words)
    assert sentence in str(refused.value)
    assert not BotRating.objects.exists()


@pytest.mark.dear("starts a program of its own")
def test_program_exits_2_with_the_sentence_on_standard_error() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "manage.py",
            "bots",
            "arena",
            "--no-store",
            "--games",
            "2",
            "--bots",
            "simple,nobody",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "CommandError: strategy: There is no strategy" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.dear("starts a program of its own")
def test_bar_moves_on_a_terminal_and_not_in_the_output() -> None:
    terminal, theirs = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    with os.fdopen(terminal, "rb") as shown:
        program = subprocess.Popen(
            [sys.executable, "manage.py", "bots", "arena", "--games", "4", *HOUSE, "--no-store"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
            cwd=ROOT,
        )
        out, _ = program.communicate(timeout=PATIENCE_SECONDS)
        os.close(theirs)
        bar = os.read(shown.fileno(), 1 << 16).decode()
    assert program.returncode == 0
    assert out.startswith("3 bots")
    assert "Arena:   0%" in bar
    assert "/12 [" in bar


# Interrupted.


@contextmanager
def long_arena() -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """An arena that would take an hour, and the processes that play it."""
    program = subprocess.Popen(
        [sys.executable, "manage.py", "bots", "arena", "--games", "100000", "--processes", "2", "--no-store"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        until(lambda: len(_players(program.pid)) == 2, what="two processes play")
        yield program, _players(program.pid)
    finally:
        program.kill()
        program.communicate()


def _players(pid: int) -> list[int]:
    """The processes it started to play in: spawned ones, that use the processor."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with_command = Path(f"/proc/{child}/cmdline")
        if with_command.exists() and b"spawn_main" in with_command.read_bytes():
            found.append(int(child))
    return found


def _is_there(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.dear("starts a program of its own")
def test_interrupted_it_ends_with_all_its_processes() -> None:
    with long_arena() as (program, players):
        program.send_signal(signal.SIGINT)
        out, errors = program.communicate(timeout=PATIENCE_SECONDS)
        assert (program.returncode, out) == (130, "")
        assert errors == "CommandError: Interrupted. Nothing was stored.\n"
        until(lambda: not any(map(_is_there, players)), what="its processes have ended")


@pytest.mark.dear("starts a program of its own")
def test_killed_it_takes_its_processes_along() -> None:
    with long_arena() as (program, players):
        program.kill()
        program.communicate(timeout=PATIENCE_SECONDS)
        until(lambda: not any(map(_is_there, players)), what="its processes have ended")


# The list.


@pytest.mark.django_db
def test_list_names_strategies_levels_and_ratings() -> None:
    arena("--games", "4", "--bots", "simple,steady,rash")
    listed = json.loads(bots("list", "--format", "json"))["bots"]
    assert list(dict.fromkeys(row["strategy"] for row in listed)) == list(STRATEGIES)
    by_name = {row["bot"]: row for row in listed}
    assert by_name["simple"]["rating"] == 1500
    assert by_name["simple"]["games"] == 8
    assert by_name["novice"]["rating"] is None
    assert by_name["steady"]["sentence"] == str(STRATEGIES["steady"].sentence)
    levels = [row for row in listed if row["strategy"] == "expert"]
    assert [row["level"] for row in levels] == list(range(1, len(levels) + 1))
    assert [row["samples"] for row in levels] == list(STRATEGIES["expert"].samples)
    assert [row["is_default"] for row in levels].count(True) == 1
    text = bots("list")
    assert "1500 ± " in text
    assert "(default)" in text
    assert "rash" not in text
    with_field = bots("list", "--field")
    assert all(str(strategy.sentence) in with_field for strategy in FIELD.values())


def test_the_figures_that_the_program_comes_with_are_made_by_one_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No database: nothing of them is stored."""
    place = tmp_path / "shipped.json"
    monkeypatch.setattr("games.management.commands.bots.PLACE", place)
    words = ("--games", "4", "--bots", "novice,simple,expert:1", "--level-games", "2", "--write")
    lines = bots("arena", *words, "--seed", "3", "--processes", "1").splitlines()
    assert lines[0] == "3 bots, 4 games between any two to 100, 8 in all; packs of seed 3."
    assert lines[1] == "Between two of which one has levels there were 2 games."
    assert lines[-1] == "The program now comes with these figures: shipped.json."
    figures = ShippedArena.from_document(json.loads(place.read_text()))
    assert (figures.seed, figures.games, figures.level_games, figures.games_in_all) == (3, 4, 2, 8)
    assert {bot.name: bot.games for bot in figures.bots} == {"novice": 6, "simple": 6, "expert:1": 4}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert figures.circumstances.version == project["version"]


def test_kept_games_are_not_played_again(tmp_path: Path) -> None:
    words = ("--bots", "novice,simple", "--no-store", "--keep", str(tmp_path / "games"))
    first = arena("--games", "4", *words)
    # By equal times of choices one sees that they are the same games.
    assert arena("--games", "4", *words) == first
    more = arena("--games", "6", *words)
    assert [meeting["games"] for meeting in more["meetings"]] == [6]
    with pytest.raises(CommandError, match="games keeps no games of this arena: name another file"):
        arena("--games", "4", *words, "--seed", "2")
    with pytest.raises(CommandError, match="nowhere/games cannot be written: No such file or directory"):
        arena("--games", "4", *words[:-1], str(tmp_path / "nowhere/games"))


@pytest.mark.dear("loads the compiled kernel")
def test_what_choices_cost_is_measured_by_one_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No database either. The weakest stands first."""
    place = tmp_path / "choices.json"
    monkeypatch.setattr("games.management.commands.bots.CHOICES", place)
    heads, *rows, written = bots("choices", "--hands", "1", "--seed", "3", "--write").splitlines()
    assert heads.split() == ["choices", "agree", "±", "points", "a", "choice", "±"]
    assert written == "The program now comes with these figures: choices.json."
    found = ShippedChoices.from_document(json.loads(place.read_text()))
    assert [row.split()[0] for row in rows] == [one.name for one in found.bots]
    assert [one.agreement.mean_cost for one in found.bots] == sorted(
        [one.agreement.mean_cost for one in found.bots], reverse=True
    )
    assert (found.seed, found.hands, {one.strategy for one in found.bots}) == (3, 1, set(STRATEGIES))


def test_choices_of_no_hand_are_refused() -> None:
    with pytest.raises(CommandError, match="at least one"):
        bots("choices", "--hands", "0")


def test_figures_by_other_rules_do_not_come_with_the_program() -> None:
    with pytest.raises(CommandError, match="by the arena's own rules"):
        bots("arena", "--games", "2", *HOUSE, "--rules", "preset=standard", "--write")


@pytest.mark.django_db
def test_every_level_may_take_part() -> None:
    with pytest.raises(CommandError, match="an even number"):
        bots("arena", "--games", "1", "--levels")
    names = [label(bot) for bot in every_level(STRATEGIES["expert"])]
    assert names == [f"expert:{level}" for level in range(1, STRATEGIES["expert"].levels + 1)]
    assert [label(bot) for bot in every_level(STRATEGIES["simple"])] == ["simple"]
