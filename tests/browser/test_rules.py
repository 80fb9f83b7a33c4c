"""House rules in a browser: made with their meaning beside every knob, and the rule sheet on a phone."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.events.house_rules import make_club_rules
from league.models import Club, ClubRules, Role
from scoring.core.rules import Rules
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, UserFactory

pytestmark = [pytest.mark.browser]


@pytest.fixture
def club(transactional_db: None) -> Club:
    return ClubFactory.create(name="Harbour Gin Club", slug="harbour")


@pytest.fixture
def own_rules(club: Club) -> ClubRules:
    """Rules with long names and much that differs, on a sheet with three games."""
    rules = Rules.preset(
        "oklahoma",
        columns=3,
        gin_bonus=20,
        shutout="double_total",
        stock_end="fiftieth_card",
        extra_boxes={"gin": 1, "gin_off": 2},
    )
    name = "Donaudampfschifffahrtsgesellschaftskapitänsrunde"
    return make_club_rules(actor=OPERATOR, club=club, name=name, rules=rules)


@pytest.fixture
def director(page: Page, live_server: LiveServer, club: Club) -> Page:
    """The browser of a director who is signed in."""
    page.context.add_cookies([{"name": "sessionid", "value": _session(club), "url": live_server.url}])
    return page


def _session(club: Club) -> str:
    client = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    return client.cookies["sessionid"].value


@pytest.mark.looks
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_rules_fit_and_nothing_is_refused(
    director: Page,
    live_server: LiveServer,
    own_rules: ClubRules,
    complaints: list[str],
    width: int,
    scheme: Any,
) -> None:
    director.set_viewport_size({"width": width, "height": 800})
    director.emulate_media(color_scheme=scheme)
    code = own_rules.rules.code
    for address in (
        reverse("club_rules", args=["harbour"]),
        reverse("rules", args=[code]),
        reverse("new_rules", args=["harbour"]),
        reverse("change_rules", args=["harbour", code]),
        reverse("copy_rules", args=[code, 1]),
    ):
        director.goto(f"{live_server.url}{address}")
        too_wide = director.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert too_wide <= 0, address
    director.goto(f"{live_server.url}{reverse('rules', args=[code])}")
    drawn = director.locator("img.qr").evaluate("image => image.complete && image.naturalWidth > 0")
    assert drawn


def test_knobs_say_what_they_mean_while_they_are_turned(
    director: Page, live_server: LiveServer, club: Club, complaints: list[str]
) -> None:
    director.goto(f"{live_server.url}{reverse('new_rules', args=['harbour'])}?preset=tournament")
    said = director.locator("#said-gin_bonus")
    short = director.locator("#rules-words")
    expect(said).to_contain_text("and 25 more")
    expect(short).to_contain_text("Nothing: all as in the preset.")

    director.get_by_label("Gin", exact=True).fill("20")
    expect(said).to_contain_text("and 20 more")
    expect(said).to_contain_text("Tournament: 25")
    expect(short).to_contain_text("Bonuses: gin 20, undercut 25.")
    # The knob that was turned keeps the focus, so that one can go on typing.
    expect(director.get_by_label("Gin", exact=True)).to_be_focused()

    director.get_by_label("Equal counts are an undercut").uncheck()
    expect(short).to_contain_text("Equal counts are a dead hand.")
    director.get_by_label("Target", exact=True).fill("")
    expect(director.locator("#said-target")).to_contain_text("This field is required.")
    director.get_by_label("Target", exact=True).fill("150")
    expect(director.locator("#said-target")).to_contain_text(
        "Whoever first reaches 150 points wins the game."
    )

    director.get_by_label("Name", exact=True).fill("Wednesday rules")
    director.get_by_role("button", name="Make these rules").click()
    expect(director.locator("h1")).to_have_text("Wednesday rules")
    own = ClubRules.objects.get(club=club)
    expected = Rules.preset("tournament", gin_bonus=20, undercut_on_tie=False, target=150, team_target=125)
    assert own.rules.rules == expected


def test_knobs_say_what_they_mean_without_a_script(
    browser: Browser, live_server: LiveServer, club: Club
) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([{"name": "sessionid", "value": _session(club), "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}{reverse('new_rules', args=['harbour'])}")
    page.get_by_label("Undercut", exact=True).fill("10")
    page.get_by_role("button", name="Show what they mean").click()
    expect(page.locator("#said-undercut_bonus")).to_contain_text("and 10 more")
    expect(page.get_by_label("Undercut", exact=True)).to_have_value("10")
    assert not ClubRules.objects.exists()
    context.close()


def test_a_rule_sheet_is_open_at_the_table_without_an_account(
    page: Page, live_server: LiveServer, own_rules: ClubRules, complaints: list[str]
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{live_server.url}/r/{own_rules.rules.code}/")
    expect(page.get_by_role("heading", name="These are not rules here")).to_be_visible()
    expect(page.locator(".address")).to_have_text(f"{live_server.url}/r/{own_rules.rules.code}/")
    expect(page.get_by_text("With the ace of hearts turned up")).to_be_visible()
    expect(page.get_by_text("Copy into your club")).to_have_count(0)
