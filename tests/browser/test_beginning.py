"""A secretary begins a club at a real browser, from an empty site to the table of three typed sheets.

Pages are counted by the browser, clicks and keys by the hands; the counts stand in the summary of the run.
The worker, which runs beside the site, does its work in between.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from league.models import Club, Event, Match, Membership, Player, Role
from league.people.beginning import new_code
from league.tasks import recalculate_standings
from tests.tasks import run_tasks

pytestmark = [pytest.mark.django_db(transaction=True)]

SIX = """Eklund, Anna; 17; anna@example.org
Castell, Bo; 4
Dora Diaz

Finn Abbott; 23
Quispe, Gil
Hana Ito
"""
# A sheet to the end of three games of a hundred, and one hand more where that is not enough.
ROWS = ["a60g", "a58g", "b12", "a40", "a62"]


@dataclass
class Secretary:
    """Somebody at a browser; what is asked of the hands is counted."""

    page: Page
    pages: int = 0
    clicks: int = 0
    keys: int = 0
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        page = self.page
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("domcontentloaded", self._count_page)

    def click(self, place: Locator) -> None:
        place.click()
        self.clicks += 1

    def press(self, name: str) -> None:
        """A button or a link, by what stands on it."""
        either = self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name))
        self.click(either.first)

    def type(self, label: str, text: str) -> None:
        """Goes to a field with a click, and types."""
        self.click(self.page.get_by_label(label, exact=True))
        self.write(text)

    def next_field(self, text: str) -> None:
        self.strike("Tab")
        self.write(text)

    def write(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def strike(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def paste(self, text: str) -> None:
        self.page.keyboard.insert_text(text)
        self.keys += 1

    def is_at(self, title: str) -> None:
        expect(self.page.locator("h1")).to_have_text(title)

    def counted(self) -> str:
        # The last page is counted once it is there as a whole.
        self.page.wait_for_load_state()
        return f"{self.pages} pages, {self.clicks} clicks, {self.keys} keys"

    def _count_page(self, _page: Page) -> None:
        self.pages += 1


@pytest.fixture
def secretary(page: Page) -> Iterator[Secretary]:
    one = Secretary(page)
    one.listen()
    yield one
    assert one.complaints == []


@pytest.mark.dear("a browser from the first page to the table")
def test_a_club_begins_and_has_its_table(
    secretary: Secretary, live_server: Any, record_property: Callable[[str, object], None]
) -> None:
    page = secretary.page
    page.goto(f"{live_server.url}/begin/{new_code()}/")
    secretary.is_at("Begin your club")
    secretary.type("Name of the club", "Quayside")
    secretary.next_field("The Boathouse")
    assert page.get_by_label("Time zone").input_value() == page.evaluate(
        "Intl.DateTimeFormat().resolvedOptions().timeZone"
    )
    secretary.type("Your name", "Bea Berg")
    secretary.next_field("bea")
    secretary.next_field("a rather long secret")
    secretary.next_field("a rather long secret")
    secretary.press("Begin this club")
    secretary.is_at("House rules")
    expect(page.get_by_text("Step 2 of 6")).to_be_visible()
    secretary.press("Play by these rules")
    secretary.is_at("Members")
    secretary.click(page.get_by_label("Names, one per line"))
    secretary.paste(SIX)
    secretary.press("Check this list")
    expect(page.get_by_text("6 new members.")).to_be_visible()
    expect(page.get_by_role("row", name="Anna Eklund 17 anna@example.org")).to_be_visible()
    secretary.press("Add 6 members")
    secretary.is_at("First event")
    secretary.press("Create this event")
    secretary.is_at("Draw")
    expect(page.get_by_text("Round 5", exact=True)).to_be_visible()
    secretary.press("Draw these rounds")
    secretary.is_at("Print")
    with page.expect_download() as loading:
        page.get_by_role("link", name="Blank sheets as PDF").click(modifiers=["Alt"])
    assert Path(loading.value.path()).read_bytes().startswith(b"%PDF")
    secretary.clicks += 1
    # The paper is a page too.
    secretary.pages += 1
    record_property("measured", f"to the printed sheets {secretary.counted()}")
    assert secretary.pages <= 12
    assert secretary.clicks <= 25

    club = Club.objects.get()
    assert (club.name, club.place, club.slug) == ("Quayside", "The Boathouse", "quayside")
    assert Membership.objects.get(club=club).role == Role.OWNER
    assert Membership.objects.get(club=club).user.is_superuser
    numbers = dict(Player.objects.values_list("name", "member_number"))
    assert numbers["Anna Eklund"] == "17"
    assert numbers["Dora Diaz"] is None
    event = Event.objects.get()
    assert event.rounds.count() == 5

    secretary.press("Finish and type in the sheets")
    for match in Match.objects.filter(round__number=1).order_by("table"):
        _type_sheet(secretary, match)
    assert run_tasks(recalculate_standings) > 0
    secretary.press("back to the tray")
    secretary.press("Standings")
    secretary.is_at("First league")
    # Everybody on the left won the one match of the first round.
    won = page.get_by_role("row").filter(has_text="1–0–0")
    expect(won).to_have_count(3)
    expect(won.filter(has_text="Anna Eklund")).to_have_count(1)
    record_property("measured", f"to the table with three sheets {secretary.counted()}")
    assert secretary.pages <= 18
    assert secretary.clicks <= 35
    assert not Club.objects.get().is_guided


def _type_sheet(secretary: Secretary, match: Match) -> None:
    """From the tray, or from the sheet before, to this one, and types it."""
    page = secretary.page
    secretary.click(page.locator("#next"))
    page.wait_for_url(re.compile(match.code))
    expect(page.locator("#save")).to_be_enabled()
    for row in ROWS:
        secretary.write(row)
        secretary.strike("Enter")
    secretary.strike("Control+s")
    expect(page.locator("body")).to_contain_text(f"{match.label} is saved.")
    expect(page.locator("#save")).to_be_enabled()


@pytest.mark.looks
@pytest.mark.parametrize("width", [320, 390])
def test_names_are_read_and_chosen_in_one_piece(
    page: Page, client: Client, live_server: Any, width: int
) -> None:
    """The pasted list needs no scrolling to the side; a long name stands beside its box, not below."""
    form = {"club": "Quayside", "time_zone": "UTC", "name": "Bea", "username": "bea"}
    form |= {"password": "a rather long secret", "again": "a rather long secret"}
    client.post(f"/begin/{new_code()}/", form)
    at = "/clubs/quayside/begin"
    client.post(f"{at}/rules/", {"preset": "standard", "columns": 3})
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{live_server.url}{at}/members/")
    names = f"Bartholomew Featherstonehaugh-Papadopoulou; 1234; {'bart' * 9}@harbour.example\nAnn"
    page.get_by_label("Names, one per line").fill(names)
    page.get_by_role("button", name="Check this list").click()
    row = page.get_by_role("rowheader", name="Bartholomew")
    lines = """cell => {
      const text = cell.firstChild;
      return [...text.textContent.matchAll(/\\p{L}+/gu)].map((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length;
      });
    }"""
    assert row.evaluate(lines) == [1, 1, 1]
    scroll = page.locator(".scroll")
    assert scroll.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.get_by_role("button", name="Add 2 members").click()
    expect(page.locator("h1")).to_have_text("First event")
    label = page.locator("label", has_text="Bartholomew")
    tick = label.locator("input").bounding_box()
    assert tick is not None
    left = """label => {
      const range = document.createRange();
      range.selectNodeContents(label.lastChild);
      return Math.min(...[...range.getClientRects()].map((line) => line.left));
    }"""
    assert label.evaluate(left) >= tick["x"] + tick["width"]
    # Back at what was the answer to a form.
    page.go_back()
    expect(page.get_by_text("2 new members.")).to_be_visible()
