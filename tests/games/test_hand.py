"""One hand, step by step: every phase of RULES §3 with packs in a wished order, and why an act is refused."""

import json
from typing import Any

import pytest

from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, Action
from games.gin.cards import CARD_TEXTS, Hand, parse_number
from games.gin.hand import HandState, shuffled
from games.gin.log import HandLog
from games.gin.melds import deadwood
from games.gin.view import Phase
from scoring.core.hands import BigGin, Dead, Gin, Knock
from scoring.core.rules import Rules
from tests.games.tables import do, pack, said
from tests.refusals import refuses

STANDARD = Rules()
# Ten cards of which nothing is melded or will be, whatever low cards are drawn.
NOTHING = "KC KD QH QS JC JD TH TS 9C 9D"
THREE_MELDS_AND_TWO = "5C 6C 7C 5H 6H 7H 5S 6S 7S 2D"


def hand(
    rules: Rules = STANDARD, /, *, elder: str = "", younger: str = "", upcard: str = "", stock: str = ""
) -> HandState:
    """Ann deals, so that Bob at seat 1 begins."""
    deck = pack(elder=elder, younger=younger, upcard=upcard, stock=stock)
    return HandState(rules, deck, dealer=0, players=("Ann", "Bob"))


def refused(state: HandState, action: str) -> tuple[str, str]:
    before = state.view(0), state.view(1)
    with pytest.raises(GameError) as caught:
        state.act(Action.parse(action))
    assert caught.value.field == "action"
    assert (state.view(0), state.view(1)) == before
    return caught.value.code, str(caught.value.message)


# The upcard


def test_cards_are_dealt_singly_and_alternately_to_the_non_dealer_first() -> None:
    deck = shuffled(1)
    state = HandState(STANDARD, deck, dealer=1)
    assert state.turn == 0
    assert [card in Hand(state.hands[0]) for card in deck[:20]] == [True, False] * 10
    assert [card in Hand(state.hands[1]) for card in deck[:20]] == [False, True] * 10
    assert (state.upcard, state.pile, state.stock) == (deck[20], (deck[20],), deck[21:])


def test_upcard_is_offered_to_the_non_dealer_then_to_the_dealer() -> None:
    state = hand(upcard="2H")
    assert (state.phase, state.turn, said(state)) == (Phase.UPCARD_ELDER, 1, {"take", "pass"})
    assert refused(state, "draw") == ("not_now", "The upcard is offered: take it or pass.")
    do(state, "pass")
    assert (state.phase, state.turn, said(state)) == (Phase.UPCARD_DEALER, 0, {"take", "pass"})
    do(state, "take")
    assert (state.phase, state.turn, state.pile) == (Phase.DISCARD, 0, ())


def test_non_dealer_draws_from_the_stock_when_both_passed() -> None:
    state = do(hand(stock="3S"), "pass", "pass")
    assert (state.turn, said(state)) == (1, {"draw"})
    assert refused(state, "take") == ("not_now", "Both passed the upcard; draw from the stock.")
    do(state, "draw")
    assert parse_number("3S") in Hand(state.hands[1])
    assert refused(state, "draw")[0] == "not_now"


def test_elders_eleven_begin_with_a_discard() -> None:
    state = hand(Rules(deal="elder_eleven"), elder=NOTHING, upcard="8H")
    assert (state.phase, state.turn, state.upcard, state.pile) == (Phase.DISCARD, 1, None, ())
    assert said(state) == {f"discard {card}" for card in f"{NOTHING} 8H".split()}
    do(state, "discard 8H")
    assert (state.turn, said(state)) == (0, {"draw", "take"})


# Turns


def test_taken_card_is_kept_in_that_turn() -> None:
    state = do(hand(elder=NOTHING, upcard="2H"), "take")
    assert "discard 2H" not in said(state)
    assert refused(state, "discard 2H") == (
        "taken_card",
        "2H was taken from the pile in this turn and is kept.",
    )
    do(state, "discard KC", "draw", "discard " + CARD_TEXTS[state.deck[21]], "draw")
    assert "discard 2H" in said(state)


def test_taken_card_may_be_discarded_under_association_rules() -> None:
    rules = Rules(discard_taken_card="always")
    assert "discard 2H" in said(do(hand(rules, elder=NOTHING, upcard="2H"), "take"))


def test_what_is_not_held_is_not_discarded() -> None:
    state = do(hand(elder=NOTHING, upcard="2H"), "take")
    assert refused(state, "discard AS") == ("not_in_hand", "AS is not in the hand.")


