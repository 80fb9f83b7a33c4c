"""Lists of the bots available here, with ratings and results against each other.

There are two kinds of figures: those that the program came with (`shipped`), and those of arenas played on
this site, which its database keeps. They are never mixed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.arena.figures import LevelStep, Share
from games.arena.shipped import ShippedBot, shipped
from games.bots import HouseBot, Strategy
from games.models import BotMeeting, BotRating
from games.services.planning import strategies
from scoring.core.skills import MIDDLE, shown, shown_spread

# The points between two rules of the picture, and the standard errors to either side of a rating.
_STEP: Final = 100
_MARGIN: Final = 2


@dataclass(frozen=True, slots=True)
class RatedLevel:
    """A bot at a level (None without levels) and its rating, None if it was not measured on this site."""

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

    @property
    def shipped(self) -> "ShippedRating | None":
        """The rating that the program came with; None if it has none of this bot."""
        figures = shipped().figures_of(HouseBot(self.strategy, self.level, self.samples))
        return None if figures is None else ShippedRating(figures)


@dataclass(frozen=True, slots=True)
class ShippedRating:
    """What the program came with of a bot, on the scale of players."""

    figures: ShippedBot

    @property
    def shown(self) -> int:
        return shown(self.figures.mu)

    @property
    def spread(self) -> int:
        """The uncertainty of the rating: one standard error."""
        return shown_spread(self.figures.sigma)

    @property
    def games(self) -> int:
        return self.figures.games

    @property
    def milliseconds(self) -> float:
        """The processor time of a choice, the mean of all."""
        return self.figures.seconds * 1e3

    @property
    def decimals(self) -> int:
        """The places of `milliseconds` that are worth showing."""
        if self.milliseconds < 0.1:
            return 3
        return 1 if self.milliseconds < 10 else 0


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
    ratings = BotRating.objects.all()
    return [ListedBot(strategy, _levels_of(strategy, ratings)) for strategy in strategies().values()]


@dataclass(frozen=True, slots=True)
class DrawnStrength:
    """A line of the picture: a bot, and places from 0 to 100 from left to right.

    `bar` reaches from the middle rating, where `simple` is, to this one; `low` and `high` bound the true
    rating with 95 % confidence.
    """

    rated: RatedLevel
    rating: ShippedRating
    at: float
    low: float
    high: float
    bar_from: float
    bar_width: float

    @property
    def strategy(self) -> str:
        return self.rated.strategy.name

    @property
    def level(self) -> int | None:
        return self.rated.level

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class StrengthPicture:
    """The strength of all bots of which the program came with figures, style by style and level by level.

    `rules` are the places of every hundred points, `middle` that of the middle rating; `first` and `last`
    are the ratings at both ends. `has_own` is whether any was measured on this site, too;
    `steps` are the differences between neighbouring levels.
    """

    lines: tuple[DrawnStrength, ...]
    rules: tuple[float, ...]
    middle: float
    first: int
    last: int
    has_own: bool
    steps: tuple[LevelStep, ...]


def strength_picture(bots: Sequence[ListedBot]) -> StrengthPicture | None:
    """The picture of these bots; None if the program came with figures of none of them."""
    rated = [(each, found) for bot in bots for each in bot.levels if (found := each.shipped) is not None]
    if not rated:
        return None
    bounds = [(one.shown - _MARGIN * one.spread, one.shown + _MARGIN * one.spread) for _each, one in rated]
    middle = shown(MIDDLE)
    first = min([low for low, _high in bounds] + [middle]) // _STEP * _STEP
    last = -(-max([high for _low, high in bounds] + [middle + 1]) // _STEP) * _STEP

    def place(rating: float) -> float:
        return 100 * (rating - first) / (last - first)

    lines = [
        DrawnStrength(
            each,
            one,
            place(one.shown),
            place(low),
            place(high),
            place(min(one.shown, middle)),
            abs(place(one.shown) - place(middle)),
        )
        for (each, one), (low, high) in zip(rated, bounds, strict=True)
    ]
    return StrengthPicture(
        tuple(lines),
        tuple([place(rating) for rating in range(first, last + 1, _STEP)]),
        place(middle),
        first,
        last,
        any(each.rating is not None for each, _one in rated),
        tuple([step for bot in bots for step in shipped().steps_of(bot.strategy)]),
    )


def rated_bot(name: str, level: int | None) -> tuple[ListedBot, RatedLevel] | None:
    """A strategy, and it at this level or its default; None if there is no such bot."""
    strategy = strategies().get(name)
    if strategy is None:
        return None
    bot = ListedBot(strategy, _levels_of(strategy, BotRating.objects.filter(strategy=name)))
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


def shipped_meetings_of(rating: ShippedRating) -> list[PairShare]:
    """A bot's results that the program came with, the strongest opponent first."""
    known = strategies()
    return [
        PairShare(
            other.strategy,
            other.level,
            other.strategy in known,
            met.games,
            100 * met.share.mean,
            100 * met.share.low,
            100 * met.share.high,
            met.points / max(met.hands, 1),
        )
        for other, met in shipped().meetings_of(rating.figures)
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


def _levels_of(strategy: Strategy, ratings: Iterable[BotRating]) -> tuple[RatedLevel, ...]:
    """Its levels with their ratings; one of a level that had other samples is of another bot."""
    found = {(row.strategy, row.level, row.samples): row for row in ratings}
    if not strategy.levels:
        return (RatedLevel(strategy, None, None, found.get((strategy.name, 0, 0))),)
    return tuple(
        RatedLevel(strategy, level, samples, found.get((strategy.name, level, samples)))
        for level, samples in enumerate(strategy.samples, start=1)
    )
