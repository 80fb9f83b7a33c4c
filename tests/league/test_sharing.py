"""What programs are told of a page whose address is shared: as guests may read it, whoever shares it."""

import datetime
import re
from html import unescape
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.models import Club, Event, EventState, Match, Player, Role, ShownAs
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    UserFactory,
    count_table,
    drawn_match,
    play,
)

pytestmark = pytest.mark.django_db

MARGIN, RIM = 72, 24
PAPER = (0xFA, 0xF6, 0xEC)


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour", name="Harbour"),
        slug="league",
        name="League",
        season=None,
        state=EventState.RUNNING,
        holds_results=True,
    )
    drawn = drawn_match(event, "Ann Abel", "Bob")
    assert play(drawn, 91, 91, stopped=True).net == 548
    count_table(event.pk)
    return drawn


def pages(match: Match) -> dict[str, str]:
    """The addresses of the event, the match and the first player."""
    event = match.event
    way = [event.club.slug, event.slug]
    ann = Player.objects.get(name="Ann Abel")
    return {
        "event": reverse("event", args=way),
        "match": reverse("match", args=[*way, match.code]),
        "player": reverse("player", args=[event.club.slug, ann.code]),
    }


def told(address: str, club: Club, role: Role | None = None) -> dict[str, str]:
    """The tags of a page, as who has this role gets it, by their names."""
    client = Client()
    if role is not None:
        client.force_login(UserFactory.create(club=club, role=role))
    answer = client.get(address)
    assert answer.status_code == 200
    found = re.findall(
        r'<meta (?:property="og:|name=")([a-z:]+)" content="([^"]*)">', answer.content.decode()
    )
    return {name: unescape(content) for name, content in found}


def picture(address: str) -> Image.Image:
    answer = Client().get(address)
    assert answer.headers["Content-Type"] == "image/png"
    return Image.open(BytesIO(answer.content)).convert("RGB")


def test_each_page_tells_what_is_on_it(match: Match) -> None:
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(match.event_id)
    found = {name: told(address, match.event.club) for name, address in pages(match).items()}
    assert {name: (tags["title"], tags["description"]) for name, tags in found.items()} == {
        "event": ("League", "Harbour · 1. Ann Abel: 2 · 2. Bob: 0"),
        "match": ("Ann Abel v Bob", "League, Harbour · Ann Abel: 2 · Bob: 0 · Net: +548"),
        "player": ("Ann Abel", "Harbour · Matches: 1 · Won: 1"),
    }
    for name, address in pages(match).items():
        assert found[name]["url"] == f"http://testserver{address}"
        assert picture(found[name]["image"]).size == (1200, 630)


def test_an_event_that_has_not_begun_tells_when_and_where_and_how_many_play() -> None:
    club = ClubFactory.create(slug="harbour", name="Harbour", time_zone="Europe/Paris")
    event = EventFactory.create(club=club, season=None, state=EventState.OPEN)
    for name in ("Ann", "Bob"):
        EntryFactory.create(event=event, name=name)
    address = reverse("event", args=["harbour", event.slug])
    assert told(address, club)["description"] == "Harbour · 2 players"
    event.starts_at = datetime.datetime(2026, 12, 3, 18, tzinfo=datetime.UTC)
    event.venue = "The Boathouse"
    event.save()
    said = "Harbour · Thursday 3 December, 19:00 · The Boathouse · 2 players"
    assert told(address, club)["description"] == said


def test_a_result_that_is_held_back_is_told_nobody(match: Match) -> None:
    addresses = pages(match)
    before = {name: picture(f"{address}picture.png").tobytes() for name, address in addresses.items()}
    for role in (None, Role.MEMBER):
        assert (
            told(addresses["match"], match.event.club, role)["description"]
            == "League, Harbour · Ann Abel · Bob"
        )
    # Whoever may know it reads it on the page, and has nothing to share.
    assert "title" not in told(addresses["match"], match.event.club, Role.DIRECTOR)
    for role in (None, Role.DIRECTOR):
        assert "2" not in told(addresses["event"], match.event.club, role)["description"].replace(
            "2 players", ""
        )
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(match.event_id)
    after = {name: picture(f"{address}picture.png").tobytes() for name, address in addresses.items()}
    assert [name for name in addresses if before[name] == after[name]] == []


def test_a_nickname_is_all_that_is_told(match: Match) -> None:
    addresses = pages(match)
    Player.objects.filter(name="Ann Abel").update(shown_as=ShownAs.NICKNAME, nickname="Ace")
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(match.event_id)
    for role in (None, Role.DIRECTOR):
        for address in addresses.values():
            tags = " ".join(told(address, match.event.club, role).values())
            assert "Ace" in tags
            assert "Abel" not in tags


def test_of_a_private_club_nothing_is_told(match: Match) -> None:
    Club.objects.update(is_public=False)
    for address in pages(match).values():
        assert "title" not in told(address, match.event.club, Role.MEMBER)
        member = logged_in(UserFactory.create(club=match.event.club, role=Role.MEMBER))
        assert member.get(f"{address}picture.png").status_code == 404


@pytest.mark.parametrize("name", ["W" * 80, "漢" * 60, 'Ann </text><rect/> & "Co"'])
def test_any_name_is_text_and_stays_inside(name: str) -> None:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour", name=name), season=None, name=name, state=EventState.OPEN
    )
    EntryFactory.create(event=event, name=name)
    drawn = picture(reverse("event_picture", args=["harbour", event.slug]))
    left, right = drawn.crop((0, RIM, MARGIN - 4, 630)), drawn.crop((1200 - MARGIN + 8, RIM, 1200, 630))
    assert {color for part in (left, right) for _count, color in part.getcolors() or []} == {PAPER}
    assert len(drawn.getcolors(1 << 20) or []) > 20
    tags = told(reverse("event", args=["harbour", event.slug]), event.club)
    assert tags["title"] == name


def test_a_name_of_an_earlier_version_that_no_xml_may_have_is_drawn(match: Match) -> None:
    Event.objects.filter(pk=match.event_id).update(name="Lea\x0bgue")
    for address in pages(match).values():
        assert picture(f"{address}picture.png").size == (1200, 630)
