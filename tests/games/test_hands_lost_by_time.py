"""Hands that are lost by the clock of a table: once, on the sheet and wherever a hand is told (RULES §11)."""

import re
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.errors import GameError
from games.gin.cards import Hand
from games.models import HandReport
from games.services import act, give_up, keep_clocks, report_hand, verified_hand
from games.services.conduct import conduct
from games.tables.clocks import Clock, TimeOut
from games.tables.replaying import lines_of
from league.models import AuditEntry, Match, MatchState
from scoring.core.hands import Gin
from scoring.models import Scoresheet
from scoring.paper.layout import sheet_table
from scoring.services.records import kept_sheet
from scoring.templatetags.figures import hand_words
from tests.factories import MatchFactory
from tests.games import brute
from tests.games.bot_matches import blank_sheet
from tests.games.member_tables import PLAYERS
from tests.games.test_clocks_of_tables import Two, after, refusal
from tests.games.test_table_pages import address, signed_in
from tests.games.test_tables_of_kinds import Seated
from tests.games.test_tables_of_members import assert_replays
from tests.games.test_tables_of_teams import Teams
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

LOSES_HANDS = Clock(30, 60, TimeOut.LOSE_HAND)


def long_sheet() -> Two:
    """A table whose sheet one hand does not end, whatever is held when it is lost."""
    return Two(LOSES_HANDS, blank_sheet(target=500))


def assert_hand_was_lost(two: Two, late: int) -> None:
    """The first hand was lost by this seat, once, and the next is being played."""
    assert_replays(two.match)
    hand = two.match.hands.get(is_over=True)
    assert hand.actions[-1:] == ["time_out"]
    kept = kept_sheet(Scoresheet.objects.get(pk=two.match.sheet_id))
    ((result,),) = [deal.hands for deal in kept.deals]
    assert isinstance(result, Gin)
    assert (result.by_time, result.defender) == (True, PLAYERS[late])
    (row,) = sheet_table(kept.state).rows
    assert f"{PLAYERS[1 - late]} wins by time: {result.defender_deadwood + 25}" == hand_words(row.hands[0])
    state = verified_hand(hand)
    assert state.results == (result,)
    held = Hand(state.hands[late])
    assert brute.least(frozenset(str(held).split()), "low") == result.defender_deadwood
    assert two.match.hands.get(is_over=False).deal == 2
    assert two.row.is_live
    assert two.match.seats.get(number=late).time_outs == 1


def test_a_hand_is_lost_by_time_at_a_read_and_by_the_sweep_alike(clock: time_machine.Traveller) -> None:
    read, swept, acted = long_sheet(), long_sheet(), long_sheet()
    late = [two.turn for two in (read, swept, acted)]
    clock.move_to(after(89))
    assert (read.told()["version"], swept.row.version) == (1, 1)
    clock.move_to(after(90))
    told = read.told(1 - late[0])
    assert (told["version"], told["deal"], told["last_hand"]["actions"][-1]) == (2, 2, "time_out")
    sent = acted.by(late[2]) | {"version": 1, "action": "pass", "key": "a"}
    assert refusal(act, **sent) == "time_over"
    keep_clocks(timezone.now())
    keep_clocks(timezone.now())
    for two, seat in zip((read, swept, acted), late, strict=True):
        assert_hand_was_lost(two, seat)
        banks = two.banks()
        assert (banks[seat], banks[1 - seat]) == (0, 60), "the bank of who was late is used up"
        assert two.row.deadline == after(120 if two.turn == seat else 180)
        clock.move_to(after(90))


def test_a_hand_of_eleven_cards_is_lost_by_time_and_told_so(clock: time_machine.Traveller) -> None:
    """On the page of the table, to those who hear it, on the page of the hand, and by the command."""
    two = long_sheet()
    two.act("pass")
    two.act("pass")
    two.act("draw")
    late = two.turn
    clock.move_to(after(90))
    name, other = PLAYERS[late], PLAYERS[1 - late]
    client = signed_in(two.members[1 - late])
    page = client.get(address(two.match, "play_live")).content.decode()
    assert_hand_was_lost(two, late)
    (line,) = lines_of(verified_hand(two.match.hands.get(is_over=True)))
    words = hand_words(line)
    assert words.startswith(f"{other} wins by time: ")
    assert page.count("data-seated") == 1
    assert "Whoever runs out of time loses the hand." in page
    heard = page[page.index('id="latest"') :]
    assert words in heard[: heard.index("</p>")], "told to those who hear it"
    assert page.count(words) >= 3, "and of the latest hand, and on the sheet"
    page = in_words(client.get(address(two.match, "play_hand", deal=1) + "?move=4").content.decode())
    assert words in page
    assert f"{name} out of time" in page
    assert re.search("draws [^,]+, runs out of time; [^;]+ is put down", page)
    out = StringIO()
    call_command("verify_hand", two.match.code, "1", stdout=out)
    assert words in out.getvalue()


