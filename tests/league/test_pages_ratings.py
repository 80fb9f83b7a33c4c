"""The pages of ratings: the list, and how a player came to the own."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.core.ratings import PROVISIONAL_BELOW
from league.models import Club, Event, Match, Player, Rating, RatingsRequest, Role
from league.people.players import merge_players
from league.policy.naming import AS_WRITTEN
from league.record.requests import request_ratings
from league.tables import ratings
from league.tables.rating_lists import rating_history, ratings_of
from scoring.core.skills import shown
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    big_event,
    play,
)
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


def rated(club: Club, name: str, mu: float, matches: int = 20) -> Player:
    player: Player = PlayerFactory.create(club=club, name=name)
    Rating.objects.create(player=player, mu=mu, sigma=2, matches=matches)
    return player


@pytest.fixture
def event(club: Club) -> Event:
    """Ann beats Bob, draws with Cid, loses to Bob."""
    event = EventFactory.create(club=club, name="Winter Cup", slug="winter-cup")
    ann, bob, cid = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    for a, b, points in ((ann, bob, (40,)), (ann, cid, (30, -30)), (bob, ann, (20,))):
        play(MatchFactory.create(event=event, entry_a=a, entry_b=b), *points, stopped=True)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    return event


def test_list_is_by_rating_who_is_level_shares_a_place(club: Club) -> None:
    for name, mu in (("Cid", 27.0), ("Ann", 28.0), ("Åse", 27.001), ("Bob", 24.0)):
        rated(club, name, mu)
    rated(club, "New", 40.0, matches=PROVISIONAL_BELOW - 1)
    listed = ratings_of(club, AS_WRITTEN)
    assert [(each.rank, each.player.name, each.rating) for each in listed.ranked] == [
        (1, "Ann", 1590),
        (2, "Åse", 1560),
        (2, "Cid", 1560),
        (4, "Bob", 1470),
    ]
    assert [(each.rank, each.player.name) for each in listed.provisional] == [(None, "New")]


def test_list_leaves_out_who_was_merged_and_who_is_another_clubs(client: Client, club: Club) -> None:
    keep, drop = rated(club, "Ann", 28), rated(club, "A. Ann", 27)
    rated(ClubFactory.create(), "Stranger", 29)
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    text = read(client, "ratings", "harbour")
    assert "Ann 1590 ±60" in text
    assert "A. Ann" not in text
    assert "Stranger" not in text
    assert client.get(reverse("rating", args=["harbour", drop.code])).headers["Location"] == reverse(
        "rating", args=["harbour", keep.code]
    )


def test_list_says_what_is_missing(client: Client, club: Club) -> None:
    assert "No match is rated yet." in read(client, "ratings", "harbour")
    rated(club, "Ann", 28, matches=3)
    text = read(client, "ratings", "harbour")
    assert "Provisional, fewer than 10 matches – Ann 1590" in text
    RatingsRequest.objects.create(club=club)
    assert "being recalculated" in read(client, "ratings", "harbour")


def test_history_tells_every_match_and_what_it_did(client: Client, event: Event) -> None:
    ann = Player.objects.get(name="Ann")
    history = rating_history(ann)
    assert [([entry.name for entry in step.opponents], step.verdict) for step in history.steps] == [
        (["Bob"], "lost"),
        (["Cid"], "drawn"),
        (["Bob"], "won"),
    ]
    newest, middle, first = history.steps
    assert first.before == 1500
    assert (first.after, middle.after) == (middle.before, newest.before)
    assert newest.after == history.rating == shown(Rating.objects.get(player=ann).mu)
    assert first.change > 0 > newest.change
    assert (history.matches, history.provisional) == (3, True)
    assert history.highest == max(step.after for step in history.steps)
    text = read(client, "rating", "harbour", ann.code)
    change = f"{newest.change}".replace("-", "−")
    assert f"Bob lost Bob v Ann {change} {newest.after} {newest.spread}" in text
    assert "Rated matches 3" in text


def test_line_is_drawn_without_style_and_has_the_table_beside_it(client: Client, event: Event) -> None:
    ann = Player.objects.get(name="Ann")
    page = client.get(reverse("rating", args=["harbour", ann.code])).content.decode()
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert [len(re.findall("<polyline", drawing)) for drawing in drawings] == [1, 1]
    assert all('aria-hidden="true"' in drawing for drawing in drawings)
    assert "style=" not in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert page.count("<tr") == 4


def test_history_of_a_pair_says_with_whom(club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2)
    players = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob")]
    team = EntryFactory.create(event=event, name="The Ants", players=players)
    other = EntryFactory.create(event=event, name="The Bees")
    day = datetime.date(2026, 3, 4)
    match: Match = MatchFactory.create(event=event, entry_a=other, entry_b=team, planned_on=day)
    play(match, 40, stopped=True)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    (step,) = rating_history(players[1]).steps
    assert (step.own, step.opponents, step.verdict, step.date) == ((team,), (other,), "lost", day)


def test_player_without_a_rated_match_has_a_page(client: Client, club: Club) -> None:
    player = PlayerFactory.create(club=club)
    assert "No match is rated yet." in read(client, "rating", "harbour", player.code)


def test_page_of_a_player_names_the_rating(client: Client, club: Club, event: Event) -> None:
    ann, old = Player.objects.get(name="Ann"), rated(club, "Old Hand", 28)
    now = rating_history(ann)
    assert f"Rating {now.rating} ±{now.spread} provisional" in read(client, "player", "harbour", ann.code)
    assert "Rating 1590 ±60 Columns" in read(client, "player", "harbour", old.code)
    new = PlayerFactory.create(club=club)
    assert "±" not in read(client, "player", "harbour", new.code)


def test_pages_lead_to_each_other(client: Client, event: Event) -> None:
    ann = Player.objects.get(name="Ann")
    links = {
        "players": (["harbour"], reverse("ratings", args=["harbour"])),
        "player": (["harbour", ann.code], reverse("rating", args=["harbour", ann.code])),
        "ratings": (["harbour"], reverse("rating", args=["harbour", ann.code])),
        "rating": (["harbour", ann.code], reverse("ratings", args=["harbour"])),
    }
    for name, (arguments, link) in links.items():
        assert f'href="{link}"' in client.get(reverse(name, args=arguments)).content.decode(), name


def test_ratings_of_a_private_club_are_its_members_own(client: Client) -> None:
    club = ClubFactory.create(slug="secret", is_public=False)
    player = rated(club, "Ann", 28)
    pages = [reverse("ratings", args=["secret"]), reverse("rating", args=["secret", player.code])]
    assert [client.get(page).status_code for page in pages] == [404, 404]
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    answers = [client.get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert all("private" in answer.headers["Cache-Control"] for answer in answers)


@pytest.mark.dear("needs a club of many players")
def test_pages_of_a_big_club_take_few_queries(client: Client) -> None:
    club = ClubFactory.create(slug="big")
    RoundFactory.create(event=EventFactory.create(club=club))
    event = big_event(entries=200, matches=5000, event=EventFactory.create(club=club), sheets=False)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    player = Player.objects.filter(entries__event=event).earliest("pk")
    for name, arguments in (("ratings", ["big"]), ("rating", ["big", player.code])):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(reverse(name, args=arguments))
        assert len(queries) < 12, name
        assert len(response.content) < 300_000, name
