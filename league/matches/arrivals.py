"""Who has come to his table in a round of an evening that runs itself.

A player has come once he has said so by an act of his own; that somebody has a page open says nothing. Until
both have come no table is opened, so no clock runs. The rows of an evening are locked after its event.
"""

import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.models import TableSeat
from games.services.outages import is_site_silent
from league.core.evening import EveningState
from league.errors import LeagueError
from league.models import Arrival, Entry, Evening, Match, Player, traits_of

# Before it is begun and once it is over an evening keeps nobody from playing.
_NOT_ON: Final = (EveningState.SET, EveningState.OVER)


def evening_of(match: Match) -> Evening | None:
    """The evening in which the match's table waits for its players; None if it waits for nobody."""
    return Evening.objects.filter(round=match.round_id, come_by__isnull=False).first()


def has_come(match: Match, side: int) -> bool:
    """Whether all of a side are there, in the match or in another of the same round; bots always are.

    So is a side for which a bot sits in, or one of no entry, whose bot plays in place of a bye.
    """
    return not waited_for(match, side)


def waited_for(match: Match, side: int) -> frozenset[int]:
    """The entries (ids) of a side that are not there yet, or whose account has gone meanwhile."""
    entries = frozenset(match.ids_of(side))
    if match.bot_side == side or not entries:
        return frozenset()
    come = Q(arrivals__round=match.round_id) | Q(is_bot=True)
    there = Entry.objects.filter(come, pk__in=entries)
    persons = match.appearances.filter(side=side, replaces=None, player__strategy="")
    gone = persons.exclude(player__user__is_active=True)
    return entries - set(there.exclude(pk__in=gone.values("entry")).values_list("pk", flat=True))


def player_has_come(match: Match, player: Player) -> bool:
    """Whether this player is there, whoever else of his side is."""
    seat = match.appearances.filter(player=player).first()
    return (
        seat is not None and _places(match, seat.side, player).filter(arrivals__round=match.round_id).exists()
    )


def both_have_come(match: Match) -> bool:
    """Whether nobody is waited for."""
    return all(has_come(match, side) for side in match.sides)


def note_arrival(match: Match, side: int, player: Player) -> None:
    """Note that a player of a side has come; the caller holds the match. Twice is once.

    Refused (`too_late`) once the time to come is over, unless the whole site was down: then it is given back.
    """
    evening, now = evening_of(match), timezone.now()
    if evening is None or evening.come_by is None:
        return
    if evening.is_going and evening.come_by <= now and not is_site_silent(now):
        raise LeagueError(
            "too_late", _("You had until %(time)s to come to your table.") % {"time": shown_by(evening)}
        )
    for entry in _places(match, side, player):
        Arrival.objects.get_or_create(round_id=match.round_id, entry=entry, defaults={"at": now})


def _places(match: Match, side: int, player: Player) -> QuerySet[Entry]:
    """The entry for which a player sits on a side: his own, or that of whom he stands in for."""
    entries = Entry.objects.filter(pk__in=match.ids_of(side))
    own = entries.filter(members__player=player)
    return own if own.exists() else entries.filter(appearances__match=match, appearances__player=player)


def check_opened(match: Match) -> None:
    """Refuse (`not_yet`) a match of a round that an evening which opens rounds in turn has not opened yet."""
    if not traits_of(match.event).opens_in_turn:
        return
    begun = Evening.objects.filter(event=match.event_id).exclude(state__in=_NOT_ON)
    if begun.filter(Q(round=None) | Q(round__number__lt=match.round.number)).exists():
        raise LeagueError(
            "not_yet",
            _("Round %(number)d has not begun: the evening opens one round after another.")
            % {"number": match.round.number},
        )


def leave_kept_seats(player: Player) -> None:
    """Leave to the bots the seats that the player's account, still linked, waits for."""
    if player.user_id is not None:
        kept = TableSeat.objects.filter(match__sheet__match__appearances__sits_in_for=player)
        kept.filter(arrived=player.user_id).update(arrived=None)


def check_both_have_come(match: Match) -> None:
    """Refuse (`not_here`) to open the table of a match that waits for one of its players.

    Also refused: as by `check_opened`.
    """
    check_opened(match)
    if evening_of(match) is not None and not both_have_come(match):
        raise LeagueError(
            "not_here",
            _("The table opens once both have come to it: each says so by “Play now” on the match’s page."),
        )


def shown_by(evening: Evening) -> str:
    """Until when players have time to come, by the club's clock: "20:45"; "" if nobody is waited for."""
    return clock_words(evening.come_by, evening.event.club.zone)


def clock_words(at: datetime.datetime | None, zone: datetime.tzinfo) -> str:
    """A moment by a clock in the zone: "20:45"; "" for none."""
    return "" if at is None else date_format(at.astimezone(zone), "H:i")
