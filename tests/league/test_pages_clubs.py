"""What the front page of a club shows first, and where it leads."""

import datetime
from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.draws.group_rounds import draw_groups
from league.events.front_page import EventLine, archive, front_page, lines_of, navigation, season_events
from league.models import Club, Event, EventState, Round
from tests.factories import OPERATOR, ClubFactory, EventFactory, RoundFactory, SeasonFactory
from tests.league.test_group_rounds import group_cup, play_groups
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


def names(lines: Sequence[EventLine]) -> list[str]:
    return [line.event.name for line in lines]


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
    events, rounds, today = Event.objects.all(), Round.objects.all(), timezone.localdate()
    front = front_page(club, seen=events, rounds=rounds, today=today)
    assert front.on_now == []
    assert names(front.open) == ["open", "open to all"]
    assert names(front.running) == ["running later", "running"]
    assert names(front.drafts) == ["draft"]
    assert names(front.finished) == ["finished", "archived"]
    expected = ["open", "running later", "running", "draft", "finished", "archived"]
    assert names(season_events(season, seen=events, rounds=rounds, today=today)) == expected
    # The menu has what is on.
    assert [event.name for event in navigation(club, seen=events, today=today)] == [
        "running later",
        "running",
        "open",
    ]
    tonight = Event.objects.get(name="open to all")
    RoundFactory.create(event=tonight, date=today)
    assert navigation(club, seen=events, today=today)[0] == tonight
    # And nothing is out of reach.
    found, lines = archive(club, 1, seen=events, rounds=rounds, today=today)
    assert sorted(names(lines)) == sorted([*expected, "open to all"])
    assert not found.has_next()


def test_the_first_of_one_group_is_not_the_first_of_the_event(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    (line,) = lines_of(
        Event.objects.filter(pk=event.pk), rounds=Round.objects.all(), today=timezone.localdate()
    )
    assert line.first is None


def test_ratings_can_be_reached_from_every_page(client: Client) -> None:
    ClubFactory.create(slug="harbour")
    address = reverse("ratings", args=["harbour"])
    content = client.get(reverse("club", args=["harbour"])).content.decode()
    assert content.count(f'href="{address}"') == 2
    assert "Players Ratings" in read(client, "players", "harbour")
    assert f'href="{address}" aria-current="true"' in client.get(address).content.decode()
