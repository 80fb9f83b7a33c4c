"""Who may read which page, and how a page is kept fresh."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views import defaults
from django.views.csrf import csrf_failure

from league.models import Club, Match, Player, Role
from league.people.clubs import change_club
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    SeasonFactory,
    UserFactory,
    sheet_of,
    won,
)

pytestmark = pytest.mark.django_db

PAGES = (
    "club",
    "season",
    "event",
    "event_standings_pdf",
    "event_crosstable",
    "crosstable_pdf",
    "event_rounds",
    "round",
    "round_print",
    "pairings_pdf",
    "slips_pdf",
    "blank_sheets_pdf",
    "match",
    "players",
    "player",
)
MISSING = (
    "/clubs/none/",
    "/clubs/harbour/seasons/none/",
    "/clubs/harbour/events/none/",
    "/clubs/harbour/events/none/rounds/",
    "/clubs/harbour/events/league/rounds/9/",
    "/clubs/harbour/events/league/rounds/9/sheets.pdf",
    "/clubs/harbour/events/league/matches/none/",
    "/clubs/harbour/players/none/",
)


@pytest.fixture
def match() -> Match:
    club = ClubFactory.create(name="Harbour", slug="harbour")
    season = SeasonFactory.create(club=club, slug="winter")
    event = EventFactory.create(club=club, season=season, slug="league")
    match: Match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann"),
        entry_b=EntryFactory.create(event=event, name="Bob"),
    )
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Ann", "Bob", 44)])
    return match


def address(name: str, match: Match) -> str:
    club, event = "harbour", "league"
    arguments: dict[str, list[object]] = {
        "club": [club],
        "players": [club],
        "season": [club, "winter"],
        "player": [club, Player.objects.get(name="Ann").code],
        "round": [club, event, 1],
        "blank_sheets_pdf": [club, event, 1],
        "round_print": [club, event, 1],
        "pairings_pdf": [club, event, 1],
        "slips_pdf": [club, event, 1],
        "match": [club, event, match.code],
    }
    return reverse(name, args=arguments.get(name, [club, event]))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_an_etag_and_is_not_sent_twice(client: Client, match: Match, name: str) -> None:
    response = client.get(address(name, match))
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-cache"
    again = client.get(address(name, match), headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_robots_are_told_what_the_club_wants(client: Client, match: Match) -> None:
    told = {name: client.get(address(name, match)).headers.get("X-Robots-Tag") for name in PAGES}
    assert told == dict.fromkeys(PAGES)
    change_club(actor=OPERATOR, club=match.event.club, is_indexed=False)
    told = {name: client.get(address(name, match)).headers.get("X-Robots-Tag") for name in PAGES}
    assert told == dict.fromkeys(PAGES, "noindex")


def test_home_has_an_etag_too(client: Client, match: Match) -> None:
    ClubFactory.create()
    etag = client.get("/").headers["ETag"]
    assert client.get("/", headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("name", ["event", "round", "match", "player"])
def test_a_new_hand_changes_the_etag(client: Client, match: Match, name: str) -> None:
    etag = client.get(address(name, match)).headers["ETag"]
    deals = [won("Ann", "Bob", 60), won("Ann", "Bob", 60), won("Ann", "Bob", 60)]
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals)
    response = client.get(address(name, match), headers={"If-None-Match": etag})
    assert response.status_code == 200
    assert response.headers["ETag"] != etag


@pytest.mark.parametrize("name", PAGES)
def test_a_private_club_is_not_there_for_others(client: Client, match: Match, name: str) -> None:
    Club.objects.update(is_public=False)
    url = address(name, match)
    assert client.get(url).status_code == 404
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert client.get(url).status_code == 404
    client.force_login(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    response = client.get(url)
    assert response.status_code == 200
    assert set(response.headers["Cache-Control"].split(", ")) == {"no-cache", "private"}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_only_read(client: Client, match: Match, name: str) -> None:
    assert client.head(address(name, match)).status_code == 200
    assert client.post(address(name, match)).status_code == 405


@pytest.mark.parametrize("url", MISSING)
def test_what_is_not_there_is_not_found(client: Client, match: Match, url: str) -> None:
    response = client.get(url)
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


@pytest.mark.parametrize(
    ("view", "status", "words"),
    [
        (lambda request: defaults.bad_request(request, Exception()), 400, "That could not be read"),
        (lambda request: defaults.permission_denied(request, Exception()), 403, "Not allowed"),
        (lambda request: csrf_failure(request), 403, "This page was open too long"),
        (defaults.server_error, 500, "Something went wrong here"),
    ],
)
def test_errors_have_pages_in_the_same_clothes(
    rf: RequestFactory, view: Callable[[HttpRequest], HttpResponse], status: int, words: str
) -> None:
    request = rf.get("/")
    request.user = AnonymousUser()
    response = view(request)
    assert response.status_code == status
    text = response.content.decode()
    assert words in text
    assert "league/sheet.css" in text


def test_a_member_signs_in_and_out(client: Client, match: Match) -> None:
    """A member of a private club needs no access to the admin."""
    Club.objects.update(is_public=False)
    UserFactory.create(
        club=match.event.club, role=Role.MEMBER, username="kim", password="a quiet night", is_staff=False
    )
    url = address("event", match)
    page = client.get(f"/login/?next={url}").content.decode()
    assert f'name="next" value="{url}"' in page
    wrong = client.post("/login/", {"login": "kim", "password": "no", "next": url})
    assert "do not match" in wrong.content.decode()
    right = client.post("/login/", {"login": "kim", "password": "a quiet night", "next": url})
    assert right.headers["Location"] == url
    assert "Signed in as kim" in client.get(url).content.decode()
    assert "Harbour" in client.get("/account/").content.decode()
    client.post("/logout/")
    assert client.get(url).status_code == 404


def test_signing_in_never_leads_to_another_site(client: Client, match: Match) -> None:
    UserFactory.create(username="kim", password="a quiet night")
    data = {"login": "kim", "password": "a quiet night", "next": "https://evil.example/"}
    assert client.post("/login/", data).headers["Location"] == "/me/"


def test_account_asks_to_sign_in(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/login/?next=/account/"


def test_pages_of_another_clubs_match_are_not_found(client: Client, match: Match) -> None:
    other = EventFactory.create(club=match.event.club, slug="other")
    assert client.get(reverse("match", args=["harbour", other.slug, match.code])).status_code == 404
    stranger = ClubFactory.create(slug="stranger")
    player = Player.objects.get(name="Ann")
    assert client.get(reverse("player", args=[stranger.slug, player.code])).status_code == 404


def test_no_template_has_inline_style_or_script() -> None:
    """The Content-Security-Policy would refuse them. Programs that show mail read no other style."""
    for path in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        if path.name.endswith("_mail.html"):
            continue
        text = path.read_text()
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)[^>]*>|\son[a-z]+=", text), path


@pytest.mark.parametrize("name", [name for name in PAGES if "pdf" not in name])
def test_every_page_has_its_landmarks(client: Client, match: Match, name: str) -> None:
    text = client.get(address(name, match)).content.decode()
    assert text.count("<h1") == 1
    assert '<html lang="en">' in text
    assert '<a class="skip" href="#content">' in text
    assert 'id="content"' in text
    for table in re.findall(r"<table.*?</table>", text, flags=re.DOTALL):
        assert "<caption" in table
        assert 'scope="col' in table
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'aria-labelledby="([^"]+)"', text)) <= set(ids)
