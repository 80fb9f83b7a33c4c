"""Players of the house: each strategy in a module of its own, found by its name.

A bot is given what a player may know and chances of its own, and answers with an action. The same view and
the same chances lead to the same action, so a sheet can be played again from its seed.
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


# From the weakest to the strongest.
STRATEGIES: Final = _by_name([NOVICE, SIMPLE, STEADY, EXPERT])


def house_bot(name: str, level: int | None = None, samples: int | None = None) -> HouseBot:
    """The bot that plays so; without a level, at the default of its strategy, and with its samples.

    Refuses with `GameError`: `unknown_strategy`, `level_out_of_range`, `samples_out_of_range`.
    """
    return HouseBot.of(named(name, STRATEGIES), level, samples)
