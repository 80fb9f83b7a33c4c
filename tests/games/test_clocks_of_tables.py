"""A table with a clock: what a turn costs, what a time-out does, pauses, and outages of the site."""

import datetime
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deploy.celery import app
from games import tasks
from games.bots import house_bot
from games.errors import GameError
from games.models import SealedPack, SiteHeartbeat, TableAct, TableMatch
from games.services import (
    act,
    agree_pause,
    ask_pause,
    end_table,
    keep_clocks,
    open_table,
    resume,
    table_state,
)
from games.services.outages import SILENT_AFTER
from games.tables.clocks import PRESETS, Clock, TimeOut
from league.models import AuditEntry, Match, MatchState
from scoring.core.actors import Actor
from scoring.core.hands import Dead
from scoring.models import Scoresheet
from scoring.services import record_deals, void_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, MatchFactory
from tests.games.bot_matches import blank_sheet
from tests.games.conftest import EIGHT
from tests.games.member_tables import hand_in_play, member
from tests.games.test_tables_of_members import assert_replays

pytestmark = pytest.mark.django_db

LIVELY = PRESETS["lively"]
FORFEIT = Clock(30, 60, TimeOut.FORFEIT_MATCH)
DEAD = {"hands": [{"kind": "dead", "knocker": "Ann", "defender": "Bob"}]}


class Two:
    """Two members at a table, asked by seat."""

    def __init__(self, clock: Clock | None = LIVELY, sheet: Scoresheet | None = None) -> None:
        self.members: dict[int, Actor] = {0: member(), 1: member()}
        self.match = open_table(sheet=sheet or blank_sheet(), seats=self.members, clock=clock)

    def told(self, seat: int = 0) -> dict[str, Any]:
        return table_state(actor=self.members[seat], match=self.match, seat=seat)

    @property
    def turn(self) -> int:
        return hand_in_play(self.match).turn

    @property
    def row(self) -> TableMatch:
        return TableMatch.objects.get(pk=self.match.pk)

    def by(self, seat: int) -> dict[str, Any]:
        return {"actor": self.members[seat], "match": self.match, "seat": seat}

    def act(self, action: str, key: str = "") -> None:
        version = self.row.version
        act(**self.by(self.turn), version=version, action=action, key=key or str(version))

    def banks(self) -> list[float]:
        return [seat["bank_left"] for seat in self.told()["clock"]["seats"]]


def after(count: float) -> datetime.datetime:
    """So many seconds after eight."""
    return EIGHT + datetime.timedelta(seconds=count)


def refusal(call: Any, **what: Any) -> str:
    with pytest.raises(GameError) as refused:
        call(**what)
    assert str(refused.value.message).endswith(".")
    return refused.value.code


def test_what_a_turn_takes_beyond_its_time_goes_off_the_bank_of_who_took_it(
    clock: time_machine.Traveller,
) -> None:
    """Drawing after 20 s and discarding after 50 s is one turn, of which 20 s are of the bank."""
    two = Two()
    first = two.turn
    assert (two.row.turn_since, two.row.deadline) == (EIGHT, after(330))
    two.act("pass")
    clock.move_to(after(10))
    two.act("pass")
    assert (two.turn, two.row.turn_since) == (first, after(10))
    clock.move_to(after(30))
    two.act("draw")
    assert (two.row.turn_since, two.row.deadline) == (after(10), after(340))
    clock.move_to(after(60))
    assert two.told(1 - first)["clock"]["seats"][first]["bank_left"] == 280, "read while it runs"
    two.act(two.told(first)["hand"]["legal"][0])
    assert two.turn == 1 - first
    assert (two.row.turn_since, two.row.deadline) == (after(60), after(390))
    seats = two.told(first)["clock"]["seats"]
    assert seats[first] == {"bank_left": 280, "deadline": None, "time_outs": 0}
    assert seats[1 - first] == {"bank_left": 300, "deadline": after(390).isoformat(), "time_outs": 0}
    assert two.told(first)["clock"] == two.told(1 - first)["clock"]


def test_without_a_clock_nothing_runs(clock: time_machine.Traveller) -> None:
    two = Two(None)
    assert (two.told()["clock"], two.row.deadline, two.row.turn_since) == (None, None, None)
    clock.shift(datetime.timedelta(days=30))
    keep_clocks(timezone.now())
    two.act("pass")
    assert refusal(ask_pause, **two.by(0)) == "no_clock"


