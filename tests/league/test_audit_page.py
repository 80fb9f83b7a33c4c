"""The audit page: who did what, when, from where, before and after; narrowed, as a file, kept for good."""

import csv
import io
import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.events.entries import remove_entry
from league.events.events import change_event
from league.models import AuditEntry, Club, Match, Role
from league.record.audit import record_audit
from scoring.core.actors import Actor, ActorKind
from scoring.core.origin import origin
from scoring.services import correct_deals, dispute_sheet, sign_sheet, stop_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    UserFactory,
    play,
    sheet_of,
    won,
)
from tests.league.admin_pages import text
from tests.league.bot_cases import NOON

pytestmark = pytest.mark.django_db

BEA = Actor(ActorKind.USER, "900", "Bea Lund")
# Of what the site does by itself no address is kept.
IMPORT = Actor(ActorKind.IMPORT, "901", "The tests’ import")


@pytest.fixture
def match(club: Club) -> Match:
    """A sheet that was recorded, corrected by Bea from the net, stopped, signed and disputed."""
    event = EventFactory.create(club=club, name="Winter", slug="winter")
    sides = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob")]
    made = play(MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1]), 40)
    with origin("api", "192.0.2.7"):
        record_audit(BEA, "event.change", event, club=club, after={"name": "Winter"})
        changes = {1: won("Bob", "Ann", 9)}
        correct_deals(actor=IMPORT, sheet=sheet_of(made), changes=changes, reason="Bob's")
    stop_sheet(actor=OPERATOR, sheet=sheet_of(made), reason="late")
    sign_sheet(actor=OPERATOR, sheet=sheet_of(made))
    return made


def asked(client: Client, club: Club, **query: str) -> list[str]:
    """The actions of the lines that are shown, newest first."""
    answer = client.get(reverse("audit", args=[club.slug]), query)
    assert answer.status_code == 200
    return [each["line"].action for each in answer.context["lines"]]


def rows(client: Client, club: Club, **query: str) -> list[dict[str, str]]:
    answer = client.get(reverse("audit_csv", args=[club.slug]), query)
    assert answer.headers["Content-Type"] == "text/csv"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_audit_has_notes_and_acts_newest_first(match: Match, club: Club, owner: Client) -> None:
    assert asked(owner, club) == [
        "sheet.sign",
        "sheet.stop",
        "sheet.correct",
        "event.change",
        "sheet.record",
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"who": "bea"}, ["event.change"]),
        ({"action": "sheet.stop"}, ["sheet.stop"]),
        ({"action": "event.change"}, ["event.change"]),
        ({"of": "wint"}, ["event.change"]),
        ({"of": "R1-T1", "door": "api"}, ["sheet.correct"]),
        ({"door": "api"}, ["sheet.correct", "event.change"]),
        ({"door": "none"}, ["sheet.sign", "sheet.stop", "sheet.record"]),
        ({"address": "192.0.2.7", "who": "tests"}, ["sheet.correct"]),
        ({"since": "2999-01-01"}, []),
        ({"until": "1999-01-01"}, []),
    ],
)
def test_audit_is_narrowed(
    match: Match, club: Club, owner: Client, query: dict[str, str], expected: list[str]
) -> None:
    assert asked(owner, club, **query) == expected
    assert [row["Code of the act"] for row in rows(owner, club, **query)] == expected


def test_sheet_opened_outside_events_is_a_line_like_any_other(club: Club, owner: Client) -> None:
    record_audit(BEA, "sheet.open", club, club=club)
    assert asked(owner, club) == asked(owner, club, action="sheet.open") == ["sheet.open"]
    assert "sheet opened" in text(owner.get(reverse("audit", args=[club.slug])))


def test_days_are_those_of_the_club(club: Club, owner: Client) -> None:
    Club.objects.filter(pk=club.pk).update(time_zone="Pacific/Auckland")
    with time_machine.travel(NOON, tick=False):
        record_audit(BEA, "club.change", club, club=club)
    AuditEntry.objects.update(at=NOON)
    assert asked(owner, club, since="2026-11-03") == ["club.change"], "it is past midnight there"
    assert asked(owner, club, until="2026-11-02") == []


