"""Teams play at a table: all hands of a deal at once on one sheet, each player his own, and who waits."""

import datetime
import json
import random
from io import StringIO
from itertools import count
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.arena.pairs import label
from games.bots import HouseBot, house_bot
from games.bots.base import discards, leaving_least
from games.errors import GameError
from games.gin.actions import ActionKind
from games.gin.cards import text_of
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.models import SealedPack, TableHand, TableMatch
from games.services import (
    act,
    agree_pause,
    ask_pause,
    end_table,
    keep_clocks,
    open_table,
    resume,
    table_state,
    verified_hand,
    watched_state,
)
from games.services.hands import players_of
from games.tables.clocks import PRESETS, Clock, TimeOut
from scoring.core.actors import Actor
from scoring.core.sheets import SheetSide, score_sheet
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import kept_sheet
from scoring.typing.rows import team_pairing
from tests.clients import logged_in
from tests.games.bot_matches import WE_AND_YOU, blank_sheet
from tests.games.conftest import EIGHT
from tests.games.kinds.sheets import seats_of
from tests.games.member_tables import member
from tests.refusals import refuses

_ENDINGS = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})

pytestmark = pytest.mark.django_db

WE_AND_YOU_OF_THREE = (
    SheetSide("We", ("Ann", "Cid", "Eve")),
    SheetSide("You", ("Bob", "Dan", "Fay")),
)


class Teams:
    """Members and bots at a table, in seats through both sides."""

    def __init__(self, *seats: Any, sides: Any = WE_AND_YOU, **knobs: Any) -> None:
        who = seats or tuple([member() for side in sides for _player in side.players])
        self.members: dict[int, Actor] = {seat: one for seat, one in enumerate(who) if isinstance(one, Actor)}
        clock = knobs.pop("clock", None)
        self.match = open_table(sheet=blank_sheet(sides, **knobs), seats=dict(enumerate(who)), clock=clock)
        self._keys = count()

    def told(self, seat: int) -> dict[str, Any]:
        return table_state(actor=self.members[seat], match=self.match, seat=seat)

    def act(self, seat: int, action: str, version: int | None = None) -> None:
        version = self.told(seat)["version"] if version is None else version
        key = f"key {next(self._keys)}"
        act(actor=self.members[seat], match=self.match, seat=seat, version=version, action=action, key=key)

    def refused(self, seat: int, action: str, version: int | None = None) -> str:
        with pytest.raises(GameError) as refusal:
            self.act(seat, action, version)
        assert str(refusal.value.message).endswith(".")
        return refusal.value.code

    def live(self) -> list[TableHand]:
        return list(self.match.hands.filter(is_over=False).select_related("sealed_pack").order_by("table"))

    def turn(self, hand: TableHand) -> int:
        """The seat to move in this hand."""
        return hand.seats[state_of(self.match, hand).turn]

    def move(self, hand: TableHand, *, looked: bool = False) -> None:
        """An action in this hand by who is to move, who ends it as soon as he can."""
        state = state_of(self.match, hand)
        seat, view = hand.seats[state.turn], state.view(state.turn)
        if looked:
            told = self.told(seat)
            assert told["turn"] == seat
            assert told["hand"]["legal"] == [str(action) for action in view.legal]
            self.assert_hidden(told, seat)
        endings = [action for action in view.legal if action.kind in _ENDINGS]
        thrown = discards(view)
        chosen = endings or (leaving_least(view, thrown) if thrown else view.legal)
        self.act(seat, str(chosen[0]), TableMatch.objects.get(pk=self.match.pk).version)

    def end(self, hand: TableHand) -> None:
        """Plays this hand to its end."""
        while not (row := self.match.hands.get(pk=hand.pk)).is_over:
            self.move(row)

    def play(self, chances: random.Random, deals: int) -> None:
        """Plays in any hand by chance, until so many deals are recorded or the sheet is over."""
        while (live := self.live()) and Scoresheet.objects.get(pk=self.match.sheet_id).deal_count < deals:
            self.move(chances.choice(live), looked=chances.random() < 0.3)

    def assert_hidden(self, told: dict[str, Any], seat: int) -> None:
        """Of the hands in play nothing is told but one's own cards and what lies open there."""
        own = next(hand for hand in self.live() if seat in hand.seats)
        state = state_of(self.match, own)
        said = json.dumps({name: value for name, value in told.items() if name != "last_hand"})
        words = set(said.replace('"', " ").replace(",", " ").split())
        assert set(text_of(state.view(own.seats.index(seat)).unseen).split()).isdisjoint(words)
        for sealed in SealedPack.objects.filter(hand__match=self.match):
            assert sealed.nonce not in json.dumps(told)
            assert sealed.pack not in json.dumps(told)


