"""Partners from one pack in play (RULES §8): two games, one stock, and any legal play beside a referee."""

from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import CARD_TEXTS, cards_of, mask_of, parse_number
from games.gin.log import HandLog
from games.gin.one_pack import OnePackHand
from games.tables.play import play_deals
from scoring.core.hands import Dead, Gin, Knock
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, score_sheet
from tests.games.kinds.any_play import (
    anybody,
    begun,
    check_knowledge,
    check_replay,
    check_results,
    check_view,
    followed,
    last_mixed,
    played,
)
from tests.games.kinds.packs import pack
from tests.games.kinds.referees import OnePackReferee
from tests.games.kinds.sheets import any_rules, bots_of
from tests.refusals import refuses

NAMES = ("Ann", "Bob", "Cid", "Dee")
SIDES = (SheetSide("We", ("Ann", "Cid")), SheetSide("They", ("Bob", "Dee")))
MOST_PACKS = 10
BACKWARDS = tuple(reversed(range(52)))


def deal(rules: Rules, log: HandLog[Action], players: tuple[str, ...]) -> OnePackHand:
    return OnePackHand.replay(rules, log, players=players)


def hand(*hands: str, upcards: str = "KC KD", stock: str = "", rules: Rules | None = None) -> OnePackHand:
    """A deal of Dee, so that Ann has the first turn; hands are from Ann's on."""
    rules = rules or Rules.preset("partners_one_pack")
    deck = pack(hands, 4, rules.own.cards, upcards, stock)  # type: ignore[union-attr]
    return OnePackHand(rules, deck, dealer=3, players=NAMES, orders=[BACKWARDS] * 9)


def do(state: OnePackHand, *actions: str) -> OnePackHand:
    for action in actions:
        state.act(Action.parse(action))
    return state


def said(state: OnePackHand) -> set[str]:
    return {str(action) for action in state.legal_actions()}


def draw_and_discard(state: OnePackHand, turns: int) -> OnePackHand:
    for _ in range(turns):
        drawn = CARD_TEXTS[state.stock[0]]
        do(state, "draw", f"discard {drawn}")
    return state


@pytest.mark.parametrize(("cards", "stock"), [(10, 10), (7, 22)])
def test_each_game_has_an_upcard_of_its_own(cards: int, stock: int) -> None:
    rules = Rules.preset("partners_one_pack", partners_one_pack={"cards": cards})
    state = hand(rules=rules)
    assert [mask.bit_count() for mask in state.hands] == [cards] * 4
    assert [game.pile for game in state.games] == [(parse_number("KC"),), (parse_number("KD"),)]
    assert len(state.stock) == stock


def test_upcard_of_the_first_turn_is_turned_first() -> None:
    """Cid has the first turn where Bob deals, and so his game the first upcard."""
    rules = Rules.preset("partners_one_pack")
    state = OnePackHand(rules, pack((), 4, 10, "KC KD"), dealer=1, players=NAMES, orders=[BACKWARDS])
    assert [game.upcard for game in state.games] == [parse_number("KD"), parse_number("KC")]
    assert state.turn == 2


def test_turns_go_round_the_table_and_each_takes_only_from_his_own_pile() -> None:
    state = hand(stock="QC QD QH QS")
    for seat in range(4):
        assert (state.turn, said(state)) == (seat, {"take", "pass"})
        do(state, "pass")
    do(state, "draw", "discard QC")
    assert state.turn == 1
    do(state, "draw", "discard QD")
    # Cid sees the queens on the other pile, and draws: both have passed his upcard.
    assert (state.turn, said(state)) == (2, {"draw"})
    view = state.view(2)
    assert view.pile == (parse_number("KD"),)
    assert view.elsewhere == mask_of(parse_number(card) for card in ("KC", "QC", "QD"))
    # Nobody but who is to move is told what is legal.
    assert [bool(state.view(seat).legal) for seat in range(4)] == [False, False, True, False]


GIN = "2C 3C 4C 7D 7H 7S JC JD JH JS"


