"""Direct encounter: who is ahead of those level with it by the matches among them.

FIDE Handbook C.07, article 6, in force since 1 March 2026:

- The points from the matches among those who are level make a table of their own (6.1). Of two who have met
  more than once the average counts (6.1.2). A match that was not played is one of them where everybody meets
  everybody (15.2), and is left out in a Swiss (6.1.1).
- If all of them have met, that table puts them in order (6.2).
- If not, in a Swiss whoever will be alone at the top of it whatever the missing matches bring is ahead of the
  others, then whoever is alone behind that one, and so on (6.3).
- It is applied again to those who are left level: see `Metric.again`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.core.standings.results import Number, as_number
from league.core.standings.tally import Tally


def direct(tally: Tally, group: Sequence[int]) -> Mapping[int, Number] | None:
    """Return the points of those whom it puts in order, the others come after them; None if it does nothing.

    Where columns count, nobody can tell what a missing match would bring: then all must have met.
    """
    points = dict.fromkeys(group, Fraction(0))
    missing = dict.fromkeys(group, 0)
    for entry in group:
        met = tally.meetings[entry]
        for other in group:
            if other == entry:
                continue
            if meeting := met.get(other):
                points[entry] += Fraction(meeting.points) / meeting.matches
            else:
                missing[entry] += 1
    ahead = group if not any(missing.values()) else _ahead(tally, points, missing)
    return {entry: as_number(points[entry]) for entry in ahead} or None


def _ahead(tally: Tally, points: Mapping[int, Fraction], missing: Mapping[int, int]) -> list[int]:
    """Return those who are alone at their place whatever the missing matches bring, best first."""
    scheme = tally.scheme
    if not tally.swiss or scheme.column:
        return []
    least, most = (
        {entry: points[entry] + missing[entry] * Fraction(worth) for entry in points}
        for worth in (scheme.loss, scheme.win)
    )
    ahead: list[int] = []
    others = sorted(points, key=least.__getitem__)
    while others:
        first = others.pop()
        if any(most[other] >= least[first] for other in others):
            break
        ahead.append(first)
    return ahead


def as_before(tally: Tally, group: Sequence[int]) -> Mapping[int, Number] | None:
    """Return the points from all matches among them, given ones too, if all have met equally often."""
    often: int | None = None
    values: dict[int, Number] = {}
    for entry in group:
        met = tally.meetings[entry]
        points: Number = 0
        for other in group:
            if other == entry:
                continue
            meeting = met.get(other)
            if meeting is None or (often is not None and meeting.matches != often):
                return None
            often = meeting.matches
            points += meeting.points
        values[entry] = points
    return values
