"""The table made anew: from requests to rows, only what changed, only the requests that were read."""

from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league import models, tasks
from league.core.standings import Award, CountsAs, ScoringScheme
from league.draws.recalculating import recalculate
from league.models import (
    Adjustment,
    Event,
    Match,
    MatchState,
    PointsScheme,
    Standing,
    StandingsRequest,
    SweepMark,
)
from league.record.requests import request_standings
from league.tables.results import plain, ranking_of, scheme_of
from league.tables.standings import current_standings
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, big_event, play

pytestmark = pytest.mark.django_db

OWN, WINNERS = CountsAs.OWN_AVERAGE, CountsAs.ROUND_WINNERS


@pytest.fixture
def event() -> Event:
    """Ann beats Bob, Bob beats Cid; Dot has a bye."""
    event = EventFactory.create(criteria=["match_points", "net"])
    ann, bob, cid, dot = [
        EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dot")
    ]
    play(MatchFactory.create(event=event, entry_a=ann, entry_b=bob), 40, stopped=True)
    play(MatchFactory.create(event=event, entry_a=cid, entry_b=bob), -60, stopped=True)
    MatchFactory.create(event=event, entry_a=dot, entry_b=None)
    request_standings(event.pk)
    return event


def table(event: Event) -> list[tuple[Any, ...]]:
    rows = Standing.objects.filter(event=event).order_by("position").select_related("entry")
    return [
        (row.rank, row.entry.name, plain(row.points), row.played, row.net, row.decided_by) for row in rows
    ]


@pytest.mark.parametrize(
    ("state", "winner_side", "held", "points"),
    [
        (MatchState.SCHEDULED, None, False, 0),
        (MatchState.PLAYING, None, False, 0),
        (MatchState.FINISHED, 0, True, 0),
        (MatchState.FINISHED, 0, False, 2),
        (MatchState.STOPPED, None, False, 2),
        (MatchState.WALKOVER, 0, False, 2),
    ],
)
def test_bye_counts_when_its_round_has_a_result(
    state: MatchState, winner_side: int | None, held: bool, points: int
) -> None:
    event = EventFactory.create(criteria=["match_points", "net"])
    bye = MatchFactory.create(event=event, entry_b=None)
    match = MatchFactory.create(event=event, round=bye.round)
    Match.objects.filter(pk=match.pk).update(state=state, winner_side=winner_side, held=held)
    (row,) = [row for row in current_standings(event) if row.entry == bye.entry_a]
    assert (plain(row.points), row.played) == (points, 0)


def test_walkover_in_a_round_still_to_be_played_does_not_count_its_bye() -> None:
    event = EventFactory.create(criteria=["match_points", "net"])
    bye = MatchFactory.create(event=event, entry_b=None)
    walkover = MatchFactory.create(event=event, round=bye.round)
    MatchFactory.create(event=event, round=bye.round)
    Match.objects.filter(pk=walkover.pk).update(state=MatchState.WALKOVER, winner_side=0)
    (row,) = [row for row in current_standings(event) if row.entry == bye.entry_a]
    assert plain(row.points) == 0


def test_requests_become_a_table(event: Event) -> None:
    assert StandingsRequest.objects.filter(event=event).count() == 3
    assert recalculate(event.pk)
    assert table(event) == [
        (1, "Ann", 2, 1, 65, "net"),
        (2, "Bob", 2, 2, 85 - 65, "net"),
        (3, "Dot", 2, 0, 0, "net"),
        (4, "Cid", 0, 1, -85, ""),
    ]
    assert not StandingsRequest.objects.exists()
    event.refresh_from_db()
    assert event.calculation == 1
    assert event.standings_at is not None


def test_without_a_request_nothing_is_done(event: Event, django_assert_num_queries: Any) -> None:
    recalculate(event.pk)
    with django_assert_num_queries(1):
        assert not recalculate(event.pk)
    assert not recalculate(event.pk + 1)


def test_only_rows_that_changed_are_written(event: Event) -> None:
    recalculate(event.pk)
    request_standings(event.pk)
    with CaptureQueriesContext(connection) as queries:
        assert recalculate(event.pk)
    assert not [query for query in queries if 'INTO "league_standing" ' in query["sql"]]

    before = {row["entry_id"]: row for row in Standing.objects.values()}
    ann = event.entries.get(name="Ann")
    Adjustment.objects.create(
        event=event, entry=ann, points=Decimal("-0.5"), reason="late", **Adjustment.actor_fields(OPERATOR)
    )
    request_standings(event.pk)
    with CaptureQueriesContext(connection) as queries:
        recalculate(event.pk)
    assert len([query for query in queries if 'INTO "league_standing" ' in query["sql"]]) == 1
    assert table(event)[2] == (3, "Ann", Decimal("1.5"), 1, 65, "")
    after = {row["entry_id"]: row for row in Standing.objects.values()}
    cid = event.entries.get(name="Cid").pk
    assert after[cid] == before[cid]
    assert {row["id"] for row in after.values()} == {row["id"] for row in before.values()}
    assert Standing.objects.get(entry=ann).metrics == {"match_points": "1.5", "net": 65}


