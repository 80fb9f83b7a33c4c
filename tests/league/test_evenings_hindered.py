"""Evenings that run themselves when something comes between: withdrawals, stand-ins, results taken back."""

from collections.abc import Iterator

import pytest
import time_machine

from league.events.entries import withdraw_entry
from league.models import AuditEntry, Club, Match, MatchState
from tests.factories import OPERATOR
from tests.league.nights import START, Night, at

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def test_who_is_drawn_against_a_withdrawn_entry_wins_without_coming(
    club: Club, clock: time_machine.Traveller
) -> None:
    """He cannot come to that match, so he has not missed it; nor is who came and withdrew awarded it."""
    night = Night(club, "round_robin", break_minutes=0)
    night.begin()
    night.come("Dan", 1)
    for number in (1, 2):
        if number == 1:
            withdraw_entry(actor=OPERATOR, entry=night.entry("Dan"), reason="He feels ill.")
        at(clock, 11 * number)
        given = Match.objects.of_entry(night.entry("Dan")).get(round__number=number)
        assert given.state == MatchState.WALKOVER
        assert given.winner_side is not None
        assert given.side_name(given.winner_side) != "Dan"
        at(clock, 11 * number + 0.1)
    told = AuditEntry.objects.filter(action="evening.absent").first()
    assert told is not None
    assert told.after is not None
    assert len(told.after["absent"]) == 2
