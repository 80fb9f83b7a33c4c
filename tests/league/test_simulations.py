"""Random events played to the end through the services: what holds of every one of them.

All is checked from the stored rows. More of them are tried with `--long`.
"""

from collections import Counter
from dataclasses import replace

import pytest

from league.models import BracketPart, Entry, Event, Match, MatchState, Round, Standing
from league.tables.placings import placings
from tests.league.shared_seeds import told_here
from tests.league.simulation import Course, Simulation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_movements")]

SEEDS = 4
LONG_SEEDS = 150


def courses(long: bool, kind: Course) -> list[Course]:
    """The kind with many seeds, which also vary its size."""
    seeds = told_here(range(LONG_SEEDS if long else SEEDS), long=long)
    return [replace(kind, seed=seed, entries=kind.entries + seed % 5) for seed in seeds]


def sides_of(match: Match) -> list[Entry]:
    """Everybody in a match, partners too."""
    pairs = (match.entry_a, match.partner_a, match.entry_b, match.partner_b)
    return [entry for entry in pairs if entry is not None]


def matches_of(round_: Round) -> list[Match]:
    return list(round_.matches.select_related("entry_a", "entry_b", "partner_a", "partner_b"))


def check_everybody_is_paired_once(played: Simulation) -> None:
    """In every round everybody who is in it then is in one match, or sits out once; nobody else is."""
    event = played.event
    for round_ in event.rounds.all():
        often = Counter(entry for match in matches_of(round_) for entry in sides_of(match))
        assert set(often) == {
            entry
            for entry in event.entries.filter(first_round__lte=round_.number)
            if played.gone.get(entry, round_.number) >= round_.number
        }
        assert set(often.values()) == {1}


def check_no_rematch(event: Event) -> None:
    """Nobody meets the same opponent twice, unless the pairing said that it could not be helped.

    A match that was given without play is no meeting (RULES §12).
    """
    met: set[frozenset[Entry]] = set()
    for match in Match.objects.filter(event=event).exclude(entry_b=None).order_by("round__number"):
        pair = frozenset(sides_of(match))
        assert pair not in met or any("rematch" in reason for reason in match.reasons)
        if match.state != MatchState.WALKOVER:
            met.add(pair)


def check_byes(event: Event) -> None:
    """At most one bye an entry, as long as somebody without one was there to have it."""
    byes: Counter[Entry] = Counter()
    for match in Match.objects.filter(event=event, state=MatchState.BYE).order_by("round__number"):
        assert not byes[match.entry_a] or any("again" in reason for reason in match.reasons)
        byes[match.entry_a] += 1


def check_order(event: Event) -> None:
    """The table, or each group's, has everybody once, in one order that nothing leaves open."""
    rows = list(Standing.objects.filter(event=event).select_related("entry"))
    assert {row.entry_id for row in rows} == set(event.entries.values_list("pk", flat=True))
    for group in {row.group for row in rows}:
        table = [row for row in rows if row.group == group]
        assert {row.entry.group for row in table} == {group}
        assert [row.position for row in table] == list(range(1, len(table) + 1))
        assert [row.rank for row in table] == list(range(1, len(table) + 1))


def check_bracket(event: Event, *, lives: int) -> None:
    """Every tie is decided, one entry has won all, and every other has lost as often as it may."""
    ties = list(event.ties.all())
    assert all(tie.decided_by for tie in ties)
    played = [tie for tie in ties if tie.entry_a is not None and tie.entry_b is not None and tie.winner]
    lost = Counter(
        loser
        for tie in played
        if tie.part not in (BracketPart.THIRD, BracketPart.PLATE)
        for loser in (tie.entry_a, tie.entry_b)
        if loser != tie.winner
    )
    there = {entry for tie in ties for entry in (tie.entry_a, tie.entry_b) if entry is not None}
    (winner,) = (entry for entry in there if lost[entry] < lives)
    assert {lost[entry] for entry in there - {winner}} <= {lives}
    placed = placings(event)
    assert set(placed) == {entry.pk for entry in there}
    assert [entry for entry, place in placed.items() if place == 1] == [winner.pk]
    # As many stand at a place and better as the place's number says, no more.
    for place in placed.values():
        assert sum(other < place for other in placed.values()) == place - 1


