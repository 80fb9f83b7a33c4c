"""Jersey in play (RULES §8): three at once, and any legal play beside a referee."""

from itertools import cycle
from random import Random

import pytest

from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import CARD_TEXTS, cards_of, parse_number
from games.gin.jersey import JerseyHand
from games.gin.log import HandLog
from games.gin.playing import InPlay
from games.tables.play import play_deals
from scoring.core.hands import Dead, Outcome
from scoring.core.rules import Rules
from scoring.core.table_hands import TableKnock
from tests.games.kinds.any_play import (
    anybody,
    begun,
    check_knowledge,
    check_replay,
    check_results,
    check_view,
    followed,
    played,
)
from tests.games.kinds.packs import pack
from tests.games.kinds.referees import JerseyReferee
from tests.games.kinds.sheets import any_rules, bots_of, played_sheet, seats_of
from tests.refusals import refuses
from tests.scoring.kinds.test_properties import check_sheet

NAMES = ("Ann", "Bob", "Cid")
# Ann's cards, of which the last is left; nobody else has one that can be laid off.
SIX = "2C 3C 4C 7D 7H 7S JC QC KC 6S"
EIGHT = SIX.replace("6S", "8S")
GIN = SIX.replace("6S", "AC")
# Twice two sets, and four cards that count as much.
FIVE = "8C 8D 8H QD QH QS AD AH AS 5H"
EIGHTEEN = "8C 8D 8H QD QH QS AD 2D 5H TS"
TWENTY_SIX = "3D 3H 3S 9D 9H 9S KD 8S 6D 2H"
THIRTY = "3D 3H 3S 9D 9H 9S KD TS 6D 4H"


def deal(rules: Rules, log: HandLog[Action], players: tuple[str, ...]) -> JerseyHand:
    return JerseyHand.replay(rules, log, players=players)


def hand(rules: Rules, *hands: str, upcard: str = "5C", stock: str = "KH") -> JerseyHand:
    """A hand that Cid has dealt, so that Ann has the first turn."""
    return JerseyHand(rules, pack(hands, 3, 10, upcard, stock), dealer=2, players=NAMES)


def knobs(**own: object) -> Rules:
    return Rules.preset("jersey", jersey=own)


def do(state: InPlay, *actions: str) -> None:
    for action in actions:
        state.act(Action.parse(action))


def said(state: InPlay) -> set[str]:
    return {str(action) for action in state.legal_actions()}


def test_ten_cards_each_and_twenty_one_left_below_the_upcard() -> None:
    state = hand(Rules.preset("jersey"), SIX, EIGHTEEN, TWENTY_SIX)
    assert [{CARD_TEXTS[card] for card in cards_of(mask)} for mask in state.hands] == [
        set(cards.split()) for cards in (SIX, EIGHTEEN, TWENTY_SIX)
    ]
    assert len(state.stock) == 21
    assert state.pile == (parse_number("5C"),)


def test_upcard_is_offered_to_each_in_turn_and_then_the_first_draws() -> None:
    state = hand(Rules.preset("jersey"))
    for seat in range(3):
        assert state.turn == seat
        assert said(state) == {"take", "pass"}
        do(state, "pass")
    assert state.turn == 0
    assert said(state) == {"draw"}


def test_upcard_that_the_dealer_takes_is_kept() -> None:
    state = hand(Rules.preset("jersey"))
    do(state, "pass", "pass", "take")
    assert state.turn == 2
    with refuses(GameError, "taken_card"):
        do(state, "discard 5C")


def test_open_upcard_is_taken_by_the_first_or_covered() -> None:
    state = hand(knobs(upcard="open"), stock="5H")
    assert said(state) == {"draw", "take"}
    do(state, "draw", "discard 5H")
    assert state.turn == 1
    assert state.pile == (parse_number("5C"), parse_number("5H"))
    assert said(state) == {"draw", "take"}


def ended(rules: Rules, *hands: str, ending: str = "knock", upcard: str = "5C") -> JerseyHand:
    """Ann draws the king of hearts and ends the hand with it."""
    state = hand(rules, *hands, upcard=upcard)
    do(state, "pass", "pass", "pass", "draw", f"{ending} KH")
    return state


def shares(state: JerseyHand) -> dict[str, dict[str, int]]:
    return {gain.winner: dict(gain.shares) for gain in state.score().gains}


