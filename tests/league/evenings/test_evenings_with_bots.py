"""Bots in an evening that runs itself: in place of a bye, for who is not there, and against each other."""

import pytest
import time_machine

from games.models import BotMatch
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Match,
    MatchState,
    OddTable,
    Rest,
)
from scoring.services import stop_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    PlayerFactory,
    play,
)
from tests.league.nights import NAMES, Night, at
from tests.league.table_players import by

pytestmark = pytest.mark.django_db


def night_of_three(club: Club, odd_table: OddTable) -> Night:
    """A Swiss of three, begun, with a bot whom one of them meets in place of his bye or besides it."""
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(
        club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, sits_in=bot, odd_table=odd_table
    )
    night.begin()
    return night


def test_an_evening_waits_for_who_plays_a_bot_in_place_of_a_bye_until_the_time_to_come_is_over(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Whoever of three has the bye has the time of all others to come to the bot; then it is a bye."""
    night = night_of_three(club, OddTable.PLAYED)
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    assert alone.sheet is not None
    at(clock, 9)
    assert (night.evening.next_at, night.rounds()) == (None, 1)
    at(clock, 10)
    assert Match.objects.get(pk=alone.pk).sheet is None
    told = AuditEntry.objects.get(action="match.bye")
    assert str(alone.entry_a) in told.reason
    at(clock, 11)
    assert night.evening.next_at is not None


def test_an_evening_does_not_wait_for_a_bot_that_is_played_besides_the_bye(
    club: Club, clock: time_machine.Traveller
) -> None:
    """The bye counts, nobody is missed, and he may play the bot as long as the round is open."""
    night = night_of_three(club, OddTable.BYE)
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    at(clock, 1)
    assert night.evening.next_at is not None
    at(clock, 10)
    assert night.rounds() == 2
    alone.refresh_from_db()
    assert alone.rest == Rest.BESIDES
    assert not AuditEntry.objects.filter(action__in=["match.bye", "evening.absent"]).exists()


def test_an_evening_goes_on_where_a_bye_was_begun_by_hand(club: Club, clock: time_machine.Traveller) -> None:
    """What stands on its sheet is for whoever typed it to end; the evening waits for that."""
    night = night_of_three(club, OddTable.PLAYED)
    night.play(1)
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    play(alone, 7)
    at(clock, 10)
    alone.refresh_from_db()
    assert alone.sheet is not None
    assert (night.evening.is_going, night.rounds()) == (True, 1)
    stop_sheet(actor=OPERATOR, sheet=alone.sheet)
    at(clock, 11)
    assert night.evening.next_at is not None


def test_who_takes_his_seat_from_the_bot_has_come(club: Club, clock: time_machine.Traveller) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False, sits_in=bot)
    night.begin()
    (match,) = night.matches(1)
    absent, there = night.pair(match)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason="He is late.")
    take_own_seat(actor=by(absent), match=match)
    table = night.come(there.name, 1)
    assert table is not None
    assert set(table.seats.values_list("account", flat=True)) == {absent.user_id, there.user_id}


def test_a_side_for_which_a_bot_sits_in_is_not_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:2], rounds_planned=1, check_in=False, sits_in=bot)
    night.begin()
    (match,) = night.matches(1)
    absent, there = night.pair(match)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason="He is late.")
    assert night.come(there.name, 1) is not None
    at(clock, 10)
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED


def test_bots_that_are_drawn_against_each_other_are_not_waited_for(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Nobody has planned their match: the evening does."""
    night = Night(club, "swiss", ("Ann", "Bob"), check_in=False, rounds_planned=1)
    # The upper half meets the lower one: seed 1 plays 3, and 2 plays 4.
    Entry.objects.filter(event=night.event, name="Bob").update(seed=3)
    for seed, name in ((2, "Zork"), (4, "Zonk")):
        bot = PlayerFactory.create(club=club, name=name, strategy="simple")
        EntryFactory.create(event=night.event, seed=seed, name=name, players=[bot])
    night.begin()
    assert not BotMatch.objects.exists()
    at(clock, 1)
    planned = BotMatch.objects.get()
    assert {seat.name for seat in planned.sheet.seats.all()} == {"Zork", "Zonk"}
    at(clock, 2)
    assert BotMatch.objects.count() == 1
