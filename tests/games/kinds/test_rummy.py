"""Basic rummy in play (RULES §8): melds laid down as one goes, and any legal play beside a referee."""

from collections.abc import Callable
from itertools import cycle
from random import Random
from typing import Any

import pytest

from games.bots import GameView, HouseBot, Strategy, house_bot
from games.errors import GameError
from games.gin.actions import DISCARDS
from games.gin.cards import CARD_TEXTS, cards_of, parse_number
from games.gin.log import HandLog, read_log
from games.gin.melds import fitting, melds_in
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction, RummyActionKind
from games.gin.rummy_view import RummyView
from games.tables.play import BotError, play_deals
from scoring.core.hands import Outcome
from scoring.core.rules import Rules
from scoring.core.table_hands import Blocked, Out
from tests.games.hands import random_hands
from tests.games.kinds.any_play import (
    Chooser,
    begun,
    check_replay,
    check_results,
    check_view,
    followed,
    last_mixed,
    played,
)
from tests.games.kinds.packs import pack
from tests.games.kinds.referees import RummyReferee, rummy_melds
from tests.games.kinds.sheets import NAMES, any_rules, bots_of, played_sheet, seats_of
from tests.refusals import refuses
from tests.scoring.kinds.test_properties import check_sheet

# Packs that are enough for every stock that is shuffled again.
MOST_PACKS = 10


def deal(rules: Rules, log: HandLog[RummyAction], players: tuple[str, ...]) -> RummyHand:
    return RummyHand.replay(rules, log, players=players)


def hand(*hands: str, players: int = 2, draws: str = "", **knobs: object) -> RummyHand:
    """A hand that the last of so many has dealt; hands are from Ann's on, and `draws` come from the stock."""
    rules = Rules.preset("basic_rummy", basic_rummy=knobs)
    size = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}[players]
    deck = pack(hands, players, size, "KD", draws)
    orders = [tuple(reversed(range(52)))] * RummyHand.orders_needed(rules)
    return RummyHand(rules, deck, dealer=players - 1, players=NAMES[:players], orders=orders)


def do(state: RummyHand, *actions: str) -> RummyHand:
    for action in actions:
        state.act(RummyAction.parse(action))
    return state


def said(state: RummyHand) -> set[str]:
    return {str(action) for action in state.legal_actions()}


def kinds(state: RummyHand) -> set[str]:
    return {str(action.kind) for action in state.legal_actions()}


def refused(state: RummyHand, action: str) -> str:
    with pytest.raises(GameError) as refusal:
        do(state, action)
    return refusal.value.code


def pass_turns(state: RummyHand, turns: int) -> RummyHand:
    """So many draw, and discard that card."""
    for _ in range(turns):
        drawn = CARD_TEXTS[state.stock[0]]
        do(state, "draw", f"discard {drawn}")
    return state


@pytest.mark.parametrize(
    ("players", "cards", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)]
)
def test_cards_by_the_number_of_players(players: int, cards: int, stock: int) -> None:
    state = hand(players=players)
    assert [mask.bit_count() for mask in state.hands] == [cards] * players
    assert (len(state.stock), len(state.pile)) == (stock, 1)
    assert state.turn == 0


OUT = "2C 3C 4C 7D 7H 7S KH"
THIRTY_ONE = "TC TD AD AH 2D 3H 4S"


