"""An event that runs itself: rounds follow one another, who does not come forfeits, and what needs a person
stops it.
"""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch
from games.services.outages import beat_site, mend_outage
from league.admin.pairing_acts import pairing_preview
from league.draws.online import come_to_table, play_online
from league.draws.planning import plan_next_round
from league.draws.round_life import draft_round, publish_round, unpublish_round
from league.events.evening_steps import EVENING
from league.events.evening_sweep import sweep_evenings
from league.events.evenings import begin_evening, drop_evening, pause_evening, set_evening
from league.events.presence import OwnCheckIn, check_out_own, mark_everybody, own_check_in, set_presence
from league.matches.member_tables import begin_table, end_table_for
from league.models import (
    AbsentAt,
    Arrival,
    AuditEntry,
    Club,
    Evening,
    Event,
    EventState,
    Match,
    MatchState,
    PlayedWhere,
    Presence,
    PresenceState,
    Round,
    RoundState,
)
from scoring.services import dispute_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
)
from tests.league.nights import NAMES, START, Night, at
from tests.league.table_players import browser, by, play_on, refused

pytestmark = pytest.mark.django_db


def test_whole_swiss_runs_itself_and_one_who_misses_two_rounds_is_left_out(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Six rounds of clock: a round, a break, the next one; Dan checks in, and never comes."""
    night = Night(club, "swiss", rounds_planned=3)
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    assert night.evening.come_by == START + datetime.timedelta(minutes=10)
    for number, begins in ((1, 0), (2, 15)):
        at(clock, begins)
        assert night.rounds() == number
        night.play(number, absent=("Dan",))
        at(clock, begins + 9)
        assert Match.objects.filter(state=MatchState.WALKOVER).count() == number - 1
        at(clock, begins + 10)
        given = Match.objects.get(round__number=number, state=MatchState.WALKOVER)
        assert given.winner_side is not None
        assert "Dan" not in given.side_name(given.winner_side)
        at(clock, begins + 10.5)
        assert night.evening.next_at is not None
    at(clock, 31)
    assert night.rounds() == 3
    assert Presence.objects.get(entry=night.entry("Dan"), round_number=3).state == PresenceState.AWAY
    assert {match.state for match in night.matches(3)} == {MatchState.SCHEDULED}
    assert len(night.matches(3)) == 1
    # It is the last one: there is none in which he could be back.
    page = reverse("event", args=[club.slug, night.event.slug])
    assert "Are you back?" not in browser(night.players["Dan"]).get(page).content.decode()
    night.play(3)
    at(clock, 33)
    assert (night.evening.state, night.rounds()) == ("over", 3)
    by_itself = AuditEntry.objects.filter(actor_kind=EVENING.kind, actor_id=EVENING.id)
    actions = list(by_itself.order_by("pk").values_list("action", flat=True))
    assert actions.count("round.draft") == actions.count("round.publish") == 2
    assert actions.count("match.walkover") == actions.count("evening.absent") == 2
    assert actions.count("evening.left_out") == actions.count("evening.end") == 1
    reason = by_itself.filter(action="match.walkover").earliest("pk").reason
    assert "Dan" in reason
    assert not Evening.objects.filter(state="going").exists()


def test_director_who_draws_in_the_break_draws_who_was_here(
    club: Club, clock: time_machine.Traveller
) -> None:
    """As the evening would: nobody is asked anew, and of whom somebody has said more that stands."""
    night = Night(club, "swiss", ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay"))
    for name in ("Ann", "Bob", "Cid", "Dan", "Eve"):
        entry = night.entry(name)
        set_presence(actor=OPERATOR, event=night.event, entry=entry, number=1, state=PresenceState.HERE)
    night.begin()
    night.play(1)
    at(clock, 1)
    assert night.evening.next_at is not None
    eve, away = night.entry("Eve"), PresenceState.AWAY
    set_presence(actor=OPERATOR, event=night.event, entry=eve, number=2, state=away)
    shown = pairing_preview(plan_next_round(night.event))
    drafted = draft_round(actor=OPERATOR, event=night.event)
    assert len(shown.rows) == len(night.matches(drafted.number)) == 2
    here = Presence.objects.filter(round_number=2, state=PresenceState.HERE)
    assert set(here.values_list("entry__name", flat=True)) == {"Ann", "Bob", "Cid", "Dan"}
    noted = AuditEntry.objects.get(action="presence.everybody", after__round=2)
    assert noted.actor_name == OPERATOR.name


def test_who_was_here_says_that_he_cannot_come_to_the_next_round(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Though nobody has said of that round that he is here."""
    night = Night(club, "swiss", rounds_planned=3)
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    night.play(1)
    dan = night.entry("Dan")
    assert own_check_in(night.event, dan) == OwnCheckIn(2, PresenceState.HERE)
    check_out_own(actor=by(night.players["Dan"]), event=night.event, entry=dan)
    refused("not_here", lambda: check_out_own(actor=OPERATOR, event=night.event, entry=dan))
    at(clock, 1)
    at(clock, 6)
    assert night.rounds() == 2
    assert all(dan not in [*match.side(0), *match.side(1)] for match in night.matches(2))


def test_who_was_not_checked_in_is_not_paired_and_comes_later(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "swiss", break_minutes=0)
    for name in ("Ann", "Bob"):
        entry = night.entry(name)
        set_presence(actor=OPERATOR, event=night.event, entry=entry, number=1, state=PresenceState.HERE)
    night.begin()
    assert [sorted(player.name for player in night.pair(match)) for match in night.matches(1)] == [
        ["Ann", "Bob"]
    ]
    for name in ("Cid", "Dan"):
        entry = night.entry(name)
        set_presence(actor=OPERATOR, event=night.event, entry=entry, number=2, state=PresenceState.HERE)
    night.play(1)
    at(clock, 1)
    assert (night.rounds(), len(night.matches(2))) == (2, 2)


def test_whole_knockout_runs_itself(club: Club, clock: time_machine.Traveller) -> None:
    """Of two semifinals one goes to who is there; the final is drawn, played, and that is the end."""
    night = Night(club, "single", third_place=False)
    night.begin()
    night.play(1, absent=("Dan",))
    at(clock, 5)
    assert night.evening.next_at is None
    at(clock, 10)
    at(clock, 15)
    (final,) = night.matches(2)
    assert "Ann" in {final.side_name(0), final.side_name(1)}
    night.play(2)
    at(clock, 16)
    assert night.evening.state == "over"
    assert Event.objects.get().state == EventState.RUNNING


def test_tie_of_several_sheets_is_played_to_its_end(club: Club, clock: time_machine.Traveller) -> None:
    """Who has come once is there for all sheets of the round: their tables open, and no break begins."""
    night = Night(club, "single", names=("Ann", "Bob"), best_of=3)
    night.begin()
    night.play(1)
    for minute in range(1, 4):
        at(clock, minute)
        for match in night.matches(1):
            if match.state == MatchState.SCHEDULED:
                assert night.evening.is_going
                play_on(TableMatch.objects.get(sheet=match.sheet), *night.pair(match))
    assert len(night.matches(1)) in (2, 3)
    at(clock, 5)
    assert (night.evening.state, night.rounds()) == ("over", 1)


def test_both_absent_lose_and_a_knockout_asks_its_director(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "single")
    night.begin()
    night.play(1, absent=("Ann", "Dan"))
    at(clock, 10)
    lost = Match.objects.get(state=MatchState.WALKOVER)
    assert lost.winner_side is None
    evening = night.evening
    assert (evening.state, night.rounds()) == ("stopped", 1)
    assert "director" in evening.why


def test_table_opens_and_clocks_run_once_both_have_come(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False, online_clock="lively")
    night.begin()
    match = night.matches(1)[0]
    one, other = night.pair(match)
    refused("not_here", lambda: play_online(actor=by(one), match=match))
    sheet = match.sheet
    assert sheet is not None
    refused("not_here", lambda: begin_table(actor=by(one), sheet=sheet))
    assert come_to_table(actor=by(one), match=match) is None
    assert come_to_table(actor=by(one), match=match) is None
    assert Arrival.objects.get().player == one
    assert not TableMatch.objects.exists()
    at(clock, 4)
    table = come_to_table(actor=by(other), match=match)
    assert table is not None
    assert table.turn_since == timezone.now()
    refused("not_allowed", lambda: come_to_table(actor=OPERATOR, match=night.matches(1)[1]))
    clock.move_to(START + datetime.timedelta(minutes=10))
    beat_site(timezone.now())
    # Before any sweep: the deadline is an instant.
    late = night.matches(1)[1]
    refused("too_late", lambda: come_to_table(actor=by(night.pair(late)[0]), match=late))


def test_outage_is_given_back_to_who_is_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    """Down from 8 minutes on for half an hour: two minutes are left after it, whoever mends it first."""
    night = Night(club, "swiss", check_in=False)
    night.begin()
    at(clock, 8)
    clock.move_to(START + datetime.timedelta(minutes=38))
    match = night.matches(1)[0]
    assert come_to_table(actor=by(night.pair(match)[0]), match=match) is None
    sweep_evenings(timezone.now())
    assert not mend_outage(timezone.now())
    assert night.evening.come_by == START + datetime.timedelta(minutes=40)
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    at(clock, 40)
    assert Match.objects.filter(state=MatchState.WALKOVER).count() == 2


def test_outage_in_a_pause_is_given_back_once(club: Club, clock: time_machine.Traveller) -> None:
    """Paused after 2 minutes, down meanwhile, on again after 32: as much time is left as when it stood."""
    night = Night(club, "swiss", check_in=False)
    night.begin()
    at(clock, 2)
    pause_evening(actor=OPERATOR, event=night.event)
    clock.move_to(START + datetime.timedelta(minutes=32))
    begin_evening(actor=OPERATOR, event=night.event)
    sweep_evenings(timezone.now())
    assert night.evening.come_by == START + datetime.timedelta(minutes=40)


def test_director_is_only_told_where_the_event_says_so(club: Club, clock: time_machine.Traveller) -> None:
    """Who is there plays then, by the clock; a table to which nobody came is for a director."""
    night = Night(club, "swiss", check_in=False, absent=AbsentAt.TELL, online_clock="lively")
    night.begin()
    one, other = night.matches(1)
    assert come_to_table(actor=by(night.pair(one)[0]), match=one) is None
    at(clock, 10)
    assert [table.sheet_id for table in TableMatch.objects.all()] == [one.sheet_id]
    assert not Match.objects.filter(state=MatchState.WALKOVER).exists()
    told = AuditEntry.objects.get(action="evening.absent").after
    assert told is not None
    assert len(told["absent"]) == 3
    assert night.evening.is_going
    play_on(TableMatch.objects.get(), *night.pair(one))
    at(clock, 11)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert other.label in night.evening.why


def test_dispute_stops_it_until_a_director_lets_it_go_on(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    match = night.matches(1)[0]
    assert match.sheet is not None
    dispute_sheet(actor=by(night.pair(match)[0]), sheet=match.sheet, sentence="I said gin.")
    at(clock, 1)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert match.label in night.evening.why
    at(clock, 30)
    assert night.rounds() == 1
    begin_evening(actor=OPERATOR, event=night.event)
    at(clock, 31)
    assert night.evening.state == "stopped"


def test_pairing_that_is_impossible_stops_it(club: Club, clock: time_machine.Traveller) -> None:
    """Two play three rounds: they would meet twice."""
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False)
    night.begin()
    night.play(1)
    for minute in (1, 6):
        at(clock, minute)
    assert (night.evening.state, night.rounds()) == ("stopped", 1)
    assert night.evening.why


def test_director_pauses_draws_by_hand_and_lets_it_go_on(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    at(clock, 4)
    pause_evening(actor=OPERATOR, event=night.event)
    refused("wrong_state", lambda: pause_evening(actor=OPERATOR, event=night.event))
    at(clock, 24)
    assert not Match.objects.exclude(state=MatchState.SCHEDULED).exists()
    night.begin()
    assert night.evening.come_by == START + datetime.timedelta(minutes=30)
    refused("wrong_state", night.begin)
    night.play(1)
    at(clock, 25)
    assert night.evening.next_at == START + datetime.timedelta(minutes=30)
    # By hand during the break: that goes on, and the evening takes the round as it finds it.
    drafted = draft_round(actor=OPERATOR, event=night.event)
    at(clock, 29)
    assert night.evening.next_at == START + datetime.timedelta(minutes=30)
    at(clock, 31)
    assert not Evening.objects.filter(next_at__isnull=False).exists()
    assert night.rounds() == 2
    publish_round(actor=OPERATOR, round_=drafted)
    at(clock, 32)
    evening = night.evening
    assert evening.round == drafted
    assert evening.come_by == START + datetime.timedelta(minutes=42)
    drop_evening(actor=OPERATOR, event=night.event)
    at(clock, 60)
    assert (night.rounds(), Evening.objects.count()) == (2, 0)


def test_round_that_is_taken_back_begins_anew_when_it_is_published(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Nobody is absent from a draft, nor at once from what is published after his time was over."""
    night = Night(club, "swiss", check_in=False, break_minutes=0)
    night.begin()
    night.play(1)
    at(clock, 1)
    second = Round.objects.get(number=2)
    unpublish_round(actor=OPERATOR, round_=second)
    for minute in (5, 6, 30):
        at(clock, minute)
        assert night.evening.round is None
        assert night.evening.come_by is None
        assert night.evening.is_going
    publish_round(actor=OPERATOR, round_=second)
    at(clock, 31)
    assert night.evening.come_by == START + datetime.timedelta(minutes=41)
    assert {match.state for match in night.matches(2)} == {MatchState.SCHEDULED}


def test_result_taken_back_in_the_break_is_waited_for(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    at(clock, 1)
    assert night.evening.next_at is not None
    match = night.matches(1)[0]
    Match.objects.filter(pk=match.pk).update(state=MatchState.PLAYING, winner_side=None)
    at(clock, 3)
    evening = night.evening
    assert evening.next_at is None
    assert evening.is_going
    at(clock, 7)
    assert night.rounds() == 1


def test_what_cannot_run_itself_is_refused(club: Club) -> None:
    def set_up(**settings: Any) -> Callable[[], object]:
        event = EventFactory.create(
            club=club, **{"format": "swiss", "played": PlayedWhere.ONLINE, **settings}
        )
        return lambda: set_evening(
            actor=OPERATOR, event=event, break_minutes=5, wait_minutes=10, absent=AbsentAt.FORFEIT
        )

    refused("wrong_format", set_up(format="ladder"))
    refused("wrong_format", set_up(format="tables"))
    refused("not_online", set_up(played=PlayedWhere.EITHER))
    refused("not_set", lambda: begin_evening(actor=OPERATOR, event=EventFactory.create(format="swiss")))
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, rounds_planned=None)
    refused("rounds_open", night.begin)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=2, check_in=True)
    night.event.refresh_from_db()
    refused("nobody_here", night.begin)
    Event.objects.filter(pk=night.event.pk).update(check_in=False)
    night.event.refresh_from_db()
    EntryFactory.create(event=night.event, name="Cid")
    refused("no_account", night.begin)


def test_drafted_round_is_published_as_the_evening_begins(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "single")
    night.begin()
    assert Round.objects.get(event=night.event).state == RoundState.PUBLISHED
    other = Night(club, "swiss", names=("Eve", "Fay"), check_in=False, slug="other")
    drafted = draft_round(actor=OPERATOR, event=other.event)
    other.begin()
    assert other.evening.round == drafted
    assert len(other.matches(1)) == 1


def test_who_was_left_out_says_that_he_is_back(club: Club, clock: time_machine.Traveller) -> None:
    """Of five rounds Dan misses two, is left out of the third, and plays the fourth."""
    night = Night(
        club, "swiss", names=(*NAMES, "Eve", "Fay"), rounds_planned=5, break_minutes=0, slug="friday"
    )
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    night.begin()
    dan, enter = browser(night.players["Dan"]), reverse("event_enter", args=["harbour", "friday"])
    for number in (1, 2):
        night.play(number, absent=("Dan",))
        assert dan.post(enter, {"what": "back"}).status_code == 422
        at(clock, 10 * number)
    assert (night.rounds(), len(night.matches(3))) == (3, 2)
    assert "Are you back?" in dan.get(reverse("event", args=["harbour", "friday"])).content.decode()
    assert "I am back" in dan.get(enter).content.decode()
    assert dan.post(enter, {"what": "back"}).status_code == 302
    assert "You are back, and paired in the next round." in dan.get(enter).content.decode()
    night.play(3)
    at(clock, 21)
    assert (night.rounds(), len(night.matches(4))) == (4, 3)


def test_a_break_is_longer_by_as_much_as_the_site_was_down(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    night.play(1)
    at(clock, 2)
    assert night.evening.next_at == START + datetime.timedelta(minutes=7)
    clock.move_to(START + datetime.timedelta(minutes=30))
    sweep_evenings(timezone.now())
    assert night.evening.next_at == START + datetime.timedelta(minutes=35)
    assert night.rounds() == 1
    at(clock, 35)
    assert night.rounds() == 2


def test_play_that_was_ended_without_a_result_stops_it(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), check_in=False, rounds_planned=1)
    night.begin()
    assert night.come("Ann", 1) is None
    table = night.come("Bob", 1)
    assert table is not None
    end_table_for(actor=OPERATOR, match=table, reason="The lights went out.")
    at(clock, 2)
    evening = night.evening
    assert evening.state == "stopped"
    assert evening.why == f"Play has ended without a result at {night.matches(1)[0].label}."