def test_who_has_finished_is_passed_over_and_the_stock_stays() -> None:
    state = hand(GIN, stock="QC QD QH QS")
    do(state, "pass", "pass", "pass", "pass", "draw", "gin QC")
    assert isinstance(state.games[0].result, Gin)
    assert not state.is_over
    assert state.results == ()
    # All at the table have seen the hands that were laid down.
    assert state.view(2).elsewhere & state.games[0].hands[1] == state.games[0].hands[1]
    for seat in (2, 3, 2):
        assert state.turn == seat
        draw_and_discard(state, 1)
    assert len(state.stock) == 6


def test_piles_but_for_their_tops_become_the_stock_once() -> None:
    """RULES §8, `reshuffles`: 8 of the 10 cards are drawn; with the two left there are 8 from the piles."""
    state = do(hand(), "pass", "pass", "pass", "pass")
    draw_and_discard(state, 7)
    piles = [game.pile for game in state.games]
    drawn, kept = state.stock[0], state.stock[1:]
    draw_and_discard(state, 1)
    assert state.renewed == 1
    tops = [piles[0][-1], drawn]
    assert [game.pile for game in state.games] == [(top,) for top in tops]
    again = {*piles[0][:-1], *piles[1], *kept}
    # In the order of the pack that was given, from the king of spades down.
    assert list(state.stock) == sorted(again, reverse=True)
    assert len(again) == 10
    draw_and_discard(state, 7)
    assert not state.is_over
    draw_and_discard(state, 1)
    assert [type(result) for result in state.results] == [Dead, Dead]
    assert state.results[1] == Dead(("Cid", "Dee"), "KD")


def test_last_discards_are_offered_to_the_next_of_each_game() -> None:
    """Under `fiftieth_card`: Ann and Cid may take what Bob and Dee have discarded, to knock with it."""
    rules = Rules.preset(
        "partners_one_pack", stock_end="fiftieth_card", knock_limit=0, partners_one_pack={"reshuffles": 0}
    )
    state = hand(GIN.replace("JS", "KS"), stock="AC AD AH AS 5D JS 5H 5S", rules=rules)
    do(state, "pass", "pass", "pass", "pass")
    draw_and_discard(state, 8)
    assert (state.turn, said(state)) == (0, {"pass", "take"})
    do(state, "take", "gin KS")
    assert (state.turn, said(state)) == (2, {"pass"})
    do(state, "pass")
    first, second = state.results
    assert isinstance(first, Gin)
    assert (first.knocker, second) == ("Ann", Dead(("Cid", "Dee"), "KD"))


def test_knock_with_the_last_card_ends_the_other_game() -> None:
    rules = Rules.preset("partners_one_pack", partners_one_pack={"reshuffles": 0})
    state = hand("", "", "", GIN.replace("JS", "AS"), stock="QC QD QH QS 9C 9D 9H JS", rules=rules)
    do(state, "pass", "pass", "pass", "pass")
    draw_and_discard(state, 7)
    do(state, "draw", "gin AS")
    first, second = state.results
    assert isinstance(first, Dead)
    assert isinstance(second, Gin)
    assert second.knocker == "Dee"


def test_example_of_the_rules_one_game_is_dead() -> None:
    """a wins 16, the other game is dead: 16, a line of the team."""
    rules = Rules.preset("partners_one_pack", partners_one_pack={"reshuffles": 0})
    ten = "2C 3C 4C 7D 7H 7S JC JD JH 4D"
    twenty = "8C 8D 8H QD QH QS TC 6S 2D 2H"
    state = hand(ten, twenty, stock="KH 5D 5H 5S 6D 6H 9S 9H", upcards="3D KD", rules=rules)
    do(state, "pass", "pass", "pass", "pass", "draw", "knock KH")
    while not state.is_over:
        draw_and_discard(state, 1)
    knock, dead = state.results
    assert knock == Knock("Ann", "Bob", 4, 20, "3D")
    assert isinstance(dead, Dead)


def places(state: OnePackHand) -> list[int]:
    piles = [card for game in state.games for card in game.pile]
    return [card for mask in state.hands for card in cards_of(mask)] + [*piles, *state.stock]


