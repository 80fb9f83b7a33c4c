"""Lines of a season table for its page, with what puts each above the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.translation import gettext as _

from league.core.standings import Number
from league.tables.season_tables import SeasonLine, SeasonRanking
from scoring.templatetags.figures import grouped


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line; `ahead_by` is what puts it above the next one level on points, otherwise ""."""

    line: SeasonLine
    ahead_by: str


def shown_lines(ranking: SeasonRanking) -> Sequence[ShownLine]:
    """Return the lines of the table in order."""
    return [
        ShownLine(line, "" if following is None else _ahead_by(line, following))
        for line, following in zip_longest(ranking.lines, ranking.lines[1:])
    ]


def _ahead_by(line: SeasonLine, following: SeasonLine) -> str:
    """Return which result, counted from the best, is the first that differs."""
    if line.points != following.points or line.rank == following.rank:
        return ""
    for number, (own, other) in enumerate(zip_longest(_worth(line), _worth(following)), start=1):
        if own == other:
            continue
        figures = {
            "number": number,
            "own": "–" if own is None else grouped(own),
            "other": "–" if other is None else grouped(other),
        }
        if number == 1:
            return _("by the best result, %(own)s to %(other)s") % figures
        return _("by result no. %(number)d, %(own)s to %(other)s") % figures
    return ""


def _worth(line: SeasonLine) -> list[Number]:
    """Return the points of the results that count, best first."""
    return sorted((one.points for one in line.results if one is not None and one.counts), reverse=True)
