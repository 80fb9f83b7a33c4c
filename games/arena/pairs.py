"""The unit of the arena: two games on the same packs with the bots' seats swapped.

The better cards of the first game go to the other bot in the second. This cancels most of the luck of the
deal; the rest is why results are counted by pairs, never by single games.
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

# The rules of published results of gin rummy programs: games to 100, knocks up to 10, gin and undercut 25,
# ties undercut, no big gin, no boxes; the starter alternates after scored hands.
ARENA_RULES: Final = Rules.preset("online", next_dealer="alternate")


class PlayingStopped(Exception):
    """Play was to stop before the pair was complete."""


class PlayedPair(NamedTuple):
    """A pair of games from the point of view of the first bot.

    `scores` has 1 for a game won, 0 for one lost, ½ for one without a winner (a sheet that is drawn, or full
    and unfinished). `points` is the net over all `hands`. `decisions` and their processor time in `seconds`
    are those of the first bot and of the other.
    """

    scores: tuple[float, float]
    hands: int
    points: int
    decisions: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def score(self) -> float:
        """The share of the two games that the first bot won."""
        return sum(self.scores) / 2


def label(bot: HouseBot) -> str:
    """The bot's label in the arena: `simple`, `expert:3`."""
    return bot.strategy.name if bot.level is None else f"{bot.strategy.name}:{bot.level}"


def play_pair(
    one: HouseBot,
    other: HouseBot,
    seed: int,
    rules: Rules = ARENA_RULES,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
) -> PlayedPair:
    """Plays the two games of a seed; equal arguments give equal games.

    `is_stopped` is checked after every hand and ends play with `PlayingStopped`. Also raises `BotError` for a
    bot that fails, and `ScoringError` for a bot against itself, because of the equal names.
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
            hand = played.two_handed[0].score()
            if hand.winner is not None:
                lead = hand.points + hand.penalty
                points += lead if hand.winner == name else -lead
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
    """The number of a bot's decisions and their processor time."""

    decisions: int = 0
    seconds: float = 0.0


class _Timed:
    """A bot whose decisions are counted and timed."""

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