def test_example_of_the_rules_nobody_undercuts() -> None:
    state = ended(Rules.preset("jersey"), SIX, EIGHTEEN, TWENTY_SIX)
    assert state.result == TableKnock("Ann", 6, (("Bob", 18), ("Cid", 26)), Outcome.KNOCK, "5C")
    assert shares(state) == {"Ann": {"Bob": 12, "Cid": 20}}
    assert shares(ended(knobs(count="sum"), SIX, EIGHTEEN, TWENTY_SIX)) == {"Ann": {"Bob": 12, "Cid": 26}}


def test_example_of_the_rules_one_undercuts() -> None:
    hands = (EIGHT, FIVE, THIRTY)
    assert shares(ended(Rules.preset("jersey"), *hands)) == {"Bob": {"Cid": 25, "Ann": 28}}
    assert shares(ended(knobs(undercut="each"), *hands)) == {"Bob": {"Ann": 28}, "Ann": {"Cid": 22}}
    battle_royal = ended(Rules.preset("battle_royal"), *hands).score()
    assert [gain.points for gain in battle_royal.gains] == [33]
    assert battle_royal.penalties == (("Ann", 20),)


def test_example_of_the_rules_gin() -> None:
    hands = (GIN, EIGHTEEN, TWENTY_SIX)
    assert shares(ended(Rules.preset("jersey"), *hands, ending="gin")) == {"Ann": {"Bob": 43, "Cid": 51}}
    (gain,) = ended(Rules.preset("battle_royal"), *hands, ending="gin").score().gains
    assert gain.points == 84


@pytest.mark.parametrize(("lay_off", "left"), [("original", 6), ("chained", 0)])
def test_lay_offs_go_round_from_the_knockers_left(lay_off: str, left: int) -> None:
    """Bob lays the five on the run up to the four; on it Cid can lay the six only if lay-offs are chained."""
    state = ended(
        knobs(lay_off=lay_off),
        "2C 3C 4C 7D 7H 7S JD JH JS 6S",
        "5C 8D 8H 8S QD QH QS KC KD KS",
        "6C 9D 9H 9S TD TH TS AD AH AS",
        upcard="5D",
    )
    assert isinstance(state.result, TableKnock)
    assert state.result.others == (("Bob", 0), ("Cid", left))
    assert [[CARD_TEXTS[one.card] for one in answer.lay_offs] for answer in state.answers] == [
        ["5C"],
        ["6C"] if lay_off == "chained" else [],
    ]


def go_round(state: JerseyHand, turns: int) -> JerseyHand:
    """Nobody takes the upcard; then so many draw, and discard that card."""
    do(state, "pass", "pass", "pass")
    for _ in range(turns):
        drawn = CARD_TEXTS[state.stock[0]]
        do(state, "draw", f"discard {drawn}")
    return state


@pytest.mark.parametrize("left", [2, 3])
def test_last_cards_of_the_stock_are_not_drawn(left: int) -> None:
    """RULES §8, `stock_left`: dead when who drew the last one before them discards."""
    rules = Rules.preset("jersey", knock_limit=0, jersey={"stock_left": left})
    assert not go_round(hand(rules), 20 - left).is_over
    state = go_round(hand(rules), 21 - left)
    assert len(state.stock) == left
    assert state.result == Dead((), "5C")
    assert state.score().outcome is Outcome.DEAD


def test_last_discard_is_offered_to_the_next_and_then_to_the_third() -> None:
    """Under `fiftieth_card`; each may only knock with it."""
    rules = Rules.preset("jersey", knock_limit=0, stock_end="fiftieth_card", jersey={"stock_left": 3})
    state = go_round(hand(rules), 18)
    for seat in (0, 1):
        assert state.turn == seat
        assert said(state) == {"pass"}
        do(state, "pass")
    assert state.result == Dead((), "5C")


def test_third_knocks_with_the_last_discard() -> None:
    rules = Rules.preset("jersey", stock_end="fiftieth_card", jersey={"stock_left": 9})
    others = " ".join(["2D", "2H", "2S", "3D", "3H", "3S", "4D", "4H", "4S", "5D", "5H"])
    state = hand(rules, "", "2C 3C 4C 7D 7H 7S JC JD JH KC", stock=f"{others} JS")
    # Of twelve turns Cid has the last; Ann cannot use the jack.
    go_round(state, 12)
    do(state, "pass", "take", "gin KC")
    assert isinstance(state.result, TableKnock)
    assert (state.result.knocker, state.result.ending) == ("Bob", Outcome.GIN)
    assert [player for player, _count in state.result.others] == ["Cid", "Ann"]


