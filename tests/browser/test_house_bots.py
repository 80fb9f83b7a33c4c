"""Pages of a club's bots in a browser: who they are, what they play by themselves, light and dark."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.bots import house_bot
from games.services import plan_bot_match, play_bot_match
from league.models import Club, Event, Exhibition, Match, Player
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import SheetPlan, open_sheets
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    house_rules,
)
from tests.league.simulation import SHORT

pytestmark = pytest.mark.browser

LONG = "Papadopoulou-Wolkenstein-Featherstonehaugh"
TOO_WIDE = """() => [...document.querySelectorAll(":root, .card, td.figure")]
  .filter((box) => box.scrollWidth > box.clientWidth + (box.tagName === "TD" ? 1 : 0))
  .map((box) => box.textContent.trim().slice(0, 40))"""


def planted(sheet: Scoresheet | None) -> int:
    assert sheet is not None
    return plan_bot_match(sheet=sheet, bots={0: house_bot("simple"), 1: house_bot("novice")}, seed=1).pk


@pytest.fixture
def match(transactional_db: None) -> Match:
    """Two bots that have met in an event and in an exhibition, and are to meet again in both."""
    club: Club = ClubFactory.create(slug="harbour")
    event: Event = EventFactory.create(
        club=club, slug="league", bot_matches_count=False, rules=house_rules(**SHORT)
    )
    players = [
        PlayerFactory.create(club=club, name=name, strategy=strategy)
        for name, strategy in ((LONG, "simple"), ("Pip", "novice"))
    ]
    first, second = (EntryFactory.create(event=event, name=one.name, players=[one]) for one in players)
    matches = [MatchFactory.create(event=event, entry_a=first, entry_b=second) for _ in range(2)]
    sides = (SheetSide(LONG, (LONG,)), SheetSide("Pip", ("Pip",)))
    plans = [SheetPlan(sides, f"X{number}") for number in range(2)]
    sheets = open_sheets(actor=OPERATOR, rules=event.rules, plans=plans)
    for sheet in sheets:
        Exhibition.objects.create(sheet=sheet, club=club)
    planned = [planted(sheet) for sheet in (matches[0].sheet, sheets[0], matches[1].sheet, sheets[1])]
    for number in planned[:2]:
        play_bot_match(number)
    return Match.objects.get(pk=matches[0].pk)


@pytest.mark.looks
@pytest.mark.parametrize("width", [320, 390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_bots_hold_at_every_width(
    page: Page, live_server: LiveServer, match: Match, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    bot = Player.objects.get(name=LONG)
    for address in (
        reverse("match", args=["harbour", "league", match.code]),
        reverse("player", args=["harbour", bot.code]),
        reverse("exhibitions", args=["harbour"]),
        reverse("event", args=["harbour", "league"]),
        reverse("event_crosstable", args=["harbour", "league"]),
    ):
        page.goto(f"{live_server.url}{address}")
        assert page.evaluate(TOO_WIDE) == [], address
        expect(page.locator(".bot").first).to_be_visible()


def test_match_of_bots_leads_to_its_replay_and_its_bot_to_how_it_plays(
    page: Page, live_server: LiveServer, match: Match, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{reverse('match', args=['harbour', 'league', match.code])}")
    page.get_by_role("link", name="deal 1").click()
    expect(page.locator("h1")).to_be_visible()
    page.go_back()
    page.get_by_role("list").filter(has_text="Pip").get_by_role("link", name="Pip").click()
    page.get_by_role("link", name="novice").first.click()
    expect(page.locator("h1")).to_contain_text("novice")
