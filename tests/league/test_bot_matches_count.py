"""Matches between bots where the event does not let them count: shown, and nothing else."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.draws.forfeits import award_forfeit
from league.draws.recalculating import recalculate
from league.events.events import change_event
from league.matches.substitutes import seat_substitute
from league.models import (
    Club,
    Event,
    IndividualStanding,
    Match,
    Rating,
    RatingsRequest,
    Round,
    Standing,
    StandingsRequest,
)
from league.tables.crosstables import crosstable_page
from league.tables.ratings import current_ratings
from league.tables.ratings import recalculate as rate_anew
from league.tables.results import points_so_far
from league.tables.standings import current_standings, standings_as_of
from league.upkeep.rebuilding import check_table
from league.upkeep.rebuilding_ratings import check_ratings
from tests.factories import (
    OPERATOR,
    EntryFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    count_table,
    play,
)
from tests.league.admin_pages import event_data, page

pytestmark = pytest.mark.django_db


def entry(event: Event, name: str, *, bot: bool = False) -> Any:
    player = PlayerFactory.create(club=event.club, name=name, strategy="simple" if bot else "")
    return EntryFactory.create(event=event, name=name, players=[player])


@pytest.fixture
def matches(event: Event) -> dict[str, Match]:
    """Two bots and two people, everybody once against a bot; the bots' match of round 1 is played."""
    event.bot_matches_count = False
    event.save()
    one, two = entry(event, "One", bot=True), entry(event, "Two", bot=True)
    ann, bob = entry(event, "Ann"), entry(event, "Bob")
    first, second = RoundFactory.create_batch(2, event=event)
    made = {
        "bots": MatchFactory.create(event=event, round=first, entry_a=one, entry_b=two),
        "people": MatchFactory.create(event=event, round=first, entry_a=ann, entry_b=bob),
        "mixed": MatchFactory.create(event=event, round=second, entry_a=one, entry_b=ann),
    }
    return {name: play(match, 150, 150, 150) for name, match in made.items()}


def played(event: Event) -> dict[str, int]:
    return {standing.entry.name: standing.played for standing in current_standings(event)}


def settle(event: Event) -> None:
    count_table(event.pk)
    rate_anew(event.club_id)


def test_match_between_bots_gives_nothing(event: Event, matches: dict[str, Match]) -> None:
    settle(event)
    assert played(event) == {"Ann": 2, "Bob": 1, "One": 1, "Two": 0}
    stored = {row.entry.name: (row.played, row.net) for row in Standing.objects.filter(event=event)}
    assert stored["Two"] == (0, 0)
    assert stored["One"] == (1, matches["mixed"].net)
    assert points_so_far(event, event.entries.all())[matches["bots"].entry_a_id] == 2
    assert {row.entry.name: row.played for row in standings_as_of(event, 1)} == {
        "Ann": 1,
        "Bob": 1,
        "One": 0,
        "Two": 0,
    }
    rated = set(Rating.objects.values_list("player__name", flat=True))
    assert rated == {"Ann", "Bob", "One"}


def test_it_counts_as_any_other_where_the_event_says_so(event: Event, matches: dict[str, Match]) -> None:
    change_event(actor=OPERATOR, event=event, bot_matches_count=True)
    assert StandingsRequest.objects.filter(event=event).exists()
    recalculate(event.pk)
    assert RatingsRequest.objects.filter(club=event.club).exists()
    rate_anew(event.club_id)
    event.refresh_from_db()
    assert played(event) == {"Ann": 2, "Bob": 1, "One": 2, "Two": 1}
    assert current_ratings(event.club_id).ratings.matches[matches["bots"].entry_b.players.get().pk] == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("counts", [True, False])
def test_rebuilding_finds_nothing(event: Event, matches: dict[str, Match], counts: bool) -> None:
    change_event(actor=OPERATOR, event=event, bot_matches_count=counts)
    settle(event)
    event.refresh_from_db()
    assert check_table(event).lines == check_ratings(event.club).lines == []


def test_forfeit_between_bots_gives_nothing(event: Event, matches: dict[str, Match]) -> None:
    third = RoundFactory.create(event=event)
    again = MatchFactory.create(
        event=event, round=third, entry_a=matches["bots"].entry_a, entry_b=matches["bots"].entry_b
    )
    before = played(event)
    award_forfeit(actor=OPERATOR, match=again, winner_side=0, reason="failed")
    assert played(event) == before


def test_person_who_takes_over_a_seat_makes_it_count(event: Event, matches: dict[str, Match]) -> None:
    third = RoundFactory.create(event=event)
    bots = matches["bots"]
    again = MatchFactory.create(event=event, round=third, entry_a=bots.entry_a, entry_b=bots.entry_b)
    play(again, 150, 150, 150)
    seat_substitute(
        actor=OPERATOR,
        match=again,
        replaces=bots.entry_a.players.get(),
        player=PlayerFactory.create(club=event.club),
        from_deal=3,
        reason="a person sat there",
    )
    assert played(event)["Two"] == 1


def test_table_of_players_leaves_it_out(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(team_size=2, format="rotation", bot_matches_count=False)
    event.refresh_from_db()
    bots = [entry(event, f"Bot {number}", bot=True) for number in range(4)]
    people = [entry(event, f"Player {number}") for number in range(3)]
    for number, four in enumerate([bots, [bots[0], *people]], start=1):
        round_ = RoundFactory.create(event=event, number=number)
        a, pa, b, pb = four
        play(
            MatchFactory.create(event=event, round=round_, entry_a=a, partner_a=pa, entry_b=b, partner_b=pb),
            60,
            stopped=True,
        )
    settle(event)
    names = set(IndividualStanding.objects.filter(event=event).values_list("player__name", flat=True))
    assert names == {"Bot 0", *(one.name for one in people)}


def test_crosstable_shows_it_in_brackets(event: Event, matches: dict[str, Match]) -> None:
    for by, want in (("opponents", 2), ("rounds", 2)):
        table = crosstable_page(event, seen=Round.objects.all(), by=by)
        figures = [each.figure for line in table.tables[0].lines for cell in line.cells for each in cell]
        assert sum(figure.startswith("(") for figure in figures) == want
        assert len(figures) == 6


def test_it_costs_no_query(
    event: Event, matches: dict[str, Match], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        current_standings(event)
    # Matches and friendly games.
    with django_assert_num_queries(3):
        current_ratings(event.club_id)


def test_the_form_of_the_event_asks(owner: Client, club: Club, event: Event) -> None:
    data = event_data(event)
    del data["bot_matches_count"]
    answer = owner.post(page("event", event), data)
    assert answer.status_code == 302
    event.refresh_from_db()
    assert event.bot_matches_count is False
    assert StandingsRequest.objects.filter(event=event).exists()