def test_who_comes_too_late_finds_his_turn_played_and_his_bank_empty(clock: time_machine.Traveller) -> None:
    two = Two()
    late = two.turn
    sent = two.by(late) | {"version": 1, "action": "take", "key": "late"}
    clock.move_to(after(330))
    assert refusal(act, **sent) == "time_over"
    assert [str(action) for action in hand_in_play(two.match).actions] == ["pass"]
    assert not TableAct.objects.exists()
    assert refusal(act, **sent) == "stale_version"
    row = two.row
    assert (row.version, row.turn_since, row.deadline) == (2, after(330), after(660))
    assert two.told()["clock"]["seats"][late] == {"bank_left": 0, "deadline": None, "time_outs": 1}
    two.act("pass")
    assert two.row.deadline == after(360), "the bank stays empty"


def test_an_action_that_was_carried_out_in_time_is_answered_also_when_the_next_time_is_over(
    clock: time_machine.Traveller,
) -> None:
    two = Two()
    sent = two.by(two.turn) | {"version": 1, "action": "pass", "key": "a"}
    assert act(**sent).version == 2
    clock.move_to(after(1000))
    assert act(**sent) == (answer := act(**sent))
    assert (answer.version, answer.repeated) == (2, True)


def test_a_read_and_the_sweep_decide_a_time_out_alike(clock: time_machine.Traveller) -> None:
    read, swept = Two(), Two()
    clock.move_to(after(329))
    keep_clocks(timezone.now())
    assert [read.told()["version"], swept.row.version] == [1, 1]
    clock.move_to(after(330))
    assert read.told(1 - read.turn)["version"] == 2
    keep_clocks(timezone.now())
    keep_clocks(timezone.now())
    assert (read.row.version, swept.row.version) == (2, 2)
    assert hand_in_play(read.match).actions == hand_in_play(swept.match).actions


def test_a_hand_that_nobody_plays_ends_dead_and_stands_on_the_sheet_so(clock: time_machine.Traveller) -> None:
    two = Two(Clock(5, 0, TimeOut.DEFAULT_ACTION), blank_sheet(stock_end="two_left"))
    while not two.match.hands.filter(is_over=True).exists():
        clock.shift(datetime.timedelta(seconds=5))
        keep_clocks(timezone.now())
    assert_replays(two.match)
    (deal,) = kept_sheet(Scoresheet.objects.get(pk=two.match.sheet_id)).deals
    assert [type(hand) for hand in deal.hands] == [Dead]
    assert two.row.deadline == timezone.now() + datetime.timedelta(seconds=5), "the next hand is dealt"


def test_a_bot_replies_to_a_turn_that_was_played_by_default(clock: time_machine.Traveller) -> None:
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, clock=LIVELY)
    clock.move_to(after(400))
    told = table_state(actor=ann, match=match, seat=0)
    assert (told["version"], told["clock"]["seats"][0]["time_outs"]) == (2, 1)
    assert told["hand"]["turn"] == 0
    assert told["clock"]["seats"][0]["deadline"] == after(430).isoformat()


def test_a_match_that_is_lost_by_the_clock_is_given_to_the_other_side(clock: time_machine.Traveller) -> None:
    drawn = MatchFactory.create()
    two = Two(FORFEIT, drawn.sheet)
    late = two.turn
    clock.move_to(after(90))
    keep_clocks(timezone.now())
    given = Match.objects.get(pk=drawn.pk)
    assert (given.state, given.winner_side) == (MatchState.FORFEIT, 1 - late)
    told = two.told()
    assert (told["forfeited_by"], told["hand"], told["last_hand"], told["version"]) == (late, None, None, 2)
    assert not SealedPack.objects.exists()
    assert AuditEntry.objects.get(action="match.forfeit").actor_name == "the table"
    sent = two.by(late) | {"version": 2, "action": "pass", "key": "a"}
    assert refusal(act, **sent) == "table_over"


def test_who_comes_too_late_to_a_friendly_match_has_lost_it(clock: time_machine.Traveller) -> None:
    two = Two(FORFEIT)
    late = two.turn
    clock.move_to(after(90))
    assert refusal(act, **two.by(late), version=1, action="pass", key="a") == "time_over"
    assert (two.row.forfeited_by, two.row.is_live) == (late, False)
    record_deals(actor=two.members[0], sheet=two.match.sheet, deals=[DEAD])


