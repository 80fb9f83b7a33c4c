"""The bots in a browser: a match that goes on while one looks, a hand by keys and by links, on any screen."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Request, Response, expect
from pytest_django.live_server_helper import LiveServer

from games.bots import HouseBot, house_bot
from games.models import BotHand, BotMatch
from scoring.core.sheets import SheetSide
from tests.factories import ClubFactory
from tests.games.shown_matches import THOUGHTFUL, THOUGHTFUL_PATH, exhibition, play_some

pytestmark = pytest.mark.browser

LONG_NAMES = tuple(
    SheetSide(name, (name,)) for name in ("Featherstonehaugh the Elder", "Papadopoulou-Wolkenstein")
)


@pytest.fixture
def match(transactional_db: None, settings: Any) -> BotMatch:
    """Three games of bots with long names after two deals; the first says what it weighs."""
    settings.BOT_STRATEGIES = [THOUGHTFUL_PATH]
    club = ClubFactory.create(name="Harbour", slug="harbour")
    bots = (HouseBot.of(THOUGHTFUL), house_bot("steady"))
    return play_some(exhibition(club, *bots, sides=LONG_NAMES, columns=3), 2)


@pytest.mark.looks
@pytest.mark.parametrize("width", [320, 390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_nothing_is_refused(
    page: Page, live_server: LiveServer, match: BotMatch, complaints: list[str], width: int, scheme: Any
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    hand = reverse("bot_hand", args=[match.code, 1])
    last = len(BotHand.objects.get(match=match, deal=1).log["actions"])
    for address in (
        reverse("judge_page"),
        reverse("bots"),
        reverse("bot_profile", args=["steady"]),
        reverse("bot_match", args=[match.code]),
        hand,
        *[f"{hand}?move={number}" for number in (3, 4, 5, last)],
    ):
        page.goto(f"{live_server.url}{address}")
        too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, address


def test_a_match_goes_on_while_one_looks(
    page: Page, live_server: LiveServer, match: BotMatch, complaints: list[str]
) -> None:
    answers: list[int] = []
    page.on("response", lambda said: answers.append(said.status) if said.url.endswith("/live/") else None)
    page.goto(f"{live_server.url}{reverse('bot_match', args=[match.code])}")
    page.evaluate("window.untouched = true")
    page.locator("#deal-1").focus()
    sheet = page.locator(".sheet-table tbody tr.deal")
    expect(sheet).to_have_count(2)

    # Nothing is new: nothing is put in place of what stands there.
    row = sheet.first.element_handle()
    with page.expect_response(_is_live) as unchanged:
        pass
    assert unchanged.value.status == 304
    assert row.evaluate("(row) => row.isConnected")

    play_some(match, 1)
    expect(sheet).to_have_count(3)
    expect(page.locator("#latest")).to_contain_text("Deal 3:")
    expect(page.locator("#deal-1")).to_be_focused()
    assert page.evaluate("window.untouched")

    play_some(match)
    expect(page.locator("#live .chip").first).to_have_text("played")
    expect(page.locator("#live[hx-get]")).to_have_count(0)
    assert set(answers) == {200, 304}


def test_a_page_nobody_looks_at_asks_for_nothing(
    page: Page, live_server: LiveServer, match: BotMatch
) -> None:
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if _is_live(request) else None)
    page.goto(f"{live_server.url}{reverse('bot_match', args=[match.code])}")
    with page.expect_response(_is_live):
        pass
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true })")
    stopped = page.evaluate(
        """() => new Promise((resolve) => {
          window.away = true;
          let refused = 0;
          document.addEventListener("htmx:beforeRequest", (event) => {
            refused += event.defaultPrevented;
            if (refused === 2) resolve(true);
          });
        })"""
    )
    before = len(asked)
    assert stopped
    with page.expect_response(_is_live):
        page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert len(asked) == before + 1


@pytest.mark.looks
def test_a_hand_goes_by_keys(
    page: Page, live_server: LiveServer, match: BotMatch, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{reverse('bot_hand', args=[match.code, 1])}")
    page.evaluate("window.untouched = true")
    last = len(BotHand.objects.get(match=match, deal=1).log["actions"])
    at = page.locator(".step-number")
    expect(page.locator("#said")).to_contain_text("has dealt.")
    for key, number in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowRight", last),
    ):
        page.keyboard.press(key)
        expect(at).to_have_text(f"{number} / {last}")
    expect(page.locator("#said strong")).to_be_visible()
    assert page.url.endswith(f"?move={last}")
    page.keyboard.press("Home")
    expect(at).to_have_text(f"0 / {last}")
    assert page.evaluate("window.untouched")


@pytest.mark.looks
def test_a_hand_goes_by_buttons_and_keeps_the_focus(
    page: Page, live_server: LiveServer, match: BotMatch, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}{reverse('bot_hand', args=[match.code, 1])}")
    forward = page.get_by_role("link", name="Forward")
    forward.click()
    expect(page.locator(".step-number")).to_contain_text("1 /")
    expect(forward).to_be_focused()
    page.locator("#move-5").click()
    expect(page.locator("#move-5")).to_have_attribute("aria-current", "step")
    expect(page.locator("#move-5")).to_be_focused()
    expect(page).to_have_title("Deal 1, move 5")
    page.get_by_role("link", name="Deal 2").click()
    expect(page.get_by_role("heading", name="Deal 2")).to_be_visible()


def test_a_hand_goes_without_any_script(browser: Browser, live_server: LiveServer, match: BotMatch) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}{reverse('bot_hand', args=[match.code, 1])}")
    for number in (1, 2, 3):
        page.get_by_role("link", name="Forward").click()
        expect(page.locator(".step-number")).to_contain_text(f"{number} /")
    page.get_by_role("link", name="Last").click()
    expect(page.get_by_role("link", name="Forward")).to_have_attribute("aria-disabled", "true")
    context.close()


@pytest.mark.looks
def test_suits_can_be_told_from_their_ground(page: Page, live_server: LiveServer, match: BotMatch) -> None:
    """WCAG AA: 4.5 to 1 for every card that lies open, in both schemes."""
    hand = f"{live_server.url}{reverse('bot_hand', args=[match.code, 1])}?move=3"
    judged = f"{live_server.url}/judge/?knocker=AS&knocker=7H&defender=AC&defender=8D"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for address, cards in ((hand, ".face"), (judged, ".pick")):
            page.goto(address)
            assert page.evaluate(LEAST_CONTRAST, cards) >= 4.5, (scheme, cards)


LEAST_CONTRAST = """(selector) => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    const colour = channels(getComputedStyle(element).backgroundColor);
    return colour.length === 3 || colour[3] ? colour : ground(element.parentElement);
  };
  return Math.min(...[...document.querySelectorAll(selector)].map((element) => {
    const ink = light(channels(getComputedStyle(element).color)), paper = light(ground(element));
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  }));
}"""


def _is_live(said: Request | Response) -> bool:
    return said.url.endswith("/live/")
