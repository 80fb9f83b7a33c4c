"""The judge in a browser: a whole hand tapped on the smallest phone, by keyboard, and without any script."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]

# 4 is left of the knocker's; after 7S and 4S are laid off the defender keeps 32.
KNOCKER = (
    "ace of spades",
    "two of spades",
    "three of spades",
    "seven of clubs",
    "seven of diamonds",
    "seven of hearts",
    "jack of clubs",
    "jack of diamonds",
    "jack of hearts",
    "four of diamonds",
)
DEFENDER = (
    "five of clubs",
    "six of clubs",
    "seven of spades",
    "nine of hearts",
    "nine of diamonds",
    "nine of spades",
    "king of clubs",
    "king of diamonds",
    "four of spades",
    "ace of diamonds",
)


def tap_hand(page: Page, holder: str, cards: tuple[str, ...]) -> None:
    page.get_by_role("radio", name=holder.capitalize()).tap()
    for card in cards:
        page.get_by_role("checkbox", name=f"{card}, {holder}", exact=True).tap()


@pytest.fixture
def phone(browser: Browser, complaints: list[str], page: Page) -> Any:
    """A page on the smallest phone, tapped with a finger."""
    context = browser.new_context(
        viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    opened = context.new_page()
    opened.on("console", lambda said: complaints.append(said.text))
    yield opened
    context.close()


def test_a_whole_hand_is_tapped_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    phone.goto(f"{live_server.url}/judge/")
    tap_hand(phone, "knocker", KNOCKER)
    expect(phone.locator("#ruling")).to_contain_text("Still to come: 0 of the knocker’s cards, 10 of the")
    tap_hand(phone, "defender", DEFENDER)
    expect(phone.get_by_role("heading", name="Knock: 28 points to the knocker")).to_be_attached()
    # What is tapped stands in the address, so nothing is lost when the page is opened again.
    phone.reload()
    expect(phone.get_by_role("heading", name="Knock: 28 points to the knocker")).to_be_attached()
    too_wide = phone.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert too_wide <= 0


def test_targets_are_big_and_the_switch_stays_at_hand(phone: Page, live_server: LiveServer) -> None:
    phone.goto(f"{live_server.url}/judge/")
    boxes = [pick.bounding_box() for pick in phone.locator(".pick").all()]
    assert len(boxes) == 52
    assert all(box is not None and box["width"] >= 40 and box["height"] >= 44 for box in boxes)
    phone.get_by_role("checkbox", name="two of spades, knocker", exact=True).tap()
    for radio in phone.locator(".switch label").all():
        expect(radio).to_be_in_viewport()


def test_a_second_tap_gives_a_card_back(phone: Page, live_server: LiveServer) -> None:
    phone.goto(f"{live_server.url}/judge/")
    ace = phone.get_by_role("checkbox", name="ace of spades, knocker", exact=True)
    ace.tap()
    expect(ace).to_be_checked()
    phone.get_by_role("radio", name="Defender").tap()
    # It is the knocker's still: a tap takes it from him, the next gives it to the defender.
    ace.tap()
    expect(ace).to_be_hidden()
    phone.get_by_role("checkbox", name="ace of spades, defender", exact=True).tap()
    expect(phone.get_by_role("checkbox", name="ace of spades, defender", exact=True)).to_be_checked()


def test_a_fixed_arrangement_is_refused_beside_its_field(page: Page, live_server: LiveServer) -> None:
    cards = "knocker=AS+2S+3S+7C+7D+7H+JC+JD+JH+4D&defender=5C+6C+7S+9H+9D+9S+KC+KD+4S+AD"
    page.goto(f"{live_server.url}/judge/?{cards}")
    page.get_by_text("Type cards, or fix how").click()
    melds = page.get_by_label("The melds as the knocker laid them")
    melds.fill("7C 7D")
    melds.press("Tab")
    expect(page.locator("#problem-melds")).to_contain_text("neither a set nor a run")
    melds.fill("7C 7D 7H, AS 2S 3S, JC JD JH")
    melds.press("Tab")
    expect(page.locator("#problem-melds")).to_be_empty()
    expect(page.get_by_role("heading", name="Knock: 28 points to the knocker")).to_be_visible()


def test_the_cards_go_by_keyboard(page: Page, live_server: LiveServer, complaints: list[str]) -> None:
    page.goto(f"{live_server.url}/judge/")
    page.get_by_role("checkbox", name="ace of clubs, knocker", exact=True).focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    for card in ("ace of clubs", "two of clubs", "two of diamonds"):
        expect(page.get_by_role("checkbox", name=f"{card}, knocker", exact=True)).to_be_checked()
    page.get_by_role("radio", name="Defender").check(force=True)
    page.get_by_role("checkbox", name="two of diamonds, knocker", exact=True).focus()
    page.keyboard.press("Space")
    # The focus stays on the card, now to be given to the defender.
    expect(page.get_by_role("checkbox", name="two of diamonds, defender", exact=True)).to_be_focused()


def test_it_works_without_any_script(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/judge/")
    for holder, cards in (("knocker", KNOCKER), ("defender", DEFENDER)):
        page.get_by_role("radio", name=holder.capitalize()).check(force=True)
        for card in cards:
            page.get_by_role("checkbox", name=f"{card}, {holder}", exact=True).check()
    page.get_by_role("button", name="Judge").click()
    expect(page.get_by_role("heading", name="Knock: 28 points to the knocker")).to_be_visible()
    expect(page.get_by_role("checkbox", name="jack of hearts, knocker", exact=True)).to_be_checked()
    context.close()
