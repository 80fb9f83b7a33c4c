"""Evenings that run themselves when something comes between: withdrawals, stand-ins, results taken back."""

from collections.abc import Callable

import pytest
import time_machine

from games.models import TableMatch
from league.draws.forfeits import clear_award
from league.draws.online import come_to_table
from league.draws.sitting_in import let_bot_sit_in
from league.events.entries import withdraw_entry
from league.events.events import change_event
from league.matches.arrivals import waited_for
from league.matches.line_ups import set_line_up
from league.models import AuditEntry, Club, Match, MatchState, PlayedWhere
from league.people.erasing import erase_person
from scoring.services import void_sheet
from tests.factories import OPERATOR, PlayerFactory
from tests.league.nights import NAMES, Night, at
from tests.league.table_players import address, browser, by, member

pytestmark = pytest.mark.django_db


def test_who_is_drawn_against_a_withdrawn_entry_wins_without_coming(
    club: Club, clock: time_machine.Traveller
) -> None:
    """He cannot come to that match, so he has not missed it; nor is who came and withdrew awarded it."""
    night = Night(club, "round_robin", break_minutes=0)
    night.begin()
    night.come("Dan", 1)
    for number in (1, 2):
        if number == 1:
            withdraw_entry(actor=OPERATOR, entry=night.entry("Dan"), reason="He feels ill.")
        at(clock, 11 * number)
        given = Match.objects.of_entry(night.entry("Dan")).get(round__number=number)
        assert given.state == MatchState.WALKOVER
        assert given.winner_side is not None
        assert given.side_name(given.winner_side) != "Dan"
        at(clock, 11 * number + 0.1)
    told = AuditEntry.objects.filter(action="evening.absent").first()
    assert told is not None
    assert told.after is not None
    assert len(told.after["absent"]) == 2


def _void(night: Night) -> None:
    match = next(each for each in night.matches(1) if each.state == MatchState.FINISHED)
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Other cards were dealt.")


def _take_back_walkover(night: Night) -> None:
    clear_award(
        actor=OPERATOR, match=Match.objects.get(state=MatchState.WALKOVER), reason="He was here after all."
    )


@pytest.mark.parametrize("hinder", [_void, _take_back_walkover])
@pytest.mark.parametrize("is_passed", [False, True], ids=["this round", "the one before"])
def test_a_result_that_is_taken_back_stops_it_if_nobody_is_waited_for(
    club: Club, clock: time_machine.Traveller, hinder: Callable[[Night], None], is_passed: bool
) -> None:
    """Nothing goes on by itself in that match, which it would wait for without an end."""
    night = Night(club, "round_robin", break_minutes=1)
    night.begin()
    night.play(1, absent=("Dan",))
    at(clock, 10)
    if is_passed:
        at(clock, 11)
        night.play(2)
    hinder(night)
    at(clock, 22)
    evening = night.evening
    assert evening.state == "stopped"
    assert "E01-" in evening.why


def test_a_bot_that_sits_in_plays_at_once_with_who_has_come(
    club: Club, clock: time_machine.Traveller
) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False, sits_in=bot)
    night.begin()
    (match,) = night.matches(1)
    absent, there = night.pair(match)
    assert night.come(there.name, 1) is None
    let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason="He is late.")
    at(clock, 1)
    assert TableMatch.objects.get().seats.filter(account=there.user_id).exists()


def test_who_stands_in_comes_as_whoever_he_stands_in_for(club: Club, clock: time_machine.Traveller) -> None:
    """He is a member of no entry. His match is not forfeited, nor is he asked twice whether he is here."""
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False)
    night.begin()
    set_line_up(actor=OPERATOR, match=night.matches(1)[0], side=0, players=[member(club, "Zed")])
    (match,) = night.matches(1)
    zed = match.appearances.get(side=0).player
    assert come_to_table(actor=by(zed), match=match) is None
    assert waited_for([match])[match][0] == []
    assert come_to_table(actor=by(night.pair(match)[1]), match=match) is not None


@pytest.mark.parametrize("has_come", [False, True])
def test_who_is_drawn_against_somebody_whose_account_has_gone_comes_and_wins(
    club: Club, clock: time_machine.Traveller, has_come: bool
) -> None:
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False)
    night.begin()
    (match,) = night.matches(1)
    gone, there = night.pair(match)
    if has_come:
        night.come(gone.name, 1)
    erase_person(actor=OPERATOR, player=gone, reason="He wishes it.")
    assert "I am here" in browser(there).get(address(match, "match_play")).content.decode()
    assert night.come(there.name, 1) is None
    at(clock, 10)
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [("played", PlayedWhere.AT_TABLE, "played online"), ("rounds_planned", None, "how many rounds")],
)
def test_an_event_that_is_changed_so_that_it_cannot_run_itself_stops(
    club: Club, clock: time_machine.Traveller, field: str, value: str | None, why: str
) -> None:
    """Else everybody would forfeit, or rounds be drawn until no more can be."""
    night = Night(club, "swiss", rounds_planned=2, check_in=False)
    night.begin()
    change_event(actor=OPERATOR, event=night.event, **{field: value})
    at(clock, 10)
    evening = night.evening
    assert (evening.state, night.rounds()) == ("stopped", 1)
    assert why in evening.why
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
