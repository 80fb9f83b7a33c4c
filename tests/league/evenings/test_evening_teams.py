"""Evenings of teams that run themselves: a side is there once all who sit on it are, or a bot instead."""

import datetime
import re
from functools import partial
from typing import Final

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch, TableSeat
from games.services.outages import beat_site
from league.draws.online import come_to_table
from league.draws.recalculating import recalculate
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.events.evening_sweep import sweep_evenings
from league.events.presence import mark_everybody
from league.matches.line_ups import set_line_up
from league.models import (
    AbsentAt,
    Arrival,
    AuditEntry,
    Club,
    Entry,
    EntryMember,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    Player,
    Presence,
    PresenceState,
    Rest,
    Role,
    Standing,
)
from league.notices.words import said_by
from league.people.players import merge_players
from league.policy.naming import names_for
from tests.factories import OPERATOR, PlayerFactory, UserFactory
from tests.league.nights import NAMES, START, Night, at
from tests.league.table_players import address, browser, by, member, plain_text, play_on, refused, text
from tests.league.test_odd_tables import byes, standing

pytestmark = pytest.mark.django_db


SIX: Final = (*NAMES, "Eve", "Fay")


def told(action: str) -> list[list[str]]:
    """The names in each note of this action, in the order of time."""
    notes = AuditEntry.objects.filter(action=action).order_by("pk")
    return [sorted(each["name"] for each in (note.after or {})["absent"]) for note in notes]


@pytest.mark.dear("plays a whole evening of teams, card by card")
def test_whole_swiss_of_teams_with_one_that_is_incomplete_and_one_that_never_comes(
    club: Club, clock: time_machine.Traveller
) -> None:
    """A walkover of the whole match for who is there; both are left out of the third round."""
    night = Night(club, "swiss", SIX, team_size=2, break_minutes=0, slug="friday")
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    missing = ("Ann2", "Eve", "Eve2")
    # Seed 1 meets 4, 2 meets 5, and 3 meets 6.
    night.play(1, absent=missing)
    at(clock, 9)
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    at(clock, 10)
    given = [each for each in night.matches(1) if each.state == MatchState.WALKOVER]
    assert {each.side_name(each.winner_side or 0) for each in given} == {"Bob", "Dan"}
    assert night.match_of("Cid", 1).state == MatchState.FINISHED
    night.play(2, absent=missing)
    at(clock, 20)
    assert told("evening.absent") == [["Ann2", "Eve", "Eve2"]] * 2
    assert told("evening.left_out") == [["Ann", "Eve"]]
    assert night.rounds() == 3
    away = Presence.objects.filter(round_number=3, state=PresenceState.AWAY)
    assert {each.entry.name for each in away} == {"Ann", "Eve"}
    night.play(3)
    at(clock, 21)
    assert night.evening.state == "over"
    recalculate(night.event.pk)
    rows = {row.entry.name: row for row in Standing.objects.filter(event=night.event)}
    assert [rows[name].wins for name in ("Ann", "Eve")] == [0, 0]
    assert not any(rows[name].points for name in ("Ann", "Eve"))
    assert sum(rows[name].wins for name in ("Bob", "Cid", "Dan", "Fay")) == sum(
        each.winner_side is not None for number in (1, 2, 3) for each in night.matches(number)
    )


