"""A hand that is lost by time: what it counts, and that its log leads to the same end (RULES §11)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots.appraising import Advice
from games.bots.base import GameView
from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, TIME_OUT, Action, ActionKind
from games.gin.cards import ALL_CARDS, CARD_TEXTS, Hand, mask_of, parse_number
from games.gin.hand import HandState, shuffled
from games.gin.jersey import JerseyHand
from games.gin.log import HandLog
from games.gin.one_pack import OnePackHand
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction
from games.tables.clocks import TimeOut, end_turn
from games.tables.replaying import lines_of, replayed
from games.tables.reports import weighed_hand
from league.core.hand_files.deals import is_same
from scoring.core.errors import CodedError
from scoring.core.hands import Gin
from scoring.core.rules import ExtraBoxes, Rules
from scoring.core.sheets import Deal, score_sheet
from scoring.core.table_hands import Out
from scoring.documents.sheets import DealReader, deal_document
from scoring.paper.layout import sheet_table
from scoring.templatetags.figures import hand_words
from scoring.typing.notation import read_rows, write_row
from scoring.typing.wording import echo_rows
from tests.games import brute
from tests.games.bot_play import ANN_AND_BOB
from tests.games.kinds.packs import pack as packed
from tests.games.tables import do, pack
from tests.games.test_chosen_melds import CLUBS, EITHER_WAY, THREE_SEVENS
from tests.refusals import code_of, refuses
from tests.scoring.strategies import rules

PLAYERS = ("Ann", "Bob")
# Of the elder, Bob: two melds, and 1 + 2 + 3 + 10 beside them.
TWO_MELDS = "4C 5C 6C 7D 7H 7S AH 2H 3S KD"


def hand(elder: str, *, upcard: str = "9H", stock: str = "", younger: str = "") -> HandState:
    """Ann deals, so that Bob has the first turn."""
    deck = pack(elder=elder, younger=younger, upcard=upcard, stock=stock)
    return HandState(Rules(), deck, dealer=0, players=PLAYERS)


def lost(state: HandState) -> tuple[Gin, int]:
    """What the hand came to, and its points."""
    state.lose_by_time()
    assert isinstance(state.result, Gin)
    assert state.result.by_time
    return state.result, state.score().points


def test_whoever_has_not_drawn_loses_what_he_holds_and_the_bonus_for_gin() -> None:
    assert lost(hand(TWO_MELDS)) == (Gin("Ann", "Bob", 16, "9H"), 16 + 25)
    state = do(hand(TWO_MELDS, younger="4D 5D 6D 8C 8H 8S KH QC JC 2C"), "pass")
    assert lost(state)[0] == Gin("Bob", "Ann", 10 + 10 + 10 + 2, "9H"), "the dealer"


def test_of_eleven_cards_that_goes_which_leaves_least_also_where_a_knock_was_possible() -> None:
    state = do(hand(TWO_MELDS, stock="AS"), "pass", "pass", "draw")
    assert "knock KD" in {str(action) for action in state.legal_actions()}
    assert lost(state) == (Gin("Ann", "Bob", 1 + 1 + 2 + 3, "9H"), 7 + 25)
    assert state.pile[-1] == parse_number("KD")
    assert Hand(state.hands[1]) == Hand.parse("4C 5C 6C 7D 7H 7S AH AS 2H 3S")


def test_the_card_that_was_taken_in_the_turn_is_kept_as_in_a_discard() -> None:
    """Without the king 15 would be left; it may not go, so the nine does, and 16 are left."""
    state = do(hand("4C 5C 6C 7D 7H 7S AH 2H 3S 9D", upcard="KD"), "take")
    assert lost(state) == (Gin("Ann", "Bob", 1 + 2 + 3 + 10, "KD"), 16 + 25)


def test_whoever_holds_melds_alone_loses_the_bonus() -> None:
    state = hand("4C 5C 6C 7D 7H 7S TH JH QH KH")
    assert lost(state) == (Gin("Ann", "Bob", 0, "9H"), 25)
    state = do(hand("4C 5C 6C 7D 7H 7S TH JH QH KH", stock="3C"), "pass", "pass", "draw")
    assert lost(state) == (Gin("Ann", "Bob", 0, "9H"), 25), "he could have said big gin"


def test_whoever_is_to_lay_off_lays_off_nothing() -> None:
    """The three clubs would go on the knocker's run of sevens; by time all 89 count."""
    state = do(drawn(), f"knock KS: {THREE_SEVENS}")
    assert lost(state) == (Gin("Bob", "Ann", 89, "3D"), 89 + 25)
    frame = replayed(state.rules, state.log, players=PLAYERS).frames[-1]
    assert frame.endings == {1: ActionKind.KNOCK, 0: ActionKind.TIME_OUT}


