"""How far the house's bots agree with `expert`, by the measure of members: what a director compares with.

The figures come with the program, in `choices.json` beside this module, which `bots choices --write` makes.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, Self

from games.arena.pairs import ARENA_RULES, label
from games.arena.shipped import Circumstances
from games.bots import HouseBot, house_bot
from games.bots.judges import JudgeOfTwo
from games.gin.hand import HandState
from games.tables.agreement import Agreement
from games.tables.dealing import derived_seed
from games.tables.play import play_deals
from games.tables.reports import weighed_hand
from scoring.core.sheets import SheetSide

PLACE: Final = Path(__file__).with_name("choices.json")
# Whom all play against, and so many hands of a sheet, so that many packs are seen.
_OPPONENT: Final = "steady"
_HANDS_OF_A_SHEET: Final = 4
_BOT, _OTHER = "bot", "other"
_SIDES: Final = (SheetSide(_BOT, (_BOT,)), SheetSide(_OTHER, (_OTHER,)))


@dataclass(frozen=True, slots=True)
class UsualChoices:
    """A bot by its label in the arena, and how far its choices agree."""

    name: str
    strategy: str
    level: int | None
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class ShippedChoices:
    """What was measured of several bots, of each the choices of so many `hands`; the weakest is first."""

    circumstances: Circumstances
    seed: int
    hands: int
    bots: tuple[UsualChoices, ...]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The figures from `to_document`."""
        bots = [
            UsualChoices(**{**row, "agreement": Agreement(**row["agreement"])}) for row in document["bots"]
        ]
        return cls(
            Circumstances(**document["circumstances"]), document["seed"], document["hands"], tuple(bots)
        )

    def to_document(self) -> dict[str, Any]:
        """The figures as JSON."""
        return asdict(self)


def usual_choices(
    bot: HouseBot, hands: int, seed: int, *, progress: Callable[[int], object] = lambda hands: None
) -> UsualChoices:
    """How far the bot's choices agree in so many hands by the arena's rules, against `steady`.

    Equal arguments give equal figures. `progress` gets the number of hands just weighed.
    """
    found = Agreement()
    for number, hand in enumerate(islice(_hands(bot, seed), hands)):
        dealt = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
        judge = JudgeOfTwo(derived_seed(seed, "weigh", number))
        found += Agreement.of(weighed_hand(dealt, hand.actions, hand.players.index(_BOT), judge))
        progress(1)
    found = replace(found, cost=round(found.cost, 2), squares=round(found.squares, 2))
    return UsualChoices(label(bot), bot.strategy.name, bot.level, found)


@cache
def shipped_choices() -> ShippedChoices:
    """The figures that this program came with."""
    return ShippedChoices.from_document(json.loads(PLACE.read_text(encoding="utf-8")))


def _hands(bot: HouseBot, seed: int) -> Iterator[HandState]:
    """Hands of the bot, the first ones of one sheet after another."""
    bots = {_BOT: bot, _OTHER: house_bot(_OPPONENT)}
    for sheet in count():
        deals = play_deals(ARENA_RULES, _SIDES, bots, derived_seed(seed, "choices", sheet))
        for played in islice(deals, _HANDS_OF_A_SHEET):
            yield played.two_handed[0]
