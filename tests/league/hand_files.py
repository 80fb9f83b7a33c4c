"""CSV files of hands for tests, a row as a dictionary of cells that differ from a plain one."""

import csv
import io
from pathlib import Path
from typing import Any

from django.core.management import call_command

from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.reading import COLUMNS
from league.models import Club, ImportBatch
from scoring.rules import Rules
from tests.factories import OPERATOR

SEASONS = Path(__file__).parents[2] / "league" / "demo"
HOLLYWOOD = (SEASONS / "hollywood-league.csv").read_bytes()
TEAMS = (SEASONS / "team-league.csv").read_bytes()
THREE_COLUMNS = Rules.preset("standard", columns=3)

PLAIN: dict[str, Any] = {
    "date": "2026-01-08",
    "event": "Winter Cup",
    "round": 1,
    "table": 1,
    "sheet": "W1-1",
    "deal": 1,
    "side_a": "Ann",
    "side_b": "Bob",
    "kind": "dead",
}

Row = dict[str, Any]


def dead(deal: Any = 1, **cells: Any) -> Row:
    """A drawn hand."""
    return PLAIN | {"deal": deal} | cells


def knock(deal: int = 1, knocker: str = "Ann", own: Any = 5, other: Any = 25, **cells: Any) -> Row:
    """A knock; for 20 points unless told otherwise."""
    filled = {"kind": "knock", "knocker": knocker, "knocker_deadwood": own, "defender_deadwood": other}
    return PLAIN | {"deal": deal} | filled | cells


def points(deal: int = 1, winner: str = "Ann", points: Any = 20, **cells: Any) -> Row:
    """Points as the paper says them."""
    return PLAIN | {"deal": deal, "kind": "points", "winner": winner, "points": points} | cells


def stopped(**cells: Any) -> Row:
    """Time was called."""
    return PLAIN | {"kind": "stopped", "deal": ""} | cells


def file_of(*rows: Row, more: tuple[str, ...] = ()) -> bytes:
    """The rows as a file; `more` are optional columns, beside those that the rows have."""
    named = dict.fromkeys([*COLUMNS, *more, *(name for row in rows for name in row)])
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(named), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def imported(club: Club, data: bytes, **options: Any) -> ImportBatch | None:
    """Imports a file into a club; what it needs is made, by rules of three columns."""
    usual: dict[str, Any] = {"create": True, "rules": THREE_COLUMNS}
    chosen = ImportOptions(**usual | options)
    plan = plan_import(club=club, data=data, file_name="night.csv", options=chosen)
    return apply_import(actor=OPERATOR, plan=plan)


def command(*words: Any) -> str:
    """What a management command prints."""
    out = io.StringIO()
    call_command(*[str(word) for word in words], stdout=out, stderr=io.StringIO())
    return out.getvalue()
