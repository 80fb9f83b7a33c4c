"""A hand move by move: what everybody held, the pile, who did what, what was weighed, and the end."""

import random

import pytest

from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import ALL_CARDS, CARD_TEXTS, Hand, mask_of, parse_number
from games.gin.hand import HandState, shuffled
from games.gin.judging import judge
from games.gin.log import HandLog
from games.gin.melds import deadwood
from games.tables.laid import LaidHand, laid_down
from games.tables.replaying import Replay, Snapshot, replayed
from scoring.core.rules import Rules
from scoring.paper.layout import HandLine
from tests.games.tables import Anybody, pack

PLAYERS = ("Ann", "Bob")
# Bob, the elder, has 2 left and knocks after one turn; Ann lays off the 4S.
DECK = pack(
    elder="AS 2S 3S 7C 7D 7H JC JD 2H KH",
    younger="5C 6C 7S 9H 9D 9S KC KD 4S AD",
    upcard="8H",
    stock="JH",
)
ACTIONS = ("pass", "pass", "draw", "knock KH")


def text(cards: tuple[int, ...]) -> str:
    return " ".join(CARD_TEXTS[card] for card in cards)


def laid(hand: LaidHand) -> tuple[list[str], str, int]:
    return [text(meld.cards) for meld in hand.melds], text(hand.unmatched), hand.deadwood


def replay_of(*actions: str, rules: Rules | None = None, estimates: list[object] | None = None) -> Replay:
    log = HandLog(DECK, 0, tuple(Action.parse(one) for one in actions))
    return replayed(rules or Rules(), log, players=PLAYERS, estimates=estimates or [])


def cards_of_frame(frame: Snapshot) -> set[int]:
    shown = set(frame.piles[0])
    for hand in frame.hands:
        shown |= set(hand.unmatched)
        for meld in hand.melds:
            shown |= set(meld.cards)
    return shown


def test_the_deal_is_the_first_frame() -> None:
    dealt = replay_of(*ACTIONS).frames[0]
    assert dealt.move is None
    assert (dealt.turn, dealt.stock, text(dealt.piles[0])) == (1, 31, "8H")
    assert laid(dealt.hands[1]) == (["7C 7D 7H", "AS 2S 3S"], "JC JD 2H KH", 32)


def test_every_move_says_who_did_what() -> None:
    moves = [frame.move for frame in replay_of(*ACTIONS).frames[1:]]
    said = [(move.seat, move.kind, CARD_TEXTS[move.card or 0]) for move in moves if move is not None]
    assert said == [
        (1, ActionKind.PASS, "8H"),
        (0, ActionKind.PASS, "8H"),
        (1, ActionKind.DRAW, "JH"),
        (1, ActionKind.KNOCK, "KH"),
    ]
    assert moves[-1] is not None
    assert moves[-1].deadwood == 2


def test_turns_gather_what_one_player_does_in_a_row() -> None:
    turns = replay_of(*ACTIONS).turns
    assert [(turn.seat, len(turn.moves)) for turn in turns] == [(1, 1), (0, 1), (1, 2)]


def test_the_end_shows_lay_offs_and_points() -> None:
    end = replay_of(*ACTIONS).frames[-1]
    assert (end.turn, end.endings) == (None, {1: ActionKind.KNOCK})
    # The 4S goes onto A-2-3, the 7S onto the sevens: 5, 6, two kings and an ace are left.
    assert laid(end.hands[1]) == (["7C 7D 7H 7S", "JC JD JH", "AS 2S 3S 4S"], "2H", 2)
    assert [text(tuple(meld.laid_off)) for meld in end.hands[1].melds] == ["7S", "", "4S"]
    assert laid(end.hands[0]) == (["9D 9H 9S"], "5C 6C KC AD KD", 32)
    (line,) = end.lines
    assert isinstance(line, HandLine)
    assert (line.winner, line.outcome, line.points, line.counts) == (
        "Bob",
        "knock",
        30,
        (2, 32),
    )


def test_a_hand_that_is_not_over_has_no_end() -> None:
    last = replay_of(*ACTIONS[:3]).frames[-1]
    assert (last.turn, last.lines, last.endings) == (1, (), {})
    assert last.hands[1].size == 11


