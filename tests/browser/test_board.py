"""The director's board in a browser: it follows the tables, and what has to be decided is a press away."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Club, CountsWhen, Match, RoundState
from scoring.models import Scoresheet, SheetStatus
from scoring.services.claims import open_claims, record_at_table
from scoring.services.records import kept_sheet
from tests.browser.director import Director, director_at
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, play, won

pytestmark = pytest.mark.django_db(transaction=True)

# Width, colour scheme.
PHONE, DESK = (320, "dark"), (1280, "light")


def sheet_of(match: Match) -> Scoresheet:
    assert match.sheet is not None
    match.sheet.refresh_from_db()
    return match.sheet


def act(director: Director, link: str, title: str) -> None:
    director.page.locator("#board").get_by_role("link", name=link).click()
    expect(director.page.locator("h1")).to_have_text(title)


def at(director: Director, place: tuple[int, Any]) -> None:
    """Sits down at a phone or at a desk, in its light: nothing is wider than the screen."""
    width, scheme = place
    director.page.set_viewport_size({"width": width, "height": 800})
    director.page.emulate_media(color_scheme=scheme)
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert director.page.evaluate(too_wide) <= 0


def test_a_night_at_the_board(page: Page, client: Client, live_server: Any) -> None:
    """The first half on the director's phone, the second at his desk."""
    with director_at(page, client, live_server.url, []) as director:
        event = EventFactory.create(
            club=Club.objects.get(), name="Winter", slug="winter", counts_when=CountsWhen.BOTH_SIGNATURES
        )
        round_ = RoundFactory.create(event=event)
        for pair in (
            ("Bartholomew Featherstonehaugh", "Wilhelmina Cholmondeley"),
            ("Cid", "Dan"),
        ):
            first, second = (EntryFactory.create(event=event, name=name) for name in pair)
            MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second)
        long, short = round_.matches.order_by("table")
        play(short, 40)
        address = live_server.url + reverse("round_board", args=["harbour", "winter", round_.number])
        page.goto(address)
        tables = page.locator(".board-table")
        expect(tables).to_have_count(2)
        expect(tables.nth(0)).to_contain_text("not begun")
        at(director, DESK)
        at(director, PHONE)

        # A deal recorded meanwhile, and one entered in two ways: the page says so by itself.
        play(long, 40, 30)
        record_at_table(actor=OPERATOR, sheet=sheet_of(short), number=1, deal=won("Dan", "Cid", 9), key="b")
        expect(tables.nth(0)).to_contain_text("2 deals")
        expect(tables.nth(1)).to_contain_text("1 deal entered in two ways")
        expect(page.locator(".board-counts")).to_contain_text("1 entered in two ways")
        at(director, DESK)
        at(director, PHONE)

        act(director, "Decide between the versions", "Decide between two versions")
        page.get_by_label(re.compile("Dan 9")).check()
        page.get_by_label(re.compile("takes the place of what stands")).check()
        page.get_by_label(re.compile("^Reason")).fill("Both say so.")
        page.locator(".submit-row input[type=submit]").click()
        expect(page).to_have_url(address)
        expect(tables.nth(1)).not_to_contain_text("two ways")
        assert (sheet_of(short).version, open_claims(sheet_of(short)).count()) == (2, 0)
        assert kept_sheet(sheet_of(short)).deals == [won("Dan", "Cid", 9)]

        at(director, DESK)
        act(director, "Call time for all tables", "Call time")
        director.go_on()
        page.get_by_role("button", name="Yes, do it").click()
        expect(page).to_have_url(address)
        expect(page.get_by_role("status")).to_have_text("Time is called: 2 sheets have stopped.")
        expect(page.locator("#board")).to_contain_text("Time was called at")
        expect(tables.nth(0)).to_contain_text("it waits for both signatures")
        assert {sheet_of(match).status for match in (long, short)} == {SheetStatus.STOPPED}

        act(director, "Close the round", "Close the round")
        page.get_by_label(re.compile("^Reason|^Why")).fill("They have gone home.")
        director.go_on()
        page.get_by_role("button", name="Yes, do it").click()
        expect(page).to_have_url(address)
        expect(page.get_by_role("status")).to_have_text("Round 1 is complete.")
        round_.refresh_from_db()
        assert (round_.state, round_.closed_reason) == (RoundState.COMPLETE, "They have gone home.")
        expect(page.locator("#board")).to_contain_text("The round is closed. They have gone home.")