@pytest.mark.parametrize(("first", "won"), [([], 108), (["meld 7D 7H 7S"], 54)])
def test_example_of_the_rules_going_out_and_going_rummy(first: list[str], won: int) -> None:
    """Cid goes out against 31, 8 and 15: 54; 108 where he had laid nothing down before."""
    rules = Rules.preset("basic_rummy")
    hands = (OUT, THIRTY_ONE, "9C 9D 9H JC JD JH 8S", "QC QD QH AS 2S 5D 7C")
    deck = pack(hands, 4, 7, "KD", "KS QS 8C 9S 5C")
    state = RummyHand(rules, deck, dealer=1, players=NAMES[:4])
    do(state, "draw", *first, "discard KS", "draw", "discard QS")
    do(state, "draw", "meld 9C 9D 9H", "meld JC JD JH", "discard 8C")
    do(state, "draw", "meld QC QD QH", "discard 9S")
    do(state, "draw", "meld 2C 3C 4C 5C", *(["meld 7D 7H 7S"] if not first else []), "discard KH")
    left = (("Dee", 31), ("Ann", 8), ("Bob", 15))
    assert state.result == Out("Cid", left, rummy=not first)
    (gain,) = state.score().gains
    assert (gain.winner, gain.points) == ("Cid", won)


def test_lay_offs_go_on_anybodys_melds_and_may_chain() -> None:
    state = hand("2C 3C 4C 7D 7H 7S", "5C 6C 7C", draws="KH QH")
    do(state, "draw", "meld 2C 3C 4C", "meld 7D 7H 7S", "discard KH", "draw")
    assert {"lay_off 5C 0", "lay_off 7C 1"} <= said(state)
    assert "lay_off 6C 0" not in said(state)
    do(state, "lay_off 5C 0", "lay_off 6C 0")
    assert {"lay_off 7C 0", "lay_off 7C 1"} <= said(state)
    assert [(str(laid.meld), laid.seat) for laid in state.view(0).melds] == [
        ("2C 3C 4C 5C 6C", 0),
        ("7D 7H 7S", 0),
    ]


def test_card_just_taken_is_not_discarded() -> None:
    state = do(hand(), "take")
    assert refused(state, "discard KD") == "taken_card"
    assert "discard KD" not in said(state)


def test_lay_off_only_after_a_meld_of_ones_own() -> None:
    hands = ("2C 3C 4C", "5C 8D 8H 8S")
    first = ("draw", "meld 2C 3C 4C", "discard KH", "draw")
    state = do(hand(*hands, draws="KH QH", lay_off="after_meld"), *first)
    assert "lay_off" not in kinds(state)
    assert refused(state, "lay_off 5C 0") == "not_played"
    do(state, "meld 8D 8H 8S")
    assert "lay_off 5C 0" in said(state)
    assert "lay_off 5C 0" in said(do(hand(*hands, draws="KH QH"), *first))


def test_one_meld_a_turn_unless_the_whole_hand_goes() -> None:
    held = "2C 3C 4C 7D 7H 7S JC JD JH"
    state = do(hand(f"{held} AH", draws="6H", melds="one"), "draw", "meld 2C 3C 4C")
    # Two cards would be left.
    assert "meld" not in kinds(state)
    assert refused(state, "meld 7D 7H 7S") == "not_played"
    # The eight goes on the sevens, or the six is discarded, and all else is melded.
    state = do(hand(f"{held} 5C", draws="6H", melds="one"), "draw", "meld 2C 3C 4C 5C", "meld 7D 7H 7S")
    assert said(state) == {"meld JC JD JH"}
    assert refused(state, "discard 6H") == "must_go_out"
    do(state, "meld JC JD JH", "discard 6H")
    assert isinstance(state.result, Out)
    assert state.result.rummy


@pytest.mark.parametrize(
    ("knobs", "after"),
    [({}, "out"), ({"last_discard": True}, "kept"), ({"last_discard": True, "floating": True}, "floats")],
)
def test_last_card_is_laid_down_kept_or_floated(knobs: dict[str, bool], after: str) -> None:
    """Ann could meld all eleven cards."""
    held = "2C 3C 4C 7D 7H 7S JC JD JH JS"
    state = do(hand(held, draws="5C QH QD", **knobs), "draw", "meld 7D 7H 7S", "meld JC JD JH JS")
    if after == "kept":
        assert "meld 2C 3C 4C 5C" not in said(state)
        assert refused(state, "meld 2C 3C 4C 5C") == "not_played"
        do(state, "meld 2C 3C 4C", "discard 5C")
        assert isinstance(state.result, Out)
        return
    do(state, "meld 2C 3C 4C 5C")
    assert state.is_over == (after == "out")
    if after == "floats":
        assert state.view(1).counts == (0, 10)
        do(state, "draw", "discard QH")
        # The queen cannot be laid off, so Ann may not take it.
        assert said(state) == {"draw"}
        do(state, "draw")
        assert said(state) == {"discard QD"}
        do(state, "discard QD")
        # She had laid melds down before.
        assert isinstance(state.result, Out)
        assert not state.result.rummy


