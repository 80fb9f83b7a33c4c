"""Requests for derived data: a row in the transaction of the cause, and a message that wakes a worker."""

from functools import partial

from django.db import transaction

from league.models import RatingsRequest, StandingsRequest
from league.record.wake import wake, wake_for_ratings


def request_standings(event_id: int) -> None:
    """Have the event's table recalculated after the current transaction."""
    StandingsRequest.objects.create(event_id=event_id)
    # Robust, because the change is committed and must not be reported as failed.
    transaction.on_commit(partial(wake, event_id), robust=True)


def request_ratings(club_id: int) -> None:
    """Have the club's ratings recalculated after the current transaction."""
    RatingsRequest.objects.create(club_id=club_id)
    transaction.on_commit(partial(wake_for_ratings, club_id), robust=True)
