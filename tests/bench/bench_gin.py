"""The game itself: the least deadwood of a hand, a hand played with views and legal lists, and the import."""

import random
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from typing import Final

from games.gin.cards import CARD_COUNT, cards_of, mask_of, value_of
from games.gin.hand import HandState, shuffled
from games.gin.judging import judge
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import View
from scoring.core.rules import Rules
from tests.bench.registry import Figure, bench, best_of, environment
from tests.games.hands import random_hands

HOW_MANY: Final = 2_000


@bench()
def deadwood() -> list[Figure]:
    """Measured by adding up the cards of the same hands, melds or not; discards, one by one."""
    tens, elevens = _masks(10), _masks(11)
    few = elevens[: HOW_MANY // 8]
    adding, ten, eleven = best_of(
        lambda: [value_of(mask) for mask in tens],
        lambda: [deadwood_of(mask) for mask in tens],
        lambda: [deadwood_of(mask) for mask in elevens],
        rounds=30,
    )
    one_by_one, together = best_of(
        lambda: [_left_by_each(mask) for mask in few],
        lambda: [deadwood_without_each(mask) for mask in few],
        rounds=30,
    )
    return [
        *_beside_openspiel(tens),
        Figure("the least deadwood of ten cards, by adding the ten up", ten / adding, "×", 0.6),
        # 0.38 by a process that does nothing else; it keeps what it has seen, among whatever else is kept.
        Figure("what each of eleven discards leaves, by each alone", together / one_by_one, "×", 1),
        Figure("the least deadwood of ten cards", ten / HOW_MANY * 1e6, "µs", 1.0),
        Figure("the least deadwood of eleven cards", eleven / HOW_MANY * 1e6, "µs", 1.0),
    ]


@bench()
def playing_and_judging() -> list[Figure]:
    """Hands between two who draw, shed what counts most, and knock at once; and the referee."""
    rules = Rules()
    tens = _masks(10)[:1_000]
    seeds = cycle(range(200))
    pairs = list(random_hands(1, 200, 10, 10))
    everything = Rules(knock_limit=98)

    def judging() -> None:
        for knocker, defender in pairs:
            judge(everything, knocker=knocker, defender=defender)

    evaluating, playing, ruling = best_of(
        lambda: [deadwood_of(mask) for mask in tens],
        lambda: [_play(rules, next(seeds)) for _ in range(200)],
        judging,
        rounds=8,
    )
    return [
        Figure("a hand played, by a thousand evaluations", playing / 200 / evaluating, "×", 1.5),
        Figure("a hand played with views, legal lists and log", playing / 200 * 1e6, "µs"),
        Figure("a ruling, every arrangement and reply tried", ruling / 200 * 1e6, "µs"),
    ]


@bench()
def importing_the_game() -> list[Figure]:
    """Processor time of `import games.gin.judging` in a new interpreter, its tables not yet built."""
    program = (
        "from time import process_time as now; start = now(); import games.gin.judging; print(now() - start)"
    )
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", program], capture_output=True, check=True, env=environment()
            ).stdout
        )
        for _ in range(5)
    ]
    return [Figure("import games.gin.judging", min(times) * 1e3, "ms", 60)]


def _beside_openspiel(masks: list[int]) -> list[Figure]:
    """The same in C++ called from Python, where the extra `openspiel` is installed."""
    if find_spec("pyspiel") is None:
        return []
    reference = import_module("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    hands = [cards_of(mask) for mask in masks]
    theirs, ours = best_of(
        lambda: [reference(cards) for cards in hands],
        lambda: [deadwood_of(mask) for mask in masks],
        rounds=30,
    )
    return [Figure("the least deadwood of ten cards, by OpenSpiel's", ours / theirs, "×", 1 / 1.5)]


def _masks(size: int) -> list[int]:
    rng = random.Random(size)
    return [mask_of(rng.sample(range(CARD_COUNT), size)) for _ in range(HOW_MANY)]


def _left_by_each(mask: int) -> dict[int, int]:
    return {card: deadwood_of(mask ^ 1 << card) for card in cards_of(mask)}


def _play(rules: Rules, seed: int) -> HandState:
    state = HandState(rules, shuffled(seed), dealer=0)
    while not state.is_over:
        state.act(state.legal_actions()[_choice(state.view(state.turn))])
    return state


def _choice(view: View) -> int:
    """The last ending there is; else the discard that leaves least; else pass, or draw."""
    if not view.after:
        return len(view.legal) - 1 if str(view.legal[-1]) == "pass" else 0
    if view.legal[-1].kind != "discard":
        return len(view.legal) - 1
    left = [view.after[action.card] for action in view.legal if action.card is not None]
    return left.index(min(left))
