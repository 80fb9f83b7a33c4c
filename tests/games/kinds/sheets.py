"""Whole sheets of every kind of game, played by bots under any rules."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.bots import HouseBot, house_bot
from games.tables.play import PlayedDeal, play_deals
from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import CHOICES, Rules
from scoring.core.sheets import SheetSide
from scoring.documents.sheets import deal_document
from tests.scoring.kinds.strategies import rules_of

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
# Knobs that matter while a hand is played, and not for its score.
OF_PLAY = ("ace", "deal", "discard_taken_card", "stock_end")


def seats_of(count: int) -> tuple[SheetSide, ...]:
    """Sides of one player."""
    return tuple(SheetSide(name, (name,)) for name in NAMES[:count])


def bots_of(sides: Sequence[SheetSide], *names: str) -> dict[str, HouseBot]:
    """A bot for every player, by these names in turn."""
    players = [player for side in sides for player in side.everyone]
    return {player: house_bot(names[number % len(names)]) for number, player in enumerate(players)}


def any_rules(random: Random, kind: str, **fixed: Any) -> Rules:
    """Rules of a kind with any values of its knobs and of all that a hand is played by."""
    played = {name: random.choice(CHOICES[name]) for name in OF_PLAY}
    other = kind if kind in OWN_KNOBS else "cutthroat"
    document = rules_of(random, other, {**played, **fixed})
    if other != kind:
        # A kind without knobs of its own.
        document["kind"] = kind
        del document[other]
    if document["oklahoma"] != "off" or document["spades_double"]:
        document["deal"] = "upcard"
    return Rules.from_document(document)


def played_sheet(
    rules: Rules, sides: Sequence[SheetSide], bots: dict[str, HouseBot], seed: int
) -> tuple[list[PlayedDeal], dict[str, Any]]:
    """The deals of a sheet to its end, and the sheet as JSON."""
    deals = list(play_deals(rules, sides, bots, seed))
    return deals, {
        "rules": rules.to_document(),
        "sides": [
            {"name": side.name} | ({"players": list(side.players)} if len(side.players) > 1 else {})
            for side in sides
        ],
        "deals": [deal_document(played.deal) for played in deals],
    }
