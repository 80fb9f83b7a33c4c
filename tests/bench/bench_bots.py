"""The bots: the kernel compiled and plain, hands through the public engine, and what a decision costs."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from statistics import fmean, quantiles
from time import thread_time
from typing import Any, Final

from games.bots import Chances, ColumnView, GameView, house_bot
from games.bots.expert import LEVELS, Expert
from games.bots.kernel import kernel
from games.bots.kernel_ends import ENDS
from games.bots.kernel_policy import STATE_SIZE
from games.bots.policies import POLICIES
from games.gin.hand import HandState, shuffled
from games.tables.play import play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from tests.bench.registry import Figure, bench, best_of, environment, is_brief
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED
from tests.games.kinds.sheets import bots_of, seats_of

# As `Rules()` within a hand: limit 10, low ace, no big gin, ties undercut, and so on.
_RULES: Final = (10, 0, 0, 1, 0, 1, 1)

# Hands in the kernel before each one of `expert`.
_HANDS: Final = 2_000

_EVEN: Final = GameView(100, (ColumnView(True, 0, 0, 0, 0),))


@bench()
def kernel_loop() -> list[Figure]:
    """Whole hands between two of the plainest players, who knock at once."""
    plain, compiled = _loop(kernel(compiled=False)), _loop(kernel(compiled=True))
    compiled(10)
    slow, fast = best_of(lambda: plain(40), lambda: compiled(2_000), rounds=8)
    return [
        Figure("a hand compiled, by a plain one", (fast / 2_000) / (slow / 40), "×", 1 / 20),
        Figure("a hand in the compiled kernel", fast / 2_000 * 1e6, "µs", 5),
        Figure("a hand in the plain kernel", slow / 40 * 1e6, "µs"),
    ]


@bench()
def playing_through_the_engine() -> list[Figure]:
    """`simple` against itself, with views, legal lists and log, by what the kernel needs for such a hand.

    And the same on sheets of ten deals, which takes seats, seeds and scores besides.
    """
    plain, rules = _loop(kernel(compiled=False)), Rules.preset("online", deals=10)
    bots = {"Ann": house_bot("simple"), "Bob": house_bot("simple")}

    def sheets() -> None:
        for seed in range(5):
            for _played in play_deals(rules, ANN_AND_BOB, bots, seed):
                pass

    kernel_hand, engine, on_sheets = best_of(lambda: plain(50), lambda: _engine_hands(50), sheets, rounds=8)
    return [
        Figure("a hand of simple against itself on a sheet, by one without", on_sheets / engine, "×", 1.4),
        Figure("a hand of simple against itself on a sheet", on_sheets / 50 * 1e6, "µs", 333),
        Figure("a hand of simple against itself, by one in the plain kernel", engine / kernel_hand, "×", 1.8),
        Figure("a hand of simple against itself", engine / 50 * 1e6, "µs", 333),
    ]


@bench()
def playing_every_kind() -> list[Figure]:
    """Deals of `steady` and `novice` in turn, in each kind of game, by those of two-sided gin."""
    kinds = [
        ("cutthroat", seats_of(3), 2),
        ("captains", (SheetSide("Ann", ("Ann",)), SheetSide("They", ("Bob", "Cid"))), 2),
        ("jersey", seats_of(3), 3),
        ("partners_one_pack", (SheetSide("We", ("Ann", "Cid")), SheetSide("They", ("Bob", "Dee"))), 3),
        ("basic_rummy", seats_of(2), 4),
        ("basic_rummy", seats_of(6), 4),
    ]
    gin, *others = best_of(
        lambda: _deals(Rules(deals=10), ANN_AND_BOB),
        *[partial(_deals, Rules.preset(preset, deals=10), sides) for preset, sides, _most in kinds],
        rounds=8,
    )
    figures = [Figure("a deal of two-sided gin of steady and novice", gin / 10 * 1e6, "µs")]
    for (preset, sides, most), seconds in zip(kinds, others, strict=True):
        named = f"{preset} of {sum(len(side.players) for side in sides)}"
        figures.append(Figure(f"a deal of {named}, by one of two-sided gin", seconds / gin, "×", most))
    return figures


@bench()
def deciding() -> list[Figure]:
    """Hands of `expert` at its default level against `simple`: processor time of a decision it weighs.

    What is held is that by hands in the compiled kernel, taken in between: 50 ms where it plays 300,000 of
    them in a second.
    """
    compiled = _loop(kernel(compiled=True))
    compiled(10)
    list(_decisions(0))
    times: list[float] = []
    hands: list[float] = []
    for seed in range(1, 4 if is_brief() else 16):
        begun = thread_time()
        compiled(_HANDS)
        hands.append((thread_time() - begun) / _HANDS)
        times += _decisions(seed)
    most = quantiles(times, n=20)[-1]
    return [
        Figure(
            "19 of 20 decisions of expert, by a thousand compiled hands", most / fmean(hands) / 1_000, "×", 15
        ),
        Figure("19 of 20 decisions of expert at its default level", most * 1e3, "ms", 50),
        Figure("the mean decision of expert at its default level", fmean(times) * 1e3, "ms"),
    ]


@bench()
def deciding_first() -> list[Figure]:
    """The first choice that a process weighs, once it has warmed up as workers do, by the same one again."""
    program = (
        "import sys\n"
        "from time import thread_time\n"
        "from games.tables.warming import warm_up\n"
        "warm_up()\n"
        "from games.bots import Chances, ColumnView, GameView\n"
        "from games.bots.expert import LEVELS, Expert\n"
        "from games.gin.hand import HandState, shuffled\n"
        "from scoring.core.rules import Rules\n"
        "state = HandState(Rules(), shuffled(3), dealer=0)\n"
        "game = GameView(100, (ColumnView(True, 30, 45, 1, 2),))\n"
        "times = []\n"
        "for time in range(9):\n"
        "    expert, begun = Expert(LEVELS[-1], Chances(1)), thread_time()\n"
        "    expert.choose(state.view(state.turn), game)\n"
        "    times.append(thread_time() - begun)\n"
        "assert expert.estimates()\n"
        "print(times[0], sorted(times[1:])[4])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, env=environment()
    )
    first, again = map(float, run.stdout.split())
    return [
        Figure("the first choice of a warm process, by the same again", first / again, "×", 8),
        Figure("the first choice of a warm process", first * 1e3, "ms", 100),
    ]


def _deals(rules: Rules, sides: tuple[SheetSide, ...]) -> None:
    for _played in play_deals(rules, sides, bots_of(sides, "steady", "novice"), 1):
        pass


def _decisions(seed: int) -> Iterator[float]:
    """The processor time of each decision that `expert` weighs in a hand against `simple`."""
    expert, simple = Expert(LEVELS[-1], Chances(seed)), house_bot("simple").sit_down(seed)
    state = HandState(PUBLISHED, shuffled(seed), dealer=seed % 2)
    while not state.is_over:
        view = state.view(state.turn)
        begun = thread_time()
        action = (simple if view.seat else expert).choose(view, _EVEN)
        taken = thread_time() - begun
        if not view.seat and expert.estimates():
            yield taken
        state.act(action)


def _loop(made_by: Any) -> Any:
    rules, policies, chances = [made_by.ints_of(numbers) for numbers in (_RULES, POLICIES, [1])]
    ends, state = made_by.ints(ENDS), made_by.ints(STATE_SIZE)
    deck, after = made_by.ints(52), made_by.ints(52)
    return lambda hands: made_by.play_hands(
        hands, ends, state, deck, rules, policies, 0, 0, 0, after, chances
    )


def _engine_hands(how_many: int) -> None:
    bot = house_bot("simple")
    rules = Rules.preset("online")
    for seed in range(how_many):
        state = HandState(rules, shuffled(seed), dealer=seed % 2)
        bots = bot.sit_down(seed), bot.sit_down(seed + 1)
        while not state.is_over:
            state.act(bots[state.turn].choose(state.view(state.turn), _EVEN))
