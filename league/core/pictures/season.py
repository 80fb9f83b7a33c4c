"""A season at a glance: a line an event, from its first to its last night, with a dot for every night."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.scales import Scale

_ROW: Final = 44
_WORDS: Final = 16
_LINE: Final = 28
_BELOW: Final = 24
_EDGE: Final = 8
# A label of a month takes so much room.
_MONTH: Final = 34


@dataclass(frozen=True, slots=True)
class SeasonNight:
    """A night of an event; `is_over` once all its matches are."""

    day: datetime.date
    is_over: bool


@dataclass(frozen=True, slots=True)
class Dot:
    """A night in the drawing."""

    x: float
    is_over: bool


@dataclass(frozen=True, slots=True)
class DrawnEvent:
    """An event in the drawing: the foot of its words, the height of its line, and its dots."""

    foot: int
    y: int
    dots: Sequence[Dot]


@dataclass(frozen=True, slots=True)
class MonthMark:
    """Where a month begins, and whether there is room to name it."""

    x: float
    first: datetime.date
    is_named: bool


@dataclass(frozen=True, slots=True)
class SeasonPicture:
    """The data a template draws, a line for each event given."""

    width: int
    height: int
    right: int
    lines: Sequence[DrawnEvent]
    months: Sequence[MonthMark]

    @property
    def bottom(self) -> int:
        """Where the lines of months end."""
        return self.height - _BELOW + 4


def season_picture(events: Sequence[Sequence[SeasonNight]], *, width: int) -> SeasonPicture:
    """Return the drawing of events, each with at least one night."""
    days = [night.day for nights in events for night in nights]
    first, last = min(days), max(days)
    # One day is drawn in the middle.
    low, high = first.toordinal(), last.toordinal()
    if low == high:
        low, high = low - 1, high + 1
    scale = Scale(low, high, _EDGE, width - _EDGE)
    lines = [
        DrawnEvent(
            row * _ROW + _WORDS,
            row * _ROW + _LINE,
            [Dot(scale.at(night.day.toordinal()), night.is_over) for night in sorted(nights, key=_day)],
        )
        for row, nights in enumerate(events)
    ]
    return SeasonPicture(
        width, len(events) * _ROW + _BELOW, width - _EDGE, lines, _months(first, last, scale, width)
    )


def _day(night: SeasonNight) -> datetime.date:
    return night.day


def _months(first: datetime.date, last: datetime.date, scale: Scale, width: int) -> Sequence[MonthMark]:
    """The months that begin between two days; each is named that stands far enough from the one before."""
    marks: list[MonthMark] = []
    free = 0.0
    year, month = first.year, first.month
    while (begins := datetime.date(year, month, 1)) <= last:
        if begins >= first:
            x = scale.at(begins.toordinal())
            is_named = x >= free and x <= width - _MONTH
            marks.append(MonthMark(x, begins, is_named))
            if is_named:
                free = x + _MONTH
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return marks
