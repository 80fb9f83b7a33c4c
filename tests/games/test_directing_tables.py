"""What a director does at a table, what players say there, and what is noted of how long they thought."""

import datetime
import logging
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games.bots import house_bot
from games.models import TableAct, TableMatch, TablePhrase, TableSeat
from games.services import (
    Guest,
    act,
    adjourn,
    agree_pause,
    ask_bots_again,
    ask_pause,
    conduct,
    deal_anew,
    end_table,
    keep_clocks,
    let_go_on,
    mute,
    open_table,
    resume,
    say,
    table_state,
    think_at_table,
    unmute,
    warn,
    watched_state,
)
from games.services.outages import SILENT_AFTER
from games.services.talking import QUIET_SECONDS
from games.tables.pace import Pace, pace_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.models import Scoresheet
from scoring.services import correct_deals, record_deals
from tests.factories import OPERATOR
from tests.games.bot_matches import WE_AND_YOU, blank_sheet
from tests.games.member_tables import hand_in_play, member
from tests.games.test_clocks_of_tables import DEAD, LIVELY, Two, after, refusal
from tests.games.test_tables_of_teams import Teams, state_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

NOBODY = Actor(ActorKind.USER, "0", "")


def talking() -> Two:
    """Two members who may send each other phrases."""
    two = Two(None)
    two.match = open_table(sheet=blank_sheet(), seats=two.members, has_phrases=True)
    return two


def said(two: Two, seat: int) -> list[tuple[int, str]]:
    return [(each["seat"], each["phrase"]) for each in two.told(seat)["phrases"]["latest"]]


def play_hand(two: Two) -> None:
    """Plays the hand to its end by rules under which whoever has drawn may knock."""
    deal = two.told()["deal"]
    while two.told()["deal"] == deal:
        legal = [str(action) for action in hand_in_play(two.match).legal_actions()]
        two.act(next((each for each in legal if each.startswith("knock")), legal[-1]))


# -- adjourning ---------------------------------------------------------------------------------------------


def test_an_adjourned_table_stands_still_and_goes_on_as_it_was(clock: time_machine.Traveller) -> None:
    two = Two()
    first = two.turn
    two.act("pass")
    clock.move_to(after(40))
    before = hand_in_play(two.match).actions
    adjourn(actor=two.members[0], match=two.match, reason="  The hall is\nclosing. ")
    told, watched = two.told(first), watched_state(match=two.match)
    assert (told["adjourned_at"], told["adjourned_why"]) == (after(40).isoformat(), "The hall is closing.")
    assert (watched["adjourned_at"], watched["adjourned_why"]) == (after(40).isoformat(), None)
    assert [seat["deadline"] for seat in told["clock"]["seats"]] == [None, None]
    clock.move_to(after(900_000))
    keep_clocks(timezone.now())
    sent = two.by(1 - first) | {"version": two.row.version, "action": "pass", "key": "a"}
    assert refusal(act, **sent) == "adjourned"
    assert refusal(ask_pause, **two.by(0)) == "adjourned"
    assert refusal(resume, **two.by(0)) == "adjourned"
    assert refusal(adjourn, actor=two.members[0], match=two.match, reason="Again.") == "adjourned"
    let_go_on(actor=two.members[0], match=two.match)
    assert refusal(let_go_on, actor=two.members[0], match=two.match) == "not_adjourned"
    assert hand_in_play(two.match).actions == before
    assert two.row.deadline == after(900_000 + 290), "40 of the 330 seconds had run"
    assert two.told(first)["adjourned_at"] is None
    clock.move_to(after(900_005))
    two.act("pass")
    assert [took.total_seconds() for took in took_of(two)] == [0, 45]


def took_of(two: Two) -> list[datetime.timedelta]:
    acts = TableAct.objects.filter(match=two.match).order_by("version")
    return [each.took for each in acts if each.took is not None]


def test_a_pause_that_was_agreed_on_outlasts_the_adjournment(clock: time_machine.Traveller) -> None:
    two = Two()
    ask_pause(**two.by(0))
    clock.move_to(after(10))
    agree_pause(**two.by(1))
    clock.move_to(after(20))
    adjourn(actor=two.members[0], match=two.match, reason="Tea.")
    clock.move_to(after(1000))
    let_go_on(actor=two.members[0], match=two.match)
    assert (two.row.paused_at, two.row.deadline) == (after(10), None)
    clock.move_to(after(2000))
    resume(**two.by(1))
    assert two.row.deadline == after(2000 + 320)
    two.act("pass")
    assert [took.total_seconds() for took in took_of(two)] == [10]


