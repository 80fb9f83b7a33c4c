"""The hall's screen: it turns by itself, follows, fits, and is read from the far end of the hall."""

import datetime
import re
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import Event, EventState, Match, Round
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, play

pytestmark = pytest.mark.django_db(transaction=True)

# More than a panel has lines.
TABLES = 10
ORDINARY, LONG = "Castell", "Bartholomew Featherstonehaugh-Cholmondeley"
# Capitals are 0.7 to 0.73 as high as the size of the letters, and want 4 % of the picture (`LINES`).
SHARE_OF_PICTURE = 0.04 / 0.73

IS_TOO_LARGE = """() => {
  const page = document.documentElement;
  return page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
}"""
SIZE_OF_NAMES = """() => {
  const name = document.querySelector(".panel:not([hidden]) :is(li .side, td.side, tbody th, .great)");
  return Number.parseFloat(getComputedStyle(name).fontSize) / innerHeight;
}"""


def event_of(name: str) -> Event:
    event: Event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"), slug="league", state=EventState.RUNNING
    )
    round_ = RoundFactory.create(event=event)
    for number in range(1, TABLES + 1):
        sides = [EntryFactory.create(event=event, name=f"{name} {number}{side}") for side in "ab"]
        MatchFactory.create(event=event, round=round_, entry_a=sides[0], entry_b=sides[1], table=number)
    return event


def open_screen(
    page: Page, url: str, width: int = 1280, height: int = 720, now: datetime.datetime | None = None
) -> None:
    page.clock.install(time=now)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(url + reverse("event_screen", args=["harbour", "league"]))


def test_it_turns_follows_and_can_be_paused(
    page: Page, live_server: Any, monkeypatch: pytest.MonkeyPatch, complaints: list[str]
) -> None:
    monkeypatch.setattr("league.pages.events.FOLLOWS_EVERY", 1)
    event = event_of(ORDINARY)
    open_screen(page, live_server.url)
    shown = page.locator(".panel:visible h2")
    expect(shown).to_have_text("Round 1: your table 1/2")
    page.clock.run_for(12_000)
    expect(shown).to_have_text("Round 1: your table 2/2")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_text("Round 1 0 of 10 played 1/2")
    page.keyboard.press(" ")
    page.clock.run_for(60_000)
    expect(shown).to_have_text("Round 1 0 of 10 played 1/2")

    # A result comes in: it is told on the panel that is shown, which stays.
    play(Match.objects.get(event=event, table=1), 91, stopped=True)
    page.clock.run_for(3_000)
    expect(shown).to_have_text("Round 1 1 of 10 played 1/2")
    expect(page.locator(".panel:visible .match-row").first).to_contain_text("+")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(12_000)
    expect(shown).to_have_text("Round 1 1 of 10 played 2/2")


def ends_in(event: Event, **time: int) -> datetime.datetime:
    ends_at = timezone.now().replace(microsecond=0) + datetime.timedelta(**time)
    Round.objects.filter(event=event).update(ends_at=ends_at)
    return ends_at


def test_it_counts_the_round_down_by_the_servers_clock(
    page: Page, live_server: Any, monkeypatch: pytest.MonkeyPatch, complaints: list[str]
) -> None:
    """The projector's own clock is years off."""
    monkeypatch.setattr("league.pages.events.FOLLOWS_EVERY", 1)
    event = event_of(ORDINARY)
    ends_at = ends_in(event, hours=2)
    open_screen(page, live_server.url, now=datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
    page.keyboard.press(" ")
    clock = page.locator(".countdown")
    expect(clock).to_have_text(re.compile(r"1:5\d:\d\d"))

    def left() -> int:
        hours, minutes, seconds = clock.inner_text().split(":")
        return int(hours) * 3600 + int(minutes) * 60 + int(seconds)

    before = (ends_at - timezone.now()).total_seconds()
    shown = left()
    after = (ends_at - timezone.now()).total_seconds()
    assert after - 2 <= shown <= before + 2
    page.clock.run_for(10_000)
    assert shown - left() >= 10

    # The director takes time off, and none is left: it is told where the clock is, on every panel.
    ends_in(event, minutes=4)
    page.clock.run_for(3_000)
    expect(clock).to_have_class(re.compile("is-last"))
    expect(clock).to_have_text(re.compile(r"^3:\d\d$"))
    ends_in(event, minutes=-1)
    page.clock.run_for(3_000)
    expect(clock).to_have_text("Time is up: finish the hand you are playing.")
    for panel in page.locator(".panel").all():
        expect(panel).to_be_visible()
        expect(clock).to_be_visible()
        assert not page.evaluate(IS_TOO_LARGE)
        assert page.evaluate(SIZE_OF_NAMES) >= SHARE_OF_PICTURE
        page.keyboard.press("ArrowRight")
    Round.objects.filter(event=event).update(ends_at=None)
    page.clock.run_for(3_000)
    expect(clock).to_have_count(0)


@pytest.mark.looks
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)], ids=str)
@pytest.mark.parametrize("name", [ORDINARY, LONG])
def test_each_panel_fits_and_is_read_from_afar(
    page: Page, live_server: Any, name: str, size: tuple[int, int]
) -> None:
    """Long names make a panel smaller; those of ordinary length are as large as the hall needs."""
    event_of(name)
    open_screen(page, live_server.url, *size)
    for panel in page.locator(".panel").all():
        expect(panel).to_be_visible()
        assert not page.evaluate(IS_TOO_LARGE)
        if name == ORDINARY and size[0] / size[1] > 1.7:
            assert page.evaluate(SIZE_OF_NAMES) >= SHARE_OF_PICTURE
        page.keyboard.press("ArrowRight")


@pytest.mark.looks
def test_on_a_telephone_all_panels_stand_below_each_other(page: Page, live_server: Any) -> None:
    event_of(ORDINARY)
    open_screen(page, live_server.url, 390, 800)
    for panel in page.locator(".panel").all():
        expect(panel).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".screen-ways")).to_be_hidden()
