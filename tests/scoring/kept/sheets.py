"""Stored sheets of the kinds of game, for tests."""

from typing import Any

from scoring.core.rules import Rules
from scoring.documents.sides import read_sides
from scoring.models import Scoresheet
from scoring.services import make_house_rules, open_sheet, record_deals
from tests.factories import OPERATOR
from tests.scoring.kinds.paper import NAMES

Hand = dict[str, Any]


def opened(
    preset: str, seats: int = 3, *, sides: Any = None, persons: Any = None, **knobs: Any
) -> Scoresheet:
    """A blank sheet of Ann, Bob, Cid … under a preset."""
    rules = Rules.from_document({"preset": preset, **knobs})
    kept_rules = make_house_rules(actor=OPERATOR, name="Ours", rules=rules)
    return open_sheet(
        actor=OPERATOR,
        rules=kept_rules,
        sides=read_sides(sides or [{"name": name} for name in NAMES[:seats]], rules),
        persons=persons,
    )


def record(sheet: Scoresheet, *hands: Hand, **more: Any) -> Any:
    """Records a deal of each hand."""
    return record_deals(actor=OPERATOR, sheet=sheet, deals=[{"hands": [hand]} for hand in hands], **more)


def points(winner: str, loser: str, points: int, **more: Any) -> Hand:
    """Points of a hand of two."""
    return {"kind": "points", "winner": winner, "loser": loser, "points": points, **more}


def shares(winner: str, **more: Any) -> Hand:
    """Points of a hand of three: `shares("Ann", Bob=12, Cid=20)`."""
    return {"kind": "points", "winner": winner, "from": more}
