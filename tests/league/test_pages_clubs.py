"""What the front page of a club shows first, and where it leads."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.group_rounds import draw_groups
from league.events.front_page import front_page_events, season_events
from league.models import Club, Event, EventState
from tests.factories import OPERATOR, ClubFactory, EventFactory, SeasonFactory
from tests.league.test_group_rounds import group_cup, play_groups
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


def test_what_can_be_entered_comes_first_and_what_is_over_last() -> None:
    club = ClubFactory.create()
    season = SeasonFactory.create(club=club, starts_on=datetime.date(2026, 6, 1))
    for name, state in (
        ("draft", EventState.DRAFT),
        ("open", EventState.OPEN),
        ("archived", EventState.ARCHIVED),
        ("running", EventState.RUNNING),
        ("finished", EventState.FINISHED),
        ("running later", EventState.RUNNING),
    ):
        EventFactory.create(club=club, name=name, state=state, season=season)
    # Without a season, which used to be the last of all.
    EventFactory.create(club=club, name="open to all", state=EventState.OPEN)
    seen = Event.objects.all()
    names = [event.name for event in front_page_events(club, seen=seen)]
    expected = ["open", "open to all", "running later", "running", "draft", "finished", "archived"]
    assert names == expected
    expected.remove("open to all")
    assert [event.name for event in season_events(season, seen=seen)] == expected


def test_the_first_of_one_group_is_not_the_first_of_the_event(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    (listed,) = front_page_events(club, seen=Event.objects.filter(pk=event.pk))
    assert listed.__dict__["leading"] == []


def test_ratings_can_be_reached_from_every_page(client: Client) -> None:
    ClubFactory.create(slug="harbour")
    address = reverse("ratings", args=["harbour"])
    content = client.get(reverse("club", args=["harbour"])).content.decode()
    assert content.count(f'href="{address}"') == 2
    assert "Players Ratings" in read(client, "players", "harbour")
    assert f'href="{address}" aria-current="true"' in client.get(address).content.decode()
