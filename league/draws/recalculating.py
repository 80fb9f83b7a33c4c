"""Recalculates the table of an event on request: settles the format first, then writes the rows."""

import logging
from typing import Final

from league.draws.formats import format_of
from league.errors import LeagueError
from league.models import Event, StandingsRequest
from league.notices.causes import table_calculated
from league.tables.standings import write_table
from scoring.core.errors import ScoringError

_log = logging.getLogger(__name__)

_MOST_REQUESTS: Final = 10_000
_TRIES: Final = 5


def recalculate(event_id: int) -> bool:
    """Serve all open requests of an event; True if the table was recalculated.

    Idempotent and safe to run concurrently: if another process has written since the calculation began, it
    starts again. After five attempts it leaves the rest to others or to the sweep. If the bracket cannot be
    settled the table is still written, and the requests stay for the sweep.
    """
    written = False
    for _ in range(_TRIES):
        requests = list(
            StandingsRequest.objects.filter(event=event_id)
            .select_related("event")
            .order_by("id")[:_MOST_REQUESTS]
        )
        if not requests:
            return written
        event = requests[0].event
        if not _settled(event):
            return write_table(event, [], changed=table_calculated) or written
        written |= write_table(event, [request.pk for request in requests], changed=table_calculated)
    return written


def _settled(event: Event) -> bool:
    """Settle what follows from results (`Format.settle`); False if refused.

    Recording locks only its own sheet and leaves that to the recalculation.
    """
    try:
        format_of(event).settle(event)
    except (LeagueError, ScoringError):
        _log.exception("Event %s is not settled; it is tried again.", event.pk)
        return False
    return True