def test_nobody_says_himself_that_his_time_is_over(clock: time_machine.Traveller) -> None:
    two = Two(LOSES_HANDS)
    assert "time_out" not in two.told(two.turn)["hand"]["legal"]
    sent = two.by(two.turn) | {"version": 1, "action": "time_out", "key": "a"}
    assert refusal(act, **sent) == "unknown_action"
    assert two.row.version == 1


def test_a_report_on_a_hand_that_was_lost_by_time_weighs_the_choices_before_it(
    clock: time_machine.Traveller,
) -> None:
    two = Two(LOSES_HANDS)
    late = two.turn
    clock.move_to(after(90))
    keep_clocks(timezone.now())
    hand = two.match.hands.get(is_over=True)
    report_hand(hand.pk)
    for seat in (0, 1):
        assert HandReport.objects.get(hand=hand, seat=seat).choices == [None]
    noted = conduct(two.match)
    assert [one.time_outs for one in noted] == [int(seat == late) for seat in (0, 1)]


def test_who_gives_up_after_a_lost_hand_has_given_up(clock: time_machine.Traveller) -> None:
    drawn = MatchFactory.create()
    two = Two(LOSES_HANDS, drawn.sheet)
    late = two.turn
    clock.move_to(after(90))
    keep_clocks(timezone.now())
    give_up(**two.by(late))
    given = Match.objects.get(pk=drawn.pk)
    assert (given.state, given.winner_side) == (MatchState.FORFEIT, 1 - late)
    assert AuditEntry.objects.get(action="match.forfeit").reason == "Given up."
    page = Client().get(address(two.match)).content.decode()
    assert "has given up." in in_words(page)


def test_of_teams_the_late_players_hand_alone_is_lost_and_the_other_is_played_on(
    clock: time_machine.Traveller,
) -> None:
    teams = Teams(clock=LOSES_HANDS)
    first, second = teams.live()
    late = teams.turn(first)
    clock.shift(40)
    teams.act(teams.turn(second), "pass")
    clock.shift(55)
    keep_clocks(timezone.now())
    first.refresh_from_db()
    assert (first.is_over, first.actions) == (True, ["time_out"])
    assert [hand.pk for hand in teams.live()] == [second.pk]
    assert teams.match.seats.get(number=late).time_outs == 1
    assert not kept_sheet(teams.match.sheet).deals, "the deal waits for its other hand"
    teams.end(second)
    (deal,) = kept_sheet(Scoresheet.objects.get(pk=teams.match.sheet_id)).deals
    assert [isinstance(hand, Gin) and hand.by_time for hand in deal.hands] == [True, False]


def test_of_two_games_from_one_pack_the_late_players_is_lost(clock: time_machine.Traveller) -> None:
    table = Seated("one pack", clock=LOSES_HANDS)
    late = table.turn()
    clock.shift(91)
    keep_clocks(timezone.now())
    (hand,) = table.match.hands.all()
    assert (hand.is_over, hand.actions) == (False, ["time_out"])
    assert table.turn() not in (late, late ^ 1)
    assert table.told(table.turn())["clock"]["seats"][table.turn()]["deadline"] is not None


@pytest.mark.parametrize("game", ["jersey", "rummy of three"])
def test_where_more_than_two_sides_play_no_clock_says_that_a_hand_is_lost(game: str) -> None:
    with refuses(GameError, "no_forfeit"):
        Seated(game, clock=LOSES_HANDS)


def in_words(page: str) -> str:
    """What a page says."""
    return " ".join(re.sub("<[^>]*>", " ", page).split())
