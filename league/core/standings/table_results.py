"""Results of tables at which three to six sides play one another at once, and what places are worth.

Only tables that were played: a bye, an absence or a forfeit is a `MatchResult`, as everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from league.core.standings.errors import StandingsError
from league.core.standings.results import Number, Verdict, as_number, average
from scoring.core.messages import mark

FEWEST_SIDES: Final = 3
MOST_SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of one table.

    `entries` in order of seats; each with its place at the table, from 1: those who are level share one, and
    as many places are left out after it (1, 1, 3). Its net is signed. Nets, hands won and gins that are not
    given are 0 for all. `round` is its number in the event; 0 if not given.

    A first place that nobody shares is won, a shared one is drawn, any other place is lost.

    Refused: an entry named twice (`entry_twice`), fewer than three sides or more than six, figures that are
    not one for each (`wrong_sides`), places that are no ranking (`wrong_places`).
    """

    entries: tuple[int, ...]
    places: tuple[int, ...]
    nets: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    gins: tuple[int, ...] = ()
    round: int = 0

    def __post_init__(self) -> None:
        sides = len(self.entries)
        if len(set(self.entries)) != sides:
            raise StandingsError(
                "entry_twice",
                mark("A table names an entry twice: %(entries)s.", entries=str(self.entries)),
                field="result",
            )
        if not FEWEST_SIDES <= sides <= MOST_SIDES:
            raise StandingsError(
                "wrong_sides",
                mark(
                    "A table has %(fewest)s to %(most)s sides, not %(sides)s.",
                    fewest=FEWEST_SIDES,
                    most=MOST_SIDES,
                    sides=sides,
                ),
                field="result",
            )
        for name in ("nets", "hands", "gins"):
            if not getattr(self, name):
                object.__setattr__(self, name, (0,) * sides)
        for name in ("places", "nets", "hands", "gins"):
            if len(getattr(self, name)) != sides:
                raise StandingsError(
                    "wrong_sides",
                    mark("A table of %(sides)s sides has one figure for each.", sides=sides),
                    field=name,
                )
        if any(place != 1 + sum(other < place for other in self.places) for place in self.places):
            raise StandingsError(
                "wrong_places",
                mark("The places %(places)s are not a ranking.", places=str(self.places)),
                field="places",
            )

    def verdicts(self) -> tuple[Verdict, ...]:
        """The outcome for each entry."""
        first = Verdict.WON if self.places.count(1) == 1 else Verdict.DRAWN
        return tuple(first if place == 1 else Verdict.LOST for place in self.places)

    def points(self, by_place: Sequence[Number]) -> tuple[Number, ...]:
        """Return the match points of each entry, where these are the points for first, second, ... place.

        Places after the last one have its points. Who share places share the points of these places equally,
        to the hundredth, halves up, as table points are shared in tournaments by the Mahjong Competition
        Rules: two who share the last places of 4, 2, 1 and 0 have half a point each ("MES MCR Tournament",
        mahjongtime.blogspot.com, March 2021).
        """
        worth = [*by_place, *repeat(by_place[-1], len(self.places))]

        def share(place: int) -> Number:
            level = self.places.count(place)
            if level == 1:
                return worth[place - 1]
            return as_number(average(worth[place - 1 : place - 1 + level], places=2))

        return tuple(share(place) for place in self.places)
