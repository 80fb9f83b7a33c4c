"""`expert` under every rule of play, in the longest hands, and what the kernel is told of a hand."""

import logging
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from games.bots import ColumnView, GameView, HouseBot, Strategy, house_bot
from games.bots.base import left_by
from games.bots.expert import Expert
from games.bots.field import FIELD
from games.bots.inference import History
from games.bots.kernel import kernel, quickest
from games.bots.kernel_ends import DEAD, DIFFERENCES, KINDS
from games.bots.kernel_inference import KNEW, MOST_TURNS, PILE, SEEN_SIZE
from games.bots.kernel_policy import HAND, KNOWN, PARTS, POLICY_SIZE, SHEDS, TRAITS
from games.bots.policies import POLICIES
from games.bots.rehearsal import OUTCOMES, Rehearsal, rules_of, state_of
from games.gin.actions import BIG_GIN, DRAW, GINS, KNOCKS, PASS, TAKE, ActionKind
from games.gin.cards import Hand, mask_of, parse_number
from games.gin.hand import HandState, shuffled
from games.gin.view import Phase
from games.tables.play import play_deals
from scoring.core.rules import Rules
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED
from tests.games.tables import do, pack

PLAIN = kernel(compiled=False)
EVEN = GameView(100, (ColumnView(True, 0, 0, 0, 0),))
# Plain, so that an array is not read beyond its end unseen.
SLOW = Strategy(
    "slow", "Plays plain.", lambda samples, chances: Expert(samples or 1, chances, compiled=False), (1,), 1
)
KNOBS = [
    {"discard_taken_card": "always"},
    {"discard_taken_card": "fiftieth_card", "stock_end": "fiftieth_card"},
    {"discard_taken_card": "always", "stock_end": "fiftieth_card"},
    {"stock_end": "fiftieth_card"},
    {"ace": "low_or_high"},
    {"oklahoma": "ace_is_one", "spades_double": True},
    {"oklahoma": "ace_is_gin"},
    {"knock_limit": 0},
    {"knock_limit": 1},
    {"knock_limit": 98, "undercut_on_tie": False},
    {"big_gin_bonus": None, "zero_knock": "gin"},
    {"big_gin_bonus": 0},
    {"deal": "elder_eleven"},
    {"deal": "elder_eleven", "discard_taken_card": "always", "ace": "low_or_high"},
    {"columns": 3, "last_column_double": True, "box_credit": "at_once"},
]


@pytest.mark.dear("plays with the strongest bot")
@pytest.mark.parametrize("knobs", KNOBS, ids=lambda knobs: " ".join(map(str, knobs.values())))
def test_expert_plays_under_every_rule_against_everybody(knobs: dict[str, object], *, long: bool) -> None:
    rules = Rules.preset("standard", **{"target": 30, **knobs})
    opponents = [house_bot("novice"), *[HouseBot.of(strategy) for strategy in FIELD.values()]]
    # Not long, each rule meets two of them, and each of them a quarter of the rules.
    met = opponents * 10 if long else opponents[KNOBS.index(knobs) % 4 :: 4]
    for seed, opponent in enumerate(met):
        bots = {"Ann": HouseBot.of(SLOW), "Bob": opponent}
        for played in islice(play_deals(rules, ANN_AND_BOB, bots, seed), 2 if long else 1):
            assert played.hands[0].is_over


def test_who_may_shed_the_card_he_took_is_followed() -> None:
    """RULES §3, `discard_taken_card: always`."""
    rules = Rules.preset("standard", discard_taken_card="always")
    state = HandState(rules, pack(elder="AC 2C 3D 9S JD QC KS 6H 8H 4D", upcard="7H"), dealer=0)
    do(state, "take", "discard 7H")
    view = state.view(0)
    for compiled in (False, True):
        (best, *_) = Rehearsal(8, 1, compiled=compiled).weigh(view, EVEN, view.legal)
        assert best.action in view.legal


