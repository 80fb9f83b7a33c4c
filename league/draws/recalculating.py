"""The table of an event, made anew on request: the bracket settled, then the rows written."""

import logging
from typing import Final

from league.draws.formats import format_of
from league.errors import LeagueError
from league.models import Event, StandingsRequest
from league.tables.standings import write_table
from scoring.core.errors import ScoringError

_log = logging.getLogger(__name__)

_MOST_REQUESTS: Final = 10_000
_TRIES: Final = 5


def recalculate(event_id: int) -> bool:
    """Serves all open requests of an event; True if the table was made anew.

    Idempotent. Several may run at once: whoever finds that another has written since it began reads again.
    After five such rounds it leaves the rest to the others, or to the sweep. Where the bracket cannot be
    brought in line with its sheets the table is made all the same, and the requests stay for the sweep.
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
            return write_table(event, []) or written
        written |= write_table(event, [request.pk for request in requests])
    return written


def _settled(event: Event) -> bool:
    """Has winners go on, as recording locks its sheet only (`Format.settle`); False if refused."""
    try:
        format_of(event).settle(event)
    except (LeagueError, ScoringError):
        _log.exception("Event %s is not settled; it is tried again.", event.pk)
        return False
    return True
