"""Events at which partners rotate, and rows on which their acts can be done."""

from typing import Any

from django.db.models import Model

from league.draws.movements import draw_movement
from league.models import Club, Event
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kit", "Lou")


def evening(club: Club, count: int, **values: Any) -> Event:
    """A running event of so many players, Ann the first."""
    settings = {"name": "Change of partners", "format": "rotation", "team_size": 2} | values
    event: Event = EventFactory.create(club=club, **settings)
    for name in NAMES[:count]:
        EntryFactory.create(event=event, name=name)
    return event


def undrawn() -> tuple[Model, dict[str, Any]]:
    return evening(ClubFactory.create(), 5), {"rounds": "3", "days_between": "7", "first_date": "2026-09-03"}


def drawn() -> tuple[Model, dict[str, Any]]:
    event = evening(ClubFactory.create(), 5)
    draw_movement(actor=OPERATOR, event=event)
    return event, {"publish": "on"}
