"""What is kept of the arena: every bot's rating, and what each two made of their games."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.arena.figures import Arena, Share
from games.arena.pairs import ARENA_RULES, label
from games.bots.base import HouseBot
from games.errors import GameError
from games.models import BotMeeting, BotRating
from scoring.skills import Skill, shown, shown_spread


@dataclass(frozen=True, slots=True)
class Against:
    """What a bot made of its games with another: the share it won and points a hand more than the other."""

    strategy: str
    level: int | None
    rating: int
    games: int
    share: Share
    points_per_hand: float


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a bot is, on the scale of players, and beside each bot it met, the strongest first."""

    strategy: str
    level: int | None
    samples: int | None
    rating: int
    spread: int
    games: int
    rated_at: datetime
    against: tuple[Against, ...]


def strengths() -> list[Strength]:
    """Of every bot that was rated, the strongest first; those of the field among them."""
    ratings = list(BotRating.objects.all())
    by_id = {rating.pk: rating for rating in ratings}
    against: dict[int, list[tuple[float, Against]]] = {rating.pk: [] for rating in ratings}
    for meeting in BotMeeting.objects.all():
        one, other = by_id[meeting.one_id], by_id[meeting.other_id]
        share = Share(meeting.games // 2, meeting.wins / meeting.games, meeting.error)
        points = meeting.points / meeting.hands
        against[one.pk].append((other.mu, _against(other, meeting.games, share, points)))
        against[other.pk].append((one.mu, _against(one, meeting.games, share.of_the_other(), -points)))
    return [
        Strength(
            rating.strategy,
            rating.level or None,
            rating.samples or None,
            shown(rating.mu),
            shown_spread(rating.sigma),
            rating.games,
            rating.rated_at,
            tuple([each for _, each in sorted(against[rating.pk], key=lambda pair: -pair[0])]),
        )
        for rating in ratings
    ]


def strength_of(strategy: str, level: int | None) -> Strength | None:
    """Of one bot; None where it was not rated."""
    return next((one for one in strengths() if (one.strategy, one.level) == (strategy, level)), None)


def known_ratings() -> dict[str, Skill]:
    """The ratings as they are kept, by the label of the arena."""
    return {
        f"{rating.strategy}:{rating.level}" if rating.level else rating.strategy: Skill(
            rating.mu, rating.sigma
        )
        for rating in BotRating.objects.all()
    }


@transaction.atomic
def store_arena(*, arena: Arena, ratings: dict[str, Skill], rated_at: datetime) -> None:
    """Keeps the ratings of the bots that took part, and their meetings, in place of former ones.

    Other bots keep theirs. A level that stands for other samples than before is another bot: what its
    namesake made of games with bots that did not take part goes.

    Refuses with `GameError` `other_rules` an arena by other rules than `ARENA_RULES`: one rating cannot be
    of two games.
    """
    if arena.rules != ARENA_RULES:
        raise GameError("other_rules", "Ratings are kept of the arena's own rules only.", field="rules")
    rows = [_store_rating(arena, bot, ratings[label(bot)], rated_at) for bot in arena.bots]
    by_label = {label(bot): row for bot, row in zip(arena.bots, rows, strict=True)}
    for meeting in arena.meetings:
        BotMeeting.objects.update_or_create(
            one=by_label[label(meeting.one)],
            other=by_label[label(meeting.other)],
            defaults={
                "games": meeting.games,
                "wins": round(meeting.wins),
                "error": meeting.share.error,
                "hands": meeting.hands,
                "points": meeting.points,
            },
        )


def _store_rating(arena: Arena, bot: HouseBot, skill: Skill, rated_at: datetime) -> BotRating:
    samples = bot.samples or 0
    strategy, level = bot.strategy.name, bot.level or 0
    former = BotRating.objects.filter(strategy=strategy, level=level).first()
    if former is not None and former.samples != samples:
        BotMeeting.objects.filter(Q(one=former) | Q(other=former)).delete()
    rating, _ = BotRating.objects.update_or_create(
        strategy=strategy,
        level=level,
        defaults={
            "samples": samples,
            "mu": skill.mu,
            "sigma": skill.sigma,
            "games": arena.games * (len(arena.bots) - 1),
            "rated_at": rated_at,
        },
    )
    return rating


def _against(other: BotRating, games: int, share: Share, points_per_hand: float) -> Against:
    return Against(other.strategy, other.level or None, shown(other.mu), games, share, points_per_hand)
