"""Invitations, accounts and one's own page in a browser: on the smallest phone and on a desk."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Club, Player, Role, ShownAs
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
)

pytestmark = [pytest.mark.browser, pytest.mark.looks]

PASSWORD = "a long way home 7"


@pytest.fixture
def club(transactional_db: None) -> Club:
    """A club with a player of a long name who has won a match and has no account."""
    club = ClubFactory.create(name="Harbour Gin Club", slug="harbour", is_public=False)
    ann = PlayerFactory.create(club=club, name="Anastasia Papadopoulou-Wolkenstein")
    event = EventFactory.create(club=club, name="Hollywood League", slug="league")
    entry = EntryFactory.create(event=event, name=ann.name, players=[ann])
    play(MatchFactory.create(event=event, entry_a=entry), 300, -40, 200)
    return club


def _fits(page: Page) -> None:
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert too_wide <= 0, page.url
    shots = os.environ.get("GIN_SHOTS")
    if shots:
        name = re.sub(r"[^a-z]+", "-", page.title().lower())
        page.screenshot(path=Path(shots) / f"{name}-{page.viewport_size}.png", full_page=True)


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_who_is_invited_becomes_the_player_and_chooses_how_to_be_shown(
    page: Page,
    live_server: LiveServer,
    client: Client,
    club: Club,
    complaints: list[str],
    width: int,
    scheme: Any,
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    client.force_login(UserFactory.create(username="owner", club=club, role=Role.OWNER))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(live_server.url + reverse("members", args=["harbour"]))
    _fits(page)
    page.get_by_label("Who is the player").select_option(label="Anastasia Papadopoulou-Wolkenstein")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator(".link-once code").inner_text()
    _fits(page)

    page.context.clear_cookies()
    page.goto(link)
    _fits(page)
    expect(page.get_by_text("You are Anastasia Papadopoulou-Wolkenstein on its sheets.")).to_be_visible()
    page.get_by_label("User name").fill("anastasia")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The password again").fill(PASSWORD)
    page.get_by_role("button", name="Accept the invitation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anastasia Papadopoulou-Wolkenstein")
    _fits(page)
    page.get_by_label("On public pages, show me by").select_option("initials")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("On public pages, show me by")).to_have_value("initials")
    player = Player.objects.get(user__username="anastasia")
    assert player.shown_as == ShownAs.INITIALS
    for name in ("password_change", "login"):
        page.goto(live_server.url + reverse(name))
        _fits(page)
    with page.expect_download() as got:
        page.goto(live_server.url + reverse("account"))
        page.get_by_role("link", name="All that is stored about me").click()
    assert got.value.suggested_filename == "my-data.json"
