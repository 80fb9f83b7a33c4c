"""Tables of events of every kind: groups, guests, late entries, partners; arrows and earlier rounds."""

import io
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.draws.recalculating import recalculate
from league.models import (
    Adjustment,
    Entry,
    Event,
    Match,
    MatchState,
    Rating,
    RatingStep,
    Round,
    RoundState,
    Standing,
)
from league.record.requests import request_standings
from league.tables.results import criteria_of, late_points, late_reason, plain, points_so_far, ranking_of
from league.tables.standings import current_standings, standings_as_of
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    big_event,
    count_table,
    play,
)

pytestmark = pytest.mark.django_db


def entered(event: Event, *names: str, **fields: Any) -> dict[str, Entry]:
    return {name: EntryFactory.create(event=event, name=name, **fields) for name in names}


def meet(round_: Round, first: Entry, second: Entry, points: int, **fields: Any) -> Match:
    """A match of one hand; level where `points` is 0."""
    match = MatchFactory.create(event=round_.event, round=round_, entry_a=first, entry_b=second, **fields)
    figures = [points] if points else [10, -10]
    return play(match, *figures, stopped=True)


def sit_out(round_: Round, entry: Entry, state: MatchState = MatchState.BYE) -> Match:
    match = MatchFactory.create(event=round_.event, round=round_, entry_a=entry, entry_b=None)
    Match.objects.filter(pk=match.pk).update(state=state)
    return match


def stored(event: Event, *fields: str) -> list[tuple[Any, ...]]:
    count_table(event.pk)
    rows = Standing.objects.filter(event=event).order_by("group", "position").select_related("entry")
    return [(row.entry.name, row.rank, *(getattr(row, name) for name in fields)) for row in rows]


@pytest.fixture
def event() -> Event:
    return EventFactory.create(criteria=["match_points", "net"])


@pytest.fixture
def swiss(event: Event) -> Event:
    """Three rounds of four: Ann, Bob, Cid and Dot.

    Round 1: Ann beats Bob, Cid beats Dot, by a hand of 20 and of 10.
    Round 2: Cid beats Ann, Bob beats Dot, by 30 and 40.
    Round 3: Ann beats Dot by 50; Bob and Cid have not finished.
    """
    ann, bob, cid, dot = entered(event, "Ann", "Bob", "Cid", "Dot").values()
    one, two, three = (RoundFactory.create(event=event, number=number) for number in (1, 2, 3))
    meet(one, ann, bob, 20)
    meet(one, cid, dot, 10)
    meet(two, cid, ann, 30)
    meet(two, bob, dot, 40)
    meet(three, ann, dot, 50)
    MatchFactory.create(event=event, round=three, entry_a=bob, entry_b=cid)
    return event


# A hand won by n points is a box of 25 more on each side of the net: round 1 Ann +45, Cid +35; round 2
# Cid +55, Bob +65; round 3 Ann +75.
def test_arrows_are_against_the_round_before_the_last_with_results(swiss: Event) -> None:
    # After round 2: Cid 4 points, Bob 2 (+20), Ann 2 (−10), Dot 0. After round 3: Ann 4 (+65), Cid 4 (+90).
    assert stored(swiss, "net", "previous_rank") == [
        ("Cid", 1, 90, 1),
        ("Ann", 2, 65, 3),
        ("Bob", 3, 20, 2),
        ("Dot", 4, -175, 4),
    ]


def test_first_round_has_no_arrows(event: Event) -> None:
    ann, bob = entered(event, "Ann", "Bob").values()
    meet(RoundFactory.create(event=event), ann, bob, 20)
    assert stored(event, "previous_rank") == [("Ann", 1, None), ("Bob", 2, None)]


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        (1, [("Ann", 1, 2, None), ("Cid", 2, 2, None), ("Dot", 3, 0, None), ("Bob", 4, 0, None)]),
        (2, [("Cid", 1, 4, 2), ("Bob", 2, 2, 4), ("Ann", 3, 2, 1), ("Dot", 4, 0, 3)]),
        (3, [("Cid", 1, 4, 1), ("Ann", 2, 4, 3), ("Bob", 3, 2, 2), ("Dot", 4, 0, 4)]),
        (9, [("Cid", 1, 4, 1), ("Ann", 2, 4, 3), ("Bob", 3, 2, 2), ("Dot", 4, 0, 4)]),
    ],
)
def test_table_as_it_was_with_a_round(swiss: Event, number: int, rows: list[tuple[Any, ...]]) -> None:
    found = standings_as_of(swiss, number)
    assert [(row.entry.name, row.rank, row.points, row.previous_rank) for row in found] == rows
    assert [row.position for row in found] == [1, 2, 3, 4]