def test_without_a_clock_play_is_adjourned_too_and_may_be_ended_then() -> None:
    two = Two(None)
    adjourn(actor=two.members[0], match=two.match, reason="Tea.")
    sent = two.by(two.turn) | {"version": two.row.version, "action": "pass", "key": "a"}
    assert refusal(act, **sent) == "adjourned"
    end_table(actor=two.members[0], match=two.match)
    for call in (adjourn, warn):
        more = {"seat": 0} if call is warn else {}
        assert refusal(call, actor=two.members[0], match=two.match, reason="Why.", **more) == "table_over"
    assert refusal(deal_anew, actor=two.members[0], match=two.match) == "table_over"


def test_only_a_director_directs() -> None:
    two = Two(None)
    for call, more in (
        (adjourn, {"reason": "Tea."}),
        (let_go_on, {}),
        (deal_anew, {}),
        (warn, {"seat": 0, "reason": "Tea."}),
    ):
        with refuses(RecordingError, "not_allowed"):
            call(actor=NOBODY, match=two.match, **more)
    assert two.row.version == 1


# -- a sheet that was changed -------------------------------------------------------------------------------


def test_a_deal_that_is_taken_back_leaves_the_hand_in_play_alone() -> None:
    """It keeps its number, so that the next one stays what it was."""
    two = Two(None, blank_sheet(knock_limit=98, target=500))
    play_hand(two)
    in_play = hand_in_play(two.match).actions
    sheet = Scoresheet.objects.get(pk=two.match.sheet_id)
    correct_deals(actor=two.members[0], sheet=sheet, changes={1: None}, reason="Not gin.")
    assert refusal(deal_anew, actor=two.members[0], match=two.match) == "hand_stands"
    play_hand(two)
    assert in_play == []
    sheet.refresh_from_db()
    assert sheet.deal_count == 2


def test_a_hand_that_no_longer_fits_the_sheet_is_dealt_anew(clock: time_machine.Traveller) -> None:
    two = Two()
    director = two.members[0]
    assert refusal(deal_anew, actor=director, match=two.match) == "hand_stands"
    sheet = Scoresheet.objects.get(pk=two.match.sheet_id)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[DEAD])
    sent = two.by(two.turn) | {"version": two.row.version, "action": "pass", "key": "b"}
    assert refusal(act, **sent) == "sheet_changed"
    clock.move_to(after(1000))
    keep_clocks(timezone.now())
    assert two.row.deadline is None, "no clock runs where nobody can act"
    deal_anew(actor=director, match=two.match)
    told = two.told()
    assert (told["deal"], told["move_count"], told["last_hand"]) == (2, 0, None)
    assert two.row.deadline == after(1330)
    two.act("pass")


def test_an_adjourned_table_whose_sheet_was_changed_goes_on_with_another_hand() -> None:
    two = Two(None)
    adjourn(actor=two.members[0], match=two.match, reason="Tea.")
    record_deals(actor=OPERATOR, sheet=two.match.sheet, deals=[DEAD])
    let_go_on(actor=two.members[0], match=two.match)
    assert (two.told()["deal"], two.told()["adjourned_at"]) == (2, None)


# -- a bot that fails ---------------------------------------------------------------------------------------


def away(told: dict[str, Any]) -> str:
    """An action after which the bot is asked, if it was not before."""
    legal = told["hand"]["legal"]
    return "pass" if "pass" in legal else str(legal[0])


