"""The members' pages in a browser: on the smallest phone and on a desk, light and dark, by keyboard."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import EventState, Match, Player
from scoring.services import record_deals
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, count_table, won

pytestmark = [pytest.mark.browser, pytest.mark.looks]


@pytest.fixture
def match(transactional_db: None) -> Match:
    """A match of teams with long names whose sheet differs from its paper, and one that waits."""
    club = ClubFactory.create(name="Harbour Gin Club", slug="harbour")
    event = EventFactory.create(club=club, name="Hollywood League", slug="league")
    names = ("Featherstonehaugh", "Papadopoulou-Wolkenstein")
    first, second = (EntryFactory.create(event=event, name=name) for name in names)
    match: Match = MatchFactory.create(event=event, entry_a=first, entry_b=second)
    MatchFactory.create(event=event, round=match.round)
    assert match.sheet is not None
    deals = [won(*names, 105), won(*names[::-1], 44), won(*names, 104), won(*names, 100)]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, paper=Paper(net=12_345))
    count_table(event.pk)
    return match


@pytest.mark.parametrize("width", [320, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_is_refused(
    page: Page, live_server: LiveServer, match: Match, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    event = ["harbour", "league"]
    for address in (
        reverse("club", args=["harbour"]),
        reverse("event", args=event),
        reverse("event_rounds", args=event),
        reverse("round", args=[*event, 1]),
        reverse("match", args=[*event, match.code]),
        reverse("players", args=["harbour"]),
        reverse("player", args=["harbour", Player.objects.earliest("pk").code]),
    ):
        page.goto(f"{live_server.url}{address}")
        too_wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert too_wide <= 0, address


def test_a_row_of_a_round_opens_its_match(
    page: Page, live_server: LiveServer, match: Match, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{reverse('round', args=['harbour', 'league', 1])}")
    row = page.locator("tr.match-row").first
    box = row.bounding_box()
    assert box is not None
    row.click(position={"x": box["width"] - 10, "y": box["height"] / 2})
    expect(page.locator("h1")).to_have_text("Featherstonehaugh v Papadopoulou-Wolkenstein")


def test_the_keyboard_goes_straight_to_the_content(
    page: Page, live_server: LiveServer, match: Match, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{reverse('event', args=['harbour', 'league'])}")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_an_event_prints_on_one_page_the_round_below_the_table(
    page: Page, live_server: LiveServer, match: Match
) -> None:
    """Both as wide as the paper."""
    page.goto(f"{live_server.url}{reverse('event', args=['harbour', 'league'])}")
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    places = (page.locator(f".split-event > {where}").first for where in (".current-round", ".stack"))
    round_, table = (place.bounding_box() for place in places)
    assert round_ is not None
    assert table is not None
    assert round_["y"] > table["y"] + table["height"]
    assert round_["width"] >= table["width"]


def test_the_lists_of_who_has_entered_stand_level(page: Page, live_server: LiveServer, match: Match) -> None:
    event = EventFactory.create(club=match.event.club, slug="cup", state=EventState.OPEN)
    for name in ("Ann", "Bob", "Cid", "Dee"):
        EntryFactory.create(event=event, name=name)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_server.url}{reverse('event', args=['harbour', 'cup'])}")
    tops = page.locator(".start-list a").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert tops[:2] == tops[2:]
