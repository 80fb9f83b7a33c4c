"""Opponents to measure others by: each plays one trait as well as it can be played.

They are no players of the house: a club does not meet them. The arena knows them.
"""

from typing import Final

from games.bots.base import Strategy
from games.bots.field.defender import DEFENDER
from games.bots.field.hoarder import HOARDER
from games.bots.field.hunter import HUNTER
from games.bots.field.rash import RASH
from games.bots.field.taker import TAKER

__all__ = ["FIELD"]

FIELD: Final[dict[str, Strategy]] = {
    strategy.name: strategy for strategy in (RASH, HUNTER, HOARDER, TAKER, DEFENDER)
}
