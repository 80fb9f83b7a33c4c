"""Tie-breaks as events have them: new ones as FIDE has them, those that were drawn before as they were."""

from typing import Any

import pytest

from league.core.standings import CountsAs
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.round_life import draft_round, publish_round, repair_round
from league.draws.rounds import delete_draw, draw_round_robin
from league.events.events import create_event
from league.events.next_season import copy_event
from league.files.taking_over import TakingOptions, apply_taking, plan_taking
from league.models import Club, ClubRules, Entry, Event, EventState, Match
from league.tables.standings import current_standings
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, play

pytestmark = pytest.mark.django_db

ROUND_ROBIN = [("1", "4"), ("1", "2"), ("2", "3"), ("4", "3"), ("4", "2"), ("3", "1")]


def event_of(club: Club, own_rules: ClubRules, event_format: str, names: str, **values: Any) -> Event:
    """A new event as a director makes it, running, with entries called by these letters."""
    event = create_event(
        actor=OPERATOR,
        club=club,
        name=f"New {event_format}",
        slug=f"new-{event_format}",
        rules=own_rules.rules,
        format=event_format,
        **values,
    )
    Event.objects.filter(pk=event.pk).update(state=EventState.RUNNING)
    for name in names:
        EntryFactory.create(event=event, name=name)
    event.refresh_from_db()
    return event


def pair(event: Event, one: str, other: str, number: int = 1) -> Match:
    round_ = event.rounds.filter(number=number).first() or RoundFactory.create(event=event, number=number)
    sides = {name: event.entries.get(name=name) for name in (one, other)}
    match: Match = MatchFactory.create(event=event, round=round_, entry_a=sides[one], entry_b=sides[other])
    return match


def won(event: Event, one: str, other: str, number: int = 1) -> None:
    play(pair(event, one, other, number), 40, stopped=True)


def given(event: Event, one: str, other: str, number: int = 1) -> None:
    award_walkover(actor=OPERATOR, match=pair(event, one, other, number), winner_side=0, reason="not there")


def told(event: Event, figure: str) -> list[tuple[int, str, Any]]:
    rows = current_standings(Event.objects.get(pk=event.pk))
    return [(row.rank, row.entry.name, row.metrics[figure]) for row in rows]


def of_before(event: Event) -> None:
    """The event as it would be if it had been drawn before tie-breaks were FIDE's."""
    Event.objects.filter(pk=event.pk).update(
        former_tie_breaks=True,
        **dict.fromkeys(("bye_strength", "forfeit_strength", "absent_strength"), CountsAs.ZERO),
    )


@pytest.mark.parametrize("event_format", ["round_robin", "groups"])
def test_where_everybody_meets_everybody_a_walkover_is_a_match(
    club: Club, own_rules: ClubRules, event_format: str
) -> None:
    """C.07, 15.2: 3 was given the match against 1, who has 4 points; 2 beat 3, who has 2. So 3 is third."""
    event = event_of(club, own_rules, event_format, "1234", criteria=["match_points", "sonneborn_berger"])
    if event_format == "groups":
        Entry.objects.filter(event=event).update(group=1)
    for number, (one, other) in enumerate(ROUND_ROBIN, start=1):
        (won if number < len(ROUND_ROBIN) else given)(event, one, other, number)
    assert told(event, "sonneborn_berger") == [(1, "1", 6), (2, "4", 4), (3, "3", 4), (4, "2", 2)]
    of_before(event)
    assert [name for _rank, name, _figure in told(event, "sonneborn_berger")] == ["1", "4", "2", "3"]


def test_an_imported_round_robin_is_as_one_played_here(club: Club) -> None:
    """The same in a file, of whose second record of results the walkover is the last."""
    games = {
        1: "   4 w 1     2 w 1     3 b -",
        2: "   3 w 1     1 b 0     4 b 0",
        3: "   2 b 0     4 b 0     1 w +",
        4: "   1 b 0     3 w 1     2 w 1",
    }
    points = {1: "2.0", 2: "1.0", 3: "1.0", 4: "2.0"}
    lines = ["012 All meet", "062 4", "092 Individual: Round-Robin", "202 SB"]
    lines += [
        f"001 {number:4}      {f'Player {number}':66}{points[number]:>4} {'':4}  {games[number]}"
        for number in games
    ]
    plan = plan_taking(
        club=club, data="\n".join(lines).encode(), file_name="all.trf", options=TakingOptions()
    )
    event = apply_taking(actor=OPERATOR, plan=plan).event
    assert event is not None
    assert (event.format, event.forfeit_strength) == ("round_robin", CountsAs.OPPONENT)
    assert [
        (row.rank, row.entry.seed, row.metrics["sonneborn_berger"]) for row in current_standings(event)
    ] == [
        (1, 1, 3),
        (2, 4, 2),
        (3, 3, 2),
        (4, 2, 1),
    ]


