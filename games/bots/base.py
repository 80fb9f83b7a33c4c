"""The interface of bots and strategies."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, Self, TypeVar

from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import RANK_COUNT, SUIT_MASK, rank_mask
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.rummy_actions import RummyAction
from games.gin.rummy_view import RummyView
from games.gin.view import View
from scoring.core.errors import shown
from scoring.core.messages import Sentence, mark
from scoring.documents.shapes import json_object, only

T = TypeVar("T")

MOST_SAMPLES: Final = 100_000
# More than any strategy has had.
MOST_LEVELS: Final = 99


class ColumnView(NamedTuple):
    """A column from a side's point of view: running sums, compared with the target, and boxes.

    Of several others `other` is the one who has most. A side with boxes has won something in it; without,
    only penalties can have changed its sum.
    """

    is_open: bool
    own: int
    other: int
    own_boxes: int
    other_boxes: int


class GameView(NamedTuple):
    """The sheet before this deal from the bot's point of view; `target` is the one in force.

    Where a number of deals ends the sheet instead, `deals_left` are those still to play, with this one.
    """

    target: int
    columns: tuple[ColumnView, ...]
    deals_left: int | None = None


class Bot(Protocol):
    """A player for one hand. It may keep state during the hand, but no longer."""

    def choose(self, view: View, game: GameView) -> Action:
        """One of `view.legal`; called only when it is this player's turn, and not to lay off."""


class Estimate(NamedTuple):
    """A bot's estimate of an action when it chose, based on so many samples.

    `value` is its chance to win the game, 0 to 1, or points of this hand if `is_chance` is False.
    """

    action: Action | RummyAction
    value: float
    samples: int
    is_chance: bool = True


class Chances:
    """A bot's own random numbers, equal for equal seeds in every version of Python."""

    __slots__ = ("_draw",)

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random  # noqa: S311 (a game that can be played again, not a secret)

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, uniformly; there is at least one."""
        return options[int(self._draw() * len(options))]

    def happens(self, probability: float) -> bool:
        """True with this probability."""
        return self._draw() < probability


SitDown = Callable[[int | None, Chances], Bot]


class RummyBot(Protocol):
    """A player for one hand of basic rummy."""

    def choose(self, view: RummyView, game: GameView) -> RummyAction:
        """One of `view.legal`; called only when it is this player's turn."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play, described by `sentence`; `samples` are those of level 1, 2, …, empty without levels.

    `sit_down` makes the player of one hand of two from the number of samples (None without levels) and its
    random numbers; `others` has as much for the other games that it plays, by their names.
    """

    name: str
    sentence: Sentence
    sit_down: SitDown
    samples: tuple[int, ...] = ()
    default_level: int | None = None
    others: Mapping[str, Callable[[int | None, Chances], Bot | RummyBot]] = field(
        default_factory=dict, hash=False
    )

    @property
    def levels(self) -> int:
        """The number of levels; 0 for a strategy without."""
        return len(self.samples)

    def plays(self, game: str | None) -> bool:
        """Whether it plays this game; None is a hand of two with a pack of their own."""
        return game is None or game in self.others

    def check_plays(self, game: str | None) -> None:
        """Refuse (`not_played`) a game that it does not play."""
        if not self.plays(game):
            message = mark("%(strategy)s does not play this game.", strategy=self.name)
            raise GameError("not_played", message, field="bots")


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A strategy with a level and the samples it plays with; both None if it has no levels.

    Create it with `of`, which checks them. Stored bots keep their samples even if their level changes.
    """

    strategy: Strategy
    level: int | None = None
    samples: int | None = None

    @property
    def weighs(self) -> bool:
        """Whether it weighs samples; one that does not chooses at once."""
        return bool(self.samples)

    @classmethod
    def of(cls, strategy: Strategy, level: int | None = None, samples: int | None = None) -> Self:
        """The bot at this level, or its default; without `samples` those of the level.

        With samples, the level only labels the bot as it was and need not exist any more. Refuses
        `level_out_of_range` and `samples_out_of_range`, also for a strategy without levels.
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
        fewest = min((1, *strategy.samples))
        if level is None or type(samples) is not int or not fewest <= samples <= MOST_SAMPLES:
            message = mark("%(strategy)s has no samples.", strategy=strategy.name)
            if level is not None:
                message = mark(
                    "%(strategy)s has %(fewest)s to %(most)s samples, not %(samples)s.",
                    strategy=strategy.name,
                    fewest=fewest,
                    most=MOST_SAMPLES,
                    samples=shown(str(samples)),
                )
            raise GameError("samples_out_of_range", message, field="samples")
        return cls(strategy, level, samples)

    def to_document(self) -> dict[str, Any]:
        """The bot as JSON."""
        return {"strategy": self.strategy.name, "level": self.level, "samples": self.samples}

    @classmethod
    def from_document(cls, document: object, strategies: Mapping[str, Strategy]) -> Self:
        """The bot from `to_document`, with strategies by name; level and samples may be missing.

        Refuses `wrong_type`, `unknown_strategy`, and whatever `of` refuses.
        """
        bot = json_object(document, "", mark("A bot is an object with strategy, level and samples."))
        only(bot, frozenset({"strategy", "level", "samples"}))
        return cls.of(named(bot.get("strategy"), strategies), bot.get("level"), bot.get("samples"))

    def sit_down(self, seed: int) -> Bot:
        """The player of one hand of two."""
        return self.strategy.sit_down(self.samples, Chances(seed))

    def sit_down_at(self, game: str | None, seed: int) -> Bot | RummyBot:
        """The player of one hand of a game that the strategy plays (`Strategy.plays`)."""
        if game is None:
            return self.sit_down(seed)
        return self.strategy.others[game](self.samples, Chances(seed))


def named(name: object, strategies: Mapping[str, Strategy]) -> Strategy:
    """The strategy of this name; refuses `unknown_strategy`."""
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


# Common questions about a view.


def best_ending(view: View, chances: Chances) -> Action | None:
    """The best immediate ending: big gin, gin, else the knock that leaves least."""
    # Endings come last, and mostly there are none.
    if view.legal[-1].kind is ActionKind.DISCARD:
        return None
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
    """The legal discards."""
    return [action for action in view.legal if action.kind is ActionKind.DISCARD]


def left_by(view: View, action: Action) -> int:
    """The deadwood after putting down the action's card."""
    assert action.card is not None  # noqa: S101 (an action of a discard or knock has one)
    return view.after[action.card]


