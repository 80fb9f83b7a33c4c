"""Friendly games of two against two at a table on this site: one is offered, and begins once all have agreed.

Bots may fill seats, but for those that weigh samples; where nobody has to be asked it begins at once. It
counts in no table and for no rating. Locks: players, by id, then the offer, then the sheet.
"""

from collections.abc import Collection, Sequence
from itertools import count
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import HouseBot, Strategy
from games.models import TableMatch
from games.services import open_table
from league.bots.house_bots import as_league
from league.errors import LeagueError
from league.matches.club_sheets import open_team_sheet
from league.matches.offers import end_offer, lock_offer
from league.models import Club, GameOffer, OfferSeat, OfferState, Player
from league.notices.causes import game_offered
from league.people.accounts import own_players
from league.people.friendlies import (
    bots_to_play,
    check_free,
    is_playable,
    members_to_play,
    offers_waiting,
    own_player_locked,
    rules_to_play,
)
from league.policy import actor_of
from scoring.core.actors import Actor, ActorKind
from scoring.models import HouseRules

TEAM_SIZE: Final = 2
# Those whom the one who offers a game names: his partner, and both opponents.
OTHERS: Final = 2 * TEAM_SIZE - 1


def rules_for_teams(club: Club) -> list[HouseRules]:
    """The club's own rules by which two play against two."""
    return rules_to_play(club, TEAM_SIZE)


def bots_for_teams() -> list[Strategy]:
    """The strategies that may fill seats: those that answer at once, as several hands wait for them."""
    return [bot for bot in bots_to_play() if not bot.levels]


@transaction.atomic
def offer_team_game(
    *, actor: Actor, club: Club, rules: HouseRules, others: Sequence[Player | str]
) -> TableMatch | GameOffer:
    """Offer a friendly game of teams to a partner and two opponents; a text is the name of a bot's strategy.

    Members are told; without any the table is opened and returned. Refused: who has no player in the club
    (`no_player`), more offers that wait than `MOST_OFFERS` or too many games at once (`too_many`), other than
    three (`too_few`), somebody twice or oneself (`same_member`), who has no account there (`no_account`),
    bots that are not of `bots_for_teams` (`unknown_strategy`), and rules by which no teams of two play
    (`not_teams`).
    """
    player = own_player_locked(actor, club)
    offers_waiting(player)
    _check_others(club, player, others)
    if not is_playable(rules.rules, TEAM_SIZE):
        message = _("By these rules two do not play against two.")
        raise LeagueError("not_teams", message, field="rules")
    offer = GameOffer.objects.create(club=club, by=player, rules=rules, of_teams=True)
    OfferSeat.objects.bulk_create(
        OfferSeat(offer=offer, number=number, bot=one)
        if isinstance(one, str)
        else OfferSeat(offer=offer, number=number, player=one)
        for number, one in enumerate(others, start=1)
    )
    asked = [one for one in others if isinstance(one, Player)]
    if not asked:
        return _begin(actor, offer, player)
    for one in asked:
        if one.user_id is not None:
            game_offered(club, one.user_id)
    return offer


@transaction.atomic
def agree_to_team_game(*, actor: Actor, offer: GameOffer) -> TableMatch | None:
    """Agree to play in a game of teams; opens its table, and returns it, if all have.

    Refused: who has no seat in it or has agreed already (`not_allowed`), and an offer that is over
    (`offer_over`); where this begins the game too many games at once of one of the four (`too_many`), and
    what `open_team_sheet` and `open_table` refuse.
    """
    own = list(own_players(actor.id, offer.club)) if actor.kind is ActorKind.USER else []
    seated = offer.seats.filter(player__isnull=False).values("player")
    rows = Player.objects.filter(Q(pk__in=seated) | Q(pk=offer.by_id)).order_by("pk")
    players = {row.pk: row for row in rows.select_for_update(of=("self",))}
    offer = lock_offer(offer)
    seat = offer.seats.filter(player__in=own, agreed_at=None).first()
    if not offer.of_teams or seat is None:
        raise LeagueError("not_allowed", _("You are not asked to play in this game."))
    seat.agreed_at = timezone.now()
    seat.save(update_fields=["agreed_at"])
    if offer.seats.filter(player__isnull=False, agreed_at=None).exists():
        return None
    return _begin(actor, offer, players[offer.by_id])


def _check_others(club: Club, player: Player, others: Sequence[Player | str]) -> None:
    if len(others) != OTHERS:
        raise LeagueError("too_few", _("Name a partner and two opponents."))
    members = [one for one in others if isinstance(one, Player)]
    accounts = {player.user_id, *[one.user_id for one in members]}
    known = {player.pk, *members_to_play(club, []).values_list("pk", flat=True)}
    for one in members:
        if one.pk not in known:
            raise LeagueError("no_account", _("%(player)s has no account here.") % {"player": one})
    if len(accounts) <= len(members):
        raise LeagueError("same_member", _("Everybody has one seat at a table."))
    bots = {bot.name for bot in bots_for_teams()}
    for name in others:
        if isinstance(name, str) and name not in bots:
            raise LeagueError("unknown_strategy", _("No such bot plays in teams."))


def _begin(actor: Actor, offer: GameOffer, by: Player) -> TableMatch:
    """Open the table of a locked offer to which all have agreed; `by` has made it."""
    chairs = list(offer.seats.select_related("player__user").order_by("number"))
    members = [by, *[chair.player for chair in chairs if chair.player is not None]]
    for one in members:
        check_free(one)
    if offer.rules is None:
        raise LeagueError("not_allowed", _("This is the match of an event: it is taken on its page."))
    named: list[Player | str] = [by]
    taken = {one.name for one in members}
    seats: dict[int, Actor | HouseBot] = {0: _account_of(by)}
    strategies = {bot.name: bot for bot in bots_for_teams()}
    for chair in chairs:
        if chair.player is not None:
            named.append(chair.player)
            seats[chair.number] = _account_of(chair.player)
        else:
            bot = strategies.get(chair.bot)
            if bot is None:
                raise LeagueError("unknown_strategy", _("No such bot plays in teams."))
            named.append(_free_name(chair.bot, taken))
            taken.add(str(named[-1]))
            seats[chair.number] = HouseBot.of(bot)
    sheet = open_team_sheet(
        actor=actor,
        club=offer.club,
        rules=offer.rules,
        teams=[named[:TEAM_SIZE], named[TEAM_SIZE:]],
    )
    with as_league():
        table = open_table(sheet=sheet, seats=seats, has_phrases=offer.club.has_phrases)
    end_offer(offer, OfferState.TAKEN)
    return table


def _account_of(player: Player) -> Actor:
    if player.user is None or not player.user.is_active:
        raise LeagueError("no_account", _("%(player)s has no account here.") % {"player": player})
    return actor_of(player.user)


def _free_name(name: str, taken: Collection[str]) -> str:
    """The name of a bot on the sheet: with a number where somebody there has it already."""
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)
