"""Who has come to his table in a round of an evening that runs itself.

A player has come once he has said so by an act of his own; that somebody has a page open says nothing. A side
has come once all who sit on it have. Until both have no table is opened, so no clock runs. The rows of an
evening are locked after its event.
"""

import datetime
from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.models import TableSeat
from games.services.outages import is_site_silent
from league.core.evening import EveningState
from league.errors import LeagueError
from league.models import (
    Appearance,
    Arrival,
    EntryMember,
    Evening,
    Event,
    Match,
    MatchState,
    Player,
    Round,
    RoundState,
    extra_to_play,
    traits_of,
    wants_result,
)
from league.models.matches import MatchQuerySet

# Before it is begun and once it is over an evening keeps nobody from playing.
_NOT_ON: Final = (EveningState.SET, EveningState.OVER)


def evening_of(match: Match) -> Evening | None:
    """The evening in which the match's table waits for its players; None if it waits for nobody."""
    return Evening.objects.filter(round=match.round_id, come_by__isnull=False).first()


def is_on(event: Event) -> bool:
    """Whether an evening of the event has been begun and is not over."""
    return Evening.objects.filter(event=event).exclude(state__in=_NOT_ON).exists()


def not_there(seats: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Those of these seats whose player is waited for, or was missed: bots are always there.

    Who has come to a match is there in all of the same round, unless his account has gone meanwhile.
    """
    come = Arrival.objects.filter(round=OuterRef("round"), player=OuterRef("player"))
    gone = ~Q(player__user__is_active=True)
    return seats.filter(Q(~Exists(come)) | gone, replaces=None, player__strategy="")


def to_begin(evening: Evening) -> MatchQuerySet:
    """The matches of the round that is played in which nothing is played yet.

    Also those that whoever has the bye plays against a bot, if they count as that.
    """
    due = Q(state=MatchState.SCHEDULED) | extra_to_play() & Q(sheet__version=0)
    return Match.objects.filter(due, round=evening.round_id, annulled=False)


def waited_for(matches: Collection[Match]) -> dict[Match, dict[int, list[Player]]]:
    """By match and side the players who are not there yet, in the order of seats, in one query.

    The list of a side that is there is empty.
    """
    found: dict[int, dict[int, list[Player]]]
    found = {match.pk: {side: [] for side in match.sides} for match in matches}
    seats = not_there(Appearance.objects.filter(match__in=found)).select_related("player")
    for seat in seats.order_by("side", "position"):
        found[seat.match_id][seat.side].append(seat.player)
    return {match: found[match.pk] for match in matches}


def reserves_there(match: Match, side: int) -> list[Player]:
    """Those of the side's team who have come to the round and sit nowhere in it, in order of the roster."""
    come = Arrival.objects.filter(round=match.round_id, player=OuterRef("player"))
    members = _unseated(match, match.ids_of(side)).filter(Exists(come), player__user__is_active=True)
    return [each.player for each in members.select_related("player").order_by("position", "id")]


def reserve_of(match: Match, user: int | None) -> Player | None:
    """The account's player who is of a team in the match and sits nowhere in the round; None for others."""
    if user is None or match.event.team_size == 1:
        return None
    entries = [entry for side in match.sides for entry in match.ids_of(side)]
    member = _unseated(match, entries).filter(player__user=user).select_related("player").first()
    return None if member is None else member.player


def _unseated(match: Match, entries: Sequence[int]) -> QuerySet[EntryMember]:
    """Members of these entries who have no seat in the round, nor one that a bot keeps for them."""
    seats = Q(player=OuterRef("player")) | Q(sits_in_for=OuterRef("player"))
    seated = Appearance.objects.filter(seats, round=match.round_id)
    return EntryMember.objects.filter(~Exists(seated), entry__in=entries)


def has_come(match: Match, player: Player) -> bool:
    """Whether the player has come to the round."""
    return Arrival.objects.filter(round=match.round_id, player=player).exists()


def all_have_come(match: Match) -> bool:
    """Whether nobody is waited for."""
    return not not_there(Appearance.objects.filter(match=match)).exists()


def note_arrival(match: Match, player: Player) -> None:
    """Note that a player has come; the caller holds the match. Twice is once.

    Refused as by `check_in_time`.
    """
    if evening_of(match) is not None:
        check_in_time(match)
        Arrival.objects.get_or_create(round_id=match.round_id, player=player, defaults={"at": timezone.now()})


def check_in_time(match: Match) -> None:
    """Refuse (`too_late`) once the time to come is over, though nothing is decided yet.

    Not where the whole site was down: then the time is given back.
    """
    evening, now = evening_of(match), timezone.now()
    if evening is None or evening.come_by is None:
        return
    if evening.is_going and evening.come_by <= now and not is_site_silent(now):
        raise LeagueError(
            "too_late", _("You had until %(time)s to come to your table.") % {"time": shown_by(evening)}
        )


def opens_in_turn(event: Event) -> bool:
    """Whether an evening of the event opens rounds later than they are published.

    Those that are drawn at once, and those of teams with reserves, whose line-ups are handed in once it is
    known who meets whom.
    """
    return traits_of(event).opens_in_turn or event.has_reserves


def following_round(event: Event, evening: Evening) -> Round | None:
    """The published round that the evening opens next; None where it is to be drawn."""
    if not opens_in_turn(event) or (evening.round is None and evening.next_at is None):
        return None
    return first_to_play(event, after=0 if evening.round is None else evening.round.number)


def first_to_play(event: Event, *, after: int) -> Round | None:
    """The first published round after this number in which a result is missing."""
    wanted = Match.objects.filter(wants_result(), round=OuterRef("pk"))
    published = event.rounds.exclude(state=RoundState.DRAFTED)
    return published.filter(Exists(wanted), number__gt=after).order_by("number").first()


def is_to_open(match: Match) -> bool:
    """Whether the match is of a round that an evening which is on opens in turn, and has not opened yet."""
    if not opens_in_turn(match.event):
        return False
    begun = Evening.objects.filter(event=match.event_id).exclude(state__in=_NOT_ON)
    return begun.filter(Q(round=None) | Q(round__number__lt=match.round.number)).exists()


def check_opened(match: Match) -> None:
    """Refuse (`not_yet`) a match of a round that an evening which opens rounds in turn has not opened yet."""
    if is_to_open(match):
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


def check_all_have_come(match: Match) -> None:
    """Refuse (`not_here`) to open the table of a match that waits for one of its players.

    Also refused: as by `check_opened`.
    """
    check_opened(match)
    if evening_of(match) is not None and not all_have_come(match):
        raise LeagueError(
            "not_here",
            _("The table opens once all have come to it: each says so by “I am here” on the match’s page."),
        )


def shown_by(evening: Evening) -> str:
    """Until when players have time to come, by the club's clock: "20:45"; "" if nobody is waited for."""
    return clock_words(evening.come_by, evening.event.club.zone)


def clock_words(at: datetime.datetime | None, zone: datetime.tzinfo) -> str:
    """A moment by a clock in the zone: "20:45"; "" for none."""
    return "" if at is None else date_format(at.astimezone(zone), "H:i")
