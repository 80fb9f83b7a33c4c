"""Drafting a round through the services, by format and size: read, paired, written, noted.

What the pairing alone takes is in `bench_swiss` and its like; the rest is reading and writing rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from django.db import transaction

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.draws.movements import draw_movement
from league.draws.round_life import draft_round
from league.draws.rounds import draw_round_robin
from league.models import Event
from tests.bench.registry import Figure, bench, is_brief
from tests.factories import OPERATOR, EventFactory, big_event

SIZES: Final = (64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Case:
    """A format at a size: how many rounds are played before the one that is measured, and how it is made."""

    title: str
    format: str
    sizes: tuple[int, ...]
    rounds: int
    draw: Callable[[Event], object]
    settings: dict[str, Any]


def next_round(event: Event) -> object:
    return draft_round(actor=OPERATOR, event=event)


CASES: Final = (
    Case("Swiss, round 9", "swiss", SIZES, 8, next_round, {}),
    Case(
        "round robin, whole",
        "round_robin",
        (64, 128),
        0,
        lambda event: draw_round_robin(actor=OPERATOR, event=event),
        {},
    ),
    Case(
        "double elimination, bracket and first round",
        "double",
        (64, 128, 256),
        0,
        lambda event: draw_bracket(actor=OPERATOR, event=event),
        {},
    ),
    Case(
        "groups of eight, all rounds",
        "groups",
        SIZES,
        0,
        lambda event: draw_groups(actor=OPERATOR, event=event),
        {"qualifiers": 2},
    ),
    Case(
        "partners rotate, a movement of nine rounds",
        "rotation",
        SIZES,
        0,
        lambda event: draw_movement(actor=OPERATOR, event=event),
        {"team_size": 2, "rounds_planned": 9},
    ),
)


@bench(database=True)
def drafting_a_round() -> list[Figure]:
    """Nothing of it is promised: briefly it is seen that the smallest of each format can be drafted."""
    figures = []
    for case in CASES:
        if is_brief():
            figures.append(
                Figure(f"{case.title}, {case.sizes[0]} entries", seconds(case, case.sizes[0]), "s")
            )
            continue
        taken = [seconds(case, size) for size in case.sizes]
        figures += [
            Figure(f"{case.title}, {size} entries", time, "s")
            for size, time in zip(case.sizes, taken, strict=True)
        ]
        first, last = case.sizes[0], case.sizes[-1]
        figures.append(
            Figure(
                f"{case.title}, {last} entries beside {first}: {last // first} times as many",
                taken[-1] / taken[0],
                "×",
            )
        )
    return figures


def seconds(case: Case, size: int) -> float:
    """The shortest of three, or of as many as fit into a second; each is taken back."""
    settings = case.settings | ({"group_count": size // 8} if case.format == "groups" else {})
    event: Event = EventFactory.create(format=case.format, **settings)
    big_event(entries=size, matches=size // 2 * case.rounds, event=event, sheets=False)
    taken: list[float] = []
    while len(taken) < (1 if is_brief() else 3) and sum(taken) < 1:
        with transaction.atomic():
            start = perf_counter()
            case.draw(event)
            taken.append(perf_counter() - start)
            transaction.set_rollback(True)
    return min(taken)
