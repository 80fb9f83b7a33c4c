"""The hall's screen says what guests may read, whoever has opened it, and what is of use at the moment."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.models import Event, EventState, Match, Player, Role, ShownAs
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    RoundFactory,
    UserFactory,
    count_table,
    drawn_match,
    play,
)
from tests.league.ladder_cases import challenge, ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"), slug="league", state=EventState.RUNNING, holds_results=True
    )
    return drawn_match(event, "Ann Abel", "Bob", table=7)


def heads(event: Event, role: Role | None = None) -> list[str]:
    """The titles of the panels, as who has this role reads them."""
    return re.findall(r"<h2[^>]*>(.*?)</h2>", screen(event, role))


def screen(event: Event, role: Role | None = None) -> str:
    client = Client()
    if role is not None:
        client.force_login(UserFactory.create(club=event.club, role=role))
    answer = client.get(reverse("event_screen", args=["harbour", event.slug]))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def titles(event: Event) -> list[str]:
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", head)).strip() for head in heads(event)]


def test_it_says_what_is_of_use_now(match: Match) -> None:
    event = match.event
    Event.objects.filter(pk=event.pk).update(holds_results=False)
    assert titles(event) == ["Round 1: your table", "Round 1 0 of 1 played", "Now"]
    play(match, 40)
    # Whoever plays has found his table.
    assert titles(event) == ["Round 1 0 of 1 played", "Now"]
    play(match, 91, stopped=True)
    count_table(event.pk)
    assert titles(event) == ["Standings", "What comes next"]
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    assert titles(event) == ["Standings", "Winner"]


def test_before_the_first_round_it_says_who_plays_and_when_it_begins() -> None:
    club = ClubFactory.create(slug="harbour", time_zone="Europe/Paris")
    event = EventFactory.create(club=club, state=EventState.OPEN)
    EntryFactory.create(event=event, name="Ann Abel")
    assert titles(event) == ["Who plays", "What comes next"]
    assert "Ann Abel" in screen(event)
    event.starts_at = datetime.datetime(2026, 12, 3, 18, tzinfo=datetime.UTC)
    event.save()
    assert "Thursday 3 December, 19:00" in screen(event)


def test_a_result_that_is_held_back_is_not_on_the_wall(match: Match) -> None:
    assert play(match, 91, 91, stopped=True).net == 548
    count_table(match.event_id)
    for role in (None, Role.SCOREKEEPER, Role.DIRECTOR):
        said = screen(match.event, role)
        assert "548" not in said
        assert "hidden until the director releases" in said
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(match.event_id)
    assert "548" in screen(match.event)


def test_a_nickname_is_all_that_the_wall_says(match: Match) -> None:
    Player.objects.filter(name="Ann Abel").update(shown_as=ShownAs.NICKNAME, nickname="Ace")
    for role in (None, Role.MEMBER, Role.DIRECTOR):
        said = screen(match.event, role)
        assert "Ace" in said
        assert "Abel" not in said


def test_a_round_that_is_a_draft_is_not_on_the_wall(match: Match) -> None:
    RoundFactory.create(event=match.event, state="drafted")
    assert "Round 2" not in screen(match.event, Role.DIRECTOR)


def test_nobody_has_won_while_a_result_is_held_back(match: Match) -> None:
    play(match, 91, 91, stopped=True)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    count_table(match.event_id)
    assert not {"Winner", "Winners"} & set(titles(match.event))
    assert "Thank you all" not in screen(match.event)
    Event.objects.filter(pk=match.event_id).update(holds_results=False)
    count_table(match.event_id)
    for state in (EventState.FINISHED, EventState.ARCHIVED):
        Event.objects.filter(pk=match.event_id).update(state=state)
        assert titles(match.event)[-1] == "Winner"
        assert re.search(r'class="great">Ann.Abel</p>', screen(match.event))


def test_a_ladder_has_no_rounds_on_the_wall_and_says_no_day_that_is_past() -> None:
    event = ladder(3, club=ClubFactory.create(slug="harbour"))
    event.starts_at = datetime.datetime(2026, 12, 3, 18, tzinfo=datetime.UTC)
    event.save()
    challenge(event, "C", "A")
    assert titles(event) == ["Standings", "What comes next"]
    said = screen(event)
    assert "Round 1" not in said
    assert "3 December" not in said