@pytest.mark.parametrize("before", [False, True])
def test_match_that_was_not_played_is_no_meeting_in_a_swiss(
    club: Club, own_rules: ClubRules, before: bool
) -> None:
    """C.07, 6.1.1: A was given the match against B, who then won by 60. Both have two points."""
    event = event_of(club, own_rules, "swiss", "ABC", criteria=["match_points", "head_to_head", "net"])
    given(event, "A", "B")
    play(pair(event, "B", "C", 2), 60, stopped=True)
    if before:
        of_before(event)
    rows = current_standings(Event.objects.get(pk=event.pk))
    expected = [("A", "head_to_head"), ("B", "head_to_head")] if before else [("B", "net"), ("A", "net")]
    assert [(row.entry.name, row.decided_by) for row in rows[:2]] == expected


@pytest.mark.parametrize("hands", [0, 1])
def test_match_that_was_given_up_after_a_hand_is_one_that_was_played(
    club: Club, own_rules: ClubRules, hands: int
) -> None:
    """C.07, 15.1: B left after a hand, and then beat C. So A is ahead of it by their match, else level.

    A met B, who has two points. If they had not begun it is against no more than that, and so is it for B.
    """
    event = event_of(
        club, own_rules, "swiss", "ABC", criteria=["match_points", "head_to_head", "buchholz_cut1"]
    )
    match = pair(event, "A", "B")
    if hands:
        play(match, -7)
    award_forfeit(actor=OPERATOR, match=match, winner_side=0, reason="had to leave")
    won(event, "B", "C", 2)
    rows = {row.entry.name: row for row in current_standings(event)}
    assert {rows[name].decided_by for name in "AB"} == {"head_to_head" if hands else "buchholz_cut1"}
    # Of B the weakest is C, with no point, which leaves A: two, and a draw for the round it missed. Else it
    # is the round in which B did not come.
    assert rows["B"].metrics["buchholz_cut1"] == (2 + 1 if hands else 0)


def test_points_for_rounds_missed_are_byes_in_a_swiss(club: Club, own_rules: ClubRules) -> None:
    """C.07, 16.3.1: C came late and was given a point, half a win, for round 1. B, whom it beat, met 1 + 2.

    C itself met the bye of round 1, with its own 3 points and no more than two draws, and B.
    """
    event = event_of(club, own_rules, "swiss", "AB", criteria=["match_points", "buchholz"], late_points=1)
    EntryFactory.create(event=event, name="C", first_round=2)
    won(event, "A", "B")
    won(event, "C", "B", 2)
    figures = {name: figure for _rank, name, figure in told(event, "buchholz")}
    # A missed round 2: as asked off for nothing it is against two points, no more than two draws.
    assert figures == {"A": 0 + 2, "B": 2 + 1 + 3, "C": 2 + 0}
    Event.objects.filter(pk=event.pk).update(former_tie_breaks=True)
    assert {name: figure for _rank, name, figure in told(event, "buchholz")}["B"] == 2 + 1 + 2


@pytest.mark.parametrize("event_format", ["round_robin", "swiss"])
def test_drawn_again_before_anything_is_played_an_event_has_the_tie_breaks_of_now(
    club: Club, own_rules: ClubRules, event_format: str
) -> None:
    event = event_of(club, own_rules, event_format, "ABCD", criteria=["match_points"])
    if event_format == "swiss":
        round_ = draft_round(actor=OPERATOR, event=event)
        of_before(event)
        repair_round(actor=OPERATOR, round_=round_)
    else:
        draw_round_robin(actor=OPERATOR, event=event)
        of_before(event)
        delete_draw(actor=OPERATOR, event=event)
        draw_round_robin(actor=OPERATOR, event=event)
    assert not Event.objects.get(pk=event.pk).former_tie_breaks


def test_event_that_is_played_keeps_its_tie_breaks_whatever_is_drawn_again(
    club: Club, own_rules: ClubRules
) -> None:
    event = event_of(club, own_rules, "swiss", "ABCD", criteria=["match_points"])
    for match in publish_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event)).matches.all():
        play(match, 40, stopped=True)
    of_before(event)
    repair_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event))
    assert Event.objects.get(pk=event.pk).former_tie_breaks


def test_the_next_season_of_an_event_of_before_is_as_fide_has_it(club: Club, own_rules: ClubRules) -> None:
    event: Event = EventFactory.create(club=club, rules=own_rules.rules, former_tie_breaks=True)
    again = copy_event(actor=OPERATOR, event=event, season=None, name="Again", slug="again")
    assert not again.former_tie_breaks
