"""Which friendly games may be rated.

That both want it is said with the offer. The club says which may be, and they are played by house rules of
its events, with a clock; how often the same two play is bounded, so that no rating is made that way.
"""

import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import HouseBot
from games.tables.clocks import PRESETS
from league.errors import LeagueError
from league.models import Club, Exhibition, Player, RatedGames
from scoring.core.lengths import Length
from scoring.models import HouseRules, SheetStatus

# So many games of the same two are rated of those begun on a day.
MOST_A_DAY: Final = 3
# Who lets a game lie has lost it after this.
RATED_CLOCK: Final = PRESETS["correspondence"]


def rules_to_rate(club: Club) -> QuerySet[HouseRules]:
    """The rules by which a friendly game may be rated: those of the club's events, in any version."""
    return HouseRules.objects.filter(code__in=club.events.values("rules__code"))


def bots_to_rate(club: Club) -> list[Player]:
    """The bots of the club's register, by name: only they have a rating of the club."""
    return list(
        Player.objects.filter(club=club, merged_into=None).exclude(strategy="").order_by("name", "pk")
    )


def rated_bot(club: Club, bot: HouseBot) -> Player:
    """The player of the register who plays as this bot; refuses (`unrated_bot`) one who is not there."""
    usual = bot.strategy.default_level
    for player in bots_to_rate(club):
        level = usual if player.level is None else player.level
        if (player.strategy, level) == (bot.strategy.name, bot.level):
            return player
    raise LeagueError(
        "unrated_bot",
        _("The club’s register has no such bot: games against it are not rated."),
        field="is_rated",
    )


def check_length(rules: HouseRules, length: Length) -> None:
    """Refuse (`rated_length`) a rated game that is not as long as its rules say; also as `Length.of`."""
    if length.of(rules.rules, 1) != rules.rules:
        message = _("A rated game is as long as its house rules say: choose no other length.")
        raise LeagueError("rated_length", message, field="length")


def check_rated(club: Club, rules: HouseRules, one: Player, other: Player | None) -> None:
    """Refuse a friendly game that may not be rated; `other` is None as long as nobody has taken it.

    That is what the club does not rate (`not_rated`), rules that no event of it has (`unrated_rules`), and
    more than `MOST_A_DAY` of the same two on a day, by the club's clock (`too_many_rated`). The caller has
    locked those of the two who may begin another one.
    """
    # As its settings are now.
    club = Club.objects.get(pk=club.pk)
    is_of_bot = other is not None and other.is_bot
    allowed = {RatedGames.BOTS} if is_of_bot else {RatedGames.BOTS, RatedGames.MEMBERS}
    if club.rated_games not in allowed:
        raise LeagueError("not_rated", _("The club does not rate such games."), field="is_rated")
    if not rules_to_rate(club).filter(code=rules.code).exists():
        message = _("No event of the club is played by these rules: such a game is not rated.")
        raise LeagueError("unrated_rules", message, field="is_rated")
    if other is not None and _begun_today(club, one, other) >= MOST_A_DAY:
        raise LeagueError(
            "too_many_rated",
            ngettext(
                "You two have begun %(count)d rated game today: play on unrated, or another day.",
                "You two have begun %(count)d rated games today: play on unrated, or another day.",
                MOST_A_DAY,
            )
            % {"count": MOST_A_DAY},
            field="is_rated",
        )


def _begun_today(club: Club, one: Player, other: Player) -> int:
    midnight = timezone.localtime(timezone.now(), club.zone).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    pair = (one, other)
    rows = Exhibition.objects.filter(Q(player_a__in=pair, player_b__in=pair), club=club, is_rated=True)
    begun = rows.filter(sheet__opened_at__gte=midnight.astimezone(datetime.UTC))
    return begun.exclude(sheet__status=SheetStatus.VOID).count()
