"""Lists of the bots available here, with ratings and results against each other."""

from dataclasses import dataclass

from games.arena.figures import Share
from games.bots import Strategy
from games.models import BotMeeting, BotRating
from games.services.planning import strategies
from scoring.core.skills import shown, shown_spread


@dataclass(frozen=True, slots=True)
class RatedLevel:
    """A bot at a level (None without levels) and its rating, None if it was not measured."""

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
        """The uncertainty of the rating on that scale."""
        return None if self.rating is None else shown_spread(self.rating.sigma)

    @property
    def is_default(self) -> bool:
        """Whether this is the strategy's default level."""
        return self.level == self.strategy.default_level


@dataclass(frozen=True, slots=True)
class ListedBot:
    """A strategy with all its levels; without levels it has a single entry of None."""

    strategy: Strategy
    levels: tuple[RatedLevel, ...]

    @property
    def usual(self) -> RatedLevel:
        """The bot at its default level."""
        return next((level for level in self.levels if level.is_default), self.levels[-1])


@dataclass(frozen=True, slots=True)
class PairShare:
    """Games against another bot, in percent: the share won, and its 95 % confidence interval."""

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
        """The absolute difference of points per hand."""
        return abs(self.points_per_hand)

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low


def listed_bots() -> list[ListedBot]:
    """The bots available here in the order of the house, in one query."""
    ratings = {(rating.strategy, rating.level): rating for rating in BotRating.objects.all()}
    return [ListedBot(strategy, _levels_of(strategy, ratings)) for strategy in strategies().values()]


def rated_bot(name: str, level: int | None) -> tuple[ListedBot, RatedLevel] | None:
    """A strategy, and it at this level or its default; None if there is no such bot."""
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
    """A bot's results, the strongest opponent first, in two queries."""
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
