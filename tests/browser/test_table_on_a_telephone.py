"""A hand in play on the smallest telephones: cards, piles and buttons are on the screen without scrolling."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from games.gin.cards import text_of
from games.models import TableMatch
from games.services import act, open_table
from games.tables.clocks import PRESETS
from scoring.core.actors import Actor
from tests.games.bot_matches import blank_sheet
from tests.games.member_tables import hand_in_play, member, table

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]

# What is to be seen at once, and how far the part that lies deepest is above the bar with the buttons.
SEEN = """() => {
  const bar = document.querySelector(".act-bar");
  const floor = bar ? bar.getBoundingClientRect().top : innerHeight;
  const parts = [...document.querySelectorAll("#own-hand .playing-card, .middle > .playing-card")];
  const buttons = bar ? [...bar.querySelectorAll(":scope > .button, :scope > details > summary")] : [];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const pressed = buttons.map((part) => part.getBoundingClientRect());
  return {
    cards: document.querySelectorAll("#own-hand .playing-card").length,
    piles: parts.length - document.querySelectorAll("#own-hand .playing-card").length,
    above: Math.min(...boxes.map((box) => box.top)),
    below: floor - Math.max(...boxes.map((box) => box.bottom)),
    bar: innerHeight - Math.max(0, ...pressed.map((box) => box.bottom)),
    buttons: buttons.length,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""


@pytest.fixture(params=[(320, 568), (390, 844)], ids=["320x568", "390x844"])
def page(request: Any, browser: Browser, live_server: Any) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, base_url=live_server.url
    )
    yield context.new_page()
    context.close()


def sign_in(page: Page, actor: Actor, url: str) -> None:
    client = Client()
    client.force_login(get_user_model().objects.get(pk=actor.id))
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])


def move(match: TableMatch, players: list[Actor], action: str) -> None:
    """What is done by whoever is to move."""
    seat = hand_in_play(match).turn
    match.refresh_from_db()
    version = match.version
    act(actor=players[seat], match=match, seat=seat, version=version, action=action, key=f"move {version}")


def next_hand(match: TableMatch, players: list[Actor], seat: int) -> None:
    """Plays on until another hand is dealt and it is this seat's turn in it."""
    first = match.hands.get(is_over=False).deal
    while match.hands.get(is_over=False).deal == first or hand_in_play(match).turn != seat:
        state = hand_in_play(match)
        legal = [str(one) for one in state.legal_actions()]
        ends = next((one for one in legal if one.startswith(("gin", "knock", "lay_off"))), None)
        move(match, players, ends or ("draw" if "draw" in legal else legal[-1]))
    match.refresh_from_db()


def other_takes_openly(match: TableMatch, players: list[Actor], most: int) -> None:
    """Plays on until the second player holds so many cards from the pile, and the first has to discard."""
    taken: set[str] = set()
    while len(taken) < most or hand_in_play(match).turn or hand_in_play(match).hands[0].bit_count() < 11:
        state = hand_in_play(match)
        legal = [str(one) for one in state.legal_actions()]
        ways = ("take", "draw", "pass") if state.turn else ("draw", "pass")
        chosen = next((one for one in ways if one in legal), "")
        if chosen == "take":
            taken.add(text_of(state.pile[-1:]))
        discards = [one for one in legal if one.startswith("discard") and one.split()[1] not in taken]
        move(match, players, chosen or discards[-1])


def check_seen(page: Page, *, cards: int, buttons: bool) -> None:
    seen = page.evaluate(SEEN)
    assert seen["cards"] == cards
    assert seen["piles"] == 2
    assert seen["above"] >= 0
    assert seen["below"] >= 0
    assert seen["bar"] >= 0
    assert bool(seen["buttons"]) is buttons
    assert seen["wide"] <= 0


def test_own_hand_piles_and_buttons_are_seen_after_a_hand_has_ended(page: Page, live_server: Any) -> None:
    players = [member(), member()]
    match = table(*players, knock_limit=98, target=5000)
    sign_in(page, players[0], live_server.url)
    page.goto(f"/play/{match.code}/")
    for _hand in range(2):
        next_hand(match, players, 0)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#at-table [name=version]")).to_have_value(str(match.version))
        expect(page.locator(".last-line")).to_be_in_viewport(ratio=1)
        check_seen(page, cards=10, buttons=page.locator(".act-bar").count() == 1)
        # A page that was just opened shows the same.
        page.goto(f"/play/{match.code}/")
        check_seen(page, cards=10, buttons=page.locator(".act-bar").count() == 1)
    with page.expect_response(re.compile("/act/$")):
        page.locator(".middle button:enabled").last.click()
    expect(page.locator("#own-hand .playing-card")).to_have_count(11)
    expect(page.locator(".last-line")).to_have_count(0)
    check_seen(page, cards=11, buttons=True)
    page.locator(".own-hand input:enabled").last.check()
    check_seen(page, cards=11, buttons=True)


def test_a_hand_is_seen_whole_beside_all_that_is_told_of_the_other(page: Page, live_server: Any) -> None:
    players = [member(), member()]
    seats = dict(enumerate(players))
    match = open_table(sheet=blank_sheet(knock_limit=1), seats=seats, clock=PRESETS["relaxed"])
    other_takes_openly(match, players, 4)
    sign_in(page, players[0], live_server.url)
    page.goto(f"/play/{match.code}/")
    expect(page.locator(".across-known .face")).to_have_count(4)
    check_seen(page, cards=11, buttons=True)


def test_the_line_of_the_last_hand_leads_to_its_cards(page: Page, live_server: Any) -> None:
    players = [member(), member()]
    match = table(*players, knock_limit=98, target=5000)
    next_hand(match, players, 0)
    sign_in(page, players[0], live_server.url)
    page.goto(f"/play/{match.code}/")
    page.locator(".last-line a").click()
    expect(page.locator("#hand-over")).to_be_in_viewport(ratio=1)
    expect(page.locator(".hand-over .laid").first).to_be_in_viewport()
