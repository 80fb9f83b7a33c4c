"""Bots on a club's pages: how they play, their arena rating, and their sheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from games.bots import Strategy
from games.models import BotMatch, BotMatchState, BotRating
from games.services import strategies
from games.services.matches import DealHands, SeatedBot, deals_with_hands, seated_bot
from league.models import Appearance, Club, Exhibition, Match, Player, RoundState
from league.policy.withholding import released
from scoring.core.skills import shown, shown_spread
from scoring.models import Scoresheet

LATEST: Final = 8
ON_A_PAGE: Final = 25


@dataclass(frozen=True, slots=True)
class ArenaRating:
    """A bot's rating against the other house bots, on the scale of the club's ratings."""

    rating: int
    spread: int
    games: int


@dataclass(frozen=True, slots=True)
class ProfileSide:
    """A side of a sheet under its name there."""

    name: str
    is_bot: bool = True


@dataclass(frozen=True, slots=True)
class BotsSheet:
    """A bot match in a list: of a `match`, or of an exhibition (None)."""

    bots: BotMatch
    sides: tuple[ProfileSide, ...]
    match: Match | None

    @property
    def sheet(self) -> Scoresheet:
        """The sheet itself."""
        return self.bots.sheet

    @property
    def columns(self) -> tuple[int, int]:
        """The columns won by each side so far."""
        won = self.sheet.derived.get("columns_won", (0, 0))
        return won[0], won[1]

    @property
    def is_table(self) -> bool:
        """True for a table of three or more."""
        return len(self.sides) > 2

    @property
    def by_place(self) -> list[tuple[int, ProfileSide, int]]:
        """Place, side and net of a sheet that was played to its end, in order of places."""
        placed = zip(self.sheet.places, self.sides, self.sheet.nets, strict=True)
        return sorted(placed, key=lambda one: one[0])

    @property
    def has_result(self) -> bool:
        """True if the sheet was played to its end."""
        return self.bots.state == BotMatchState.FINISHED


@dataclass(frozen=True, slots=True)
class BotProfile:
    """What a bot's page shows beyond a player's.

    `strategy` is None if it is not installed, `rating` if the arena has not rated it, `level` 0 if the
    strategy has no levels.
    """

    strategy: Strategy | None
    level: int
    rating: ArenaRating | None
    latest: Sequence[BotsSheet]


@dataclass(frozen=True, slots=True)
class BotsAtPlay:
    """The bot match of a sheet: how each seat plays, and the deals whose hands can be viewed."""

    bots: BotMatch
    seated: Sequence[SeatedBot]
    deals: Sequence[DealHands]


def bot_profile(player: Player) -> BotProfile:
    """A bot's profile, in three queries."""
    strategy = strategies().get(player.strategy)
    level = player.level or (strategy.default_level if strategy is not None else None) or 0
    samples = strategy.samples[level - 1] if strategy is not None and 0 < level <= strategy.levels else 0
    row = BotRating.objects.filter(strategy=player.strategy, level=level, samples=samples).first()
    rating = None if row is None else ArenaRating(shown(row.mu), shown_spread(row.sigma), row.games)
    return BotProfile(strategy, level, rating, latest_of(player))


def latest_of(player: Player) -> Sequence[BotsSheet]:
    """The bot's latest bot matches, pending ones included, newest first, in two queries."""
    drawn = Appearance.objects.filter(released("match__"), player=player)
    drawn = drawn.exclude(round__state=RoundState.DRAFTED)
    shown = Exhibition.objects.filter(Q(player_a=player) | Q(player_b=player))
    played = Q(sheet__match__in=drawn.values("match")) | Q(sheet__in=shown.values("sheet"))
    rows = _listed(BotMatch.objects.filter(played))
    return [_in_list(row) for row in rows[:LATEST]]


def has_exhibitions(club: Club) -> bool:
    """Return whether bots have played any exhibition in the club, or are to."""
    return BotMatch.objects.filter(sheet__exhibition__club=club).exists()


def exhibitions_of(club: Club, *, page: str) -> tuple[Page[BotMatch], Sequence[BotsSheet]]:
    """A page of the club's exhibitions, newest first, in three queries; page 1 for an invalid number."""
    rows = _listed(BotMatch.objects.filter(sheet__exhibition__club=club))
    found = Paginator(rows, ON_A_PAGE).get_page(page)
    return found, [_in_list(row) for row in found]


def bots_at_play(match: Match) -> BotsAtPlay | None:
    """The bot match of a match, in two queries; None if it has none. Needs `sheet__bot_match` loaded."""
    bots: BotMatch | None = getattr(match.sheet, "bot_match", None)
    if bots is None:
        return None
    seats = bots.sheet.seats.order_by("number").values_list("number", "name")
    seated = [seated_bot(bots.bots, number, name) for number, name in seats]
    return BotsAtPlay(bots, seated, deals_with_hands(bots))


def _listed(rows: QuerySet[BotMatch]) -> QuerySet[BotMatch]:
    """The bot matches with what lists show, newest first."""
    return (
        rows.select_related("sheet__match__event")
        .defer("sheet__paper")
        .prefetch_related("sheet__sides")
        .order_by("-due_at", "-id")
    )


def _in_list(row: BotMatch) -> BotsSheet:
    sides = sorted(row.sheet.sides.all(), key=lambda side: side.position)
    match: Match | None = getattr(row.sheet, "match", None)
    return BotsSheet(row, tuple([ProfileSide(side.name) for side in sides]), match)
