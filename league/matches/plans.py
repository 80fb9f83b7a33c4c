"""What is planned of matches: when and where they are played, agreed or proposed, and who is to play."""

from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from league.models import Club, LineUpSeat, Match, OnlineOffer, ProposedTime
from league.record.locking import lock_matches

_AT_ONCE: Final = 500


def forget_plans(matches: QuerySet[Match]) -> None:
    """Forget what was proposed, agreed, offered and handed in in matches that others may play from now on."""
    for made in (ProposedTime, OnlineOffer, LineUpSeat):
        made._default_manager.filter(match__in=matches.order_by().values("pk")).delete()
    matches.order_by().exclude(planned_at=None).update(planned_on=None, planned_at=None, planned_place="")


def follow_zone(club: Club) -> bool:
    """Set the day of each match with a time anew, by the club's clock; returns whether any has another day.

    The time itself, an instant, stays. Locks the matches, of which the caller holds no lock. Refused
    (`clash`) if one of them gets another sheet at the same moment.
    """
    planned = Match.objects.filter(event__club=club, planned_at__isnull=False)
    lock_matches(planned)
    moved = []
    for match in planned.order_by("pk").only("planned_at", "planned_on"):
        day = timezone.localdate(match.planned_at, timezone=club.zone)
        if match.planned_on != day:
            match.planned_on = day
            moved.append(match)
    Match.objects.bulk_update(moved, ["planned_on"], batch_size=_AT_ONCE)
    return bool(moved)
