"""What players say themselves about days on which they cannot play. It decides nothing: others read it."""

import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, Player, PlayerAbsence
from league.record.audit import locked, record_audit
from league.record.days import check_day
from scoring.core.actors import Actor, ActorKind

# The most absences of one player that are not over, and days of each.
MOST: Final = 20
MOST_DAYS: Final = 366
_AT_ONCE: Final = 500


@transaction.atomic
def note_absence(
    *, actor: Actor, player: Player, first_day: datetime.date, last_day: datetime.date, today: datetime.date
) -> PlayerAbsence:
    """Note that the actor's player cannot play on these days, both included; `today` is the club's date.

    Refused: another's player (`not_allowed`), an end before the beginning (`invalid`), days that are over
    (`past`), too many of them or of absences (`out_of_range`), and days that are noted (`away_already`).
    """
    player = locked(player)
    _check_own(actor, player)
    check_day(first_day, "first_day")
    check_day(last_day, "last_day")
    if last_day < first_day:
        raise LeagueError("invalid", _("An absence does not end before it begins."), field="last_day")
    if last_day < today:
        raise LeagueError("past", _("These days are over."), field="last_day")
    if (last_day - first_day).days >= MOST_DAYS:
        said = _("At most %(most)d days at once.") % {"most": MOST_DAYS}
        raise LeagueError("out_of_range", said, field="last_day")
    noted = player.absences.filter(last_day__gte=today)
    if noted.filter(first_day__lte=last_day, last_day__gte=first_day).exists():
        raise LeagueError("away_already", _("You are away on some of these days already."), field="first_day")
    if noted.count() >= MOST:
        raise LeagueError("out_of_range", _("Take back an absence first: there are many."), field="first_day")
    absence = PlayerAbsence.objects.create(
        player=player,
        first_day=first_day,
        last_day=last_day,
        over_at=_over_at(last_day, player.club),
    )
    record_audit(actor, "away.add", player, after=_facts(absence))
    return absence


@transaction.atomic
def take_back_absence(*, actor: Actor, absence: PlayerAbsence) -> None:
    """Take back an absence of the actor's own player; twice changes nothing. Refused as by `note_absence`."""
    player = locked(absence.player)
    _check_own(actor, player)
    gone, _tables = PlayerAbsence.objects.filter(pk=absence.pk).delete()
    if gone:
        facts = _facts(absence)
        record_audit(actor, "away.remove", player, before=facts)


def bring_absences(*, keep: Player, drop: Player) -> None:
    """Have `keep` be away on all days that either has noted, those that both have noted once."""
    for absence in drop.absences.order_by("first_day"):
        both = keep.absences.filter(first_day__lte=absence.last_day, last_day__gte=absence.first_day)
        others = list(both)
        last = max([absence, *others], key=lambda one: one.last_day)
        absence.first_day = min(one.first_day for one in [absence, *others])
        absence.last_day, absence.over_at, absence.player = last.last_day, last.over_at, keep
        PlayerAbsence.objects.filter(pk__in=[one.pk for one in others]).delete()
        absence.save()


def absences_follow_zone(club: Club) -> None:
    """Set anew when all days away of the club's players are over, by its clock."""
    rows = list(PlayerAbsence.objects.select_for_update().filter(player__club=club).order_by("pk"))
    for row in rows:
        row.over_at = _over_at(row.last_day, club)
    PlayerAbsence.objects.bulk_update(rows, ["over_at"], batch_size=_AT_ONCE)


def _over_at(last_day: datetime.date, club: Club) -> datetime.datetime:
    """When the day is over by the club's clock."""
    next_day = last_day + datetime.timedelta(days=1)
    return datetime.datetime.combine(next_day, datetime.time(), tzinfo=club.zone)


def _facts(absence: PlayerAbsence) -> dict[str, str]:
    return {"first_day": absence.first_day.isoformat(), "last_day": absence.last_day.isoformat()}


def _check_own(actor: Actor, player: Player) -> None:
    if actor.kind is not ActorKind.USER or player.user_id is None or str(player.user_id) != actor.id:
        raise LeagueError("not_allowed", _("Only players themselves say when they are away."))
