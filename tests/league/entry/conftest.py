"""A match whose sheet is to be typed, and the scorekeeper who types it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.models import Match
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, UserFactory


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(club=ClubFactory.create(name="Harbour"), name="League")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Eklund", "Castell"))
    return MatchFactory.create(event=event, entry_a=a, entry_b=b, label="HL15-5")


@pytest.fixture
def keeper(match: Match) -> User:
    return UserFactory.create(club=match.event.club, username="bea")


@pytest.fixture
def signed_in(client: Client, keeper: User) -> Client:
    client.force_login(keeper)
    return client
