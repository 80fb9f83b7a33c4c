"""Times as a clock shows them, and the instants that they are."""

import datetime

from league.errors import LeagueError
from scoring.core.messages import mark


def instant(
    shown: datetime.datetime, zone: datetime.tzinfo, *, field: str | None = None
) -> datetime.datetime:
    """Return the instant, in UTC, at which a clock in the zone shows this (naive) time.

    Of two, when clocks are put back, the first. Refused (`no_such_time`): a time that is left out when clocks
    are put forward.
    """
    found = shown.replace(tzinfo=zone, fold=0).astimezone(datetime.UTC)
    if found.astimezone(zone).replace(tzinfo=None) != shown:
        raise LeagueError(
            "no_such_time",
            mark("There is no %(time)s on that day: clocks are put forward.", time=f"{shown:%H:%M}"),
            field=field,
        )
    return found
