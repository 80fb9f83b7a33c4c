"""Bot matches for the tests: a sheet, its bots, and what is read of it when it was played."""

from typing import Any

from games.bots import HouseBot, house_bot
from games.models import BotMatch
from games.services import plan_bot_match
from scoring.core.sheets import SheetSide
from scoring.models import HouseRules, Scoresheet
from scoring.services import open_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, house_rules

ANN_AND_BOB = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
WE_AND_YOU = (SheetSide("We", ("Ann", "Cid")), SheetSide("You", ("Bob", "Dan")))
SEED = 11


def blank_sheet(
    sides: tuple[SheetSide, ...] = ANN_AND_BOB, *, rules: HouseRules | None = None, **knobs: Any
) -> Scoresheet:
    """A sheet with nothing on it, of one column unless told otherwise."""
    kept = rules or house_rules(**{"columns": 1, **knobs})
    return open_sheet(actor=OPERATOR, rules=kept, sides=sides)


def seated(sheet: Scoresheet, *bots: HouseBot) -> dict[int, HouseBot]:
    """These bots in turn on the seats; without any, everybody plays simple."""
    chosen = bots or (house_bot("simple"),)
    numbers = sheet.seats.order_by("number").values_list("number", flat=True)
    return {number: chosen[index % len(chosen)] for index, number in enumerate(numbers)}


def planned(sheet: Scoresheet | None = None, *bots: HouseBot, seed: int = SEED) -> BotMatch:
    """A match that is due."""
    sheet = sheet or blank_sheet()
    return plan_bot_match(sheet=sheet, bots=seated(sheet, *bots), seed=seed)


def documents(match: BotMatch) -> dict[str, Any]:
    """All that was played, as it is stored: the deals, what they came to, and every hand move by move."""
    sheet = Scoresheet.objects.select_related("rules").get(pk=match.sheet_id)
    return {
        "deals": [version.body for version in kept_sheet(sheet).versions],
        "state": kept_sheet(sheet).state.to_document(),
        "derived": sheet.derived,
        "hands": list(match.hands.values_list("deal", "table", "log", "estimates")),
    }
