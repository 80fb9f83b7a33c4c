"""Ranking criteria: one small function each, with a sentence that explains it to members.

A metric gives each entry of a group a number; more is better unless it is `least_first`, and entries without
a number come last. Most look at the entry alone. One that compares `among_tied` entries is evaluated again
for each group still level at its turn, and may return None if it has nothing to say about the group. If it
is applied `again`, so are the groups that it leaves level. Figures that an entry brings along (rating, place
in a bracket, duplicate score, lot) are passed to `rank`.

At tables of three to six sides criteria that look at two who met have no meaning (`at_tables`), since nobody
beats or is beaten by one opponent there: strength of opponents, Sonneborn–Berger, the result among those
tied. Columns and boxes are of sheets of two sides, and the result of a table has none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from league.core.standings import encounters, strength
from league.core.standings.errors import StandingsError
from league.core.standings.results import Number
from league.core.standings.tally import Tally
from scoring.core.messages import Message, mark

Values = Mapping[int, Number]
Measure = Callable[[Tally, Sequence[int]], Values | None]


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    title: Message
    help: Message
    measure: Measure
    among_tied: bool = False
    again: bool = False
    least_first: bool = False
    at_tables: bool = True


CRITERIA: dict[str, Metric] = {}
"""Every metric by name, in the order in which forms offer them."""


def metric(
    *,
    title: Message,
    help: Message,
    among_tied: bool = False,
    again: bool = False,
    least_first: bool = False,
    at_tables: bool = True,
) -> Callable[[Measure], Measure]:
    """Register a function as a metric under its own name."""

    def register(measure: Measure) -> Measure:
        name = getattr(measure, "__name__", str(title))
        CRITERIA[name] = Metric(name, title, help, measure, among_tied, again, least_first, at_tables)
        return measure

    return register


@metric(
    title=mark("Match points"),
    help=mark(
        "Points for sheets won and drawn or by place at a table, for columns where they count, for byes; "
        "with adjustments."
    ),
)
def match_points(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].points for entry in group}


@metric(title=mark("Net"), help=mark("Points won less points lost, added over all sheets played."))
def net(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].net for entry in group}


@metric(
    title=mark("Net, capped"),
    help=mark("The net added over all sheets played, where no sheet counts for more than the event's cap."),
)
def net_capped(tally: Tally, group: Sequence[int]) -> Values | None:
    """The net with each match capped, so that one runaway sheet does not decide a season.

    Without a cap it is the net.
    """
    return {entry: tally.records[entry].net_capped for entry in group}


@metric(
    title=mark("Columns won"),
    help=mark("The number of columns won, over all sheets played."),
    at_tables=False,
)
def columns_won(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].columns_won for entry in group}


@metric(title=mark("Boxes"), help=mark("The number of boxes won, over all sheets played."), at_tables=False)
def boxes(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].boxes for entry in group}


@metric(
    title=mark("Result among those tied"),
    help=mark(
        "Match points from the matches among those still tied (of several against one the average), once all "
        "of them have met; in a Swiss also for whoever is ahead whatever the missing matches would bring."
    ),
    among_tied=True,
    again=True,
    at_tables=False,
)
def head_to_head(tally: Tally, group: Sequence[int]) -> Values | None:
    """The net of those matches is a separate criterion, so that "decided by" names one thing."""
    return encounters.as_before(tally, group) if tally.former else encounters.direct(tally, group)


@metric(
    title=mark("Wins"),
    help=mark(
        "The number of matches won, at tables of first places that nobody shares, with forfeits and byes "
        "where the event counts them as played."
    ),
)
def wins(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].wins for entry in group}


@metric(title=mark("Hands won"), help=mark("The number of hands won, over all sheets played."))
def hands_won(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].hands_won for entry in group}


@metric(title=mark("Gins"), help=mark("The number of hands won by gin or big gin, over all sheets played."))
def gins(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].gins for entry in group}


@metric(
    title=mark("Duplicate score"),
    help=mark(
        "Points made of each pack above the mean of all others who held the same cards, added; in events in "
        "which every table plays the same packs."
    ),
    at_tables=False,
)
def duplicate(tally: Tally, group: Sequence[int]) -> Values | None:
    """See `league.core.standings.duplicate`. Adjustments, byes and matches given away do not change it."""
    return _given(tally, "duplicate", group)


@metric(
    title=mark("Buchholz"),
    help=mark("The match points of all opponents met, added; whoever met stronger ones is ahead."),
    at_tables=False,
)
def buchholz(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: sum(strength.opponents_points(tally, entry)) for entry in group}


@metric(
    title=mark("Buchholz cut 1"),
    help=mark("The match points of all opponents met but the weakest, added."),
    at_tables=False,
)
def buchholz_cut1(tally: Tally, group: Sequence[int]) -> Values | None:
    """Buchholz without the weakest opponent, often the unlucky draw of round 1.

    Nothing is left of a single opponent.
    """
    return {entry: sum(strength.opponents_points(tally, entry, weakest=1)) for entry in group}


@metric(
    title=mark("Median Buchholz"),
    help=mark("The match points of all opponents met but the weakest and the strongest, added."),
    at_tables=False,
)
def median_buchholz(tally: Tally, group: Sequence[int]) -> Values | None:
    """Buchholz without the best and the weakest opponent. Nothing is left of two opponents or fewer."""
    return {entry: sum(strength.opponents_points(tally, entry, weakest=1, strongest=1)) for entry in group}


@metric(
    title=mark("Sonneborn–Berger"),
    help=mark(
        "The match points of each opponent times the points taken from it, added; where a draw is worth half "
        "a win, those of the opponents beaten and half those of the opponents drawn with."
    ),
    at_tables=False,
)
def sonneborn_berger(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: strength.sonneborn_berger(tally, entry) for entry in group}


@metric(title=mark("Opponents' net"), help=mark("The net of all opponents met, added."), at_tables=False)
def opponents_net(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: sum(strength.opponents_net(tally, entry)) for entry in group}


@metric(
    title=mark("Rating"),
    help=mark("The rating with which the entry came, the higher first; those without one are last."),
)
def rating(tally: Tally, group: Sequence[int]) -> Values | None:
    return _given(tally, "rating", group)


@metric(
    title=mark("Place"),
    help=mark(
        "How far the entry came in the bracket, where it stands on the ladder, or its place in the file that "
        "it was taken over from."
    ),
    least_first=True,
)
def place(tally: Tally, group: Sequence[int]) -> Values | None:
    return _given(tally, "place", group)


@metric(
    title=mark("Lot"),
    help=mark(
        "Drawn by lot, the higher number first: it orders the table, and decides neither prizes nor who goes "
        "on, up or down."
    ),
)
def lot(tally: Tally, group: Sequence[int]) -> Values | None:
    """See `league.core.lots`; what it puts in order is level where the table is cut (`cuts`)."""
    return _given(tally, "lot", group)


def _given(tally: Tally, name: str, group: Sequence[int]) -> Values:
    """Return the figures passed to `rank` under this name; refuses if there are none."""
    if name not in tally.given:
        raise StandingsError(
            "not_given",
            mark("The criterion “%(name)s” needs figures of the entries, and none are given.", name=name),
            field="given",
        )
    figures = tally.given[name]
    return {entry: figures[entry] for entry in group if entry in figures}
