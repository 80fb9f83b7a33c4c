"""Points from a bye are explained wherever they show."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Event, MatchState, Player
from league.people.records import players_of
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    count_table,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Ann beat Bob while Cid had the bye; next week Ann has it."""
    club = ClubFactory.create(slug="harbour")
    event = EventFactory.create(club=club, slug="league")
    ann, bob, cid = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    first, second = RoundFactory.create(event=event), RoundFactory.create(event=event)
    MatchFactory.create(event=event, round=first, entry_a=ann, entry_b=bob)
    MatchFactory.create(event=event, round=first, entry_a=cid, entry_b=None, state=MatchState.BYE)
    MatchFactory.create(event=event, round=second, entry_a=bob, entry_b=cid)
    MatchFactory.create(event=event, round=second, entry_a=ann, entry_b=None, state=MatchState.BYE)
    first.matches.filter(entry_a=ann).update(state=MatchState.FINISHED, winner_side=0, net=10, columns_a=1)
    count_table(event.pk)
    return event


def read(client: Client, name: str, *args: object) -> str:
    content = client.get(reverse(name, args=["harbour", *args])).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", content)).split())


def test_the_table_marks_points_from_a_bye_that_counts(client: Client, event: Event) -> None:
    table = event_table(event, AS_WRITTEN)
    assert {row.named.name: row.marks for row in table.rows} == {"Ann": "", "Bob": "", "Cid": "*"}
    text = read(client, "event", "league")
    assert "2 for a sheet won, 1 for a draw, 2 for a bye" in text
    assert "* includes 2 points per bye" in text


def test_a_bye_that_gives_nothing_needs_no_mark(event: Event) -> None:
    event.bye_points = 0
    event.save()
    assert event_table(event, AS_WRITTEN).bye_mark == ""


def test_the_page_says_that_groups_are_compared_per_match(client: Client, event: Event) -> None:
    said = "Between groups what counts is per match played; rests are left out."
    assert said not in read(client, "event", "league")
    Event.objects.filter(pk=event.pk).update(format="groups", group_count=2)
    for number, name in enumerate(("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus")):
        entry = event.entries.filter(name=name).first() or EntryFactory.create(event=event, name=name)
        event.entries.filter(pk=entry.pk).update(group=1 if number < 3 else 2)
    count_table(event.pk)
    assert said in read(client, "event", "league")
    Event.objects.filter(pk=event.pk).update(rests_between_groups=True)
    assert said not in read(client, "event", "league")


def test_the_byes_are_among_the_players_matches(client: Client, event: Event) -> None:
    assert "bye, points: 2" in read(client, "player", Player.objects.get(name="Cid").code)
    text = read(client, "player", Player.objects.get(name="Ann").code)
    assert "bye, points: 2" not in text
    assert "14 Jan 2026 14 Jan League" in text.replace(event.name, "League")


def test_players_stand_in_the_order_of_their_letters(event: Event) -> None:
    for name in ("Zoë", "Åse", "Çelik"):
        PlayerFactory.create(club=event.club, name=name)
    players = players_of(event.club, AS_WRITTEN)
    assert [player.name for player in players] == [
        "Ann",
        "Åse",
        "Bob",
        "Çelik",
        "Cid",
        "Zoë",
    ]
