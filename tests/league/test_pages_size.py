"""An event of 200 entries and 5,000 matches: every page in few queries, and not too long."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Event, Match, Player, Role
from tests.factories import ClubFactory, EventFactory, SeasonFactory, UserFactory, big_event, count_table

pytestmark = pytest.mark.django_db

# One of them is for the version of a page that follows.
FEWER_THAN = 16
MOST_BYTES = 300_000


@pytest.mark.dear("needs an event of thousands of matches")
def test_pages_of_a_big_event_take_few_queries(client: Client) -> None:
    club = ClubFactory.create(slug="harbour", is_public=False)
    season = SeasonFactory.create(club=club, slug="winter")
    event: Event = big_event(
        entries=200, matches=5000, event=EventFactory.create(club=club, season=season, slug="open")
    )
    count_table(event.pk)
    match = Match.objects.filter(event=event).earliest("pk")
    player = Player.objects.filter(club=club).earliest("pk")
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))

    pages: dict[str, list[str | int]] = {
        "club": ["harbour"],
        "season": ["harbour", "winter"],
        "players": ["harbour"],
        "player": ["harbour", player.code],
        "event": ["harbour", "open"],
        "event_standings_pdf": ["harbour", "open"],
        "event_crosstable": ["harbour", "open"],
        "crosstable_pdf": ["harbour", "open"],
        "event_rounds": ["harbour", "open"],
        "event_screen": ["harbour", "open"],
        "round": ["harbour", "open", 50],
        "round_print": ["harbour", "open", 50],
        "pairings_pdf": ["harbour", "open", 50],
        "slips_pdf": ["harbour", "open", 50],
        "match": ["harbour", "open", match.code],
        "blank_sheets_pdf": ["harbour", "open", 1],
    }
    addresses = {name: reverse(name, args=arguments) for name, arguments in pages.items()}
    addresses["as of a round"] = f"{addresses['event']}?round=25"
    taken = {}
    for name, address in addresses.items():
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address)
        assert response.status_code == 200
        assert len(response.content) < MOST_BYTES or name == "crosstable_pdf", name
        taken[name] = len(queries)
    # The results are read anew for a table as of a round.
    assert taken.pop("as of a round") < FEWER_THAN + 2
    assert {name: count for name, count in taken.items() if count >= FEWER_THAN} == {}, taken
