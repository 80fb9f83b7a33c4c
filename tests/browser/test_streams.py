"""A page is told when to look again, and otherwise asks by itself."""

from pathlib import Path
from typing import Any

import pytest
from csp.constants import SELF
from django.contrib.auth import get_user_model
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import TableMatch
from games.pages import tables
from games.services import act
from tests.clients import logged_in
from tests.faults.streams import running_streams
from tests.games.member_tables import hand_in_play, member, table

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]


@pytest.mark.dear("starts the server of streams, and Chromium")
def test_page_shows_what_the_other_did_when_it_is_told_and_when_nobody_tells_it(
    page: Page, live_server: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # It would ask again long after the test.
    monkeypatch.setattr(tables, "_WHILE_WAITING", 6000)
    monkeypatch.setattr(tables, "_WHILE_TO_MOVE", 6000)
    players = member(), member()
    match = table(*players)
    first = hand_in_play(match).turn
    client = logged_in(get_user_model().objects.get(pk=players[1 - first].id))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))

    def passes(seat: int) -> None:
        version = TableMatch.objects.get(pk=match.pk).version
        act(actor=players[seat], match=match, seat=seat, version=version, action="pass", key=f"k{seat}")

    with running_streams(tmp_path) as (address, _process):
        settings.STREAMS_URL = address
        settings.CONTENT_SECURITY_POLICY = {
            "DIRECTIVES": {"default-src": [SELF], "connect-src": [SELF, address]}
        }
        page.goto(live_server.url + reverse("play_table", args=[match.code]))
        expect(page.locator("#table")).to_have_attribute("data-turn", "")
        passes(first)
        expect(page.locator("#table")).to_have_attribute("data-turn", "own")
        assert said == []
    # Where nobody tells it, it asks by itself.
    monkeypatch.setattr(tables, "_WHILE_TO_MOVE", 1)
    page.reload()
    passes(1 - first)
    expect(page.locator("#table")).to_have_attribute("data-turn", "")
