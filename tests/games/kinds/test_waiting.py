"""Cutthroat and captains played by bots: hands of two, round which the others wait (RULES §8)."""

import itertools
from random import Random
from typing import Any

import pytest

from games.bots import GameView, HouseBot, Strategy, house_bot
from games.gin.actions import Action
from games.gin.hand import HandState
from games.gin.view import View
from games.tables.play import PlayedDeal, play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide, Substitute, score_sheet
from tests.games.kinds.sheets import any_rules, bots_of, played_sheet, seats_of
from tests.scoring.kinds import slow
from tests.scoring.kinds.test_properties import check_sheet

# One of these two plays badly, so that the loser changes.
BOTS = ("simple", "novice")


def letters(played: PlayedDeal) -> str:
    """Who plays, the dealer's opponent, who begins, first."""
    (hand,) = played.two_handed
    first = 1 - hand.dealer
    return "".join(hand.players[seat][0].lower() for seat in (first, 1 - first))


@pytest.mark.parametrize(("kind", "seats"), [("cutthroat", 3), ("cutthroat", 4), ("captains", 4)])
def test_sheet_is_what_the_slow_scorer_makes_of_its_hands(kind: str, seats: int, *, long: bool) -> None:
    """Who plays every deal, the turn of who has it first, and all figures to the settlement."""
    for seed in range(2_000 if long else 12):
        rules = any_rules(Random(seed), kind)
        sides = seats_of(seats)
        deals, sheet = played_sheet(rules, sides, bots_of(sides, *BOTS), seed)
        check_sheet(sheet, stopped=False)
        said = slow.score(rules, sheet["sides"], sheet["deals"])
        assert said.ended == len(deals)
        for played, table in zip(deals, said.tables, strict=False):
            (hand,) = played.two_handed
            assert (
                HandState.replay(rules, hand.log, players=hand.players).result
                == hand.result
                == played.deal.hands[0]
            )
            turn = (table.dealer + 1) % seats
            while turn not in table.playing:
                turn = (turn + 1) % seats
            seated = [sides[seat].name for seat in table.playing]
            assert sorted(hand.players) == sorted(seated)
            assert hand.players[1 - hand.dealer] == sides[turn].name


def test_sitter_deals_and_the_seat_after_his_begins() -> None:
    """RULES §8: of a, b and c, c deals the first deal, and a begins; then the loser deals."""
    rules, sides = Rules.preset("cutthroat", target=500), seats_of(3)
    deals = list(play_deals(rules, sides, bots_of(sides, "simple"), 3))
    assert letters(deals[0]) == "ab"
    for before, after in itertools.pairwise(deals):
        winner = before.two_handed[0].score().winner
        if winner is None:
            assert letters(after) == letters(before)
            continue
        loser = next(player for player in before.two_handed[0].players if player != winner)
        assert loser not in after.two_handed[0].players
        assert winner in after.two_handed[0].players
        # The first turn goes round from the dealer's left.
        assert letters(after)[0] == "bca"["abc".index(loser[0].lower())]


def test_captains_move_up_and_the_box_is_held_for_the_game() -> None:
    """RULES §8: Ann plays every deal; a captain who loses goes to the end of the line."""
    partners = SheetSide("We", ("Bob", "Cid", "Dee"))
    sides = (SheetSide("Ann", ("Ann",)), partners)
    rules = Rules.preset("captains", target=400)
    deals = list(play_deals(rules, sides, bots_of(sides, "simple"), 5))
    line, dealer = ["Bob", "Cid", "Dee"], "Ann"
    changes = 0
    for played in deals:
        (hand,) = played.two_handed
        assert hand.players == ("Ann", line[0])
        assert hand.players[hand.dealer] == dealer
        winner = hand.score().winner
        if winner == "Ann":
            line.append(line.pop(0))
            changes += 1
            dealer = line[0]
        elif winner is not None:
            dealer = "Ann"
    assert changes > 2
    assert score_sheet(rules, sides, [played.deal for played in deals]).status == "finished"


@pytest.mark.parametrize("kind", ["cutthroat", "captains"])
def test_sheet_goes_on_the_same_after_any_deal(kind: str) -> None:
    rules = Rules.preset(kind, captains={"box_held": "hand"}) if kind == "captains" else Rules.preset(kind)
    sides = seats_of(3)
    bots = bots_of(sides, "simple", "steady", "novice")
    whole = [played.deal for played in play_deals(rules, sides, bots, 11)]
    for count in range(len(whole) + 1):
        rest = play_deals(rules, sides, bots, 11, played=whole[:count])
        assert [played.deal for played in rest] == whole[count:]


def test_substitute_plays_from_his_deal_on() -> None:
    sides = (
        SheetSide("Ann", ("Ann",), (Substitute("Sub", "Ann", 3),)),
        *seats_of(3)[1:],
    )
    deals = list(play_deals(Rules.preset("cutthroat", target=300), sides, bots_of(sides, "simple"), 2))
    players = [{player for hand in played.two_handed for player in hand.players} for played in deals]
    assert not any("Sub" in playing for playing in players[:2])
    assert not any("Ann" in playing for playing in players[2:])
    assert any("Sub" in playing for playing in players)


def test_of_several_others_the_one_who_has_most_is_told() -> None:
    told: list[tuple[str, GameView]] = []

    class Watching:
        def __init__(self, bot: Any) -> None:
            self._bot = bot

        def choose(self, view: View, game: GameView) -> Action:
            if not told or told[-1][1] != game:
                told.append((view.rules.kind, game))
            action: Action = self._bot.choose(view, game)
            return action

    simple = house_bot("simple").strategy
    watching = HouseBot.of(
        Strategy("watching", "Looks.", lambda samples, chances: Watching(simple.sit_down(samples, chances)))
    )
    sides, rules = seats_of(3), Rules.preset("cutthroat", target=250)
    deals: list[Deal] = []
    for played in play_deals(rules, sides, {**bots_of(sides, "simple"), "Ann": watching}, 8):
        if "Ann" in played.two_handed[0].players:
            ((kind, game),) = told
            own, *others = score_sheet(rules, sides, deals).columns[0].sides
            most = max(sum(entry.points for entry in side.entries) for side in others)
            (column,) = game.columns
            assert (kind, column.own, column.other) == (
                "cutthroat",
                sum(entry.points for entry in own.entries),
                most,
            )
        told.clear()
        deals.append(played.deal)
    assert len(deals) > 5
