"""Stored results of the arena: every bot's rating, and the encounters."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.arena.figures import Arena
from games.arena.pairs import ARENA_RULES, label
from games.bots.base import HouseBot
from games.errors import GameError
from games.models import BotMeeting, BotRating
from scoring.core.skills import Skill


def kept_ratings(bots: Iterable[HouseBot]) -> dict[str, BotRating]:
    """The stored ratings of these bots by label; a bot with other samples is another bot."""
    rows = {(row.strategy, row.level, row.samples): row for row in BotRating.objects.all()}
    found = {label(bot): rows.get((bot.strategy.name, bot.level or 0, bot.samples or 0)) for bot in bots}
    return {name: row for name, row in found.items() if row is not None}


@transaction.atomic
def store_arena(*, arena: Arena, ratings: Mapping[str, Skill], rated_at: datetime) -> None:
    """Stores the ratings and encounters of the bots that took part, replacing earlier ones.

    Other bots keep theirs. If a level now stands for other samples, its namesake's encounters with bots that
    did not take part are deleted.

    Refuses with `GameError` `other_rules` an arena under other rules than `ARENA_RULES`, because a rating
    belongs to one game.
    """
    if arena.rules != ARENA_RULES:
        raise GameError("other_rules", _("Only ratings by the arena's own rules are kept."), field="rules")
    rows = {label(bot): _store_rating(arena, bot, ratings[label(bot)], rated_at) for bot in arena.bots}
    for meeting in arena.meetings:
        BotMeeting.objects.update_or_create(
            one=rows[label(meeting.one)],
            other=rows[label(meeting.other)],
            defaults={
                "games": meeting.games,
                "wins": round(meeting.wins),
                "error": meeting.share.error,
                "hands": meeting.hands,
                "points": meeting.points,
            },
        )


def _store_rating(arena: Arena, bot: HouseBot, skill: Skill, rated_at: datetime) -> BotRating:
    strategy, level, samples = bot.strategy.name, bot.level or 0, bot.samples or 0
    BotMeeting.objects.filter(
        Q(one__strategy=strategy, one__level=level) & ~Q(one__samples=samples)
        | Q(other__strategy=strategy, other__level=level) & ~Q(other__samples=samples)
    ).delete()
    rating, _ = BotRating.objects.update_or_create(
        strategy=strategy,
        level=level,
        defaults={
            "samples": samples,
            "mu": skill.mu,
            "sigma": skill.sigma,
            "games": arena.games_of(bot),
            "rated_at": rated_at,
        },
    )
    return rating
