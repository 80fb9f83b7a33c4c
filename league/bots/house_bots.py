"""Players who are house bots: how they play, and their restrictions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from games.bots import HouseBot
from games.errors import GameError
from games.models import TO_PLAY, BotMatch
from games.services import strategies
from games.tables.dealing import game_of
from league.errors import LeagueError
from league.models import Club, Event, Exhibition, Player


@contextmanager
def as_league() -> Iterator[None]:
    """Turn a `GameError` into a `LeagueError` with the same code, message and field."""
    try:
        yield
    except GameError as refusal:
        raise LeagueError(refusal.code, refusal.message, field=refusal.field) from refusal


def house_bot_of(player: Player) -> HouseBot:
    """The bot a player is; refuses `not_a_bot`, `unknown_strategy` and `level_out_of_range`."""
    if not player.is_bot:
        raise LeagueError("not_a_bot", _("%(player)s is a person.") % {"player": player})
    with as_league():
        return HouseBot.from_document({"strategy": player.strategy, "level": player.level}, strategies())


def check_plays(strategy: str, level: int | None) -> None:
    """Refuse an unknown strategy or level, and a level of a person, with the field.

    Codes: `unknown_strategy`, `level_out_of_range`.
    """
    if strategy:
        house_bot_of(Player(strategy=strategy, level=level))
    elif level is not None:
        raise LeagueError("level_out_of_range", _("Only a bot has a level."), field="level")


def plays_game_of(event: Event, bot: Player) -> bool:
    """Return whether a bot plays the game of the event; True for a strategy that is not available here."""
    strategy = strategies().get(bot.strategy)
    return strategy is None or strategy.plays(game_of(event.rules.rules, event.team_size))


def check_plays_game_of(event: Event, bot: Player) -> None:
    """Refuse (`not_played`) a bot that does not play the game of the event."""
    if not plays_game_of(event, bot):
        raise LeagueError(
            "not_played",
            _("%(player)s plays as %(strategy)s, which does not play this game.")
            % {"player": bot, "strategy": bot.strategy},
        )


def check_plays_otherwise(player: Player, strategy: str, level: int | None) -> None:
    """Refuse to change how a player plays, as `check_plays` and where matches depend on it.

    A player with matches or rated games stays a person or a bot (`has_played`), and a bot with a pending bot
    match keeps its strategy and level (`bots_play`).
    """
    if (strategy, level) == (player.strategy, player.level):
        return
    check_plays(strategy, level)
    rated = Exhibition.objects.filter(Q(player_a=player) | Q(player_b=player), is_rated=True)
    if bool(strategy) != player.is_bot and (player.appearances.exists() or rated.exists()):
        raise LeagueError(
            "has_played",
            _("%(player)s has matches already: a person stays one, and so does a bot.") % {"player": player},
            field="strategy",
        )
    for match in _to_play(player):
        raise LeagueError(
            "bots_play",
            _("%(player)s has still to play sheet %(sheet)s; that is played, or cancelled, first.")
            % {"player": player, "sheet": match.sheet},
            field="strategy",
        )


def check_account(values: dict[str, Any], player: Player | None = None) -> None:
    """Refuse (`bot_account`) a bot with a user."""
    strategy = values.get("strategy", player.strategy if player else "")
    user = values.get("user", player.user if player else None)
    if strategy and user is not None:
        raise LeagueError("bot_account", _("A bot has no account."), field="user")


def check_bot_of(club: Club, player: Player, field: str) -> None:
    """Refuse players who are not bots of this club: `other_club`, `not_a_bot`, `merged`."""
    words = {"player": player, "club": club}
    if player.club_id != club.pk:
        raise LeagueError("other_club", _("%(player)s is not a player of %(club)s.") % words, field=field)
    if not player.is_bot:
        raise LeagueError("not_a_bot", _("%(player)s is a person; choose a bot.") % words, field=field)
    if player.merged_into is not None:
        words["keep"] = player.merged_into
        raise LeagueError("merged", _("%(player)s was merged into %(keep)s.") % words, field=field)


def _to_play(player: Player) -> Iterator[BotMatch]:
    """The first pending bot match of the player, if any: of an event, or an exhibition."""
    shown = Exhibition.objects.filter(Q(player_a=player) | Q(player_b=player))
    his = Q(sheet__match__appearances__player=player) | Q(sheet__in=shown.values("sheet"))
    waiting = BotMatch.objects.filter(his, state__in=TO_PLAY).select_related("sheet")
    yield from waiting.order_by("pk")[:1]