def test_a_team_that_missed_two_rounds_is_paired_once_one_of_it_says_that_it_is_back(
    club: Club, clock: time_machine.Traveller
) -> None:
    """One of it is enough, and one of another team is none of it."""
    night = Night(club, "swiss", team_size=2, check_in=False, slug="friday")
    night.begin()
    enter = reverse("event_enter", args=["harbour", "friday"])
    ann = browser(night.players["Ann"])
    for number, begins in ((1, 0), (2, 15)):
        match = night.match_of("Ann", number)
        for player in night.pair(match):
            assert player.name == "Ann2" or night.come(player.name, number) is None
        others = Match.objects.filter(round__number=number).exclude(pk=match.pk)
        others.update(state=MatchState.FORFEIT, winner_side=0)
        assert ann.post(enter, {"what": "back"}).status_code == 422
        at(clock, begins + 10)
        at(clock, begins + (15 if number == 1 else 11))
    assert "Your team was not complete in its last matches" in ann.get(enter).content.decode()
    assert browser(night.players["Bob"]).post(enter, {"what": "back"}).status_code == 422
    assert ann.post(enter, {"what": "back"}).status_code == 302
    assert "You are back, and paired in the next round." in ann.get(enter).content.decode()
    at(clock, 30)
    assert (night.rounds(), len(night.matches(3))) == (3, 2)


@pytest.mark.dear("plays two matches at tables of eight, card by card")
def test_whole_knockout_of_teams_of_four(club: Club, clock: time_machine.Traveller) -> None:
    """Of one nobody comes: the other is in the final, for which all eight come anew."""
    night = Night(club, "single", team_size=4, third_place=False, break_minutes=0)
    night.begin()
    night.play(1, absent=("Dan", "Dan2", "Dan3", "Dan4"))
    at(clock, 10)
    lost = Match.objects.get(state=MatchState.WALKOVER)
    assert lost.winner_side is not None
    assert lost.side_name(1 - lost.winner_side) == "Dan"
    (final,) = night.matches(2)
    assert final.state == MatchState.SCHEDULED
    night.play(2)
    at(clock, 11)
    assert night.evening.state == "over"
    assert Arrival.objects.filter(round__number=2).count() == 8


def test_both_teams_incomplete_in_a_knockout_leave_it_to_the_director(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "single", ("Ann", "Bob"), team_size=2)
    night.begin()
    night.play(1, absent=("Ann2", "Bob"))
    at(clock, 10)
    match = Match.objects.get()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, None)
    assert night.evening.state == "stopped"
    assert "director" in night.evening.why


def test_a_captain_has_the_bot_play_and_the_table_opens(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    """As nobody else is waited for; and not any more once the time is over."""
    night = Night(club, "swiss", team_size=2, check_in=False, sits_in=robo, slug="friday")
    for name in ("Ann", "Bob", "Dan"):
        Entry.objects.filter(event=night.event, name=name).update(captain=night.players[name])
    night.begin()
    mine, other = night.match_of("Ann", 1), night.match_of("Bob", 1)
    for name in ("Ann", "Cid", "Cid2"):
        assert night.come(name, 1) is None
    page = text(browser(night.players["Ann"]), mine)
    assert "You are at the table. It opens as soon as everybody is there." in page
    assert "Not there yet: Ann2." in page
    theirs = browser(night.players["Bob"])
    assert "Somebody of your team is not here" in text(theirs, other)
    assert night.come("Bob2", 1) is None
    assert "Somebody of your team is not here" not in text(theirs, other)
    asked = {"what": "sit_in", "absent": night.players["Ann2"].code}
    assert browser(night.players["Ann"]).post(address(mine, "match_play"), asked).status_code == 302
    table = TableMatch.objects.get()
    assert table.sheet_id == Match.objects.get(pk=mine.pk).sheet_id
    (chair,) = TableSeat.objects.filter(match=table).exclude(bot=None)
    assert chair.number == night.pair(mine).index(night.players["Ann2"])
    clock.move_to(START + datetime.timedelta(minutes=10))
    beat_site(timezone.now())
    captain = by(night.players["Dan"])
    late = partial(let_bot_sit_in, match=other, absent=night.players["Dan2"], reason="He is late.")
    refused("too_late", partial(late, actor=captain))
    sweep_evenings(timezone.now())
    assert told("evening.absent") == [["Bob", "Dan", "Dan2"]]
    assert Match.objects.filter(state=MatchState.WALKOVER).count() == 1


def test_who_takes_his_seat_back_has_come(club: Club, robo: Player) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), team_size=2, rounds_planned=1, check_in=False, sits_in=robo)
    night.begin()
    (match,) = night.matches(1)
    late = night.players["Bob2"]
    let_bot_sit_in(actor=OPERATOR, match=match, absent=late, reason="He is late.")
    for name in ("Ann", "Ann2"):
        assert night.come(name, 1) is None
    take_own_seat(actor=by(late), match=match)
    assert "Not there yet: Bob." in text(browser(late), match)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=night.players["Bob"], reason="He is late, too.")
    seats = TableSeat.objects.filter(match__sheet__match=match).order_by("number")
    here = [None if player.name == "Bob" else player.user for player in night.pair(match)]
    assert [seat.account for seat in seats] == here


