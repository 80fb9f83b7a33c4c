"""How long a bracket takes: as data, played to its end in memory, and settled in the database.

256 entries are the most a bracket takes; more are refused, so the sizes end there.
"""

from functools import partial
from itertools import pairwise
from random import Random
from typing import Final

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.pairing.elimination import bracket, progress
from league.core.pairing.groups import draw_groups, knockout_seeds
from league.draws.advancing import settle_ties
from league.draws.brackets import draw_bracket
from league.draws.round_life import publish_round
from league.models import Event, MatchState
from tests.bench.registry import Figure, bench, best_of, is_brief
from tests.factories import OPERATOR, EventFactory, big_event
from tests.league.pairing.brackets import ready_in

SIZES: Final = (64, 128, 256)
# A bracket of twice as many has twice as many matches; a little more for its levels.
AT_MOST_DOUBLED: Final = 4
# The bracket and its sheets twice, the event, the ties that are written, the request for the table.
QUERIES_TO_SETTLE: Final = 8


@bench()
def brackets_as_data() -> list[Figure]:
    figures = []
    for double in (False, True):
        name = "double" if double else "single"
        built = best_of(*(partial(bracket, size, double=double) for size in SIZES), rounds=10)
        if not is_brief():
            played = best_of(*(partial(play, size, double) for size in SIZES), rounds=3)
            for size, building, playing in zip(SIZES, built, played, strict=True):
                what = f"{size} entries, {name} elimination"
                figures += [
                    Figure(f"{what}, made", building * 1000, "ms"),
                    Figure(f"{what}, played stage by stage", playing * 1000, "ms"),
                ]
        for (size, before), (twice, after) in pairwise(zip(SIZES, built, strict=True)):
            what = f"{name} elimination made: {twice} entries over {size}"
            figures.append(Figure(what, after / before, "×", AT_MOST_DOUBLED))
    return figures


@bench()
def groups_and_their_knockout() -> list[Figure]:
    figures = []
    for size in (*SIZES, 512):
        groups = size // 4
        drawing, seeding = best_of(
            partial(draw_groups, range(1, size + 1), groups, seed=1),
            partial(knockout_seeds, [list(range(groups))] * 2),
            rounds=3,
        )
        figures += [
            Figure(f"{size} entries drawn into groups of 4", drawing * 1000, "ms"),
            Figure(f"{size} entries, the best two of each group seeded apart", seeding * 1000, "ms"),
        ]
    return figures


@bench(database=True)
def settling_a_bracket() -> list[Figure]:
    """All sheets of the first round have ended, and the next is to know who plays in it."""
    figures = []
    for size in SIZES:
        event: Event = EventFactory.create(format="double")
        big_event(entries=size, matches=0, event=event, sheets=False)
        publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
        event.matches.exclude(entry_b=None).update(state=MatchState.FINISHED, winner_side=0)
        with CaptureQueriesContext(connection) as queries:
            settle_ties(event)
        held = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
        count = sum(not query["sql"].startswith(held) for query in queries)
        figures.append(Figure(f"{size} entries, first round settled", count, "queries", QUERIES_TO_SETTLE))
        (again,) = best_of(partial(settle_ties, event), rounds=3)
        figures.append(Figure(f"{size} entries, nothing to settle", again * 1000, "ms"))
    return figures


def play(size: int, double: bool) -> None:
    """A bracket to its end by chance, as the services do it: all is derived again after each stage."""
    drawn, chance = bracket(size, double=double), Random(size)
    winners: dict[int, int] = {}
    while ready := ready_in(progress(drawn, winners)):
        winners |= {number: chance.randrange(2) for number in ready}
