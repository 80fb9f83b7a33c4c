"""What every bot is given, and what a strategy says of itself."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self, TypeVar

from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import RANK_COUNT, SUIT_MASK, rank_mask
from games.gin.view import View
from scoring.errors import shown

T = TypeVar("T")


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
    """A way to play: `sentence` says it to people, `levels` is 0 where there are none, else 1 … levels.

    `sit_down` makes the player of one hand from the level and his chances.
    """

    name: str
    sentence: str
    sit_down: Callable[[int | None, Chances], Bot]
    levels: int = 0
    default_level: int | None = None


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A strategy at a level, None where it has no levels. Made by `of`, which checks the level."""

    strategy: Strategy
    level: int | None = None

    @classmethod
    def of(cls, strategy: Strategy, level: int | None = None) -> Self:
        """Refuses `level_out_of_range`, also a level for a strategy without levels."""
        if level is None:
            return cls(strategy, strategy.default_level)
        if type(level) is int and 1 <= level <= strategy.levels:
            return cls(strategy, level)
        said = f"levels from 1 to {strategy.levels}, not {shown(level)}" if strategy.levels else "no levels"
        raise GameError("level_out_of_range", f"{strategy.name} has {said}.", field="level")

    def sit_down(self, seed: int) -> Bot:
        """The player of one hand."""
        return self.strategy.sit_down(self.level, Chances(seed))


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
