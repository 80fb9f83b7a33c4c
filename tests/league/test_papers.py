"""Papers that are kept: one for all who see the same, none for anybody who does not, and not too many."""

import datetime
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client, override_settings
from django.urls import reverse

from league.models import Club, Event, Player, Role, ShownAs
from league.pages.printing.table_cards import TableCard, table_cards_pdf
from league.people.players import change_player
from scoring.paper.kept import CACHE, kept_paper
from scoring.paper.pdf import Document
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    count_table,
    play,
)
from tests.faults.threads import at_once
from tests.pdf_text import texts

pytestmark = [pytest.mark.django_db]

NIGHT = datetime.datetime(2026, 11, 6, 21, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    caches[CACHE].clear()
    yield
    caches[CACHE].clear()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the papers that were really written."""
    titles: list[str] = []
    drawn = Document.drawn

    def noted(document: Document) -> Any:
        titles.append(document._title)
        return drawn(document)

    monkeypatch.setattr(Document, "drawn", noted)
    return titles


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="harbour", is_public=True)


@pytest.fixture
def ann(club: Club) -> Player:
    return PlayerFactory.create(club=club, name="Ann Archer", shown_as=ShownAs.INITIALS)


@pytest.fixture
def event(club: Club, ann: Player) -> Event:
    event = EventFactory.create(club=club, slug="league", name="League")
    bob = PlayerFactory.create(club=club, name="Bob Baker")
    entries = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (ann, bob)]
    play(MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1]), 40, stopped=True)
    MatchFactory.create(event=event, round__number=2, entry_a=entries[0], entry_b=entries[1])
    counted(event)
    return event


def counted(event: Event) -> None:
    count_table(event.pk)


def member(club: Club) -> Client:
    return logged_in(UserFactory.create(club=club, role=Role.MEMBER))


PAPERS = ("event_standings_pdf", "crosstable_pdf", "pairings_pdf", "slips_pdf", "blank_sheets_pdf")


def address(event: Event, paper: str) -> str:
    of_round = paper in PAPERS[2:]
    return reverse(paper, args=[event.club.slug, event.slug, *([2] if of_round else [])])


def said(client: Client, event: Event, paper: str, **headers: str) -> str:
    answered = client.get(address(event, paper), headers=headers)
    assert answered.status_code == 200
    return " ".join(texts(answered.content))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("member_first", [True, False])
def test_covered_name_never_comes_from_the_cache(
    club: Club, event: Event, made: list[str], paper: str, member_first: bool
) -> None:
    """Whoever asks first, and whatever the browser says that it has."""
    inside = member(club)
    for client in [inside, Client()] if member_first else [Client(), inside]:
        etag = client.get(address(event, paper)).headers.get("ETag", "")
        other = Client() if client is inside else inside
        text = said(other, event, paper, **({"If-None-Match": etag} if etag else {}))
        assert ("Ann Archer" in text) is (other is inside)
    written = len(made)
    assert written == 2
    for client, is_inside in ((inside, True), (member(club), True), (Client(), False)):
        assert ("Ann Archer" in said(client, event, paper)) is is_inside
    assert len(made) == written


@pytest.mark.parametrize("paper", PAPERS)
def test_new_name_shows_at_once(club: Club, event: Event, ann: Player, paper: str) -> None:
    inside = member(club)
    assert "Ann Archer" in said(inside, event, paper)
    change_player(actor=OPERATOR, player=ann, name="Anna Bowman")
    assert "Anna Bowman" in said(inside, event, paper)
    assert "Archer" not in said(inside, event, paper)


def test_covering_and_uncovering_show_at_once(event: Event, ann: Player) -> None:
    assert "Ann Archer" not in said(Client(), event, PAPERS[0])
    Player.objects.filter(pk=ann.pk).update(shown_as=ShownAs.NAME)
    assert "Ann Archer" in said(Client(), event, PAPERS[0])
    Player.objects.filter(pk=ann.pk).update(shown_as=ShownAs.INITIALS)
    assert "Ann Archer" not in said(Client(), event, PAPERS[0])


def test_new_result_shows_at_once(event: Event) -> None:
    before = said(Client(), event, PAPERS[0])
    play(event.matches.get(round__number=2), 333, stopped=True)
    counted(event)
    after = said(Client(), event, PAPERS[0])
    assert "1 0–0–1" in before
    assert "2 0–0–2" in after


def test_reader_of_a_private_club_alone_gets_its_papers(club: Club, event: Event) -> None:
    inside = member(club)
    Club.objects.update(is_public=False)
    assert "Ann Archer" in said(inside, event, PAPERS[0])
    assert Client().get(address(event, PAPERS[0])).status_code == 404


def test_paper_that_the_browser_has_is_not_sent_again(event: Event) -> None:
    first = Client().get(address(event, PAPERS[0]))
    again = Client().get(address(event, PAPERS[0]), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_cards_with_secrets_are_not_kept(event: Event, made: list[str]) -> None:
    card = TableCard("Ann", "Bob", "T1", "https://x.example/table/secret/", NIGHT)
    for _ in range(2):
        table_cards_pdf(event, "Round 1", [card])
    assert len(made) == 2


# At once


def test_many_who_ask_at_once_get_one_paper() -> None:
    made = []
    begun = threading.Event()

    def make() -> bytes:
        made.append(1)
        begun.wait(0.05)  # the others are at the door meanwhile
        return b"paper"

    assert at_once([partial(kept_paper, "x", make) for _ in range(8)]) == [b"paper"] * 8
    assert len(made) == 1
    assert kept_paper("y", lambda: b"another") == b"another"


def test_paper_that_fails_is_made_by_the_next() -> None:
    def fail() -> bytes:
        raise ValueError

    with pytest.raises(ValueError):
        kept_paper("x", fail)
    before = time.monotonic()
    assert kept_paper("x", lambda: b"paper") == b"paper"
    assert time.monotonic() - before < 5


def test_without_a_cache_papers_are_made(event: Event) -> None:
    away = {
        name: {"BACKEND": "deploy.caches.ServerCache", "LOCATION": "redis://127.0.0.1:1/0"}
        for name in ("default", CACHE)
    }
    with override_settings(CACHES=away):
        assert "Bob Baker" in said(Client(), event, PAPERS[0])


def test_same_paper_of_two_documents_is_one(made: list[str]) -> None:
    def document(name: str, at: datetime.datetime = NIGHT) -> bytes:
        pdf = Document(title="Paper", made_at=at, texts=[name])
        pdf.add_page()
        pdf.face(12)
        pdf.put(10, 10, 50, 6, name)
        return pdf.finished()

    assert document("Ann") == document("Ann")
    assert made == ["Paper"]
    assert len({document("Ann"), document("Bob"), document("Ann", NIGHT + datetime.timedelta(1))}) == 3


# Limits


def test_papers_are_limited_per_asker(club: Club, event: Event, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "paper": "2/min"}
    inside, other = member(club), member(club)
    with time_machine.travel(NIGHT, tick=False):
        for client in (inside, other, Client()):
            statuses = [client.get(address(event, paper)).status_code for paper in PAPERS[:3]]
            assert statuses == [200, 200, 429]
        refused = inside.get(address(event, PAPERS[0]))
        assert 0 < int(refused["Retry-After"]) <= 60
        assert "Too often" in refused.content.decode()
        assert inside.get(reverse("event", args=[club.slug, event.slug])).status_code == 200
        assert inside.get(reverse("own_data")).status_code == 429
    with time_machine.travel(NIGHT + datetime.timedelta(minutes=1), tick=False):
        assert inside.get(address(event, PAPERS[0])).status_code == 200