def state_of(match: TableMatch, hand: TableHand) -> HandState:
    pack = hand.pack or hand.sealed_pack.pack
    log = HandLog.from_document({"deck": pack, "dealer": hand.dealer, "actions": hand.actions})
    pair = players_of(hand, kept_sheet(match.sheet))
    return HandState.replay(match.sheet.rules.rules, log, players=pair)


@pytest.mark.parametrize(("sides", "tables", "deals"), [(WE_AND_YOU, 2, 2), (WE_AND_YOU_OF_THREE, 3, 1)])
def test_the_sheet_of_teams_equals_the_replay_of_their_hands(sides: Any, tables: int, deals: int) -> None:
    """Opponents change after each deal (RULES §7), and each seat is in one hand of a deal."""
    teams = Teams(sides=sides)
    teams.play(random.Random(5), deals)
    kept = kept_sheet(Scoresheet.objects.select_related("rules").get(pk=teams.match.sheet_id))
    assert len(kept.deals) == deals
    names = [player for side in sides for player in side.players]
    for deal in range(1, deals + 1):
        hands = list(teams.match.hands.filter(deal=deal).order_by("table"))
        assert [tuple(names[seat] for seat in hand.seats) for hand in hands] == list(
            team_pairing(deal, sides)
        )
        results = [result for hand in hands for result in verified_hand(hand).results]
        assert len(results) == tables
        played = [state_of(teams.match, hand).result for hand in hands]
        assert list(kept.deals[deal - 1].hands) == played
    assert (
        kept.state.to_document() == score_sheet(kept.sheet.rules.rules, kept.sides, kept.deals).to_document()
    )
    assert SealedPack.objects.count() == len(teams.live()) == tables
    assert len(set(teams.match.hands.filter(is_over=True).values_list("pack", flat=True))) == deals * tables


def test_whoever_is_ready_waits_until_all_hands_of_the_deal_are_over() -> None:
    teams = Teams()
    first, second = teams.live()
    teams.end(first)
    assert not Scoresheet.objects.get(pk=teams.match.sheet_id).deal_count
    for seat in first.seats:
        told = teams.told(seat)
        assert (told["deal"], told["hand"], told["turn"]) == (1, None, None)
        assert told["last_hand"]["table"] == 1
        assert [(one["table"], one["is_over"]) for one in told["tables"]] == [(1, True), (2, False)]
        assert teams.refused(seat, "draw") == "not_your_turn"
    for seat in second.seats:
        assert teams.told(seat)["hand"] is not None
        assert teams.told(seat)["last_hand"] is None
    watched = watched_state(match=teams.match)
    assert (watched["deal"], watched["turn"], watched["hand"]) == (1, None, None)
    assert watched["tables"][1]["turn"] in second.seats
    teams.end(second)
    assert Scoresheet.objects.get(pk=teams.match.sheet_id).deal_count == 1
    assert {hand.deal for hand in teams.live()} == {2}
    assert all(teams.told(seat)["hand"] is not None for seat in range(4))


def test_what_happens_in_another_hand_makes_no_version_old() -> None:
    teams = Teams()
    first, second = teams.live()
    seat = teams.turn(first)
    told = teams.told(seat)
    teams.move(second)
    assert teams.told(seat)["version"] == told["version"] + 1
    teams.act(seat, told["hand"]["legal"][0], told["version"])
    following = teams.turn(teams.live()[0])
    assert teams.refused(following, "pass", told["version"]) == "stale_version"
    assert teams.refused(following, "pass", told["version"] + 99) == "stale_version"


def test_nobody_acts_in_a_hand_that_he_does_not_play() -> None:
    teams = Teams()
    first, second = teams.live()
    turn = teams.turn(first)
    foreign: dict[str, Any] = {"match": teams.match, "seat": turn, "version": 1, "action": "pass", "key": "a"}
    for seat in (*second.seats, *[one for one in first.seats if one != turn]):
        with refuses(GameError, "not_your_seat"):
            act(actor=teams.members[seat], **foreign)
    assert [hand.actions for hand in teams.live()] == [[], []]