def test_both_agree_on_a_pause_and_either_goes_on(clock: time_machine.Traveller) -> None:
    two = Two()
    mover = two.turn
    other = 1 - mover
    assert refusal(agree_pause, **two.by(other)) == "no_pause_asked"
    assert refusal(resume, **two.by(other)) == "not_paused"
    assert refusal(ask_pause, actor=member(), match=two.match, seat=0) == "not_your_seat"
    clock.move_to(after(40))
    assert ask_pause(**two.by(mover)) == 2
    assert refusal(ask_pause, **two.by(mover)) == "pause_asked"
    assert refusal(agree_pause, **two.by(mover)) == "no_pause_asked"
    assert two.told(other)["clock"]["pause_asked_by"] == mover
    assert agree_pause(**two.by(other)) == 3
    assert refusal(ask_pause, **two.by(mover)) == "paused"
    paused = two.told(other)["clock"]
    assert (paused["paused_at"], paused["pause_asked_by"]) == (after(40).isoformat(), None)
    assert [seat["deadline"] for seat in paused["seats"]] == [None, None]
    clock.move_to(after(100_000))
    keep_clocks(timezone.now())
    assert two.banks()[mover] == 290
    sent = two.by(mover) | {"version": 3, "action": "pass", "key": "a"}
    assert refusal(act, **sent) == "paused"
    assert resume(**two.by(other)) == 4
    assert two.row.deadline == after(100_000 + 290)
    clock.move_to(after(100_010))
    two.act("pass")
    assert two.banks()[mover] == 280


def test_acting_declines_a_pause_and_asking_oneself_agrees(clock: time_machine.Traveller) -> None:
    two = Two()
    mover = two.turn
    ask_pause(**two.by(1 - mover))
    two.act("pass")
    assert two.told()["clock"]["pause_asked_by"] is None
    ask_pause(**two.by(1 - mover))
    two.act("pass")
    assert two.row.pause_asked_by == 1 - mover, "who asks may act"
    ask_pause(**two.by(mover))
    assert two.row.paused_at == EIGHT


def test_a_bot_agrees_at_once_and_a_correspondence_is_paused_alike(clock: time_machine.Traveller) -> None:
    ann, three_days = member(), PRESETS["correspondence"]
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, clock=three_days)
    by: dict[str, Any] = {"actor": ann, "match": match, "seat": 0}
    clock.shift(datetime.timedelta(days=2))
    ask_pause(**by)
    clock.shift(datetime.timedelta(days=14))
    keep_clocks(timezone.now())
    resume(**by)
    assert TableMatch.objects.get().deadline == EIGHT + datetime.timedelta(days=17)


def test_a_pause_that_is_asked_for_too_late_does_not_help(clock: time_machine.Traveller) -> None:
    two = Two(FORFEIT)
    ask_pause(**two.by(two.turn))
    clock.move_to(after(90))
    assert refusal(agree_pause, **two.by(1 - two.turn)) == "table_over"


def outage(clock: time_machine.Traveller, begins: float, ends: float) -> None:
    """The site beats for the last time so many seconds after eight, and is there again later."""
    clock.move_to(after(begins))
    keep_clocks(timezone.now())
    clock.move_to(after(ends))


def test_clocks_get_back_the_time_in_which_the_site_was_down_once(clock: time_machine.Traveller) -> None:
    """Down from 100 s to 1000 s: what would have been over at 330 s is over at 1230 s."""
    two, paused = Two(), Two()
    ask_pause(**paused.by(0))
    agree_pause(**paused.by(1))
    outage(clock, 100, 1000)
    keep_clocks(timezone.now())
    keep_clocks(timezone.now())
    assert (two.row.turn_since, two.row.deadline, two.row.version) == (after(900), after(1230), 2)
    assert two.banks()[two.turn] == 230, "70 s of the bank were used when it went down"
    assert SiteHeartbeat.objects.get().beaten_at == after(1000)
    assert (paused.row.deadline, paused.row.paused_at) == (None, EIGHT)
    clock.move_to(after(1230))
    assert two.told()["version"] == 3
    resume(**paused.by(0))
    assert paused.row.deadline == after(1230 + 330)


def test_an_outage_during_a_pause_is_given_back_once(clock: time_machine.Traveller) -> None:
    two = Two()
    clock.move_to(after(100))
    ask_pause(**two.by(0))
    agree_pause(**two.by(1))
    outage(clock, 110, 300)
    resume(**two.by(0))
    keep_clocks(timezone.now())
    assert two.row.deadline == after(300 + 230)