def test_what_was_weighed_stands_with_the_move_that_came_of_it() -> None:
    weighed = [
        ["knock KH", 0.61, 300, True],
        ["discard KH", 0.57, 100, True],
        ["discard 2H", 0.58, 30, True],
    ]
    frames = replay_of(*ACTIONS, estimates=[None, None, None, weighed]).frames
    assert [len(frame.weighed) for frame in frames] == [0, 0, 0, 0, 3]
    assert [(str(one.action), one.value, one.samples, one.is_chosen) for one in frames[-1].weighed] == [
        ("knock KH", 0.61, 300, True),
        ("discard KH", 0.57, 100, False),
        ("discard 2H", 0.58, 30, False),
    ]
    assert [one.share for one in frames[-1].weighed] == [0.61, 0.57, 0.58]


def test_bars_of_points_reach_from_the_worst_to_the_best() -> None:
    weighed = [["knock KH", 30.0, 5, False], ["discard KH", 5.0, 5, False], ["discard 2H", -20.0, 5, False]]
    frame = replay_of(*ACTIONS, estimates=[None, None, None, weighed]).frames[-1]
    assert [one.share for one in frame.weighed] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("broken", ["much", [["knock KH"]], [[1, 2, 3, True]], [["fold", 0.5, 3, True]]])
def test_estimates_that_are_none_are_refused(broken: object) -> None:
    with pytest.raises(GameError):
        replay_of(*ACTIONS, estimates=[None, None, None, broken])


def test_a_log_that_is_no_hand_is_refused() -> None:
    with pytest.raises(GameError):
        replay_of("pass", "draw")


@pytest.mark.parametrize("seed", range(30))
def test_all_cards_are_accounted_for_in_every_frame(seed: int) -> None:
    """Under random rules and random play: what is shown and the stock are the pack; it ends as it ended."""
    rng = random.Random(seed)
    rules = Rules(
        ace=rng.choice(["low", "low_or_high"]),
        stock_end=rng.choice(["two_left", "fiftieth_card"]),
        deal=rng.choice(["upcard", "elder_eleven"]),
        zero_knock=rng.choice(["knock", "gin"]),
    )
    state = HandState(rules, shuffled(seed), dealer=seed % 2, players=PLAYERS)
    anybody = Anybody(seed, take=0.4, end=0.5, sensible=True)
    while not state.is_over:
        state.act(anybody.choose(state.view(state.turn)))
    replay = replayed(rules, state.log, players=PLAYERS)
    for frame in replay.frames:
        shown = cards_of_frame(frame)
        assert len(shown) + frame.stock == 52
        in_hands = sum(hand.size for hand in frame.hands)
        assert frame.turn is None or in_hands + len(frame.piles[0]) == len(shown)
    end = replay.frames[-1]
    assert replay.last == len(state.actions)
    assert mask_of(cards_of_frame(end)) == ALL_CARDS & ~mask_of(state.stock)
    (line,) = end.lines
    assert isinstance(line, HandLine)
    assert (line.winner if line.side is not None else None) == state.score().winner
    if state.laid is not None and state.answer is not None:
        counts = {state.laid.deadwood, state.answer.deadwood}
        assert {hand.deadwood for hand in end.hands} == counts


def test_a_hand_at_its_best_counts_as_it_counts() -> None:
    hand = Hand.parse("QS KS AS 2S 3H 3D 3C 9C 9D 9H")
    for ace in ("low", "low_or_high"):
        best = LaidHand.best(hand.mask, ace=ace)
        assert best.deadwood == deadwood(hand, ace=ace)
        assert best.size == 10
    assert "QS KS AS" in laid(LaidHand.best(hand.mask, ace="low_or_high"))[0]


def test_cards_laid_off_stand_where_they_belong() -> None:
    """4 and 8 go onto 5-6-7, one at each end; the high ace onto J-Q-K."""
    rules = Rules(ace="low_or_high")
    ruling = judge(
        rules,
        knocker=Hand.parse("5H 6H 7H JS QS KS 2C 2D 2S AC"),
        defender=Hand.parse("4H 8H AS 2H 9C 10D KC QD 6C 7D"),
    )
    knocker, _defender = laid_down(ruling.knocker, ruling.defender, ace=rules.ace)
    assert sorted(laid(knocker)[0]) == ["2C 2D 2H 2S", "4H 5H 6H 7H 8H", "JS QS KS AS"]
    off = {CARD_TEXTS[card] for meld in knocker.melds for card in meld.laid_off}
    assert off == {"4H", "8H", "AS", "2H"}
    assert parse_number("AC") in knocker.unmatched
