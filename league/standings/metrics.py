"""The criteria an event may rank by: one small function each, with the sentence that explains it to members.

A metric gives every entry of a group a number; more is better. Most look at the entry alone. One that
compares `among_tied` entries is asked again for every group that is still level when its turn comes, and may
answer None: it has nothing to say about this group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from league.standings.results import Number
from league.standings.tally import Tally

Values = Mapping[int, Number]
Measure = Callable[[Tally, Sequence[int]], Values | None]

LOT_DIGITS = 13
"""Hexadecimal digits of a lot: 52 bits, which every database and JSON reader holds exactly."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    title: str
    help: str
    measure: Measure
    among_tied: bool = False


CRITERIA: dict[str, Metric] = {}
"""Every metric by name, in the order in which a form offers them."""


def metric(*, title: str, help: str, among_tied: bool = False) -> Callable[[Measure], Measure]:
    """Registers the function under its own name."""

    def register(measure: Measure) -> Measure:
        name = getattr(measure, "__name__", title)
        CRITERIA[name] = Metric(name, title, help, measure, among_tied)
        return measure

    return register


@metric(
    title="Match points",
    help="Points for sheets won and drawn, for columns where they count, for byes; with adjustments.",
)
def match_points(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].points for entry in group}


@metric(title="Net", help="Points won less points lost, added over all sheets played.")
def net(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].net for entry in group}


@metric(title="Columns won", help="The number of columns won, over all sheets played.")
def columns_won(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].columns_won for entry in group}


@metric(title="Boxes", help="The number of boxes won, over all sheets played.")
def boxes(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].boxes for entry in group}


@metric(
    title="Result among those tied",
    help="Match points from the matches among those still tied, once they have all met equally often.",
    among_tied=True,
)
def head_to_head(tally: Tally, group: Sequence[int]) -> Values | None:
    """Match points taken from one another by exactly those in `group`, adjustments left out.

    None unless every two of them have met, and all equally often: else the sum would reward whoever happened
    to meet more of the others (an unfinished round robin, a Swiss), not whoever did better against them.
    The net of those matches is left to a criterion of its own name, so that "decided by" says one thing.
    """
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


@metric(
    title="Wins",
    help="The number of matches won, with forfeits and byes where the event counts them as played.",
)
def wins(tally: Tally, group: Sequence[int]) -> Values | None:
    return {entry: tally.records[entry].wins for entry in group}


@metric(
    title="Lot", help="Drawn by lot: a number made from the event's seed and the entry, the higher first."
)
def lot(tally: Tally, group: Sequence[int]) -> Values | None:
    """A hash of seed and entry and nothing else, so a late entry changes nobody's lot."""
    return {
        entry: int(sha256(f"{tally.seed}:{entry}".encode()).hexdigest()[:LOT_DIGITS], 16) for entry in group
    }
