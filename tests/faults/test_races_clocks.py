"""Several at once with the clock of one table: a time-out, an outage and a pause each happen once."""

import datetime
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import time_machine

from games.models import SiteHeartbeat, TableMatch, TableSeat
from games.services import act, ask_pause, keep_clocks, table_state
from games.tables.clocks import Clock, TimeOut
from league.models import AuditEntry, Match
from scoring.models import Scoresheet
from tests.factories import MatchFactory
from tests.faults.threads import at_once
from tests.games.bot_matches import blank_sheet
from tests.games.member_tables import hand_in_play
from tests.games.test_clocks_of_tables import LIVELY, Two, after
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(after(0), tick=False) as traveller:
        yield traveller


def everybody(two: Two, now: datetime.datetime) -> list[Callable[[], str]]:
    """Two sweeps at that time; now two reads, and two actions of who is to move."""
    seat = two.turn
    version = two.row.version
    sent = [partial(act, **two.by(seat), version=version, action="pass", key=key) for key in ("a", "b")]
    reads = [partial(table_state, **two.by(number)) for number in (0, 1)]
    calls: list[Callable[[], object]] = [partial(keep_clocks, now), *reads, *sent]
    return [partial(code_of, call) for call in calls * 2]


def test_a_time_out_is_carried_out_once(clock: time_machine.Traveller) -> None:
    two = Two()
    late = two.turn
    clock.move_to(after(330))
    codes = at_once(everybody(two, after(330)))
    assert codes.count("done") == 6, "sweeps and reads"
    assert {"time_over", "stale_version"}.issuperset(set(codes) - {"done"})
    assert two.row.version == 2
    assert [str(action) for action in hand_in_play(two.match).actions] == ["pass"]
    assert TableSeat.objects.get(match=two.match, number=late).time_outs == 1


def test_a_match_is_lost_by_the_clock_once(clock: time_machine.Traveller) -> None:
    drawn = MatchFactory.create()
    two = Two(Clock(30, 60, TimeOut.FORFEIT_MATCH), drawn.sheet)
    late = two.turn
    clock.move_to(after(90))
    codes = at_once(everybody(two, after(90)))
    assert {"done", "time_over", "table_over"}.issuperset(codes)
    assert (two.row.version, two.row.forfeited_by) == (2, late)
    assert Match.objects.get(pk=drawn.pk).winner_side == 1 - late
    assert AuditEntry.objects.filter(action="match.forfeit").count() == 1


def test_a_hand_is_lost_by_the_clock_once(clock: time_machine.Traveller) -> None:
    # One hand does not end the sheet, whatever is held when it is lost.
    two = Two(Clock(30, 60, TimeOut.LOSE_HAND), blank_sheet(target=500))
    late = two.turn
    clock.move_to(after(90))
    codes = at_once(everybody(two, after(90)))
    assert codes.count("done") == 6, "sweeps and reads"
    assert {"done", "time_over", "stale_version"}.issuperset(codes)
    assert two.row.version == 2
    assert [hand.actions for hand in two.match.hands.order_by("deal")] == [["time_out"], []]
    assert Scoresheet.objects.get(pk=two.match.sheet_id).deal_count == 1
    assert TableSeat.objects.get(match=two.match, number=late).time_outs == 1


def test_either_the_action_or_the_time_out_counts(clock: time_machine.Traveller) -> None:
    """The action comes a second before the deadline, and the sweep at it."""
    for _ in range(4):
        clock.move_to(after(0))
        two = Two()
        late = two.turn
        clock.move_to(after(329))
        codes = at_once(everybody(two, after(330)))
        time_outs = TableSeat.objects.get(match=two.match, number=late).time_outs
        accepted = codes[3:5].count("done") + codes[8:10].count("done")
        # The one with the same key is answered as it was.
        assert (accepted, time_outs) in ((2, 0), (0, 1))
        assert two.row.version == 2
        assert len(hand_in_play(two.match).actions) == 1
        SiteHeartbeat.objects.all().delete()


def test_an_outage_is_given_back_once(clock: time_machine.Traveller) -> None:
    two = Two()
    SiteHeartbeat.objects.create(pk=1, beaten_at=after(100))
    clock.move_to(after(1000))
    codes = at_once(everybody(two, after(1000)))
    assert {"done", "stale_version"}.issuperset(codes)
    assert (two.row.version, two.row.turn_since, two.row.deadline) == (2, after(900), after(1230))
    assert SiteHeartbeat.objects.get().beaten_at == after(1000)


def test_two_who_ask_for_a_pause_at_once_agree(clock: time_machine.Traveller) -> None:
    two = Two(LIVELY)
    assert sorted(at_once([partial(ask_pause, **two.by(seat)) for seat in (0, 1)])) == [2, 3]
    paused = TableMatch.objects.get()
    assert (paused.paused_at, paused.pause_asked_by, paused.deadline) == (after(0), None, None)