@pytest.mark.dear("follows hundreds of hands with a slow referee")
def test_any_legal_play_ends_as_the_referee_says(*, long: bool) -> None:
    for seed in range(10_000 if long else 200):
        random = Random(seed)
        state = begun("partners_one_pack", seed, deal, 4, MOST_PACKS)
        referee = OnePackReferee(state.rules, state.deck, state.dealer, state.players, state.orders)
        followed(state, [anybody(random) for _ in range(4)], referee, places, random)
        check_results(state, referee.documents())
        check_replay(state, deal)


def test_nobody_sees_more_than_he_may(*, long: bool) -> None:
    for seed, steps in zip(range(2_000 if long else 80), cycle((0, 3, 8, 20, 33, 60, 500)), strict=False):
        random = Random(seed)
        state = begun("partners_one_pack", seed, deal, 4, MOST_PACKS)
        state = played(state, [anybody(random) for _ in range(4)], steps)
        for seat in range(4):
            game = state.games[seat // 2]
            check_knowledge(state.view(seat), game.hands, game.pile)
            check_view(state, seat, deal, random, last_mixed(state, deal))


def test_log_is_read_back() -> None:
    state = begun("partners_one_pack", 3, deal, 4, MOST_PACKS)
    state = played(state, [anybody(Random(3)) for _ in range(4)])
    assert HandLog.from_document(state.log.to_document()) == state.log


def test_orders_are_packs_and_as_many_as_are_needed() -> None:
    rules = Rules.preset("partners_one_pack", partners_one_pack={"reshuffles": 2})
    for orders in ([BACKWARDS], [BACKWARDS, BACKWARDS[1:]]):
        with refuses(GameError, "not_a_deck", field="orders"):
            OnePackHand(rules, BACKWARDS, dealer=0, players=NAMES, orders=orders)


def test_opponents_change_and_the_deal_passes_to_the_left() -> None:
    """RULES §7: Ann plays Bob and Cid plays Dee, then Ann plays Dee and Cid plays Bob."""
    rules = Rules.preset("partners_one_pack", team_target=400)
    deals = list(islice(play_deals(rules, SIDES, bots_of(SIDES, "steady"), 2), 5))
    pairs, dealers, first = [], [], []
    for one in deals:
        (state,) = one.hands
        assert isinstance(state, OnePackHand)
        pairs.append([game.players for game in state.games])
        dealers.append(state.players[state.dealer])
        first.append(state.players[(state.dealer + 1) % 4])
    assert [[set(pair) for pair in both] for both in pairs] == [
        [{"Ann", "Bob"}, {"Cid", "Dee"}],
        [{"Ann", "Dee"}, {"Cid", "Bob"}],
    ] * 2 + [[{"Ann", "Bob"}, {"Cid", "Dee"}]]
    assert dealers == ["Ann", "Bob", "Cid", "Dee", "Ann"]
    assert first == ["Bob", "Cid", "Dee", "Ann", "Bob"]


@pytest.mark.parametrize("kind", ["partners_one_pack", "gin"])
def test_sheet_of_bots_goes_from_the_seats_to_the_settlement(kind: str, *, long: bool) -> None:
    """Also of two-sided gin where one pack is `shared`; the line of a deal is the difference of its games."""
    for seed in range(100 if long else 8):
        rules = any_rules(Random(seed), kind, packs="shared", team_scoring="net", team_target=60, deals=None)
        bots = bots_of(SIDES, "steady", "novice")
        deals = list(play_deals(rules, SIDES, bots, seed))
        sheet = score_sheet(rules, SIDES, [one.deal for one in deals])
        assert sheet.status == "finished"
        for one, scored in zip(deals, sheet.deals, strict=True):
            (state,) = one.hands
            check_replay(state, deal)
            lead = 0
            for score in scored.two_handed:
                won = score[1].points + score[1].penalty
                lead += won if score[1].winner in SIDES[0].players else -won
            lines: list[Any] = [(line.side, line.points) for line in scored.lines]
            assert lines == ([("We" if lead > 0 else "They", abs(lead))] if lead else [])
        for count in range(len(deals) + 1):
            rest = play_deals(rules, SIDES, bots, seed, played=[one.deal for one in deals[:count]])
            assert [one.deal for one in rest] == [one.deal for one in deals[count:]]
