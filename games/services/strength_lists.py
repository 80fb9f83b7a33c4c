"""The bots that play here, how strong each is, and what it made of its games against the others."""

from dataclasses import dataclass

from games.arena.figures import Share
from games.bots import Strategy
from games.models import BotMeeting, BotRating
from games.services.planning import strategies
from scoring.core.skills import shown, shown_spread


@dataclass(frozen=True, slots=True)
class RatedLevel:
    """A bot at a level (None where it has none) and its rating, None where it was not measured."""

    strategy: Strategy
    level: int | None
    samples: int | None
    rating: BotRating | None

    @property
    def shown(self) -> int | None:
        """The rating on the scale of players."""
        return None if self.rating is None else shown(self.rating.mu)

    @property
    def spread(self) -> int | None:
        """How far off it may well be."""
        return None if self.rating is None else shown_spread(self.rating.sigma)

    @property
    def is_default(self) -> bool:
        """Whether it plays at this level unless told otherwise."""
        return self.level == self.strategy.default_level


@dataclass(frozen=True, slots=True)
class ListedBot:
    """A strategy with all its levels, one of None where it has none."""

    strategy: Strategy
    levels: tuple[RatedLevel, ...]

    @property
    def usual(self) -> RatedLevel:
        """It at the level it plays at unless told otherwise."""
        return next((level for level in self.levels if level.is_default), self.levels[-1])


@dataclass(frozen=True, slots=True)
class PairShare:
    """Games against another bot, in percent of them: won, and between what the share lies 95 times of 100."""

    strategy: str
    level: int | None
    is_known: bool
    games: int
    won: float
    low: float
    high: float
    points_per_hand: float

    @property
    def points_apart(self) -> float:
        """The points a hand without their sign."""
        return abs(self.points_per_hand)

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.high - self.low


def listed_bots() -> list[ListedBot]:
    """The bots that play here in the order of the house, in one query."""
    ratings = {(rating.strategy, rating.level): rating for rating in BotRating.objects.all()}
    return [ListedBot(strategy, _levels_of(strategy, ratings)) for strategy in strategies().values()]


def rated_bot(name: str, level: int | None) -> tuple[ListedBot, RatedLevel] | None:
    """A strategy and it at that level, or at its usual one; None where there is no such thing."""
    strategy = strategies().get(name)
    if strategy is None:
        return None
    rows = BotRating.objects.filter(strategy=name)
    bot = ListedBot(strategy, _levels_of(strategy, {(row.strategy, row.level): row for row in rows}))
    if level is None:
        return bot, bot.usual
    found = next((each for each in bot.levels if each.level == level), None)
    return None if found is None else (bot, found)


def meetings_of(rating: BotRating) -> list[PairShare]:
    """What it made of its games, the strongest opponent first, in two queries."""
    known = strategies()
    found = []
    for row in BotMeeting.objects.filter(one=rating).select_related("other"):
        found.append((row.other, row, row.wins, row.points))
    for row in BotMeeting.objects.filter(other=rating).select_related("one"):
        found.append((row.one, row, row.games - row.wins, -row.points))
    found.sort(key=lambda each: (-each[0].mu, each[0].strategy, each[0].level))
    return [
        _meeting(other, row, wins, points, is_known=other.strategy in known)
        for other, row, wins, points in found
        if row.games
    ]


def _meeting(other: BotRating, row: BotMeeting, wins: int, points: int, *, is_known: bool) -> PairShare:
    share = Share(row.games // 2, wins / row.games, row.error)
    return PairShare(
        other.strategy,
        other.level or None,
        is_known,
        row.games,
        100 * share.mean,
        100 * share.low,
        100 * share.high,
        points / max(row.hands, 1),
    )


def _levels_of(strategy: Strategy, ratings: dict[tuple[str, int], BotRating]) -> tuple[RatedLevel, ...]:
    if not strategy.levels:
        return (RatedLevel(strategy, None, None, ratings.get((strategy.name, 0))),)
    return tuple(
        RatedLevel(strategy, level, samples, ratings.get((strategy.name, level)))
        for level, samples in enumerate(strategy.samples, start=1)
    )