def test_who_floats_counts_nothing_in_a_blocked_hand() -> None:
    held = "2C 3C 4C 7D 7H 7S JC JD JH JS"
    state = hand(held, "AC AD AH", draws="5C", last_discard=True, floating=True, turnovers=0)
    do(state, "draw", "meld 7D 7H 7S", "meld JC JD JH JS", "meld 2C 3C 4C 5C")
    while state.stock:
        drawn = CARD_TEXTS[state.stock[0]]
        if state.turn == 0 and f"lay_off {drawn} 0" not in said(do(state, "draw")):
            # Ann goes out with the first card that she cannot lay off, as she must.
            assert {f"discard {drawn}"} == {one for one in said(state) if one.startswith("discard")}
            break
        if state.turn == 0:
            do(state, f"lay_off {drawn} 0")
        else:
            do(state, "draw", f"discard {drawn}")
    assert state.view(1).counts[0] <= 1


def test_pile_is_turned_over_as_it_is_and_everybody_knows_the_order() -> None:
    """RULES §8: once, the lowest card first; before, the top discard may be taken instead."""
    state = pass_turns(hand(), 31)
    pile = state.pile
    assert (len(pile), said(state)) == (32, {"draw", "take"})
    do(state, "draw")
    assert state.pile == ()
    assert state.stock == pile[1:]
    assert state.view(1 - state.turn).open_stock == pile[1:]
    assert state.view(1 - state.turn).known[state.turn] == 1 << pile[0]


def test_stock_that_is_shuffled_keeps_the_top_card() -> None:
    state = pass_turns(hand(stock="shuffled"), 31)
    pile = state.pile
    do(state, "draw")
    assert state.pile == pile[-1:]
    # From the king of spades down.
    drawn = CARD_TEXTS[max(pile[:-1])]
    assert f"discard {drawn}" in said(state)
    assert list(state.stock) == sorted(pile[:-1], reverse=True)[1:]
    assert state.view(1 - state.turn).open_stock == ()


def test_who_leaves_the_last_discard_blocks_the_hand() -> None:
    state = pass_turns(hand(turnovers=0), 31)
    assert said(state) == {"take", "pass"}
    assert refused(state, "draw") == "stock_finished"
    do(state, "pass")
    assert isinstance(state.result, Blocked)
    assert [player for player, _count in state.result.left] == ["Ann", "Bob"]
    assert state.score().outcome is Outcome.BLOCKED


def test_round_of_takes_blocks_the_hand() -> None:
    state = pass_turns(hand(players=3, turnovers=0), 30)
    for seat in range(3):
        assert state.turn == seat
        do(state, "take")
        do(state, next(text for text in sorted(said(state)) if text.startswith("discard")))
    assert isinstance(state.result, Blocked)


@pytest.mark.parametrize(("ace_points", "left"), [(1, 18), (11, 28), (15, 32)])
def test_cards_left_count_matched_or_not(ace_points: int, left: int) -> None:
    held = "2C 3C 4C 7D 7H 7S JC JD JH JS"
    six_of_a_kind = "AC AD 4D 4H 4S"
    state = hand(held, f"{six_of_a_kind} 2D", players=2, draws="5C", ace="high", ace_points=ace_points)
    do(state, "draw", "meld 7D 7H 7S", "meld JC JD JH JS", "meld 2C 3C 4C 5C")
    assert isinstance(state.result, Out)
    aces = sum(CARD_TEXTS[card][0] == "A" for card in cards_of(state.hands[1]))
    others = sum(min(1 + card % 13, 10) for card in cards_of(state.hands[1]) if CARD_TEXTS[card][0] != "A")
    assert dict(state.result.left) == {"Bob": others + aces * ace_points}


