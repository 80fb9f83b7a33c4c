"""Pages that follow by themselves: news appears, and what the reader did to the page stays."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Response, expect

from league.models import Event, EventState, Match
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    drawn_match,
    play,
    won,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr("league.pages.events.FOLLOWS_EVERY", 1)
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"), slug="league", state=EventState.RUNNING
    )
    drawn = drawn_match(event, "Eklund", "Castell", table=5)
    play(drawn, 30)
    return drawn


@pytest.mark.dear("a page is watched for some seconds")
def test_an_open_page_follows_and_leaves_the_reader_in_peace(
    page: Page, live_server: Any, match: Match, complaints: list[str]
) -> None:
    address = live_server.url + reverse("match", args=["harbour", "league", match.code])
    page.set_viewport_size({"width": 390, "height": 300})
    page.goto(address)
    rows = page.locator(".sheet-table tbody tr.deal")
    expect(rows).to_have_count(1)
    first = rows.first.element_handle()

    def is_look(answer: Response) -> bool:
        return answer.url == address and "hx-request" in answer.request.headers

    # Nothing is new: nothing is put in place of what stands there, and from the second look on a 304 says so.
    with page.expect_response(is_look):
        pass
    with page.expect_response(is_look) as unchanged:
        pass
    assert unchanged.value.status == 304
    assert first.evaluate("(row) => row.isConnected")

    page.locator(".sheet-scroll").focus()
    page.evaluate("scrollTo(0, 240)")
    assert match.sheet is not None
    match.sheet.refresh_from_db()
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Castell", "Eklund", 25)])
    expect(rows).to_have_count(2)
    assert page.evaluate("scrollY") == 240
    assert page.evaluate("document.activeElement.className") == "sheet-scroll"

    # A field in use is not taken from under the fingers.
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=note>');"
        "document.getElementById('note').focus()"
    )
    # A look that was under way is over before it is tried whether another one begins.
    expect(page.locator("main")).not_to_have_class(re.compile("htmx-request"))
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Castell", "Eklund", 26)])
    # Seen again, the page looks at once; while it looks already, by its clock, it would do so afterwards.
    looks_at_once = """async () => {
        while (document.querySelector("main.htmx-request")) await new Promise(requestAnimationFrame);
        let looks = false;
        const note = () => { looks = true; };
        document.addEventListener("htmx:beforeRequest", note);
        document.dispatchEvent(new Event("visibilitychange"));
        document.removeEventListener("htmx:beforeRequest", note);
        return looks;
    }"""
    assert not page.evaluate(looks_at_once)
    expect(rows).to_have_count(2)
    page.evaluate("document.getElementById('note').blur()")
    assert page.evaluate(looks_at_once)
    expect(rows).to_have_count(3)

    # The event is over: the page says so and asks no more.
    Event.objects.update(state=EventState.FINISHED)
    match.event.refresh_from_db()
    expect(page.locator("[data-follow]")).to_have_count(0)
