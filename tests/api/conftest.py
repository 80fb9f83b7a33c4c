"""Ann against Bob in a private club, and a program of its scorekeeper."""

import pytest

from league.models import Club, Event, Match
from tests.api.card_tables import At, member
from tests.api.programs import Program, scorekeepers_program
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, house_rules


@pytest.fixture
def private(db: None) -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour", is_public=False)


@pytest.fixture
def league(private: Club) -> Event:
    return EventFactory.create(club=private, rules=house_rules(columns=1, target=200))


@pytest.fixture
def match(league: Event) -> Match:
    ann, bob = (EntryFactory.create(event=league, name=name) for name in ("Ann", "Bob"))
    return MatchFactory.create(event=league, entry_a=ann, entry_b=bob)


@pytest.fixture
def program(match: Match) -> Program:
    return scorekeepers_program(match)


@pytest.fixture
def ann(private: Club) -> At:
    return member(private, "Ann")


@pytest.fixture
def bob(private: Club) -> At:
    return member(private, "Bob")
