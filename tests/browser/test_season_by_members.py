"""A season as its members live it: from the announcement to the table, without a page of the administration.

The director announces the event and publishes its round, which is his office; all the rest is done by nine
members on telephones of their own, with a real mail server and a real push service, which carry what they
are told.
"""

import datetime
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.events.event_life import open_entries, start_event
from league.models import (
    Club,
    CountsWhen,
    Entry,
    Event,
    Match,
    NoticeKind,
    NoticeWay,
    Role,
    Round,
    kinds_told,
)
from league.tasks import deliver_notices
from tests.browser.telephone import Telephone
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, UserFactory, house_rules
from tests.faults.letters import Letters
from tests.push_service import PushService

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Ann", "Bob", "Cyd", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida")
# A result that is put right at once is told once.
LATER = datetime.timedelta(minutes=11)
EVENT = "/clubs/harbour/events/autumn/"


class Member:
    """A member at a telephone of his own, signed in; what its console complains of is kept."""

    def __init__(self, context: BrowserContext, url: str, complaints: list[str]) -> None:
        self._context, self._url, self._complaints = context, url, complaints
        self.page: Page = context.new_page()
        self.page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: complaints.append(str(error)))

        self.page.on(
            "request", lambda asked: complaints.append(asked.url) if "/admin/" in asked.url else None
        )

    def goes_to(self, path: str) -> None:
        self.page.goto(self._url + path)

    def taps(self, name: str) -> None:
        """Follows the link, or presses the button, of this name, and waits for the page."""
        control = self.page.get_by_role("link", name=name).or_(self.page.get_by_role("button", name=name))
        with self.page.expect_navigation():
            control.first.click()

    def reads(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(text)

    def at_the_table(self) -> Telephone:
        """His telephone at the sheet of his next match, by way of My club."""
        self.goes_to("/me/")
        self.taps("To the sheet at the table")
        return Telephone(self._context.new_page(), self.page.url, self._complaints)


class Post:
    """What the mail server and the push service have received, looked through from time to time."""

    def __init__(self, letters: Letters, pushes: PushService) -> None:
        self._letters, self._pushes = letters, pushes
        self._read = 0

    def give_device(self, name: str) -> None:
        """Have this member told on his telephone, too."""
        self._pushes.device(User.objects.get(username=name.lower()), f"/{name}")

    def told(self, later: datetime.timedelta = datetime.timedelta()) -> set[str]:
        """Send what is due, now or `later`; who was told since the last time, by mail and on devices."""
        with time_machine.travel(timezone.now() + later):
            deliver_notices()
        letters, pushes = self._letters.arrived()[self._read :], self._pushes.arrived[self._read :]
        self._read += len(letters)
        by_mail = [str(mail["To"]).partition("@")[0].title() for mail in letters]
        assert sorted(by_mail) == sorted(message["path_of_device"].strip("/") for message in pushes)
        return set(by_mail)


@pytest.fixture
def post(settings: Any) -> Iterator[Post]:
    settings.SITE_URL = "https://gin.example.test"
    settings.OUTGOING_NETWORKS = [ip_network("127.0.0.0/8")]
    with Letters() as server, PushService().open() as pushes:
        settings.SENDS_MAIL = True
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield Post(server, pushes)


@pytest.fixture
def event(post: Post) -> Event:
    """A Swiss of eight places that is being planned, in a club of nine members."""
    club = ClubFactory.create(
        name="Harbour",
        slug="harbour",
        time_zone="Europe/Paris",
        told_by_mail=[kind.value for kind in NoticeKind],
        told_by_push=[kind.value for kind in kinds_told(NoticeWay.PUSH)],
    )
    for name in NAMES:
        PlayerFactory.create(club=club, name=name, user=_account(club, name))
        post.give_device(name)
    made: Event = EventFactory.create(
        club=club,
        name="Autumn Swiss",
        slug="autumn",
        format="swiss",
        state="draft",
        rules=house_rules(columns=1),
        places=8,
        venue="The old library",
        counts_when=CountsWhen.BOTH_SIGNATURES,
    )
    return made


def _account(club: Club, name: str) -> Any:
    address = f"{name.lower()}@harbour.example"
    return UserFactory.create(
        club=club, role=Role.MEMBER, username=name.lower(), email=address, is_staff=False
    )


@pytest.fixture
def members(browser: Browser, live_server: Any, event: Event) -> Iterator[dict[str, Member]]:
    """Their telephones, by name. Complaints of consoles fail the test."""
    complaints: list[str] = []
    contexts = []
    found = {}
    for name in NAMES:
        client = logged_in(User.objects.get(username=name.lower()))
        context = browser.new_context(viewport={"width": 360, "height": 740})
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        contexts.append(context)
        found[name] = Member(context, live_server.url, complaints)
    yield found
    for context in contexts:
        context.close()
    # What is refused at the table is a sentence there.
    assert [one for one in complaints if "status of 422" not in one] == []


def played_by(round_: Round, name: str) -> Match:
    """The match of this member in the round."""
    entry = Entry.objects.get(event=round_.event, name=name)
    return next(match for match in round_.matches.with_sides() if entry in (match.entry_a, match.entry_b))


def against(match: Match, name: str) -> str:
    return next(entry.name for entry in (match.entry_a, match.entry_b) if entry and entry.name != name)


def test_season(event: Event, members: dict[str, Member], post: Post) -> None:
    open_entries(actor=OPERATOR, event=event)
    assert post.told() == set(NAMES)

    for name in NAMES:
        one = members[name]
        one.goes_to("/clubs/harbour/")
        one.taps("Autumn Swiss")
        one.taps("Enter")
        one.taps("Go on the waiting list" if name == "Ida" else "Enter now")
    members["Ida"].reads("You are number 1 on the waiting list.")
    members["Cyd"].taps("Withdraw")
    assert post.told() == {"Ida"}
    members["Ida"].goes_to(EVENT)
    members["Ida"].reads("You are entered.")

    # The director's part.
    event = start_event(actor=OPERATOR, event=event)
    today = timezone.localdate(timezone=event.club.zone)
    draft = draft_round(actor=OPERATOR, event=event, date=today)
    draft.last_day = today + datetime.timedelta(days=14)
    draft.save()
    round_ = publish_round(actor=OPERATOR, round_=draft)
    assert post.told() == set(NAMES) - {"Cyd"}

    # Two arrange a time.
    other = against(match := played_by(round_, "Ann"), "Ann")
    ann, bob = members["Ann"], members[other]
    ann.goes_to("/me/")
    ann.taps(f"Propose a time to {other}")
    day = today + datetime.timedelta(days=3)
    ann.page.get_by_role("textbox", name="When").fill(f"{day.isoformat()}T20:15")
    ann.page.get_by_role("textbox", name="Where").fill("Café Rosa")
    ann.taps("Propose")
    assert post.told() == {other}
    bob.goes_to("/me/")
    bob.taps("Answer the proposal of Ann")
    bob.taps("Agree on")
    assert post.told() == {"Ann"}
    for one in (ann, bob):
        one.goes_to(f"{EVENT}matches/{match.code}/")
        one.reads("20:15")
        one.reads("Café Rosa")

    # They play on their telephones, and sign.
    first, second = ann.at_the_table(), bob.at_the_table()
    for points in (60, 60):
        first.points("Ann", points)
    for phone in (first, second):
        expect(phone.page.locator("#ending-head")).to_be_visible()
    first.page.get_by_role("button", name="Sign for Ann").click()
    second.says("Ann: signed")
    # Whoever sits there sees it: no mail asks him to sign before some minutes are over.
    assert post.told() == set()
    second.page.get_by_role("button", name=f"Sign for {other}").click()
    first.says(f"{other}: signed")
    assert post.told(LATER) == {"Ann", other}
    recalculate(event.pk)
    bob.goes_to(EVENT)
    leader = bob.page.locator("table.standings tbody tr").first
    expect(leader).to_contain_text("Ann")
    expect(leader).to_contain_text("2")

    # Another two do not agree.
    third = next(name for name in NAMES if name not in ("Ann", other, "Cyd"))
    fourth = against(disputed := played_by(round_, third), third)
    entering, doubting = members[third].at_the_table(), members[fourth].at_the_table()
    for points in (70, 70):
        entering.points(third, points)
    expect(doubting.page.locator("#ending-head")).to_be_visible()
    doubting.page.get_by_text("Something on this sheet is wrong").click()
    doubting.page.get_by_label("What is wrong, in a sentence").fill("Deal 2 was mine")
    doubting.page.get_by_role("button", name="Dispute the sheet").click()
    entering.says(f"{fourth} disputes the sheet: Deal 2 was mine")
    assert third in post.told()
    members["Ann"].goes_to(f"{EVENT}matches/{disputed.code}/")
    members["Ann"].reads("Disputed.")
    recalculate(event.pk)
    assert event.standings.get(entry__name=third).played == 0
    assert event.standings.get(entry__name="Ann").played == 1