@pytest.mark.usefixtures("mails")
def test_a_director_is_told_and_a_complete_team_plays(club: Club, clock: time_machine.Traveller) -> None:
    """By the clock; where no team is complete he has to say what becomes of the match."""
    director = UserFactory.create(club=club, role=Role.DIRECTOR, email="d@a.test")
    night = Night(club, "swiss", team_size=2, check_in=False, absent=AbsentAt.TELL, online_clock="lively")
    night.begin()
    night.play(1, absent=("Cid2", "Bob", "Dan2"))
    at(clock, 10)
    one, other = night.match_of("Ann", 1), night.match_of("Bob", 1)
    assert [table.sheet_id for table in TableMatch.objects.all()] == [one.sheet_id]
    assert told("evening.absent") == [["Bob", "Cid2", "Dan2"]]
    notice = Notice.objects.get(kind=NoticeKind.EVENING, user=director)
    said = said_by(notice, director, names_for(director, club))
    assert said is not None
    assert re.match(r"Not at their tables in round 1: (\w+, ){2}\w+\. You say", said.lines[0]), said.lines
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    Match.objects.filter(pk=one.pk).update(state=MatchState.WALKOVER, winner_side=0)
    at(clock, 11)
    assert night.evening.state == "stopped"
    assert night.evening.why == f"Play has not begun at {other.label}, and nobody is waited for."


def test_time_in_which_the_site_was_down_is_given_back_to_a_team(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), team_size=2, rounds_planned=1, check_in=False)
    night.begin()
    for name in ("Ann", "Ann2", "Bob"):
        assert night.come(name, 1) is None
    at(clock, 8)
    clock.move_to(START + datetime.timedelta(minutes=38))
    sweep_evenings(timezone.now())
    assert night.evening.come_by == START + datetime.timedelta(minutes=40)
    at(clock, 39)
    assert night.come("Bob2", 1) is not None
    at(clock, 41)
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()


def test_who_plays_instead_has_to_come(club: Club, clock: time_machine.Traveller) -> None:
    """A director seats Eve for Bob2; he is waited for no more, and where all are there by then it opens."""
    night = Night(club, "swiss", ("Ann", "Bob"), team_size=2, rounds_planned=1, check_in=False)
    night.begin()
    (match,) = night.matches(1)
    for name in ("Ann", "Ann2", "Bob"):
        assert night.come(name, 1) is None
    night.players["Eve"] = member(club, "Eve")
    side = 0 if match.entry_a.name == "Bob" else 1
    players = [night.players[name] for name in ("Bob", "Eve")]
    set_line_up(actor=OPERATOR, match=match, side=side, players=players)
    assert "Not there yet: Eve." in text(browser(night.players["Bob"]), match)
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    set_line_up(actor=OPERATOR, match=match, side=side, players=[night.players["Bob"], bot])
    at(clock, 10)
    assert TableMatch.objects.get().sheet_id == match.sheet_id
    assert not AuditEntry.objects.filter(action="evening.absent").exists()


