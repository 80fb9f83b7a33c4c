"""The phone at the table and the page of its links on the smallest telephone: nothing cut, all keys there."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from league.matches.table_links import make_links
from league.models import Match, Role, TableLink
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    drawn_match,
    play,
    won,
)

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    """Bianchi against Castellan, Hollywood: names that results still write in full."""
    event = EventFactory.create(club=ClubFactory.create(name="Harbour", slug="harbour"), slug="league")
    return drawn_match(event, "Bianchi", "Castellan", table=5)


@pytest.fixture(params=["light", "dark"])
def phone(request: Any, browser: Browser) -> Iterator[Page]:
    """A telephone of 320 by 568 pixels."""
    context = browser.new_context(viewport={"width": 320, "height": 568}, color_scheme=request.param)
    yield context.new_page()
    context.close()


def test_all_keys_are_on_the_screen_at_once(phone: Page, live_server: Any, match: Match) -> None:
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    phone.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    save = phone.locator("#save").bounding_box()
    assert save is not None
    assert save["y"] + save["height"] <= 560
    assert save["height"] >= 44


def test_keys_stay_where_they_are_however_a_hand_ended(phone: Page, live_server: Any, match: Match) -> None:
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    phone.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    save = phone.locator("#save")
    phone.get_by_role("radio", name="Castellan won").check()
    places = []
    for how in ("Knock", "Gin", "Undercut", "Dead"):
        phone.get_by_role("radio", name=how).check()
        places.append(save.bounding_box())
    phone.get_by_role("radio", name="Gin").check()
    phone.get_by_role("radio", name="Points").check()
    phone.locator("[name=points-0]").fill("41")
    # Two lines of words in the key.
    expect(save).to_have_text("Castellan 41")
    places.append(save.bounding_box())
    assert places == [places[0]] * 5


def test_why_a_hand_is_not_saved_is_on_the_screen(phone: Page, live_server: Any, match: Match) -> None:
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    phone.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    said, save = phone.locator("#said"), phone.locator("#save")
    save.click()
    expect(said).to_have_text("Something is missing: who won, how, or a figure.")
    expect(said).to_be_in_viewport(ratio=1)
    phone.get_by_role("radio", name="Castellan won").check()
    phone.get_by_role("radio", name="Knock").check()
    phone.locator("[name=count0-0]").fill("30")
    phone.locator("[name=count1-0]").fill("12")
    expect(said).to_have_text("Castellan cannot knock with 12: the limit is 10.")
    phone.evaluate("scrollTo(0, 0)")
    save.click()
    expect(said).to_be_in_viewport(ratio=1)


def test_keys_are_at_hand_for_every_hand_of_a_deal(phone: Page, live_server: Any, match: Match) -> None:
    event = EventFactory.create(team_size=2, club=match.event.club, slug="teams")
    we, you = (EntryFactory.create(event=event, name=name) for name in ("We", "You"))
    teams = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=we, entry_b=you, table=1
    )
    secret = make_links(actor=OPERATOR, match=teams)[0][1]
    phone.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    save, hands = phone.locator("#save"), phone.locator(".hand")
    expect(hands).to_have_count(2)
    expect(save).to_be_in_viewport(ratio=1)
    hands.nth(0).get_by_role("radio", name="We 1 won").check()
    hands.nth(0).get_by_role("radio", name="Gin").check()
    for digit in "31":
        phone.locator(".keypad").get_by_role("button", name=digit, exact=True).click()
    # The first hand is told: the next one is shown from its top, above the keys.
    won = hands.nth(1).locator(".winner").nth(1)
    expect(won).to_be_in_viewport(ratio=1)
    expect(save).to_be_in_viewport(ratio=1)
    keys, choice = save.bounding_box(), won.bounding_box()
    assert keys is not None
    assert choice is not None
    assert choice["y"] + choice["height"] < keys["y"]


def test_results_of_games_stay_in_their_cells(phone: Page, live_server: Any, match: Match) -> None:
    assert match.sheet is not None
    rows = [("Bianchi", 100), ("Castellan", 99), *[("Bianchi", 70)] * 3]
    other = {"Bianchi": "Castellan", "Castellan": "Bianchi"}
    deals = [won(winner, other[winner], points) for winner, points in rows]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    phone.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    cells = phone.locator(".foot-result td")
    assert cells.all_inner_texts() == ["Bianchi +325", "Bianchi +166", "Bianchi +390"]
    # The words themselves, with a little air on both sides: the cell's own width says nothing of them. Found
    # and measured in one go: the page puts news in their place.
    air = phone.evaluate(
        """[...document.querySelectorAll(".foot-result td")].map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const [words, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
            return Math.min(words.left - box.left, box.right - words.right);
        })"""
    )
    assert min(air) >= 2


def test_names_on_the_page_of_a_round_are_whole(phone: Page, live_server: Any, match: Match) -> None:
    play(match, 40)
    phone.goto(live_server.url + reverse("round", args=["harbour", "league", match.round.number]))
    row = phone.locator(".match-row")
    expect(row).to_contain_text("playing")
    lines = row.locator(".side").evaluate_all(
        # The lead of who is ahead may stand below the name.
        "sides => sides.map((side) => { side.querySelector('.lead')?.remove();"
        "const range = document.createRange(); range.selectNodeContents(side);"
        "return new Set([...range.getClientRects()].map((one) => one.top)).size; })"
    )
    assert lines == [1, 1]
    assert row.evaluate("row => row.closest('.scroll').scrollWidth <= row.closest('.scroll').clientWidth")


def test_names_and_times_on_the_page_of_links_are_whole(
    phone: Page, live_server: Any, match: Match, client: Client
) -> None:
    client.force_login(UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))
    session = client.cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    make_links(actor=OPERATOR, match=match)
    TableLink.objects.filter(side=0).update(opened_at=timezone.now())
    phone.goto(live_server.url + reverse("match_links", args=["harbour", "league", match.code]))
    rows = phone.locator(".links-list > li")
    assert rows.count() == 2
    # Sides, and each time beside its word.
    lines = rows.locator(".side-of, .nowrap").evaluate_all(
        "parts => parts.map((part) => {"
        "const range = document.createRange(); range.selectNodeContents(part);"
        "return new Set([...range.getClientRects()].map((one) => one.top)).size; })"
    )
    assert lines == [1] * 5
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.locator(".links-list").evaluate("list => list.scrollWidth <= list.clientWidth")
