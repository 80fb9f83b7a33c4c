"""Whole evenings of each format that runs itself: what is drawn when, and what an absent player does."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import time_machine

from league.draws.brackets import draw_bracket
from league.draws.forfeits import award_walkover
from league.draws.formats import format_of, registered
from league.draws.movements import draw_movement
from league.draws.online import come_to_table, play_online
from league.draws.round_life import draft_round, publish_round, unpublish_round
from league.draws.rounds import draw_round_robin
from league.events.evenings import begin_evening, pause_evening
from league.models import (
    AuditEntry,
    Club,
    Event,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    PlayedWhere,
    Round,
    RoundState,
    TieDecision,
)
from tests.factories import OPERATOR, EventFactory
from tests.league.nights import NAMES, START, Night, at
from tests.league.table_players import by, refused

pytestmark = pytest.mark.django_db


def run(night: Night, clock: time_machine.Traveller, *, absent: tuple[str, ...] = (), most: int = 12) -> int:
    """Play an evening without breaks to its end; returns how many rounds were opened."""
    opened: list[int] = []
    for number in range(1, most):
        evening = night.evening
        if not evening.is_going:
            break
        assert evening.round is not None
        opened.append(evening.round.number)
        night.play(evening.round.number, absent=absent)
        at(clock, 11 * number)
        at(clock, 11 * number + 0.1)
    assert opened == sorted(set(opened))
    return len(opened)


def by_rounds(event: Event) -> list[tuple[int, str]]:
    return list(event.rounds.order_by("number").values_list("number", "state"))


def test_round_robin_is_drawn_at_once_and_opened_round_by_round(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Three rounds of four; Dan never comes, and loses each of them after the wait."""
    night = Night(club, "round_robin", slug="friday")
    night.begin()
    assert by_rounds(night.event) == [(number, RoundState.PUBLISHED) for number in (1, 2, 3)]
    for number, begins in ((1, 0), (2, 15), (3, 30)):
        at(clock, begins)
        evening = night.evening
        assert evening.round is not None
        assert evening.round.number == number
        assert evening.come_by == START + datetime.timedelta(minutes=begins + 10)
        for later in night.matches(number + 1):
            actor = by(night.pair(later)[0])
            refused("not_yet", partial(come_to_table, actor=actor, match=later))
            refused("not_yet", partial(play_online, actor=actor, match=later))
        night.play(number, absent=("Dan",))
        at(clock, begins + 9)
        assert night.evening.next_at is None
        at(clock, begins + 10)
        given = Match.objects.get(round__number=number, state=MatchState.WALKOVER)
        assert given.winner_side is not None
        assert "Dan" not in given.side_name(given.winner_side)
    assert night.evening.state == "over"
    assert Match.objects.exclude(state__in=(MatchState.WALKOVER, MatchState.FINISHED)).count() == 0


def test_double_round_robin_that_was_drawn_before_is_taken_from_its_first_open_round(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "round_robin", break_minutes=0)
    draw_round_robin(actor=OPERATOR, event=night.event, double=True)
    Match.objects.filter(round__number__in=(1, 3)).update(state=MatchState.WALKOVER, winner_side=0)
    night.begin()
    assert night.evening.round == Round.objects.get(number=2)
    assert run(night, clock) == 4
    assert (night.evening.state, night.rounds()) == ("over", 6)


@pytest.mark.usefixtures("mails")
def test_players_are_told_when_a_round_drawn_before_is_opened(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "round_robin", break_minutes=0)
    night.begin()
    night.play(1)
    at(clock, 1)
    second = Round.objects.get(number=2)
    assert night.evening.round == second
    ann = night.players["Ann"].user
    assert Notice.objects.filter(kind=NoticeKind.ROUND, user=ann, round=second).count() == 1


def test_groups_lead_to_a_bracket_that_is_drawn_by_itself(club: Club, clock: time_machine.Traveller) -> None:
    """Two groups of three, of which two go on; Fay comes to none of hers."""
    night = Night(
        club,
        "groups",
        (*NAMES, "Eve", "Fay"),
        group_count=2,
        qualifiers=2,
        third_place=False,
        break_minutes=0,
    )
    night.begin()
    assert by_rounds(night.event) == [(number, RoundState.PUBLISHED) for number in (1, 2, 3)]
    # Three rounds of the groups, semifinals and the final.
    assert run(night, clock, absent=("Fay",)) == 5
    assert night.evening.state == "over"
    assert AuditEntry.objects.filter(action="event.draw", actor_id="evening").count() == 1
    in_bracket = Match.objects.filter(tie__isnull=False)
    assert in_bracket.count() == 3
    assert not in_bracket.of_entries([night.entry("Fay").pk]).exists()


