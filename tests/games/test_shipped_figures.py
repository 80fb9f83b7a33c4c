"""The figures that the program comes with: written from an arena, read again, and those that are there."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from games.arena.figures import LevelStep
from games.arena.pairs import label
from games.arena.playing import play_arena
from games.arena.ratings import rate
from games.arena.shipped import Circumstances, ShippedArena, ShippedBot, shipped
from games.bots import STRATEGIES, HouseBot, house_bot
from games.bots.policies import DIGEST
from scoring.core.skills import MIDDLE
from tests.games.test_arena import decided

HERE = Circumstances("1.2.3", "2026-11-27", 2, "3.11.2", is_compiled=True, policies="a")


@pytest.fixture(scope="module")
def figures() -> ShippedArena:
    arena = play_arena([house_bot("novice"), house_bot("simple"), decided("plain")], 4)
    return ShippedArena.of(arena, rate(arena.meetings), HERE, 4)


def test_figures_are_read_as_they_were_written(figures: ShippedArena) -> None:
    read = ShippedArena.from_document(json.loads(json.dumps(figures.to_document())))
    assert read == figures
    assert (read.games_in_all, read.day.isoformat()) == (12, "2026-11-27")
    assert {bot.name for bot in read.bots} == {"novice", "simple", "plain"}
    assert [bot.mu for bot in read.bots] == sorted([bot.mu for bot in read.bots], reverse=True)
    assert all(bot.seconds > 0 and bot.games == 8 for bot in read.bots)


def test_meetings_are_told_from_the_side_of_either(figures: ShippedArena) -> None:
    novice, simple = (figures.figures_of(house_bot(name)) for name in ("novice", "simple"))
    assert novice is not None
    assert simple is not None
    ahead = {other.name: met for other, met in figures.meetings_of(simple)}
    behind = {other.name: met for other, met in figures.meetings_of(novice)}
    assert set(ahead) == {"novice", "plain"}
    one, other = ahead["novice"], behind["simple"]
    assert (one.one, one.other) == ("simple", "novice")
    assert (one.wins + other.wins, one.points + other.points) == (4, 0)
    assert one.share.mean + other.share.mean == pytest.approx(1)
    assert one.share.low == pytest.approx(1 - other.share.high)


def test_a_level_with_other_samples_is_another_bot() -> None:
    level = house_bot("expert", 1)
    assert level.samples is not None
    arena = play_arena([level, decided("plain")], 2)
    figures = ShippedArena.of(arena, rate(arena.meetings), HERE, 2)
    assert figures.figures_of(level) is not None
    assert figures.figures_of(HouseBot.of(level.strategy, 1, level.samples + 1)) is None
    assert figures.figures_of(decided("nobody")) is None


def test_the_program_comes_with_figures_of_every_style() -> None:
    """Each at its usual level, on the scale of `simple`; those without levels met in a thousand games.

    Where levels changed, or the numbers that bots play by, `bots arena --write` makes the figures anew.
    """
    found = shipped()
    assert found.circumstances.policies == DIGEST
    assert [name for name in STRATEGIES if found.figures_of(house_bot(name)) is None] == []
    simple = found.figures_of(house_bot("simple"))
    assert simple is not None
    assert simple.mu == MIDDLE
    without = {name for name, strategy in STRATEGIES.items() if not strategy.levels}
    assert all(met.games >= 1000 for met in found.meetings if {met.one, met.other} <= without)
    assert all(0 <= met.wins <= met.games and met.error > 0 for met in found.meetings)


def test_steps_are_told_of_levels_as_they_are() -> None:
    """Not of a level that has other samples by now."""
    low, high = (house_bot("expert", level) for level in (1, 2))
    bots = [
        ShippedBot(label(bot), "expert", bot.level, bot.samples, 30.0, 1.0, 120, 0.001) for bot in (low, high)
    ]
    step = LevelStep("expert", 1, 2, 4, 10.0, 2.0)
    figures = ShippedArena(HERE, 1, 60, 60, tuple(bots), (), (step,))
    assert figures.steps_of(STRATEGIES["expert"]) == [step]
    assert figures.steps_of(STRATEGIES["simple"]) == []
    other = replace(bots[1], samples=1)
    assert replace(figures, bots=(bots[0], other)).steps_of(STRATEGIES["expert"]) == []


def test_every_level_is_clearly_better_than_the_one_below() -> None:
    """At least four games of a hundred, and surely above none, in the figures that the program comes with."""
    expert = STRATEGIES["expert"]
    steps = shipped().steps_of(expert)
    assert [(step.lower, step.higher) for step in steps] == list(pairwise(range(1, expert.levels + 1)))
    assert [step for step in steps if step.ahead < max(4, 3 * step.error)] == []
