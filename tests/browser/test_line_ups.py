"""A captain hands in who plays for his team, on his telephone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from league.events.evenings import begin_evening
from tests.browser.test_match_looks import TOUCHING, as_reader
from tests.browser.test_teams import WIDE, check_fits
from tests.factories import OPERATOR, ClubFactory
from tests.league.evenings.test_evening_reserves import Reserves

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.usefixtures("complaints")
def test_captain_hands_in_a_line_up_and_changes_it_until_the_other_is_in(
    page: Page, live_server: Any
) -> None:
    """In the break before the first round; then both are seen, and he may not any more."""
    club = ClubFactory.create(name="Harbour", slug="harbour")
    night = Reserves(club, ("Annalena", "Bob"))
    begin_evening(actor=OPERATOR, event=night.event)
    as_reader(page, night.players["Annalena"], live_server).set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{live_server.url}/clubs/harbour/events/friday/")
    page.get_by_role("link", name="To your match").click()
    expect(page.get_by_text("Name who plays for your team in this round.")).to_be_visible()
    for first, second in (("Annalena3", "Annalena2"), ("Annalena", "Annalena3")):
        page.get_by_role("link", name="Line-up").click()
        page.get_by_label("Seat 1").select_option(label=first)
        page.get_by_label("Seat 2").select_option(label=second)
        check_fits(page)
        page.get_by_role("button", name="Hand it in").click()
        expect(page.get_by_text(f"Annalena: {first}, {second}")).to_be_visible()
        expect(page.get_by_text("You may still change the line-up of your team.")).to_be_visible()
        assert page.evaluate(TOUCHING) == []
        assert not page.evaluate(WIDE)
    assert night.line_up("Annalena", 1) == []
    night.hand_in("Bob", 1, "Bob3", "Bob")
    page.reload()
    expect(page.get_by_text("Bob3").first).to_be_visible()
    expect(page.get_by_role("link", name="Line-up")).to_have_count(0)
    assert night.line_up("Annalena", 1) == ["Annalena", "Annalena3"]
