"""A scorekeeper signed in at a browser, with two sheets to type."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.keeper import Keeper
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, UserFactory

# A machine may be busy with other tests; a page that has saved tries again after up to 8 s.
expect.set_options(timeout=20_000)


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
def complaints(page: Page) -> Iterator[list[str]]:
    """What the browser's console says, which should be nothing; refusals of the CSP stand there too."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        heard.append(f"{message.type}: {message.text}")

    page.on("console", listen)
    yield heard
    assert heard == []