def test_table_as_of_a_round_takes_three_queries(swiss: Event, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(3):
        standings_as_of(swiss, 2)
    assert not Standing.objects.exists()


def test_match_moved_to_another_day_counts_with_its_round(swiss: Event) -> None:
    # The match of round 3 that was left is played; the table as of round 2 does not know of it.
    before = [(row.entry.name, row.net) for row in standings_as_of(swiss, 2)]
    play(Match.objects.get(event=swiss, state=MatchState.SCHEDULED), 60, stopped=True)
    assert [(row.entry.name, row.net) for row in standings_as_of(swiss, 2)] == before


def test_late_entry_has_points_for_the_rounds_it_missed(swiss: Event) -> None:
    Event.objects.filter(pk=swiss.pk).update(late_points=Decimal("0.5"))
    swiss.refresh_from_db()
    eve = EntryFactory.create(event=swiss, name="Eve", first_round=3)
    assert stored(swiss, "points", "previous_rank")[3] == ("Eve", 4, 1, None)
    assert (late_points(swiss, eve), late_reason(eve)) == (1, "entered late: rounds 1 to 2 missed")
    assert "Eve" not in [row.entry.name for row in standings_as_of(swiss, 2)]
    assert late_reason(Entry(first_round=2)) == "entered late: round 1 missed"


def test_guests_play_and_have_no_row(swiss: Event) -> None:
    assert [name for name, *_ in stored(swiss)] == ["Cid", "Ann", "Bob", "Dot"]
    Entry.objects.filter(event=swiss, name="Cid").update(is_guest=True)
    # Cid's row goes; what the others have from their matches with him stays.
    assert stored(swiss, "net", "previous_rank") == [
        ("Ann", 1, 65, 2),
        ("Bob", 2, 20, 1),
        ("Dot", 3, -175, 3),
    ]
    Entry.objects.filter(event=swiss, name="Cid").update(is_guest=False)
    assert [name for name, *_ in stored(swiss)] == ["Cid", "Ann", "Bob", "Dot"]


def test_drafted_round_is_not_in_the_table(swiss: Event) -> None:
    drafted = RoundFactory.create(event=swiss, number=4, state=RoundState.DRAFTED)
    eve = EntryFactory.create(event=swiss, name="Eve")
    sit_out(drafted, eve)
    assert stored(swiss, "points")[3] == ("Eve", 4, 0)
    Round.objects.filter(pk=drafted.pk).update(state=RoundState.PUBLISHED)
    # A published round with nothing left to play: its bye counts.
    assert stored(swiss, "points")[3] == ("Eve", 4, 2)


def test_round_asked_off_has_its_own_points_net_and_strength(swiss: Event) -> None:
    Event.objects.filter(pk=swiss.pk).update(
        absent_points=1,
        absent_net="own_average",
        absent_strength="own_average",
        criteria=["match_points", "net", "buchholz"],
    )
    swiss.refresh_from_db()
    three = swiss.rounds.get(number=3)
    Match.objects.filter(round=three, entry_a__name="Bob").delete()
    sit_out(three, Entry.objects.get(name="Bob"), MatchState.ABSENT)
    rows = {row.entry.name: row for row in current_standings(swiss)}
    # Bob has −45 and +65: 10 on average. He met Ann (4 points), Dot (0) and himself (2 + 1).
    assert (plain(rows["Bob"].points), rows["Bob"].net, rows["Bob"].played) == (3, 20 + 10, 2)
    assert rows["Bob"].metrics["buchholz"] == 4 + 0 + 3


@pytest.mark.parametrize(("cap", "net"), [(None, 65), (50, 45 - 50 + 50)])
def test_net_is_capped_by_the_events_cap(swiss: Event, cap: int | None, net: int) -> None:
    Event.objects.filter(pk=swiss.pk).update(net_cap=cap, criteria=["match_points", "net_capped"])
    swiss.refresh_from_db()
    rows = {row.entry.name: row for row in current_standings(swiss)}
    assert (rows["Ann"].metrics["net_capped"], rows["Ann"].net) == (net, 65)


def test_only_the_best_nights_count(swiss: Event) -> None:
    Event.objects.filter(pk=swiss.pk).update(best_nights=1)
    swiss.refresh_from_db()
    # The best nights: Ann's the third (+75), Bob's and Cid's the second (+65, +55), Dot's the first (−35).
    assert stored(swiss, "net", "played") == [
        ("Ann", 1, 75, 1),
        ("Bob", 2, 65, 1),
        ("Cid", 3, 55, 1),
        ("Dot", 4, -35, 1),
    ]
    # Pairing goes by all of it.
    points = points_so_far(swiss, swiss.entries.all())
    assert {entry.name: points[entry.pk] for entry in swiss.entries.all()} == {
        "Ann": 4,
        "Bob": 2,
        "Cid": 4,
        "Dot": 0,
    }


def test_points_so_far_are_everybodys_with_byes_adjustments_and_points_for_coming_late(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(late_points=Decimal("1.5"), absent_points=1)
    event.refresh_from_db()
    ann, bob, cid, dot = entered(event, "Ann", "Bob", "Cid", "Dot").values()
    eve = EntryFactory.create(event=event, name="Eve", first_round=2)
    guest = EntryFactory.create(event=event, name="Guest", is_guest=True)
    one, two = RoundFactory.create(event=event), RoundFactory.create(event=event)
    meet(one, ann, bob, 20)
    meet(one, guest, dot, 20)
    sit_out(one, cid)
    meet(two, eve, ann, 0)
    sit_out(two, bob, MatchState.ABSENT)
    Adjustment.objects.create(
        event=event, entry=dot, points=Decimal("-0.5"), reason="late", **Adjustment.actor_fields(OPERATOR)
    )
    points = points_so_far(event, event.entries.all())
    assert points == {
        ann.pk: 2 + 1,
        bob.pk: 1,
        cid.pk: 2,
        dot.pk: Decimal("-0.5"),
        eve.pk: Decimal("2.5"),
        guest.pk: 2,
    }


def test_groups_are_tables_of_their_own(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="groups")
    event.refresh_from_db()
    ann, bob = entered(event, "Ann", "Bob", group=1).values()
    cid, dot = entered(event, "Cid", "Dot", group=2).values()
    one, two = RoundFactory.create(event=event), RoundFactory.create(event=event)
    meet(one, ann, bob, 20)
    meet(one, dot, cid, 90)
    meet(two, ann, bob, -30)
    assert stored(event, "group", "position", "net", "previous_rank") == [
        ("Bob", 1, 1, 1, 10, 2),
        ("Ann", 2, 1, 2, -10, 1),
        ("Dot", 1, 2, 1, 115, 1),
        ("Cid", 2, 2, 2, -115, 2),
    ]


def test_partners_both_take_the_result_of_their_side() -> None:
    event = EventFactory.create(
        format="rotation", team_size=2, kind="individual", criteria=["match_points", "net"]
    )
    players = [
        EntryFactory.create(event=event, name=name, players=[]) for name in ("Ann", "Bob", "Cid", "Dot")
    ]
    ann, bob, cid, dot = players
    eve = EntryFactory.create(event=event, name="Eve", players=[])
    one = RoundFactory.create(event=event)
    Match.objects.create(
        event=event,
        round=one,
        label="R1-T1",
        entry_a=ann,
        partner_a=bob,
        entry_b=cid,
        partner_b=dot,
        state=MatchState.FINISHED,
        winner_side=1,
        net=-40,
    )
    Match.objects.create(
        event=event, round=one, label="R1-B", entry_a=eve, state=MatchState.BYE, winner_side=0
    )
    assert stored(event, "points", "net") == [
        ("Cid", 1, 2, 40),
        ("Dot", 1, 2, 40),
        ("Eve", 3, 2, 0),
        ("Ann", 4, 0, -40),
        ("Bob", 4, 0, -40),
    ]


def test_rating_is_the_one_they_came_with(swiss: Event) -> None:
    Event.objects.filter(pk=swiss.pk).update(criteria=["rating"])
    swiss.refresh_from_db()
    players = {entry.name: entry.players.get() for entry in swiss.entries.all()}
    match = Match.objects.filter(event=swiss).earliest("pk")
    # Ann came with 30 and has 20 by now; Bob has 25, not from this event; Cid and Dot have none.
    for name, mu in (("Ann", 20.0), ("Bob", 25.0)):
        Rating.objects.create(player=players[name], mu=mu, sigma=5, matches=3)
    RatingStep.objects.create(
        player=players["Ann"], match=match, number=3, mu_before=30, sigma_before=5, mu=20, sigma=5
    )
    rows = current_standings(swiss)
    assert [(row.entry.name, row.rank) for row in rows] == [("Ann", 1), ("Bob", 2), ("Cid", 3), ("Dot", 3)]
    ratings = [row.metrics["rating"] for row in rows]
    assert ratings[0] > ratings[1]
    assert ratings[2:] == [None, None]


def test_queries_of_every_kind_of_table_do_not_grow(django_assert_num_queries: Any) -> None:
    counts = []
    for entries, matches in ((4, 6), (40, 200)):
        event = big_event(
            entries=entries,
            matches=matches,
            sheets=False,
            event=EventFactory.create(
                criteria=["match_points", "buchholz", "sonneborn_berger", "rating", "lot"],
                best_nights=3,
                late_points=1,
            ),
        )
        request_standings(event.pk)
        with CaptureQueriesContext(connection) as queries:
            recalculate(event.pk)
        counts.append(len(queries))
    # Three more than without ratings.
    assert counts == [10 + 2 + 3] * 2


def test_order_of_a_knockout_begins_with_the_place() -> None:
    event = Event(format="single", criteria=["match_points", "lot"])
    assert criteria_of(event) == ["place", "match_points", "lot"]
    event.criteria = ["match_points", "place"]
    assert criteria_of(event) == ["match_points", "place"]
    event.format = "groups"
    assert criteria_of(event) == ["match_points", "place"]


def test_points_are_plain_in_the_ranking(swiss: Event) -> None:
    rows = [line.row for line in ranking_of(swiss, swiss.entries.all())]
    assert [plain(row.points) for row in rows] == [4, 4, 2, 0]


def printed(*words: str) -> list[str]:
    out = io.StringIO()
    call_command("standings", *words, stdout=out)
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_command_prints_the_table_as_it_was_with_a_round(swiss: Event) -> None:
    lines = printed(swiss.slug, "--round", "2")
    assert lines[0].endswith(", as of round 2")
    assert lines[2:4] == ["1. Cid 2 2 0 0 4 +90 2 2", "2. Bob 2 1 0 1 2 +20 1 1 by net"]
    with pytest.raises(CommandError, match="no round 7"):
        printed(swiss.slug, "--round", "7")


def test_command_prints_groups_and_why_a_late_entry_has_points(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="groups", late_points=1)
    entered(event, "Ann", group=1)
    EntryFactory.create(event=event, name="Bob", group=2, first_round=3)
    count_table(event.pk)
    lines = printed(event.slug)
    assert [line for line in lines if line.startswith(("Group", "1."))] == [
        "Group 1",
        "1. Ann 0 0 0 0 0 +0 0 0",
        "Group 2",
        "1. Bob 0 0 0 0 2 +0 0 0",
    ]
    assert lines[-1] == "Bob: +2 points, entered late: rounds 1 to 2 missed"


@pytest.mark.parametrize(("strength", "expected"), [("fide", 4 + 1), ("zero", 4)])
def test_whoever_met_somebody_who_withdrew_loses_no_buchholz_under_fides_rule(
    strength: str, expected: int
) -> None:
    """Cid beats Dee, who withdraws, and loses to Ann: the round Dee missed is a draw, else nothing."""
    event = EventFactory.create(format="swiss", criteria=["buchholz"], absent_strength=strength)
    entries = entered(event, "Ann", "Bob", "Cid", "Dee")
    ann, bob, cid, dee = entries.values()
    first, second = (RoundFactory.create(event=event, number=number) for number in (1, 2))
    meet(first, ann, bob, 50)
    meet(first, cid, dee, 50)
    meet(second, ann, cid, 50)
    dee.withdrawn_at = event.created_at
    dee.save()
    lines = {line.entry_id: line.row for line in ranking_of(event, event.entries.all())}
    assert lines[cid.pk].metrics["buchholz"] == expected