def test_what_the_rules_say_of_gin_holds_on_a_hollywood_sheet() -> None:
    """(16 + 20) twice for the spade, with two boxes more; the next win counts in two games."""
    by = Rules(columns=3, target=1000, spades_double=True, gin_bonus=20, extra_boxes=ExtraBoxes(gin=2))
    state = HandState(by, pack(elder=TWO_MELDS, upcard="9S"), dealer=0, players=PLAYERS)
    state.lose_by_time()
    sheet = score_sheet(by, ANN_AND_BOB, [Deal(state.results)] * 3)
    sums = [(column.sides[0].points, column.sides[0].boxes) for column in sheet.columns]
    assert sums == [(3 * 72, 9), (2 * 72, 6), (72, 3)]
    words = {hand_words(line) for row in sheet_table(sheet).rows for line in row.hands}
    assert words == {"Ann wins by time: 72"}


@given(by=rules(), seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_a_hand_may_be_lost_at_any_time_and_its_log_leads_to_the_same_end(
    by: Rules, seed: int, steps: int
) -> None:
    state = played(HandState(by, shuffled(seed), dealer=seed % 2, players=PLAYERS), seed, steps)
    if state.is_over:
        with refuses(GameError, "hand_over"):
            state.lose_by_time()
        return
    late, held = state.turn, Hand(state.hands[state.turn])
    may_go = {one.card for one in state.legal_actions() if one.card is not None}
    state.lose_by_time()
    left = [held - Hand(1 << card) for card in may_go] or [held]
    least = min(brute.least(frozenset(str(cards).split()), by.ace) for cards in left)
    upcard = None if state.upcard is None else CARD_TEXTS[state.upcard]
    assert state.results == (Gin(PLAYERS[1 - late], PLAYERS[late], least, upcard),)
    assert [mask.bit_count() for mask in state.hands] == [10, 10]
    assert state.hands[0] | state.hands[1] | mask_of(state.pile) | mask_of(state.stock) == ALL_CARDS
    log = HandLog.from_document(state.log.to_document())
    assert log.actions[-1] == TIME_OUT
    again = HandState.replay(by, log, players=PLAYERS)
    assert (again.results, again.hands, again.pile) == (state.results, state.hands, state.pile)
    assert (again.view(0), again.view(1)) == (state.view(0), state.view(1))
    assert all(line.by_time for line in lines_of(again))
    with refuses(GameError, "hand_over", field=f"actions.{len(log.actions)}"):
        HandState.replay(by, replace(log, actions=(*log.actions, TIME_OUT)), players=PLAYERS)


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_it_is_nobodys_to_choose(seed: int, steps: int) -> None:
    assert TIME_OUT not in ALL_ACTIONS
    state = played(HandState(Rules(), shuffled(seed), dealer=0), seed, steps)
    assert TIME_OUT not in state.legal_actions()
    assert state.known(TIME_OUT) is None
    assert code_of(lambda: state.act(Action.parse("time_out"))) == (
        "hand_over" if state.is_over else "unknown_action"
    )
    assert code_of(lambda: Action.parse("time_out 7H")) == "unknown_action"


def test_the_replay_says_who_ran_out_of_time_and_which_card_went() -> None:
    state = do(hand(TWO_MELDS, stock="AS"), "pass", "pass", "draw")
    end_turn(state, TimeOut.LOSE_HAND)
    replay = replayed(state.rules, state.log, players=PLAYERS)
    frame = replay.frames[-1]
    assert frame.move is not None
    assert (frame.move.seat, frame.move.kind) == (1, ActionKind.TIME_OUT)
    assert frame.move.card == parse_number("KD")
    assert frame.endings == {1: ActionKind.TIME_OUT}
    assert frame.hands[1].deadwood == 7
    assert [hand_words(line) for line in frame.lines] == ["Ann wins by time: 32"]


def test_a_report_weighs_no_time_out() -> None:
    state = do(hand(TWO_MELDS, stock="AS"), "pass", "pass", "draw")
    state.lose_by_time()
    judge = Asked()
    dealt = hand(TWO_MELDS, stock="AS")
    assert weighed_hand(dealt, state.actions, 1, judge) == (None, None, None, None)
    assert [str(action) for action in judge.asked] == ["pass", "draw"]
    assert dealt.results == state.results


def test_of_rummy_the_other_wins_as_if_he_had_gone_out() -> None:
    """1 to 9 and a jack are 55; of the jack and the queen that was drawn one goes."""
    cards = "AC 2D 3H 4S 5C 6D 7H 8S 9C JD"
    for before in ((), ("draw",)):
        state = rummy(cards, draws="QH")
        for action in before:
            state.act(RummyAction.parse(action))
        state.lose_by_time()
        assert state.results == (Out("Bob", (("Ann", 55),)),)
        (result,) = state.results
        assert isinstance(result, Out)
        assert (result.by_time, result.rummy) == (True, False)
        assert state.score().gains[0].points == 55
        again = RummyHand.replay(state.rules, state.log, players=PLAYERS)
        assert (again.results, again.pile, again.hands) == (state.results, state.pile, state.hands)
        frame = replayed(state.rules, state.log, players=PLAYERS, kind=RummyHand).frames[-1]
        assert [hand_words(line) for line in frame.lines] == ["Bob wins by time 55 (55 Ann)"]
        assert [str(kind) for kind in frame.endings.values()] == ["time_out"]
    refused = rummy(cards)
    assert code_of(lambda: refused.act(RummyAction.parse("time_out"))) == "unknown_action"


def test_of_partners_with_one_pack_one_game_is_lost_and_the_other_goes_on() -> None:
    names = ("Ann", "Bob", "Cid", "Dee")
    backwards = tuple(reversed(range(52)))
    by = Rules.preset("partners_one_pack")
    state = OnePackHand(by, shuffled(4), dealer=3, players=names, orders=[backwards] * 9)
    state.lose_by_time()
    assert (state.is_over, state.turn) == (False, 2), "Bob, whose game it was, is passed over"
    rng = random.Random(4)
    while not state.is_over:
        assert state.turn in (2, 3)
        state.act(rng.choice(state.legal_actions()))
    lost_one, other = state.results
    assert isinstance(lost_one, Gin)
    assert (lost_one.knocker, lost_one.defender, lost_one.by_time) == ("Bob", "Ann", True)
    assert not (isinstance(other, Gin) and other.by_time)
    again = OnePackHand.replay(by, HandLog.from_document(state.log.to_document()), players=names)
    assert again.results == state.results
    assert replayed(by, state.log, players=names, kind=OnePackHand).frames[-1].endings[0] == "time_out"


@pytest.mark.parametrize(
    "state",
    [
        JerseyHand(Rules.preset("jersey"), shuffled(1), dealer=0),
        RummyHand(Rules.preset("basic_rummy"), shuffled(1), dealer=0, players=("Ann", "Bob", "Cid")),
    ],
    ids=["jersey", "rummy of three"],
)
def test_of_three_nobody_loses_a_hand_by_time(state: InPlay) -> None:
    before = state.log
    with refuses(GameError, "no_forfeit"):
        state.lose_by_time()
    assert state.log == before


def test_a_sheet_keeps_that_a_hand_was_lost_by_time_and_compares_figures_alone() -> None:
    by_time, gin = [Deal((Gin("Ann", "Bob", 16, by_time=is_so),)) for is_so in (True, False)]
    document = deal_document(by_time)
    assert document == {
        "hands": [
            {"kind": "gin", "knocker": "Ann", "defender": "Bob", "defender_deadwood": 16, "by_time": True}
        ]
    }
    reader = DealReader(ANN_AND_BOB, Rules())
    assert deal_document(reader.read(document, 1)) == document
    assert (by_time == gin, is_same(by_time, gin)) == (True, True), "typed again, or read from a file"
    row = write_row(by_time, 1, rules=Rules(), sides=ANN_AND_BOB)
    assert read_rows([row], rules=Rules(), sides=ANN_AND_BOB).deals == (by_time,)
    (words,) = echo_rows(score_sheet(Rules(), ANN_AND_BOB, [by_time])).values()
    assert str(words).startswith("Ann wins by time against 16 for 41")
    document["hands"][0]["by_time"] = "yes"
    with refuses(CodedError, "wrong_type"):
        reader.read(document, 1)


class Asked:
    """A judge that notes what it is asked about."""

    def __init__(self) -> None:
        self.asked: list[Action] = []

    def appraise(self, state: InPlay, seat: int, chosen: Action) -> None:
        self.asked.append(chosen)

    def advise(self, state: InPlay, game: GameView) -> Advice:
        raise AssertionError


def drawn() -> HandState:
    """Bob has drawn the king of spades, and may knock."""
    return do(hand(EITHER_WAY, younger=CLUBS, upcard="3D", stock="KS"), "pass", "pass", "draw")


def rummy(cards: str, draws: str = "") -> RummyHand:
    """A hand that Bob has dealt."""
    deck = packed([cards], 2, 10, "KD", draws)
    by = Rules.preset("basic_rummy")
    orders = [tuple(reversed(range(52)))] * RummyHand.orders_needed(by)
    return RummyHand(by, deck, dealer=1, players=PLAYERS, orders=orders)


def played(state: HandState, seed: int, steps: int) -> HandState:
    """The hand after up to so many legal actions by chance."""
    rng = random.Random(seed)
    while not state.is_over and len(state.actions) < steps:
        state.act(rng.choice(state.legal_actions()))
    return state
