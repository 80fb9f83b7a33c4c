"""The API's page works under the site's strict content security policy."""

import pytest
from django.test import Client
from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer


@pytest.mark.looks
def test_api_page_shows_the_operations_as_dark_as_the_device_and_without_a_complaint(
    page: Page, live_server: LiveServer
) -> None:
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # It takes a processor seconds, and a busy one many.
    page.set_default_timeout(120_000)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{live_server.url}/api/v1/docs/")
    page.locator("#operations-tag-score").click()
    expect(page.get_by_text("/api/v1/score/")).to_be_visible()
    assert _lightness(page) < 64
    page.emulate_media(color_scheme="light")
    expect(page.locator("html.dark-mode")).to_have_count(0)
    assert _lightness(page) > 192
    assert complaints == []


@pytest.mark.django_db
def test_schema_is_valid_and_names_the_score_endpoint(client: Client) -> None:
    answer = client.get("/api/v1/schema/?format=json")
    assert answer.status_code == 200
    assert "/api/v1/score/" in answer.json()["paths"]


def _lightness(page: Page) -> int:
    """The lightest channel of what lies behind the whole page: 0–255, white where nothing is painted."""
    paint = "getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)"
    red, green, blue, *alpha = page.evaluate(paint)
    return 255 if alpha == [0] else max(red, green, blue)
