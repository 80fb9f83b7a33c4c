"""System checks of the bots' settings."""

from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from games.bots.strategies import strategies_with

LONGEST_SECONDS: Final = 86_400.0


@register()
def check_bot_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """`games.E001`, `games.E002`: seconds out of range; `games.E003`: a strategy that cannot be loaded."""
    found: list[CheckMessage] = [
        Error(f"{name} is a number of seconds above 0, a day at most, not {value!r}.", id=f"games.{number}")
        for number, name in (("E001", "BOT_LEASE_SECONDS"), ("E002", "BOT_MOVE_SECONDS"))
        if not 0 < (value := getattr(settings, name)) <= LONGEST_SECONDS
    ]
    try:
        strategies_with(tuple(settings.BOT_STRATEGIES))
    except (ImportError, TypeError, ValueError) as error:
        found.append(Error(f"BOT_STRATEGIES: {error}", id="games.E003"))
    return found
