"""House bots: one module per strategy, looked up by name.

A bot gets what a player may know and its own random numbers, and answers with an action. Equal views and
equal random numbers lead to equal actions, so a sheet can be replayed from its seed.
"""

from collections.abc import Iterable
from typing import Final

from games.bots.base import Bot, Chances, ColumnView, Estimate, GameView, HouseBot, Strategy, named
from games.bots.expert import EXPERT
from games.bots.novice import NOVICE
from games.bots.simple import SIMPLE
from games.bots.steady import STEADY

__all__ = [
    "STRATEGIES",
    "Bot",
    "Chances",
    "ColumnView",
    "Estimate",
    "GameView",
    "HouseBot",
    "Strategy",
    "house_bot",
]


def _by_name(strategies: Iterable[Strategy]) -> dict[str, Strategy]:
    return {strategy.name: strategy for strategy in strategies}


# Weakest first.
STRATEGIES: Final = _by_name([NOVICE, SIMPLE, STEADY, EXPERT])


def house_bot(name: str, level: int | None = None, samples: int | None = None) -> HouseBot:
    """The bot of this strategy; by default at its default level with that level's samples.

    Refuses with `GameError`: `unknown_strategy`, `level_out_of_range`, `samples_out_of_range`.
    """
    return HouseBot.of(named(name, STRATEGIES), level, samples)
