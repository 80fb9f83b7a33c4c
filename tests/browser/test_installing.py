"""The pages as an application: what a browser installs, what is pushed to it, and what it shows offline."""

import json
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from league.models import Player
from league.notices.push import PushMessage
from tests.factories import ClubFactory, PlayerFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]


# A headless browser shows no notifications: what it is asked to show is noted in their place.
NOTES = """() => {
  self.shown = [];
  registration.showNotification = async (title, options) => { shown.push({ title, ...options }); };
}"""
SHOWN = """async () => {
  while (!shown.length) await new Promise((later) => setTimeout(later, 10));
  return shown;
}"""


@pytest.fixture
def ann(live_server: Any, client: Client, page: Page) -> Player:
    """A member with a player, signed in."""
    club = ClubFactory.create(name="Harbour", slug="harbour", is_public=False)
    user = UserFactory.create(username="ann", club=club)
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return PlayerFactory.create(club=club, name="Ann", user=user)


def test_browser_installs_the_pages_shows_what_is_pushed_and_keeps_no_page(
    page: Page, live_server: Any, ann: Player
) -> None:
    devices = page.context.new_cdp_session(page)
    found: dict[str, str] = {}
    devices.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.update({one["scopeURL"]: one["registrationId"] for one in told["registrations"]}),
    )
    devices.send("ServiceWorker.enable")
    own_club = f"{live_server.url}/clubs/harbour/me/"
    page.goto(own_club)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")

    manifest = devices.send("Page.getAppManifest")
    assert manifest["errors"] == []
    told = json.loads(manifest["data"])
    assert (told["name"], told["start_url"], told["display"]) == (
        "Harbour",
        "/clubs/harbour/me/",
        "standalone",
    )
    assert devices.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    for icon in told["icons"]:
        sizes = page.evaluate(
            "async (src) => { const image = new Image(); image.src = src; await image.decode();"
            " return `${image.naturalWidth}x${image.naturalHeight}`; }",
            icon["src"],
        )
        assert sizes == icon["sizes"]

    (worker,) = page.context.service_workers
    worker.evaluate(NOTES)
    devices.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": live_server.url,
            "registrationId": found[f"{live_server.url}/"],
            "data": PushMessage("Winter, round 1", "Harbour", "/clubs/harbour/", "a1").as_json().decode(),
        },
    )
    (shown,) = worker.evaluate(SHOWN)
    assert shown == {
        "title": "Winter, round 1",
        "body": "Harbour",
        "tag": "a1",
        "icon": "/icons/192.png",
        "data": {"path": "/clubs/harbour/"},
    }

    page.evaluate("localStorage.setItem('gin-table:abcdefghij:1', JSON.stringify([{}, {}]))")
    page.context.set_offline(True)
    page.goto(own_club)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("link", name="2 entries")).to_have_attribute("href", "/table/abcdefghij/1/")
    assert "Ann" not in page.content()
    assert page.evaluate("caches.keys().then((names) => names.length)") == 1
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