@pytest.mark.parametrize("ace", ["low", "high", "low_or_high"])
def test_melds_are_those_of_the_words_of_the_rules(ace: str) -> None:
    for (cards,) in random_hands(5, 400, 10):
        held = frozenset(str(cards).split())
        found = {frozenset(CARD_TEXTS[card] for card in cards_of(meld)) for meld in melds_in(cards.mask, ace)}
        assert len(found) == len(melds_in(cards.mask, ace))
        assert found == {meld for meld in rummy_melds(ace) if meld <= held}
        for meld in found:
            mask = sum(1 << parse_number(card) for card in meld)
            longer = {CARD_TEXTS[card] for card in cards_of(fitting(mask, ace))}
            assert longer == {
                card for card in CARD_TEXTS if card not in meld and meld | {card} in rummy_melds(ace)
            }


def anybody(random: Random) -> Chooser:
    """A player who does anything legal: how often he takes, and how fond he is of laying cards down."""
    take, down = random.choice([0.1, 0.5, 0.9]), random.choice([0.0, 0.5, 1.0])

    def choose(view: RummyView) -> RummyAction:
        downs = [one for one in view.legal if one.kind in (RummyActionKind.MELD, RummyActionKind.LAY_OFF)]
        others = [one for one in view.legal if one not in downs]
        if downs and (not others or random.random() < down):
            return random.choice(downs)
        takes = [one for one in others if one.kind is RummyActionKind.TAKE]
        if takes and random.random() < take:
            return takes[0]
        return random.choice([one for one in others if one not in takes] or others)

    return choose


def places(state: RummyHand) -> list[int]:
    laid = [card for one in state.melds for card in cards_of(one.meld.mask)]
    return [card for mask in state.hands for card in cards_of(mask)] + [*state.pile, *state.stock, *laid]


@pytest.mark.dear("follows hundreds of hands with a slow referee")
def test_any_legal_play_ends_as_the_referee_says(*, long: bool) -> None:
    for seed in range(10_000 if long else 200):
        random = Random(seed)
        players = 2 + seed % 5
        state = begun("basic_rummy", seed, deal, players, MOST_PACKS)
        referee = RummyReferee(state.rules, state.deck, state.dealer, state.players, state.orders)
        followed(state, [anybody(random) for _ in range(players)], referee, places, random)
        check_results(state, [referee.document()])
        check_replay(state, deal)


def test_nobody_sees_more_than_he_may(*, long: bool) -> None:
    for seed, steps in zip(range(2_000 if long else 80), cycle((0, 3, 8, 20, 50, 90, 150, 5000))):
        random = Random(seed)
        players = 2 + seed % 5
        state = begun("basic_rummy", seed, deal, players, MOST_PACKS)
        state = played(state, [anybody(random) for _ in range(players)], steps)
        for seat in range(players):
            view = state.view(seat)
            check_shown(view, state)
            check_view(state, seat, deal, random, last_mixed(state, deal))


def check_shown(view: RummyView, state: RummyHand) -> None:
    """A player is shown his cards, the table, the pile, and what he has seen others take."""
    assert view.mask == state.hands[view.seat]
    assert view.pile == state.pile
    assert view.counts == tuple(mask.bit_count() for mask in state.hands)
    assert all(known & ~mask == 0 for known, mask in zip(view.known, state.hands, strict=True))
    assert (view.shown is None) == (not state.is_over)


def test_log_is_read_back() -> None:
    state = played(begun("basic_rummy", 3, deal, 4, MOST_PACKS), [anybody(Random(3)) for _ in range(4)])
    assert read_log(state.log.to_document(), RummyAction.parse) == state.log


