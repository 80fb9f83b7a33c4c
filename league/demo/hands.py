"""Plausible hands for the demo, from a seeded random source."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from scoring.core.cards import RANKS, SUITS
from scoring.core.hands import Dead, Gin, HandResult, Knock
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, RunningSheet, SheetSide
from scoring.core.table_hands import Counts, Gain, Out, TablePoints, TableResult

# How one wins from all others, by kind of game: points from each, or what is left in their hands.
_WON_FROM_ALL: Final[Mapping[str, Callable[[str, Counts], TableResult]]] = {
    "jersey": lambda winner, from_others: TablePoints((Gain(winner, from_others),)),
    "basic_rummy": Out,
}


def whole_sheet(rules: Rules, sides: Sequence[SheetSide], chance: Random) -> list[Deal]:
    """Deals up to the end of a sheet; teams change opponents after every deal (RULES §7)."""
    running = RunningSheet(rules, sides)
    if running.table is not None:
        return _whole_table(running, chance)
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


def _whole_table(running: RunningSheet, chance: Random) -> list[Deal]:
    """Deals up to the end of a sheet on which it follows from the deals before who plays."""
    people = [player for side in running.sides for player in side.players]
    deals: list[Deal] = []
    while not running.is_finished:
        assert running.table is not None  # noqa: S101 (it was before the first deal)
        playing = [people[seat] for seat in running.table.playing]
        if running.table.waiting:
            hand: HandResult | TableResult = _hand(playing[0], playing[1], chance)
        else:
            turn = chance.randrange(len(playing))
            winner, *others = playing[turn:] + playing[:turn]
            counts = tuple((one, chance.randint(4, 48)) for one in others)
            hand = _WON_FROM_ALL[running.rules.kind](winner, counts)
        deal = Deal((hand,))
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
