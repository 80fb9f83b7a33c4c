"""What came out of the arena: who won how much of whom, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
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

    `low` and `high` hold the true share in 95 cases of 100. The two games of a pair are played by whoever
    sits first with the same cards, so they are matched, and the share is ½ more half the difference between
    how often the one and the other wins from there. Its interval is that of A. Agresti and Y. Min, "Simple
    improved confidence intervals for comparing matched proportions" (Statistics in Medicine 24, 2005): as the
    usual one, two more pairs added, one of them shared and half a pair won by each. `error` is its standard
    error. It is honest with few pairs too, and where all of them were won.
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
        """The same seen from the other side."""
        return Share(self.pairs, 1 - self.mean, self.error)


def share_of(scores: Sequence[float]) -> Share:
    """The share won, from the share of each pair, 0 to 1; there is at least one."""
    differences = [2 * score - 1 for score in scores]
    pairs, total = len(differences), sum(differences)
    squares = sum([difference**2 for difference in differences])
    more = pairs + 2
    return Share(pairs, sum(scores) / pairs, sqrt(squares + 1 - total**2 / more) / more / 2)


@dataclass(frozen=True, slots=True)
class Encounter:
    """All pairs of games that two bots played, seen from `one`, in the order of their packs."""

    one: HouseBot
    other: HouseBot
    pairs: tuple[PlayedPair, ...]

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def wins(self) -> float:
        """The games that `one` won; a draw is half a game."""
        return sum([sum(pair.scores) for pair in self.pairs])

    @property
    def share(self) -> Share:
        return share_of([pair.score for pair in self.pairs])

    @property
    def hands(self) -> int:
        return sum([pair.hands for pair in self.pairs])

    @property
    def points(self) -> int:
        """What `one` won more than `other` in all hands."""
        return sum([pair.points for pair in self.pairs])


@dataclass(frozen=True, slots=True)
class BotStanding:
    """One bot against all others: share of games, points a hand more than they, seconds a decision."""

    bot: HouseBot
    games: int
    share: Share
    points_per_hand: float
    seconds_per_decision: float


@dataclass(frozen=True, slots=True)
class Arena:
    """A whole arena: `games` between any two of the bots, which are in order of name and level."""

    rules: Rules
    seed: int
    games: int
    bots: tuple[HouseBot, ...]
    meetings: tuple[Encounter, ...]

    def standings(self) -> list[BotStanding]:
        """Every bot against all others, the one that won most first.

        All meetings are played on the same packs. So the share of a bot is counted by packs, over all its
        games on them together.
        """
        return sorted([self._standing(bot) for bot in self.bots], key=lambda one: -one.share.mean)

    def _standing(self, bot: HouseBot) -> BotStanding:
        scores: list[list[float]] = [[] for _ in range(self.games // 2)]
        hands = points = decisions = 0
        seconds = 0.0
        for meeting in self.meetings:
            if bot not in (meeting.one, meeting.other):
                continue
            side = 0 if bot == meeting.one else 1
            for packs, pair in zip(scores, meeting.pairs, strict=True):
                packs.append(1 - pair.score if side else pair.score)
                decisions += pair.decisions[side]
                seconds += pair.seconds[side]
            hands += meeting.hands
            points += -meeting.points if side else meeting.points
        return BotStanding(
            bot,
            self.games * (len(self.bots) - 1),
            share_of([sum(packs) / len(packs) for packs in scores]),
            points / hands,
            seconds / decisions,
        )
