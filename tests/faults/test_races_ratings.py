"""Races for the ratings of a club: once all requests are served they are those of all results."""

import threading
from collections.abc import Callable
from functools import partial

import pytest

from league.draws import recalculating
from league.models import Club, Match, Rating, RatingsRequest, RatingStep
from league.tables import ratings
from league.upkeep.rebuilding_ratings import check_ratings
from scoring.services import correct_deals, record_deals
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, won
from tests.faults.threads import DEADLINE_SECONDS, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def matches(transactional_db: None) -> list[Match]:
    """Two events of the same six players, a round of three matches in each, nothing played."""
    club = ClubFactory.create()
    made = []
    players = None
    for _ in range(2):
        event = EventFactory.create(club=club)
        entries = [
            EntryFactory.create(event=event, name=f"Player {number}", players=players and [players[number]])
            for number in range(6)
        ]
        players = [entry.players.get() for entry in entries]
        round_ = RoundFactory.create(event=event)
        made += [
            MatchFactory.create(event=event, round=round_, entry_a=entries[pair], entry_b=entries[5 - pair])
            for pair in range(3)
        ]
    return made


def finish(match: Match) -> None:
    assert match.sheet is not None
    deals = [won(match.entry_a.name, str(match.entry_b), 40)]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, stopped=True)
    recalculating.recalculate(match.event_id)


def correct(match: Match) -> None:
    assert match.sheet is not None
    changes = {1: won(str(match.entry_b), match.entry_a.name, 40)}
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes=changes, reason="the other side")
    recalculating.recalculate(match.event_id)


def club_of(matches: list[Match]) -> Club:
    return Club.objects.get(pk=matches[0].event.club_id)


def assert_ratings_are_right(club: Club) -> None:
    assert not RatingsRequest.objects.exists()
    found = check_ratings(club)
    assert (found.lines, found.waits) == ([], False)


def test_results_corrections_and_workers_all_at_once(matches: list[Match]) -> None:
    club = club_of(matches)

    def evening(match: Match) -> None:
        finish(match)
        ratings.recalculate(club.pk)
        correct(match)
        ratings.recalculate(club.pk)

    def work() -> None:
        for _ in range(10):
            ratings.recalculate(club.pk)

    evenings = [partial(evening, match) for match in matches]
    calls: list[Callable[[], None]] = [*evenings, work, work]
    at_once(calls)
    ratings.recalculate(club.pk)
    assert_ratings_are_right(club)
    assert Rating.objects.filter(player__club=club, matches=2).count() == 6
    assert RatingStep.objects.count() == 12


def test_slow_calculation_does_not_overwrite_a_newer_one(
    matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read; then a result is corrected and another worker writes; then it wants to write."""
    club = club_of(matches)
    finish(matches[0])
    has_read, may_write = threading.Event(), threading.Event()
    calculate = ratings.current_ratings
    slow_thread: list[int] = []

    def slow(club_id: int) -> ratings.RatingsNow:
        read = calculate(club_id)
        if slow_thread and threading.get_ident() == slow_thread.pop():
            has_read.set()
            assert may_write.wait(DEADLINE_SECONDS)
        return read

    def older() -> None:
        slow_thread.append(threading.get_ident())
        ratings.recalculate(club.pk)

    def newer() -> None:
        assert has_read.wait(DEADLINE_SECONDS)
        correct(matches[0])
        assert ratings.recalculate(club.pk)
        may_write.set()

    monkeypatch.setattr(ratings, "current_ratings", slow)
    at_once([older, newer])
    best = Rating.objects.order_by("-mu").first()
    assert best is not None
    assert best.player.name == str(matches[0].entry_b)
    assert_ratings_are_right(club)
