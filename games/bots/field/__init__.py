"""Opponents for measuring other bots: each plays a single trait as well as possible, `reckoner` all of them.

They are known only to the arena and not offered to clubs.
"""

from typing import Final

from games.bots.base import Strategy
from games.bots.field.counter import COUNTER
from games.bots.field.defender import DEFENDER
from games.bots.field.hoarder import HOARDER
from games.bots.field.hunter import HUNTER
from games.bots.field.rash import RASH
from games.bots.field.reckoner import RECKONER
from games.bots.field.taker import TAKER

__all__ = ["FIELD"]

FIELD: Final[dict[str, Strategy]] = {
    strategy.name: strategy for strategy in (RASH, HUNTER, HOARDER, TAKER, DEFENDER, COUNTER, RECKONER)
}
