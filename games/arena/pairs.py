"""The unit of the arena: two games on the same packs, each bot once in the other's place.

The bot that is dealt the better cards in the first game deals them to the other in the second. Most of the
luck of the cards cancels out so, and what is left is counted by the pair, never by the game.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import thread_time
from typing import Final, NamedTuple

from games.bots.base import Bot, Chances, GameView, HouseBot
from games.gin.actions import Action
from games.gin.view import View
from games.tables.play import play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, score_sheet

# What published figures of gin rummy programs are counted under: games to 100, knocks up to 10, gin and
# undercut 25, ties undercut, no big gin, no boxes; the starter changes after a scored hand.
ARENA_RULES: Final = Rules.preset("online", next_dealer="alternate")


class PlayingStopped(Exception):
    """Playing was to end before the pair was played."""


class PlayedPair(NamedTuple):
    """A pair of games as the first of the two bots sees it.

    `scores` are of each game 1 where he won it, 0 where he lost it, ½ where nobody did (a sheet that is
    drawn, or full and unfinished). `points` are those he won more than the other in all `hands`. `decisions`
    and the processor time they took, `seconds`, are his and the other's.
    """

    scores: tuple[float, float]
    hands: int
    points: int
    decisions: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def score(self) -> float:
        """The share of the two games that he won."""
        return sum(self.scores) / 2


def label(bot: HouseBot) -> str:
    """The bot as the arena names it: `simple`, `expert:3`."""
    return bot.strategy.name if bot.level is None else f"{bot.strategy.name}:{bot.level}"


def play_pair(
    one: HouseBot,
    other: HouseBot,
    seed: int,
    rules: Rules = ARENA_RULES,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
) -> PlayedPair:
    """Plays the two games of that seed; the same arguments give the same games.

    `is_stopped` is asked after every hand. Refuses with `PlayingStopped` where it says so, with `BotError`
    where a bot fails, with `ScoringError` a bot against itself: two names are the same.
    """
    thinking = (_Thinking(), _Thinking())
    timed = _timed(one, thinking[0]), _timed(other, thinking[1])
    name = label(one)
    sides = SheetSide(name, (name,)), SheetSide(label(other), (label(other),))
    bots = {name: timed[0], label(other): timed[1]}
    scores, hands, points = [], 0, 0
    for seats in (sides, sides[::-1]):
        deals = []
        for played in play_deals(rules, seats, bots, seed):
            if is_stopped():
                raise PlayingStopped
            deals.append(played.deal)
            hand = played.hands[0].score()
            if hand.winner is not None:
                points += hand.points if hand.winner == name else -hand.points
        hands += len(deals)
        winner = score_sheet(rules, seats, deals).winner
        scores.append(0.5 if winner is None else float(winner == name))
    return PlayedPair(
        (scores[0], scores[1]),
        hands,
        points,
        (thinking[0].decisions, thinking[1].decisions),
        (thinking[0].seconds, thinking[1].seconds),
    )


@dataclass(slots=True)
class _Thinking:
    """How often a bot was asked, and the processor time he took for his answers."""

    decisions: int = 0
    seconds: float = 0.0


class _Timed:
    """A bot whose thinking is counted."""

    def __init__(self, bot: Bot, thinking: _Thinking) -> None:
        self._bot = bot
        self._thinking = thinking

    def choose(self, view: View, game: GameView) -> Action:
        start = thread_time()
        action = self._bot.choose(view, game)
        self._thinking.seconds += thread_time() - start
        self._thinking.decisions += 1
        return action


def _timed(bot: HouseBot, thinking: _Thinking) -> HouseBot:
    sit_down = bot.strategy.sit_down

    def timed(samples: int | None, chances: Chances) -> Bot:
        return _Timed(sit_down(samples, chances), thinking)

    return replace(bot, strategy=replace(bot.strategy, sit_down=timed))
