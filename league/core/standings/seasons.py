"""Season table: points for the place in each of several events, added up.

Entries that share a place share its points exactly: 10, 8 and 7 for three in first place are 25/3 each.
Places beyond the list are worth nothing. If only the best few events count, they are those with the most
points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from league.core.standings.errors import StandingsError
from league.core.standings.results import Number, require_exact
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True)
class Finish:
    """A competitor's place in an event; entries level there share it."""

    event: int
    place: int
    competitors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A competitor's points from one event; `counts` is False if enough others were better."""

    event: int
    place: int
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One line of the table; `results` are in the order of the events given."""

    rank: int
    competitor: int
    points: Fraction
    results: tuple[Counted, ...]


def rank_season(
    finishes: Iterable[Finish], *, place_points: Sequence[Number], best: int | None = None
) -> list[SeasonRow]:
    """Return the table of everyone who finished somewhere, best first.

    Level on points, the better single result decides, then the second best, and so on; those level in all
    share a rank. Each member of a team has the team's result. Refused: no points, points that rise from one
    place to the next, `best` below 1, a competitor twice in an event.
    """
    _check(place_points, best)
    given: dict[int, dict[int, list[Finish]]] = {}
    for finish in finishes:
        given.setdefault(finish.event, {}).setdefault(finish.place, []).append(finish)
    taken: dict[int, list[tuple[int, int, Fraction]]] = {}
    for event, places in given.items():
        seen: set[int] = set()
        for place, level in places.items():
            points = _shared(place_points, place, len(level))
            for competitor in (one for finish in level for one in finish.competitors):
                if competitor in seen:
                    raise StandingsError(
                        "competitor_twice",
                        mark(
                            "%(competitor)s finished twice in the event %(event)s.",
                            competitor=competitor,
                            event=event,
                        ),
                        field="finishes",
                    )
                seen.add(competitor)
                taken.setdefault(competitor, []).append((event, place, points))

    rows = [_row(competitor, results, best) for competitor, results in taken.items()]
    ordered = sorted(sorted(rows, key=lambda row: row.competitor), key=_merit, reverse=True)
    ranked: list[SeasonRow] = []
    for _, together in groupby(ordered, key=_merit):
        place = len(ranked) + 1
        ranked += [SeasonRow(place, row.competitor, row.points, row.results) for row in together]
    return ranked


def _check(place_points: Sequence[Number], best: int | None) -> None:
    if not place_points:
        raise StandingsError(
            "no_points", mark("Name the points for at least one place."), field="place_points"
        )
    for points in place_points:
        require_exact(place_points=points)
    if any(after > before for before, after in pairwise(place_points)):
        raise StandingsError(
            "rising_points", mark("A place cannot be worth more than the one above it."), field="place_points"
        )
    if best is not None and best < 1:
        raise StandingsError("out_of_range", mark("At least one event has to count."), field="best")


def _shared(place_points: Sequence[Number], place: int, count: int) -> Fraction:
    worth = place_points[place - 1 : place - 1 + count]
    return sum((Fraction(points) for points in worth), Fraction(0)) / count


def _row(competitor: int, results: list[tuple[int, int, Fraction]], best: int | None) -> SeasonRow:
    """Total a competitor's results; of equal ones, those in earlier events count first."""
    by_worth = sorted(range(len(results)), key=lambda index: -results[index][2])
    counting = set(by_worth if best is None else by_worth[:best])
    return SeasonRow(
        0,
        competitor,
        sum((results[index][2] for index in counting), Fraction(0)),
        tuple(
            Counted(event, place, points, index in counting)
            for index, (event, place, points) in enumerate(results)
        ),
    )


def _merit(row: SeasonRow) -> tuple[Fraction, list[Fraction]]:
    return row.points, sorted((result.points for result in row.results if result.counts), reverse=True)
