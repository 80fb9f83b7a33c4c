"""Races for one table: whatever overlaps, once all requests are served the table is that of all results."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from league.draws.forfeits import award_walkover, clear_award
from league.draws.recalculating import recalculate
from league.models import Event, Match, Standing, StandingsRequest
from league.tables.results import Ranked, ranking_of
from league.tables.standings import current_standings
from scoring.services import correct_deals, record_deals
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, sheet_of, won
from tests.faults.threads import DEADLINE_SECONDS, at_once
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Six entries and three rounds, nothing played."""
    event = EventFactory.create()
    entries = [EntryFactory.create(event=event, name=f"Entry {number}") for number in range(6)]
    for turn in range(3):
        round_ = RoundFactory.create(event=event)
        for pair in range(3):
            first, second = entries[pair], entries[3 + (pair + turn) % 3]
            MatchFactory.create(event=event, round=round_, entry_a=first, entry_b=second)
    return event


def finish(match: Match, points: int = 40) -> None:
    deals = [won(match.entry_a.name, str(match.entry_b), points)]
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals, stopped=True)


def correct(match: Match, points: int) -> None:
    changes = {1: won(str(match.entry_b), match.entry_a.name, points)}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes=changes, reason="the other side")


def matches_of(event: Event) -> list[Match]:
    return list(event.matches.select_related("sheet", "entry_a", "entry_b").order_by("id"))


def stored(event: Event) -> list[tuple[Any, ...]]:
    rows = Standing.objects.filter(event=event).order_by("position")
    return [(row.entry_id, row.rank, row.played, row.points, row.net, row.boxes) for row in rows]


def assert_table_is_right(event: Event) -> None:
    assert not StandingsRequest.objects.filter(event=event).exists()
    computed = current_standings(event)
    assert stored(event) == [
        (row.entry_id, row.rank, row.played, row.points, row.net, row.boxes) for row in computed
    ]


def calculating(monkeypatch: pytest.MonkeyPatch, between: Callable[[], None]) -> None:
    """Has `between` happen once, after a calculation has read and before it writes."""
    waiting = [between]
    lock = threading.Lock()

    def ranking_then_pause(event: Event, entries: Any, **how: Any) -> list[Ranked]:
        ranking = ranking_of(event, entries, **how)
        with lock:
            call = waiting.pop() if waiting else None
        if call is not None:
            call()
        return ranking

    monkeypatch.setattr("league.tables.standings.ranking_of", ranking_then_pause)


def calculate(event: Event) -> Callable[[], None]:
    def call() -> None:
        recalculate(event.pk)

    return call


def elsewhere(call: Callable[[], None]) -> None:
    """Has it done by another thread, on a connection of its own."""
    at_once([call])


def test_several_recalculations_at_once(event: Event) -> None:
    for match in matches_of(event):
        finish(match)
    at_once([partial(recalculate, event.pk) for _ in range(6)])
    assert_table_is_right(event)


def test_hand_committed_in_the_middle_of_a_recalculation(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = matches_of(event)
    finish(first)
    has_read, may_write = threading.Event(), threading.Event()

    def pause() -> None:
        has_read.set()
        assert may_write.wait(DEADLINE_SECONDS)

    calculating(monkeypatch, pause)

    def commit_a_hand() -> None:
        assert has_read.wait(DEADLINE_SECONDS)
        # Recording does not wait for the calculation, which holds no lock while it computes.
        finish(second, 70)
        may_write.set()

    at_once([calculate(event), commit_a_hand])
    assert {row[2] for row in stored(event)} == {0, 1}
    assert sum(row[2] for row in stored(event)) == 4, "both matches are in the table"
    assert_table_is_right(event)


def test_correction_committed_in_the_middle_of_a_recalculation(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = matches_of(event)
    finish(first)
    calculating(monkeypatch, partial(elsewhere, partial(correct, first, 55)))
    recalculate(event.pk)
    assert stored(event)[0][0] == first.entry_b_id
    assert_table_is_right(event)


def test_slow_calculation_does_not_overwrite_a_newer_one(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = matches_of(event)
    finish(first)
    newer: list[list[tuple[Any, ...]]] = []

    def overtake() -> None:
        finish(second, 70)
        recalculate(event.pk)
        newer.append(stored(event))

    calculating(monkeypatch, partial(elsewhere, overtake))
    recalculate(event.pk)
    assert stored(event) == newer[0]
    assert_table_is_right(event)


def test_results_and_recalculations_all_at_once(event: Event) -> None:
    """The evening's end: results, corrections, a walkover given and taken back, and workers meanwhile."""
    matches = matches_of(event)

    def play(match: Match, points: int) -> None:
        finish(match, points)
        correct(match, points + 1)
        recalculate(event.pk)

    def direct(match: Match) -> None:
        fields: dict[str, Any] = {"actor": OPERATOR, "match": match, "reason": "did not come"}
        award_walkover(**fields, winner_side=0)
        recalculate(event.pk)
        clear_award(**fields)
        finish(match)

    def work() -> None:
        for _ in range(8):
            recalculate(event.pk)

    players = [partial(play, match, 10 + n) for n, match in enumerate(matches[:6])]
    calls: list[Callable[[], None]] = [*players, partial(direct, matches[6]), work, work]
    at_once(calls)
    recalculate(event.pk)
    assert_table_is_right(event)
    assert sum(row[2] for row in stored(event)) == 2 * 7
    for match in matches:
        assert match.sheet is not None
        assert_derived(match.sheet)


def test_requests_commit_in_another_order_than_their_ids(event: Event) -> None:
    """A request with a lower id appears after one with a higher was served.

    On PostgreSQL the second is written and served while the first is not committed. SQLite has one writer
    at a time, so there the first commits first; what must come out is the same.
    """
    first, second, *_ = matches_of(event)
    can_overlap = connection.vendor == "postgresql"
    has_written, is_served = threading.Event(), threading.Event()

    def slow() -> int:
        with transaction.atomic():
            finish(first)
            request = StandingsRequest.objects.latest("id").pk
            has_written.set()
            if can_overlap:
                assert is_served.wait(DEADLINE_SECONDS)
        return request

    def quick() -> int:
        assert has_written.wait(DEADLINE_SECONDS)
        finish(second)
        request = StandingsRequest.objects.latest("id").pk
        recalculate(event.pk)
        is_served.set()
        return request

    earlier, later = at_once([slow, quick])
    assert earlier < later
    if can_overlap:
        assert list(StandingsRequest.objects.values_list("pk", flat=True)) == [earlier]
        assert sum(row[2] for row in stored(event)) == 2
    recalculate(event.pk)
    assert sum(row[2] for row in stored(event)) == 4
    assert_table_is_right(event)


def test_recording_does_not_wait_for_the_table_being_written(event: Event) -> None:
    """On PostgreSQL a hand is recorded while a calculation holds the event; on SQLite it takes its turn."""
    first, second, *_ = matches_of(event)
    finish(first)
    holds_event, hand_is_in = threading.Event(), threading.Event()
    can_overlap = connection.vendor == "postgresql"

    def hold() -> None:
        with transaction.atomic():
            Event.objects.select_for_update(no_key=True).get(pk=event.pk)
            recalculate(event.pk)
            holds_event.set()
            if can_overlap:
                assert hand_is_in.wait(DEADLINE_SECONDS)

    def record() -> None:
        assert holds_event.wait(DEADLINE_SECONDS)
        finish(second)
        hand_is_in.set()

    at_once([hold, record])
    recalculate(event.pk)
    assert_table_is_right(event)
