"""Two members play a sheet to its end on two telephones; cards are chosen, sorted and drawn."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from games.models import TableAct, TableMatch
from scoring.core.actors import Actor
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import kept_sheet
from tests.games.member_tables import hand_in_play, hand_of, member, table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Telephone:
    """A member's telephone with the page of a table open."""

    def __init__(self, context: BrowserContext, address: str, said: list[str]) -> None:
        self.context, self.page = context, context.new_page()
        self.page.on("console", lambda message: said.append(message.text))
        self.page.on("pageerror", lambda error: said.append(str(error)))
        self.page.goto(address)

    @property
    def cards(self) -> Locator:
        return self.page.locator("#own-hand .playing-card")

    def press(self, button: Locator) -> None:
        with self.page.expect_response(re.compile("/act/$")):
            button.click()

    def discard(self) -> None:
        """Puts down the last card that is in no meld."""
        loose = self.page.locator("#own-hand .playing-card:not(.melded) input:enabled")
        (loose if loose.count() else self.page.locator("#own-hand input:enabled")).last.check()
        self.press(self.page.get_by_role("button", name="Discard", exact=True))

    def move(self) -> None:
        """The next step of a turn: whatever ends the hand, or a card drawn, or the last loose one down."""
        page = self.page
        if page.get_by_role("button", name="Lay down").count():
            self.press(page.get_by_role("button", name="Lay down"))
        elif page.get_by_role("button", name=re.compile("^(Gin|Big gin)")).count():
            self.press(page.get_by_role("button", name=re.compile("^(Gin|Big gin)")).first)
        elif page.locator(".knock-ways").count():
            page.locator(".knock-ways > summary").click()
            self.press(page.get_by_role("button", name="Knock", exact=True))
        elif page.get_by_role("button", name="Pass").count():
            self.press(page.get_by_role("button", name="Pass"))
        elif page.get_by_role("button", name="Draw from the stock").is_enabled():
            self.press(page.get_by_role("button", name="Draw from the stock"))
        else:
            self.discard()


@pytest.fixture
def sit(browser: Browser, live_server: Any) -> Iterator[Any]:
    """Opens a table at a member's telephone; what a console says fails the test, but for what was cut off."""
    contexts: list[BrowserContext] = []
    said: list[str] = []

    def open_at(match: TableMatch, actor: Actor, width: int) -> Telephone:
        client = Client()
        client.force_login(get_user_model().objects.get(pk=actor.id))
        context = browser.new_context(viewport={"width": width, "height": 740}, has_touch=True)
        contexts.append(context)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        return Telephone(context, live_server.url + reverse("play_table", args=[match.code]), said)

    yield open_at
    for context in contexts:
        context.close()
    cut_off = re.compile(r"ERR_INTERNET_DISCONNECTED|^htmx:(afterRequest|sendError)|Code 403|status of 403")
    assert [one for one in said if not cut_off.search(one)] == []


def test_two_members_play_a_sheet_to_its_end(sit: Any) -> None:
    players = member(), member()
    match = table(*players, target=1)
    phones: list[Telephone] = [sit(match, players[0], 320), sit(match, players[1], 390)]

    def mover(*, waits: bool = False) -> Telephone:
        phone = phones[hand_in_play(match).turn]
        if not waits:
            # As when the page is looked at again, which then asks at once.
            phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(phone.page.locator("#table")).to_have_attribute("data-turn", "own")
        return phone

    # The page of the other follows by itself.
    for _ in range(2):
        mover(waits=True).move()
    # A reload takes over where it was.
    phone = mover()
    todo = phone.page.locator(".to-do").inner_text()
    phone.page.reload()
    expect(phone.page.locator(".to-do")).to_have_text(todo)
    # Without a connection nothing is sent; pressed again it is carried out once.
    acts = TableAct.objects.count()
    phone.context.set_offline(True)
    button = phone.page.get_by_role("button", name="Draw from the stock")
    if not button.is_enabled():
        phone.cards.locator("input:enabled").last.check()
        button = phone.page.get_by_role("button", name="Discard", exact=True)
    button.click()
    expect(phone.page.locator("#lost")).to_be_visible()
    phone.context.set_offline(False)
    phone.press(button)
    expect(phone.page.locator("#lost")).to_be_hidden()
    assert TableAct.objects.count() == acts + 1
    # To the end, by whoever is to move.
    while Scoresheet.objects.get(pk=match.sheet_id).status == SheetStatus.OPEN:
        mover().move()
    for phone in phones:
        expect(phone.page.locator(".play-over")).to_contain_text("wins")
    recorded = [hand for deal in kept_sheet(match.sheet).deals for hand in deal.hands]
    over = match.hands.filter(is_over=True)
    assert [result for hand in over for result in hand_of(match, hand, hand.pack).results] == recorded


def test_cards_are_chosen_given_back_sorted_and_dragged(sit: Any) -> None:
    players = member(), member()
    match = table(*players)
    turn = hand_in_play(match).turn
    phone, other = sit(match, players[turn], 320), sit(match, players[1 - turn], 320)
    page = phone.page
    page.get_by_role("button", name=re.compile("^Take the")).focus()
    with page.expect_response(re.compile("/act/$")):
        page.keyboard.press("Enter")
    # By keyboard one goes on with what is to be done next.
    expect(page.locator("#table :focus")).to_have_attribute("name", re.compile("action|card"))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    boxes = [card.bounding_box() for card in phone.cards.all()]
    assert len(boxes) == 11
    assert all(box["width"] >= 40 and box["height"] >= 44 for box in boxes)
    # A second tap gives a card back.
    choice = page.locator("#own-hand input:enabled").first
    choice.click()
    expect(choice).to_be_checked()
    choice.click()
    expect(choice).not_to_be_checked()
    # Sorted by ranks, and by hand: the first card dragged onto the fourth.
    page.get_by_role("button", name="ranks").click()
    numbers = _numbers(page)
    assert [number % 13 for number in numbers] == sorted(number % 13 for number in numbers)
    phone.cards.nth(0).drag_to(phone.cards.nth(3))
    moved = [*numbers[1:4], numbers[0], *numbers[4:]]
    assert _numbers(page) == moved
    page.reload()
    assert _numbers(page) == moved
    # A card drawn onto the pile is discarded, and the other sees it.
    loose = page.locator("#own-hand .playing-card:has(input:enabled)").last
    card = int(loose.get_attribute("data-card") or "")
    with page.expect_response(re.compile("/act/$")):
        loose.drag_to(page.locator("#pile"))
    expect(page.locator("#table")).to_have_attribute("data-turn", "")
    expect(other.page.locator("#table")).to_have_attribute("data-turn", "own")
    assert hand_in_play(match).pile[-1] == card
    # What the site does not take is said: this telephone has lost what a form is sent with.
    other.context.clear_cookies(name="csrftoken")
    other.press(other.page.get_by_role("button", name="Draw from the stock"))
    expect(other.page.locator("#failed")).to_be_visible()
    assert hand_in_play(match).turn == 1 - turn


def _numbers(page: Page) -> list[int]:
    cards = page.locator("#own-hand .playing-card").all()
    return [int(card.get_attribute("data-card") or "") for card in cards]