def test_knock_needs_the_limit_and_is_scored() -> None:
    state = do(hand(elder=THREE_MELDS_AND_TWO, upcard="KH"), "take")
    # 2D is left beside the melds when the king goes; but he was taken.
    assert refused(state, "knock KH")[0] == "taken_card"
    assert refused(state, "gin 2D") == ("not_gin", "10 is left: that is not gin.")
    assert refused(state, "knock 5C") == ("illegal_knock", "22 is left; the limit of this hand is 10.")
    assert {action for action in said(state) if "knock" in action} == {"knock 2D"}
    do(state, "knock 2D")
    assert isinstance(state.result, Knock)
    assert (state.result.knocker, state.result.knocker_deadwood, state.result.upcard) == ("Bob", 10, "KH")
    assert state.is_over
    assert refused(state, "draw") == ("hand_over", "The hand is over.")


def test_what_equals_an_action_is_that_action() -> None:
    """A knock whose kind is text is no big gin, and the log holds what it says."""
    state = do(hand(elder=THREE_MELDS_AND_TWO, upcard="KH"), "take")
    state.act(Action._make(["knock", float(parse_number("2D")), None, None]))
    assert isinstance(state.result, Knock)
    assert [str(action) for action in state.log.actions] == ["take", "knock 2D"]


@pytest.mark.parametrize(
    ("rules", "upcard", "limit"),
    [
        (Rules(), "3H", 10),
        (Rules(knock_limit=7), "9H", 7),
        (Rules(oklahoma="ace_is_one"), "3H", 3),
        (Rules(oklahoma="ace_is_one"), "AH", 1),
        (Rules(oklahoma="ace_is_gin"), "AH", 0),
        (Rules(oklahoma="ace_is_gin"), "KH", 10),
        (Rules(oklahoma="ace_is_gin", knock_limit=7), "KH", 7),
    ],
)
def test_limit_is_that_of_the_upcard(rules: Rules, upcard: str, limit: int) -> None:
    # The drawn queen goes; what is left beside two melds of ten is 1 to 10.
    for left in ("AD", "2D", "3D", "4D", "7D", "8D", "TD"):
        state = hand(rules, elder=f"5C 6C 7C 5S 6S 7S JC JH JS {left}", upcard=upcard, stock="QH")
        do(state, "pass", "pass", "draw")
        value = 10 if left[0] == "T" else 1 if left[0] == "A" else int(left[0])
        assert ("knock QH" in said(state)) == (value <= limit)
        assert state.view(1).limit == limit


@pytest.mark.parametrize(
    ("rules", "upcard", "endings"),
    [
        (Rules(), "KH", {"knock 2D", "gin 2D"}),
        (Rules(zero_knock="gin"), "KH", {"gin 2D"}),
        (Rules(knock_limit=0), "KH", {"gin 2D"}),
        (Rules(oklahoma="ace_is_gin"), "AH", {"gin 2D"}),
    ],
)
def test_nothing_left_is_gin_or_a_knock_as_the_rules_say(
    rules: Rules, upcard: str, endings: set[str]
) -> None:
    state = hand(rules, elder=THREE_MELDS_AND_TWO, upcard=upcard, stock="8S")
    do(state, "pass", "pass", "draw")
    found = {action for action in said(state) if not action.startswith("discard")}
    assert {action for action in found if action.endswith("2D")} == endings
    if "knock 2D" not in endings:
        assert refused(state, "knock 2D")[0] == "say_gin"
    do(state, "gin 2D")
    assert isinstance(state.result, Gin)


def test_silent_knock_with_nothing_left_loses_bonus_and_lets_lay_off() -> None:
    younger = "4C 8C 4H 8H KC KD QH QD JC TD"
    state = hand(elder=THREE_MELDS_AND_TWO, younger=younger, upcard="AH", stock="8S")
    do(state, "pass", "pass", "draw", "knock 2D")
    assert state.result == Knock("Bob", "Ann", 0, 60, "AH")
    assert state.score().points == 60
    assert state.answer is not None
    assert {CARD_TEXTS[one.card] for one in state.answer.lay_offs} == {"4C", "8C", "4H", "8H"}


def test_nothing_is_laid_off_against_gin() -> None:
    younger = "4C 8C 4H 8H KC KD QH QD JC TD"
    state = hand(elder=THREE_MELDS_AND_TWO, younger=younger, upcard="AH", stock="8S")
    do(state, "pass", "pass", "draw", "gin 2D")
    assert state.result == Gin("Bob", "Ann", 84, "AH")
    assert state.score().points == 84 + 25


