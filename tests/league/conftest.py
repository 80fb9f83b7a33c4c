"""A club with its director, its rules, an event and its owner at the browser."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from league.core.pairing import rotation
from league.events.house_rules import make_club_rules
from league.models import (
    Club,
    ClubRules,
    Event,
    Player,
    Role,
)
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
)
from tests.league.bot_cases import NOON
from tests.league.table_players import member


@pytest.fixture
def mails(settings: Any) -> None:
    """The site sends mail, and knows its own address."""
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://gin.example.test"
    settings.DEFAULT_FROM_EMAIL = "Gin <gin@example.test>"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


@pytest.fixture
def director(club: Club) -> Actor:
    return actor_of(UserFactory.create(club=club, role=Role.DIRECTOR))


@pytest.fixture
def keeper(club: Club) -> Actor:
    return actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))


@pytest.fixture
def ann(club: Club) -> Player:
    return member(club, "Ann")


@pytest.fixture
def bob(club: Club) -> Player:
    return member(club, "Bob")


@pytest.fixture
def robo(club: Club) -> Player:
    """A bot of the club without levels."""
    player: Player = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    return player


@pytest.fixture
def own_rules(club: Club) -> ClubRules:
    return make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(columns=3))


@pytest.fixture
def event(club: Club, own_rules: ClubRules) -> Event:
    return EventFactory.create(club=club, rules=own_rules.rules)


@pytest.fixture
def owner(club: Club) -> Client:
    return logged_in(UserFactory.create(club=club, role=Role.OWNER))


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """It is noon, Monday 2 November 2026, and stays it until a test moves the clock."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def quick_movements(monkeypatch: pytest.MonkeyPatch, long: bool) -> None:
    """Movements are searched in a tenth of the steps: how even they are is tested with the search itself."""
    if not long:
        monkeypatch.setattr(rotation, "BUDGET", rotation.BUDGET // 10)
