"""How long a season takes from its file to its sheets, and how many queries that is."""

import time
from typing import Final

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.files.applying import apply_import
from league.files.exporting import export_hands
from league.files.planning import plan_import
from league.files.plans import ImportOptions, ImportPlan
from league.models import Club, Event
from tests.bench.registry import Figure, bench
from tests.factories import OPERATOR, ClubFactory
from tests.league.hand_files import HOLLYWOOD, THREE_COLUMNS

_SHEETS: Final = 120


@bench(database=True)
def import_a_season() -> list[Figure]:
    first, second = (ClubFactory.create() for _ in range(2))
    with CaptureQueriesContext(connection) as queries:
        _imported(first)
    start = time.perf_counter()
    planned = _planned(second)
    checked = time.perf_counter()
    apply_import(actor=OPERATOR, plan=planned)
    applied = time.perf_counter()
    with CaptureQueriesContext(connection) as again:
        assert _planned(second).changes_nothing
    passed_over = time.perf_counter()
    export = export_hands(Event.objects.get(club=second))
    exported = time.perf_counter()
    assert export.text.encode() == HOLLYWOOD
    return [
        Figure("importing hollywood-league.csv (1,242 hands, 120 sheets)", applied - start, "s", 10),
        Figure("of which checking the file", checked - start, "s"),
        Figure("checking it once more, all of it stored", passed_over - applied, "s"),
        Figure("exporting it", exported - passed_over, "s"),
        Figure("importing it, for each sheet", len(queries) / _SHEETS, "queries", 15),
        Figure("checking it once more", len(again), "queries", 15),
    ]


def _planned(club: Club) -> ImportPlan:
    options = ImportOptions(create=True, rules=THREE_COLUMNS)
    return plan_import(club=club, data=HOLLYWOOD, file_name="hollywood-league.csv", options=options)


def _imported(club: Club) -> None:
    apply_import(actor=OPERATOR, plan=_planned(club))
