"""The race of an event: the table after every round, for who may know it, and where there is one."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.models import Adjustment, Club, Entry, Event, Match, Player, Role, Round, ShownAs
from league.policy.naming import AS_WRITTEN
from league.tables.races import MOST_RUNNERS, has_race, races_of
from league.tables.standings import standings_as_of
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    house_rules,
    play,
)

pytestmark = pytest.mark.django_db


def played(club: Club, **settings: Any) -> Event:
    """Four players over three rounds: Ann beats all others, Bob beats Cid and Dan, who came for the second.

    All games are won 100 to 0, so that those of equal points have equal nets.
    """
    event = EventFactory.create(
        club=club, slug="league", name="League", **{"rules": house_rules(columns=1)} | settings
    )
    a, b, c = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    d = EntryFactory.create(event=event, name="Dan", first_round=2)
    for pairs in ([(a, b)], [(a, c), (b, d)], [(a, d), (b, c)]):
        round_ = RoundFactory.create(event=event)
        for first, second in pairs:
            play(MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second), 100)
    recalculate(event.pk)
    return event


def told(event: Event) -> dict[str, list[int | None]]:
    (race,) = races_of(event, AS_WRITTEN, ())
    return {row.named.name: list(row.ranks) for row in race.rows}


def test_ranks_after_each_round_worked_by_hand(club: Club) -> None:
    """After one Ann has won, Cid has not played, Bob has lost; he then wins twice, Cid and Dan never."""
    event = played(club)
    ranks = told(event)
    assert list(ranks)[:2] == ["Ann", "Bob"]
    assert ranks["Ann"] == [1, 1, 1]
    assert ranks["Bob"] == [3, 2, 2]
    assert (ranks["Cid"][0], ranks["Dan"][0]) == (2, None)
    assert {ranks["Cid"][1], ranks["Dan"][1]} <= {3, 4}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"late_points": 1, "criteria": ["match_points", "buchholz", "lot"]},
        {"absent_strength": "fide", "format": "swiss", "criteria": ["match_points", "buchholz", "net"]},
    ],
)
def test_every_round_is_the_table_as_of_it(club: Club, settings: dict[str, Any]) -> None:
    event = played(club, **settings)
    Adjustment.objects.create(
        event=event,
        entry=event.entries.get(name="Cid"),
        points=1,
        reason="late",
        **Adjustment.actor_fields(OPERATOR),
    )
    (race,) = races_of(event, AS_WRITTEN, ())
    for place, number in enumerate(race.rounds):
        then = {row.entry.name: row.rank for row in standings_as_of(event, number)}
        assert {row.named.name: row.ranks[place] for row in race.rows if row.ranks[place]} == then


def test_rounds_held_back_are_in_no_race(client: Client, club: Club) -> None:
    event = played(club, holds_results=True)
    address = reverse("event_race", args=["harbour", "league"])
    assert "when two rounds have results" in client.get(address).content.decode()
    for number in (1, 2):
        release_round(actor=OPERATOR, round_=event.rounds.get(number=number))
    assert told(event)["Bob"] == [3, 2]
    client.force_login(UserFactory.create(club=club, role=Role.OWNER))
    (race,) = client.get(address).context["races"]
    assert race.rounds == [1, 2], "the table is what everybody has"


def test_page_draws_it_twice_with_a_table_and_marks_one_s_own(client: Client, club: Club) -> None:
    event = played(club)
    user = UserFactory.create(club=club, role=Role.MEMBER)
    Player.objects.filter(name="Cid").update(user=user)
    address = reverse("event_race", args=["harbour", "league"])
    page = client.get(address).content.decode()
    assert page.count("<svg") == 2
    assert page.count("<polyline") == 8
    assert page.count("<tr") == 5
    assert "race-own" not in page
    assert "style=" not in page
    client.force_login(user)
    own = client.get(address).content.decode()
    assert len(re.findall("race-own", own)) == 2
    assert (
        reverse("event_race", args=["harbour", event.slug])
        in client.get(reverse("event", args=["harbour", "league"])).content.decode()
    )


def test_race_calls_the_covered_by_initials(client: Client, club: Club) -> None:
    event = played(club)
    Player.objects.filter(club=club).update(shown_as=ShownAs.INITIALS)
    Player.objects.filter(name="Ann").update(name="Annabella Covertson")
    Entry.objects.filter(event=event, name="Ann").update(name="Annabella Covertson")
    page = client.get(reverse("event_race", args=["harbour", "league"])).content.decode()
    assert "A. C." in page
    assert "Covertson" not in page


def test_ladders_brackets_and_large_fields_have_none(client: Client, club: Club) -> None:
    for format_, has in (("ladder", False), ("single", False), ("groups", True), ("swiss", True)):
        event = EventFactory.create(club=club, format=format_, slug=format_)
        assert has_race(event, MOST_RUNNERS) is has, format_
        address = reverse("event_race", args=["harbour", format_])
        assert client.get(address).status_code == (200 if has else 404), format_
    assert not has_race(event, MOST_RUNNERS + 1)


def test_it_takes_few_queries(client: Client, club: Club) -> None:
    played(club)
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("event_race", args=["harbour", "league"]))
    assert len(queries) < 15, [query["sql"][:90] for query in queries]


def test_group_is_a_race_of_its_own(club: Club) -> None:
    event = EventFactory.create(club=club, format="groups", slug="cup", rules=house_rules(columns=1))
    entries = [
        EntryFactory.create(event=event, name=name, group=group)
        for name, group in (("Ann", 1), ("Bob", 1), ("Cid", 2), ("Dan", 2))
    ]
    for points in (100, -100):
        round_: Round = RoundFactory.create(event=event)
        for first, second in (entries[:2], entries[2:]):
            match: Match = MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second)
            play(match, points)
    races = races_of(event, AS_WRITTEN, ())
    assert [race.group for race in races] == [1, 2]
    assert [row.ranks[0] for race in races for row in race.rows if row.named.name in ("Ann", "Cid")] == [1, 1]