@pytest.mark.parametrize(
    "text",
    [
        "",
        "meld",
        "meld 4C 4C",
        "discard",
        "discard 4C 5C",
        "lay_off 4C",
        "lay_off 4C 99",
        "knock 4C",
        "draw 4C",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(GameError) as refusal:
        RummyAction.parse(text)
    assert refusal.value.code in {"unknown_action", "card_twice"}


def test_sheet_of_bots_is_what_the_slow_scorer_makes_of_it(*, long: bool) -> None:
    """Under any rules, of two to six; from the seats to the settlement."""
    for seed in range(200 if long else 15):
        sides = seats_of(2 + seed % 5)
        rules = any_rules(Random(seed), "basic_rummy")
        deals, sheet = played_sheet(rules, sides, bots_of(sides, "steady", "novice"), seed)
        check_sheet(sheet, stopped=False)
        for one in deals:
            (state,) = one.hands
            assert state.results == one.deal.hands
            check_replay(state, deal)


def test_sheet_goes_on_the_same_after_any_deal() -> None:
    rules, sides = Rules.preset("basic_rummy", basic_rummy={"stock": "shuffled"}), seats_of(4)
    bots = bots_of(sides, "steady", "novice")
    whole = [one.deal for one in play_deals(rules, sides, bots, 4)]
    for count in range(len(whole) + 1):
        rest = play_deals(rules, sides, bots, 4, played=whole[:count])
        assert [one.deal for one in rest] == whole[count:]


def test_orders_are_packs_and_as_many_as_are_needed() -> None:
    rules = Rules.preset("basic_rummy", basic_rummy={"stock": "shuffled", "turnovers": 2})
    deck = tuple(range(52))
    for orders in ([deck], [deck, deck[1:]]):
        with refuses(GameError, "not_a_deck", field="orders"):
            RummyHand(rules, deck, dealer=0, players=NAMES[:2], orders=orders)


class Answering:
    """Says what it chooses in a way of its own."""

    def __init__(self, bot: Any, alter: Callable[[RummyAction], Any]) -> None:
        self._bot, self._alter = bot, alter

    def choose(self, view: RummyView, game: GameView) -> Any:
        return self._alter(self._bot.choose(view, game))


def answering(alter: Callable[[RummyAction], Any]) -> HouseBot:
    steady = house_bot("steady").strategy
    others = {
        "basic_rummy": lambda samples, chances: Answering(
            steady.others["basic_rummy"](samples, chances), alter
        )
    }
    return HouseBot.of(Strategy("answering", "Answers.", steady.sit_down, others=others))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("draw", "What it chose is not an action but of type str."),
        (DISCARDS[0], "There is no such action."),
        (RummyAction(RummyActionKind.MELD), "There is no such action."),
        (RummyAction(RummyActionKind.LAY_OFF, 1, 16), "It chose “lay_off AC 16”."),
    ],
)
def test_bot_that_says_what_is_no_action_is_named(answer: Any, reason: str) -> None:
    sides = seats_of(3)
    bots = {**bots_of(sides, "novice"), "Bob": answering(lambda action: answer)}
    with pytest.raises(BotError) as failed:
        list(play_deals(Rules.preset("basic_rummy"), sides, bots, 1))
    assert failed.value.bot == "Bob"
    assert str(failed.value.reason).startswith(reason)


def test_what_equals_an_action_is_played_as_that_action() -> None:
    rules, sides = Rules.preset("basic_rummy"), seats_of(3)
    spelt = answering(lambda action: RummyAction._make([str(action.kind), action.cards, action.meld]))
    whole = list(play_deals(rules, sides, dict.fromkeys(NAMES[:3], answering(lambda action: action)), 1))
    again = list(play_deals(rules, sides, dict.fromkeys(NAMES[:3], spelt), 1))
    assert [one.deal for one in again] == [one.deal for one in whole]
    for one in again:
        (state,) = one.hands
        assert all(type(action.kind) is RummyActionKind for action in state.actions)