def test_teams_that_cannot_run_themselves_are_refused_and_told_why(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "swiss", team_size=2, check_in=False, break_minutes=0)
    ann2 = EntryMember.objects.get(event=night.event, player=night.players["Ann2"])
    EntryMember.objects.filter(pk=ann2.pk).update(player=PlayerFactory.create(club=club, name="Gus"))
    refused("no_account", night.begin)
    EntryMember.objects.filter(pk=ann2.pk).delete()
    refused("line_ups_open", night.begin)
    EntryMember.objects.create(
        event=night.event, entry=night.entry("Ann"), player=night.players["Ann2"], position=1
    )
    night.begin()
    Match.objects.filter(event=night.event).update(state=MatchState.WALKOVER, winner_side=0)
    # From the next round on there is one to play for two.
    EntryMember.objects.get(event=night.event, player=night.players["Ann2"]).delete()
    at(clock, 1)
    assert night.rounds() == 2
    Match.objects.filter(round__number=2, sheet__isnull=False).update(
        state=MatchState.WALKOVER, winner_side=0
    )
    at(clock, 12)
    unseated = Match.objects.get(round__number=2, sheet=None)
    assert (night.evening.state, unseated.state) == ("stopped", MatchState.SCHEDULED)
    assert night.evening.why == f"Nobody has been named to play at {unseated.label}."


def test_event_page_says_when_a_team_is_there(club: Club, robo: Player) -> None:
    night = Night(club, "swiss", team_size=2, check_in=False, slug="friday", sits_in=robo)
    page = browser(night.players["Ann"]).get(reverse("event", args=["harbour", "friday"])).content.decode()
    assert "A team is there once all who play for it are. Its captain may let Robo play" in plain_text(page)


def test_who_is_merged_has_come_once(club: Club) -> None:
    """In a round in which only one of the two has come, and in one in which both have."""
    night = Night(club, "swiss", ("Ann", "Bob"), team_size=2, rounds_planned=2, check_in=False)
    night.begin()
    keep, drop = night.players["Ann"], PlayerFactory.create(club=club, name="Anne")
    assert night.come("Ann", 1) is None
    (arrival,) = Arrival.objects.all()
    Arrival.objects.create(round=arrival.round, player=drop, at=timezone.now())
    merge_players(actor=OPERATOR, keep=keep, drop=drop)
    assert Arrival.objects.get().player == keep


@pytest.mark.dear("plays three matches of teams, card by card")
def test_evening_waits_for_all_of_the_team_and_then_the_bots_play(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    """In the second round one of a team does not come: it has the bye, and the others miss nothing by it."""
    night = Night(
        club, "swiss", NAMES[:3], team_size=2, rounds_planned=2, check_in=False, sits_in=robo, break_minutes=0
    )
    night.begin()
    (first,) = byes(night.event)
    one, other = night.entered[first.entry_a_id]
    assert come_to_table(actor=by(one), match=first) is None
    assert f"Not there yet: {other.name}." in text(browser(one), first)
    table = come_to_table(actor=by(other), match=first)
    assert table is not None
    at(clock, 1)
    assert night.rounds() == 1
    play_on(table, one, other)
    night.play(1)
    at(clock, 2)
    at(clock, 3)
    second = byes(night.event)[1]
    assert second.entry_a != first.entry_a
    assert come_to_table(actor=by(night.entered[second.entry_a_id][0]), match=second) is None
    night.play(2)
    at(clock, 11)
    assert night.evening.state == "going"
    at(clock, 13)
    assert [match.rest for match in byes(night.event)] == [Rest.PLAYED, Rest.BYE]
    at(clock, 14)
    assert night.evening.state == "over"
    third = next(entry for entry in night.event.entries.all() if entry not in (first.entry_a, second.entry_a))
    assert {name: won + lost for name, (_points, won, lost, _net) in standing(night.event).items()} == {
        first.entry_a.name: 2,
        second.entry_a.name: 1,
        third.name: 2,
    }
