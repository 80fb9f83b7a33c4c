"""Recurrence rules: a subset of RFC 5545's RRULE in the club's time zone. Pure.

Once (""), every n minutes (at least 5) or hours, every n days, weeks on chosen weekdays, or months; until a
moment, or a number of times. Days, weeks and months keep the local time of day across daylight saving. A
local time skipped when clocks go forward is an hour later; one that occurs twice when they go back is the
first of the two; days that a month lacks are left out. Minutes and hours are counted as elapsed time.
"""

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from dateutil.rrule import DAILY, MONTHLY, WEEKLY, rrule

from league.errors import LeagueError
from scoring.core.errors import shown
from scoring.core.messages import mark


class Unit(StrEnum):
    """The unit of a recurrence; values are those of RRULE's FREQ."""

    MINUTES = "MINUTELY"
    HOURS = "HOURLY"
    DAYS = "DAILY"
    WEEKS = "WEEKLY"
    MONTHS = "MONTHLY"


FEWEST_MINUTES: Final = 5
MOST_INTERVAL: Final = 999
MOST_COUNT: Final = 9999
WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")

_STEPS: Final = {Unit.MINUTES: datetime.timedelta(minutes=1), Unit.HOURS: datetime.timedelta(hours=1)}
_FREQUENCIES: Final[Mapping[Unit, Literal[1, 2, 3]]] = {
    Unit.DAYS: DAILY,
    Unit.WEEKS: WEEKLY,
    Unit.MONTHS: MONTHLY,
}
_PARTS: Final = frozenset({"FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL"})
_UNTIL: Final = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A recurrence rule. `weekdays` count from Monday, 0, and belong to weeks; `until` is in UTC.

    Refused: `out_of_range` and `too_often` (field `interval`), `weekdays`, `until_or_count`.
    """

    unit: Unit
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    count: int | None = None
    until: datetime.datetime | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.interval <= MOST_INTERVAL:
            raise LeagueError(
                "out_of_range",
                mark("“Every …” is a number from 1 to %(most)s.", most=MOST_INTERVAL),
                field="interval",
            )
        if self.unit is Unit.MINUTES and self.interval < FEWEST_MINUTES:
            raise LeagueError(
                "too_often",
                mark("Not more often than every %(fewest)s minutes.", fewest=FEWEST_MINUTES),
                field="interval",
            )
        if self.weekdays and self.unit is not Unit.WEEKS:
            raise LeagueError("weekdays", mark("Weekdays are chosen for weeks only."), field="weekdays")
        if len(set(self.weekdays)) != len(self.weekdays) or not set(self.weekdays) <= set(range(7)):
            raise LeagueError("weekdays", mark("There are seven weekdays, each once."), field="weekdays")
        if self.count is not None and self.until is not None:
            raise LeagueError(
                "until_or_count",
                mark("It ends on a day, or after a number of times: choose one."),
                field="count",
            )
        if self.count is not None and not 1 <= self.count <= MOST_COUNT:
            raise LeagueError(
                "out_of_range",
                mark("A schedule has 1 to %(most)s times.", most=MOST_COUNT),
                field="count",
            )

    def to_text(self) -> str:
        """Return the rule as an RRULE."""
        parts = [f"FREQ={self.unit}"]
        if self.interval != 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.weekdays:
            parts.append("BYDAY=" + ",".join(WEEKDAYS[day] for day in sorted(self.weekdays)))
        if self.count is not None:
            parts.append(f"COUNT={self.count}")
        if self.until is not None:
            parts.append(f"UNTIL={self.until.astimezone(datetime.UTC):{_UNTIL}}")
        return ";".join(parts)

    @classmethod
    def from_text(cls, text: str) -> "Recurrence":
        """Parse the output of `to_text`; refuses anything else (`unknown_recurrence`)."""
        parts = _parts(text)
        try:
            return cls(
                unit=Unit(parts["FREQ"]),
                interval=_number(parts.get("INTERVAL", "1")),
                weekdays=tuple(WEEKDAYS.index(day) for day in parts["BYDAY"].split(","))
                if "BYDAY" in parts
                else (),
                count=_number(parts["COUNT"]) if "COUNT" in parts else None,
                until=datetime.datetime.strptime(parts["UNTIL"], _UNTIL).replace(tzinfo=datetime.UTC)
                if "UNTIL" in parts
                else None,
            )
        except (KeyError, ValueError) as error:
            raise _unknown(text) from error


def next_after(
    recurrence: str, starts_at: datetime.datetime, zone: datetime.tzinfo, after: datetime.datetime
) -> datetime.datetime | None:
    """Return the first time later than `after`, in UTC, or None; `starts_at` is the earliest.

    A start on none of the weekdays is skipped. Refused as by `Recurrence.from_text`.
    """
    if not recurrence:
        return starts_at if starts_at > after else None
    rule = Recurrence.from_text(recurrence)
    for moment in _times(rule, starts_at, zone, after):
        if rule.until is not None and moment > rule.until:
            return None
        if moment > after:
            return moment
    return None


def next_times(
    recurrence: str,
    starts_at: datetime.datetime,
    zone: datetime.tzinfo,
    after: datetime.datetime,
    count: int = 5,
) -> list[datetime.datetime]:
    """Return up to `count` times later than `after`, in order."""
    found: list[datetime.datetime] = []
    moment = next_after(recurrence, starts_at, zone, after)
    while moment is not None and len(found) < count:
        found.append(moment)
        moment = next_after(recurrence, starts_at, zone, moment)
    return found


def end_of_day(day: datetime.date, zone: datetime.tzinfo) -> datetime.datetime:
    """Return the last second of a day in that time zone, in UTC, for a recurrence that ends on that day."""
    last = datetime.datetime.combine(day, datetime.time(23, 59, 59), tzinfo=zone)
    return last.astimezone(datetime.UTC)


def _times(
    rule: Recurrence, starts_at: datetime.datetime, zone: datetime.tzinfo, after: datetime.datetime
) -> Iterator[datetime.datetime]:
    """Yield the times in order, starting no later than the first one after `after`."""
    if rule.unit in _STEPS:
        step = _STEPS[rule.unit] * rule.interval
        number = max((after - starts_at) // step + 1, 0)
        if rule.count is None or number < rule.count:
            yield starts_at + number * step
        return
    first = starts_at.astimezone(zone).replace(tzinfo=None)
    walls = rrule(
        _FREQUENCIES[rule.unit],
        dtstart=first,
        interval=rule.interval,
        byweekday=rule.weekdays or None,
        count=rule.count,
    )
    # Clocks never change by more than a day.
    begin = after.astimezone(zone).replace(tzinfo=None) - datetime.timedelta(days=2)
    for wall in walls.xafter(begin):
        # `starts_at` itself says which of two equal local times it is.
        yield starts_at if wall == first else wall.replace(tzinfo=zone).astimezone(datetime.UTC)


def _parts(text: str) -> Mapping[str, str]:
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        if not equals or name not in _PARTS or name in parts:
            raise _unknown(text)
        parts[name] = value
    return parts


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise ValueError(text)
    return int(text)


def _unknown(text: str) -> LeagueError:
    return LeagueError(
        "unknown_recurrence",
        mark("“%(text)s” is not a recurrence that is understood here.", text=shown(text)),
        field="recurrence",
    )
