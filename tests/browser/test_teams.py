"""A captain and a partner on their telephones: in few taps the pair is entered, and nothing is too wide."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from league.models import Event, EventState, Role
from tests.clients import logged_in
from tests.factories import ClubFactory, EventFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)

WIDE = "document.documentElement.scrollWidth > innerWidth"
# What is touched, and is lower than a finger wants it.
LOW = "[...document.querySelectorAll('main button')].some((one) => one.getBoundingClientRect().height < 44)"


@pytest.fixture
def event(transactional_db: None) -> Event:
    club = ClubFactory.create(slug="harbour")
    made: Event = EventFactory.create(
        club=club, slug="pairs", state=EventState.OPEN, format="swiss", team_size=2, places=4
    )
    for name in ("Annalena van Dyk-Hohenstein", "Bob Dahl"):
        username = name.partition(" ")[0].lower()
        user = UserFactory.create(club=club, role=Role.MEMBER, username=username, is_staff=False)
        PlayerFactory.create(club=club, name=name, user=user)
    return made


def telephone(browser: Browser, live_server: Any, username: str) -> Page:
    client = logged_in(User.objects.get(username=username))
    context = browser.new_context(viewport={"width": 320, "height": 640}, base_url=live_server.url)
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return context.new_page()


def check_fits(page: Page) -> None:
    assert not page.evaluate(WIDE)
    assert not page.evaluate(LOW)


def test_pair_is_entered_by_two_telephones(browser: Browser, live_server: Any, event: Event) -> None:
    captain = telephone(browser, live_server, "annalena")
    captain.goto("/clubs/harbour/events/pairs/enter/")
    check_fits(captain)
    captain.get_by_label("Name of the team").fill("The Gentle Knockers of the Old Library")
    captain.get_by_role("button", name="Enter a team").click()
    captain.get_by_role("searchbox").fill("dah")
    captain.get_by_role("button", name="Find").click()
    captain.get_by_role("button", name="Invite Bob Dahl").click()
    expect(captain.get_by_text("has not answered yet")).to_be_visible()
    check_fits(captain)
    partner = telephone(browser, live_server, "bob")
    partner.goto("/clubs/harbour/me/")
    check_fits(partner)
    partner.get_by_role("button", name="Accept").click()
    expect(partner.get_by_text("Your team is entered.")).to_be_visible()
    check_fits(partner)
    assert [entry.name for entry in event.entries.all()] == ["The Gentle Knockers of the Old Library"]
    for page in (captain, partner):
        page.context.close()
