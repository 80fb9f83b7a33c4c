"""A round robin of bots on any number of cores, with the same results on each number.

Pairs of games are handed out by packs: all pairs of bots on the first packs, then on the next ones. The packs
follow from the seed and their number, and the games from the packs, so it does not matter which process plays
which pair.
"""

import multiprocessing
import signal
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import combinations, islice
from multiprocessing.synchronize import Event
from threading import current_thread, main_thread
from typing import Any, Final, Self

from games.arena.figures import Arena, Encounter
from games.arena.kept import Unit, seated
from games.arena.pairs import ARENA_RULES, PlayedPair, PlayingStopped, label, play_pair
from games.bots.base import HouseBot, Strategy
from games.bots.field import FIELD
from games.bots.strategies import strategies_with
from games.errors import GameError
from games.processes import without_interrupts, work_for_parent
from games.tables.dealing import derived_seed
from scoring.core.errors import shown
from scoring.core.messages import mark
from scoring.core.rules import Rules

MOST_GAMES: Final = 100_000
MOST_PROCESSES: Final = 256
# A process gets several pairs at once to save overhead, but few enough for the progress bar to move and all
# processes to end together.
LARGEST_BATCH: Final = 8
BATCHES_EACH: Final = 16
# Batches ready for each process; they also bound how soon Ctrl-C is noticed.
BATCHES_AHEAD: Final = 3
POLL_SECONDS: Final = 0.5


def known_strategies(paths: Sequence[str] = ()) -> Mapping[str, Strategy]:
    """The strategies of the house, those the site adds at these dotted paths, and the field."""
    return {**strategies_with(tuple(paths)), **FIELD}


def every_level(strategy: Strategy) -> list[HouseBot]:
    """The strategy at each of its levels, or as it is without levels."""
    levels = range(1, strategy.levels + 1)
    return [HouseBot.of(strategy, level) for level in levels] or [HouseBot.of(strategy)]


def play_arena(
    bots: Sequence[HouseBot],
    games: int,
    *,
    level_games: int | None = None,
    seed: int = 1,
    rules: Rules = ARENA_RULES,
    processes: int = 1,
    paths: Sequence[str] = (),
    progress: Callable[[int], object] = lambda games: None,
    kept: MutableMapping[Unit, PlayedPair] | None = None,
) -> Arena:
    """Plays `games` between every two bots; `progress` gets the number of games just played.

    `level_games` are those between two of which one has levels, by default as many: they take longer.
    What `kept` has already is not played again, and it gets every pair that is played.

    With several processes the bots must be in `known_strategies(paths)`. An interrupt ends all processes.
    Refuses with `GameError`: `too_few_bots`, `bot_twice`, `out_of_range` (an odd number of games, none or too
    many; processes). A bot that fails raises `BotError`.
    """
    ordered = seated(bots)
    _check(ordered, games, processes)
    if level_games is not None:
        _check(ordered, level_games, processes)
    pairs = list(combinations(range(len(ordered)), 2))
    numbers = {
        (one, other): games_between(ordered[one], ordered[other], games, level_games) // 2
        for one, other in pairs
    }
    played = {} if kept is None else kept
    wanted = [
        (packs, one, other)
        for packs in range(max(numbers.values()))
        for one, other in pairs
        if packs < numbers[one, other]
    ]
    units = [unit for unit in wanted if unit not in played]
    progress(2 * (len(wanted) - len(units)))
    table = _Table(ordered, rules, seed)

    def take(unit: Unit, pair: PlayedPair) -> None:
        played[unit] = pair
        progress(2)

    if processes == 1:
        for unit in units:
            take(unit, table.play(unit))
    else:
        _in_parallel(table, units, processes, paths, take)
    meetings = [
        Encounter(
            ordered[one],
            ordered[other],
            tuple([played[packs, one, other] for packs in range(numbers[one, other])]),
        )
        for one, other in pairs
    ]
    return Arena(rules, seed, games, ordered, tuple(meetings))