def test_a_bot_that_fails_stops_play_once_and_names_no_card(
    clock: time_machine.Traveller, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The action before is not carried out; the sweep has nothing more to do; another hand may go well."""
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.CLUELESS"]
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, clock=LIVELY)
    TableSeat.objects.filter(match=match, number=1).update(
        bot={"strategy": "clueless", "level": None, "samples": None}
    )
    told = table_state(actor=ann, match=match, seat=0)
    sent = {"actor": ann, "match": match, "seat": 0, "version": told["version"], "key": "a"}
    with caplog.at_level(logging.ERROR):
        assert refusal(act, **sent, action=away(told)) == "bot_failed"
    now = table_state(actor=ann, match=match, seat=0)
    assert now["hand"]["moves"] == told["hand"]["moves"]
    assert now["adjourned_why"] == "Bob failed in deal 1."
    clock.move_to(after(1000))
    keep_clocks(timezone.now())
    assert [record.message for record in caplog.records] == [
        f"The bot at table {match.code} failed: Bob failed in deal 1: ValueError: no idea"
    ]
    sent |= {"version": now["version"]}
    assert refusal(act, **sent, action=away(told)) == "adjourned"
    TableSeat.objects.filter(match=match, number=1).update(bot=house_bot("simple").to_document())
    deal_anew(actor=ann, match=match)
    again = table_state(actor=ann, match=match, seat=0)
    assert (again["deal"], again["adjourned_at"]) == (1, None)
    assert again["commitment"] != told["commitment"]


def test_a_bot_that_fails_in_reply_to_a_time_out_stops_play(
    clock: time_machine.Traveller, settings: Any
) -> None:
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.CLUELESS"]
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, clock=LIVELY)
    TableSeat.objects.filter(match=match, number=1).update(
        bot={"strategy": "clueless", "level": None, "samples": None}
    )
    clock.move_to(after(400))
    keep_clocks(timezone.now())
    told = table_state(actor=ann, match=match, seat=0)
    assert told["adjourned_why"] == "Bob failed in deal 1."
    assert [seat["time_outs"] for seat in told["clock"]["seats"]] == [0, 0]


def test_a_bot_that_the_site_no_longer_has_stops_play_too(clock: time_machine.Traveller) -> None:
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, clock=LIVELY)
    TableSeat.objects.filter(match=match, number=1).update(
        bot={"strategy": "former", "level": None, "samples": None}
    )
    clock.move_to(after(400))
    keep_clocks(timezone.now())
    told = table_state(actor=ann, match=match, seat=0)
    assert told["adjourned_why"] == "former failed in deal 1."
    assert refusal(deal_anew, actor=ann, match=match) == "bot_failed"
    end_table(actor=ann, match=match)


def test_a_bot_that_fails_while_it_weighs_stops_play_and_is_asked_again_when_it_goes_on(
    clock: time_machine.Traveller, settings: Any
) -> None:
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.HOPELESS"]
    ann, expert = member(), house_bot("expert", 1, samples=1)
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: expert}, clock=LIVELY)
    bot = TableSeat.objects.filter(match=match, number=1)
    bot.update(bot={"strategy": "hopeless", "level": 1, "samples": 10})
    while (waits := TableMatch.objects.get(pk=match.pk)).bot_asked_at is None:
        action = away(table_state(actor=ann, match=match, seat=0))
        act(actor=ann, match=match, seat=0, version=waits.version, action=action, key=f"{waits.version}")
    think_at_table(match.pk)
    stopped = table_state(actor=ann, match=match, seat=0)
    assert (stopped["adjourned_why"], stopped["turn"]) == ("Bob failed in deal 1.", 1)
    clock.move_to(after(1000))
    ask_bots_again(timezone.now())
    assert TableMatch.objects.get(pk=match.pk).bot_asked_at is None
    think_at_table(match.pk)
    assert table_state(actor=ann, match=match, seat=0)["version"] == stopped["version"]
    bot.update(bot=expert.to_document())
    let_go_on(actor=ann, match=match)
    assert TableMatch.objects.get(pk=match.pk).bot_asked_at == after(1000)
    think_at_table(match.pk)
    gone_on = table_state(actor=ann, match=match, seat=0)
    assert (gone_on["adjourned_at"], gone_on["version"]) == (None, stopped["version"] + 2)


# -- teams --------------------------------------------------------------------------------------------------


def test_a_table_of_teams_stands_still_in_all_hands_and_each_goes_on_with_its_time(
    clock: time_machine.Traveller,
) -> None:
    teams = Teams(clock=LIVELY)
    first, second = teams.live()
    clock.move_to(after(10))
    teams.act(first.seats[state_of(teams.match, first).turn], "pass")
    clock.move_to(after(40))
    adjourn(actor=teams.members[0], match=teams.match, reason="Tea.")
    assert [hand.deadline for hand in teams.live()] == [None, None]
    mover = second.seats[state_of(teams.match, second).turn]
    stale = teams.told(mover)["version"]
    assert teams.told(mover)["adjourned_why"] == "Tea."
    assert teams.refused(mover, "pass") == "adjourned"
    clock.move_to(after(1000))
    keep_clocks(timezone.now())
    let_go_on(actor=teams.members[0], match=teams.match)
    assert [hand.deadline for hand in teams.live()] == [after(1300), after(1290)]
    assert TableMatch.objects.get(pk=teams.match.pk).deadline == after(1290)
    assert teams.refused(mover, "pass", stale) == "stale_version"
    clock.move_to(after(1005))
    teams.act(mover, "pass")
    acts = TableAct.objects.filter(match=teams.match).order_by("pk")
    assert [each.took and each.took.total_seconds() for each in acts] == [10, 45]


def test_of_teams_a_hand_that_is_over_stays_so_when_the_others_are_dealt_anew() -> None:
    teams = Teams()
    first, second = teams.live()
    teams.end(first)
    adjourn(actor=teams.members[0], match=teams.match, reason="Tea.")
    deal_anew(actor=teams.members[0], match=teams.match)
    (again,) = teams.live()
    assert (again.deal, again.table, again.seats) == (1, second.table, second.seats)
    assert again.commitment != second.commitment
    assert teams.match.hands.get(is_over=True).commitment == first.commitment
    teams.end(again)
    assert Scoresheet.objects.get(pk=teams.match.sheet_id).deal_count == 1


def test_of_teams_all_hands_are_dealt_anew_where_their_deal_no_longer_fits() -> None:
    teams = Teams()
    first, _second = teams.live()
    teams.end(first)
    names = [
        {"kind": "dead", "knocker": one, "defender": other} for one, other in (("Ann", "Bob"), ("Cid", "Dan"))
    ]
    record_deals(actor=OPERATOR, sheet=teams.match.sheet, deals=[{"hands": names}])
    deal_anew(actor=teams.members[0], match=teams.match)
    assert {hand.deal for hand in teams.match.hands.all()} == {2}
    assert len(teams.live()) == 2


def test_of_teams_everybody_else_is_told_a_phrase_who_has_not_muted_them() -> None:
    members = {seat: member() for seat in range(4)}
    match = open_table(sheet=blank_sheet(WE_AND_YOU), seats=members, has_phrases=True)
    mute(actor=members[2], match=match, seat=2)
    say(actor=members[0], match=match, seat=0, phrase="good_luck")
    heard = [
        table_state(actor=members[seat], match=match, seat=seat)["phrases"]["latest"] for seat in members
    ]
    assert [len(each) for each in heard] == [1, 1, 0, 1]


def test_nothing_is_said_at_a_table_of_a_guest() -> None:
    match = open_table(sheet=blank_sheet(), seats={0: member(), 1: Guest()}, has_phrases=True)
    assert not match.has_phrases
    assert refusal(warn, actor=member(), match=match, seat=1, reason="Why.") == "unknown_seat"


# -- warnings and phrases -----------------------------------------------------------------------------------


def test_who_is_warned_reads_why_and_nobody_else() -> None:
    two = Two(None)
    warn(actor=two.members[0], match=two.match, seat=1, reason="Play on, please.")
    assert refusal(warn, actor=two.members[0], match=two.match, seat=2, reason="Why.") == "unknown_seat"
    assert [each["reason"] for each in two.told(1)["warnings"]] == ["Play on, please."]
    assert (two.told(0)["warnings"], watched_state(match=two.match)["warnings"]) == ([], [])
    assert two.row.version == 1, "whoever is about to move is not refused for it"


def test_phrases_are_off_unless_switched_on_and_against_a_bot() -> None:
    quiet = Two(None)
    assert quiet.told()["phrases"] is None
    assert refusal(say, **quiet.by(0), phrase="good_luck") == "no_phrases"
    ann = member()
    match = open_table(sheet=blank_sheet(), seats={0: ann, 1: house_bot("simple")}, has_phrases=True)
    assert refusal(say, actor=ann, match=match, seat=0, phrase="good_luck") == "no_phrases"
    assert not TablePhrase.objects.exists()


def test_a_phrase_is_told_to_both_who_play_and_to_nobody_else(clock: time_machine.Traveller) -> None:
    two = talking()
    say(**two.by(0), phrase="good_luck")
    assert said(two, 0) == said(two, 1) == [(0, "good_luck")]
    assert watched_state(match=two.match)["phrases"] is None
    assert refusal(say, **two.by(0), phrase="well_played") == "too_soon"
    assert refusal(say, **two.by(1), phrase="You cheat.") == "unknown_phrase"
    assert refusal(say, **two.by(1) | {"seat": 0}, phrase="thank_you") == "not_your_seat"
    say(**two.by(1), phrase="thank_you")
    clock.shift(datetime.timedelta(seconds=QUIET_SECONDS))
    say(**two.by(0), phrase="well_played")
    assert said(two, 1) == [(0, "good_luck"), (1, "thank_you"), (0, "well_played")]
    assert two.row.version == 1


def test_who_mutes_the_other_is_shown_nothing_of_him_and_the_other_does_not_notice() -> None:
    two = talking()
    say(**two.by(0), phrase="good_luck")
    before = two.told(0)
    mute(**two.by(1))
    assert (said(two, 1), two.told(1)["phrases"]["is_muted"]) == ([], True)
    assert two.told(0) == before
    say(**two.by(1), phrase="thank_you")
    assert said(two, 0) == [(0, "good_luck"), (1, "thank_you")]
    assert said(two, 1) == [(1, "thank_you")]
    unmute(**two.by(1))
    assert said(two, 1) == [(0, "good_luck"), (1, "thank_you")]
    assert refusal(mute, actor=two.members[0], match=two.match, seat=1) == "not_your_seat"


# -- how long players think ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "pace"),
    [
        ([], None),
        ([4.0], Pace(1, 4, 4, 4, 4, 4, (0, 0, 1, 0, 0, 0))),
        ([5.0, 1.0, 4.0, 2.0, 3.0], Pace(5, 1, 2, 3, 4, 5, (0, 2, 3, 0, 0, 0))),
        ([0.5, 120.0], Pace(2, 0.5, 30.375, 60.25, 90.125, 120, (1, 0, 0, 0, 0, 1))),
    ],
)
def test_the_pace_of_moves(seconds: list[float], pace: Pace | None) -> None:
    assert pace_of(seconds) == pace


def test_the_time_of_each_move_is_noted_for_the_director(clock: time_machine.Traveller) -> None:
    """Ann passes after 2 s and draws after 4; Bob passes after 8; what the clock plays is no move of hers."""
    two = Two()
    first = two.turn
    for seconds, action in ((2, "pass"), (8, "pass"), (4, "draw")):
        clock.shift(datetime.timedelta(seconds=seconds))
        two.act(action)
    clock.shift(datetime.timedelta(seconds=16))
    two.act(str(hand_in_play(two.match).legal_actions()[0]))
    clock.shift(datetime.timedelta(seconds=1000))
    keep_clocks(timezone.now())
    noted = {each.seat: each for each in conduct(two.match)}
    own, other = noted[first], noted[1 - first]
    assert own.drawing == pace_of([2, 4])
    assert own.putting_down == pace_of([16])
    assert (other.drawing, other.putting_down) == (pace_of([8]), None)
    assert (own.time_outs, other.time_outs) == (0, 1)


def test_the_time_in_which_the_site_was_down_is_no_time_of_a_move(clock: time_machine.Traveller) -> None:
    two = Two(None)
    keep_clocks(timezone.now())
    clock.shift(datetime.timedelta(seconds=5))
    two.act("pass")
    keep_clocks(timezone.now())
    clock.shift(SILENT_AFTER + datetime.timedelta(seconds=1000))
    keep_clocks(timezone.now())
    clock.shift(datetime.timedelta(seconds=7))
    two.act("pass")
    assert [took.total_seconds() for took in took_of(two)] == [5, 7]


def test_a_bot_has_no_pace() -> None:
    match = open_table(sheet=blank_sheet(), seats={0: member(), 1: house_bot("simple")})
    assert [each.seat for each in conduct(match)] == [0]