@pytest.mark.dear("plays with the strongest bot")
def test_expert_follows_a_hand_that_goes_on_and_on() -> None:
    """Both take what they can: twenty turns with one card of the stock between them."""
    state = HandState(PUBLISHED, shuffled(1), dealer=0)
    plain = Rehearsal(2, 3, compiled=False)
    compiled = Rehearsal(2, 3, compiled=True)
    longest = 0
    while not state.is_over:
        view = state.view(state.turn)
        if view.seat == 0:
            history = History(view)
            assert len(history.rows) <= MOST_TURNS
            if len(history.rows) > longest and len(history.rows) % 90 in (5, 9):
                options = [one for one in view.legal if one.kind is not ActionKind.KNOCK]
                assert plain.weigh(view, EVEN, options) == compiled.weigh(view, EVEN, options)
            longest = max(longest, len(history.rows))
        discards = [one for one in view.legal if one.kind is ActionKind.DISCARD]
        discards.sort(key=lambda one: (left_by(state.view(state.turn), one), one.card or 0))
        state.act(TAKE if TAKE in view.legal else [view.legal[0], *discards][-1])
    assert longest > 280


# What the kernel is told.


def test_kernel_knows_what_each_took_openly_and_holds() -> None:
    """Both have taken a card; neither is lost in a rehearsal, and the hands have ten cards again."""
    deck = pack(elder="AC 2C 3D 9S JD QC KS 6H 8H 4D", younger="KC KD 7S 5S 3H JC TC 2H 8S QD", upcard="7H")
    state = do(HandState(PUBLISHED, deck, dealer=0), "take", "discard KS", "take", "discard 2H")
    for seat in (0, 1):
        view = state.view(seat)
        told = state_of(view, History(view))
        mine, theirs = ("KS", "7H") if seat == 0 else ("7H", "KS")
        assert told[KNOWN] == mask_of([parse_number(mine)])
        assert told[KNOWN + 1] == told[HAND + 1] == mask_of([parse_number(theirs)])
        assert told[HAND] == view.mask