def test_big_gin_is_declared_where_it_is_played() -> None:
    cards = {"elder": "5C 6C 7C 5H 6H 7H 5S 6S 7S 8S", "upcard": "AH", "stock": "8C"}
    state = do(hand(**cards), "pass", "pass", "draw")
    assert {"big_gin", "gin 8C", "gin 8S", "gin 5S"} <= said(state)
    do(state, "big_gin")
    assert isinstance(state.result, BigGin)
    assert len(Hand(state.hands[1])) == 11
    assert state.score().outcome == "big_gin"
    state = do(hand(Rules(big_gin_bonus=None), **cards), "pass", "pass", "draw")
    assert refused(state, "big_gin") == ("not_played", "Big gin is not played under these rules.")
    state = do(hand(elder=NOTHING), "pass", "pass", "draw")
    assert refused(state, "big_gin") == ("not_big_gin", "Big gin is eleven cards all melded.")


# The end of the stock


def to_the_end_of_the_stock(rules: Rules, /, **cards: str) -> HandState:
    """Both pass, and discard whatever they draw, the fiftieth card of the pack too."""
    state = do(hand(rules, **cards), "pass", "pass")
    for card in state.stock[:29]:
        do(state, "draw", f"discard {CARD_TEXTS[card]}")
    return state


ENDING = {"elder": NOTHING, "younger": THREE_MELDS_AND_TWO, "upcard": "2H"}


def stock_with_last(card: str) -> str:
    """The 29 cards that are drawn when nobody takes from the pile, that card the last."""
    elsewhere = f"{NOTHING} {THREE_MELDS_AND_TWO} 2H {card}".split()
    return " ".join([*[other for other in CARD_TEXTS if other not in elsewhere][:28], card])


def test_last_two_cards_are_not_drawn_and_the_hand_is_dead() -> None:
    state = to_the_end_of_the_stock(STANDARD, **ENDING)
    assert len(state.stock) == 2
    assert state.result == Dead(("Ann", "Bob"), "2H")
    assert state.score().points == 0
    assert state.view(0).shown is None


def test_last_discard_may_be_taken_to_knock() -> None:
    # The elder draws the fiftieth card, the dealer is offered it.
    rules = Rules(stock_end="fiftieth_card")
    state = to_the_end_of_the_stock(rules, **ENDING, stock=stock_with_last("8S"))
    assert (state.phase, state.turn, said(state)) == (Phase.LAST_OFFER, 0, {"take", "pass"})
    assert refused(state, "draw")[0] == "not_now"
    do(state, "take")
    assert {action for action in said(state) if action.endswith("2D")} == {"knock 2D", "gin 2D"}
    assert not [action for action in said(state) if action.startswith("discard")]
    assert refused(state, "discard 2D") == ("not_now", "The last discard was taken to knock with it.")
    do(state, "gin 2D")
    assert isinstance(state.result, Gin)


def test_last_discard_may_be_passed() -> None:
    rules = Rules(stock_end="fiftieth_card")
    state = do(to_the_end_of_the_stock(rules, **ENDING, stock=stock_with_last("8S")), "pass")
    assert state.result == Dead(("Ann", "Bob"), "2H")


def test_last_discard_is_not_taken_without_a_knock() -> None:
    rules = Rules(stock_end="fiftieth_card")
    state = to_the_end_of_the_stock(rules, elder=THREE_MELDS_AND_TWO, younger=NOTHING, upcard="2H")
    assert said(state) == {"pass"}
    assert refused(state, "take") == ("cannot_knock", "The last discard is taken only to knock with it.")


@pytest.mark.parametrize("knob", ["never", "fiftieth_card", "always"])
def test_card_taken_after_the_fiftieth_is_put_down_again_as_the_rules_say(knob: str) -> None:
    rules = Rules(stock_end="fiftieth_card", discard_taken_card=knob, knock_limit=2)
    # The king helps nothing; with 2D left the dealer could have knocked all along.
    state = to_the_end_of_the_stock(rules, **ENDING, stock=stock_with_last("KH"))
    if knob == "never":
        assert said(state) == {"pass"}
        return
    do(state, "take")
    assert said(state) == {"knock KH"}


def test_card_taken_before_the_fiftieth_is_kept_under_that_knob() -> None:
    rules = Rules(stock_end="fiftieth_card", discard_taken_card="fiftieth_card")
    state = do(hand(rules, elder=THREE_MELDS_AND_TWO, upcard="KH"), "take")
    assert "knock KH" not in said(state)
    assert "discard KH" not in said(state)


