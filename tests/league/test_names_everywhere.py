"""No route says a covered name to a guest, whatever it is asked with; no order tells one."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.events.pyramids import create_pyramid
from league.models import Club, Entry, Event, Match, MatchState, Player, Pyramid, Role, Season, ShownAs, Tie
from league.people.accounts import choose_shown_name
from league.people.erasing import erase_person
from league.people.players import change_player
from league.tables import ratings
from scoring.models import Seat, Side
from tests import pdf_text
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
    house_rules,
    play,
)
from tests.league.bracket_play import cup, drawn
from tests.league.permission_rows import PAGES
from tests.league.permission_rows_api import API
from tests.league.permission_world import World, make_world

pytestmark = pytest.mark.django_db

DOCUMENT: Final = Path(__file__).parents[2] / "deploy" / "openapi.json"


@pytest.fixture
def world() -> World:
    """The club of the permission table, shown to everybody; all its people chose initials.

    Its event has a table, and a season and a division that name who leads it. One who played was erased.
    """
    made = make_world()
    Club.objects.update(is_public=True)
    first = Match.objects.get(code=made.values["match"])
    Event.objects.filter(pk=first.event.pk).update(
        season=Season.objects.get(slug=made.values["season"]),
        pyramid=Pyramid.objects.get(slug=made.values["pyramid"]),
        level=1,
    )
    final = Tie.objects.get(event__slug=made.values["knockout"])
    Tie.objects.filter(pk=final.pk).update(entry_a=EntryFactory.create(event=final.event))
    for _number in range(2):
        finished = play(MatchFactory.create(event=first.event, round=first.round), 300, 300, 300)
        assert finished.state == MatchState.FINISHED
    for player in Player.objects.filter(strategy=""):
        name = f"Secretus{player.pk} Covertson"
        Player.objects.filter(pk=player.pk).update(name=name, shown_as=ShownAs.INITIALS)
        Seat.objects.filter(person=player.code).update(name=name)
        Side.objects.filter(seats__person=player.code).update(name=name)
        Entry.objects.filter(members__player=player, event__team_size=1).update(name=name)
        if player.user is not None:
            type(player.user).objects.filter(pk=player.user.pk).update(first_name=name)
    erase_person(actor=OPERATOR, player=finished.appearances.get(side=1).player)
    recalculate(first.event.pk)
    ratings.recalculate(made.club.pk)
    return made


@pytest.mark.dear("reads every page, document and list as two people")
def test_no_route_says_a_covered_name_to_a_guest(world: World) -> None:
    """Pages, PDFs, CSV, feeds, calendars and the API; a member is told it by most of them."""
    read, told = 0, set()
    erased = f"Secretus{Player.objects.exclude(erased_at=None).get().pk} "
    for route, row in {**PAGES, **API}.items():
        if "GET" not in row.cells:
            continue
        address = world.place(route, row.names)
        said: dict[str, Any] = {}
        for actor in ("anonymous", "member"):
            cache.clear()
            answer = world.clients[actor].get(address)
            body = answer.getvalue() if answer.streaming else answer.content
            kind = answer.headers.get("Content-Type", "")
            if kind == "image/png":
                # The same for both; what is written on it stands in the page's tags, too (`test_sharing`).
                said[actor] = ""
                assert body == said.setdefault("picture", body), route
                continue
            is_pdf = kind.startswith("application/pdf")
            said[actor] = "\n".join(pdf_text.texts(body)) if is_pdf else body.decode()
            read += answer.status_code == 200
        assert "Secretus" not in said["anonymous"], route
        assert "Covertson" not in said["anonymous"], route
        assert erased not in said["member"], route
        if "Secretus" in said["member"]:
            told.add(route)
    assert read > 100
    assert len(told) > 30
    assert len(told & PAGES.keys()) > 19


def _texts_asked() -> list[tuple[str, str]]:
    """The lists of the API, each with its parameters that take any text."""
    found = []
    for path, operations in json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", []) if "{" not in path else []:
            schema = parameter.get("schema", {})
            if parameter.get("in") == "query" and schema.get("type") == "string" and "enum" not in schema:
                found.append((path, parameter["name"]))
    return found


@pytest.mark.dear("asks every list of the API by every parameter")
def test_no_parameter_of_the_api_finds_a_covered_name(world: World) -> None:
    """What is asked with a covered name is answered as with a name that nobody has."""
    asked = _texts_asked()
    assert ("/api/v1/players/", "search") in asked
    assert len(asked) > 10
    guest = world.clients["anonymous"]
    for path, parameter in asked:
        for more in ({}, {"updated_since": "2000-01-01T00:00:00Z"}):
            answers = []
            for name in ("Covertson", "Nobodison"):
                cache.clear()  # how often one may ask is another test's
                answer = guest.get(path, {**more, parameter: name})
                assert answer.status_code != 429
                answers.append((answer.status_code, answer.content.decode().replace(name, "")))
            assert answers[0] == answers[1], (path, parameter)
    found = json.loads(guest.get("/api/v1/players/", {"search": "S. C."}).content)
    assert found["results"], "the shown name finds"


def test_first_places_and_brackets_tell_no_covered_name(client: Client) -> None:
    """What pages of several events say of who leads, and the words of a bracket's links."""
    club = ClubFactory.create(slug="harbour")
    pyramid = create_pyramid(actor=OPERATOR, club=club, name="Divisions", slug="divisions", moving=1)
    season = SeasonFactory.create(club=club, slug="winter")
    event = EventFactory.create(
        club=club, slug="league", season=season, pyramid=pyramid, level=1, rules=house_rules(columns=1)
    )
    knockout = cup(club, 2, slug="cup")
    drawn(knockout)
    play(MatchFactory.create(event=event), 300)
    recalculate(event.pk)
    for player in Player.objects.all():
        change_player(actor=OPERATOR, player=player, name=f"Secretus{player.pk} Covertson")
        player.refresh_from_db()
        choose_shown_name(actor=OPERATOR, player=player, shown_as=ShownAs.INITIALS)
    pages = {
        reverse("club", args=["harbour"]): "event-leader",
        reverse("season", args=["harbour", "winter"]): "event-leader",
        reverse("divisions", args=["harbour", "divisions"]): "event-leader",
        reverse("event_bracket", args=["harbour", "cup"]): " v ",
    }
    for address, shown in pages.items():
        said = client.get(address).content.decode()
        assert shown in said, address
        assert "S. C." in said, address
        assert "Covertson" not in said, address


def test_order_of_a_page_tells_no_covered_name(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    for name, nickname in {"Zed Young": "Abel", "Abe Adams": "Zora"}.items():
        PlayerFactory.create(club=club, name=name, shown_as=ShownAs.NICKNAME, nickname=nickname)
    for page in ("players", "ratings"):
        said = client.get(reverse(page, args=["harbour"])).content.decode()
        assert page == "ratings" or 0 < said.index("Abel") < said.index("Zora")
        assert "Zed" not in said
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    said = client.get(reverse("players", args=["harbour"])).content.decode()
    assert said.index("Abe Adams") < said.index("Zed Young")


def test_feed_tells_results_of_the_covered_by_initials(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    event = EventFactory.create(club=club, slug="league", rules=house_rules(columns=1))
    ann = PlayerFactory.create(club=club, name="Ann Archer", shown_as=ShownAs.INITIALS)
    match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name=ann.name, players=[ann]),
        entry_b=EntryFactory.create(event=event, name="Bob"),
    )
    play(match, 300)
    for place in ("event_results_atom", "event_rounds_ics"):
        said = client.get(reverse(place, args=["harbour", "league"])).content.decode()
        assert "Archer" not in said
        assert ("A. A." in said) == (place == "event_results_atom")
