"""A match at a table, and its two sides' links opened by two clients."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from league.matches.table_links import make_links
from league.models import Match
from scoring.models import Scoresheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    drawn_match,
)


class Seat(Client):
    """A browser at the place that its link has led to."""

    place = ""

    def at(self, end: str = "") -> str:
        """The address of the place, or of what ends so below it."""
        return f"{self.place}{end}"


Sit = Callable[..., Seat]


@pytest.fixture
def match(db: None) -> Match:
    """Eklund against Castell in a club that is not public."""
    event = EventFactory.create(club=ClubFactory.create(slug="harbour", is_public=False), slug="league")
    return drawn_match(event, "Eklund", "Castell", table=5)


@pytest.fixture
def sheet(match: Match) -> Scoresheet:
    assert match.sheet is not None
    return match.sheet


@pytest.fixture
def sit(match: Match) -> Sit:
    """A browser that has opened the link of a side; forms are checked for forgery as in production."""

    def open_link(side: int, of: Match | None = None, *, checks: bool = False) -> Seat:
        secret = make_links(actor=OPERATOR, match=of or match)[side][1]
        client = Seat(enforce_csrf_checks=checks)
        client.place = client.get(reverse("phone:table_open", args=[secret]))["Location"]
        return client

    return open_link