def test_other_events_are_left_alone(event: Event) -> None:
    other = EventFactory.create()
    request_standings(other.pk)
    recalculate(event.pk)
    assert StandingsRequest.objects.get().event == other


def test_requests_made_since_they_were_read_stay(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def ranking_with_another_request(event: Event, entries: Any, **how: Any) -> Any:
        ranking = ranking_of(event, entries, **how)
        if StandingsRequest.objects.count() == 3:
            request_standings(event.pk)
        return ranking

    monkeypatch.setattr("league.tables.standings.ranking_of", ranking_with_another_request)
    recalculate(event.pk)
    event.refresh_from_db()
    assert event.calculation == 2, "the request in between was served by a second calculation"
    assert not StandingsRequest.objects.exists()


def test_rounds_missed_are_unplayed_rounds_as_fide_has_it() -> None:
    """Ann beats Bob; then Cid, who came late, beats Ann, and Bob is away: 2 points each, Bob none.

    Cid's round 1 is against 2 points of his own, no more than two draws; Bob's round 2 against none, and for
    Ann, whom he met, it is a draw, as long as he does not come again.
    """
    event = EventFactory.create(
        format="swiss", criteria=["match_points", "buchholz"], bye_strength="fide", absent_strength="fide"
    )
    ann, bob = EntryFactory.create(event=event, name="Ann"), EntryFactory.create(event=event, name="Bob")
    cid = EntryFactory.create(event=event, name="Cid", first_round=2)
    first, second = (RoundFactory.create(event=event, number=number) for number in (1, 2))
    play(MatchFactory.create(event=event, round=first, entry_a=ann, entry_b=bob), 40, stopped=True)
    play(MatchFactory.create(event=event, round=second, entry_a=cid, entry_b=ann), 40, stopped=True)
    recalculate(event.pk)
    rows = Standing.objects.filter(event=event)
    assert {name: rows.get(entry__name=name).metrics["buchholz"] for name in ("Ann", "Bob", "Cid")} == {
        "Ann": (0 + 1) + 2,
        "Bob": 2 + 0,
        "Cid": 2 + 2,
    }


def test_calculation_that_was_overtaken_writes_nothing(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    overtaken: list[list[tuple[Any, ...]]] = []

    def overtake(event: Event, entries: Any, **how: Any) -> Any:
        ranking = ranking_of(event, entries, **how)
        if not overtaken:
            overtaken.append([])
            play(MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[3]), -500, stopped=True)
            recalculate(event.pk)
            overtaken[0] = table(event)
            request_standings(event.pk)
        return ranking

    monkeypatch.setattr("league.tables.standings.ranking_of", overtake)
    recalculate(event.pk)
    assert table(event) == overtaken[0]
    assert table(event)[0][1] == "Dot"


def test_calculation_always_overtaken_leaves_it_to_the_others(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtake(event: Event, entries: Any, **how: Any) -> Any:
        Event.objects.filter(pk=event.pk).update(calculation=event.calculation + 1)
        return ranking_of(event, entries, **how)

    monkeypatch.setattr("league.tables.standings.ranking_of", overtake)
    assert not recalculate(event.pk)
    assert StandingsRequest.objects.count() == 3
    assert not Standing.objects.exists()


def test_entry_made_in_the_middle_waits_for_its_own_request(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add_entry(event: Event, entries: Any, **how: Any) -> Any:
        if not event.entries.filter(name="Eve").exists():
            eve = EntryFactory.create(event=event, name="Eve")
            play(MatchFactory.create(event=event, entry_a=eve, entry_b=entries[0]), 70, stopped=True)
            Adjustment.objects.create(
                event=event, entry=eve, points=1, reason="new", **Adjustment.actor_fields(OPERATOR)
            )
        return ranking_of(event, entries, **how)

    monkeypatch.setattr("league.tables.standings.ranking_of", add_entry)
    recalculate(event.pk)
    assert table(event)[0] == (1, "Eve", 3, 1, 95, "")
    assert not StandingsRequest.objects.exists()


@pytest.mark.parametrize(
    ("changes", "counted"),
    [
        ({"state": MatchState.FORFEIT, "winner_side": 1, "net": 0}, ("Bob", 4)),
        ({"state": MatchState.WALKOVER, "winner_side": None, "net": 0}, ("Bob", 2)),
        ({"state": MatchState.PLAYING}, ("Bob", 2)),
        ({"held": True}, ("Bob", 2)),
    ],
)
def test_unplayed_and_held_matches(event: Event, changes: dict[str, Any], counted: tuple[str, int]) -> None:
    Match.objects.filter(event=event, entry_a__name="Ann").update(**changes)
    recalculate(event.pk)
    points = {name: points for _, name, points, *_ in table(event)}
    assert points[counted[0]] == counted[1]
    assert points["Ann"] == 0


def test_table_is_computed_without_being_stored(event: Event) -> None:
    computed = [(row.rank, row.entry.name, row.net) for row in current_standings(event)]
    assert not Standing.objects.exists()
    recalculate(event.pk)
    assert computed == [(rank, name, net) for rank, name, _, _, net, _ in table(event)]


@pytest.mark.parametrize(
    ("fields", "scheme"),
    [
        ({}, ScoringScheme(bye=Award(won=2, counts=False), absent=Award(won=1, counts=False))),
        (
            {
                "bye_net": "own_average",
                "bye_strength": "round_winners",
                "forfeit_net": "round_winners",
                "forfeit_strength": "own_average",
                "absent_points": 0,
                "absent_net": "own_average",
                "absent_strength": "own_average",
            },
            ScoringScheme(
                bye=Award(won=2, counts=False, net=OWN, strength=WINNERS),
                absent=Award(won=0, counts=False, net=OWN, strength=OWN),
                forfeit=Award(won=2, net=WINNERS, strength=OWN),
                walkover=Award(won=2, net=WINNERS, strength=OWN),
            ),
        ),
        (
            {
                "win_points": Decimal("3.00"),
                "draw_points": Decimal("0.5"),
                "loss_points": -1,
                "bye_points": 1,
            },
            ScoringScheme(
                win=3,
                draw=Decimal("0.5"),
                loss=-1,
                bye=Award(won=1, counts=False),
                absent=Award(won=1, counts=False),
                forfeit=Award(won=3, lost=-1),
                walkover=Award(won=3, lost=-1),
            ),
        ),
        (
            {"points_scheme": PointsScheme.COLUMNS, "column_points": 2, "sheet_points": 3, "bye_points": 4},
            ScoringScheme(
                win=3,
                draw=0,
                column=2,
                bye=Award(won=4, counts=False),
                absent=Award(won=1, counts=False),
                forfeit=Award(won=3),
                walkover=Award(won=3),
            ),
        ),
    ],
)
def test_scheme_of_an_event(fields: dict[str, Any], scheme: ScoringScheme) -> None:
    event = EventFactory.create(**fields)
    event.refresh_from_db()
    assert scheme_of(event) == scheme


@pytest.mark.parametrize(
    ("words", "states"),
    [
        (models.EVENT_STATES, models.EventState),
        (models.ROUND_STATES, models.RoundState),
        (models.MATCH_STATES, models.MatchState),
        (models.STRENGTHS, CountsAs),
        (models.TIE_DECIDERS, models.TieDecider),
        (models.TIE_DECISIONS, models.TieDecision),
        (models.BRACKET_PARTS, models.BracketPart),
    ],
)
def test_every_value_of_the_core_has_its_words(words: Any, states: type[StrEnum]) -> None:
    assert set(dict(words)) == set(states)


def test_tasks_serve_what_waits_and_the_sweep_leaves_its_mark(event: Event) -> None:
    tasks.sweep()
    first = SweepMark.objects.get().swept_at
    assert first is not None
    tasks.recalculate_standings(event.pk)
    assert table(event)[0][1] == "Ann"
    tasks.sweep()
    assert SweepMark.objects.filter(swept_at__gt=first).exists()


def test_sweep_wakes_a_worker_once_for_each_event(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    other = EventFactory.create()
    request_standings(other.pk)
    sent: list[int] = []
    monkeypatch.setattr(tasks.recalculate_standings, "delay", sent.append)
    tasks.sweep()
    assert sent == [event.pk, other.pk]


def test_queries_do_not_grow_with_the_event(django_assert_num_queries: Any) -> None:
    for entries, matches in ((4, 6), (60, 300)):
        event = big_event(entries=entries, matches=matches, sheets=False)
        request_standings(event.pk)
        # Requests with the event, entries with their rows, matches, adjustments; the event, the rows, the
        # requests written, the ratings asked for, the webhooks to be told; a look for more requests. And the
        # two that hold the transaction.
        with django_assert_num_queries(10 + 2):
            recalculate(event.pk)
        assert event.standings.count() == entries
