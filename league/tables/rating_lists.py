"""Rating lists of a club, and a player's rating history."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Max, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.core.collation import name_key
from league.core.pictures.rating_line import RatingCurve, rating_line
from league.core.ratings import is_provisional
from league.models import SEATED, Appearance, Club, Entry, Match, Player, Rating, RatingsRequest, RatingStep
from league.policy.naming import Names
from league.tables.rated_friendlies import verdict_of
from scoring.core.skills import shown, shown_spread


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A row of the list; `rank` is None while provisional, `change` is that of the last match."""

    rank: int | None
    player: Player
    rating: int
    spread: int
    matches: int
    change: int
    last_played: datetime.date | None


@dataclass(frozen=True, slots=True)
class RatingNow:
    """The rating on a player's page."""

    rating: int
    spread: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class RatingList:
    """The rated players of a club, best first: those ranked, and those with few matches."""

    ranked: Sequence[RatedPlayer]
    provisional: Sequence[RatedPlayer]
    waiting: bool


@dataclass(frozen=True, slots=True)
class RatedStep:
    """A match in a player's history, or a friendly game, of which `table` is the code.

    `own` is the player's side if it had several players; `opponent` is who played in a friendly game.
    """

    match: Match | None
    date: datetime.date | None
    own: tuple[Entry, ...]
    opponents: tuple[Entry, ...]
    verdict: str
    before: int
    after: int
    spread: int
    opponent: Player | None = None
    table: str = ""

    @property
    def change(self) -> int:
        """The change of the displayed rating."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """A player's rating (None: no rated match), its steps newest first, and its chart.

    The chart is drawn in two widths, for wide and narrow pages.
    """

    rating: int | None
    spread: int
    matches: int
    provisional: bool
    highest: int
    lowest: int
    steps: Sequence[RatedStep]
    wide: RatingCurve | None
    narrow: RatingCurve | None
    waiting: bool


def ratings_of(club: Club, names: Names) -> RatingList:
    """Return all rated players, in three queries; equal ratings share a rank."""
    last = RatingStep.objects.filter(player=OuterRef("player"), number=OuterRef("matches"))
    rows = (
        Rating.objects.filter(player__club=club, player__merged_into=None)
        .select_related("player")
        .annotate(
            before=Subquery(last.values("mu_before")[:1]),
            last_match=Max("player__rating_steps__match__round__date"),
            last_friendly=Max("player__rating_steps__exhibition__sheet__opened_at"),
        )
        .order_by()
    )
    rated = sorted(
        (
            RatedPlayer(
                None,
                row.player,
                shown(row.mu),
                shown_spread(row.sigma),
                row.matches,
                shown(row.mu) - shown(row.before if row.before is not None else row.mu),
                _last_day(club, row.last_match, row.last_friendly),
            )
            for row in rows
        ),
        key=lambda each: (-each.rating, name_key(names.player(each.player))),
    )
    return RatingList(
        _ranked([each for each in rated if not is_provisional(each.matches)]),
        [each for each in rated if is_provisional(each.matches)],
        is_waiting(club),
    )


def rating_of(player: Player) -> RatingNow | None:
    """Return a player's rating, None before the first rated match."""
    row = Rating.objects.filter(player=player).first()
    if row is None:
        return None
    return RatingNow(shown(row.mu), shown_spread(row.sigma), is_provisional(row.matches))


def is_waiting(club: Club) -> bool:
    """True if a recalculation of the ratings is requested."""
    return RatingsRequest.objects.filter(club=club).exists()


def rating_history(player: Player) -> RatingHistory:
    """Return a player's rating history, in three queries."""
    game = ("sheet__table_match", "player_a", "player_b")
    steps = list(
        RatingStep.objects.filter(player=player)
        .order_by("number")
        .annotate(date=Coalesce("match__planned_on", "match__round__date"))
        .select_related(
            "match__event",
            *(f"match__{name}" for name in SEATED),
            *(f"exhibition__{name}" for name in game),
        )
    )
    seats = Appearance.objects.filter(player=player).values_list("match", "side")
    sides: dict[int | None, int] = dict(seats)
    rated = [_step(step, player, sides.get(step.match_id, 0)) for step in steps]
    if not steps:
        return RatingHistory(None, 0, 0, True, 0, 0, [], None, None, is_waiting(player.club))
    figures = [rated[0].before, *(step.after for step in rated)]
    spreads = [shown_spread(steps[0].sigma_before), *(step.spread for step in rated)]
    verdicts = [step.verdict for step in rated]
    return RatingHistory(
        figures[-1],
        spreads[-1],
        len(steps),
        is_provisional(len(steps)),
        max(figures[1:]),
        min(figures[1:]),
        rated[::-1],
        rating_line(figures, spreads, verdicts, width=720, height=280),
        rating_line(figures, spreads, verdicts, width=340, height=240),
        is_waiting(player.club),
    )


def rating_curve(player: Player, verdicts: Mapping[int, str]) -> RatingCurve | None:
    """Return the line of a player's rating with the verdicts of his matches (by id), in one query.

    Narrow, to stand beside other things. None before the first rated match.
    """
    steps = list(
        RatingStep.objects.filter(player=player)
        .order_by("number")
        .values_list(
            "mu_before",
            "sigma_before",
            "mu",
            "sigma",
            "match_id",
            "exhibition__player_b",
            "exhibition__sheet__places",
            "exhibition__sheet__table_match__forfeited_by",
        )
    )
    if not steps:
        return None
    first, first_sigma, *_after = steps[0]
    return rating_line(
        [shown(first), *(shown(mu) for _mu, _sigma, mu, *_of in steps)],
        [shown_spread(first_sigma), *(shown_spread(sigma) for _mu, _sigma, _after, sigma, *_of in steps)],
        [
            verdicts.get(match, "")
            if match is not None
            else verdict_of(int(other == player.pk), places, forfeited_by)
            for *_figures, match, other, places, forfeited_by in steps
        ],
        width=340,
        height=240,
    )


def _last_day(
    club: Club, match: datetime.date | None, friendly: datetime.datetime | None
) -> datetime.date | None:
    """The later of the day of a match, and that of a friendly game by the club's clock."""
    days = [match, None if friendly is None else timezone.localtime(friendly, club.zone).date()]
    return max((day for day in days if day is not None), default=None)


def _step(step: RatingStep, player: Player, side: int) -> RatedStep:
    figures = shown(step.mu_before), shown(step.mu), shown_spread(step.sigma)
    match, game = step.match, step.exhibition
    if game is not None:
        own = int(game.player_b_id == player.pk)
        table = game.sheet.table_match
        return RatedStep(
            None,
            _last_day(player.club, None, game.sheet.opened_at),
            (),
            (),
            verdict_of(own, game.sheet.places, table.forfeited_by),
            *figures,
            opponent=game.player_a if own else game.player_b,
            table=table.code,
        )
    assert match is not None  # noqa: S101 (a step is of one of the two)
    return RatedStep(
        match,
        step.date,  # type: ignore[attr-defined]
        match.side(side) if match.event.team_size > 1 else (),
        match.against(side),
        match.verdict_of(side),
        *figures,
    )


def _ranked(rated: Sequence[RatedPlayer]) -> Sequence[RatedPlayer]:
    """Return the rows with ranks; equal ratings share one."""
    ranked: list[RatedPlayer] = []
    for place, each in enumerate(rated, start=1):
        level = bool(ranked) and ranked[-1].rating == each.rating
        ranked.append(replace(each, rank=ranked[-1].rank if level else place))
    return ranked
