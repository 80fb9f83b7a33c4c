"""What every bot is given, and what a strategy says of itself."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import RANK_COUNT, SUIT_MASK, rank_mask
from games.gin.view import View
from scoring.core.errors import shown
from scoring.core.messages import Sentence, mark
from scoring.documents.shapes import json_object, only

T = TypeVar("T")

MOST_SAMPLES: Final = 100_000
# No strategy has had more.
MOST_LEVELS: Final = 99


class ColumnView(NamedTuple):
    """One column as a side sees it: the running sums held against the target, and the boxes."""

    is_open: bool
    own: int
    other: int
    own_boxes: int
    other_boxes: int


class GameView(NamedTuple):
    """The sheet before this deal, seen from the bot's own side; `target` is the one in force."""

    target: int
    columns: tuple[ColumnView, ...]


class Bot(Protocol):
    """A player for one hand. It may remember what it saw in this hand, and nothing longer."""

    def choose(self, view: View, game: GameView) -> Action:
        """One of `view.legal`; asked only when it is this player's turn."""


class Estimate(NamedTuple):
    """What a bot thought an action worth when it chose, from so many samples.

    `value` is its chance to win the game, 0 to 1; or points of this hand, where `is_chance` is False.
    """

    action: Action
    value: float
    samples: int
    is_chance: bool = True


@runtime_checkable
class Estimating(Protocol):
    """A bot that can say what it thought of its choices."""

    def estimates(self) -> tuple[Estimate, ...]:
        """Of its last choice, the best first; empty where it did not weigh anything."""


class Chances:
    """A bot's own random numbers, the same for a seed with every version of Python."""

    __slots__ = ("_draw",)

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random  # noqa: S311 (a game that can be played again, not a secret)

    def one_of(self, options: Sequence[T]) -> T:
        """One of them, each as likely; there is at least one."""
        return options[int(self._draw() * len(options))]

    def happens(self, probability: float) -> bool:
        """Whether something of that probability happens."""
        return self._draw() < probability


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play: `sentence` says it to people; `samples` are those of level 1, 2, …, none without levels.

    `sit_down` makes the player of one hand from the number of samples (None without levels) and his chances.
    """

    name: str
    sentence: Sentence
    sit_down: Callable[[int | None, Chances], Bot]
    samples: tuple[int, ...] = ()
    default_level: int | None = None

    @property
    def levels(self) -> int:
        """How many levels there are; 0 is none."""
        return len(self.samples)


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A strategy at a level and the samples it plays with; None, None where it has no levels.

    Made by `of`, which checks them. What is stored of it keeps its samples, whatever becomes of its level.
    """

    strategy: Strategy
    level: int | None = None
    samples: int | None = None

    @classmethod
    def of(cls, strategy: Strategy, level: int | None = None, samples: int | None = None) -> Self:
        """Without a level the default one; without samples those of the level.

        With samples the level is what the bot was called by when they were, and need not be one any more.
        Refuses `level_out_of_range` and `samples_out_of_range`, also for a strategy without levels.
        """
        most = strategy.levels if samples is None else strategy.levels and MOST_LEVELS
        if level is None:
            level = strategy.default_level
        elif type(level) is not int or not 1 <= level <= most:
            message = mark("%(strategy)s has no levels.", strategy=strategy.name)
            if strategy.levels:
                message = mark(
                    "%(strategy)s has levels from 1 to %(most)s, not %(level)s.",
                    strategy=strategy.name,
                    most=strategy.levels,
                    level=shown(str(level)),
                )
            raise GameError("level_out_of_range", message, field="level")
        if samples is None:
            return cls(strategy, level, None if level is None else strategy.samples[level - 1])
        if level is None or type(samples) is not int or not 1 <= samples <= MOST_SAMPLES:
            message = mark("%(strategy)s has no samples.", strategy=strategy.name)
            if level is not None:
                message = mark(
                    "%(strategy)s has 1 to %(most)s samples, not %(samples)s.",
                    strategy=strategy.name,
                    most=MOST_SAMPLES,
                    samples=shown(str(samples)),
                )
            raise GameError("samples_out_of_range", message, field="samples")
        return cls(strategy, level, samples)

    def to_document(self) -> dict[str, Any]:
        """As JSON."""
        return {"strategy": self.strategy.name, "level": self.level, "samples": self.samples}

    @classmethod
    def from_document(cls, document: object, strategies: Mapping[str, Strategy]) -> Self:
        """The inverse of `to_document`, of those strategies by name; level and samples may be left out.

        Refuses `wrong_type`, `unknown_strategy`, and what `of` does.
        """
        bot = json_object(document, "", mark("A bot is an object with strategy, level and samples."))
        only(bot, frozenset({"strategy", "level", "samples"}))
        return cls.of(named(bot.get("strategy"), strategies), bot.get("level"), bot.get("samples"))

    def sit_down(self, seed: int) -> Bot:
        """The player of one hand."""
        return self.strategy.sit_down(self.samples, Chances(seed))


def named(name: object, strategies: Mapping[str, Strategy]) -> Strategy:
    """The strategy of that name; refuses `unknown_strategy`."""
    strategy = strategies.get(name) if isinstance(name, str) else None
    if strategy is None:
        raise GameError(
            "unknown_strategy",
            mark(
                "There is no strategy “%(name)s”; there are: %(strategies)s.",
                name=shown(str(name)),
                strategies=", ".join(strategies),
            ),
            field="strategy",
        )
    return strategy


# What most strategies ask of a view.


def best_ending(view: View, chances: Chances) -> Action | None:
    """The ending that is worth most on its face: big gin, gin, else the knock that leaves least."""
    knocks: list[Action] = []
    gins: list[Action] = []
    for action in reversed(view.legal):
        if action.kind is ActionKind.BIG_GIN:
            return action
        if action.kind is ActionKind.GIN:
            gins.append(action)
        elif action.kind is ActionKind.KNOCK:
            knocks.append(action)
        else:
            break
    if gins:
        return chances.one_of(gins)
    return chances.one_of(leaving_least(view, knocks)) if knocks else None


def discards(view: View) -> list[Action]:
    """The discards that are legal."""
    return [action for action in view.legal if action.kind is ActionKind.DISCARD]


def left_by(view: View, action: Action) -> int:
    """The deadwood that putting down the card of that action leaves."""
    assert action.card is not None  # noqa: S101 (an action of a discard or knock has one)
    return view.after[action.card]


def leaving_least(view: View, actions: Sequence[Action]) -> list[Action]:
    """Those of them that leave least deadwood."""
    least = min([left_by(view, action) for action in actions])
    return [action for action in actions if left_by(view, action) == least]


def completes_meld(mask: int, card: int, ace: str = "low") -> bool:
    """Whether that card makes a meld with two or more cards of the hand, used elsewhere or not."""
    mask &= ~(1 << card)
    if (mask & rank_mask(card)).bit_count() >= 2:
        return True
    suit, rank = divmod(card, RANK_COUNT)
    # The ranks A … K as bits 2 … 14, so that nothing lies below the ace; the high ace is bit 15.
    ranks = (mask >> suit * RANK_COUNT & SUIT_MASK) << 2
    at = rank + 2
    if ace == "low_or_high":
        ranks |= (ranks >> 2 & 1) << 15
        if rank == 0 and ranks >> 13 & 3 == 3:
            return True
    return ranks >> at - 2 & 3 == 3 or ranks >> at - 1 & 5 == 5 or ranks >> at + 1 & 3 == 3
