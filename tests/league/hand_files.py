"""CSV files of hands for tests, a row as a dictionary of cells that differ from a plain one."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.core.hand_files.reading import COLUMNS
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.models import Club, ImportBatch
from scoring.core.rules import Rules
from scoring.models import Scoresheet
from tests.factories import OPERATOR
from tests.kept import contents

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

# The cells of a second sheet of that night.
OTHER: dict[str, Any] = {"sheet": "W1-2", "table": 2, "side_a": "Cid", "side_b": "Dora"}

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


def comes(deal: Any, player: str, replaces: str, **cells: Any) -> Row:
    """Somebody takes over a seat."""
    return PLAIN | {"deal": deal, "kind": "substitute", "player": player, "replaces": replaces} | cells


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


def batch_of(club: Club, data: bytes, **options: Any) -> ImportBatch:
    """What importing such a file has made."""
    batch = imported(club, data, **options)
    assert batch is not None
    return batch


def the_sheet() -> Scoresheet:
    """The only sheet there is."""
    return Scoresheet.objects.select_related("rules").get()


def command(*words: Any) -> str:
    """What a management command prints."""
    out = io.StringIO()
    call_command(*[str(word) for word in words], stdout=out, stderr=io.StringIO())
    return out.getvalue()


def lines_of_refusal(tmp_path: Path, data: bytes, *words: str) -> list[str]:
    """What `import_hands` says; it ends with 2 and has changed nothing."""
    file = tmp_path / "night.csv"
    file.write_bytes(data)
    before = contents()
    with pytest.raises(CommandError) as refusal:
        command("import_hands", file, *words)
    assert refusal.value.returncode == 2
    assert contents() == before
    return str(refusal.value).splitlines()
