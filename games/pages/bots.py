"""The list of bots, and the page of a bot."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from games.arena.shipped import shipped
from games.bots.base import MOST_LEVELS
from games.pages.pages import page, reader_of
from games.services.matches import latest_matches, running_matches
from games.services.strength_lists import (
    listed_bots,
    meetings_of,
    rated_bot,
    shipped_meetings_of,
    strength_picture,
)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """All bots with their ratings, how strong they are, the matches in play, and the latest ones."""
    reader = reader_of(request)
    listed = listed_bots()
    context = {
        "at": "bots",
        "bots": listed,
        "picture": strength_picture(listed),
        "shipped": shipped(),
        "running": running_matches(reader),
        "latest": latest_matches(reader),
    }
    return page(request, "games/bots.html", context)


@require_safe
def bot_profile(request: HttpRequest, strategy: str, level: int | None = None) -> HttpResponse:
    """A bot at one of its levels, by default its usual one: rating, games against others, matches.

    A level that the strategy has no more leads to its usual one; else what is not there is a `404`.
    """
    found = rated_bot(strategy, level)
    if found is None:
        # Bots that were set up at a level keep it as their label, even if the strategy has it no more.
        if (
            level in range(1, MOST_LEVELS + 1)
            and (found := rated_bot(strategy, None))
            and found[0].strategy.levels
        ):
            return redirect("bot_profile", strategy)
        raise Http404
    bot, rated = found
    came_with = rated.shipped if rated.rating is None else None
    meetings = [] if rated.rating is None else meetings_of(rated.rating)
    context = {
        "at": "bots",
        "bot": bot,
        "rated": rated,
        "came_with": came_with,
        "shipped": shipped(),
        "meetings": meetings if came_with is None else shipped_meetings_of(came_with),
        "latest": latest_matches(reader_of(request), strategy=strategy, level=rated.level),
    }
    return page(request, "games/bot.html", context)