@pytest.mark.parametrize("bot", [house_bot("simple"), house_bot("expert", 1)], ids=label)
def test_bots_of_a_team_play_among_themselves_and_against_members(bot: HouseBot) -> None:
    """Ann plays with a bot against two: where two bots meet, the hand is over before anybody has moved."""
    teams = Teams(member(), bot, bot, bot, target=10_000)
    (own,) = teams.live()
    assert own.seats == (0, 2)
    assert list(teams.match.hands.filter(is_over=True).values_list("first_seat", "second_seat")) == [(1, 3)]
    teams.play(random.Random(8), 2)
    assert Scoresheet.objects.get(pk=teams.match.sheet_id).deal_count == 2
    assert [hand.seats for hand in teams.live()] == [(0, 2)]


def test_a_bot_that_weighs_samples_plays_in_no_team() -> None:
    with refuses(GameError, "slow_bot"):
        Teams(member(), *[house_bot("simple")] * 2, house_bot("expert", 2))


def test_a_sheet_of_teams_is_played_to_its_end() -> None:
    simple = house_bot("simple")
    teams = Teams(member(), simple, simple, simple, target=20, team_target=20)
    teams.play(random.Random(9), 99)
    sheet = Scoresheet.objects.get(pk=teams.match.sheet_id)
    assert (sheet.status, TableMatch.objects.get().is_live) == (SheetStatus.FINISHED, False)
    assert (teams.told(0)["deal"], teams.told(0)["tables"]) == (None, [])
    assert not SealedPack.objects.exists()


def test_ending_the_table_breaks_off_the_whole_deal() -> None:
    teams = Teams()
    teams.play(random.Random(10), 1)
    teams.end(teams.live()[0])
    end_table(actor=teams.members[0], match=teams.match)
    assert set(TableHand.objects.values_list("deal", "is_over")) == {(1, True)}
    assert Scoresheet.objects.get(pk=teams.match.sheet_id).deal_count == 1


def test_of_three_two_play_a_hand_and_the_third_waits() -> None:
    """Cutthroat: who waits is told so, and the sheet says who plays the next hand (RULES §8)."""
    teams = Teams(sides=seats_of(3), kind="cutthroat", target=10_000)
    (hand,) = teams.live()
    (waits,) = {0, 1, 2} - set(hand.seats)
    told = teams.told(waits)
    assert (told["deal"], told["hand"], told["turn"]) == (1, None, None)
    assert told["tables"][0]["turn"] == teams.turn(hand)
    assert "You sit this hand out." in words(signed_in(teams.members[waits]), teams.match)
    assert teams.refused(waits, "pass") == "not_your_turn"
    teams.play(random.Random(3), 4)
    kept = kept_sheet(Scoresheet.objects.select_related("rules").get(pk=teams.match.sheet_id))
    over = teams.match.hands.filter(is_over=True).order_by("deal")
    assert [verified_hand(each).is_over for each in over] == [True] * 4
    assert [state_of(teams.match, each).results for each in over] == [
        tuple(deal.hands) for deal in kept.deals
    ]
    with refuses(GameError, "no_forfeit"):
        Teams(sides=seats_of(3), kind="cutthroat", clock=Clock(30, 60, TimeOut.FORFEIT_MATCH))


def test_a_hand_of_any_table_is_verified_by_the_command() -> None:
    teams = Teams()
    teams.end(teams.live()[1])
    out = StringIO()
    call_command("verify_hand", teams.match.code, "1", "--table", "2", stdout=out)
    assert TableHand.objects.get(table=1).commitment in out.getvalue()


def deadlines(teams: Teams) -> list[float | None]:
    """In how many seconds after eight the time of each live hand is over."""
    return [
        None if hand.deadline is None else (hand.deadline - EIGHT).total_seconds() for hand in teams.live()
    ]


def test_each_hand_has_its_clock_and_the_table_that_which_runs_out_first(
    clock: time_machine.Traveller,
) -> None:
    """Half a minute a turn and five for the match: of two hands the one is moved in after 40 seconds."""
    teams = Teams(clock=PRESETS["lively"])
    first, second = teams.live()
    assert deadlines(teams) == [330, 330]
    clock.shift(40)
    mover = teams.turn(second)
    teams.act(mover, "pass")
    assert deadlines(teams) == [330, 370]
    row = TableMatch.objects.get(pk=teams.match.pk)
    assert (row.deadline, row.turn_since) == (EIGHT + datetime.timedelta(seconds=330), EIGHT)
    clocks = teams.told(0)["clock"]["seats"]
    assert [seat["bank_left"] for seat in clocks] == [
        290 if seat in (mover, teams.turn(first)) else 300 for seat in range(4)
    ]
    assert sum(seat["deadline"] is not None for seat in clocks) == 2


