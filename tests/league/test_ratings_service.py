"""Ratings made anew: from results to rows, only what changed, only the requests that were read."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league import tasks
from league.core import ratings as core
from league.draws import recalculating
from league.draws.rounds import change_round
from league.models import (
    Appearance,
    Club,
    Event,
    Match,
    MatchState,
    Player,
    Rating,
    RatingsRequest,
    RatingStep,
    StandingsRequest,
)
from league.people.players import merge_players
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.core.skills import shown
from scoring.services import correct_deals, void_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    big_event,
    count_table,
    play,
    won,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    """Ann beats Bob, Bob beats Cid, Cid and Ann draw, Dot has a bye; the table is up to date."""
    event = EventFactory.create(club=club, name="Winter Cup")
    ann, bob, cid, dot = [
        EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dot")
    ]
    play(MatchFactory.create(event=event, entry_a=ann, entry_b=bob, label="AB"), 40, stopped=True)
    play(MatchFactory.create(event=event, entry_a=bob, entry_b=cid, label="BC"), 60, stopped=True)
    play(MatchFactory.create(event=event, entry_a=cid, entry_b=ann, label="CA"), 30, -30, stopped=True)
    MatchFactory.create(event=event, entry_a=dot, entry_b=None)
    recalculating.recalculate(event.pk)
    return event


def listed(club: Club) -> list[tuple[str, int]]:
    """Who is rated, best first, after how many matches."""
    rows = Rating.objects.filter(player__club=club).select_related("player").order_by("-mu")
    return [(row.player.name, row.matches) for row in rows]


def steps(**wanted: Any) -> list[tuple[str, str, int]]:
    rows = RatingStep.objects.filter(**wanted).select_related("player", "match").order_by("match", "player")
    return [(row.match.label, row.player.name, row.number) for row in rows if row.match is not None]


def test_a_table_that_is_written_asks_for_the_ratings_of_its_club(event: Event) -> None:
    assert list(RatingsRequest.objects.values_list("club", flat=True)) == [event.club_id]
    assert ratings.recalculate(event.club_id)
    assert not RatingsRequest.objects.exists()
    assert listed(event.club) == [("Ann", 2), ("Bob", 2), ("Cid", 2)]
    assert steps() == [
        ("AB", "Ann", 1),
        ("AB", "Bob", 1),
        ("BC", "Bob", 2),
        ("BC", "Cid", 1),
        ("CA", "Ann", 2),
        ("CA", "Cid", 2),
    ]


def test_what_is_stored_is_what_the_core_says(event: Event) -> None:
    ratings.recalculate(event.club_id)
    ids = {player.name: player.pk for player in Player.objects.filter(club=event.club)}
    pairs = [("Ann", "Bob", 0), ("Bob", "Cid", 0), ("Cid", "Ann", None)]
    wanted = core.rate(
        core.RatedMatch(number, ((ids[a],), (ids[b],)), winner) for number, (a, b, winner) in enumerate(pairs)
    )
    stored = {row.player_id: (row.mu, row.sigma) for row in Rating.objects.all()}
    assert stored == wanted.players
    kept = RatingStep.objects.order_by("match__round__number", "match__id")
    assert {
        (row.player_id, row.number, row.mu_before, row.sigma_before, row.mu, row.sigma) for row in kept
    } == {(step.player, step.number, *step.before, *step.after) for step in wanted.steps}


def test_recording_a_hand_writes_nothing_for_the_ratings(event: Event) -> None:
    match = MatchFactory.create(event=event, entry_a=event.entries.get(name="Ann"))
    with CaptureQueriesContext(connection) as queries:
        play(match, 20)
        play(match, 700)
    assert match.sheet is not None
    assert Match.objects.get(pk=match.pk).state == MatchState.PLAYING
    assert not [query for query in queries if "league_rating" in query["sql"]]


def test_without_a_request_nothing_is_done(event: Event, django_assert_num_queries: Any) -> None:
    ratings.recalculate(event.club_id)
    with django_assert_num_queries(1):
        assert not ratings.recalculate(event.club_id)
    assert not ratings.recalculate(event.club_id + 1)


def test_only_rows_that_changed_are_written(event: Event) -> None:
    ratings.recalculate(event.club_id)
    before = {row["id"]: row for row in RatingStep.objects.values()}
    request_ratings(event.club_id)
    with CaptureQueriesContext(connection) as queries:
        assert ratings.recalculate(event.club_id)
    assert not [
        query for query in queries if query["sql"].startswith(('INSERT INTO "league_rating"', "UPDATE"))
    ]
    assert {row["id"]: row for row in RatingStep.objects.values()} == before

    sheet = Match.objects.get(label="BC").sheet
    assert sheet is not None
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: won("Cid", "Bob", 60)}, reason="sides mixed up")
    recalculating.recalculate(event.pk)
    ratings.recalculate(event.club_id)
    after = {row["id"]: row for row in RatingStep.objects.values()}
    changed = {pk for pk in after if after[pk] != before[pk]}
    assert steps(pk__in=changed) == [
        ("BC", "Bob", 2),
        ("BC", "Cid", 1),
        ("CA", "Ann", 2),
        ("CA", "Cid", 2),
    ]
    assert [name for name, _matches in listed(event.club)] == ["Ann", "Cid", "Bob"]


def _held(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(held=True)


def _forfeit(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state=MatchState.FORFEIT, winner_side=0)


def _void(match: Match) -> None:
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="wrong table")


def _open_again(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state=MatchState.PLAYING)


@pytest.mark.parametrize("undo", [_held, _forfeit, _void, _open_again])
def test_a_match_that_counts_no_more_is_rated_no_more(event: Event, undo: Callable[[Match], None]) -> None:
    ratings.recalculate(event.club_id)
    undo(Match.objects.get(label="BC"))
    undo(Match.objects.get(label="CA"))
    count_table(event.pk)
    ratings.recalculate(event.club_id)
    assert listed(event.club) == [("Ann", 1), ("Bob", 1)]
    assert steps() == [("AB", "Ann", 1), ("AB", "Bob", 1)]


def test_teams_are_rated_by_who_sat_down(club: Club) -> None:
    """Two of three members play; one gives up his seat at the third deal, and the substitute is not rated."""
    event = EventFactory.create(club=club, team_size=2)
    one, two = [
        EntryFactory.create(
            event=event, players=[PlayerFactory.create(club=club, name=name) for name in names]
        )
        for names in (("Ann", "Bob", "Eve"), ("Cid", "Dot", "Fay"))
    ]
    match = play(MatchFactory.create(event=event, entry_a=one, entry_b=two), 40, stopped=True)
    Appearance.objects.create(
        round=match.round,
        match=match,
        side=0,
        position=2,
        from_deal=3,
        replaces=1,
        entry=one,
        player=Player.objects.get(name="Eve"),
    )
    (rated,) = ratings.rated_matches(club.pk)
    names = dict(Player.objects.values_list("pk", "name"))
    assert [[names[player] for player in side] for side in rated.sides] == [["Ann", "Bob"], ["Cid", "Dot"]]
    assert rated.winner == 0


def test_guests_are_rated_too(club: Club) -> None:
    event = EventFactory.create(club=club)
    guest = EntryFactory.create(event=event, name="Guest", is_guest=True)
    play(MatchFactory.create(event=event, entry_a=guest), 40, stopped=True)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    assert ("Guest", 1) in listed(club)


def test_matches_are_rated_in_the_order_of_their_days(club: Club) -> None:
    """The day it was moved to, that of its round, that its event was made on; then events, rounds, legs."""
    made = datetime.datetime(2026, 1, 20, 12, tzinfo=datetime.UTC)
    late, early = [EventFactory.create(club=club, created_at=made) for _ in range(2)]
    day = datetime.date

    def played(label: str, event: Event, date: datetime.date | None, **values: Any) -> None:
        number = values.pop("number", None) or event.rounds.count() + 1
        round_ = event.rounds.filter(number=number).first() or RoundFactory.create(
            event=event, number=number, date=date
        )
        play(MatchFactory.create(event=event, round=round_, label=label, **values), 40, stopped=True)

    played("second night", late, day(2026, 1, 14))
    played("no date", late, None)
    played("first night", early, day(2026, 1, 7))
    played("second leg", early, day(2026, 1, 14), number=2, leg=2)
    played("first leg", early, day(2026, 1, 14), number=2)
    played("moved", early, day(2026, 1, 7), planned_on=day(2026, 1, 21))
    labels = dict(Match.objects.values_list("pk", "label"))
    assert [labels[match.id] for match in ratings.rated_matches(club.pk)] == [
        "first night",
        "second night",
        "first leg",
        "second leg",
        "no date",
        "moved",
    ]


def test_a_round_that_is_moved_asks_for_the_ratings(event: Event) -> None:
    ratings.recalculate(event.club_id)
    round_ = Match.objects.get(label="AB").round
    change_round(actor=OPERATOR, round_=round_, date=round_.date)
    assert not RatingsRequest.objects.exists()
    change_round(actor=OPERATOR, round_=round_, date=datetime.date(2026, 6, 1))
    ratings.recalculate(event.club_id)
    assert steps(match__label="AB") == [("AB", "Ann", 2), ("AB", "Bob", 2)]


def test_players_that_are_merged_are_rated_as_one(event: Event) -> None:
    other = EventFactory.create(club=event.club)
    match = MatchFactory.create(event=other, entry_a=EntryFactory.create(event=other, name="A. Ann"))
    play(match, 40, stopped=True)
    recalculating.recalculate(other.pk)
    ratings.recalculate(event.club_id)
    assert ("A. Ann", 1) in listed(event.club)
    keep, drop = Player.objects.get(name="Ann"), Player.objects.get(name="A. Ann")
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    assert RatingsRequest.objects.exists()
    ratings.recalculate(event.club_id)
    assert ("Ann", 3) in listed(event.club)
    assert not Rating.objects.filter(player=drop).exists()


def test_another_clubs_ratings_are_left_alone(event: Event) -> None:
    ratings.recalculate(event.club_id)
    other = EventFactory.create()
    play(MatchFactory.create(event=other), 40, stopped=True)
    recalculating.recalculate(other.pk)
    before = list(Rating.objects.filter(player__club=event.club).values())
    ratings.recalculate(other.club_id)
    assert list(Rating.objects.filter(player__club=event.club).values()) == before
    assert len(listed(other.club)) == 2


def test_tables_that_are_ordered_by_ratings_follow_them_until_nothing_changes(event: Event) -> None:
    """Before her first match in the cup Ann was a newcomer; a match on a day before it says otherwise."""
    Event.objects.filter(pk=event.pk).update(criteria=["match_points", "rating"])
    ratings.recalculate(event.club_id)
    earlier = EventFactory.create(club=event.club, name="Autumn Cup")
    entry = EntryFactory.create(event=earlier, name="Ann", players=[Player.objects.get(name="Ann")])
    day = datetime.date(2025, 1, 1)
    play(MatchFactory.create(event=earlier, entry_a=entry, planned_on=day), 40, stopped=True)
    for _ in range(3):
        for asking in set(StandingsRequest.objects.values_list("event", flat=True)):
            recalculating.recalculate(asking)
        ratings.recalculate(event.club_id)
    assert not StandingsRequest.objects.exists()
    assert not RatingsRequest.objects.exists()
    figures = {row.entry.name: row.metrics["rating"] for row in event.standings.select_related("entry")}
    first = RatingStep.objects.get(player__name="Ann", match__event=earlier)
    assert figures["Ann"] == shown(first.mu) > figures["Bob"] == 1500


@pytest.mark.parametrize("is_written", [True, False], ids=["written", "asked for"])
def test_what_came_while_it_calculated_counts(
    event: Event, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    """A result changes, and another may calculate and write: then the older calculation writes nothing."""
    calculate = ratings.current_ratings
    meanwhile = [True]

    def slow(club_id: int) -> ratings.RatingsNow:
        read = calculate(club_id)
        if meanwhile:
            meanwhile.clear()
            Match.objects.filter(label="AB").update(winner_side=1)
            request_ratings(club_id)
            if is_written:
                assert ratings.recalculate(club_id)
        return read

    monkeypatch.setattr(ratings, "current_ratings", slow)
    assert ratings.recalculate(event.club_id) is not is_written
    assert [name for name, _matches in listed(event.club)] == ["Bob", "Cid", "Ann"]
    assert not RatingsRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_match_deleted_meanwhile_is_not_rated(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    calculate = ratings.current_ratings

    def slow(club_id: int) -> ratings.RatingsNow:
        read = calculate(club_id)
        Match.objects.filter(label="CA").delete()
        return read

    monkeypatch.setattr(ratings, "current_ratings", slow)
    ratings.recalculate(event.club_id)
    assert steps() == [("AB", "Ann", 1), ("AB", "Bob", 1), ("BC", "Bob", 2), ("BC", "Cid", 1)]


def test_sweep_wakes_a_worker_once_for_each_club(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ClubFactory.create()
    for club_id in (event.club_id, other.pk, other.pk):
        RatingsRequest.objects.create(club_id=club_id)
    sent: list[int] = []
    monkeypatch.setattr(tasks.recalculate_ratings, "delay", sent.append)
    tasks.sweep()
    assert sent == [event.club_id, other.pk]


def test_task_serves_the_requests(event: Event) -> None:
    tasks.recalculate_ratings(event.club_id)
    assert not RatingsRequest.objects.exists()
    assert len(listed(event.club)) == 3


def test_queries_do_not_grow_with_the_club(django_assert_num_queries: Any) -> None:
    for entries, matches in ((4, 6), (60, 300)):
        event = big_event(entries=entries, matches=matches, sheets=False)
        request_ratings(event.club_id)
        # Requests; matches, line-ups, friendly games, ratings, steps and weights as stored; requests locked
        # and deleted, ratings, steps and weights written; tables by rating; a look for more requests. And
        # the two that hold the transaction.
        with django_assert_num_queries(14 + 2):
            ratings.recalculate(event.club_id)
        assert Rating.objects.filter(player__club=event.club).count() == entries
