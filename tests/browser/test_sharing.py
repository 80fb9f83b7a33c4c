"""The button "Share": it copies the page's address where no other program can be chosen."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import EventState
from tests.factories import ClubFactory, EventFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.looks]


def test_the_address_is_copied(page: Page, live_server: Any, complaints: list[str]) -> None:
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league", state=EventState.OPEN)
    address = live_server.url + reverse("event", args=[event.club.slug, event.slug])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}?from=elsewhere")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == address