def games_between(one: HouseBot, other: HouseBot, games: int, level_games: int | None) -> int:
    """How many games these two play in `play_arena`."""
    if level_games is None or not (one.strategy.levels or other.strategy.levels):
        return games
    return level_games


@dataclass(frozen=True, slots=True)
class _Table:
    """The bots, rules and packs to be played."""

    bots: tuple[HouseBot, ...]
    rules: Rules
    seed: int

    def play(self, unit: Unit, is_stopped: Callable[[], bool] = lambda: False) -> PlayedPair:
        packs, one, other = unit
        seed = derived_seed(self.seed, "packs", packs)
        return play_pair(self.bots[one], self.bots[other], seed, self.rules, is_stopped=is_stopped)


def _in_parallel(
    table: _Table,
    units: Sequence[Unit],
    processes: int,
    paths: Sequence[str],
    take: Callable[[Unit, PlayedPair], None],
) -> None:
    size = max(1, min(LARGEST_BATCH, len(units) // (processes * BATCHES_EACH)))
    batches = iter([units[first : first + size] for first in range(0, len(units), size)])
    # Spawned, not forked: they must not inherit what this process has open.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    documents = [bot.to_document() for bot in table.bots]
    pool = ProcessPoolExecutor(
        processes,
        mp_context=context,
        initializer=_init_worker,
        initargs=(stop, documents, table.rules.to_document(), table.seed, tuple(paths)),
    )
    with _Interrupts() as interrupts, pool:
        try:
            pending: dict[Future[list[PlayedPair]], Sequence[Unit]] = {}
            while True:
                with without_interrupts():
                    for batch in islice(batches, processes * BATCHES_AHEAD - len(pending)):
                        pending[pool.submit(_play, batch)] = batch
                if not pending:
                    break
                done, _ = wait(pending, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                if interrupts.heard:
                    raise KeyboardInterrupt
                for future in done:
                    for unit, pair in zip(pending.pop(future), future.result(), strict=True):
                        take(unit, pair)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


class _Interrupts:
    """Records Ctrl-C instead of raising at any point, such as while starting a process."""

    def __init__(self) -> None:
        self.heard = False

    def __enter__(self) -> Self:
        self._listens = current_thread() is main_thread()
        if self._listens:
            self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self._listens:
            signal.signal(signal.SIGINT, self._before)

    def _hear(self, *_: object) -> None:
        self.heard = True


# Inside the processes.

_WORK: Final[list[tuple[_Table, Event]]] = []


def _init_worker(
    stop: Event, documents: Sequence[object], rules: dict[str, Any], seed: int, paths: tuple[str, ...]
) -> None:
    work_for_parent()  # which says through `stop` when to end
    known = known_strategies(paths)
    bots = tuple([HouseBot.from_document(document, known) for document in documents])
    _WORK.append((_Table(bots, Rules.from_document(rules), seed), stop))


def _play(units: Sequence[Unit]) -> list[PlayedPair]:
    ((table, stop),) = _WORK
    try:
        return [table.play(unit, stop.is_set) for unit in units]
    except PlayingStopped:
        return []


def _check(bots: Sequence[HouseBot], games: int, processes: int) -> None:
    if len(bots) < 2:
        raise GameError("too_few_bots", mark("An arena needs two bots at least."), field="bots")
    names = [label(bot) for bot in bots]
    for name in names:
        if names.count(name) > 1:
            raise GameError("bot_twice", mark("%(name)s is named twice.", name=name), field="bots")
    if not 2 <= games <= MOST_GAMES or games % 2:
        raise GameError(
            "out_of_range",
            mark(
                "Games are played in pairs: an even number from 2 to %(most)s, not %(games)s.",
                most=MOST_GAMES,
                games=shown(games),
            ),
            field="games",
        )
    if not 1 <= processes <= MOST_PROCESSES:
        raise GameError(
            "out_of_range",
            mark(
                "There are 1 to %(most)s processes, not %(processes)s.",
                most=MOST_PROCESSES,
                processes=shown(processes),
            ),
            field="processes",
        )