SWISS = Course(format="swiss", entries=7, rounds=5, seed=0, withdraws=0.04, late=2)
SWISS_OF_TEAMS = replace(SWISS, entries=5, rounds=3, settings={"team_size": 2})
CUP = Course(format="single", entries=4, seed=0, withdraws=0.03, settings={"third_place": True})
DOUBLE_CUP = Course(format="double", entries=3, seed=0, withdraws=0.03)
WITH_PLATE = Course(format="consolation", entries=5, seed=0, withdraws=0.08)
BEST_OF_THREE = replace(CUP, drawn=0.3, settings={"best_of": 3})
GROUPS = Course(format="groups", entries=8, seed=0, settings={"group_count": 2, "qualifiers": 2})
EVENING = Course(format="rotation", entries=8, rounds=5, seed=0)
# Each change has the rest searched again, which takes its time.
COMING_AND_GOING = replace(EVENING, entries=6, rounds=3, withdraws=0.05, late=1, fewest=5)
LEAGUE = Course(format="round_robin", entries=3, seed=0)

EVERY_KIND = (SWISS, SWISS_OF_TEAMS, CUP, DOUBLE_CUP, GROUPS, COMING_AND_GOING, LEAGUE)


@pytest.mark.dear("plays whole events by chance")
@pytest.mark.parametrize("kind", [SWISS, SWISS_OF_TEAMS], ids=["players", "teams"])
def test_swiss(kind: Course, long: bool) -> None:
    for course in courses(long, kind):
        played = Simulation(course).run()
        assert played.event.rounds.count() == course.rounds
        check_everybody_is_paired_once(played)
        check_no_rematch(played.event)
        check_byes(played.event)
        check_order(played.event)


@pytest.mark.dear("plays whole events by chance")
@pytest.mark.parametrize(
    "kind",
    [CUP, DOUBLE_CUP, WITH_PLATE, BEST_OF_THREE, GROUPS],
    ids=["single", "double", "plate", "best of three", "groups"],
)
def test_bracket(kind: Course, long: bool) -> None:
    for course in courses(long, kind):
        event = Simulation(course).run().event
        check_bracket(event, lives=2 if kind is DOUBLE_CUP else 1)
        check_order(event)


@pytest.mark.dear("plays whole events by chance")
@pytest.mark.parametrize("kind", [EVENING, COMING_AND_GOING], ids=["same", "changing"])
def test_partners_that_rotate(kind: Course, long: bool) -> None:
    most = None if kind is EVENING else LONG_SEEDS // 4 if long else 2
    for course in courses(long, kind)[:most]:
        played = Simulation(course).run()
        assert played.event.rounds.count() == course.rounds
        check_everybody_is_paired_once(played)
        check_order(played.event)
        for match in matches_at_tables(played.event):
            assert len(set(sides_of(match))) == 4
        if kind is EVENING:
            sat_out = Counter(played.event.entries.all())
            sat_out.update(match.entry_a for match in played.event.matches.filter(entry_b=None))
            assert max(sat_out.values()) - min(sat_out.values()) <= 1
            check_new_partners(played.event)


def matches_at_tables(event: Event) -> list[Match]:
    rows = event.matches.exclude(entry_b=None)
    return list(rows.select_related("entry_a", "entry_b", "partner_a", "partner_b"))


def check_new_partners(event: Event) -> None:
    """Nobody has a partner twice: in five rounds there is always one whom he has not had."""
    pairs = Counter(
        frozenset(side)
        for match in matches_at_tables(event)
        for side in ((match.entry_a, match.partner_a), (match.entry_b, match.partner_b))
    )
    assert set(pairs.values()) == {1}


def test_round_robin(long: bool) -> None:
    for course in courses(long, LEAGUE):
        played = Simulation(course).run()
        check_everybody_is_paired_once(played)
        check_no_rematch(played.event)
        check_byes(played.event)
        check_order(played.event)


@pytest.mark.dear("plays whole events by chance")
@pytest.mark.parametrize("kind", EVERY_KIND, ids=[kind.format for kind in EVERY_KIND])
def test_one_seed_is_one_event(kind: Course) -> None:
    """The same course twice, in two clubs: the same pairings, results, comings and goings, the same table."""
    first, second = (Simulation(replace(kind, seed=11)).run() for _ in range(2))
    assert first.told == second.told


def test_another_seed_is_another_event() -> None:
    assert Simulation(replace(LEAGUE, seed=11)).run().told != Simulation(replace(LEAGUE, seed=12)).run().told
