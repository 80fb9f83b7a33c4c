"""Results of the arena: each bot's score against the others, with confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from games.arena.pairs import PlayedPair
from games.bots.base import HouseBot
from scoring.core.rules import Rules

CONFIDENCE: Final = 0.95
_DEVIATIONS: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Share(NamedTuple):
    """A share of games won, 0 to 1, counted over mirrored pairs, a draw as half a win.

    `low` and `high` bound the true share with 95 % confidence. The two games of a pair are played with the
    same cards by the bot that sits first, so they are matched, and the share is ½ plus half the difference
    between the rates at which the two bots win from there. The interval is that of A. Agresti and Y. Min,
    "Simple improved confidence intervals for comparing matched proportions" (Statistics in Medicine 24,
    2005): the usual one after adding two pairs, one of them shared and half a pair won by each. It also holds
    for few pairs and for clean sweeps. `error` is its standard error.
    """

    pairs: int
    mean: float
    error: float

    @property
    def low(self) -> float:
        return max(0.0, self._centre - _DEVIATIONS * self.error)

    @property
    def high(self) -> float:
        return min(1.0, self._centre + _DEVIATIONS * self.error)

    @property
    def _centre(self) -> float:
        return (self.mean * self.pairs + 1) / (self.pairs + 2)

    def of_the_other(self) -> "Share":
        """The share from the opponent's point of view."""
        return Share(self.pairs, 1 - self.mean, self.error)


def share_of(scores: Sequence[float]) -> Share:
    """The share won, from the share of each pair, 0 to 1; needs at least one."""
    differences = [2 * score - 1 for score in scores]
    pairs, total = len(differences), sum(differences)
    squares = sum([difference**2 for difference in differences])
    more = pairs + 2
    return Share(pairs, sum(scores) / pairs, sqrt(squares + 1 - total**2 / more) / more / 2)


@dataclass(frozen=True, slots=True)
class Encounter:
    """All pairs of games between two bots from the point of view of `one`, in the order of their packs."""

    one: HouseBot
    other: HouseBot
    pairs: tuple[PlayedPair, ...]

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def wins(self) -> float:
        """The games `one` won; a draw is half a game."""
        return sum([sum(pair.scores) for pair in self.pairs])

    @property
    def share(self) -> Share:
        return share_of([pair.score for pair in self.pairs])

    @property
    def hands(self) -> int:
        return sum([pair.hands for pair in self.pairs])

    @property
    def points(self) -> int:
        """The points of `one` over all hands, less those of `other`."""
        return sum([pair.points for pair in self.pairs])


@dataclass(frozen=True, slots=True)
class BotStanding:
    """A bot against all others: share of games, net points per hand, seconds per decision."""

    bot: HouseBot
    games: int
    share: Share
    points_per_hand: float
    seconds_per_decision: float


@dataclass(frozen=True, slots=True)
class LevelStep:
    """How many more of a hundred games a level wins than the one below, against the same other bots.

    `ahead` is the mean difference against these `opponents`, taken pack by pack: so is its standard `error`.
    """

    strategy: str
    lower: int
    higher: int
    opponents: int
    ahead: float
    error: float


@dataclass(frozen=True, slots=True)
class Arena:
    """A complete arena: `games` between every two bots; these are ordered by name and level.

    Between two of which one has levels, so that it thinks longer, there may be fewer.
    """

    rules: Rules
    seed: int
    games: int
    bots: tuple[HouseBot, ...]
    meetings: tuple[Encounter, ...]

    def games_of(self, bot: HouseBot) -> int:
        """How many games it played."""
        return sum([meeting.games for meeting in self.meetings if bot in (meeting.one, meeting.other)])

    def standings(self) -> list[BotStanding]:
        """Every bot against all others, the most successful first.

        All encounters use the same packs, so a bot's share is counted by packs, over all of its games on
        them; packs on which it did not meet all others do not count.
        """
        return sorted([self._standing(bot) for bot in self.bots], key=lambda one: -one.share.mean)

    def steps(self) -> list[LevelStep]:
        """From each level that took part to the next one of its strategy, by what both played."""
        levels = sorted(
            [bot for bot in self.bots if bot.level is not None],
            key=lambda bot: (bot.strategy.name, bot.level or 0),
        )
        return [
            step
            for lower, higher in pairwise(levels)
            if lower.strategy == higher.strategy and (step := self._step(lower, higher)) is not None
        ]

    def _step(self, lower: HouseBot, higher: HouseBot) -> LevelStep | None:
        """None where they met no opponent in common."""
        below, above = self._shares(lower), self._shares(higher)
        opponents = [bot for bot in below if bot in above]
        if not opponents or lower.level is None or higher.level is None:
            return None
        by_pack = zip(*[each[bot] for bot in opponents for each in (above, below)], strict=False)
        differences = [sum(scores[::2]) - sum(scores[1::2]) for scores in by_pack]
        # A difference from -1 to 1 as a share, to have the error of one.
        share = share_of([(1 + difference / len(opponents)) / 2 for difference in differences])
        ahead, error = 100 * (2 * share.mean - 1), 200 * share.error
        return LevelStep(lower.strategy.name, lower.level, higher.level, len(opponents), ahead, error)

    def _shares(self, bot: HouseBot) -> dict[HouseBot, list[float]]:
        """By opponent, the share of each pair of games that the bot won, in the order of the packs."""
        return {
            meeting.other if side == 0 else meeting.one: [
                1 - pair.score if side else pair.score for pair in meeting.pairs
            ]
            for meeting, side in self._met(bot)
        }

    def _met(self, bot: HouseBot) -> list[tuple[Encounter, int]]:
        """The bot's encounters, each with 0 if it is the first one of them, else 1."""
        return [
            (meeting, 0 if bot == meeting.one else 1)
            for meeting in self.meetings
            if bot in (meeting.one, meeting.other)
        ]

    def _standing(self, bot: HouseBot) -> BotStanding:
        met = self._met(bot)
        packs = min([len(meeting.pairs) for meeting, _side in met])
        scores: list[list[float]] = [[] for _ in range(packs)]
        hands = points = decisions = 0
        seconds = 0.0
        for meeting, side in met:
            for number, pair in enumerate(meeting.pairs):
                decisions += pair.decisions[side]
                seconds += pair.seconds[side]
                if number < packs:
                    scores[number].append(1 - pair.score if side else pair.score)
                    hands += pair.hands
                    points += -pair.points if side else pair.points
        return BotStanding(
            bot,
            self.games_of(bot),
            share_of([sum(each) / len(each) for each in scores]),
            points / hands,
            seconds / decisions,
        )
