"""When somebody wants to be told: outside quiet hours, or once a day."""

import datetime


def earliest(
    ready: datetime.datetime,
    now: datetime.datetime,
    *,
    quiet: tuple[datetime.time, datetime.time] | None,
    digest: datetime.time | None,
) -> datetime.datetime:
    """Return when what is ready since `ready` may be sent at the earliest; not after `now`: at once.

    Both times are in the reader's zone. A `digest` is sent at the first such time of day at or after `ready`,
    quiet or not, as it was chosen. Else what would fall into the `quiet` hours, its beginning but not its end
    among them, over midnight if it begins later than it ends, waits until their end.
    """
    if digest is not None:
        at = _on(ready, digest)
        return at if at >= ready else _on(ready + datetime.timedelta(days=1), digest)
    at = max(ready, now)
    if quiet is None or not _within(at.time(), *quiet):
        return at
    end = _on(at, quiet[1])
    return end if end > at else _on(at + datetime.timedelta(days=1), quiet[1])


def _on(day: datetime.datetime, time: datetime.time) -> datetime.datetime:
    return datetime.datetime.combine(day.date(), time, tzinfo=day.tzinfo)


def _within(time: datetime.time, start: datetime.time, end: datetime.time) -> bool:
    return start <= time < end if start <= end else time >= start or time < end
