"""Who may enter an event by himself now, alone or with a team: in one order of refusals."""

import datetime

from django.db.models import F, Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.draws.drawn import is_drawn
from league.errors import LeagueError
from league.models import EntryMember, Event, EventKind, EventState, Player, Pyramid, WhoEnters
from league.policy import Permission, can
from league.tables.rating_lists import rating_of
from scoring.core.actors import Actor
from scoring.core.skills import NEWCOMER, shown


def check_entrant(actor: Actor, event: Event, player: Player | None) -> Player:
    """Refuse an account without a player (`no_player`), and one that may not enter (`not_allowed`)."""
    _check_lets_enter(event)
    if player is None or player.merged_into_id is not None:
        raise LeagueError(
            "no_player",
            _("Your account is linked to no player of %(club)s. A director can link it.")
            % {"club": event.club},
        )
    if event.who_enters == WhoEnters.MEMBERS and not can(actor, Permission.PLAY, event.club.pk):
        raise LeagueError(
            "not_allowed",
            _("Only members of %(club)s enter “%(event)s”.") % {"club": event.club, "event": event},
        )
    return player


def check_partner(event: Event, player: Player) -> None:
    """Refuse somebody who is not to be invited to a team, or to play in it.

    Of another club (`other_club`), without an account in use (`not_linked`), one who may not enter
    (`not_allowed`), and as `check_bounds`.
    """
    _check_lets_enter(event)
    if player.club_id != event.club_id or player.merged_into_id is not None:
        raise LeagueError("other_club", _("Choose only players of %(club)s.") % {"club": event.club})
    if player.user is None or not player.user.is_active:
        raise LeagueError(
            "not_linked",
            _("%(player)s has no account here and cannot answer: ask a director to enter your team.")
            % {"player": player},
        )
    if event.who_enters == WhoEnters.MEMBERS and not can(player.user, Permission.PLAY, event.club_id):
        raise LeagueError(
            "not_allowed",
            _("%(player)s is not a member of %(club)s, and only members enter “%(event)s”.")
            % {"player": player, "club": event.club, "event": event},
        )
    try:
        check_bounds(event, player)
    except LeagueError as refusal:
        raise LeagueError(
            refusal.code,
            _("%(player)s is not within the bounds of “%(event)s”, by rating or division.")
            % {"player": player, "event": event},
        ) from refusal


def _check_lets_enter(event: Event) -> None:
    if event.lets_enter:
        return
    said = _("Only a director enters players in “%(event)s”.")
    if event.kind == EventKind.TEAM:
        said = _("Only a director enters teams in “%(event)s”.")
    raise LeagueError("not_allowed", said % {"event": event})


def check_open(event: Event) -> None:
    """Refuse an event whose entries are not open (`wrong_state`, `already_drawn`, `not_yet`, `closed`)."""
    if event.state != EventState.OPEN:
        if is_drawn(event):
            raise LeagueError(
                "already_drawn", _("“%(event)s” is drawn already: ask a director.") % {"event": event}
            )
        raise LeagueError("wrong_state", _("The entries of “%(event)s” are not open.") % {"event": event})
    now = timezone.now()
    if event.entries_open_at is not None and now < event.entries_open_at:
        raise LeagueError(
            "not_yet", _("Entries open on %(when)s.") % {"when": clock_words(event.entries_open_at, event)}
        )
    if event.entries_close_at is not None and now >= event.entries_close_at:
        raise LeagueError(
            "closed", _("Entries closed on %(when)s.") % {"when": clock_words(event.entries_close_at, event)}
        )


def check_bounds(event: Event, player: Player) -> None:
    """Refuse the actor's player if he is not one of those for whom the event is.

    A rating (`rating_out_of_bounds`) or division (`division_out_of_bounds`) that is not within its bounds. An
    event that is a division itself is entered by nobody who is not of it (`division_placed`): the season
    before puts people there, and newcomers begin in the lowest.
    """
    _check_rating(event, player)
    _check_placed(event, player)
    _check_divisions(event, player)


def _division_of(player: Player, pyramid: Pyramid) -> int | None:
    """The division in which the player was entered last, 1 at the top; None if he never was, or withdrew."""
    entries = EntryMember.objects.filter(player=player, event__pyramid=pyramid, entry__withdrawn_at=None)
    entries = entries.exclude(event__state=EventState.DRAFT)
    newest = entries.order_by(F("event__season__starts_on").desc(nulls_last=True), "-event")
    return newest.values_list("event__level", flat=True).first()


def _check_placed(event: Event, player: Player) -> None:
    if event.pyramid is None:
        return
    of_season = Event.objects.filter(pyramid=event.pyramid, season=event.season)
    lowest = of_season.aggregate(lowest=Max("level"))["lowest"]
    former = _division_of(player, event.pyramid)
    # There may have been more divisions before.
    if event.level != lowest or (former is not None and former < lowest):
        raise LeagueError(
            "division_placed",
            _("Who plays in “%(event)s” follows from the season before: ask a director.") % {"event": event},
        )


def _check_divisions(event: Event, player: Player) -> None:
    if event.divisions_of is None:
        return
    own, top, bottom = _division_of(player, event.divisions_of), event.highest_division, event.lowest_division
    # Who is in none comes after all of them.
    is_too_high = own is not None and top is not None and own < top
    if is_too_high or (bottom is not None and (own is None or own > bottom)):
        raise LeagueError(
            "division_out_of_bounds",
            _("“%(event)s” is for other divisions of %(divisions)s than yours.")
            % {"event": event, "divisions": event.divisions_of},
        )


def _check_rating(event: Event, player: Player) -> None:
    if event.lowest_rating is None and event.highest_rating is None:
        return
    now = rating_of(player)
    rating = shown(NEWCOMER.mu) if now is None else now.rating
    lowest, highest = event.lowest_rating, event.highest_rating
    if lowest is not None and rating < lowest:
        raise LeagueError(
            "rating_out_of_bounds",
            _("“%(event)s” is for ratings of %(lowest)d and more; yours is %(rating)d.")
            % {"event": event, "lowest": lowest, "rating": rating},
        )
    if highest is not None and rating > highest:
        raise LeagueError(
            "rating_out_of_bounds",
            _("“%(event)s” is for ratings of %(highest)d at most; yours is %(rating)d.")
            % {"event": event, "highest": highest, "rating": rating},
        )


def clock_words(moment: datetime.datetime, event: Event) -> str:
    """A moment by the club's clock."""
    return date_format(moment.astimezone(event.club.zone), "l j F Y, H:i")
