"""A season at a glance: a line of nights an event, with its winner."""

import datetime

import pytest
from django.test import Client

from league.core.pictures.season import SeasonNight, season_picture
from league.draws.recalculating import recalculate
from league.models import Event, EventState, Player, RoundState
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    SeasonFactory,
    play,
)


def _day(month: int, day: int) -> datetime.date:
    return datetime.date(2026, month, day)


def test_nights_stand_where_their_days_are_and_months_where_they_begin() -> None:
    """From 1 March to 20 April are 50 days, on 100 units between the edges."""
    spring = [SeasonNight(_day(4, 20), False), SeasonNight(_day(3, 1), True), SeasonNight(_day(3, 26), True)]
    picture = season_picture([spring, [SeasonNight(_day(3, 21), True)]], width=116)
    assert [(dot.x, dot.is_over) for dot in picture.lines[0].dots] == [(8, True), (58, True), (108, False)]
    assert [dot.x for dot in picture.lines[1].dots] == [48]
    assert picture.lines[1].y - picture.lines[0].y == 44
    assert picture.height == 2 * 44 + 24
    assert [(mark.x, mark.first, mark.is_named) for mark in picture.months] == [
        (8, _day(3, 1), True),
        (70, _day(4, 1), True),
    ]
    # A single day stands in the middle.
    assert season_picture([[SeasonNight(_day(5, 5), True)]], width=116).lines[0].dots[0].x == 58


@pytest.mark.django_db
@pytest.mark.postgresql
def test_the_page_of_a_season_shows_its_events_and_their_winners(client: Client) -> None:
    season = SeasonFactory.create(club=ClubFactory.create(slug="harbour"), slug="winter")
    event = EventFactory.create(club=season.club, season=season, name="Cup", slug="cup")
    ann, bob = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    for number in (1, 2):
        round_ = RoundFactory.create(event=event, number=number, state=RoundState.COMPLETE)
        play(MatchFactory.create(event=event, round=round_, entry_a=ann, entry_b=bob), 300, stopped=True)
    recalculate(event.pk)
    address = "/clubs/harbour/seasons/winter/"

    def told() -> str:
        return client.get(address).content.decode().partition("at a glance")[2]

    assert "season-over" in told()
    assert "Ann" not in told()
    Event.objects.update(state=EventState.FINISHED)
    # In both pictures and in the table.
    assert told().count("Ann") == 3
    Player.objects.filter(name="Ann").update(shown_as="initials")
    assert "Ann" not in told()
    assert "A." in told()
    Event.objects.update(holds_results=True)
    assert "A." not in told()
    event.rounds.filter(number=2).update(state=RoundState.DRAFTED)
    assert told() == ""
