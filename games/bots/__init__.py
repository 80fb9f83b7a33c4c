"""Players of the house: each strategy in a module of its own, found by its name.

A bot is given what a player may know and chances of its own, and answers with an action. The same view and
the same chances lead to the same action, so a sheet can be played again from its seed.
"""

from collections.abc import Iterable
from typing import Final

from games.bots.base import Bot, Chances, ColumnView, GameView, HouseBot, Strategy
from games.bots.novice import NOVICE
from games.bots.simple import SIMPLE
from games.bots.steady import STEADY
from games.errors import GameError
from scoring.errors import shown

__all__ = [
    "STRATEGIES",
    "Bot",
    "Chances",
    "ColumnView",
    "GameView",
    "HouseBot",
    "Strategy",
    "house_bot",
]


def _by_name(strategies: Iterable[Strategy]) -> dict[str, Strategy]:
    return {strategy.name: strategy for strategy in strategies}


# From the weakest to the strongest.
STRATEGIES: Final = _by_name([NOVICE, SIMPLE, STEADY])


def house_bot(name: str, level: int | None = None) -> HouseBot:
    """The bot that plays so; without a level, at the default of its strategy.

    Refuses with `GameError`: `unknown_strategy`, `level_out_of_range`.
    """
    strategy = STRATEGIES.get(name)
    if strategy is None:
        raise GameError(
            "unknown_strategy",
            f"There is no strategy “{shown(name)}”; there are: {', '.join(STRATEGIES)}.",
            field="strategy",
        )
    return HouseBot.of(strategy, level)