def test_a_time_out_plays_the_turn_in_its_own_hand_alone(clock: time_machine.Traveller) -> None:
    teams = Teams(clock=PRESETS["lively"])
    first, second = teams.live()
    late = teams.turn(first)
    clock.shift(40)
    teams.act(teams.turn(second), "pass")
    clock.shift(295)
    keep_clocks(timezone.now())
    assert [hand.actions for hand in teams.live()] == [["pass"], ["pass"]]
    assert teams.match.seats.get(number=late).time_outs == 1
    assert deadlines(teams) == [335 + 330, 370]


def test_all_that_is_late_is_carried_out_before_an_action(clock: time_machine.Traveller) -> None:
    teams = Teams(clock=PRESETS["lively"])
    late = teams.turn(teams.live()[1])
    version = teams.match.version
    clock.shift(331)
    assert teams.refused(late, "pass", version) == "time_over"
    assert [hand.actions for hand in teams.live()] == [["pass"], ["pass"]]


def test_by_a_time_out_the_side_forfeits_and_the_deal_is_broken_off(clock: time_machine.Traveller) -> None:
    teams = Teams(clock=Clock(30, 60, TimeOut.FORFEIT_MATCH))
    first, second = teams.live()
    clock.shift(10)
    teams.act(teams.turn(first), "pass")
    turn = teams.turn(second)
    clock.shift(81)
    assert teams.told(0)["forfeited_by"] == (0 if turn < 2 else 1)
    row = TableMatch.objects.get(pk=teams.match.pk)
    assert (row.is_live, row.deadline) == (False, None)
    assert not TableHand.objects.exists()
    assert teams.refused(0, "pass", 1) == "table_over"


def test_a_pause_stops_all_clocks_and_either_of_the_other_side_agrees(
    clock: time_machine.Traveller,
) -> None:
    teams = Teams(clock=PRESETS["lively"])

    def by(seat: int) -> dict[str, Any]:
        return {"actor": teams.members[seat], "match": teams.match, "seat": seat}

    ask_pause(**by(0))
    with refuses(GameError, "no_pause_asked"):
        agree_pause(**by(1))
    agree_pause(**by(3))
    assert deadlines(teams) == [None, None]
    clock.shift(1000)
    keep_clocks(timezone.now())
    assert [hand.actions for hand in teams.live()] == [[], []]
    first = teams.live()[0]
    turn = teams.turn(first)
    assert teams.refused(turn, "pass") == "paused"
    resume(**by(1))
    assert deadlines(teams) == [1330, 1330]
    teams.act(turn, "pass")


def test_an_outage_is_given_back_to_every_hand(clock: time_machine.Traveller) -> None:
    teams = Teams(clock=PRESETS["lively"])
    keep_clocks(timezone.now())
    clock.shift(600)
    version = TableMatch.objects.get(pk=teams.match.pk).version
    keep_clocks(timezone.now())
    assert deadlines(teams) == [930, 930]
    assert [hand.actions for hand in teams.live()] == [[], []]
    turn = teams.turn(teams.live()[0])
    assert teams.refused(turn, "pass", version) == "stale_version"


def words(client: Client, match: TableMatch, name: str = "play_table", **where: Any) -> str:
    answer = client.get(reverse(name, kwargs={"code": match.code, **where}))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def signed_in(actor: Actor) -> Client:
    return logged_in(User.objects.get(pk=actor.id))


def test_the_page_shows_the_own_hand_and_who_is_at_the_other_table() -> None:
    teams = Teams()
    first, second = teams.live()
    page = words(signed_in(teams.members[0]), teams.match)
    assert "At the other table" in page
    assert "Cid v Dan" in page
    assert '<fieldset class="own-hand"' in page
    teams.end(first)
    page = words(signed_in(teams.members[0]), teams.match)
    assert "The next deal begins when the other hand is over too." in page
    assert '<fieldset class="own-hand"' not in page
    assert reverse("play_hand", args=[teams.match.code, 1]) in page
    assert '<fieldset class="own-hand"' in words(signed_in(teams.members[1]), teams.match)
    teams.end(second)
    page = words(signed_in(teams.members[0]), teams.match)
    assert reverse("play_hand", args=[teams.match.code, 1, 2]) in page
    assert (
        "Ann v Dan"
        not in page.split("How the cards are shuffled")[0].split("own-hand")[1].split("<section")[0]
    )
    assert "table 2" in words(signed_in(teams.members[0]), teams.match, "play_hand", deal=1, table=1)
    spectator = words(signed_in(member()), teams.match)
    assert "The cards of a hand are shown when it is over." in spectator
    assert '<fieldset class="own-hand"' not in spectator
