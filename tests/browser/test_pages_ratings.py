"""The pages of ratings in a browser: they fit, and of the two drawings the one for the width is seen."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from league.models import Player
from league.record.requests import request_ratings
from league.tables import ratings
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, play

pytestmark = [pytest.mark.browser, pytest.mark.looks]


@pytest.fixture
def player(transactional_db: None) -> Player:
    """One of two with long names, after twelve matches."""
    club = ClubFactory.create(name="Harbour Gin Club", slug="harbour")
    event = EventFactory.create(club=club, name="Hollywood League of the Harbour", slug="league")
    names = ("Featherstonehaugh", "Papadopoulou-Wolkenstein")
    first, second = (EntryFactory.create(event=event, name=name) for name in names)
    for number in range(12):
        match = MatchFactory.create(event=event, entry_a=first, entry_b=second)
        play(match, 40 if number % 3 else -40, stopped=True)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    found: Player = second.players.get()
    return found


@pytest.mark.parametrize("width", [320, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_is_refused(
    page: Page, live_server: LiveServer, player: Player, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    for address in (reverse("ratings", args=["harbour"]), reverse("rating", args=["harbour", player.code])):
        page.goto(f"{live_server.url}{address}")
        too_wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert too_wide <= 0, address
    seen = [box for box in (line.bounding_box() for line in page.locator("svg.rating-line").all()) if box]
    assert len(seen) == 1
    card = page.locator(".rating-card").bounding_box()
    assert card is not None
    assert card["width"] - 60 < seen[0]["width"] < card["width"]
    # Drawn by the stylesheet alone: an SVG without it is a black area.
    stroke, ground = page.evaluate(
        """() => [getComputedStyle(document.querySelector(".rating-path")).stroke,
                  getComputedStyle(document.querySelector(".rating-card")).backgroundColor]"""
    )
    assert stroke not in ("none", ground)