def test_a_read_gives_the_time_back_before_it_decides(clock: time_machine.Traveller) -> None:
    two = Two(FORFEIT)
    outage(clock, 60, 1000)
    told = two.told()
    assert (told["forfeited_by"], told["version"]) == (None, 2)
    assert two.row.deadline == after(1030)
    keep_clocks(timezone.now())
    assert two.row.deadline == after(1030)


def test_who_acts_first_after_an_outage_has_not_paid_for_it(clock: time_machine.Traveller) -> None:
    two = Two()
    mover = two.turn
    outage(clock, 10, 200)
    assert refusal(act, **two.by(mover), version=1, action="pass", key="a") == "stale_version"
    two.act("pass")
    assert two.banks()[mover] == 300


def test_what_was_over_before_the_outage_stays_so(clock: time_machine.Traveller) -> None:
    two = Two(FORFEIT)
    late = two.turn
    SiteHeartbeat.objects.create(pk=1, beaten_at=after(91))
    clock.move_to(after(1000))
    keep_clocks(timezone.now())
    assert two.row.forfeited_by == late


def test_a_turn_that_began_while_clocks_were_not_looked_after_begins_anew(
    clock: time_machine.Traveller,
) -> None:
    """Pages answered, but no sign of life came: what was played meanwhile is not taken back."""
    SiteHeartbeat.objects.create(pk=1, beaten_at=EIGHT)
    clock.move_to(after(50))
    two = Two()
    clock.move_to(after(500))
    assert two.told()["version"] == 2
    assert (two.row.turn_since, two.row.deadline) == (after(500), after(830))


def test_clocks_are_looked_after_several_times_before_the_site_counts_as_down(
    clock: time_machine.Traveller, settings: Any
) -> None:
    (every,) = [
        one["schedule"]
        for one in settings.CELERY_BEAT_SCHEDULE.values()
        if one["task"] == tasks.keep_clocks.name
    ]
    assert 3 * datetime.timedelta(seconds=every) < SILENT_AFTER
    route = app.amqp.router.route
    queues = [route({}, task.name)["queue"].name for task in (tasks.keep_clocks, tasks.play_bot_match)]
    assert queues == ["celery", "bots"], "bots are slow, and no time-out waits for them"
    tasks.keep_clocks()
    assert SiteHeartbeat.objects.get().beaten_at == EIGHT


def test_a_short_silence_is_no_outage(clock: time_machine.Traveller) -> None:
    two = Two(FORFEIT)
    outage(clock, 10, 100)
    keep_clocks(timezone.now())
    assert two.row.forfeited_by is not None


def test_the_clock_stops_where_somebody_changed_or_ended_the_sheet(clock: time_machine.Traveller) -> None:
    changed, voided, ended = Two(FORFEIT), Two(FORFEIT), Two(FORFEIT)
    record_deals(actor=OPERATOR, sheet=changed.match.sheet, deals=[DEAD])
    void_sheet(actor=OPERATOR, sheet=voided.match.sheet, reason="Never mind.")
    end_table(actor=ended.members[0], match=ended.match)
    clock.move_to(after(90))
    keep_clocks(timezone.now())
    for two in (changed, voided, ended):
        assert (two.row.deadline, two.row.forfeited_by, two.row.version) == (None, None, 2)


def test_a_table_that_cannot_go_on_stops_no_other(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    broken, good = Two(), Two()
    TableMatch.objects.filter(pk=broken.match.pk).update(clock={})
    clock.move_to(after(330))
    keep_clocks(timezone.now())
    assert (broken.row.version, good.row.version) == (1, 2)
    (record,) = [record for record in caplog.records if record.exc_info]
    assert broken.match.code in record.getMessage()


def test_a_clock_costs_an_action_one_query_where_the_bank_is_touched(clock: time_machine.Traveller) -> None:
    timed, untimed = Two(), Two(None)
    clock.move_to(after(40))
    counts = []
    for two in (timed, untimed):
        sent = two.by(two.turn) | {"version": 1, "action": "pass", "key": "a"}
        with CaptureQueriesContext(connection) as queries:
            act(**sent)
        counts.append(len(queries))
    assert counts[0] == counts[1] + 1
    assert counts[0] <= 12
