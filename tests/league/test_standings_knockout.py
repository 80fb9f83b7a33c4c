"""The table of a knockout: the order of places, and ties that are settled before it is made."""

from typing import Any

import pytest

from league.draws.recalculating import recalculate
from league.models import Event, Standing
from league.tables.standings import current_standings, standings_as_of
from tests.factories import EventFactory, play
from tests.league.drawn_brackets import draw_ties, play_out, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def knockout() -> Event:
    """Four in a knockout with a match for the third place: One beats Four, Three beats Two; the finals."""
    event = EventFactory.create(format="single", third_place=True, criteria=["net", "lot"])
    ties = draw_ties(event, ["One", "Two", "Three", "Four"], third_place=True)
    finals = {tie.part: number for number, tie in ties.items() if tie.stage == 2}
    for number, tie in ties.items():
        if tie.stage == 1:
            play_out(ties, number, 500 if tie.seed_a == 1 else -30)
    # Four, who lost by 500, is third; Three, who won by 30, wins.
    third = ties[finals["third"]]
    play_out(ties, third.number, -10 if str(third.entry_b) == "Four" else 10)
    play_out(ties, finals["final"], -5)
    return event


def places(rows: list[Standing]) -> list[tuple[Any, ...]]:
    return [(row.entry.name, row.rank, row.metrics["place"], row.previous_rank) for row in rows]


def test_table_of_a_knockout_is_in_the_order_of_places(knockout: Event) -> None:
    # After the first round One (+500) and Three (+30) were first, Two (−30) and Four (−500) third.
    assert places(current_standings(knockout)) == [
        ("Three", 1, 1, 2),
        ("One", 2, 2, 1),
        ("Four", 3, 3, 4),
        ("Two", 4, 4, 3),
    ]
    assert places(standings_as_of(knockout, 1)) == [
        ("One", 1, 1, None),
        ("Three", 2, 1, None),
        ("Two", 3, 3, None),
        ("Four", 4, 3, None),
    ]


def test_bracket_is_settled_before_it_is_ranked() -> None:
    event = EventFactory.create(format="single", criteria=["lot"])
    ties = draw_ties(event, ["One", "Two"])
    match = sheet(ties, 1)
    play(match, -40, stopped=True)
    recalculate(event.pk)
    ties[1].refresh_from_db()
    assert ties[1].winner is not None
    assert ties[1].winner.name == "Two"
    rows = Standing.objects.filter(event=event).order_by("position").select_related("entry")
    assert [(row.entry.name, row.metrics["place"]) for row in rows] == [("Two", 1), ("One", 2)]
