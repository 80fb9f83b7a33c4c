"""Plausible hands for the demo, from a seeded random source."""

from collections.abc import Sequence
from random import Random

from scoring.core.cards import RANKS, SUITS
from scoring.core.hands import Dead, Gin, HandResult, Knock
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, RunningSheet, SheetSide


def whole_sheet(rules: Rules, sides: Sequence[SheetSide], chance: Random) -> list[Deal]:
    """Deals up to the end of a sheet; teams change opponents after every deal (RULES §7)."""
    running = RunningSheet(rules, sides)
    deals: list[Deal] = []
    first, second = (side.players for side in sides)
    while not running.is_finished:
        shift = len(deals) % len(first)
        deal = Deal(
            tuple(
                _hand(player, second[(seat + shift) % len(second)], chance)
                for seat, player in enumerate(first)
            )
        )
        running.add(deal)
        deals.append(deal)
    return deals


def _hand(left: str, right: str, chance: Random) -> HandResult:
    """A random hand: knocks and gins about equally often, one hand in seven dead."""
    upcard = chance.choice(RANKS) + chance.choice(SUITS)
    winner, loser = chance.sample((left, right), 2)
    what = chance.random()
    if what < 0.15:
        return Dead((left, right), upcard)
    if what < 0.55:
        return Gin(winner, loser, chance.randint(4, 48), upcard)
    return Knock(winner, loser, chance.randint(2, 10), chance.randint(4, 48), upcard)