def test_correction_says_what_it_was_before(match: Match, club: Club, owner: Client) -> None:
    (row,) = rows(owner, club, action="sheet.correct")
    assert (row["What"], row["Before"], row["After"]) == (
        "sheet: corrected",
        "deal 1: Ann 40",
        "deal 1: Bob 9",
    )
    assert (row["Reason"], row["Through"], row["Address"]) == ("Bob's", "the API", "192.0.2.7")
    assert "deal 1" in text(owner.get(reverse("audit", args=[club.slug]), {"action": "sheet.correct"}))


def test_entry_stays_when_its_object_is_gone(club: Club, owner: Client, director: Actor) -> None:
    event = EventFactory.create(club=club)
    entry = EntryFactory.create(event=event, name="Ann")
    remove_entry(actor=director, entry=entry)
    (row,) = rows(owner, club, action="entry.remove")
    assert row["Of what"] == "Ann"
    assert "name: Ann" in row["Before"]


def test_file_holds_nothing_a_spreadsheet_would_calculate(match: Match, club: Club, owner: Client) -> None:
    dispute_sheet(actor=OPERATOR, sheet=sheet_of(match), sentence="=1+1", side=0)
    (row,) = rows(owner, club, action="sheet.dispute")
    assert row["Reason"] == "'=1+1"


def test_page_shows_what_was_written_as_text(club: Club, owner: Client, director: Actor) -> None:
    event = EventFactory.create(club=club)
    change_event(actor=director, event=event, name="<script>alert(1)</script>")
    shown = owner.get(reverse("audit", args=[club.slug])).content.decode()
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_long_audit_has_pages(club: Club, owner: Client) -> None:
    for number in range(60):
        record_audit(BEA, "club.change", club, club=club, reason=str(number))
    address = reverse("audit", args=[club.slug])
    first = owner.get(address, {"who": "Bea"})
    assert [each["line"].reason for each in first.context["lines"]] == [str(n) for n in range(59, 34, -1)]
    assert "?who=Bea&amp;page=2" in first.content.decode()
    assert len(owner.get(address, {"who": "Bea", "page": "3"}).context["lines"]) == 10
    assert len(owner.get(address, {"page": "x"}).context["lines"]) == 25
    assert len(rows(owner, club)) == 60


@pytest.mark.parametrize(
    "query",
    [{"since": "yesterday"}, {"address": "here"}, {"door": "window"}, {"action": "no"}, {"who": "a\x00"}],
)
def test_wrong_filter_is_answered_with_what_is_wrong(
    club: Club, owner: Client, query: dict[str, str]
) -> None:
    page = owner.get(reverse("audit", args=[club.slug]), query)
    assert page.status_code == 422
    assert re.search(r'role="alert">[^<]+', page.content.decode())
    file = owner.get(reverse("audit_csv", args=[club.slug]), query)
    assert (file.status_code, file.headers["Content-Type"]) == (422, "text/plain")
    said = file.content.decode()
    assert said.startswith(str(page.context["form"][next(iter(query))].label))


def test_directors_alone_read_the_audit_of_their_club(club: Club) -> None:
    for role, of, expected in [
        (None, club, 404),
        (Role.MEMBER, club, 404),
        (Role.SCOREKEEPER, club, 404),
        (Role.DIRECTOR, club, 200),
        (Role.OWNER, ClubFactory.create(), 404),
    ]:
        client = Client()
        if role is not None:
            client.force_login(UserFactory.create(club=of, role=role))
        for name in ("audit", "audit_csv"):
            assert client.get(reverse(name, args=[club.slug])).status_code == expected


def test_audit_of_another_club_is_not_in_it(match: Match, club: Club) -> None:
    other = ClubFactory.create()
    client = logged_in(UserFactory.create(club=other, role=Role.OWNER))
    assert asked(client, other) == []