def leaving_least(view: View, actions: Sequence[Action]) -> list[Action]:
    """The actions that leave least deadwood."""
    after = view.after
    left = [after[action.card] for action in actions if action.card is not None]
    least = min(left)
    return [action for action, leaves in zip(actions, left, strict=True) if leaves == least]


def lowers_by_meld(view: View) -> bool:
    """Whether the top of the pile makes a meld and lowers the deadwood after a discard."""
    if not completes_meld(view.mask, view.pile[-1], view.rules.ace):
        return False
    return least_with(view) < deadwood_of(view.mask, view.rules.ace)


def least_with(view: View) -> int:
    """The least deadwood after taking the top of the pile and discarding another card."""
    card = view.pile[-1]
    return least_after(view.mask | 1 << card, card, view.rules.ace)


def least_after(mask: int, kept: int | None, ace: str) -> int:
    """The least deadwood of these cards after a discard, which is not the one that is kept."""
    after = {card: left for card, left in deadwood_without_each(mask, ace).items() if card != kept}
    return min(after.values(), default=0)


def turns_of(view: View) -> int:
    """The number of cards the player has discarded."""
    return sum([move.seat == view.seat and move.kind is ActionKind.DISCARD for move in view.moves])


def completes_meld(mask: int, card: int, ace: str = "low") -> bool:
    """Whether the card makes a meld with two or more cards of the hand, even if they are used elsewhere."""
    mask &= ~(1 << card)
    if (mask & rank_mask(card)).bit_count() >= 2:
        return True
    suit, rank = divmod(card, RANK_COUNT)
    # The ranks A … K as bits 2 … 14, so that shifts below the ace stay empty; the high ace is bit 15.
    ranks = (mask >> suit * RANK_COUNT & SUIT_MASK) << 2
    at = rank + 2
    if ace == "low_or_high":
        ranks |= (ranks >> 2 & 1) << 15
        if rank == 0 and ranks >> 13 & 3 == 3:
            return True
    return ranks >> at - 2 & 3 == 3 or ranks >> at - 1 & 5 == 5 or ranks >> at + 1 & 3 == 3