@pytest.mark.parametrize("knob", ["never", "always", "fiftieth_card"])
def test_last_discard_ends_the_hand_as_the_rules_say(knob: str) -> None:
    """With any knock allowed the card just taken is often the best to put down again, where that may be."""
    rules = Rules.preset("standard", knock_limit=98, stock_end="fiftieth_card", discard_taken_card=knob)
    put_back = 0
    for seed in range(60):
        state = HandState(rules, shuffled(seed), dealer=0)
        while state.phase is not Phase.LAST_OFFER:
            legal = state.legal_actions()
            state.act(DRAW if DRAW in legal else PASS if PASS in legal else legal[seed % 11 % len(legal)])
        view = state.view(state.turn)
        told = state_of(view, History(view))
        told[HAND + 1] = state.hands[1 - state.turn]
        seat, after = state.turn, [0] * 52
        end = PLAIN.last_offer(told, rules_of(view.rules, view.limit), after)
        state.act(TAKE)
        view = state.view(seat)
        kept = view.taken if knob == "never" else None
        best = min([card for card in view.after if card != kept], key=lambda card: (view.after[card], card))
        put_back += best == view.taken
        state.act(BIG_GIN if BIG_GIN in view.legal else KNOCKS[best] if view.after[best] else GINS[best])
        score = state.score()
        if score.winner is None:
            assert end == DEAD
            continue
        winner, rest = divmod(end, KINDS * DIFFERENCES)
        assert OUTCOMES[rest // DIFFERENCES] == score.outcome
        assert (winner == 0) == (score.winner == str(seat))
        assert rest % DIFFERENCES == score.points - {"undercut": 25, "gin": 25, "gin_off": 25}.get(
            score.outcome, 0
        )
    assert (put_back > 5) == (knob != "never")


def test_what_the_other_holds_openly_is_as_dead_to_him_as_the_pile() -> None:
    """How likely he sheds a card depends on what may still come to him: not what he saw me take.

    By a player whom it does not trouble that I could want the card.
    """
    policies = list(POLICIES)
    for part in range(PARTS):
        policies[4 * POLICY_SIZE + SHEDS + (part + 1) * TRAITS - 1] = 0
    hand = Hand.parse("5H 6H 2C 2D 9S JC KD QS 8D AC TH")
    gone = Hand.parse("4H 7H 2H 2S").mask
    block = 4 * POLICY_SIZE
    likely = []
    for knew, pile in ((0, 0), (gone, 0), (0, gone)):
        seen, after = [0] * SEEN_SIZE, [0] * 52
        seen[KNEW], seen[PILE] = knew, pile
        rules = [10, 0, 0, 1, 0, 1, 1]
        of_each = []
        for card in hand:
            PLAIN.weigh_discards(hand.mask, 0, after)
            of_each.append(PLAIN.of_discard(policies, block, hand.mask, card, -1, seen, 0, rules, after))
        likely.append(of_each)
    assert likely[1] == likely[2] != likely[0]


def test_all_choices_meet_the_same_cards_and_chances() -> None:
    """A choice that is asked for twice comes to the same, sample by sample."""
    state = do(HandState(PUBLISHED, shuffled(4), dealer=0), "pass", "pass", "draw")
    view = state.view(1)
    discard = view.legal[3]
    twice = Rehearsal(60, 5).weigh(view, EVEN, [discard, discard])
    assert twice[0] == twice[1]


# How the kernel is come by.


def test_numba_that_does_not_work_is_done_without(tmp_path: Path) -> None:
    """As after an upgrade of what it needs; said once in the log, and the same is played."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text('raise ImportError("Numba needs NumPy 2.2 or less.")')
    program = (
        "from games.bots import HouseBot, house_bot\n"
        "from games.tables.play import play_deals\n"
        "from tests.games.bot_play import ANN_AND_BOB, PUBLISHED\n"
        "bots = {'Ann': house_bot('expert', 1, 4), 'Bob': house_bot('expert', 1, 3)}\n"
        "print(*next(play_deals(PUBLISHED, ANN_AND_BOB, bots, 5)).hands[0].actions, sep=', ')\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{Path.cwd()}"}
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stderr.count("numba is installed and does not work") == 1
    assert "Numba needs NumPy 2.2 or less." in run.stderr
    bots = {"Ann": house_bot("expert", 1, 4), "Bob": house_bot("expert", 1, 3)}
    hand = next(play_deals(PUBLISHED, ANN_AND_BOB, bots, 5)).two_handed[0]
    assert run.stdout.strip() == ", ".join(map(str, hand.actions))


def test_numba_that_cannot_compile_is_done_without(tmp_path: Path) -> None:
    """Its compiler fails when it is first used."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(
        "int64 = typeof = lambda *any: None\n"
        "class config: CACHE_DIR = ''\n"
        "class Never:\n"
        "    def compile(self, kinds): raise RuntimeError('no such processor')\n"
        "njit = lambda **any: lambda function: Never()\n"
    )
    program = "from games.bots.kernel import *; print(quickest() is quickest() is kernel(compiled=False))"
    environment = os.environ | {
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path.cwd()}",
        "XDG_CACHE_HOME": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout.strip() == "True"
    assert "RuntimeError: no such processor" in run.stderr


def test_kernel_is_compiled_where_it_can_be(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert quickest() is kernel(compiled=True)
    assert not caplog.records


def test_what_was_compiled_is_kept_by_the_code_in_memory() -> None:
    """Sources edited under a running process do not change where it keeps what it compiled."""
    program = (
        "from types import SimpleNamespace\n"
        "from games.bots import kernel, kernel_melds\n"
        "one = kernel._digest({'A': 1})\n"
        "kernel_melds.__file__ = '/nowhere'\n"
        "assert kernel._digest({'A': 1}) == one != kernel._digest({'A': 2})\n"
        "def count_of(mask: int) -> int: return 3\n"
        "kernel_melds.count_of.__code__ = count_of.__code__\n"
        "assert kernel._digest({'A': 1}) != one\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