def test_entries_level_in_their_group_stop_it_for_a_director(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Nobody comes: all are level, and who goes on is nobody's to draw."""
    night = Night(club, "groups", group_count=2, qualifiers=1, break_minutes=0)
    night.begin()
    assert run(night, clock, absent=NAMES) == 1
    evening = night.evening
    assert evening.state == "stopped"
    assert "level" in evening.why
    assert not night.event.ties.exists()


@pytest.mark.parametrize(("format_", "rounds"), [("double", (4, 6)), ("consolation", (2, 4))])
def test_double_elimination_and_plate_run_to_their_ends(
    club: Club, clock: time_machine.Traveller, format_: str, rounds: tuple[int, int]
) -> None:
    """Dan, who does not come, loses by walkover as often as he would have played."""
    settings: dict[str, Any] = {"third_place": False} if format_ == "consolation" else {}
    night = Night(club, format_, break_minutes=0, **settings)
    night.begin()
    opened = run(night, clock, absent=("Dan",))
    assert rounds[0] <= opened <= rounds[1]
    assert night.evening.state == "over"
    lost = Match.objects.filter(state=MatchState.WALKOVER)
    assert lost.count() >= 1
    assert not night.event.ties.filter(winner=None, decided_by=TieDecision.DIRECTOR).exists()


def test_rotating_partners_are_there_once_both_of_a_side_have_come(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Of five one rests each round. Only the one of them who has not come is told as absent."""
    night = Night(club, "rotation", (*NAMES, "Eve"), rounds_planned=4, break_minutes=0)
    night.begin()
    (match,) = night.matches(1)
    one, partner = (entry.name for entry in match.side(0))
    assert night.come(one, 1) is None
    assert night.come(match.side(1)[0].name, 1) is None
    assert night.come(match.side(1)[1].name, 1) is None
    at(clock, 10)
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)
    told = AuditEntry.objects.get(action="evening.absent").after
    assert told is not None
    assert [each["name"] for each in told["absent"]] == [partner]
    assert night.evening.is_going
    assert night.rounds() == 2


def test_movement_that_was_drawn_before_is_opened_round_by_round(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "rotation", rounds_planned=3, break_minutes=0)
    draw_movement(actor=OPERATOR, event=night.event, publish=False)
    refused("rounds_drafted", night.begin)
    Round.objects.all().delete()
    draw_movement(actor=OPERATOR, event=night.event)
    night.event.refresh_from_db()
    begin_evening(actor=OPERATOR, event=night.event)
    assert night.evening.round == Round.objects.get(number=1)
    for number in (1, 2, 3):
        (match,) = night.matches(number)
        seated = [entry.name for side in match.sides for entry in match.side(side)]
        tables = [night.come(name, number) for name in seated]
        assert [table is None for table in tables] == [True, True, True, False]
        Match.objects.filter(round__number=number).update(state=MatchState.WALKOVER, winner_side=0)
        at(clock, number)
    assert (night.evening.state, night.rounds()) == ("over", 3)


@pytest.mark.parametrize("back", [1, 2, 3])
def test_round_of_several_that_is_taken_back_stops_the_evening_in_its_turn(
    club: Club, clock: time_machine.Traveller, back: int
) -> None:
    """What is played before it goes on, and nothing after it; with the evening it is published again."""
    night = Night(club, "round_robin", break_minutes=0)
    night.begin()
    unpublish_round(actor=OPERATOR, round_=Round.objects.get(number=back))
    for number in range(1, back):
        at(clock, number)
        assert (night.evening.state, night.evening.round) == ("going", Round.objects.get(number=number))
        night.play(number)
    at(clock, 20)
    said = str(Round.objects.get(number=back))
    assert (night.evening.state, night.evening.why) == ("stopped", f"{said} is a draft: publish it first.")
    night.begin()
    assert not Round.objects.filter(state=RoundState.DRAFTED).exists()
    for number in range(back, 4):
        at(clock, 20 + number)
        assert night.evening.round == Round.objects.get(number=number)
        night.play(number)
    at(clock, 30)
    assert night.evening.state == "over"


def test_round_taken_back_while_another_is_played_is_not_opened_before_its_turn(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Also where the evening is paused and goes on meanwhile."""
    night = Night(club, "round_robin", break_minutes=0)
    night.begin()
    unpublish_round(actor=OPERATOR, round_=Round.objects.get(number=2))
    pause_evening(actor=OPERATOR, event=night.event)
    night.begin()
    first = Round.objects.get(number=1)
    assert night.evening.round == first
    assert not Round.objects.filter(state=RoundState.DRAFTED).exists()
    at(clock, 1)
    assert night.evening.round == first


@pytest.mark.parametrize(
    ("format_", "draws"),
    [("rotation", draft_round), ("groups", draw_bracket)],
    ids=["partners", "bracket"],
)
def test_round_that_a_director_draws_by_hand_is_waited_for(
    club: Club, clock: time_machine.Traveller, format_: str, draws: Callable[..., Round]
) -> None:
    """It was never open, and stops nothing: after a break the evening opens it once it is published."""
    settings = {"rotation": {"rounds_planned": 3}, "groups": {"group_count": 2, "qualifiers": 1}}
    chosen: dict[str, Any] = {**settings[format_]}
    night = Night(club, format_, **chosen)
    night.begin()
    for match in night.matches(1):
        award_walkover(actor=OPERATOR, match=match, winner_side=0, reason="ill")
    at(clock, 1)
    assert night.evening.next_at is not None
    drafted = draws(actor=OPERATOR, event=night.event)
    for minute in (2, 7, 30):
        at(clock, minute)
        assert (night.evening.state, night.evening.round) == ("going", Round.objects.get(number=1))
    publish_round(actor=OPERATOR, round_=drafted)
    for minute in (31, 36):
        at(clock, minute)
    assert night.evening.round == drafted


def test_every_format_says_whether_an_evening_of_it_runs_itself(club: Club) -> None:
    """Those that do not say why."""
    why = {key: str(format_of(EventFactory.build(club=club, format=key)).no_evening) for key in registered()}
    assert {key for key, said in why.items() if said} == {"ladder", "tables", "tables_swiss", "tables_cup"}
    event = EventFactory.create(club=club, format="tables", played=PlayedWhere.ONLINE)
    assert "forfeited" in why[event.format]
