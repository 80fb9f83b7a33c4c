"""A director at a real browser, who takes an event through the administration from its form to its end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.draws.recalculating import recalculate
from league.models import UNFINISHED, Event, Match, Role, Round
from tests.factories import ClubFactory, PlayerFactory, UserFactory, house_rules, play


@dataclass
class Director:
    """Signed in as a director; the club has players, and one set of house rules: one game of a hundred."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def new_event(self, name: str, event_format: str, **settings: str) -> Event:
        """Fills the form of a new event; what is not of its format is not on it."""
        self.page.goto(self.url + reverse("admin:league_event_add"))
        self.page.get_by_label("Name:").fill(name)
        self.page.get_by_label("Format:").select_option(label=event_format)
        for section in self.page.locator("fieldset.module > details > summary").all():
            section.click()
        for label, value in settings.items():
            self.page.get_by_label(f"{label}:", exact=True).fill(value)
        self.page.get_by_role("button", name="Save and continue editing").click()
        event = Event.objects.get(name=name)
        self.says("A draft with 0 entries")
        return event

    def open(self, row: Any) -> None:
        """The page of a row in the admin."""
        name = f"admin:league_{row._meta.model_name}_change"
        self.page.goto(self.url + reverse(name, args=[row.pk]))

    def act(self, title: str) -> None:
        """Opens an act from the page of its row."""
        self.page.locator(".acts, .next-step").get_by_role("link", name=title, exact=True).click()
        expect(self.page.locator("h1")).to_have_text(title)

    def go_on(self) -> None:
        """From the form of an act, if it asks anything, to what it will do."""
        button = self.page.locator(".submit-row input[type=submit]")
        if button.get_attribute("name") != "_confirm":
            button.click()
        expect(self.page.get_by_role("button", name="Yes, do it")).to_be_visible()

    def confirm(self) -> None:
        """Does what is shown."""
        self.page.get_by_role("button", name="Yes, do it").click()
        expect(self.page.locator(".messagelist .success")).to_be_visible()

    def do(self, title: str) -> None:
        """An act without anything to fill in, as it is shown, done."""
        self.act(title)
        self.go_on()
        self.confirm()

    def enter(self, *names: str) -> None:
        """Enters players from the event's page."""
        self.act("Enter players")
        for name in names:
            self.page.get_by_label(name, exact=True).check()
        self.go_on()
        self.says(", ".join(sorted(names)))
        self.confirm()

    def pair(self, event: Event) -> Round:
        """Pairs the next round and publishes it, by way of the event's page."""
        self.open(event)
        self.do("Pair the next round")
        self.publish()
        return event.rounds.get(number=event.rounds.count())

    def publish(self) -> None:
        """Publishes the drafted round whose page this is."""
        self.do("Publish it")
        self.says("is published")

    def type_sheet(self, match: Match, *rows: str) -> None:
        """Types a sheet row by row where the scorekeepers do, and saves it."""
        self.page.goto(self.url + reverse("entry:sheet", args=[match.code]))
        expect(self.page.locator("#save")).to_be_enabled()
        for row in rows:
            self.page.keyboard.type(row)
            self.page.keyboard.press("Enter")
        with self.page.expect_navigation():
            self.page.keyboard.press("Control+s")
        expect(self.page.locator("#save")).to_be_enabled()
        self.says(f"{match.label} is saved.")

    def says(self, text: str) -> None:
        """The page says this somewhere."""
        expect(self.page.locator("body")).to_contain_text(text)


@contextmanager
def director_at(page: Page, client: Client, url: str, names: Sequence[str]) -> Iterator[Director]:
    """Signs a director in; anything the browser complains about fails the test."""
    club = ClubFactory.create(name="Harbour", slug="harbour")
    club.house_rules.create(rules=house_rules(columns=1))
    for name in names:
        PlayerFactory.create(club=club, name=name)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR, username="dora"))
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
    director = Director(page, url)
    heard = director.complaints
    page.on("console", lambda said: heard.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.expose_function("reportViolation", lambda what: heard.append(what))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
    )
    yield director
    assert heard == []


def play_round(round_: Round, *, winner_of: Any) -> None:
    """Plays what is left of a round by the service; `winner_of` names the side of a match, 0 or 1."""
    for match in round_.matches.filter(state__in=UNFINISHED).order_by("table"):
        play(match, *((60, 50) if winner_of(match) == 0 else (-60, -50)))
    recalculate(round_.event_id)
