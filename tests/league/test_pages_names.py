"""Names on the pages: a team's is written one way, and an event is always in its own navigation."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Entry, Event
from league.policy.naming import AS_WRITTEN
from league.tables.tables import Named
from tests.factories import ClubFactory, EntryFactory, EventFactory, PlayerFactory
from tests.markup import together

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "players", "pieces"),
    [
        ("Gruber & Jansen", ["Gruber", "Jansen"], ["[Gruber]", " & ", "[Jansen]"]),
        ("Ann+Anna", ["Ann", "Anna"], ["[Ann]", "+", "[Anna]"]),
        ("Anna/Ann (II)", ["Ann", "Anna"], ["[Anna]", "/", "[Ann]", " (II)"]),
    ],
)
def test_a_team_called_after_its_players_keeps_its_way_of_writing(
    name: str, players: list[str], pieces: list[str]
) -> None:
    club = ClubFactory.create()
    members = tuple(PlayerFactory.create(club=club, name=each) for each in players)
    named = Named(AS_WRITTEN, Entry(name=name), members, is_team=True)
    assert not named.shows_name
    parts = [f"[{part.text}]" if part.player else part.text for part in named.parts]
    assert parts == pieces
    assert [part.player.name for part in named.parts if part.player] == [
        piece.strip("[]") for piece in pieces if piece.startswith("[")
    ]


def test_a_team_with_a_name_of_its_own_shows_its_players_beside_it(client: Client) -> None:
    event = EventFactory.create(team_size=2)
    EntryFactory.create(event=event, name="The Knockers")
    content = client.get(reverse("event", args=[event.club.slug, event.slug])).content.decode()
    assert '<span class="team-name">The Knockers</span>' in content


def test_an_old_event_is_in_its_own_navigation(client: Client) -> None:
    club = ClubFactory.create()
    events: list[Event] = [EventFactory.create(club=club) for _ in range(5)]
    for event in events:
        address = reverse("event", args=[club.slug, event.slug])
        content = client.get(address).content.decode()
        navigation = content[content.index('class="site-nav"') : content.index("</header>")]
        assert together(navigation).count(f'<a href="{address}" aria-current="page">') == 1