def test_last_two_discards_may_be_taken_one_of_each_opponent() -> None:
    state = hand(knobs(discards="last_two"), stock="KH KS QS QH JH JD", upcard="8D")
    do(state, "pass", "pass", "pass", "draw", "discard KH")
    # Nothing of Cid lies there yet.
    assert said(state) == {"draw", "take"}
    do(state, "draw", "discard KS")
    assert said(state) == {"draw", "take", "take_below"}
    do(state, "take_below")
    assert state.pile == (parse_number("8D"), parse_number("KS"))
    # Cid has taken Ann's card; Bob's still lies there, below the one of Cid.
    do(state, next(action for action in sorted(said(state)) if action.startswith("discard")))
    assert state.turn == 0
    assert "take_below" in said(state)
    view = state.view(0)
    assert view.known_by[2] == view.known == 1 << parse_number("KH")


def test_discard_that_was_taken_lies_there_no_more() -> None:
    state = hand(knobs(discards="last_two"), stock="KH KS QS QH JH JD", upcard="8D")
    do(state, "pass", "pass", "pass", "draw", "discard KH", "draw", "discard KS", "take")
    do(state, next(action for action in sorted(said(state)) if action.startswith("discard")))
    # Cid took what Bob had discarded.
    assert said(state) == {"draw", "take"}
    with refuses(GameError, "not_there"):
        do(state, "take_below")


def places(state: JerseyHand) -> list[int]:
    return [card for mask in state.hands for card in cards_of(mask)] + [*state.pile, *state.stock]


@pytest.mark.dear("follows hundreds of hands with a slow referee")
def test_any_legal_play_ends_as_the_referee_says(*, long: bool) -> None:
    """The cards stay together, and what is handed to the sheet follows from what was done."""
    for seed in range(10_000 if long else 200):
        random = Random(seed)
        state = begun("jersey", seed, deal, 3)
        referee = JerseyReferee(state.rules, state.deck, state.dealer, state.players)
        choosers = [anybody(random) for _ in range(3)]
        followed(state, choosers, referee, places, random)
        check_results(state, [referee.document()])
        check_replay(state, deal)


def test_nobody_sees_more_than_he_may(*, long: bool) -> None:
    for seed, steps in zip(range(2_000 if long else 80), cycle((0, 3, 8, 20, 33, 60, 500))):
        random = Random(seed)
        state = played(begun("jersey", seed, deal, 3), [anybody(random) for _ in range(3)], steps)
        for seat in range(3):
            check_knowledge(state.view(seat), state.hands, state.pile)
            check_view(state, seat, deal, random)


def test_log_is_read_back() -> None:
    state = played(begun("jersey", 3, deal, 3), [anybody(Random(3)) for _ in range(3)])
    assert HandLog.from_document(state.log.to_document()) == state.log


def test_sheet_of_bots_is_what_the_slow_scorer_makes_of_it(*, long: bool) -> None:
    """Under any rules; from the seats to the settlement."""
    sides = seats_of(3)
    for seed in range(200 if long else 10):
        rules = any_rules(Random(seed), "jersey")
        deals, sheet = played_sheet(rules, sides, bots_of(sides, "steady", "novice"), seed)
        check_sheet(sheet, stopped=False)
        for number, one in enumerate(deals, start=1):
            (state,) = one.hands
            assert (one.number, state.results) == (number, one.deal.hands)
            check_replay(state, deal)


def test_deal_passes_to_the_left_and_sheets_go_on_the_same_after_any_deal() -> None:
    rules, sides = Rules.preset("jersey"), seats_of(3)
    bots = bots_of(sides, "steady", "novice")
    whole = list(play_deals(rules, sides, bots, 4))
    dealer = 0
    for one in whole:
        (state,) = one.hands
        assert (state.dealer, state.players) == (dealer, NAMES)
        # After a dead hand the same deals again.
        dealer = (dealer + (not isinstance(one.deal.hands[0], Dead))) % 3
    for count in range(len(whole) + 1):
        played_before = [one.deal for one in whole[:count]]
        rest = play_deals(rules, sides, bots, 4, played=played_before)
        assert [one.deal for one in rest] == [one.deal for one in whole[count:]]


def test_strategy_that_does_not_play_it_is_refused() -> None:
    sides = seats_of(3)
    with refuses(GameError, "not_played", field="bots"):
        play_deals(Rules.preset("jersey"), sides, bots_of(sides, "simple"), 1)
