"""Offers of a game on this site, or to play a match here, that still wait for somebody to take them."""

import datetime
from collections.abc import Sequence
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.tables.members import sides_at_table
from league.errors import LeagueError
from league.models import (
    SEATED,
    Appearance,
    Club,
    GameOffer,
    Match,
    MatchState,
    OfferSeat,
    OfferState,
    OnlineOffer,
    PlayedWhere,
    Player,
)
from scoring.core.lengths import Length, length_of
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet
from scoring.words.rules_words import length_words

# An offer that nobody has taken for so long is over.
OFFER_DAYS: Final = 7


def that_wait() -> QuerySet[GameOffer]:
    """All offers of friendly games that can be taken, the oldest first."""
    rows = GameOffer.objects.filter(state=OfferState.OPEN, made_at__gt=_since())
    return _shown(rows.filter(by__user__is_active=True))


def open_offers(club: Club) -> QuerySet[GameOffer]:
    """The club's offers of friendly games that can be taken, the oldest first."""
    return that_wait().filter(club=club)


def offers_of(players: QuerySet[Player]) -> QuerySet[GameOffer]:
    """The friendly games that concern these players of one account, open or over, with all seats.

    They have made it, have a seat, or may take one that is free; it `waits` if it can still be taken. The
    oldest come first.
    """
    seated = OfferSeat.objects.filter(player__in=players).values("offer")
    rows = _shown(GameOffer.objects.filter(club__in=players.values("club")))
    rows = rows.annotate(waits=Exists(that_wait().order_by().filter(pk=OuterRef("pk"))))
    free = OfferSeat.objects.filter(is_open=True, player=None).values("offer")
    concern = Q(by__in=players) | Q(pk__in=seated) | Q(waits=True, pk__in=free)
    return rows.filter(concern).prefetch_related("seats__player")


def online_offers() -> QuerySet[OnlineOffer]:
    """The offers to play matches on this site that can be taken, the oldest first."""
    rows = OnlineOffer.objects.filter(match__state=MatchState.SCHEDULED, made_at__gt=_since())
    sides = [f"match__{name}" for name in SEATED]
    return rows.select_related("match__event__club", *sides).order_by("pk")


def online_offers_of(players: Sequence[Player]) -> QuerySet[OnlineOffer]:
    """Those of matches in which one of the players sits; `is_own` is what his side offers."""
    seats = Appearance.objects.filter(match=OuterRef("match"), player__in=players)
    is_own = Exists(seats.filter(side=OuterRef("side")))
    return online_offers().filter(Exists(seats)).annotate(is_own=is_own)


def online_offers_to_answer(players: Sequence[Player]) -> QuerySet[OnlineOffer]:
    """Those that wait for an answer of a side on which one of the players sits."""
    seats = Appearance.objects.filter(match=OuterRef("match"), player__in=players)
    return online_offers().filter(Exists(seats.exclude(side=OuterRef("side"))))


def offers_seen(club: Club, players: Sequence[Player]) -> list[GameOffer]:
    """The club's open offers that concern the players, all of one account, with all seats."""
    rows = offers_of(Player.objects.filter(club=club, pk__in=[player.pk for player in players]))
    return list(rows.filter(pk__in=open_offers(club).order_by().values("pk")))


def _shown(rows: QuerySet[GameOffer]) -> QuerySet[GameOffer]:
    return rows.select_related("club", "by__user", "rules").order_by("pk")


def offers_to_answer(club: Club, players: Sequence[Player]) -> QuerySet[GameOffer]:
    """The open offers of the club that wait for an answer of one of the players, who is asked by name."""
    asked = OfferSeat.objects.filter(player__in=players, agreed_at=None, has_declined=False)
    rows = open_offers(club).filter(pk__in=asked.values("offer"))
    return rows.exclude(by__user__in={player.user_id for player in players})


def check_number(rules: HouseRules, seats: int) -> tuple[int, ...]:
    """How many players each side has where so many play; refuses (`wrong_number`) rules for others."""
    sizes = sides_at_table(rules.rules, seats)
    if sizes is None:
        message = _("These rules are not for a table of %(count)d.") % {"count": seats}
        raise LeagueError("wrong_number", message, field="rules")
    return sizes


def length_offered(offer: GameOffer) -> Length:
    """How long a game is that is offered, also where that is as its rules say; its seats are loaded."""
    return length_of(*_played(offer))


def game_words(offer: GameOffer) -> str:
    """By which rules a game is that is offered, and how long: “Ours, one game to 50”."""
    rules, size = _played(offer)
    return f"{offer.rules.name}, {length_words(rules, team_size=size)}"


def _played(offer: GameOffer) -> tuple[Rules, int]:
    size = check_number(offer.rules, 1 + len(offer.seats.all()))[0]
    return Length(**offer.length).of(offer.rules.rules, size), size


def games_begun(players: Sequence[Player], by: datetime.datetime) -> QuerySet[GameOffer]:
    """The offers that had become a game of one of the players by then, with nothing on its sheet yet."""
    seated = OfferSeat.objects.filter(player__in=players)
    rows = GameOffer.objects.filter(sheet__version=0, sheet__table_match__is_live=True)
    rows = rows.filter(sheet__table_match__created_at__lte=by)
    rows = rows.filter(Q(by__in=players) | Q(pk__in=seated.values("offer")))
    return _shown(rows).prefetch_related("seats__player")


def matches_begun(players: Sequence[Player], by: datetime.datetime) -> QuerySet[Match]:
    """The matches of the players that were offered and had begun on this site by then, with no hand yet."""
    seated = Appearance.objects.filter(player__in=players)
    rows = Match.objects.filter(
        event__played=PlayedWhere.EITHER, sheet__version=0, pk__in=seated.values("match")
    )
    rows = rows.filter(sheet__table_match__is_live=True, sheet__table_match__created_at__lte=by)
    return rows.with_sides("event").order_by("pk")


def count_to_answer(club: Club, players: Sequence[Player]) -> int:
    """How many offers of either kind wait for an answer of one of the players, in one query."""
    games = offers_to_answer(club, players).order_by().values("pk")
    return games.union(online_offers_to_answer(players).order_by().values("pk"), all=True).count()


def lock_offer(offer: GameOffer) -> GameOffer:
    """The open offer, locked; refuses one that was taken, declined or taken back (`offer_over`)."""
    row = open_offers(offer.club).select_for_update(of=("self",)).filter(pk=offer.pk).first()
    if row is None:
        raise LeagueError("offer_over", _("Somebody has taken this game already, or it was taken back."))
    return row


def end_offer(offer: GameOffer, state: OfferState, sheet: Scoresheet | None = None) -> None:
    """Note what has become of a locked offer, and the sheet of the game that has begun."""
    offer.state, offer.sheet = state, sheet
    offer.save(update_fields=["state", "sheet"])


def forget_offers(players: Sequence[Player]) -> None:
    """Delete what these players offered and were asked for; an open seat that they took is free again."""
    seated = OfferSeat.objects.filter(player__in=players)
    asked = seated.filter(is_open=False)
    GameOffer.objects.filter(Q(by__in=players) | Q(pk__in=asked.values("offer"))).delete()
    seated.update(player=None, agreed_at=None)


def _since() -> datetime.datetime:
    return timezone.now() - datetime.timedelta(days=OFFER_DAYS)
