"""By taps, without another member: the daily hand, a hint against a bot, a guest's seat, a table of three."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from league.models import ClubRules, DailyTry, GameOffer, Player
from league.people.friendlies import play_bot
from league.people.lobbies import Wanted, offer_game
from tests.factories import ClubFactory, house_rules
from tests.league.table_players import by, member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ann() -> Player:
    club = ClubFactory.create(slug="harbour")
    ClubRules.objects.create(club=club, rules=house_rules())
    return member(club, "Ann")


@pytest.fixture
def page(browser: Browser, live_server: Any, ann: Player) -> Iterator[Page]:
    """Ann's telephone."""
    client = Client()
    assert ann.user is not None
    client.force_login(ann.user)
    context = browser.new_context(viewport={"width": 320, "height": 568}, base_url=live_server.url)
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    yield context.new_page()
    context.close()


def test_a_press_puts_the_daily_hand_in_place_anew(page: Page) -> None:
    page.goto("/clubs/harbour/play/daily/")
    page.get_by_role("button", name="Play it").click()
    for _press in range(3):
        expect(page.locator("#at-table")).to_be_visible()
        # On a telephone the cards are there at once.
        expect(page.locator("#own-hand")).to_be_in_viewport()
        version = DailyTry.objects.get().version
        cards = page.locator("#own-hand input:enabled")
        if cards.count():
            cards.last.check()
        page.locator("#at-table button[name=action]:enabled").first.click()
        expect(page.locator(f'#table [name="version"][value="{version}"]')).to_have_count(0)
        expect(page.locator("#table")).to_have_count(1)
        # The bot may knock before: then there is nothing to draw or to discard.
        if DailyTry.objects.get().points is not None or page.locator("#table .replies").count():
            break


def test_a_hint_is_shown_where_it_is_pressed_for(page: Page, ann: Player) -> None:
    rules = ClubRules.objects.get().rules
    table = play_bot(actor=by(ann), club=ann.club, bot="simple", rules=rules)
    page.goto(f"/play/{table.code}/")
    page.get_by_role("link", name="Hint", exact=True).click()
    # There is one, or nothing is to be chosen: either is said.
    expect(page.locator("#table h2#hint, #table .problem")).to_have_count(1)


def test_a_table_of_three_is_offered_by_two_taps(page: Page, ann: Player) -> None:
    jersey = house_rules(kind="jersey", columns=1)
    ClubRules.objects.create(club=ann.club, rules=jersey)
    page.goto("/clubs/harbour/play/")
    page.get_by_role("link", name="3", exact=True).click()
    offers = page.get_by_role("button", name="Offer the game")
    expect(offers).to_be_in_viewport()
    offers.click()
    expect(page.get_by_role("heading", name="Games on offer")).to_be_in_viewport()
    expect(page.locator(".lobby li")).to_have_text(["Ann", "whoever comes first", "whoever comes first"])
    offer = GameOffer.objects.get()
    assert (offer.rules, offer.seats.count()) == (jersey, 2)


def test_a_guest_sits_down_by_his_link_and_moves(browser: Browser, live_server: Any, ann: Player) -> None:
    rules = ClubRules.objects.get().rules
    (secret,) = offer_game(actor=by(ann), club=ann.club, rules=rules, others=[Wanted.GUEST]).secrets
    context = browser.new_context(viewport={"width": 320, "height": 568}, base_url=live_server.url)
    page = context.new_page()
    page.goto(f"/play/with/{secret}/")
    page.get_by_label("Your name").fill("Zoe")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#own-hand .playing-card")).to_have_count(10)
    expect(page.locator("#table")).to_have_attribute("data-seated", "")
    passing = page.get_by_role("button", name="Pass", exact=True)
    if passing.count() and passing.is_enabled():
        passing.click()
        expect(page.locator(".across-did")).to_contain_text("You pass")
    context.close()
