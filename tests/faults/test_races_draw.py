"""Two directors draw the same event at the same moment: one draw is made, the other director is told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from league.draws.movements import draw_movement
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.models import AuditEntry, Event, Match, Round
from scoring.models import Scoresheet
from tests.factories import OPERATOR, EntryFactory, EventFactory
from tests.faults.threads import DEADLINE_SECONDS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("draw_all", "format_", "size", "made"),
    [
        (draw_round_robin, "round_robin", 1, (5, 15, 15)),
        # A table in each of six rounds, and two who sit out.
        (draw_movement, "rotation", 2, (6, 18, 6)),
    ],
)
def test_of_two_draws_at_once_one_is_made(
    draw_all: Callable[..., object], format_: str, size: int, made: tuple[int, int, int]
) -> None:
    event = EventFactory.create(format=format_, team_size=size)
    for _ in range(6):
        EntryFactory.create(event=event)
    start = Barrier(2)

    def draw(_: int) -> str:
        try:
            start.wait(DEADLINE_SECONDS)
            draw_all(actor=OPERATOR, event=Event.objects.get(pk=event.pk))
        except LeagueError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "drawn"

    with ThreadPoolExecutor(max_workers=2) as directors:
        told = sorted(directors.map(draw, range(2)))
    assert told == ["already_drawn", "drawn"]
    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == made
    assert AuditEntry.objects.filter(action="event.draw").count() == 1