def test_pile_is_closed_after_twenty_turns_from_it() -> None:
    state = do(hand(Rules(discard_taken_card="always")), "take")
    for _ in range(19):
        do(state, f"discard {CARD_TEXTS[state.view(state.turn).taken or 0]}", "take")
    do(state, f"discard {CARD_TEXTS[state.view(state.turn).taken or 0]}")
    assert said(state) == {"draw"}
    code, reason = refused(state, "take")
    assert code == "pile_closed"
    assert "20 times" in reason


# What a player sees, and the log


def test_view_tells_what_lies_open_and_who_took_it() -> None:
    state = do(hand(elder=NOTHING, upcard="2H", stock="3C 4C"), "take")
    assert (state.view(1).taken, state.view(0).taken) == (parse_number("2H"), None)
    do(state, "discard KC", "draw")
    own, other = state.view(0), state.view(1)
    assert str(Hand(own.known)) == "2H"
    assert (own.taken, own.legal == state.legal_actions(), other.legal) == (None, True, ())
    assert [str(move) for move in own.moves] == ["take 2H", "discard KC", "draw"]
    assert own.moves == other.moves
    assert parse_number("3C") in own.hand
    assert parse_number("3C") in other.unseen
    assert (own.stock, own.pile) == (30, (parse_number("KC"),))
    assert own.after == {card: deadwood(own.hand.remove(card)) for card in own.hand}
    assert other.after == {}
    assert (own.shown, other.shown) == (None, None)


def test_hands_are_shown_after_a_knock() -> None:
    state = do(hand(elder=THREE_MELDS_AND_TWO, younger=NOTHING, upcard="KH"), "take", "knock 2D")
    assert state.view(1).shown == Hand.parse(NOTHING).mask
    assert state.view(0).shown == state.hands[1]
    assert len(state.view(0).unseen) == len(state.stock)


def test_action_is_read_as_it_prints() -> None:
    assert len(ALL_ACTIONS) == len(set(ALL_ACTIONS)) == 6 + 3 * 52
    assert [Action.parse(str(action)) for action in ALL_ACTIONS] == list(ALL_ACTIONS)
    for text in ("", "fold", "discard", "draw 7H", "knock 7H 8H", "discard XX", "gin "):
        with pytest.raises(GameError) as caught:
            Action.parse(text)
        assert caught.value.code in {"unknown_action", "unknown_card"}


def test_log_is_json_and_names_the_illegal_action() -> None:
    state = do(hand(elder=NOTHING, upcard="2H"), "take", "discard KC", "draw")
    document = json.loads(json.dumps(state.log.to_document()))
    assert document["actions"] == ["take", "discard KC", "draw"]
    assert HandState.replay(STANDARD, HandLog.from_document(document), players=("0", "1")).view(
        0
    ) == state.view(0)
    document["actions"][1] = "discard 2H"
    with refuses(GameError, "taken_card", field="actions.1"):
        HandState.replay(STANDARD, HandLog.from_document(document), players=("0", "1"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deck": "AS 2S"}, "not_a_deck"),
        ({"deck": " ".join([*CARD_TEXTS[:51], "AC"])}, "not_a_deck"),
        ({"deck": " ".join([*CARD_TEXTS[:51], "XX"])}, "unknown_card"),
        ({"deck": 1}, "wrong_type"),
        ({"dealer": 2}, "unknown_seat"),
        ({"dealer": "Ann"}, "wrong_type"),
        ({"actions": "pass"}, "wrong_type"),
        ({"actions": ["pass", 1]}, "wrong_type"),
        ({"actions": ["fold"]}, "unknown_action"),
    ],
)
def test_log_is_refused(change: dict[str, Any], code: str) -> None:
    document = hand().log.to_document() | change
    with refuses(GameError, code):
        HandState.replay(STANDARD, HandLog.from_document(document), players=("0", "1"))


def test_score_waits_for_the_end() -> None:
    with pytest.raises(GameError, match="not over"):
        hand().score()


def test_pack_of_a_seed_is_always_the_same_one() -> None:
    assert shuffled(7) == shuffled(7) != shuffled(8)
    assert sorted(shuffled(7)) == list(range(52))
    # The place of one card over many seeds: 52 places, each about 100 of 5,200 times.
    places = [0] * 52
    for seed in range(5_200):
        places[shuffled(seed).index(0)] += 1
    assert sum((count - 100) ** 2 / 100 for count in places) < 95
