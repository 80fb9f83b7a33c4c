"""The evening of a Swiss in a browser: who is here, the round paired, changed by hand, published, closed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Event, Match, Presence, PresenceState, Role, Round, RoundState
from tests.factories import ClubFactory, EntryFactory, EventFactory, UserFactory, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Abbott", "Bianchi", "Castell", "Duarte", "Eklund", "Fong", "Grün")


@pytest.fixture
def event() -> Event:
    event: Event = EventFactory.create(
        club=ClubFactory.create(name="Harbour", slug="harbour"),
        name="Saturday Swiss",
        slug="swiss",
        format="swiss",
        check_in=True,
        rounds_planned=4,
    )
    for seed, name in enumerate(NAMES, start=1):
        EntryFactory.create(event=event, name=name, seed=seed)
    return event


@pytest.fixture
def complaints(page: Page, client: Client, live_server: Any, event: Event) -> Iterator[list[str]]:
    """A director signed in; errors of the console and of the content security policy fail the test."""
    client.force_login(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.expose_function("reportViolation", lambda what: said.append(what))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
    )
    yield said
    assert said == []


def open_check_in(page: Page, live_server: Any, event: Event) -> None:
    page.goto(live_server.url + reverse("admin:league_event_change", args=[event.pk]))
    page.get_by_role("link", name="Who is here").click()
    expect(page.get_by_role("heading", name="Who is here in round 1")).to_be_visible()


def tap(page: Page, name: str) -> Any:
    """The large button that is named after an entry."""
    return page.get_by_role("button", name=re.compile(rf"^{name}"), pressed=None).and_(page.locator(".tap"))


def test_one_tap_says_who_is_here(page: Page, live_server: Any, event: Event, complaints: list[str]) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    open_check_in(page, live_server, event)
    counts = page.locator(".counts")
    expect(counts).to_contain_text("0 here")

    tap(page, "Castell").click()
    expect(counts).to_contain_text("1 here")
    expect(tap(page, "Castell")).to_have_attribute("aria-pressed", "true")
    # The keyboard stays where it was, so the next is one tab and a space away.
    expect(tap(page, "Castell")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(counts).to_contain_text("2 here")
    expect(tap(page, "Duarte")).to_have_attribute("aria-pressed", "true")
    tap(page, "Castell").click()
    expect(counts).to_contain_text("1 here")

    page.get_by_role("button", name="Fong: bye").click()
    expect(counts).to_contain_text("1 asked for a bye")
    page.get_by_role("button", name="The other 5 are here too").click()
    expect(counts).to_contain_text("6 here")
    known = Presence.objects.filter(event=event, round_number=1)
    assert known.filter(state=PresenceState.HERE).count() == 6
    assert known.get(state=PresenceState.BYE).entry.name == "Fong"
    # Everything to tap is large enough for a thumb, and nothing is wider than the phone.
    for button in page.locator("#check-in button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_byes_ahead_and_guests(page: Page, live_server: Any, event: Event, complaints: list[str]) -> None:
    open_check_in(page, live_server, event)
    page.get_by_label("Entry").select_option(label="Duarte")
    page.get_by_role("textbox", name="Rounds").fill("2, 4")
    page.get_by_role("button", name="Note the byes").click()
    expect(page.locator("#check-in")).to_contain_text("Duarte sits out: 2, 4.")
    page.get_by_role("listitem").filter(has_text="Duarte, round 4").get_by_role("button").click()
    expect(page.get_by_text("Duarte, round 4")).to_have_count(0)
    expect(page.get_by_text("Duarte, round 2")).to_be_visible()

    page.get_by_role("textbox", name="Name").fill("Visitor from Lund")
    page.get_by_role("button", name="Add the guest").click()
    expect(tap(page, "Visitor from Lund")).to_have_attribute("aria-pressed", "true")
    guest = event.entries.get(name="Visitor from Lund")
    assert (guest.is_guest, guest.first_round) == (True, 1)


def do(page: Page, act: str) -> None:
    """Presses an act, which shows what it does, and does it."""
    page.get_by_role("link", name=act, exact=True).click()
    page.get_by_role("button", name="Yes, do it").click()


def test_round_is_paired_changed_published_and_closed(
    page: Page, live_server: Any, event: Event, complaints: list[str]
) -> None:
    open_check_in(page, live_server, event)
    page.get_by_role("button", name="The other 7 are here too").click()
    expect(page.locator(".counts")).to_contain_text("7 here")
    page.get_by_role("link", name="Saturday Swiss").click()

    page.get_by_role("link", name="Pair the next round").click()
    page.get_by_role("button", name="Show the pairing").click()
    # Who deals first is a matter of lot.
    pair = page.get_by_role("row", name=re.compile("Abbott Duarte|Duarte Abbott"))
    expect(pair).to_contain_text("both are on 0; they have not met")
    expect(page.get_by_role("row", name="Grün bye")).to_contain_text("bye: lowest score without a free win")
    assert not Round.objects.exists()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_text("Round 1 is paired, and a draft until you publish it.")).to_be_visible()

    page.get_by_role("link", name="Swap two players").click()
    page.get_by_label("Entry").select_option(label="Grün")
    page.get_by_label("swaps places with").select_option(label="Fong")
    page.get_by_role("button", name="Show the change").click()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_role("row", name="Fong bye")).to_contain_text("changed by hand")

    do(page, "Publish it")
    expect(page.get_by_text("Round 1 is published.")).to_be_visible()
    expect(page.get_by_role("link", name="The night's tray")).to_be_visible()
    matches = list(Match.objects.filter(event=event).exclude(entry_b=None))
    for match in matches[:-1]:
        play(match, 50, stopped=True)
    page.get_by_role("link", name="Close the round").click()
    expect(page.get_by_text(re.compile("^1 result is missing: SS01-"))).to_be_visible()
    page.get_by_label("Why it is complete all the same").fill("They play on Monday")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_text("Round 1 is complete.")).to_be_visible()
    assert Round.objects.get().state == RoundState.COMPLETE
