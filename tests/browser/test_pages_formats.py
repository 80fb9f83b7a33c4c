"""Brackets, crosstables and prints in a browser: on the smallest phone and on a desk, light and dark."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Event, Player
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory
from tests.league.drawn_brackets import draw_ties, play_out, sheet

pytestmark = [pytest.mark.browser, pytest.mark.looks]

LONG = "Papadopoulou-Wolkenstein-Featherstonehaugh"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def cup(transactional_db: None) -> Event:
    """A double elimination of 32, half of its first round played, every third of the names a bot's."""
    club = ClubFactory.create(slug="harbour")
    event: Event = EventFactory.create(club=club, slug="cup", format="double")
    ties = draw_ties(event, [LONG, *[f"Player {number}" for number in range(2, 33)]], double=True)
    for number in range(1, 9):
        play_out(ties, number, 300 - 70 * number)
    sheet(ties, 9)
    make_bots(event)
    return event


@pytest.fixture
def league(transactional_db: None) -> Event:
    """Twelve who meet, all names long, every third a bot's."""
    event: Event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league")
    entries = [EntryFactory.create(event=event, name=f"{LONG} {number}") for number in range(12)]
    round_ = RoundFactory.create(event=event)
    for first, second in zip(entries[::2], entries[1::2], strict=True):
        MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second)
    make_bots(event)
    return event


def make_bots(event: Event) -> None:
    """Every third entry, from the first on, is a bot's."""
    entries = list(event.entries.order_by("id"))[::3]
    Player.objects.filter(memberships_in_entries__entry__in=entries).update(strategy="simple")
    event.entries.all().note_bots()


def address(name: str, slug: str, *more: object) -> str:
    return reverse(name, args=["harbour", slug, *more])


@pytest.mark.parametrize("width", [320, 390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_bracket_scrolls_in_its_frame_and_not_the_page(
    page: Page, live_server: LiveServer, cup: Event, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{live_server.url}{address('event_bracket', 'cup')}")
    assert page.evaluate(TOO_WIDE) <= 0
    frame = page.get_by_role("region", name="Bracket")
    assert frame.evaluate("frame => frame.scrollWidth - frame.clientWidth") > 0
    # Every letter of a name is within its box, and large enough to be read on a phone.
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".bracket-tie")].filter((tie) => {
          const box = tie.querySelector("rect").getBoundingClientRect();
          const figures = [...tie.querySelectorAll(".bracket-score, .bracket-bot")];
          const scores = figures.map((text) => text.getBoundingClientRect());
          return [...tie.querySelectorAll(".bracket-name")].some((text) => {
            const own = text.getBoundingClientRect();
            const level = scores.filter((score) => score.top < own.bottom && own.top < score.bottom);
            const beside = level.sort((one, other) => one.left - other.left)[0];
            return own.right > (beside ? beside.left : box.right) || own.height < 10
              || own.left < box.left || own.top < box.top - 2 || own.bottom > box.bottom + 2;
          });
        }).map((tie) => tie.textContent)"""
    )
    assert cut == []
    expect(page.locator(".ties .side").first).to_have_text(f"{LONG}\u00a0bot (1)")


def test_a_bracket_is_reached_and_scrolled_by_keyboard(
    page: Page, live_server: LiveServer, cup: Event, complaints: list[str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{live_server.url}{address('event_bracket', 'cup')}")
    frame = page.get_by_role("region", name="Bracket")
    frame.focus()
    page.keyboard.press("ArrowRight")
    expect(frame).not_to_have_js_property("scrollLeft", 0)
    # The drawing is passed over: its ties are reached in the lists below.
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Bracket as PDF, for printing")).to_be_focused()


def test_a_tie_of_the_drawing_opens_its_match(
    page: Page, live_server: LiveServer, cup: Event, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{address('event_bracket', 'cup')}")
    page.locator(".bracket-tie rect").first.click()
    expect(page.locator("h1")).to_contain_text(LONG)


def test_names_stay_in_sight_beside_a_crosstable(
    page: Page, live_server: LiveServer, league: Event, complaints: list[str]
) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{live_server.url}{address('event_crosstable', 'league')}")
    assert page.evaluate(TOO_WIDE) <= 0
    name = page.locator("tbody th.who").first
    before = name.bounding_box()
    page.get_by_role("region", name="Crosstable").evaluate("frame => frame.scrollTo(150, 0)")
    assert name.bounding_box() == before
    assert before is not None
    assert before["width"] < 160


@pytest.mark.parametrize("width", [320, 1300])
def test_what_is_pinned_to_the_wall_fits_a_phone_too(
    page: Page, live_server: LiveServer, league: Event, complaints: list[str], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("event", "round", "round_print"):
        more = [] if name == "event" else [1]
        page.goto(f"{live_server.url}{address(name, 'league', *more)}")
        assert page.evaluate(TOO_WIDE) <= 0, name
    assert page.evaluate("document.querySelector('.scroll').scrollWidth <= innerWidth")


def test_the_pairings_of_a_small_round_print_on_one_page(
    page: Page, live_server: LiveServer, league: Event
) -> None:
    page.goto(f"{live_server.url}{address('round_print', 'league', 1)}")
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_the_drawing_of_thirty_two_prints_on_the_first_page(
    page: Page, live_server: LiveServer, cup: Event
) -> None:
    page.goto(f"{live_server.url}{address('event_bracket', 'cup')}")
    page.emulate_media(media="print")
    # A4 across, less the margins: 269 mm by 184 mm at 96 dots an inch.
    page.set_viewport_size({"width": 1017, "height": 695})
    drawing = page.locator(".bracket-svg").bounding_box()
    assert drawing is not None
    assert drawing["x"] + drawing["width"] <= 1017
    assert drawing["y"] + drawing["height"] <= 695
