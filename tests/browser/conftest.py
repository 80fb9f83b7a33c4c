"""A scorekeeper signed in at a browser, with two sheets to type."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from league.matches.table_links import make_links
from league.models import Match
from tests.browser.keeper import Keeper
from tests.browser.telephone import Sit, Telephone
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
)


@pytest.fixture
def keeper(page: Page, client: Client, live_server: Any) -> Iterator[Keeper]:
    """Signed in, with a round of two matches. Console errors and CSP violations fail the test."""
    event = EventFactory.create(club=ClubFactory.create(name="Harbour", slug="harbour"), slug="league")
    round_ = RoundFactory.create(event=event)
    names = [("Eklund", "Castell"), ("Abbott", "Quispe")]
    entries = [[EntryFactory.create(event=event, name=name) for name in pair] for pair in names]
    matches = [MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b) for a, b in entries]
    user = UserFactory.create(club=event.club, username="bea")
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    keeper = Keeper(page, live_server.url, matches[0], matches[1], user)
    keeper.guard()
    page.on("console", lambda said: keeper.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: keeper.complaints.append(str(error)))
    page.expose_function("reportViolation", lambda what: keeper.complaints.append(what))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
    )
    yield keeper
    complaints = keeper.complaints
    if keeper.lost:
        expected = re.compile(
            r"ERR_(FAILED|INTERNET_DISCONNECTED)|status of 401|^htmx:(afterRequest|sendError)"
        )
        complaints = [one for one in complaints if not expected.search(one)]
    assert complaints == []


@pytest.fixture
def sit(browser: Browser, live_server: Any, match: Match) -> Iterator[Sit]:
    """Opens a side's link at a telephone of its own; errors of consoles and of the CSP fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_link(side: int, *, of: Match | None = None, width: int = 320, **options: Any) -> Telephone:
        secret = make_links(actor=OPERATOR, match=of or match)[side][1]
        context = browser.new_context(viewport={"width": width, "height": 700}, **options)
        contexts.append(context)
        address = live_server.url + reverse("phone:table_open", args=[secret])
        return Telephone(context.new_page(), address, complaints)

    yield open_link
    for context in contexts:
        context.close()
    expected = re.compile(
        r"ERR_(FAILED|INTERNET_DISCONNECTED)|status of (404|409|422|503)|service worker|fetching the script",
        re.IGNORECASE,
    )
    assert [one for one in complaints if not expected.search(one)] == []


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the browser's console says, which should be nothing; refusals of the CSP stand there too."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        heard.append(f"{message.type}: {message.text}")

    page.on("console", listen)
    yield heard
    assert heard == []
